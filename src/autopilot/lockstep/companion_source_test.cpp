// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/companion_source.hpp"

#include "autopilot/link/links_test_support.hpp"
#include "autopilot/lockstep/lockstep_test_support.hpp"
#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/all.hpp"

namespace volary::autopilot {
namespace {

TEST(companion_source, has_links_of_its_own_one_for_each_instance) {
  EXPECT_EQ(companion_link(AutopilotKind::Px4, 0).text(), "udpin:127.0.0.1:13780");
  EXPECT_EQ(companion_link(AutopilotKind::Px4, 30).text(), "udpin:127.0.0.1:13810");
  EXPECT_EQ(companion_link(AutopilotKind::Ardupilot, 0).text(), "tcp:127.0.0.1:5763");
  EXPECT_EQ(companion_link(AutopilotKind::Ardupilot, 3).text(), "tcp:127.0.0.1:5793");
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

TEST(companion_source, speaks_to_the_instance_of_each_vehicle_that_has_behaviours) {
  auto world = test::make(steered());
  CompanionSource source(3, [](const std::string&) {});
  source.fly({{"flown", {}}, {"steered", {}}});
  source.start(*world);
  std::vector<Input> inputs;
  const core::Status started = source.give(*world, inputs);
  ASSERT_TRUE(started) << started.error().text();
  ASSERT_EQ(source.lines().size(), 1u);
  EXPECT_EQ(source.lines()[0].system, 6) << "the third instance, counted from 3, is instance 5 and system 6";

  // what PX4 would be
  link_testing::Recorder px4({"udpout:127.0.0.1:13785"});
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

TEST(companion_source, a_port_that_somebody_has_ends_the_run_with_a_way_out) {
  auto world = test::make(steered());
  link_testing::Recorder somebody({"udpin:127.0.0.1:13786"});
  CompanionSource source(4, [](const std::string&) {});
  source.fly({{"flown", {}}, {"steered", {}}});
  source.start(*world);
  std::vector<Input> inputs;
  const core::Status can = source.give(*world, inputs);
  ASSERT_FALSE(can);
  EXPECT_NE(can.error().text().find("--autopilot-instance"), std::string::npos);
}

// ---------------------------------------------------------------- people

TEST(companion_source, speaks_to_every_vehicle_where_people_look) {
  auto world = test::make(steered());
  CompanionSource source(6, [](const std::string&) {});
  source.fly({{"flown", {}}, {"steered", {}}});
  source.serve_people();
  source.start(*world);
  EXPECT_EQ(source.lines().size(), 3u);
  const VehicleId id = world->vehicles()[0];
  const core::Status refused = source.order(id, {.kind = runner::FlightOrder::Kind::Arm});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("not heard"), std::string::npos) << refused.error().text();
  ASSERT_TRUE(source.known_of(id));
  EXPECT_EQ(source.known_of(id)->mode, "");

  // what PX4 would be, for the first vehicle
  link_testing::Recorder px4({"udpout:127.0.0.1:13786"});
  const ChannelId channel = px4.opened(0);
  mavlink::Writer writer(7, 1);
  mavlink::Bytes bytes;
  mavlink::Heartbeat h;
  h.autopilot = mavlink::number_of(mavlink::AutopilotKind::Px4), h.custom_mode = 4u << 16 | 3u << 24;
  writer.append(h, bytes);
  mavlink::Statustext t;
  t.severity = 4, t.text = mavlink::fixed_text<50>("Preflight Fail: Gyro");
  writer.append(t, bytes);
  px4.links().send(channel, bytes);
  ASSERT_TRUE(link_testing::eventually([&] {
    source.ask(*world);
    world->step();
    return !source.known_of(id)->messages.empty();
  }));
  EXPECT_EQ(source.known_of(id)->mode, "Hold");
  EXPECT_EQ(source.known_of(id)->messages[0].text, "Preflight Fail: Gyro");
  EXPECT_EQ(source.known_of(id)->messages[0].severity, 4);

  // it refuses to arm
  source.ask(*world);
  ASSERT_TRUE(source.order(id, {.kind = runner::FlightOrder::Kind::Arm}));
  std::vector<runner::Autopilots::Refusal> refusals;
  ASSERT_TRUE(link_testing::eventually([&] {
    bytes.clear();
    writer.append(h, bytes);
    mavlink::CommandAck answer;
    answer.command = mavlink::number_of(mavlink::Command::SetMessageInterval);
    writer.append(answer, bytes);
    answer.command = mavlink::number_of(mavlink::Command::ComponentArmDisarm), answer.result = mavlink::number_of(mavlink::CommandResult::Denied);
    writer.append(answer, bytes);
    px4.links().send(channel, bytes);
    px4.poll();
    source.ask(*world);
    world->step();
    refusals = source.take_refusals();
    return !refusals.empty();
  }));
  EXPECT_EQ(refusals[0].id, id);
  EXPECT_EQ(refusals[0].text, "PX4 was asked to arm and answered 'denied'");
  source.stop(*world);
  EXPECT_FALSE(source.known_of(id));
}

TEST(companion_source, a_run_without_behaviours_does_without_a_port_that_somebody_has) {
  WorldDef def = steered();
  def.flocks.pop_back();
  auto world = test::make(def);
  link_testing::Recorder somebody({"udpin:127.0.0.1:13790"});
  std::vector<std::string> told;
  CompanionSource source(10, [&](const std::string& text) { told.push_back(text); });
  source.fly({{"flown", {}}});
  source.serve_people();
  source.start(*world);
  std::vector<Input> inputs;
  EXPECT_TRUE(source.give(*world, inputs));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("gives no orders"), std::string::npos) << told[0];
  EXPECT_FALSE(source.order(world->vehicles()[0], {.kind = runner::FlightOrder::Kind::Arm}));
}

}  // namespace
}  // namespace volary::autopilot
