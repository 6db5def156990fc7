// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The platforms of assets/vehicles in a world: they take off, keep poses and land, give way to pushes, and have one answer on any number of lanes and threads.
#include <cmath>
#include <memory>

#include "engine/engine_test_support.hpp"
#include "math/euler.hpp"
#include "scenario/airframe.hpp"

namespace volary {
namespace {

using test::make;

constexpr double kDegree = 3.14159265358979323846 / 180;

Airframe platform(const std::string& name) { return scenario::load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml").value(); }

WorldDef world_of(const std::string& name, const VehicleDef& vehicle, int n = 1) {
  WorldDef w;
  w.name = "platforms";
  w.tick_ns = 5'000'000;
  w.precision = Precision::Double;
  FlockDef f;
  f.name = "rigs";
  f.airframe = platform(name);
  f.take_off_height = 2;
  for (int i = 0; i < n; ++i) {
    VehicleDef v = vehicle;
    v.position_W[0] += 4.0 * (i % 6), v.position_W[1] += 4.0 * (i / 6);
    v.centre_W = v.position_W;
    v.yaw += 0.3 * i;
    f.vehicles.push_back(v);
  }
  w.flocks.push_back(f);
  return w;
}
VehicleDef holding() { return {.position_W = {0, 0, 3}, .mode = Mode::Hold}; }

math::EulerAngles<double> angles_of(const World& w, const char* column = "attitude") {
  const View q = w.view("rigs", column);
  return math::euler_from_quat(math::Quat<double>{q.at(0, 0), q.at(0, 1), q.at(0, 2), q.at(0, 3)});
}
double value(const World& w, const char* column, std::size_t k) { return w.view("rigs", column).at(0, k); }
double distance(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(platform_world, every_shipped_platform_takes_off_holds_and_lands) {
  for (const char* name : {"three_star", "three_square", "two_line", "three_line"}) {
    auto w = make(world_of(name, {.mode = Mode::Disarmed}));
    const VehicleId id = w->vehicles()[0];
    w->step(200);
    const Vec start = w->position_of(id);
    w->submit({.target = id, .payload = SetMode{Mode::Hold}});
    w->step(3600);
    EXPECT_LT(distance(w->position_of(id), {start[0], start[1], start[2] + 2}), 0.1) << name;
    EXPECT_EQ(w->mode_of(id), Mode::Hold) << name;
    w->submit({.target = id, .payload = SetMode{Mode::Land}});
    w->step(4000);
    EXPECT_EQ(w->mode_of(id), Mode::Disarmed) << name;
    EXPECT_LT(distance(w->position_of(id), start), 0.1) << name;
    EXPECT_FALSE(w->has_crashed(id)) << name;
  }
}

TEST(platform_world, three_aircraft_off_a_line_hold_any_small_tilt_in_place) {
  for (const char* name : {"three_star", "three_square"}) {
    auto w = make(world_of(name, holding()));
    const VehicleId id = w->vehicles()[0];
    w->submit({.target = id, .payload = SetPose{.position_W = {0.5, 0, 3}, .roll = 10 * kDegree, .pitch = -12 * kDegree, .yaw = 60 * kDegree}});
    w->step(8000);
    const auto a = angles_of(*w);
    EXPECT_NEAR(a.roll, 10 * kDegree, 0.5 * kDegree) << name;
    EXPECT_NEAR(a.pitch, -12 * kDegree, 0.5 * kDegree) << name;
    EXPECT_NEAR(a.yaw, 60 * kDegree, 0.5 * kDegree) << name;
    EXPECT_LT(distance(w->position_of(id), {0.5, 0, 3}), 0.03) << name;
  }
}

TEST(platform_world, aircraft_in_a_row_hold_pitch_and_yaw_and_leave_the_roll_to_itself) {
  for (const char* name : {"two_line", "three_line"}) {
    auto w = make(world_of(name, holding()));
    w->submit({.target = w->vehicles()[0], .payload = SetPose{.position_W = {0, 0, 3}, .roll = 20 * kDegree, .pitch = 10 * kDegree, .yaw = 30 * kDegree}});
    w->step(12000);
    const auto a = angles_of(*w);
    EXPECT_NEAR(a.roll, 0, 1 * kDegree) << name << ": nothing turns it about its line";
    EXPECT_NEAR(a.pitch, 10 * kDegree, 0.5 * kDegree) << name;
    EXPECT_NEAR(a.yaw, 30 * kDegree, 0.5 * kDegree) << name;
  }
}

TEST(platform_world, keeps_level_on_a_circle_by_the_tilt_of_its_aircraft) {
  VehicleDef v = holding();
  v.mode = Mode::Mission;
  v.harmonic.amplitude = {1, 1, 0}, v.harmonic.rate = {0.8, 0.8, 0}, v.harmonic.phase = {1.5707963267948966, 0, 0};
  auto w = make(world_of("three_star", v));
  double tilt = 0, of_aircraft = 0;
  for (int k = 0; k < 6000; ++k) {
    w->step();
    if (k < 2000) continue;
    tilt = std::max({tilt, std::abs(angles_of(*w).roll), std::abs(angles_of(*w).pitch)});
    of_aircraft = std::max(of_aircraft, std::abs(angles_of(*w, "part1.attitude").roll));
  }
  EXPECT_LT(tilt, 1 * kDegree);
  EXPECT_GT(of_aircraft, 3 * kDegree) << "0.64 m/s2 takes 3.7 degrees";
}

TEST(platform_world, turns_on_its_mission_as_it_is_told) {
  VehicleDef v = holding();
  v.mode = Mode::Mission;
  v.turning.amplitude = {0, 0.2, 0.3}, v.turning.rate = {0, 0.5, 0.4};
  auto w = make(world_of("three_star", v));
  double pitch = 0, left = 0;
  for (int k = 0; k < 6000; ++k) {
    w->step();
    pitch = std::max(pitch, std::abs(angles_of(*w).pitch));
    left = std::max(left, angles_of(*w).yaw);
    EXPECT_LT(std::abs(value(*w, "pose_error", 4)), 0.03);
  }
  EXPECT_NEAR(pitch, 0.2, 0.01);
  EXPECT_NEAR(left, 0.3, 0.02);
}

TEST(platform_world, follows_angles_along_straight_lines_in_time) {
  VehicleDef v = holding();
  v.mode = Mode::Mission;
  v.turning.path = 0;
  WorldDef def = world_of("three_star", v);
  Path to_and_fro;
  for (const double slope : {0.05, -0.05}) {
    PathPiece piece;
    piece.duration = 8;
    piece.coefficient[2][0] = slope > 0 ? 0 : 0.4, piece.coefficient[2][1] = slope;
    to_and_fro.pieces.push_back(piece);
  }
  to_and_fro.loop = true;
  def.paths.push_back(to_and_fro);
  auto w = make(def);
  w->step(1600);
  EXPECT_NEAR(angles_of(*w).yaw, 0.4, 0.03);
  w->step(1600);
  EXPECT_NEAR(angles_of(*w).yaw, 0, 0.03);
}

TEST(platform_world, the_observer_finds_a_push_from_outside) {
  auto w = make(world_of("three_star", holding()));
  w->step(400);
  w->submit({.target = w->vehicles()[0], .payload = SetWrench{.force_W = {3, -1, 0}, .torque_B = {0, 0.4, 0.3}}});
  w->step(3000);
  EXPECT_LT(distance(w->position_of(w->vehicles()[0]), {0, 0, 3}), 0.02) << "and pose control makes good for it";
  EXPECT_NEAR(value(*w, "wrench_estimate", 0), 3, 0.1);
  EXPECT_NEAR(value(*w, "wrench_estimate", 1), -1, 0.1);
  EXPECT_NEAR(value(*w, "wrench_estimate", 5), 0.3, 0.05);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(value(*w, "wrench_felt", k), value(*w, "wrench", k), 0.02) << "filtered " << k;
}

TEST(platform_world, gives_way_to_a_push_as_a_spring_and_comes_back) {
  auto w = make(world_of("three_star", holding()));
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetReaction{Reaction::Yield}});
  w->step(200);
  w->submit({.target = id, .payload = SetWrench{.force_W = {4, 0, 0}}});
  w->step(6000);
  EXPECT_NEAR(value(*w, "yield", 0), 4.0 / 20, 0.002) << "stiffness 20 N/m";
  w->submit({.target = id, .payload = SetWrench{}});
  w->step(6000);
  EXPECT_LT(distance(w->position_of(id), {0, 0, 3}), 0.05);
}

TEST(platform_world, a_wall_of_springs_is_pressed_with_the_force_that_is_wanted) {
  // the wall pushes at the centre of mass, 57 mm above the origin about which a torque is told
  for (const double stiffness : {30.0, 300.0, 1000.0}) {
    auto w = make(world_of("three_star", holding()));
    const VehicleId id = w->vehicles()[0];
    w->submit({.target = id, .payload = SetReaction{Reaction::Press, {-4, 0, 0}, {0, -4 * 0.0569492, 0}}});
    double last = 0;
    for (int k = 0; k < 8000; ++k) {
      const double depth = w->position_of(id)[0], rate = w->velocity_of(id)[0];  // the wall begins where the platform is
      last = depth > 0 ? std::min(0.0, -stiffness * depth - 10 * rate) : 0;
      w->submit({.target = id, .payload = SetWrench{.force_W = {last, 0, 0}}});
      w->step();
    }
    EXPECT_NEAR(last, -4, 0.2) << stiffness << " N/m";
  }
}

TEST(platform_world, makes_good_what_pushes_it_after_it_was_told_a_pose) {
  auto w = make(world_of("three_star", holding()));
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetPose{.position_W = {0.5, 0, 3}}});
  w->submit({.target = id, .payload = SetWrench{.force_W = {0, 3, 0}}});
  w->step(4000);
  EXPECT_LT(distance(w->position_of(id), {0.5, 0, 3}), 0.02) << "without its integral it would give way by 0.4 m";
}

TEST(platform_world, without_rotors_it_falls_and_crashes) {
  WorldDef def = world_of("three_star", {.position_W = {0, 0, 40}, .mode = Mode::Hold});
  def.flocks[0].node.contact.policy = ContactPolicy::Crash;
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetMode{Mode::EmergencyStop}});
  w->step(1200);
  EXPECT_TRUE(w->has_crashed(id));
}

TEST(platform_world, a_pose_is_for_platforms_only) {
  auto w = make(test::circling(1));
  w->submit({.target = w->vehicles()[0], .payload = SetPose{}});
  w->step();
  const auto events = w->take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NE(events[0].what.find("refused: pose"), std::string::npos) << events[0].what;
}

TEST(platform_world, gives_the_same_bits_on_any_threads_and_lanes_and_after_a_branch) {
  for (const Precision precision : {Precision::Float, Precision::Double})
    for (const char* name : {"two_line", "three_star"}) {
      VehicleDef v = holding();
      v.mode = Mode::Mission;
      v.harmonic.amplitude = {1, 1, 0.2}, v.harmonic.rate = {0.8, 0.8, 0.5};
      v.turning.amplitude = {0.1, 0.1, 0.2}, v.turning.rate = {0.5, 0.6, 0.7};
      WorldDef def = world_of(name, v, 37);
      def.precision = precision;
      def.environment.wind_W = {2, 1, 0};
      def.environment.gust_sigma = 0.5;
      std::uint64_t expected = 0;
      for (const int lanes : available_lanes())
        for (const int threads : {1, 3}) {
          auto w = make(def, {.threads = threads, .lanes = lanes, .force_split = threads > 1});
          w->submit({.tick = 20, .target = w->vehicles()[5], .payload = SetWrench{.force_W = {2, 0, -1}}});
          w->submit({.tick = 30, .target = w->vehicles()[7], .payload = SetReaction{Reaction::Yield}});
          w->submit({.tick = 30, .target = w->vehicles()[20], .payload = SetMode{Mode::EmergencyStop}});
          w->step(100);
          auto branch = w->branch({});
          w->step(60);
          if (expected == 0) expected = w->hash();
          EXPECT_EQ(w->hash(), expected) << name << ", " << lanes << " lanes, " << threads << " threads";
          branch->step(60);
          EXPECT_EQ(branch->hash(), expected) << "a branch";
        }
    }
}

}  // namespace
}  // namespace volary
