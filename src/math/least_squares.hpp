// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Least squares for small, dense problems in double: linear by normal equations, nonlinear by Levenberg and Marquardt with
// differences for derivatives. For identification, never inside a step: it allocates, and it may stop early.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "math/scalar.hpp"

namespace volary::inline VOLARY_ISA::math {

// sums of products of rows: (sum w a a^T) x = sum w a y
struct NormalEquations {
  explicit NormalEquations(std::size_t unknowns) : n(unknowns), matrix(unknowns * unknowns, 0.0), right(unknowns, 0.0) {}

  // one equation, a x = y; the lower triangle is enough
  void add(const double* a, double y, double weight = 1) {
    for (std::size_t i = 0; i < n; ++i) {
      const double wa = weight * a[i];
      if (wa == 0) continue;
      for (std::size_t j = 0; j <= i; ++j) matrix[i * n + j] += wa * a[j];
      right[i] += wa * y;
    }
  }

  std::size_t n;
  std::vector<double> matrix, right;
};

// Solves by Cholesky's factors after the unknowns were scaled to a unit diagonal, so that units do not matter; `damping` is
// added to that diagonal. Empty when the equations do not determine the unknowns; one that no equation has stays at zero.
inline std::vector<double> solve(const NormalEquations& e, double damping = 0) {
  const std::size_t n = e.n;
  std::vector<double> scale(n), l(e.matrix), x(n);
  for (std::size_t i = 0; i < n; ++i) scale[i] = e.matrix[i * n + i] > 0 ? 1 / sqrt(e.matrix[i * n + i]) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = l[i * n + j] * scale[i] * scale[j];
      if (i == j) sum = scale[i] > 0 ? sum + damping : 1;
      for (std::size_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      if (i == j) {
        if (!(sum > 1e-14)) return {};
        l[i * n + i] = sqrt(sum);
      } else {
        l[i * n + j] = sum / l[j * n + j];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    double sum = e.right[i] * scale[i];
    for (std::size_t k = 0; k < i; ++k) sum -= l[i * n + k] * x[k];
    x[i] = sum / l[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) x[i] *= scale[i];
  return x;
}

// A nonlinear problem in blocks: a block of residuals that does not depend on an unknown need not be worked out for it.
struct LeastSquaresProblem {
  std::size_t blocks = 0;
  std::function<std::vector<double>(std::size_t block, const std::vector<double>& x)> residuals;
  std::function<bool(std::size_t block, std::size_t unknown)> uses;
  std::vector<double> step;  // of each unknown: for differences; a step that matters
};
struct LeastSquaresResult {
  std::vector<double> x;
  double sum = 0;  // of squared residuals
  int rounds = 0;
};

namespace least_squares {

inline double sum_of_squares(const std::vector<double>& r) {
  double sum = 0;
  for (const double v : r) sum += v * v;
  return sum;
}

// adds what one block says about the step from x, in multiples of the steps
inline void add_block(const LeastSquaresProblem& p, std::size_t block, const std::vector<double>& x, const std::vector<double>& r, NormalEquations& e) {
  const std::size_t n = x.size();
  std::vector<double> jacobian(r.size() * n, 0.0), moved = x;
  for (std::size_t k = 0; k < n; ++k) {
    if (!p.uses(block, k)) continue;
    moved[k] = x[k] + p.step[k];
    const std::vector<double> there = p.residuals(block, moved);
    moved[k] = x[k];
    for (std::size_t i = 0; i < r.size(); ++i) jacobian[i * n + k] = there[i] - r[i];
  }
  for (std::size_t i = 0; i < r.size(); ++i) e.add(&jacobian[i * n], -r[i]);
}

}  // namespace least_squares

// Levenberg and Marquardt: stops when two rounds one after the other gain less than `gain` of the sum each, or after `most` rounds
inline LeastSquaresResult minimise(const LeastSquaresProblem& p, std::vector<double> x, int most, double gain = 1e-5) {
  const auto all_residuals = [&](const std::vector<double>& at) {
    std::vector<std::vector<double>> r(p.blocks);
    for (std::size_t b = 0; b < p.blocks; ++b) r[b] = p.residuals(b, at);
    return r;
  };
  const auto total = [](const std::vector<std::vector<double>>& r) {
    double sum = 0;
    for (const std::vector<double>& block : r) sum += least_squares::sum_of_squares(block);
    return sum;
  };
  std::vector<std::vector<double>> r = all_residuals(x);
  LeastSquaresResult result{x, total(r), 0};
  double damping = 1e-3;
  for (int small = 0; result.rounds < most && small < 2;) {
    ++result.rounds;
    NormalEquations e(x.size());
    for (std::size_t b = 0; b < p.blocks; ++b) least_squares::add_block(p, b, result.x, r[b], e);
    const double before = result.sum;
    for (int tries = 0; tries < 10 && result.sum == before; ++tries) {
      const std::vector<double> move = solve(e, damping);
      if (!move.empty()) {
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = result.x[k] + move[k] * p.step[k];
        std::vector<std::vector<double>> there = all_residuals(x);
        if (const double sum = total(there); sum < before) {
          result.x = x, result.sum = sum, r = std::move(there);
          damping = max(damping / 10, 1e-7);
          break;
        }
      }
      damping *= 10;
    }
    if (result.sum == before) break;  // no step helps
    small = before - result.sum > gain * before ? 0 : small + 1;
  }
  return result;
}

}  // namespace volary::inline VOLARY_ISA::math
