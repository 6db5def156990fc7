// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/normals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace volary {
namespace {

using math::normals8;
using math::Normals8;

template <class T> math::Words4<math::Bits<T>> words(std::uint32_t id, std::uint64_t tick) {
  using B = math::Bits<T>;
  return math::random_words<B>({B(17u), B(4u)}, B(id), B(0u), math::Purpose::Test, tick, 0);
}

// every radius there is: E r^2 = 2 and E r^4 = 8 for a normal pair
TEST(normals, radii_have_the_variance_and_kurtosis_of_a_normal_pair) {
  double square = 0, fourth = 0, largest = 0;
  for (std::uint32_t k = 0; k < 65536; ++k) {
    const double r2 = -2 * std::log(math::uniform16<double>(k));
    square += r2 / 2, fourth += r2 * r2 * 3 / 8, largest = std::max(largest, std::sqrt(r2));
  }
  EXPECT_NEAR(square / 65536, 0.999995, 1e-6);
  EXPECT_NEAR(fourth / 65536, 2.9998, 1e-3);
  EXPECT_LT(largest, 4.86);
  EXPECT_GT(largest, 4.85);
}

// 50,000 draws of eight; the bounds are five standard errors of each moment
TEST(normals, eight_numbers_are_standard_normal_and_independent) {
  const int n = 50000;
  double sum[8] = {}, product[8][8] = {}, cube[8] = {}, square_product[8][8] = {};
  for (int k = 0; k < n; ++k) {
    const Normals8<double> x = normals8<double>(words<double>(3, static_cast<std::uint64_t>(k)));
    for (int i = 0; i < 8; ++i) {
      sum[i] += x.n[i], cube[i] += x.n[i] * x.n[i] * x.n[i];
      for (int j = 0; j <= i; ++j) product[i][j] += x.n[i] * x.n[j], square_product[i][j] += x.n[i] * x.n[i] * x.n[j] * x.n[j];
    }
  }
  const double one = 5 / std::sqrt(n);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(sum[i] / n, 0, one);
    EXPECT_NEAR(cube[i] / n, 0, one * std::sqrt(15));
    for (int j = 0; j <= i; ++j) {
      EXPECT_NEAR(product[i][j] / n, i == j ? 1 : 0, i == j ? one * std::sqrt(2) : one) << i << " " << j;
      EXPECT_NEAR(square_product[i][j] / n, i == j ? 3 : 1, i == j ? one * std::sqrt(96) : one * std::sqrt(8)) << i << " " << j;
    }
  }
}

// the share beyond 1, 2 and 3 standard deviations
TEST(normals, tails_are_those_of_the_normal_distribution) {
  const int n = 40000;
  int beyond[3] = {};
  for (int k = 0; k < n; ++k)
    for (const double x : normals8<double>(words<double>(9, static_cast<std::uint64_t>(k))).n)
      for (int s = 0; s < 3; ++s) beyond[s] += std::abs(x) > s + 1;
  for (int s = 0; s < 3; ++s) {
    const double share = std::erfc((s + 1) / std::sqrt(2));
    EXPECT_NEAR(beyond[s] / (8.0 * n), share, 5 * std::sqrt(share / (8.0 * n))) << s;
  }
}

// every argument that there is
TEST(normals, logarithm_sine_and_cosine_are_right_for_every_half_word) {
  for (std::uint32_t k = 0; k < 65536; ++k) {
    const double u = math::uniform16<double>(k);
    double s, c;
    float sf, cf;
    math::sincos_of_turns(u, s, c);
    math::sincos_of_turns(static_cast<float>(u), sf, cf);
    ASSERT_NEAR(math::log_of_share(u), std::log(u), 4e-16 * (1 - std::log(u)));
    ASSERT_NEAR(math::log_of_share(static_cast<float>(u)), std::log(u), 2e-7 * (1 - std::log(u)));
    ASSERT_NEAR(s, std::sin(6.283185307179586 * u), 1e-15);
    ASSERT_NEAR(c, std::cos(6.283185307179586 * u), 1e-15);
    ASSERT_NEAR(sf, s, 2e-7);
    ASSERT_NEAR(cf, c, 2e-7);
  }
}

TEST(normals, uniform_numbers_are_the_same_in_float_and_in_double) {
  for (std::uint32_t k = 0; k < 65536; k += 7) ASSERT_EQ(static_cast<double>(math::uniform16<float>(k)), math::uniform16<double>(k));
}

TEST(normals, float_and_double_agree_to_rounding) {
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const Normals8<float> a = normals8<float>(words<float>(5, k));
    const Normals8<double> b = normals8<double>(words<double>(5, k));
    for (int i = 0; i < 8; ++i) ASSERT_NEAR(a.n[i], b.n[i], 3e-6);
  }
}

}  // namespace
}  // namespace volary
