// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_statistics.hpp"

#include "math/functions.hpp"

namespace volary::cli {

namespace {

constexpr double kConfidence = 0.95;
constexpr double kZ = 1.959963984540054;  // standard normal at 0.975

// logarithm of the gamma function for x >= 0.5 (Lanczos 1964, g = 7, nine terms)
double log_gamma(double x) {
  constexpr double kTerms[] = {676.5203681218851,  -1259.1392167224028,  771.32342877765313,    -176.61502916214059,
                               12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
  x -= 1;
  double sum = 0.99999999999980993;
  for (int k = 0; k < 8; ++k) sum += kTerms[k] / (x + k + 1);
  const double t = x + 7.5;
  return 0.9189385332046727 + (x + 0.5) * math::log(t) - t + math::log(sum);
}

// the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by Lentz's method
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double v) { return math::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    value *= d * c;
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    value *= d * c;
    if (math::abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

// the regularised incomplete beta function I_x(a, b)
double beta_share(double a, double b, double x) {
  if (!(x > 0)) return 0;
  if (!(x < 1)) return 1;
  const double front = math::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * math::log(x) + b * math::log(1 - x));
  // the fraction converges fast on one side of the mean, and the other is its mirror
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// probability that |t| is larger
double two_tails(double t, double degrees) { return beta_share(0.5 * degrees, 0.5, degrees / (degrees + t * t)); }

Difference make_difference(double value, double below, double above) {
  Difference d{value, {value - below, value + above}, false};
  d.significant = d.interval.low > 0 || d.interval.high < 0;
  return d;
}

}  // namespace

double student_t_quantile(double p, double degrees) {
  if (p < 0.5) return -student_t_quantile(1 - p, degrees);
  const double tails = 2 * (1 - p);
  double low = 0, high = 1;
  while (two_tails(high, degrees) > tails && high < 1e12) high *= 2;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    (two_tails(middle, degrees) > tails ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Sample sample_of(std::span<const double> values) {
  Sample s{values.size(), 0, 0};
  if (values.empty()) return s;
  // equal values have exactly their mean and no variance
  bool equal = true;
  for (const double v : values) {
    equal = equal && v == values[0];
    s.mean += v;
  }
  s.mean = equal ? values[0] : s.mean / static_cast<double>(s.n);
  for (const double v : values) s.variance += (v - s.mean) * (v - s.mean);
  if (s.n > 1) s.variance /= static_cast<double>(s.n - 1);
  return s;
}

Interval mean_interval(const Sample& s) {
  const double n = static_cast<double>(s.n), t = student_t_quantile(0.5 + 0.5 * kConfidence, n - 1);
  const double half = t * math::sqrt(s.variance / n);
  return {s.mean - half, s.mean + half};
}

Interval wilson_interval(double hits, std::uint64_t n) {
  if (n == 0) return {0, 1};
  const double count = static_cast<double>(n), p = hits / count, z2 = kZ * kZ;
  const double centre = (p + z2 / (2 * count)) / (1 + z2 / count);
  const double half = kZ / (1 + z2 / count) * math::sqrt(p * (1 - p) / count + z2 / (4 * count * count));
  // at the ends the bound is the end itself, without rounding
  return {hits == 0 ? 0 : centre - half, hits == count ? 1 : centre + half};
}

Difference mean_difference(const Sample& a, const Sample& b) {
  const double va = a.variance / static_cast<double>(a.n), vb = b.variance / static_cast<double>(b.n), v = va + vb;
  if (!(v > 0)) return make_difference(a.mean - b.mean, 0, 0);
  const double degrees = v * v / (va * va / static_cast<double>(a.n - 1) + vb * vb / static_cast<double>(b.n - 1));  // Welch-Satterthwaite
  const double half = student_t_quantile(0.5 + 0.5 * kConfidence, degrees) * math::sqrt(v);
  return make_difference(a.mean - b.mean, half, half);
}

Difference rate_difference(double hits_a, std::uint64_t n_a, double hits_b, std::uint64_t n_b) {
  const double pa = hits_a / static_cast<double>(n_a), pb = hits_b / static_cast<double>(n_b);
  const Interval a = wilson_interval(hits_a, n_a), b = wilson_interval(hits_b, n_b);
  const auto together = [](double x, double y) { return math::sqrt(x * x + y * y); };
  return make_difference(pa - pb, together(pa - a.low, b.high - pb), together(a.high - pa, pb - b.low));
}

}  // namespace volary::cli
