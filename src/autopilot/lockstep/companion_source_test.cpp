// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/guidance_source.hpp"

#include "autopilot/link/links_test_support.hpp"
#include "autopilot/lockstep/lockstep_test_support.hpp"
#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/all.hpp"

namespace volary::autopilot {
namespace {

TEST(guidance_source, reaches_autopilots_where_other_programs_do) {
  EXPECT_EQ(program_link(AutopilotKind::Px4, 0).text(), "udpin:127.0.0.1:14540");
  EXPECT_EQ(program_link(AutopilotKind::Px4, 9).text(), "udpin:127.0.0.1:14549");
  EXPECT_EQ(program_link(AutopilotKind::Px4, 30).text(), "udpin:127.0.0.1:14549") << "from the tenth instance on PX4 has one port for all";
  EXPECT_EQ(program_link(AutopilotKind::Ardupilot, 0).text(), "tcp:127.0.0.1:5762");
  EXPECT_EQ(program_link(AutopilotKind::Ardupilot, 3).text(), "tcp:127.0.0.1:5792");
}

// two vehicles without behaviours, and then one with
WorldDef steered() {
  WorldDef def = test::parked(2, 4'000'000, 100);
  FlockDef last = def.flocks[0];
  last.name = "steered";
  last.vehicles.resize(1);
  last.vehicles[0].position_W = {0, 5, 0};
  last.node.behaviours = {test::behaviour<swarm::TakeOff>({.height = 3})};
  def.flocks.push_back(last);
  for (FlockDef& f : def.flocks) f.piloted = true;
  return def;
}

TEST(guidance_source, speaks_to_the_instance_of_each_vehicle_that_has_behaviours) {
  auto world = test::make(steered());
  GuidanceSource source(3, [](const std::string&) {});
  source.fly({{"flown", {}}, {"steered", {}}});
  source.start(*world);
  std::vector<Input> inputs;
  const core::Status started = source.give(*world, inputs);
  ASSERT_TRUE(started) << started.error().text();
  ASSERT_EQ(source.lines().size(), 1u);
  EXPECT_EQ(source.lines()[0].system, 6) << "the third instance, counted from 3, is instance 5 and system 6";

  // what PX4 would be
  link_testing::Recorder px4({"udpout:127.0.0.1:14545"});
  const ChannelId channel = px4.opened(0);
  mavlink::Writer writer(6, 1);
  mavlink::Bytes bytes;
  mavlink::Heartbeat m;
  m.autopilot = mavlink::number_of(mavlink::AutopilotKind::Px4);
  writer.append(m, bytes);
  px4.links().send(channel, bytes);
  const auto is_spoken_to = [&] {
    bool is_it = false;
    mavlink::Parser parser;
    parser.feed(px4.bytes(channel), [&](const mavlink::Frame& f) { is_it = is_it || (f.id == mavlink::CommandLong::kId && f.system == 6 && f.component == 191); });
    return is_it;
  };
  ASSERT_TRUE(link_testing::eventually([&] {
    source.ask(*world);
    world->step();
    px4.poll();
    return is_spoken_to();
  }));
  EXPECT_TRUE(source.give(*world, inputs));
  EXPECT_TRUE(inputs.empty()) << "it gives nothing to the world";
  source.stop(*world);
}

TEST(guidance_source, a_port_that_somebody_has_ends_the_run_with_a_way_out) {
  auto world = test::make(steered());
  link_testing::Recorder somebody({"udpin:127.0.0.1:14546"});
  GuidanceSource source(4, [](const std::string&) {});
  source.fly({{"flown", {}}, {"steered", {}}});
  source.start(*world);
  std::vector<Input> inputs;
  const core::Status can = source.give(*world, inputs);
  ASSERT_FALSE(can);
  EXPECT_NE(can.error().text().find("--autopilot-instance"), std::string::npos);
}

}  // namespace
}  // namespace volary::autopilot
