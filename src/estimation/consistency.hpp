// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a filter's errors are as large as it says (Y. Bar-Shalom, X. R. Li, T. Kirubarajan, Estimation with Applications to Tracking and Navigation, 2001,
// section 5.4). In double and from stored rows, whatever the filter computes in. For studies and tests: it allocates.
#pragma once

#include <span>
#include <vector>

#include "estimation/covariance.hpp"

namespace volary::inline VOLARY_ISA::estimation {

// Cholesky's factor of a packed symmetric matrix, row by row below the diagonal; empty where the matrix is not positive definite.
// Scaled to a unit diagonal first, so that units do not matter.
struct Factor {
  std::vector<double> lower, scale;
  bool exists() const { return !lower.empty(); }
};
inline Factor factor(std::span<const double> packed_upper, int n) {
  const auto size = static_cast<std::size_t>(n);
  const auto element = [&](std::size_t i, std::size_t j) { return packed_upper[j * (2 * size - j - 1) / 2 + i]; };  // i >= j
  Factor out{std::vector<double>(size * size), std::vector<double>(size)};
  for (std::size_t i = 0; i < size; ++i) {
    if (!(element(i, i) > 0)) return {};
    out.scale[i] = 1 / math::sqrt(element(i, i));
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = element(i, j) * out.scale[i] * out.scale[j];
      for (std::size_t k = 0; k < j; ++k) sum -= out.lower[i * size + k] * out.lower[j * size + k];
      if (i == j && !(sum > 0)) return {};
      out.lower[i * size + j] = i == j ? math::sqrt(sum) : sum / out.lower[j * size + j];
    }
  }
  return out;
}
inline bool is_positive_definite(std::span<const double> packed_upper, int n) { return factor(packed_upper, n).exists(); }

// e' P^-1 e; not a number where P is not positive definite
inline double normalised_square(std::span<const double> error, std::span<const double> packed_upper, int n) {
  const Factor f = factor(packed_upper, n);
  if (!f.exists()) return math::not_a_number<double>();
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> solved(size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    double rest = error[i] * f.scale[i];
    for (std::size_t k = 0; k < i; ++k) rest -= f.lower[i * size + k] * solved[k];
    solved[i] = rest / f.lower[i * size + i];
    sum += solved[i] * solved[i];
  }
  return sum;
}

// the errors of an estimate, in the order of the error state
inline std::vector<double> error_of(const Nominal<double>& truth, const Nominal<double>& estimate, int n) {
  const Vec3<double> parts[5] = {rotation_vector(truth.q_WB * conjugate(estimate.q_WB)), truth.velocity_W - estimate.velocity_W,
                                 truth.position_W - estimate.position_W, truth.gyro_bias - estimate.gyro_bias, truth.accel_bias - estimate.accel_bias};
  std::vector<double> error;
  for (const Vec3<double>& p : parts) error.insert(error.end(), {p.x, p.y, p.z});
  for (int k = kWind; k < n; ++k) error.push_back(truth.wind[k - kWind] - estimate.wind[k - kWind]);
  return error;
}
// normalised estimation error squared: n on average, where the filter is consistent
inline double nees(const Nominal<double>& truth, const Nominal<double>& estimate, std::span<const double> packed_upper, int n) {
  return normalised_square(error_of(truth, estimate, n), packed_upper, n);
}

// The interval that holds the mean over `runs` of a chi-square number of n degrees of freedom with 95 % (Wilson and Hilferty 1931: within 0.01 of the
// exact bounds from 50 degrees on in all).
struct Bounds {
  double low, high;
  bool hold(double x) const { return x >= low && x <= high; }
};
inline Bounds mean_bounds(int n, int runs) {
  const double degrees = static_cast<double>(n) * runs, share = 2 / (9 * degrees), width = 1.9599639845400545 * math::sqrt(share);
  const auto cube = [](double x) { return x * x * x; };
  return {n * cube(1 - share - width), n * cube(1 - share + width)};
}

}  // namespace volary::inline VOLARY_ISA::estimation
