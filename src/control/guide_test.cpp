// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Curves against their own finite differences, and the modes that end by themselves.
#include "control/guide.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "vehicles/multirotor_test_support.hpp"

namespace volary {
namespace {

using control::CurvePoint;
using control::Flight;
using control::PathTable;
using control::Plan;
using math::Vec3;
using test::kG;
using Deck = test::Deck<test::QuadLadder, double>;

Plan<double> lissajous() {
  Plan<double> p{};
  p.amplitude = {3, 2, 0.5};
  p.rate = {0.7, 1.4, 0.9};
  p.phase = {0, 0.5, 1.2};
  p.ramp = 3;
  return p;
}

double gap(const Vec3<double>& a, const Vec3<double>& b) { return math::norm(a - b); }

// velocity, acceleration and jerk against central differences of the row above
void expect_derivatives(const std::function<CurvePoint<double>(double)>& curve, double t, bool with_jerk = true) {
  const double h = 1e-5;
  const CurvePoint<double> back = curve(t - h), now = curve(t), ahead = curve(t + h);
  const double s = 1 / (2 * h);
  EXPECT_LT(gap(s * (ahead.position - back.position), now.velocity), 1e-6) << t;
  EXPECT_LT(gap(s * (ahead.velocity - back.velocity), now.acceleration), 1e-6) << t;
  if (with_jerk) {
    EXPECT_LT(gap(s * (ahead.acceleration - back.acceleration), now.jerk), 1e-6) << t;
  }
}

// ---------------------------------------------------------------- harmonic curves

TEST(guide, derivatives_of_a_harmonic_curve_are_its_slopes_while_it_starts_and_after) {
  const Plan<double> p = lissajous();
  for (double t : {0.05, 0.4, 1.0, 1.5, 2.2, 2.95, 3.05, 4.0, 17.3}) expect_derivatives([&](double x) { return control::harmonic_point(p, x); }, t);
}

TEST(guide, a_harmonic_curve_starts_at_rest_and_is_smooth_where_its_ramp_ends) {
  const Plan<double> p = lissajous();
  const CurvePoint<double> start = control::harmonic_point(p, 0.0);
  EXPECT_EQ(math::norm(start.velocity), 0);
  EXPECT_EQ(math::norm(start.acceleration), 0);
  EXPECT_EQ(math::norm(start.jerk), 0);
  EXPECT_LT(gap(start.position, {0, 2 * std::sin(0.5), 0.5 * std::sin(1.2)}), 1e-15);
  const CurvePoint<double> before = control::harmonic_point(p, 3 - 1e-9), after = control::harmonic_point(p, 3 + 1e-9);
  EXPECT_LT(gap(before.position, after.position), 1e-7);
  EXPECT_LT(gap(before.velocity, after.velocity), 1e-7);
  EXPECT_LT(gap(before.acceleration, after.acceleration), 1e-6);
  EXPECT_LT(gap(before.jerk, after.jerk), 1e-6);
}

TEST(guide, after_its_ramp_a_harmonic_curve_is_a_sine_of_time) {
  const Plan<double> p = lissajous();
  for (double t : {3.0, 5.0, 40.0}) {
    const CurvePoint<double> c = control::harmonic_point(p, t);
    const double s = t - 1.5;  // half of the ramp is lost
    EXPECT_NEAR(c.position.y, 2 * std::sin(1.4 * s + 0.5), 1e-12);
    EXPECT_NEAR(c.velocity.y, 2.8 * std::cos(1.4 * s + 0.5), 1e-12);
    EXPECT_NEAR(c.acceleration.x, -3 * 0.49 * std::sin(0.7 * s), 1e-12);
    EXPECT_NEAR(c.jerk.z, -0.5 * 0.729 * std::cos(0.9 * s + 1.2), 1e-12);
  }
}

TEST(guide, a_curve_that_has_not_started_waits_at_its_first_point) {
  const Plan<double> p = lissajous();
  const CurvePoint<double> early = control::harmonic_point(p, -5.0), start = control::harmonic_point(p, 0.0);
  EXPECT_EQ(gap(early.position, start.position), 0);
  EXPECT_EQ(math::norm(early.velocity), 0);
}

// ---------------------------------------------------------------- polynomial paths

// pieces of 2 s, 1 s and 3 s; x is the same straight line in all of them, y and z are anything
struct Table {
  std::vector<double> headers, pieces;
  explicit Table(bool loop) {
    const double durations[3] = {2, 1, 3};
    double begin = 0;
    for (int k = 0; k < 3; ++k) {
      pieces.push_back(durations[k]);
      const double x[8] = {begin, 1, 0, 0, 0, 0, 0, 0}, y[8] = {0.1 * k, 0.3, -0.2, 0.05, 0.4, -0.03, 0.02, -0.001}, z[8] = {double(k), 0, 0, 0, 0, 0, 0, 0.5};
      for (const auto* c : {x, y, z}) pieces.insert(pieces.end(), c, c + 8);
      begin += durations[k];
    }
    headers = {0, 0, 0, 0, 0, 3, loop ? 1.0 : 0.0, 6};  // path 1; path 0 is empty
  }
  PathTable<double> view() const { return {headers.data(), pieces.data()}; }
};
Plan<double> on_path() {
  Plan<double> p{};
  p.path = 2;  // 1 + index
  return p;
}

TEST(guide, a_path_is_in_the_piece_that_its_time_falls_in) {
  const Table table(false);
  const double* first = table.pieces.data();
  for (const auto& [t, piece, inside] : {std::tuple{0.0, 0, 0.0}, {1.99, 0, 1.99}, {2.0, 1, 0.0}, {2.5, 1, 0.5}, {3.0, 2, 0.0}, {5.5, 2, 2.5}}) {
    const auto at = control::find_piece(table.view(), 1, t);
    EXPECT_EQ((at.piece - first) / control::kPathPiece, piece) << t;
    EXPECT_NEAR(at.inside, inside, 1e-12) << t;
    EXPECT_NEAR(control::curve_point(table.view(), on_path(), t).position.x, t, 1e-12) << t;
    EXPECT_NEAR(control::curve_point(table.view(), on_path(), t).position.z, piece + 0.5 * std::pow(inside, 7), 1e-9) << t;
  }
}

TEST(guide, a_path_that_does_not_loop_holds_its_end_and_waits_at_its_start) {
  const Table table(false);
  EXPECT_NEAR(control::curve_point(table.view(), on_path(), 6.0).position.x, 6, 1e-12);
  EXPECT_NEAR(control::curve_point(table.view(), on_path(), 100.0).position.x, 6, 1e-12);
  EXPECT_EQ(control::curve_point(table.view(), on_path(), -3.0).position.x, 0);
}

TEST(guide, a_path_that_loops_begins_again) {
  const Table table(true);
  for (double t : {0.5, 2.5, 5.9})
    for (int lap : {1, 7, 1000}) EXPECT_NEAR(control::curve_point(table.view(), on_path(), t + 6 * lap).position.x, t, 1e-9) << t << " " << lap;
}

TEST(guide, derivatives_of_a_path_are_its_slopes) {
  const Table table(false);
  for (double t : {0.3, 1.2, 2.4, 3.7, 5.0}) expect_derivatives([&](double x) { return control::curve_point(table.view(), on_path(), x); }, t);
}

// ---------------------------------------------------------------- blending into a mission

TEST(guide, a_mission_begins_where_it_was_entered_and_ends_up_on_its_curve) {
  Plan<double> p = lissajous();
  p.centre_W.value = {10, -4, 6};
  p.delay = 1;
  control::GuideParams<double> g{};
  g.cruise = 2;
  const math::Position<double> here = {{1, 2, 3}, {0, 0, 0}};
  control::plan_blend(p, here, true, g, PathTable<double>{});
  const auto mission = [&](double t) { return control::mission_point(PathTable<double>{}, p, t, true); };
  EXPECT_LT(gap(p.centre_W.value + mission(0).position, here.value), 1e-12);
  EXPECT_EQ(math::norm(mission(0).velocity), 0);
  EXPECT_EQ(math::norm(mission(0).acceleration), 0);
  const double later = p.blend_time + 5;
  EXPECT_LT(gap(mission(later).position, control::harmonic_point(p, later - 1).position), 1e-12);
  for (double t : {0.2, 0.9, 1.1, 2.0, p.blend_time - 0.1, p.blend_time + 0.1}) expect_derivatives(mission, t, t > p.blend_time);
  double fastest = 0;
  p.amplitude = {0, 0, 0};
  for (double t = 0; t < p.blend_time; t += 0.01) fastest = std::max(fastest, math::norm(mission(t).velocity));
  EXPECT_NEAR(fastest, g.cruise, 0.01);
}

TEST(guide, yaw_along_the_velocity_turns_at_the_rate_of_the_velocity) {
  Plan<double> p{};
  p.amplitude = {2, 2, 0}, p.rate = {0.8, 0.8, 0}, p.phase = {1.5707963267948966, 0, 0}, p.ramp = 1, p.face_forward = 1;
  control::Setpoint<double, 4> sp{};
  const CurvePoint<double> c = control::harmonic_point(p, 4.0);
  sp.velocity_W = c.velocity, sp.acceleration_W = c.acceleration;
  control::face_forward<double>(sp, p, true);
  EXPECT_NEAR(sp.yaw, std::atan2(c.velocity.y, c.velocity.x), 1e-12);
  EXPECT_NEAR(sp.yaw_rate, 0.8, 1e-9);
  sp.velocity_W = {0.1, 0.1, 0}, sp.yaw = 0.25;  // too slow to have a direction
  control::face_forward<double>(sp, p, true);
  EXPECT_EQ(sp.yaw, 0.25);
}

// ---------------------------------------------------------------- a pace of its own

struct Follower {
  Plan<double> plan{};
  control::Reference<double> sp{};
  control::GuideParams<double> g{};
  control::Whereabouts<double> x{};
  std::uint64_t status = control::kAlive | static_cast<std::uint32_t>(Flight::Mission);
  const Table table{false};

  void guide() { control::guide<double>(status, plan, sp, x, g, table.view()); }
};

TEST(guide, a_mission_waits_for_a_vehicle_with_a_pace_of_its_own) {
  // it makes 60 % of the path's speed
  Follower f;
  f.plan = on_path();
  f.g.tick = 0.01, f.g.own_pace = 1;
  f.guide();
  f.x.position_W = f.sp.position_W;
  for (int k = 0; k < 150; ++k) {
    f.guide();
    f.x.velocity_W = 0.6 * f.sp.velocity_W;
    EXPECT_NEAR(f.sp.position_W.value.x, 0.006 * k, 0.02) << k;  // the path makes 1 m/s along x
    f.x.position_W = math::advance(f.x.position_W, 0.01 * f.x.velocity_W);
  }
  f.x.velocity_W = -1 * f.x.velocity_W;  // turned back: the reference stands where it is
  const double reached = f.sp.position_W.value.x;
  for (int k = 0; k < 100; ++k) f.guide();
  EXPECT_NEAR(f.sp.position_W.value.x, reached, 0.02);
}

// from 300 m beside and 20 m below where the path begins, which goes along x; it flies where it is told to
TEST(guide, wings_fly_straight_to_where_their_mission_begins_and_start_its_clock_there) {
  Follower f;
  f.plan = on_path();
  f.plan.centre_W.value = {1000, 0, 50};
  f.g = {0.01, 30, 2, 1, 20, 10, 0.3, 1, 1};
  f.x.position_W.value = {1000, 300, 30};
  control::plan_blend(f.plan, f.x.position_W, true, f.g, f.table.view());
  const Vec3<double> start = f.plan.centre_W.value + control::curve_point(f.table.view(), f.plan, 0.0).position;
  double nearest = 1e9, seconds = 0;
  for (; f.plan.mode_ticks == 0 && seconds < 100; seconds += 0.01) {
    f.guide();
    EXPECT_NEAR(f.sp.position_W.value.x, start.x, 1e-9);
    if (f.plan.mode_ticks == 0) {
      EXPECT_EQ(math::norm(f.sp.acceleration_W), 0);
    }
    f.x.velocity_W = f.sp.velocity_W;
    f.x.position_W = math::advance(f.x.position_W, 0.01 * f.x.velocity_W);
    nearest = std::min(nearest, gap(f.x.position_W.value, start));
  }
  EXPECT_NEAR(seconds, 300.0 / 20, 0.1);
  EXPECT_LT(nearest, 0.3);

  // too steep for it: as steep as it may, and not a word of it later
  f.plan.mode_ticks = 0;
  f.x.position_W.value = {1000, 300, -200};
  control::plan_blend(f.plan, f.x.position_W, true, f.g, f.table.view());
  f.guide();
  EXPECT_NEAR(f.sp.velocity_W.z, 2, 1e-9);
  EXPECT_NEAR(f.sp.position_W.value.z, start.z - 0.1 * (300 + start.y), 1e-6);
}

TEST(guide, wings_that_begin_on_their_mission_do_not_wait) {
  Follower f;
  f.plan = on_path();
  f.g = {0.01, 30, 2, 1, 20, 10, 0.3, 1, 1};
  f.x.position_W.value = f.plan.centre_W.value + control::curve_point(f.table.view(), f.plan, 0.0).position;
  control::plan_blend(f.plan, f.x.position_W, true, f.g, f.table.view());
  f.guide();
  EXPECT_GT(f.plan.mode_ticks, 0);
}

TEST(guide, wings_climb_and_come_down_straight_ahead_and_hold_on_a_circle) {
  Follower f;
  f.g = {0.01, 30, 2, 1, 20, 10, 0.3, 1, 1};
  f.plan.anchor_yaw = 1.5707963267948966;  // north
  f.x.position_W.value = {3, 200, 5};
  const auto in = [&](Flight mode) {
    return control::kAlive | static_cast<std::uint32_t>(mode) | (static_cast<std::uint32_t>(Flight::Hold) << control::kNextShift);
  };
  f.status = in(Flight::Land);
  f.guide();  // 200 m along the line at 1 in 20
  EXPECT_EQ(f.sp.level, 6u);
  EXPECT_LT(gap(f.sp.position_W.value, {0, 200, -10}), 1e-9);
  EXPECT_LT(gap(f.sp.velocity_W, {0, 20, -1}), 1e-9);
  f.status = in(Flight::TakeOff);
  f.guide();
  EXPECT_EQ(f.sp.level, 4u);
  EXPECT_LT(gap(f.sp.velocity_W, {0, 20, 2}), 1e-9);
  f.x.position_W.value.z = 31;  // high enough: it holds where it is
  f.guide();
  f.guide();
  EXPECT_EQ(f.status, in(Flight::Hold) & ~(0xfu << control::kNextShift));
  EXPECT_EQ(f.sp.level, 5u);
  EXPECT_LT(gap(f.sp.position_W.value, {3, 200, 31}), 1e-9);
}

// ---------------------------------------------------------------- modes, flown

Deck parked() {
  VehicleDef start;
  start.position_W = {2, 3, 0};
  start.mode = Mode::Disarmed;
  start.centre_W = {4, 3, 2};
  start.harmonic.amplitude = {1, 1, 0.2};
  start.harmonic.rate = {0.8, 0.8, 1.6};
  start.harmonic.phase = {1.5707963267948966, 0, 0};
  return Deck(test::x500(), start);
}
Flight mode_of(const Deck& d) { return static_cast<Flight>(d.agent.status & control::kModeMask); }

TEST(guide, take_off_climbs_to_its_height_and_holds_there) {
  Deck deck = parked();
  const auto ground = test::where(deck.agent.body);
  deck.enter(Mode::Hold);
  EXPECT_EQ(mode_of(deck), Flight::TakeOff);
  deck.fly(20);
  EXPECT_EQ(mode_of(deck), Flight::Hold);
  EXPECT_NEAR(test::where(deck.agent.body)[2], ground[2] + 1.5, 0.02);
  EXPECT_LT(test::distance(test::where(deck.agent.body), {ground[0], ground[1], ground[2] + 1.5}), 0.03);
  EXPECT_LT(math::norm(deck.agent.body.velocity_W), 0.01);
  deck.enter(Mode::TakeOff);  // asked for by name: holds afterwards too
  deck.fly(10);
  EXPECT_EQ(mode_of(deck), Flight::Hold);
}

TEST(guide, take_off_then_mission_is_continuous_in_position_and_velocity) {
  Deck deck = parked();
  deck.enter(Mode::Mission);
  ASSERT_EQ(mode_of(deck), Flight::TakeOff);
  deck.tick();
  bool was_on_mission = false;
  double farthest = 0;
  for (int k = 0; k < 2500; ++k) {
    const auto before = deck.agent.setpoint;
    const auto is = test::where(deck.agent.body);
    deck.tick();
    const auto& now = deck.agent.setpoint;
    const Vec3<double> moved = now.position_W - before.position_W, mean = 0.5 * (now.velocity_W + before.velocity_W);
    ASSERT_LT(gap(moved, 0.01 * mean), 2e-5) << "tick " << k;                    // position follows velocity
    ASSERT_LT(gap(now.velocity_W, before.velocity_W), 0.01 * 4) << "tick " << k;  // velocity changes by less than 4 m/s2
    was_on_mission = was_on_mission || mode_of(deck) == Flight::Mission;
    farthest = std::max(farthest, test::distance(is, test::where(now.position_W)));
  }
  EXPECT_TRUE(was_on_mission);
  EXPECT_EQ(mode_of(deck), Flight::Mission);
  EXPECT_LT(farthest, 0.3);  // and a vehicle can follow it
  const Plan<double>& p = deck.plan;
  const CurvePoint<double> curve = control::harmonic_point(p, (p.mode_ticks - 1) * 0.01);
  EXPECT_LT(gap(deck.agent.setpoint.position_W.value, p.centre_W.value + curve.position), 1e-9);  // blended in completely
}

TEST(guide, landing_disarms_after_touching_and_the_vehicle_rests) {
  Deck deck = parked();
  const auto ground = test::where(deck.agent.body);
  deck.enter(Mode::Hold);
  deck.fly(15);
  deck.enter(Mode::Land);
  int ticks = 0;
  double first_touch = -1;
  while (mode_of(deck) == Flight::Land && ticks < 3000) {
    deck.tick();
    ++ticks;
    if (first_touch < 0 && deck.agent.air.ground_force > deck.p.guide.touch_force) first_touch = ticks * 0.01;
  }
  ASSERT_EQ(mode_of(deck), Flight::Disarmed);
  EXPECT_GT(first_touch, 1);
  EXPECT_GT(ticks * 0.01, first_touch + 0.25);  // not at the first bump
  EXPECT_NEAR(ticks * 0.01, 1.5 / deck.p.guide.descend, 2);
  deck.fly(3);
  for (double w : deck.agent.rotors.speed) EXPECT_LT(w, 1e-9);
  EXPECT_NEAR(test::where(deck.agent.body)[2], ground[2], 1e-3);
  EXPECT_LT(std::hypot(test::where(deck.agent.body)[0] - ground[0], test::where(deck.agent.body)[1] - ground[1]), 0.1);
}

TEST(guide, a_vehicle_that_a_gust_carried_off_lands_at_the_place_that_it_held) {
  Deck deck = parked();
  const auto ground = test::where(deck.agent.body);
  deck.enter(Mode::Hold);
  deck.fly(15);
  deck.agent.body.position_W.value.x += 0.3, deck.agent.body.position_W.value.z += 0.1;
  const double height = deck.agent.body.position_W.value.z;
  deck.enter(Mode::Land);
  EXPECT_EQ(deck.plan.anchor_W.value.z, height);  // it comes down from where it is
  deck.fly(12);
  ASSERT_EQ(mode_of(deck), Flight::Disarmed);
  EXPECT_LT(std::hypot(test::where(deck.agent.body)[0] - ground[0], test::where(deck.agent.body)[1] - ground[1]), 0.1);
}

TEST(guide, a_vehicle_far_from_its_reference_or_with_one_that_moves_lands_where_it_is) {
  Deck deck = parked();
  deck.enter(Mode::Hold);
  deck.fly(15);
  const auto lands_below_itself = [](Deck d) {
    d.enter(Mode::Land);
    return gap(d.plan.anchor_W.value, d.agent.body.position_W.value) == 0;
  };
  Deck near = deck, aside = deck, moving = deck, by_velocity = deck, on_mission = deck;
  near.agent.body.position_W.value.y += 0.3;
  EXPECT_FALSE(lands_below_itself(near));
  aside.agent.body.position_W.value.y += 0.5;  // a third of its height
  EXPECT_TRUE(lands_below_itself(aside));
  moving.agent.setpoint.velocity_W = {0.6, 0, 0};
  EXPECT_TRUE(lands_below_itself(moving));
  by_velocity.enter(Mode::Armed);
  by_velocity.agent.setpoint.level = static_cast<std::uint64_t>(ControlLevel::Velocity);
  EXPECT_TRUE(lands_below_itself(by_velocity));
  on_mission.enter(Mode::Mission);
  on_mission.fly(9);
  ASSERT_GT(math::norm(on_mission.agent.setpoint.velocity_W), 0.5);
  EXPECT_TRUE(lands_below_itself(on_mission));
}

// in a register others may be guided: a lane that is not keeps every bit, as it would alone
TEST(guide, nothing_changes_for_who_is_not_guided) {
  Deck deck = parked();
  for (const Flight mode : {Flight::Disarmed, Flight::Armed, Flight::EmergencyStop}) {
    auto status = static_cast<math::Bits<double>>(control::kAlive | static_cast<std::uint32_t>(mode));
    const auto status_before = status;
    Plan<double> plan = lissajous();
    plan.mode_ticks = 12, plan.touch_ticks = 31;
    control::Reference<double> sp{};
    sp.position_W.value = {7, 8, 9};
    const Plan<double> plan_before = plan;
    const control::Reference<double> sp_before = sp;
    control::guide<double>(status, plan, sp, {{{1, 2, 3}, {0, 0, 0}}, {4, 5, 6}, 1e6}, deck.p.guide, deck.table);
    EXPECT_EQ(status, status_before);
    EXPECT_EQ(std::memcmp(&plan, &plan_before, sizeof plan), 0);
    EXPECT_EQ(std::memcmp(&sp, &sp_before, sizeof sp), 0);
  }
}

TEST(guide, a_landed_vehicle_takes_off_again) {
  Deck deck = parked();
  deck.enter(Mode::Hold);
  deck.fly(10);
  deck.enter(Mode::Land);
  deck.fly(12);
  ASSERT_EQ(mode_of(deck), Flight::Disarmed);
  deck.enter(Mode::Mission);
  EXPECT_EQ(mode_of(deck), Flight::TakeOff);
  deck.fly(15);
  EXPECT_EQ(mode_of(deck), Flight::Mission);
}

TEST(guide, nobody_guides_an_armed_vehicle) {
  Deck deck = parked();
  deck.enter(Mode::Armed);
  deck.agent.setpoint.position_W.value = {7, 8, 9};
  const auto level = deck.agent.setpoint.level;
  deck.fly(1);
  EXPECT_EQ(deck.agent.setpoint.position_W.value.x, 7);
  EXPECT_EQ(deck.agent.setpoint.level, level);
  EXPECT_NEAR(deck.agent.rotors.speed[0], test::x500().motor.speed_min, 1e-6);
}

}  // namespace
}  // namespace volary
