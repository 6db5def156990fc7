// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "autopilot/lockstep/flown_vehicle.hpp"
#include "scenario/airframe.hpp"

namespace volary::autopilot {
namespace {

constexpr double kG = 9.80665, kTick = 0.004;

// all sensors, without errors, at the rates that PX4 expects
SensorsDef ideal() {
  SensorsDef s;
  s.imu.emplace(), s.gnss.emplace(), s.barometer.emplace(), s.magnetometer.emplace(), s.airspeed.emplace(), s.range_finder.emplace();
  s.gnss->time.rate = 10;
  s.barometer->time.rate = s.magnetometer->time.rate = s.airspeed->time.rate = s.range_finder->time.rate = 50;
  return s;
}

// one quadrotor in the air, and the sensors that its flight code reads
struct Flight {
  std::unique_ptr<World> world;
  std::unique_ptr<SensorSite> site;
  FlownVehicle vehicle;

  explicit Flight(const VehicleDef& start, const SensorsDef& sensors = ideal(), Vec wind = {0, 0, 0}) {
    WorldDef def;
    def.tick_ns = 4'000'000;
    def.substeps = 2;
    def.precision = Precision::Double;
    def.environment.wind_W = wind;
    FlockDef flock;
    flock.name = "one";
    flock.airframe = scenario::load_airframe("assets/vehicles/px4_iris.yaml").value();
    flock.sensors = sensors;
    flock.vehicles.push_back(start);
    def.flocks.push_back(std::move(flock));
    std::string error;
    world = World::create(def, {}, &error);
    EXPECT_NE(world, nullptr) << error;
    site = std::make_unique<SensorSite>(world->environment());
    vehicle = flown_vehicles(*world, "one").at(0);
    gather_readings(vehicle, *world, SensorColumns(*world, "one"));
  }
  void turn(const Vec& omega_B) {
    world->submit({.target = vehicle.id, .payload = SetState{.position_W = world->position_of(vehicle.id), .omega_B = omega_B}});
  }
  Measured read() { return read_sensors(vehicle, *world, SensorColumns(*world, "one"), *site); }
  Measured after(int ticks) {
    for (int k = 0; k < ticks; ++k) {
      world->step(1);
      gather_readings(vehicle, *world, SensorColumns(*world, "one"));
    }
    return read();
  }
};

VehicleDef on_the_ground() { return {.mode = Mode::Disarmed}; }
// falls freely until the rotors are asked for something
VehicleDef falling(double yaw = 0) { return {.position_W = {0, 0, 200}, .yaw = yaw, .mode = Mode::Disarmed}; }

TEST(measured, an_accelerometer_at_rest_shows_minus_g_down_also_before_the_first_tick) {
  Flight f(on_the_ground());
  for (const Measured& m : {f.read(), f.after(500)}) {
    EXPECT_NEAR(m.specific_force_F.x, 0, 1e-6);
    EXPECT_NEAR(m.specific_force_F.y, 0, 1e-6);
    EXPECT_NEAR(m.specific_force_F.z, -kG, 1e-3);
    EXPECT_NEAR(math::norm(m.rate_F), 0, 1e-6);
  }
}

TEST(measured, free_fall_shows_nothing) {
  Flight f(falling());
  EXPECT_NEAR(math::norm(f.after(1).specific_force_F), 0, 0.02);
}

TEST(measured, a_wind_from_ahead_pushes_backwards_and_one_from_the_right_to_the_left) {
  Flight ahead(falling(), ideal(), {-8, 0, 0}), right(falling(), ideal(), {0, 8, 0});  // nose to the east: the wind to the north comes from the right
  EXPECT_LT(ahead.after(1).specific_force_F.x, -0.1);
  EXPECT_LT(right.after(1).specific_force_F.y, -0.1);
}

TEST(measured, what_is_read_seldom_is_the_mean_of_all_ticks_since_then) {
  InertialSum sum;
  // turns left by 90 degrees in 50 ticks, and is pushed to the world's east all the time
  const double angle = std::acos(0.0) / 50;
  for (int k = 0; k < 50; ++k) {
    const double yaw = angle * k;
    sum.add({0, 0, angle}, {0.01 * std::cos(yaw), -0.01 * std::sin(yaw), 0});
  }
  EXPECT_NEAR(sum.rate(kTick).z, angle / kTick, 1e-9);
  const Vec3d force = sum.specific_force(kTick);  // in the axes halfway: 45 degrees to the left of the start
  EXPECT_NEAR(force.x, 0.01 / kTick * std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(force.y, -0.01 / kTick * std::sqrt(0.5), 1e-3);
}

TEST(measured, rates_turn_from_forward_left_up_to_forward_right_down) {
  Flight f(falling());
  f.turn({1, 2, 3});
  f.after(1);
  const Measured m = f.after(1);
  EXPECT_NEAR(m.rate_F.x, 1, 0.05);
  EXPECT_NEAR(m.rate_F.y, -2, 0.05);
  EXPECT_NEAR(m.rate_F.z, -3, 0.05);
}

TEST(measured, the_field_at_zurich_is_the_one_that_px4_expects) {
  VehicleDef v = on_the_ground();
  v.yaw = std::acos(0.0);  // nose to the north
  Flight f(v);
  Measured m = f.after(1);
  while (!m.has_magnetic) m = f.after(1);
  EXPECT_NEAR(m.magnetic_F.x, 0.215, 0.004);
  EXPECT_NEAR(m.magnetic_F.y, 0.012, 0.008);
  EXPECT_NEAR(m.magnetic_F.z, 0.43, 0.006);
}

TEST(measured, pressure_and_place_are_those_of_zurich) {
  Flight f(on_the_ground());
  Measured m;
  for (int k = 0; k < 60; ++k) m = f.after(1);
  EXPECT_NEAR(m.place.latitude, 47.397742, 1e-6);
  EXPECT_NEAR(m.place.altitude, 488, 1);
  EXPECT_NEAR(m.pressure, 101325 * std::pow(1 - 2.25577e-5 * 488, 5.25588), 15);
  EXPECT_NEAR(m.pressure_height, 488, 1.3);
  EXPECT_NEAR(m.temperature, 288.15 - 0.0065 * 488, 0.01);
  EXPECT_GE(m.horizontal_accuracy, 0.3) << "a receiver without errors does not claim to be perfect";
  EXPECT_GT(m.satellites, 5);
}

TEST(measured, airspeed_is_against_the_wind_and_along_the_nose) {
  Flight f(on_the_ground(), ideal(), {-15, 3, 0});
  const Measured m = f.after(10);
  EXPECT_NEAR(m.dynamic_pressure, 0.5 * 1.225 * 225, 2);
}

TEST(measured, each_sensor_says_something_at_its_rate_and_then_once) {
  Flight f(on_the_ground());
  int magnetic = 0, pressure = 0, airspeed = 0, place = 0, distance = 0;
  for (int k = 0; k < 500; ++k) {
    const Measured m = f.after(1);
    magnetic += m.has_magnetic, pressure += m.has_pressure, airspeed += m.has_dynamic_pressure, place += m.has_place, distance += m.has_distance;
  }
  EXPECT_NEAR(magnetic, 100, 1);
  EXPECT_NEAR(pressure, 100, 1);
  EXPECT_NEAR(airspeed, 100, 1);
  EXPECT_NEAR(place, 20, 1);
  EXPECT_NEAR(distance, 100, 1);
}

TEST(measured, a_receiver_that_is_out_says_nothing) {
  SensorsDef s = ideal();
  s.gnss->outages = {{1, 2}};
  Flight f(on_the_ground(), s);
  int before = 0, during = 0, after = 0;
  for (int k = 1; k <= 750; ++k) {
    const bool has = f.after(1).has_place;
    (k < 250 ? before : k < 500 ? during : after) += has;
  }
  EXPECT_NEAR(before, 10, 1);
  EXPECT_EQ(during, 0);
  EXPECT_NEAR(after, 10, 1);
}

TEST(measured, errors_of_the_sensors_are_what_the_autopilot_gets) {
  SensorsDef s = ideal();
  s.imu->gyro.turn_on = 0.1;
  s.barometer->error.turn_on = 100;
  Flight f(on_the_ground(), s), perfect(on_the_ground());
  const Measured m = f.after(250), ideal = perfect.after(250);
  EXPECT_GT(math::norm(m.rate_F), 0.02);
  EXPECT_GT(std::abs(m.pressure - ideal.pressure), 2);
}

TEST(measured, a_late_imu_is_heard_as_many_ticks_later) {
  SensorsDef s = ideal();
  s.imu->latency = 3 * kTick;
  Flight late(falling(), s), prompt(falling());
  late.turn({0, 0, 3}), prompt.turn({0, 0, 3});
  for (int k = 1; k <= 3; ++k) EXPECT_NEAR(late.after(1).rate_F.z, 0, 1e-12) << k;
  EXPECT_EQ(late.after(1).rate_F.z, prompt.after(1).rate_F.z);
}

TEST(measured, a_flock_without_an_imu_is_refused_in_words) {
  Flight f(on_the_ground(), SensorsDef{});
  const core::Status s = check_senses(*f.world, "one");
  ASSERT_FALSE(s);
  EXPECT_NE(s.error().message.find("flock 'one' has no IMU"), std::string::npos);
  EXPECT_NE(s.error().suggestion.find("px4_sitl"), std::string::npos);
}

}  // namespace
}  // namespace volary::autopilot
