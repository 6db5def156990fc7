// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/flight_modes.hpp"

#include <algorithm>
#include <utility>

#include "math/scalar.hpp"

namespace volary::airframe {

namespace {

double size_of(const Root& z) { return math::sqrt(z.real * z.real + z.imaginary * z.imaginary); }
Root times(const Root& a, const Root& b) { return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real}; }
Root over(const Root& a, const Root& b) {
  const double n = b.real * b.real + b.imaginary * b.imaginary;
  return {(a.real * b.real + a.imaginary * b.imaginary) / n, (a.imaginary * b.real - a.real * b.imaginary) / n};
}

// of z^4 + c3 z^3 + c2 z^2 + c1 z + c0, by Faddeev and LeVerrier: c[0] is c3
std::array<double, 4> characteristic(const Matrix4& a) {
  std::array<double, 4> c{};
  Matrix4 m{};
  double last = 1;
  for (int k = 0; k < 4; ++k) {
    Matrix4 next{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < 4; ++l) sum += a[i][l] * m[l][j];
        next[i][j] = sum + (i == j ? last : 0);
      }
    m = next;
    double trace = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t l = 0; l < 4; ++l) trace += a[i][l] * m[l][i];
    last = c[static_cast<std::size_t>(k)] = -trace / (k + 1);
  }
  return c;
}

}  // namespace

// all four at once, by Durand and Kerner, scaled so that the roots are of order one
std::array<Root, 4> eigenvalues_of(const Matrix4& m) {
  double scale = 1e-9;
  for (const auto& row : m)
    for (const double x : row) scale = std::max(scale, math::abs(x));
  Matrix4 scaled = m;
  for (auto& row : scaled)
    for (double& x : row) x /= scale;
  const std::array<double, 4> c = characteristic(scaled);
  std::array<Root, 4> z = {{{1, 0}, {0.4, 0.9}, {-0.65, 0.72}, {-0.908, -0.297}}};
  for (int turn = 0; turn < 500; ++turn)
    for (std::size_t i = 0; i < 4; ++i) {
      Root value = {1, 0}, others = {1, 0};
      for (const double k : c) value = times(value, z[i]), value.real += k;
      for (std::size_t j = 0; j < 4; ++j)
        if (j != i) others = times(others, {z[i].real - z[j].real, z[i].imaginary - z[j].imaginary});
      if (size_of(others) < 1e-300) continue;
      const Root step = over(value, others);
      z[i].real -= step.real, z[i].imaginary -= step.imaginary;
    }
  for (Root& r : z) {
    if (math::abs(r.imaginary) < 1e-9) r.imaginary = 0;
    r.real *= scale, r.imaginary *= scale;
  }
  std::sort(z.begin(), z.end(), [](const Root& a, const Root& b) {
    const double x = size_of(a), y = size_of(b);
    return math::abs(x - y) > 1e-7 * std::max(x, y) ? x > y : a.imaginary > b.imaginary;
  });
  return z;
}

double Mode2::frequency() const { return math::sqrt(math::abs(first.real * second.real - first.imaginary * second.imaginary)); }
double Mode2::damping() const {
  const double w = frequency();
  return w > 0 ? -(first.real + second.real) / (2 * w) : 0;
}

LongitudinalModes longitudinal_modes(const Matrix4& m) {
  const std::array<Root, 4> z = eigenvalues_of(m);
  return {{z[0], z[1]}, {z[2], z[3]}};
}

LateralModes lateral_modes(const Matrix4& m) {
  LateralModes modes;
  modes.roots = eigenvalues_of(m);
  std::array<Root, 4> real{}, pair{};
  std::size_t n_real = 0, n_pair = 0;
  for (const Root& z : modes.roots) (z.imaginary == 0 ? real[n_real++] : pair[n_pair++]) = z;
  modes.usual = n_pair == 2;
  if (!modes.usual) return modes;
  modes.dutch_roll = {pair[0], pair[1]};
  modes.roll = real[0].real, modes.spiral = real[1].real;
  return modes;
}

}  // namespace volary::airframe
