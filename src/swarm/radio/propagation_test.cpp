// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/propagation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "swarm/radio/radio_test_support.hpp"

namespace volary::swarm {
namespace {

// dB lost on the way
double path_loss(const RadioDef& def, double distance) {
  const Propagation p(def);
  return 10 * std::log10(1e-3 * kUnitsPerWatt / p.mean(p.at_reference(0), distance * distance));
}

// 20 log10(4 pi d f / c)
TEST(propagation, free_space_at_2_4_ghz_takes_40_05_db_over_a_metre_and_80_05_db_over_a_hundred) {
  RadioDef d = log_distance();
  d.exponent = 2;
  EXPECT_NEAR(path_loss(d, 1), 40.05, 0.005);
  EXPECT_NEAR(path_loss(d, 100), 80.05, 0.005);
  EXPECT_NEAR(path_loss(d, 0.5), 34.03, 0.005);
  d.frequency = 868e6;
  EXPECT_NEAR(path_loss(d, 1000), 91.22, 0.005);
}

TEST(propagation, beyond_the_reference_distance_the_exponent_rules) {
  RadioDef d = log_distance();
  EXPECT_NEAR(path_loss(d, 100), 40.05 + 60, 0.005);
  d.reference_distance = 10;
  EXPECT_NEAR(path_loss(d, 100), 60.05 + 30, 0.005);
  EXPECT_NEAR(path_loss(d, 5), 54.03, 0.005);  // free space still
}

TEST(propagation, every_exponent_is_a_power_of_the_distance) {
  for (double n = 1.5; n <= 7; n += 0.1) {
    RadioDef d = log_distance();
    d.exponent = std::round(n * 10) / 10;
    for (const double r : {1.0, 2.0, 17.3, 400.0}) EXPECT_NEAR(path_loss(d, r), 40.0519 + 10 * d.exponent * std::log10(r), 1e-3) << d.exponent << " at " << r;
  }
}

TEST(propagation, the_distance_of_a_power_is_where_the_mean_has_it) {
  const Propagation p(log_distance());
  const double c = p.at_reference(20);
  for (const double distance : {0.2, 1.0, 30.0, 5000.0}) EXPECT_NEAR(p.distance_of(c, p.mean(c, distance * distance)) / distance, 1, 1e-12);
  // 20 dBm - 40.05 dB - 30 log10(d) = -95 dBm + 10 dB
  EXPECT_NEAR(p.reach(c), 146.2, 0.1);
}

TEST(propagation, an_interferer_at_the_cut_off_adds_a_hundredth_of_a_decibel) {
  const Propagation p(log_distance());
  const double c = p.at_reference(20), d = p.cut_off(c);
  EXPECT_NEAR(10 * std::log10(1 + p.mean(c, d * d) / p.noise), 0.01, 1e-6);
  EXPECT_NEAR(d / p.reach(c), 16.3, 0.1);
}

TEST(propagation, minus_150_dbm_is_a_unit_and_a_thousand_times_0_dbm_fits) {
  EXPECT_GE(units_of_dbm(-150), 1);
  EXPECT_LE(units_of_dbm(0), 1.03 * kMostUnits);
  EXPECT_LT(1000 * kMostUnits, 0x1p63);
}

TEST(propagation, the_quick_logarithm_agrees_with_the_slow_one) {
  for (double x = 1e-20; x < 1e20; x *= 1.37) EXPECT_NEAR(quick_log(x), std::log(x), 2e-9 * (1 + std::abs(std::log(x))));
  EXPECT_NEAR(decibels(2), 3.0103, 1e-5);
  EXPECT_DOUBLE_EQ(decibels(0), decibels(1e-20));
}

// 10^4 links; bounds of four standard errors, and 0.1 % for the tails that the table ends at 3.7 sigma
TEST(propagation, shadowing_is_normal_in_decibels_and_the_same_both_ways) {
  RadioDef d = log_distance();
  d.shadowing = 6;
  const Propagation p(d);
  const Key key = math::world_key(7, 0);
  const int n = 10000;
  double sum = 0, square = 0;
  int beyond = 0;
  for (int k = 0; k < n; ++k) {
    const std::uint64_t a = 1 + static_cast<std::uint64_t>(k % 100), b = 1000 + static_cast<std::uint64_t>(k / 100);
    const double db = 10 * std::log10(p.shadowing(key, a, b));
    ASSERT_EQ(p.shadowing(key, a, b), p.shadowing(key, b, a));
    sum += db;
    square += db * db;
    beyond += std::abs(db) > 6;
  }
  EXPECT_NEAR(sum / n, 0, 4 * 6 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(square / n), 6, 4 * 6 / std::sqrt(2.0 * n) + 0.006);
  EXPECT_NEAR(static_cast<double>(beyond) / n, 0.3173, 4 * std::sqrt(0.3173 * 0.6827 / n));
  EXPECT_NE(p.shadowing(key, 1, 2), p.shadowing(math::world_key(8, 0), 1, 2));
}

// Kolmogorov and Smirnov: the largest distance between the two distribution functions exceeds 1.95 / sqrt(n) once in a thousand samples
TEST(propagation, rayleigh_fading_gives_an_exponential_power) {
  const Key world = math::world_key(3, 0);
  std::vector<double> power;
  for (std::uint64_t number = 0; number < 100; ++number) {
    const Key packet = packet_key(world, 5, number, math::Purpose::Fading);
    for (std::uint64_t receiver = 10; receiver < 110; ++receiver) power.push_back(Propagation::fading(packet, receiver));
  }
  std::sort(power.begin(), power.end());
  double furthest = 0;
  for (std::size_t i = 0; i < power.size(); ++i) {
    const double expected = 1 - std::exp(-power[i]), n = static_cast<double>(power.size());
    furthest = std::max({furthest, std::abs(expected - static_cast<double>(i) / n), std::abs(expected - static_cast<double>(i + 1) / n)});
  }
  EXPECT_LT(furthest, 1.95 / std::sqrt(static_cast<double>(power.size())));
}

}  // namespace
}  // namespace volary::swarm
