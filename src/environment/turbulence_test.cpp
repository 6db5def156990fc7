// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/turbulence.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace volary::environment {
namespace {

using Vector = Vec3<double>;

TurbulenceField<double> field(TurbulenceForm form, std::uint64_t seed) { return make_turbulence(form, math::world_key(seed, 0)); }

constexpr double kSigma = 1.5, kLength = 50;
const TurbulenceScale<double> kEven{kSigma, kSigma, kLength, kLength};

// correlations of the air's movement along and across the line between two places, over sigma2, of isotropic turbulence
struct Correlation {
  std::function<double(double)> along, across;
};
Correlation correlation(TurbulenceForm form) {
  if (form == TurbulenceForm::Dryden)
    return {[](double r) { return std::exp(-r / kLength); }, [](double r) { return (1 - r / (2 * kLength)) * std::exp(-r / kLength); }};
  // von Karman 1948: f = 2^(2/3) / Gamma(1/3) z^(1/3) K_1/3(z), g = f + r f' / 2, z = r / (1.339 L)
  const auto along = [](double r) {
    const double z = r / (1.339 * kLength);
    return r == 0 ? 1 : std::pow(2, 2.0 / 3) / std::tgamma(1.0 / 3) * std::cbrt(z) * std::cyl_bessel_k(1.0 / 3, z);
  };
  const auto across = [along](double r) {
    const double h = 1e-4 * kLength;
    return r == 0 ? 1 : along(r) + r * (along(r + h) - along(r - h)) / (4 * h);
  };
  return {along, across};
}

// one-sided spectra along a line, over sigma2, m (MIL-F-8785C, 3.7.1)
double spectrum_along(TurbulenceForm form, double k) {
  const double x = kLength * k, y = 1.339 * x;
  return 2 * kLength / M_PI * (form == TurbulenceForm::Dryden ? 1 / (1 + x * x) : std::pow(1 + y * y, -5.0 / 6));
}
double spectrum_across(TurbulenceForm form, double k) {
  const double x = kLength * k, y = 1.339 * x;
  return kLength / M_PI * (form == TurbulenceForm::Dryden ? (1 + 3 * x * x) / std::pow(1 + x * x, 2) : (1 + 8.0 / 3 * y * y) * std::pow(1 + y * y, -11.0 / 6));
}

// the part of sigma2 that is in waves longer than kShortestWave: the integral of E(k), whose tails are k^-2 and k^-5/3
double kept(TurbulenceForm form, double length) {
  const double x = 2 * M_PI / kShortestWave * length;
  return form == TurbulenceForm::Dryden ? 1 - 16 / (3 * M_PI * x) : 1 - 55 / (9 * M_PI * 1.339) * std::pow(1.339 * x, -2.0 / 3);
}

class Turbulence : public testing::TestWithParam<TurbulenceForm> {};
INSTANTIATE_TEST_SUITE_P(forms, Turbulence, testing::Values(TurbulenceForm::Dryden, TurbulenceForm::VonKarman),
                         [](const auto& form) { return form.param == TurbulenceForm::Dryden ? "dryden" : "von_karman"; });

// Two places, at every distance and along three directions, over 500 fields of 6 places each. A standard error is below 0.02; von Karman turbulence
// has 2 % of its energy in waves shorter than a metre, which the field does not have.
TEST_P(Turbulence, two_places_are_correlated_as_theory_says) {
  const Correlation expected = correlation(GetParam());
  const Vector directions[3] = {{1, 0, 0}, {0, 0.6, 0.8}, {0.48, -0.64, 0.6}};
  const Vector across[3] = {{0, 0, 1}, {1, 0, 0}, {0.8, 0.6, 0}};
  for (double r : {0.0, 0.1 * kLength, 0.3 * kLength, kLength, 2 * kLength, 4 * kLength}) {
    double f = 0, g = 0;
    int n = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const TurbulenceField<double> a = field(GetParam(), seed);
      for (int k = 0; k < 6; ++k, ++n) {
        const Vector p{k * 211.0, k * k * 97.0, k * 31.0}, d = directions[k % 3], c = across[k % 3];
        const Vector u = turbulence_at(a, kEven, p), v = turbulence_at(a, kEven, p + r * d);
        f += math::dot(u, d) * math::dot(v, d), g += math::dot(u, c) * math::dot(v, c);
      }
    }
    EXPECT_NEAR(f / n / (kSigma * kSigma), expected.along(r), 0.06) << "along, r/L = " << r / kLength;
    EXPECT_NEAR(g / n / (kSigma * kSigma), expected.across(r), 0.06) << "across, r/L = " << r / kLength;
  }
}

// What a vehicle on a straight line meets: periodograms with a Hann window, 16 eddies long, mean of 300 fields and of the frequencies within an
// eighth. Lines are few in a narrow band, so a standard error is 3 to 5 %.
TEST_P(Turbulence, spectra_along_a_line_are_those_of_the_specification) {
  const int n = 1024, fields = 300;
  const double step = 16 * kLength / n, length = n * step;
  std::vector<double> cosine, sine;
  for (int i = 0; i < n; ++i) cosine.push_back(std::cos(2 * M_PI * i / n)), sine.push_back(std::sin(2 * M_PI * i / n));
  const int bins[] = {2, 5, 12, 30, 60, 120};  // L k from 0.8 to 47
  double along[6] = {}, across[6] = {}, up[6] = {}, expected_along[6] = {}, expected_across[6] = {};
  for (std::uint64_t seed = 0; seed < fields; ++seed) {
    const TurbulenceField<double> a = field(GetParam(), 1000 + seed);
    std::vector<Vector> line;
    for (std::size_t i = 0; i < n; ++i) line.push_back((1 - cosine[i]) * turbulence_at<double>(a, kEven, {static_cast<double>(i) * step, 40, 70}));
    for (int b = 0; b < 6; ++b) {
      const int wide = std::max(1, bins[b] / 8);
      for (int bin = bins[b] - wide; bin <= bins[b] + wide; ++bin) {
        Vector c{0, 0, 0}, s{0, 0, 0};
        for (std::size_t i = 0, at = 0; i < n; ++i, at = (at + static_cast<std::size_t>(bin)) % n) c = c + cosine[at] * line[i], s = s + sine[at] * line[i];
        // |sum|2 step2 / length / (mean square of the window, 1.5) is the two-sided spectrum against k / 2 pi; one-sided against k: over pi
        const double scale = step * step / length / 1.5 / M_PI / (kSigma * kSigma), k = 2 * M_PI * bin / length;
        along[b] += scale * (c.x * c.x + s.x * s.x), across[b] += scale * (c.y * c.y + s.y * s.y), up[b] += scale * (c.z * c.z + s.z * s.z);
        expected_along[b] += spectrum_along(GetParam(), k), expected_across[b] += spectrum_across(GetParam(), k);
      }
    }
  }
  for (int b = 0; b < 6; ++b) {
    EXPECT_NEAR(along[b] / expected_along[b], 1, 0.12) << "L k = " << 2 * M_PI * bins[b] / length * kLength;
    EXPECT_NEAR(across[b] / expected_across[b], 1, 0.12) << "L k = " << 2 * M_PI * bins[b] / length * kLength;
    EXPECT_NEAR(up[b] / expected_across[b], 1, 0.12) << "L k = " << 2 * M_PI * bins[b] / length * kLength;
  }
}

// near the ground the vertical component has a strength and a length of its own
TEST_P(Turbulence, level_and_vertical_components_have_their_own_strength_and_length) {
  const TurbulenceScale<double> scale{2, 1, 100, 20};
  double level = 0, up = 0, up_apart = 0;
  int n = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const TurbulenceField<double> a = field(GetParam(), 5000 + seed);
    for (int k = 0; k < 4; ++k, ++n) {
      const Vector p{k * 311.0, k * 97.0, 20};
      const Vector u = turbulence_at(a, scale, p), v = turbulence_at(a, scale, p + Vector{20, 0, 0});
      level += (u.x * u.x + u.y * u.y) / 2, up += u.z * u.z, up_apart += u.z * v.z;
    }
  }
  EXPECT_NEAR(level / n / 4, kept(GetParam(), 100), 0.06);
  EXPECT_NEAR(up / n, kept(GetParam(), 20), 0.06);
  EXPECT_NEAR(up_apart / up, correlation(GetParam()).across(kLength), 0.06);  // one length apart, across
}

// 24 shells of three waves are enough for a bell curve: a normal distribution has a kurtosis of 3
TEST_P(Turbulence, strengths_are_normally_distributed) {
  double square = 0, fourth = 0;
  int n = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const TurbulenceField<double> a = field(GetParam(), 9000 + seed);
    for (int k = 0; k < 100; ++k, ++n) {
      const double w = turbulence_at<double>(a, kEven, {k * 173.0, k * 59.0, k * 3.0}).x;
      square += w * w, fourth += w * w * w * w;
    }
  }
  EXPECT_NEAR(fourth / n / std::pow(square / n, 2), 3, 0.25);
}

// the mean square of one field over a large volume: what the waves of each shell share out evenly between the axes
TEST_P(Turbulence, every_single_field_has_the_same_strength_along_every_axis) {
  for (std::uint64_t seed : {1u, 2u, 3u}) {
    const TurbulenceField<double> a = field(GetParam(), seed);
    Vector sum{0, 0, 0};
    const int n = 40000;
    for (int k = 0; k < n; ++k) {
      const Vector u = turbulence_at<double>(a, kEven, {k * 1237.1, k * 731.7, k * 377.3});
      sum = sum + u * u;
    }
    const double mean = (sum.x + sum.y + sum.z) / 3;
    EXPECT_NEAR(sum.x / mean, 1, 0.04);
    EXPECT_NEAR(sum.z / mean, 1, 0.04);
    EXPECT_NEAR(mean / n / (kSigma * kSigma), 1, 0.12);  // where in its shell a wave lies is drawn
  }
}

// air is not made or lost: the divergence is nothing beside the slopes
TEST_P(Turbulence, has_no_divergence_where_it_is_isotropic) {
  const TurbulenceField<double> a = field(GetParam(), 4);
  const double h = 1e-3;
  for (int k = 0; k < 20; ++k) {
    const Vector p{k * 37.0, k * 11.0, 50};
    const auto slope = [&](const Vector& d) { return (0.5 / h) * (turbulence_at(a, kEven, p + h * d) - turbulence_at(a, kEven, p - h * d)); };
    const Vector x = slope({1, 0, 0}), y = slope({0, 1, 0}), z = slope({0, 0, 1});
    EXPECT_NEAR(x.x + y.y + z.z, 0, 5e-3 * (std::abs(x.x) + std::abs(y.y) + std::abs(z.z) + 0.1)) << k;
  }
}

TEST_P(Turbulence, is_frozen_and_carried_by_the_mean_wind) {
  const TurbulenceField<double> made = field(GetParam(), 8);
  TurbulenceField<double> later = made;
  const Vector drift{8 * 3600.0, -3 * 3600.0, 0};  // an hour of wind
  carry(made, drift, later);
  for (int k = 0; k < 20; ++k) {
    const Vector p{k * 37.0, k * 11.0, 50};
    const Vector then = turbulence_at(made, kEven, p), now = turbulence_at(later, kEven, p + drift);
    EXPECT_NEAR(math::norm(then - now), 0, 1e-6);  // the cosine's polynomial has a seam of 1e-6
  }
}

// the mean square of the difference is 2 sigma2 (1 - f): 4 cm/s at 2 cm distance, for sigma 1.5 m/s
TEST_P(Turbulence, near_vehicles_feel_nearly_the_same) {
  const TurbulenceField<float> a = turbulence_as<float>(field(GetParam(), 21));
  const TurbulenceScale<float> scale{1.5f, 1.5f, 50, 50};
  for (int k = 0; k < 200; ++k) {
    const Vec3<float> p{static_cast<float>(k) * 13, static_cast<float>(k) * 7, 30};
    const Vec3<float> d = turbulence_at<float>(a, scale, p) - turbulence_at<float>(a, scale, {p.x + 0.02f, p.y, p.z + 0.02f});
    EXPECT_LT(math::norm(d), 0.15f);
  }
}

// Near the ground lengths change with height. Far from the origin that must not tear neighbours apart: vertical winds of two vehicles at 30 and 31 m
// differ as their correlation over 1 m says.
TEST_P(Turbulence, vehicles_above_each_other_agree_far_from_the_origin_too) {
  const TurbulenceLevels<double> levels = turbulence_levels(GetParam(), 10, Exceedance::P1e3);
  double apart = 0;
  const int n = 2000;
  for (int k = 0; k < n; ++k) {
    const TurbulenceField<double> a = field(GetParam(), 300 + static_cast<std::uint64_t>(k) / 20);
    const double x = 18000 + 53.0 * (k % 20), y = -15000 + 29.0 * (k % 20);
    const double low = turbulence_at<double>(a, turbulence_scale<double>(levels, 30), {x, y, 30}).z;
    const double high = turbulence_at<double>(a, turbulence_scale<double>(levels, 31), {x, y, 31}).z;
    apart += (high - low) * (high - low) / n;
  }
  const double lost = 1 - kept(GetParam(), 30.5);  // eddies below a metre would be all difference
  EXPECT_NEAR(apart, 2 * (1 - correlation(GetParam()).along(kLength / 30.5) - lost), 0.012);  // sigma is 1 m/s
}

TEST_P(Turbulence, floats_agree_with_doubles) {
  const TurbulenceField<double> a = field(GetParam(), 33);
  const TurbulenceField<float> b = turbulence_as<float>(a);
  const TurbulenceScale<float> scale{1.5f, 1.5f, 50, 50};
  for (int k = 0; k < 200; ++k) {
    const double x = k * 17.0, y = k * -5.0;
    const Vector u = turbulence_at<double>(a, kEven, {x, y, 80});
    const Vec3<float> v = turbulence_at<float>(b, scale, {static_cast<float>(x), static_cast<float>(y), 80});
    EXPECT_NEAR(u.x, v.x, 2e-3);
    EXPECT_NEAR(u.z, v.z, 2e-3);
  }
}

TEST_P(Turbulence, another_seed_is_another_field_and_the_same_seed_the_same) {
  const TurbulenceField<double> a = field(GetParam(), 1), b = field(GetParam(), 2), again = field(GetParam(), 1);
  double together = 0, square = 0;
  for (int k = 0; k < 4000; ++k) {
    const Vector p{k * 1237.1, k * 731.7, k * 377.3};
    const Vector u = turbulence_at(a, kEven, p);
    together += math::dot(u, turbulence_at(b, kEven, p)), square += math::dot(u, u);
    ASSERT_EQ(u.y, turbulence_at(again, kEven, p).y);
  }
  EXPECT_NEAR(together / square, 0, 0.1);
}

// ---------------------------------------------------------------- its own functions

RC_GTEST_PROP(turbulence, powers_are_as_exact_as_they_say, ()) {
  const double y = std::exp(*rc::gen::inRange(0, 40000) * 1e-3);
  RC_ASSERT(std::abs(power_minus_three_halves(y) / std::pow(y, -1.5) - 1) < 2e-3);
  RC_ASSERT(std::abs(power_minus_17_twelfths(y) / std::pow(y, -17.0 / 12) - 1) < 5e-5);
  const float single = static_cast<float>(y);
  RC_ASSERT(std::abs(power_minus_three_halves(single) / std::pow(static_cast<double>(single), -1.5) - 1) < 2e-3);
  RC_ASSERT(std::abs(power_minus_17_twelfths(single) / std::pow(static_cast<double>(single), -17.0 / 12) - 1) < 5e-5);
}

RC_GTEST_PROP(turbulence, the_cosine_of_turns_is_as_exact_as_it_says, ()) {
  const double t = *rc::gen::inRange(-10000000, 10000000) * 1e-3 + 1e-4;
  RC_ASSERT(std::abs(cos_turns(t) - std::cos(2 * M_PI * t)) < 5e-5);
}

// ---------------------------------------------------------------- strength and length by height

// worked out by hand from 3.7.3: h = 100 ft, W20 = 30 kt gives Lu = 505.2 ft, sigma_w = 5.063 ft/s, sigma_u = 8.69 ft/s
TEST(turbulence_scale, agrees_with_the_specification_at_100_feet) {
  const TurbulenceLevels<double> l = turbulence_levels(TurbulenceForm::Dryden, 30 * kKnot, Exceedance::P1e3);
  const TurbulenceScale<double> s = turbulence_scale<double>(l, 100 * kFoot);
  EXPECT_NEAR(s.length_level / kFoot, 505.2, 0.05);
  EXPECT_NEAR(s.length_up / kFoot, 100, 1e-9);
  EXPECT_NEAR(s.sigma_up / kFoot, 5.063, 6e-4);
  EXPECT_NEAR(s.sigma_level / kFoot, 8.69, 5e-3);
}

// at 1000 ft the low formulas are isotropic: 0.177 + 0.823 = 1
TEST(turbulence_scale, is_isotropic_at_1000_feet) {
  const TurbulenceScale<double> s = turbulence_scale<double>(turbulence_levels(TurbulenceForm::Dryden, 10, Exceedance::P1e3), 1000 * kFoot);
  EXPECT_NEAR(s.length_level, 1000 * kFoot, 1e-9);
  EXPECT_NEAR(s.length_up, 1000 * kFoot, 1e-9);
  EXPECT_NEAR(s.sigma_level, 1, 1e-12);
}

// MIL-F-8785C figure 7, moderate: 10.6 ft/s at 3750 ft, 8.0 at 15000 ft, 6.6 at 25000 ft, none at 65000 ft
TEST(turbulence_scale, follows_figure_7_above_2000_feet) {
  const TurbulenceLevels<double> l = turbulence_levels(TurbulenceForm::Dryden, 15, kModerateTurbulence.exceedance);
  const double rows[][2] = {{3750, 10.6}, {15000, 8.0}, {20000, 7.3}, {25000, 6.6}, {65000, 0}, {80000, 0}, {100000, 0}};
  for (const auto& row : rows) {
    const TurbulenceScale<double> s = turbulence_scale<double>(l, row[0] * kFoot);
    EXPECT_NEAR(s.sigma_level / kFoot, row[1], 1e-9) << row[0];
    EXPECT_DOUBLE_EQ(s.sigma_up, s.sigma_level);
    EXPECT_NEAR(s.length_level / kFoot, 1750, 1e-9);
  }
  EXPECT_NEAR(turbulence_scale<double>(turbulence_levels(TurbulenceForm::VonKarman, 15, Exceedance::P1e3), 3000.0).length_up / kFoot, 2500, 1e-9);
  EXPECT_NEAR(turbulence_scale<double>(turbulence_levels(TurbulenceForm::Dryden, 15, kSevereTurbulence.exceedance), 7500 * kFoot).sigma_up / kFoot, 23.6, 1e-9);
}

RC_GTEST_PROP(turbulence_scale, changes_without_steps_and_alike_in_float, ()) {
  const TurbulenceLevels<double> l = turbulence_levels(TurbulenceForm::VonKarman, 12, Exceedance::P1e4);
  const double height = *rc::gen::inRange(-100, 30000);
  const TurbulenceScale<double> a = turbulence_scale<double>(l, height), b = turbulence_scale<double>(l, height + 0.01);
  RC_ASSERT(std::abs(a.sigma_level - b.sigma_level) < 0.01 && std::abs(a.length_level - b.length_level) < 0.1);
  RC_ASSERT(a.sigma_up >= 0 && a.length_up >= 3);
  const TurbulenceScale<float> single = turbulence_scale<float>(levels_as<float>(l), static_cast<float>(height));
  RC_ASSERT(std::abs(single.sigma_level - a.sigma_level) < 1e-4 && std::abs(single.length_level - a.length_level) < 1e-2);
}

TEST(turbulence_scale, can_be_the_same_everywhere) {
  const TurbulenceLevels<float> l = levels_as<float>(even_turbulence({1, 2, 30, 40}));
  for (float height : {0.0f, 5000.0f}) {
    EXPECT_EQ(turbulence_scale<float>(l, height).sigma_up, 2);
    EXPECT_EQ(turbulence_scale<float>(l, height).length_level, 30);
  }
}

}  // namespace
}  // namespace volary::environment
