// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Polynomial paths: minimum snap through waypoints, and straight legs from rest to rest.
// Plain double arithmetic and square roots only, so that every machine makes the same path.
#pragma once

#include <vector>

#include "volary/def.hpp"

namespace volary::scenario {

// The path of least integrated squared snap through the points at given leg durations, at rest (velocity,
// acceleration, jerk zero) at both ends; Mellinger and Kumar, "Minimum snap trajectory generation and
// control for quadrotors", ICRA 2011. The minimiser is the spline of degree 7 whose derivatives up to the
// 6th are continuous. points.size() == durations.size() + 1 >= 2, durations > 0.
Path minimum_snap(const std::vector<Vec>& points, const std::vector<double>& durations);

// straight legs: speed rises along the smooth step 10u^3 - 15u^4 + 6u^5 to `speed` (less on a short leg),
// stays, and falls; `acceleration` is the highest. Neighbouring points differ.
Path straight_legs(const std::vector<Vec>& points, double speed, double acceleration, double pause);

double distance(const Vec& a, const Vec& b);

// the polynomial of degree 7 with this position, velocity, acceleration and jerk at 0 (the first four) and at h
std::array<double, 8> hermite(const std::array<double, 8>& boundary, double h);

// position and derivatives up to the 7th at `s` seconds into a piece
std::array<double, 8> derivatives(const std::array<double, 8>& coefficient, double s);

}  // namespace volary::scenario
