// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "sensors/imu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sensors/allan.hpp"
#include "sensors/sensors_test_support.hpp"

namespace volary {
namespace {

using namespace sensors_test;
using V = Vec3<double>;
constexpr double kGravity = 9.80665;
const V kLevelForce{0, 0, kGravity};

// an IMU on a motion that is given as a function of time
template <int N = 4> struct Imu {
  Imu(const ImuDef& def, double tick, int substeps, std::uint32_t id = 1, std::uint64_t seed = 5)
      : who(id, seed), p(imu_params(def, kGravity, tick, substeps)), substeps(substeps) {
    begin_imu<double, N>(state, on, p, who.at(0));
  }

  struct Body {
    V velocity_W{0, 0, 0}, omega_B{0, 0, 0};
    Quat<double> q{1, 0, 0, 0};
  };
  // `motion(t)` gives the body at a time; calls `see(gyro, accelerometer)` after each integration step
  template <class Motion, class See> void fly_tick(std::uint64_t tick, const Motion& motion, const See& see) {
    ImuTick<double, N> t = begin_tick<double, N>(state, speeds, p, who.at(tick));
    for (int k = 0; k < substeps; ++k) {
      const double time = (static_cast<double>(tick) * substeps + k) * p.step;
      const Body a = motion(time), b = motion(time + p.step);
      sample<double, N>(t, state, k, a.velocity_W, a.omega_B, a.q, b.velocity_W, b.omega_B, b.q, speeds, on, p, faults, who.at(tick));
      see(state.gyro, state.accelerometer);
    }
    end_tick<double, N>(t, state);
  }
  void rest(std::uint64_t tick) {
    fly_tick(tick, [](double) { return Body{}; }, [](const V&, const V&) {});
  }

  Someone who;
  ImuParams<double> p;
  int substeps;
  ImuState<double, N> state{};
  ImuTurnOn<double> on{};
  double speeds[4] = {0, 0, 0, 0};
  FaultTerms<double> faults[2] = {no_fault<double>(), no_fault<double>()};
};

void expect_near(const V& a, const V& b, double within) {
  EXPECT_NEAR(a.x, b.x, within);
  EXPECT_NEAR(a.y, b.y, within);
  EXPECT_NEAR(a.z, b.z, within);
}

TEST(imu, an_ideal_imu_at_rest_feels_gravity_and_no_turn) {
  Imu<> imu(ImuDef{}, 0.01, 4);
  imu.rest(0);
  expect_near(imu.state.gyro, {0, 0, 0}, 0);
  expect_near(imu.state.accelerometer, kLevelForce, 1e-15);
  expect_near(imu.state.delta_velocity, {0, 0, 0.01 * kGravity}, 1e-15);
}

TEST(imu, gravity_shows_in_body_axes) {
  Imu<> imu(ImuDef{}, 0.01, 1);
  const Quat<double> q = turned(0.4, -0.3, 1.1);
  imu.fly_tick(0, [&](double) { return Imu<>::Body{{0, 0, 0}, {0, 0, 0}, q}; }, [](const V&, const V&) {});
  expect_near(imu.state.accelerometer, transpose_times(rotation_matrix(q), kLevelForce), 1e-12);
}

TEST(imu, free_fall_is_felt_as_nothing) {
  Imu<> imu(ImuDef{}, 0.01, 4);
  imu.fly_tick(3, [](double t) { return Imu<>::Body{{0, 0, -kGravity * t}, {0, 0, 0}, {1, 0, 0, 0}}; }, [](const V&, const V&) {});
  expect_near(imu.state.accelerometer, {0, 0, 0}, 1e-12);
}

// on the rim of a turntable: w^2 r towards the axis, and w' r along the rim
TEST(imu, a_sensor_away_from_the_centre_of_mass_feels_the_turn) {
  ImuDef def;
  def.position_B = {0.2, 0, 0};
  Imu<> imu(def, 0.001, 1);
  const double rate = 3, faster = 5;
  imu.fly_tick(0, [&](double t) { return Imu<>::Body{{0, 0, 0}, {0, 0, rate + faster * t}, {1, 0, 0, 0}}; }, [](const V&, const V&) {});
  const double w = rate + faster * 0.0005;
  expect_near(imu.state.accelerometer, {-w * w * 0.2, faster * 0.2, kGravity}, 1e-9);
}

// Goodman and Robinson 1958: an axis that describes a cone drifts although no gyroscope sees a mean rate. The sum of a tick is right where summing rates is not
TEST(imu, coning_is_summed_as_a_rotation) {
  const double half_angle = 0.05, w = 2 * std::numbers::pi * 20, tick = 0.05;  // one turn of the cone in a tick
  Imu<> imu(ImuDef{}, tick, 400);
  const auto attitude = [&](double t) {
    const double s = std::sin(half_angle / 2);
    return Quat<double>{std::cos(half_angle / 2), s * std::cos(w * t), s * std::sin(w * t), 0};
  };
  // omega = 2 conj(q) dq/dt
  const auto motion = [&](double t) {
    const double s = std::sin(half_angle / 2);
    const Quat<double> rate{0, -s * w * std::sin(w * t), s * w * std::cos(w * t), 0}, o = conjugate(attitude(t)) * rate;
    return Imu<>::Body{{0, 0, 0}, {2 * o.x, 2 * o.y, 2 * o.z}, attitude(t)};
  };
  V summed{0, 0, 0};
  imu.fly_tick(0, motion, [&](const V& gyro, const V&) { summed = summed + imu.p.step * gyro; });
  // back where it began: the true turn is none, while the rates sum up to the solid angle of the cone
  expect_near(imu.state.delta_angle, {0, 0, 0}, 2e-6);
  EXPECT_NEAR(std::abs(summed.z), 4 * std::numbers::pi * std::pow(std::sin(half_angle / 2), 2), 1e-5);
}

// a body that turns while it is pushed: the change of velocity comes in the axes at the start of the tick
TEST(imu, sculling_is_summed_in_the_axes_at_the_start) {
  const double tick = 0.02, rate = 20;
  Imu<> imu(ImuDef{}, tick, 200);
  const auto motion = [&](double t) {
    const V v{4 * std::sin(50 * t), 2 * std::cos(30 * t), -3 * t * t * 100};
    return Imu<>::Body{v, {rate, 0, 0}, turned(rate * t, 0, 0)};
  };
  imu.fly_tick(0, motion, [](const V&, const V&) {});
  const V change = motion(tick).velocity_W - motion(0).velocity_W + V{0, 0, kGravity * tick};
  expect_near(imu.state.delta_velocity, change, 5e-5);
  expect_near(imu.state.delta_angle, {rate * tick, 0, 0}, 1e-9);
}

// ---------------------------------------------------------------- noise

struct Recovered {
  AllanTerms gyro, accelerometer;
};
Recovered recover(const ImuDef& def, double tick, int ticks, std::uint32_t vehicles) {
  std::vector<std::vector<AllanPoint>> gyro, accelerometer;
  for (std::uint32_t id = 1; id <= vehicles; ++id) {
    Imu<> imu(def, tick, 1, id);
    std::vector<double> rate[3], force[3];
    for (int k = 0; k < ticks; ++k) {
      imu.rest(static_cast<std::uint64_t>(k));
      const V g = imu.state.gyro, a = imu.state.accelerometer - kLevelForce;
      rate[0].push_back(g.x), rate[1].push_back(g.y), rate[2].push_back(g.z);
      force[0].push_back(a.x), force[1].push_back(a.y), force[2].push_back(a.z);
    }
    for (int axis = 0; axis < 3; ++axis) gyro.push_back(allan_variance(rate[axis], tick)), accelerometer.push_back(allan_variance(force[axis], tick));
  }
  return {fit_allan(mean_of(gyro), def.gyro.correlation), fit_allan(mean_of(accelerometer), def.accelerometer.correlation)};
}

TEST(imu, allan_deviation_recovers_noise_instability_and_walk_within_a_tenth) {
  ImuDef def;
  def.gyro = {.noise = 4.9e-5, .turn_on = 0.01, .instability = 1.5e-4, .correlation = 5, .walk = 3e-5};
  def.accelerometer = {.noise = 7e-4, .turn_on = 0.2, .instability = 3e-3, .correlation = 8, .walk = 6e-4};
  const Recovered r = recover(def, 0.01, 1 << 18, 8);
  EXPECT_NEAR(r.gyro.noise, def.gyro.noise, 0.1 * def.gyro.noise);
  EXPECT_NEAR(r.gyro.instability, def.gyro.instability, 0.1 * def.gyro.instability);
  EXPECT_NEAR(r.gyro.walk, def.gyro.walk, 0.1 * def.gyro.walk);
  EXPECT_NEAR(r.accelerometer.noise, def.accelerometer.noise, 0.1 * def.accelerometer.noise);
  EXPECT_NEAR(r.accelerometer.instability, def.accelerometer.instability, 0.1 * def.accelerometer.instability);
  EXPECT_NEAR(r.accelerometer.walk, def.accelerometer.walk, 0.1 * def.accelerometer.walk);
}

// IEEE Std 952: the maximum of a Gauss-Markov process is 0.618 sigma (0.437 of q sqrt(Tc)) at 1.89 correlation times
TEST(imu, the_allan_deviation_of_the_bias_has_its_maximum_where_the_standard_says) {
  double highest = 0, where = 0;
  for (double tau = 1; tau < 1000; tau *= 1.01) {
    const double d = std::sqrt(allan_variance_of({0, 1, 0}, tau, 100));
    if (d > highest) highest = d, where = tau;
  }
  EXPECT_NEAR(highest, 0.618, 0.001);
  EXPECT_NEAR(where, 189, 4);
}

TEST(imu, the_noise_of_a_sample_follows_from_its_density_and_the_step) {
  ImuDef def;
  def.gyro.noise = 1e-3;
  EXPECT_NEAR(imu_params(def, kGravity, 0.01, 4).gyro.noise, 1e-3 * std::sqrt(400), 1e-12);
}

// ten thousand vehicles: what is drawn once per episode
TEST(imu, turn_on_errors_have_their_standard_deviations) {
  ImuDef def;
  def.gyro = {.turn_on = 0.01, .scale = 0.005, .misalignment = 0.0125};
  def.accelerometer = {.turn_on = 0.2, .scale = 0.004, .misalignment = 0.01};
  std::vector<double> bias, scale, cross, bias_a, scale_a, cross_a;
  for (std::uint32_t id = 1; id <= 10000; ++id) {
    const Imu<> imu(def, 0.01, 1, id);
    bias.push_back(imu.on.gyro_bias.y), scale.push_back(imu.on.gyro.row1.y - 1), cross.push_back(imu.on.gyro.row2.x);
    bias_a.push_back(imu.on.accel_bias.z), scale_a.push_back(imu.on.accelerometer.row2.z - 1), cross_a.push_back(imu.on.accelerometer.row0.y);
  }
  const auto expect = [](const std::vector<double>& x, double sigma) {
    EXPECT_NEAR(moments(x).mean, 0, 5 * sigma / 100);
    EXPECT_NEAR(moments(x).deviation, sigma, 5 * sigma / std::sqrt(20000));
  };
  expect(bias, 0.01), expect(scale, 0.005), expect(cross, 0.0125);
  expect(bias_a, 0.2), expect(scale_a, 0.004), expect(cross_a, 0.01);
}

TEST(imu, every_axis_and_every_step_draws_for_itself) {
  ImuDef def;
  def.gyro.noise = 1, def.accelerometer.noise = 1;
  Imu<> imu(def, 0.01, 300);  // more steps than one purpose has draws
  std::vector<double> seen;
  imu.fly_tick(
      0, [](double) { return Imu<>::Body{}; },
      [&](const V& g, const V& a) {
        for (const double x : {g.x, g.y, g.z, a.x, a.y, a.z - kGravity}) seen.push_back(x);
      });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(imu, a_reading_never_exceeds_the_range_and_is_a_multiple_of_the_resolution) {
  ImuDef def;
  def.gyro = {.noise = 0.05, .quantum = 0.125, .range = 2};
  Imu<> imu(def, 0.01, 1);
  for (std::uint64_t k = 0; k < 500; ++k) {
    imu.fly_tick(k, [](double) { return Imu<>::Body{{0, 0, 0}, {5, -1.2, -7}, {1, 0, 0, 0}}; }, [](const V&, const V&) {});
    ASSERT_EQ(imu.state.gyro.x, 2);
    ASSERT_EQ(imu.state.gyro.z, -2);
    ASSERT_EQ(imu.state.gyro.y, 0.125 * std::round(imu.state.gyro.y / 0.125));
  }
}

// ---------------------------------------------------------------- faults

TEST(imu, a_stuck_sensor_repeats_itself_and_the_other_one_goes_on) {
  ImuDef def;
  def.gyro.noise = 1e-3, def.accelerometer.noise = 1e-3;
  Imu<> imu(def, 0.01, 2);
  imu.rest(0);
  const V gyro = imu.state.gyro, accelerometer = imu.state.accelerometer;
  imu.faults[0].hold = 1;
  imu.rest(1);
  expect_near(imu.state.gyro, gyro, 0);
  EXPECT_NE(imu.state.accelerometer.x, accelerometer.x);
}

TEST(imu, bias_and_scale_of_a_fault_come_after_the_range) {
  ImuDef def;
  def.accelerometer.range = 5;
  Imu<> imu(def, 0.01, 1);
  imu.faults[1].scale = 2, imu.faults[1].offset = {1, 0, 0};
  imu.rest(0);
  expect_near(imu.state.accelerometer, {1, 0, 10}, 1e-12);
}

TEST(imu, a_fault_of_one_vehicle_changes_no_draw_of_its_other_steps) {
  ImuDef def;
  def.gyro.noise = 1e-3;
  Imu<> sound(def, 0.01, 4), faulty(def, 0.01, 4);
  faulty.faults[0].sigma = 0.5, faulty.faults[0].drop = 0.3;
  sound.rest(0), faulty.rest(0);
  faulty.faults[0] = no_fault<double>();
  sound.rest(1), faulty.rest(1);
  expect_near(faulty.state.gyro, sound.state.gyro, 0);
}

}  // namespace
}  // namespace volary
