// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/gust.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace volary {
namespace {

using environment::GustParams;
using math::Vec3;

template <class T> math::Words4<math::Bits<T>> words(std::uint64_t id, std::uint64_t tick) {
  using B = math::Bits<T>;
  const auto key = math::world_key(11, 0);
  const B low = static_cast<std::uint32_t>(id), high = static_cast<std::uint32_t>(id >> 32);
  return math::random_words<B>({B(key.lo), B(key.hi)}, low, high, math::Purpose::Gust, tick, 0);
}

constexpr double kSigma = 1.5, kTau = 0.8, kTick = 0.01;
GustParams<double> gust_params(double tick) {
  const double keep = std::exp(-tick / kTau);
  return {keep, kSigma * std::sqrt(1 - keep * keep)};
}

std::vector<Vec3<double>> gusts(std::uint64_t id, int ticks, double tick) {
  std::vector<Vec3<double>> out;
  Vec3<double> g = {0, 0, 0};
  const int settle = static_cast<int>(20 * kTau / tick);
  for (int k = 0; k < settle + ticks; ++k) {
    g = environment::next_gust<double>(g, words<double>(id, static_cast<std::uint64_t>(k)), gust_params(tick));
    if (k >= settle) out.push_back(g);
  }
  return out;
}

TEST(gust, uniform_numbers_lie_strictly_between_zero_and_one) {
  EXPECT_GT(environment::uniform<float>(0u), 0);
  EXPECT_LT(environment::uniform<float>(0xffffffffu), 1);
  EXPECT_GT(environment::uniform<double>(0), 0);
  EXPECT_LT(environment::uniform<double>(0xffffffffu), 1);
  EXPECT_NEAR(environment::uniform<double>(0x80000000u), 0.5, 1e-7);
}

TEST(gust, uniform_numbers_are_the_same_in_float_and_in_double) {
  for (std::uint64_t k = 0; k < 2000; ++k)
    for (const std::uint32_t w : words<float>(3, k).w) ASSERT_EQ(static_cast<double>(environment::uniform<float>(w)), environment::uniform<double>(w)) << w;
}

// 100,000 draws; the bounds are five standard errors of each moment
TEST(gust, normal_numbers_have_the_moments_of_a_normal_distribution) {
  const int n = 100000;
  double sum[3] = {}, square[3] = {}, cube[3] = {}, fourth[3] = {}, xy = 0, xz = 0, yz = 0, xxyy = 0, xxzz = 0, yyzz = 0;
  for (int k = 0; k < n; ++k) {
    const Vec3<double> v = environment::normal3<double>(words<double>(5, static_cast<std::uint64_t>(k)));
    const double x[3] = {v.x, v.y, v.z};
    for (int a = 0; a < 3; ++a) sum[a] += x[a], square[a] += x[a] * x[a], cube[a] += std::pow(x[a], 3), fourth[a] += std::pow(x[a], 4);
    xy += v.x * v.y, xz += v.x * v.z, yz += v.y * v.z;
    xxyy += std::pow(v.x * v.y, 2), xxzz += std::pow(v.x * v.z, 2), yyzz += std::pow(v.y * v.z, 2);
  }
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(sum[a] / n, 0, 5 / std::sqrt(n)) << a;
    EXPECT_NEAR(square[a] / n, 1, 5 * std::sqrt(2.0 / n)) << a;
    EXPECT_NEAR(cube[a] / n, 0, 5 * std::sqrt(15.0 / n)) << a;
    EXPECT_NEAR(fourth[a] / n, 3, 5 * std::sqrt(96.0 / n)) << a;
  }
  for (double c : {xy, xz, yz}) EXPECT_NEAR(c / n, 0, 5 / std::sqrt(n));
  for (double c : {xxyy, xxzz, yyzz}) EXPECT_NEAR(c / n, 1, 5 * std::sqrt(8.0 / n));  // independent, not only uncorrelated
}

TEST(gust, normal_numbers_agree_in_float_and_in_double) {
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const Vec3<float> a = environment::normal3<float>(words<float>(5, k));
    const Vec3<double> b = environment::normal3<double>(words<double>(5, k));
    ASSERT_NEAR(a.x, b.x, 5e-6) << k;
    ASSERT_NEAR(a.y, b.y, 5e-6) << k;
    ASSERT_NEAR(a.z, b.z, 5e-6) << k;
  }
}

// 400,000 ticks hold 2,500 independent stretches of 2 tau: the standard error of the variance is 3 %
TEST(gust, strength_settles_at_sigma_whatever_the_tick) {
  for (double tick : {kTick, 0.1}) {
    double square = 0, n = 0;
    for (std::uint64_t id = 1; id <= 4; ++id)
      for (const Vec3<double>& g : gusts(id, static_cast<int>(1000 / tick), tick)) square += math::dot(g, g), n += 3;
    EXPECT_NEAR(square / n, kSigma * kSigma, 0.06 * kSigma * kSigma) << tick;
  }
}

TEST(gust, correlation_falls_off_exponentially_with_the_time_constant) {
  for (double lag : {0.4, 0.8, 1.6}) {
    double together = 0, square = 0;
    const std::size_t shift = static_cast<std::size_t>(std::lround(lag / kTick));
    for (std::uint64_t id = 1; id <= 6; ++id) {
      const std::vector<Vec3<double>> g = gusts(id, 100000, kTick);
      for (std::size_t k = 0; k + shift < g.size(); ++k) together += math::dot(g[k], g[k + shift]), square += math::dot(g[k], g[k]);
    }
    EXPECT_NEAR(together / square, std::exp(-lag / kTau), 0.04) << lag;
  }
}

TEST(gust, vehicles_meet_independent_gusts_and_one_vehicle_always_the_same) {
  const std::vector<Vec3<double>> a = gusts(1, 100000, kTick), b = gusts(2, 100000, kTick), again = gusts(1, 100000, kTick);
  const std::vector<Vec3<double>> high = gusts(std::uint64_t{1} | (std::uint64_t{1} << 40), 100000, kTick);
  double ab = 0, ah = 0, aa = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += math::dot(a[k], b[k]), ah += math::dot(a[k], high[k]), aa += math::dot(a[k], a[k]);
    ASSERT_EQ(a[k].x, again[k].x);
    ASSERT_EQ(a[k].z, again[k].z);
  }
  EXPECT_NEAR(ab / aa, 0, 0.08);  // five standard errors of 3 axes x 625 stretches
  EXPECT_NEAR(ah / aa, 0, 0.08);  // the same number, another generation
}

}  // namespace
}  // namespace volary
