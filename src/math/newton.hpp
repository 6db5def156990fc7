// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Newton's method for a few equations in as many unknowns of order one, with differences instead of derivatives. For what is worked out once:
// trims, fits.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "math/scalar.hpp"

namespace volary::inline VOLARY_ISA::math {

// The solution of m x = b by Gauss with the largest pivot; b is the last column of m. False where there is none.
template <std::size_t N> bool solve_linear(std::array<std::array<double, N + 1>, N>& m, std::array<double, N>& x) {
  for (std::size_t c = 0; c < N; ++c) {
    std::size_t best = c;
    for (std::size_t i = c + 1; i < N; ++i) best = abs(m[i][c]) > abs(m[best][c]) ? i : best;
    std::swap(m[c], m[best]);
    if (!(abs(m[c][c]) >= 1e-12)) return false;
    for (std::size_t i = 0; i < N; ++i) {
      if (i == c) continue;
      const double factor = m[i][c] / m[c][c];
      for (std::size_t j = c; j <= N; ++j) m[i][j] -= factor * m[c][j];
    }
  }
  for (std::size_t i = 0; i < N; ++i) x[i] = m[i][N] / m[i][i];
  return true;
}

// From u to where residual(u) vanishes: size(r) below `small`. A step that makes it worse is halved; `limit` puts an unknown back where it may be.
// False where the equations do not determine the unknowns; whether they were solved is for the caller to ask.
template <std::size_t N, class Residual, class Size, class Limit>
bool solve_newton(std::array<double, N>& u, Residual&& residual, Size&& size, Limit&& limit, double small = 1e-20) {
  std::array<double, N> r = residual(u);
  for (int k = 0; k < 60 && size(r) > small; ++k) {
    std::array<std::array<double, N + 1>, N> m;
    for (std::size_t j = 0; j < N; ++j) {
      std::array<double, N> v = u;
      v[j] += 1e-6;
      const std::array<double, N> s = residual(v);
      for (std::size_t i = 0; i < N; ++i) m[i][j] = (s[i] - r[i]) * 1e6;
    }
    for (std::size_t i = 0; i < N; ++i) m[i][N] = -r[i];
    std::array<double, N> step;
    if (!solve_linear(m, step)) return false;
    double share = 1;
    for (int half = 0; half < 12; ++half, share *= 0.5) {
      std::array<double, N> v = u;
      for (std::size_t i = 0; i < N; ++i) v[i] += share * step[i];
      limit(v);
      const std::array<double, N> s = residual(v);
      if (size(s) < size(r) || half == 11) {
        u = v, r = s;
        break;
      }
    }
  }
  return true;
}

}  // namespace volary::inline VOLARY_ISA::math
