// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every term of the chain alone, and what a reading goes through after it. The airspeed sensor stands for all scalar ones, the magnetometer for those with
// axes.
#include "sensors/chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sensors/sensors_test_support.hpp"

namespace volary {
namespace {

using namespace sensors_test;
using V = Vec3<double>;

// readings of one vehicle in still air that comes from ahead at 20 m/s: 245 Pa
constexpr double kPressure = 245;
Truth<double> into_the_wind() {
  Truth<double> t = at_rest();
  t.wind_W = {-20, 0, 0};
  return t;
}
std::vector<double> pressures(const ErrorDef& error, int n, std::uint32_t id = 1, std::uint64_t seed = 5) {
  AirspeedDef def;
  def.error = error;
  Measuring<Airspeed> m(def, 0.01, id, seed);
  std::vector<double> out;
  for (int k = 0; k < n; ++k) out.push_back(m.measure(into_the_wind(), static_cast<std::uint64_t>(k)).pressure);
  return out;
}
// the first reading of many vehicles
std::vector<double> first_pressures(const ErrorDef& error, std::uint32_t vehicles) {
  std::vector<double> out;
  for (std::uint32_t id = 1; id <= vehicles; ++id) out.push_back(pressures(error, 1, id).front());
  return out;
}
double lag_one(const std::vector<double>& x) {
  const Moments m = moments(x);
  double sum = 0;
  for (std::size_t k = 1; k < x.size(); ++k) sum += (x[k] - m.mean) * (x[k - 1] - m.mean);
  return sum / static_cast<double>(x.size()) / (m.deviation * m.deviation);
}

TEST(chain, a_sensor_without_errors_tells_the_truth) {
  for (const double p : pressures({}, 100)) ASSERT_NEAR(p, kPressure, 1e-12);
}

TEST(chain, noise_is_white_and_has_its_standard_deviation) {
  const std::vector<double> x = pressures({.noise = 2}, 40000);
  EXPECT_NEAR(moments(x).mean, kPressure, 5 * 2 / std::sqrt(40000));
  EXPECT_NEAR(moments(x).deviation, 2, 5 * 2 / std::sqrt(80000));
  EXPECT_NEAR(lag_one(x), 0, 5 / std::sqrt(40000));
}

TEST(chain, the_bias_at_turn_on_stays_and_differs_between_vehicles) {
  const std::vector<double> one = pressures({.turn_on = 3}, 100);
  for (const double p : one) ASSERT_EQ(p, one.front());
  const Moments m = moments(first_pressures({.turn_on = 3}, 10000));
  EXPECT_NEAR(m.mean, kPressure, 5 * 3.0 / 100);
  EXPECT_NEAR(m.deviation, 3, 5 * 3 / std::sqrt(20000));
}

// exp(-T / tau) from one reading to the next, and its standard deviation from the first reading on
TEST(chain, the_slow_bias_is_a_stationary_gauss_markov_process) {
  const ErrorDef e{.instability = 4, .correlation = 0.05};
  const std::vector<double> x = pressures(e, 40000);
  EXPECT_NEAR(lag_one(x), std::exp(-0.2), 0.02);
  EXPECT_NEAR(moments(x).deviation, 4, 0.2);
  EXPECT_NEAR(moments(first_pressures(e, 10000)).deviation, 4, 5 * 4 / std::sqrt(20000));
}

// K sqrt(t): after 100 readings of 10 ms, one second
TEST(chain, the_random_walk_grows_with_the_square_root_of_time) {
  std::vector<double> after;
  for (std::uint32_t id = 1; id <= 2000; ++id) after.push_back(pressures({.walk = 5}, 100, id).back() - kPressure);
  EXPECT_NEAR(moments(after).mean, 0, 5 * 5 / std::sqrt(2000));
  EXPECT_NEAR(moments(after).deviation, 5, 5 * 5 / std::sqrt(4000));
}

TEST(chain, the_scale_factor_multiplies_and_stays) {
  const std::vector<double> one = pressures({.scale = 0.02}, 10);
  for (const double p : one) ASSERT_EQ(p, one.front());
  EXPECT_NEAR(moments(first_pressures({.scale = 0.02}, 10000)).deviation, 0.02 * kPressure, 5 * 0.02 * kPressure / std::sqrt(20000));
}

// a field along one axis shows on the others by the cross-axis terms, and on its own by the scale factor only
TEST(chain, misalignment_leaks_from_axis_to_axis) {
  MagnetometerDef def;
  def.error.misalignment = 0.01;
  std::vector<double> leaked[3];
  for (std::uint32_t id = 1; id <= 5000; ++id) {
    const Measuring<Magnetometer> m(def, 0.01, id);
    const V seen = m.memory.matrix * V{0, 1, 0};
    leaked[0].push_back(seen.x), leaked[1].push_back(seen.y - 1), leaked[2].push_back(seen.z);
  }
  EXPECT_NEAR(moments(leaked[0]).deviation, 0.01, 5e-4);
  EXPECT_NEAR(moments(leaked[2]).deviation, 0.01, 5e-4);
  EXPECT_EQ(moments(leaked[1]).deviation, 0);
}

// the error of rounding is uniform: q / sqrt(12)
TEST(chain, a_reading_is_a_multiple_of_the_resolution) {
  const std::vector<double> x = pressures({.noise = 50, .quantum = 4}, 20000);
  for (const double p : x) ASSERT_EQ(p, 4 * std::round(p / 4));
  EXPECT_NEAR(moments(x).deviation, std::sqrt(2500 + 16.0 / 12), 1.5);
  for (const double p : pressures({.quantum = 4}, 10)) ASSERT_EQ(p, 244);
}

TEST(chain, a_reading_never_leaves_the_range) {
  for (const double p : pressures({.noise = 100, .range = 200}, 2000)) {
    ASSERT_LE(p, 200);
    ASSERT_GE(p, -200);
  }
}

TEST(chain, the_resolution_comes_before_the_range) {
  for (const double p : pressures({.quantum = 100, .range = 190}, 3)) ASSERT_EQ(p, 190);
}

// 64 chains with every term: variances of independent terms add up
TEST(chain, terms_together_have_the_sum_of_their_variances) {
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    const Someone who(9, seed);
    const auto u = who.at(0);
    const auto draw = [&](std::uint32_t k) { return 0.5 + 2 * u.uniform(Purpose::Test, k); };
    const ErrorDef e{.noise = draw(0), .turn_on = draw(1), .instability = draw(2), .correlation = draw(3), .scale = 0.01 * draw(4)};
    std::vector<double> x;
    for (std::uint32_t id = 1; id <= 400; ++id) x.push_back(pressures(e, 1, id, seed).front());
    const double scale = e.scale * kPressure, wanted = std::sqrt(e.noise * e.noise + e.turn_on * e.turn_on + e.instability * e.instability + scale * scale);
    EXPECT_NEAR(moments(x).deviation, wanted, 5 * wanted / std::sqrt(800)) << seed;
    EXPECT_NEAR(moments(x).mean, kPressure, 5 * wanted / 20) << seed;
  }
}

// ---------------------------------------------------------------- loss and faults

TEST(chain, readings_are_lost_with_the_probability_of_drop_out_and_the_last_one_goes_on) {
  AirspeedDef def;
  def.time.drop_out = 0.2, def.error.noise = 1;
  Measuring<Airspeed> m(def);
  int lost = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const auto before = m.last;
    const auto& now = m.measure(into_the_wind(), k);
    if (now.valid != 0) {
      ASSERT_EQ(now.tick, k);
      continue;
    }
    ++lost;
    ASSERT_EQ(now.pressure, before.pressure);
    ASSERT_EQ(now.tick, before.tick);
  }
  EXPECT_NEAR(lost / 20000.0, 0.2, 5 * std::sqrt(0.16 / 20000));
}

TEST(chain, a_lost_reading_changes_none_that_arrives) {
  AirspeedDef whole, lossy;
  whole.error = lossy.error = {.noise = 1, .instability = 1, .walk = 1};
  lossy.time.drop_out = 0.5;
  Measuring<Airspeed> a(whole), b(lossy);
  for (std::uint64_t k = 0; k < 200; ++k) {
    a.measure(into_the_wind(), k), b.measure(into_the_wind(), k);
    if (b.last.valid != 0) ASSERT_EQ(a.last.pressure, b.last.pressure);
  }
}

TEST(chain, a_fault_scales_shifts_and_adds_noise_after_the_range) {
  AirspeedDef def;
  def.error.range = 100;
  Measuring<Airspeed> m(def);
  m.fault.scale = 2, m.fault.offset = {7, 0, 0};
  EXPECT_EQ(m.measure(into_the_wind(), 0).pressure, 207);
  m.fault = no_fault<double>();
  m.fault.sigma = 3;
  std::vector<double> x;
  for (std::uint64_t k = 1; k < 10000; ++k) x.push_back(m.measure(into_the_wind(), k).pressure);
  EXPECT_NEAR(moments(x).deviation, 3, 5 * 3 / std::sqrt(20000));
}

TEST(chain, a_stuck_sensor_repeats_its_reading_as_if_it_were_new) {
  AirspeedDef def;
  def.error.noise = 1;
  Measuring<Airspeed> m(def);
  const double stuck = m.measure(into_the_wind(), 0).pressure;
  m.fault.hold = 1;
  for (std::uint64_t k = 1; k < 10; ++k) {
    m.measure(into_the_wind(), k);
    EXPECT_EQ(m.last.pressure, stuck);
    EXPECT_EQ(m.last.tick, k);
    EXPECT_EQ(m.last.valid, 1u);
  }
}

TEST(chain, a_sensor_that_is_off_gives_no_reading) {
  Measuring<Airspeed> m(AirspeedDef{});
  m.fault.drop = 1;
  for (std::uint64_t k = 0; k < 100; ++k) EXPECT_EQ(m.measure(into_the_wind(), k).valid, 0u);
}

// ---------------------------------------------------------------- who draws

TEST(chain, the_draws_of_a_vehicle_depend_on_nobody_else) {
  const std::vector<double> alone = pressures({.noise = 1}, 50, 7);
  for (std::uint32_t other = 1; other < 20; ++other) pressures({.noise = 1}, 3, other);
  EXPECT_EQ(pressures({.noise = 1}, 50, 7), alone);
  EXPECT_NE(pressures({.noise = 1}, 50, 8), alone);
  EXPECT_NE(pressures({.noise = 1}, 50, 7, 6), alone);
}

TEST(chain, sensors_of_one_vehicle_draw_different_numbers_at_the_same_tick) {
  const Someone who(3);
  std::vector<double> seen;
  core::for_each_type(AllSensors{},
                      [&]<class X>() { seen.push_back(who.at(5).normals(X::kPurpose, 0).n[0]), seen.push_back(who.at(5).once(X::kPurpose, 0).n[0]); });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

// ---------------------------------------------------------------- times

TEST(timing, a_sensor_of_25_hz_with_a_phase_measures_every_fourth_tick_of_10_ms) {
  const Timing t = make_timing({.rate = 25, .phase = 0.02, .latency = 0.03}, 0.01);
  EXPECT_EQ(t.period, 4u);
  EXPECT_EQ(t.latency, 3u);
  std::vector<std::uint64_t> due;
  for (std::uint64_t k = 0; k < 12; ++k)
    if (is_due(t, k)) due.push_back(k);
  EXPECT_EQ(due, (std::vector<std::uint64_t>{2, 6, 10}));
}

TEST(timing, a_reading_arrives_its_latency_later_and_is_that_of_the_tick_it_was_made_at) {
  const Timing t = make_timing({.rate = 50, .latency = 0.07}, 0.01);
  std::uint64_t of = 0;
  EXPECT_FALSE(arrives(t, 6, of));
  EXPECT_TRUE(arrives(t, 7, of));
  EXPECT_EQ(of, 0u);
  EXPECT_FALSE(arrives(t, 8, of));
  EXPECT_TRUE(arrives(t, 13, of));
  EXPECT_EQ(of, 6u);
}

// no reading is overwritten before it has arrived and while a filter may still ask for it
TEST(timing, a_ring_keeps_readings_as_long_as_they_are_needed) {
  for (std::uint64_t period = 1; period < 9; ++period)
    for (std::uint64_t latency = 0; latency < 20; ++latency)
      for (std::uint64_t horizon = 0; horizon < 20; horizon += 3) {
        const Timing t{period, 1, latency};
        const std::uint64_t entries = ring_entries(t, horizon), oldest = std::max(latency, horizon);
        std::vector<std::uint64_t> ring(entries, ~0ull);
        for (std::uint64_t tick = 1; tick < 100; ++tick) {
          if (is_due(t, tick)) ring[ring_entry(t, tick, entries)] = tick;
          for (std::uint64_t back = 0; back <= oldest && back < tick; ++back)
            if (is_due(t, tick - back)) ASSERT_EQ(ring[ring_entry(t, tick - back, entries)], tick - back) << period << " " << latency << " " << horizon;
        }
      }
}

}  // namespace
}  // namespace volary
