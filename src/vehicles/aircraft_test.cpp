// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/aircraft_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "vehicles/aircraft_test_support.hpp"

namespace volary::inline VOLARY_ISA::vehicles {
namespace {

using test::aerosonde;
using test::in_the_air;
using test::Plane;

TEST(aircraft, trimmed_it_flies_straight_and_level_with_nobody_at_the_controls) {
  Plane f(aerosonde(), in_the_air());
  const Trim t = trim_level<AircraftVariant<1, AeroForm::Linear>>(25, 1.225, f.p, nullptr);
  ASSERT_TRUE(t.found);
  // lift carries the weight but for the part of the thrust; by hand: CL = 2 m g / (rho V2 S) = 0.51 at about 3 degrees
  EXPECT_NEAR(t.lift, 11 * 9.80665, 2);
  EXPECT_NEAR(t.alpha, 0.053, 0.01);
  EXPECT_NEAR(t.drag, 0.5 * 1.225 * 625 * 0.55 * (0.043 + 0.0232 * 0.51 * 0.51), 0.5);
  f.enter(Mode::Armed);
  f.agent.setpoint.level = 0;
  f.agent.setpoint.motor_speed[0] = t.speed, f.agent.setpoint.motor_speed[2] = t.elevator;
  f.agent.rotor_speed[0] = t.speed, f.agent.servo[1] = t.elevator;
  f.agent.body.q_WB = {std::cos(t.alpha / 2), 0, -std::sin(t.alpha / 2), 0};
  f.fly(5);
  // but for what the torque of the propeller does
  EXPECT_NEAR(f.agent.body.position_W.value.z, 200, 0.6);
  EXPECT_NEAR(norm(f.agent.body.velocity_W), 25, 0.2);
}

TEST(aircraft, its_controllers_hold_height_and_airspeed_on_a_loiter) {
  Plane f(aerosonde(), in_the_air());
  f.enter(Mode::Hold);
  f.fly(60);
  double low = 1e9, high = 0, far = 0, near = 1e9;
  f.fly(120, [&] {
    const auto p = f.agent.body.position_W.value;
    low = std::min(low, p.z), high = std::max(high, p.z);
    const double r = std::hypot(p.x, p.y);
    far = std::max(far, r), near = std::min(near, r);
    EXPECT_NEAR(f.seen().airspeed, 25, 1.0);
  });
  EXPECT_NEAR(low, 200, 1.5);
  EXPECT_NEAR(high, 200, 1.5);
  EXPECT_NEAR(near, f.p.wing.loiter_radius, 3);
  EXPECT_NEAR(far, f.p.wing.loiter_radius, 3);
}

TEST(aircraft, a_wanted_attitude_is_reached_and_held) {
  Plane f(aerosonde(), in_the_air(1000));
  f.enter(Mode::Armed);
  f.agent.setpoint.level = static_cast<std::uint64_t>(ControlLevel::Attitude);
  const double roll = 0.5;
  f.agent.setpoint.q_WB = {std::cos(roll / 2), std::sin(roll / 2), 0, 0};
  f.fly(6);
  EXPECT_NEAR(f.seen().roll, roll, 0.05);
  EXPECT_NEAR(f.seen().pitch, 0, 0.05);
  // and turns to the right, as fast as the bank says
  const double heading = f.seen().heading;
  f.fly(2);
  const double turned = math::sin(heading - f.seen().heading);
  EXPECT_NEAR(turned, math::sin(2 * 9.80665 * math::tan(roll) / f.seen().airspeed), 0.1);
}

TEST(aircraft, takes_off_from_its_wheels_and_lands_on_them) {
  engine::FlockSetup setup;
  setup.take_off_height = 40;
  VehicleDef start;
  start.mode = Mode::Disarmed;
  Plane f(aerosonde(), start, setup);
  const double rest = f.agent.body.position_W.value.z;
  f.fly(2);
  EXPECT_NEAR(f.agent.body.position_W.value.z, rest, 0.01);  // it stands
  EXPECT_LT(norm(f.agent.body.velocity_W), 0.01);
  f.enter(Mode::Hold);
  const auto mode = [&] { return static_cast<control::Flight>(f.agent.status & control::kModeMask); };
  EXPECT_EQ(mode(), control::Flight::TakeOff);
  for (int k = 0; k < 60 && mode() == control::Flight::TakeOff; ++k) f.fly(1);
  EXPECT_EQ(mode(), control::Flight::Hold);
  EXPECT_GT(f.agent.body.position_W.value.z, 39);
  EXPECT_LT(std::abs(f.agent.body.position_W.value.y), 20);  // straight ahead
  f.fly(60);
  f.enter(Mode::Land);
  double hardest = 0;
  for (int k = 0; k < 300 && mode() == control::Flight::Land; ++k) f.fly(1, [&] { hardest = std::max(hardest, f.agent.air.ground_force); });
  EXPECT_EQ(mode(), control::Flight::Disarmed);
  EXPECT_LT(std::abs(f.seen().roll), 0.1);  // upright
  EXPECT_LT(std::abs(f.seen().pitch), 0.2);
  EXPECT_LT(hardest, 8 * 11 * 9.80665);
  f.fly(5);
  EXPECT_LT(norm(f.agent.body.velocity_W), 0.05);
}

TEST(aircraft, servos_keep_their_travel_and_their_rate) {
  const auto surface = airframe::derive_airborne(aerosonde(), 0.01, 0.6).value().surface;
  double servo[kSurfaces] = {0, 0, 0}, before = 0;
  for (int k = 0; k < 100; ++k) {
    move_servos(servo, Vec3<double>{2, -2, 0}, surface);
    EXPECT_LE(servo[0] - before, 5 * 0.01 + 1e-12);
    before = servo[0];
  }
  EXPECT_NEAR(servo[0], 0.4, 1e-6);
  EXPECT_NEAR(servo[1], -0.4, 1e-6);
}

TEST(aircraft, elevons_and_v_tails_give_back_what_they_are_asked_for) {
  for (const airframe::Mixing mixing : {airframe::Mixing::Conventional, airframe::Mixing::Elevons, airframe::Mixing::VTail}) {
    airframe::AircraftDef d = aerosonde();
    d.surfaces.mixing = mixing;
    const auto surface = airframe::derive_airborne(d, 0.01, 0.6).value().surface;
    double servo[kSurfaces] = {0, 0, 0};
    Deflections<double> out{};
    for (int k = 0; k < 500; ++k) out = move_servos(servo, Vec3<double>{0.1, -0.05, 0.07}, surface);
    EXPECT_NEAR(out.aileron, 0.1, 1e-9);
    EXPECT_NEAR(out.elevator, -0.05, 1e-9);
    EXPECT_NEAR(out.rudder, 0.07, 1e-9);
  }
}

TEST(aircraft, one_that_cannot_trim_says_why) {
  airframe::AircraftDef weak = aerosonde();
  weak.rotors[0].thrust = 0.001;
  const auto a = Aircraft::derive<AircraftProgram<1, AeroForm::Linear>>(weak, {});
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().message.find("motor is too weak"), std::string::npos) << a.error().message;
  airframe::AircraftDef slow = aerosonde();
  slow.speeds.cruise = 12;
  const auto b = Aircraft::derive<AircraftProgram<1, AeroForm::Linear>>(slow, {});
  ASSERT_FALSE(b);
  EXPECT_NE(b.error().message.find("it stalls"), std::string::npos) << b.error().message;
  EXPECT_EQ(b.error().field, "speeds.cruise");
}

TEST(aircraft, one_whose_coefficients_are_tabulated_flies_like_the_one_they_came_from) {
  using Tabulated = test::Flight<AircraftProgram<1, AeroForm::Tables>, double>;
  Plane a(aerosonde(), in_the_air());
  Tabulated b(test::tabulated(aerosonde()), in_the_air());
  a.enter(Mode::Hold), b.enter(Mode::Hold);
  a.fly(20), b.fly(20);
  // the grid cuts the corners of the drag polar by a thousandth
  EXPECT_LT(norm(a.agent.body.position_W - b.agent.body.position_W), 2.0);
  EXPECT_NEAR(a.seen().airspeed, b.seen().airspeed, 0.05);
}

TEST(aircraft, a_quadplane_rises_goes_over_to_its_wings_comes_back_and_lands) {
  engine::FlockSetup setup;
  setup.take_off_height = 40;
  setup.environment.wind_W = {-4, 3, 0};
  VehicleDef start;
  start.mode = Mode::Disarmed;
  test::Quadplane f(test::quadplane(), start, setup);
  const auto mode = [&] { return static_cast<control::Flight>(f.agent.status & control::kModeMask); };
  const auto where = [&] { return f.agent.body.position_W.value; };
  f.enter(Mode::Hold);
  f.fly(90);
  EXPECT_EQ(mode(), control::Flight::Hold);
  EXPECT_NEAR(where().z, 40, 1);
  EXPECT_LT(std::hypot(where().x, where().y), 2.0);
  EXPECT_GT(f.agent.rotor_speed[0], 300);

  f.enter(Mode::Armed);
  f.agent.setpoint.level = static_cast<std::uint64_t>(ControlLevel::Velocity);
  f.agent.setpoint.velocity_W = {20, 0, 0};
  const double height = where().z;
  double lowest = 1e9, highest = 0;
  f.fly(60, [&] { lowest = std::min(lowest, where().z), highest = std::max(highest, where().z); });
  EXPECT_LT(f.agent.rotor_speed[0], 1);  // on its wings alone
  EXPECT_NEAR(f.seen().airspeed, 20, 1);
  EXPECT_GT(lowest, height - 5);
  EXPECT_LT(highest, height + 5);

  lowest = 1e9;
  f.enter(Mode::Hold);
  f.fly(60, [&] { lowest = std::min(lowest, where().z); });
  EXPECT_GT(f.agent.rotor_speed[0], 300);
  EXPECT_LT(norm(f.agent.body.velocity_W), 0.5);
  EXPECT_GT(lowest, height - 5);
  f.enter(Mode::Land);
  for (int k = 0; k < 200 && mode() == control::Flight::Land; ++k) f.fly(1);
  EXPECT_EQ(mode(), control::Flight::Disarmed);
  EXPECT_LT(std::abs(f.seen().roll) + std::abs(f.seen().pitch), 0.1);
}

}  // namespace
}  // namespace volary::inline VOLARY_ISA::vehicles
