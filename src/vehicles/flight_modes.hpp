// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The natural motions of an aircraft from its linear equations: which eigenvalues are the short period and the phugoid, which are roll, spiral and
// Dutch roll.
#pragma once

#include <array>

namespace volary::airframe {

using Matrix4 = std::array<std::array<double, 4>, 4>;

struct Root {
  double real = 0, imaginary = 0;  // 1/s, rad/s
};

// sorted: the largest first, of a pair the one with the positive imaginary part first
std::array<Root, 4> eigenvalues_of(const Matrix4& m);

// two roots: an oscillation, or two motions that die away or grow by themselves
struct Mode2 {
  Root first, second;
  bool oscillates() const { return first.imaginary != 0; }
  double frequency() const;  // rad/s, undamped
  double damping() const;    // of critical; below 0: it grows
};

struct LongitudinalModes {
  Mode2 short_period, phugoid;  // of u, w, q, theta
};
LongitudinalModes longitudinal_modes(const Matrix4& m);

struct LateralModes {
  bool usual = false;     // one oscillation and two real roots; else only the roots are known
  Mode2 dutch_roll;       // of v, p, r, phi
  double roll = 0, spiral = 0;  // 1/s: below 0 they die away
  std::array<Root, 4> roots{};
};
LateralModes lateral_modes(const Matrix4& m);

}  // namespace volary::airframe
