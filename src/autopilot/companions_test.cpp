// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Two worlds in virtual time: in one fly vehicles with virtual autopilots, in the other are their mirrors, whose behaviours steer them. Between them are frames of MAVLink.
#include "autopilot/companions.hpp"

#include <cmath>

#include "autopilot/station_test_support.hpp"
#include "swarm/behaviours/all.hpp"

namespace volary::autopilot {
namespace {

using test_flight::kChannel;

// mirrors where the others stand, the first of which leads along a line
WorldDef mirrors_of(const WorldDef& real) {
  WorldDef def = real;
  FlockDef& f = def.flocks[0];
  f.name = "mirrors";
  f.mirror = true;
  f.node.state_rate = 10;
  f.node.behaviours = {test::behaviour<swarm::Land>({.after = 40}, 4), test::behaviour<swarm::TakeOff>({.height = 4}, 3),
                       test::behaviour<swarm::LeaderFollower>({.spacing = 4, .speed = 5}, 2),
                       test::behaviour<swarm::FollowPath>({.points = {{25, 10, 4}}, .speed = 2})};
  return def;
}

struct TwoWorlds {
  std::unique_ptr<World> real, mirror;
  Station station{{VehicleRange{}}, std::nullopt};
  Companions companions{1};
  std::vector<Input> given;  // to the mirrors
  std::vector<std::uint64_t> hashes;
  std::vector<std::string> reports;
  double now = 100;
  bool is_cut = false;

  explicit TwoWorlds(const WorldDef& def) : real(test::make(def)), mirror(test::make(mirrors_of(def))) {
    station.begin(*real);
    station.opened(kChannel, 0);
    companions.opened(kChannel, 0);
    const auto origin = def.environment.weather.origin;
    for (const VehicleId id : mirror->vehicles())
      companions.add(0, id,
                     {.system = static_cast<std::uint8_t>(id.number()),
                      .name = mirror->name_of(id),
                      .home_W = mirror->position_of(id),
                      .place = origin ? std::optional(Place(origin)) : std::nullopt});
  }
  static void submit(World& world, std::vector<Input> inputs) {
    for (Input& in : inputs) {
      in.tick = world.tick();
      ASSERT_TRUE(world.submit(std::move(in)));
    }
  }
  void fly(double seconds) {
    for (int k = 0; k < static_cast<int>(std::lround(seconds * 100)); ++k) {
      std::vector<Input> inputs;
      station.take_inputs(inputs);
      submit(*real, std::move(inputs));
      real->step();
      station.see(*real);
      if (k % 5 == 0) station.beat(now, 0);
      station.take_sends([&](ChannelId, std::span<const std::byte> bytes) {
        if (!is_cut) companions.received(kChannel, bytes, now);
      });

      inputs.clear();
      companions.take_inputs(*mirror, inputs);
      for (Input& in : inputs) in.tick = mirror->tick(), given.push_back(in);
      submit(*mirror, std::move(inputs));
      mirror->step();
      hashes.push_back(mirror->hash());
      companions.want(*mirror);
      companions.beat(now);
      companions.take_sends([&](ChannelId, std::span<const std::byte> bytes) {
        if (!is_cut) station.received(kChannel, bytes, now, 0);
      });
      for (std::string& text : companions.take_reports()) reports.push_back(std::move(text));
      now += 0.01;
    }
  }
  double distance(std::size_t k) const {
    const Vec a = real->position_of(real->vehicles()[k]), b = mirror->position_of(mirror->vehicles()[k]);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
};

WorldDef standing(int n) {
  WorldDef def = test_flight::standing(n);
  def.environment = {};
  return def;
}

TEST(companions, behaviours_of_mirrors_fly_the_vehicles_of_another_world_and_land_them) {
  for (const bool has_origin : {false, true}) {
    WorldDef def = standing(3);
    if (has_origin) def.environment.weather.origin = OriginDef{47, 8, 400};
    TwoWorlds w(def);
    w.fly(35);
    const Vec leader = w.real->position_of(w.real->vehicles()[0]);
    EXPECT_NEAR(leader[0], 25, 1) << has_origin;
    EXPECT_NEAR(leader[1], 10, 1);
    EXPECT_NEAR(leader[2], 4, 0.5);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(w.distance(k), 0.1) << "a mirror is where its vehicle is";
      EXPECT_EQ(w.mirror->mode_of(w.mirror->vehicles()[k]), Mode::Mission);
      const Vec p = w.real->position_of(w.real->vehicles()[k]);
      const double behind = std::hypot(p[0] - leader[0], p[1] - leader[1]);
      if (k > 0) EXPECT_NEAR(behind, 4, 1) << "followers keep their places";
    }
    w.fly(20);
    for (const VehicleId id : w.real->vehicles()) EXPECT_EQ(w.real->mode_of(id), Mode::Disarmed);
    for (const VehicleId id : w.mirror->vehicles()) EXPECT_EQ(w.mirror->mode_of(id), Mode::Disarmed);
    EXPECT_TRUE(w.reports.empty()) << w.reports[0];
  }
}

TEST(companions, a_world_with_mirrors_flies_again_from_its_inputs_alone) {
  TwoWorlds w(standing(2));
  w.fly(20);
  const auto again = test::make(w.mirror->def());
  for (const Input& in : w.given) again->submit(in);
  for (const std::uint64_t hash : w.hashes) {
    again->step();
    ASSERT_EQ(again->hash(), hash) << "tick " << again->tick();
  }
  const VehicleId id = again->vehicles()[0];
  EXPECT_EQ(again->guidance_of(id), w.mirror->guidance_of(id)) << "behaviours decide again, and decide the same";
}

TEST(companions, a_mirror_whose_link_is_cut_grows_old_and_its_vehicle_holds) {
  TwoWorlds w(standing(1));
  w.fly(12);
  const VehicleId id = w.mirror->vehicles()[0];
  const auto age = [&] { return w.mirror->view("mirrors", "age").at(w.mirror->slot_of(id)); };
  EXPECT_LT(age(), 0.06);
  w.is_cut = true;
  w.fly(10);
  EXPECT_NEAR(age(), 10, 0.1);
  EXPECT_EQ(w.reports, (std::vector<std::string>{"mirrors[0]: nothing was heard of its autopilot for 3 s"}));
  const Vec v = w.real->velocity_of(w.real->vehicles()[0]);
  EXPECT_LT(std::hypot(v[0], v[1], v[2]), 0.2);
}

TEST(companions, a_system_without_a_mirror_is_reported_once) {
  TwoWorlds w(standing(2));
  w.companions.clear();
  w.fly(5);
  ASSERT_EQ(w.reports.size(), 2u);
  EXPECT_NE(w.reports[0].find("system 1 is heard, and no mirror"), std::string::npos);
}

TEST(companions, hold_instead_of_flying_on_while_their_world_stands_still) {
  TwoWorlds w(standing(1));
  w.fly(12);
  EXPECT_GT(w.real->velocity_of(w.real->vehicles()[0])[0], 1);
  for (int k = 0; k < 500; ++k) {  // only the other world goes on
    w.companions.want_hold();
    w.companions.beat(w.now);
    w.companions.take_sends([&](ChannelId, std::span<const std::byte> bytes) { w.station.received(kChannel, bytes, w.now, 0); });
    std::vector<Input> inputs;
    w.station.take_inputs(inputs);
    TwoWorlds::submit(*w.real, std::move(inputs));
    w.real->step();
    w.station.see(*w.real);
    if (k % 5 == 0) w.station.beat(w.now, 0);
    w.station.take_sends([&](ChannelId, std::span<const std::byte> bytes) { w.companions.received(kChannel, bytes, w.now); });
    w.now += 0.01;
  }
  const Vec v = w.real->velocity_of(w.real->vehicles()[0]);
  EXPECT_LT(std::hypot(v[0], v[1], v[2]), 0.2);
}

TEST(companions, count_frames_that_came_were_lost_and_refused_on_each_channel) {
  Companions companions(1, mavlink::Key{});
  companions.opened(kChannel, 0);
  mavlink::Writer writer(1, 1);
  mavlink::Bytes heard, lost;
  for (int k = 0; k < 3; ++k) writer.append(mavlink::Heartbeat{}, heard);
  for (int k = 0; k < 2; ++k) writer.append(mavlink::Heartbeat{}, lost);
  writer.append(mavlink::Heartbeat{}, heard);
  companions.received(kChannel, heard, 0);
  const FrameCounts f = companions.frames_of(kChannel);
  EXPECT_EQ(f.received, 4u);
  EXPECT_EQ(f.lost, 2u);
  EXPECT_EQ(f.refused, 4u) << "none is signed";
  EXPECT_EQ(companions.frames_of(kChannel + 1).received, 0u);
}

}  // namespace
}  // namespace volary::autopilot
