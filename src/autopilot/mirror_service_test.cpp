// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Mirrors with real sockets on loopback, as a page sees them. At the other end is a vehicle of another world with a virtual autopilot.
#include "autopilot/mirror_service.hpp"

#include "autopilot/link/links_test_support.hpp"
#include "autopilot/station_test_support.hpp"

namespace volary::autopilot {
namespace {

using Kind = runner::FlightOrder::Kind;

WorldDef mirrors_of(WorldDef def) {
  def.flocks[0].name = "mirrors";
  def.flocks[0].mirror = true;
  return def;
}

struct TwoWorlds {
  std::unique_ptr<World> real, mirror;
  std::unique_ptr<MirrorService> mirrors;
  std::unique_ptr<StationService> station;

  explicit TwoWorlds(const WorldDef& def) : real(test::make(def)), mirror(test::make(mirrors_of(def))) {
    mirrors = std::move(MirrorService::open({.links = {parse_station_link("udpin:127.0.0.1:0").value()}, .key = {}}).value());
    mirrors->begin(*mirror, false);
  }
  void connect() {
    StationOptions options;
    options.links.push_back(parse_station_link("udpout:" + mirrors->links()[0].substr(6)).value());
    station = std::move(StationService::open(options).value());
    station->begin(*real, false);
  }
  VehicleId id() const { return mirror->vehicles()[0]; }
  runner::AutopilotReport report() const { return mirrors->report_of(id()); }

  static void step(runner::Source& source, runner::Sink& sink, World& world) {
    std::vector<Input> inputs;
    ASSERT_TRUE(source.give(world, inputs));
    for (Input& in : inputs) {
      in.tick = world.tick();
      ASSERT_TRUE(world.submit(std::move(in)));
    }
    world.step();
    sink.after_tick(world);
  }
  // both worlds fly, about as fast as the wall, until it is so
  template <class Condition> bool fly_until(Condition&& condition) {
    return link_testing::eventually([&] {
      step(*mirrors, *mirrors, *mirror);
      if (station) step(*station, *station, *real);
      ::usleep(8'000);
      return condition();
    });
  }
};

TEST(mirror_service, a_page_sees_the_autopilot_of_a_mirror_once_it_is_heard) {
  TwoWorlds w(test_flight::standing(2));
  EXPECT_TRUE(w.mirrors->is_used());
  EXPECT_TRUE(w.mirrors->flies(w.id()));
  EXPECT_EQ(w.report().trouble, "it is not heard");
  EXPECT_EQ(w.report().kind, "");
  EXPECT_EQ(w.mirrors->link_reports().at(0).state, "listening");
  w.connect();
  ASSERT_TRUE(w.fly_until([&] { return w.report().trouble.empty() && w.mirrors->link_reports().at(0).received_rate > 5; })) << w.report().trouble;
  EXPECT_EQ(w.report().kind, "PX4") << "as the heartbeat of a virtual autopilot says";
  EXPECT_EQ(w.report().mode, "Hold");
  EXPECT_EQ(w.report().system, 1);
  EXPECT_EQ(w.mirrors->report_of(w.mirror->vehicles()[1]).system, 2);
  EXPECT_FALSE(w.report().is_armed);
  EXPECT_EQ(w.report().companion, "disarmed");
  const runner::LinkReport link = w.mirrors->link_reports().at(0);
  EXPECT_EQ(link.state, "connected");
  EXPECT_EQ(link.peers.size(), 1u);
  EXPECT_GT(link.sent, 0u);
  EXPECT_EQ(link.lost + link.bad + link.refused, 0u);
  w.mirrors->end(*w.mirror);
  EXPECT_FALSE(w.mirrors->is_used());
}

TEST(mirror_service, an_order_reaches_the_vehicle_and_its_texts_have_simulated_times) {
  TwoWorlds w(test_flight::standing(1));
  w.connect();
  ASSERT_TRUE(w.fly_until([&] { return w.report().trouble.empty(); }));
  ASSERT_TRUE(w.mirrors->order(w.id(), {.kind = Kind::Arm}));
  ASSERT_TRUE(w.fly_until([&] { return w.report().is_armed && !w.report().messages.empty(); }));
  EXPECT_EQ(w.report().messages[0].text, "Armed");
  EXPECT_LE(w.report().messages[0].time, w.mirror->time());
  ASSERT_TRUE(w.mirrors->order(w.id(), {.kind = Kind::Hold}));
}

TEST(mirror_service, an_emergency_stop_does_not_let_a_real_vehicle_fall) {
  TwoWorlds w(test_flight::standing(1));
  const core::Status refused = w.mirrors->order(w.id(), {.kind = Kind::Terminate});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "an emergency stop does not reach the vehicle outside the world");
}

TEST(mirror_service, a_world_that_does_not_say_where_it_lies_sends_no_vehicle_to_a_place) {
  WorldDef def = test_flight::standing(1);
  def.environment.weather.origin.reset();
  TwoWorlds w(def);
  const core::Status refused = w.mirrors->order(w.id(), {.kind = Kind::GoTo, .position_W = {1, 2, 3}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the world does not say where on the Earth it lies");
}

}  // namespace
}  // namespace volary::autopilot
