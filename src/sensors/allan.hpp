// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The Allan deviation of a sampled rate, and the terms of the chain that explain it (IEEE Std 952-1997, annex C). For tests and for `validate`: in double, on
// the host.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/functions.hpp"
#include "math/least_squares.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct AllanPoint {
  double tau = 0;  // s
  double variance = 0;  // of the unit squared; its root is the Allan deviation
  double freedom = 0;  // independent differences behind it
};

// Overlapping estimates at the octaves of the sampling period, up to a fifth of the record: sums theta of the rate,
// variance(tau) = mean (theta[k + 2m] - 2 theta[k + m] + theta[k])^2 / (2 tau^2).
inline std::vector<AllanPoint> allan_variance(std::span<const double> rate, double period) {
  std::vector<double> theta(rate.size() + 1, 0.0);
  for (std::size_t k = 0; k < rate.size(); ++k) theta[k + 1] = theta[k] + rate[k] * period;
  std::vector<AllanPoint> points;
  for (std::size_t m = 1; 5 * m <= rate.size(); m *= 2) {
    double sum = 0;
    const std::size_t count = theta.size() - 2 * m;
    for (std::size_t k = 0; k < count; ++k) {
      const double d = theta[k + 2 * m] - 2 * theta[k + m] + theta[k];
      sum += d * d;
    }
    const double tau = static_cast<double>(m) * period;
    points.push_back({tau, sum / (2 * tau * tau * static_cast<double>(count)), static_cast<double>(rate.size()) / static_cast<double>(m)});
  }
  return points;
}

// the mean of several records of the same length
inline std::vector<AllanPoint> mean_of(const std::vector<std::vector<AllanPoint>>& records) {
  std::vector<AllanPoint> out = records.front();
  for (std::size_t r = 1; r < records.size(); ++r)
    for (std::size_t i = 0; i < out.size(); ++i) out[i].variance += records[r][i].variance, out[i].freedom += records[r][i].freedom;
  for (AllanPoint& p : out) p.variance /= static_cast<double>(records.size());
  return out;
}

// the terms of ErrorDef: density of white noise, standard deviation of the Gauss-Markov bias, random walk
struct AllanTerms {
  double noise = 0, instability = 0, walk = 0;
};

// what each term of size one adds to the variance at tau
struct AllanShares {
  double noise, instability, walk;
};
inline AllanShares allan_shares(double tau, double correlation) {
  const double r = correlation / tau, e = math::exp(-tau / correlation);
  return {1 / tau, 2 * r * (1 - 0.5 * r * (3 - 4 * e + e * e)), tau / 3};
}
inline double allan_variance_of(const AllanTerms& t, double tau, double correlation) {
  const AllanShares s = allan_shares(tau, correlation);
  return t.noise * t.noise * s.noise + t.instability * t.instability * s.instability + t.walk * t.walk * s.walk;
}

// Least squares in the squares of the terms, which the variance is linear in. A point weighs by its degrees of freedom over its variance squared: first the one
// that was measured, then that of the terms found so far, because a point that came out low by chance would weigh too much. The correlation time is taken as
// known.
inline AllanTerms fit_allan(std::span<const AllanPoint> points, double correlation) {
  AllanTerms found;
  for (int pass = 0; pass < 5; ++pass) {
    math::NormalEquations equations(3);
    for (const AllanPoint& p : points) {
      const AllanShares s = allan_shares(p.tau, correlation);
      const double row[3] = {s.noise, s.instability, s.walk}, expected = pass == 0 ? p.variance : allan_variance_of(found, p.tau, correlation);
      equations.add(row, p.variance, p.freedom / (expected * expected));
    }
    const std::vector<double> squares = math::solve(equations);
    if (squares.empty()) return {};
    const auto root = [](double square) { return math::sqrt(math::max(square, 0.0)); };
    found = {root(squares[0]), root(squares[1]), root(squares[2])};
  }
  return found;
}

}  // namespace volary::inline VOLARY_ISA::sensors
