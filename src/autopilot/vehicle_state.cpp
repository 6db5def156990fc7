// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/vehicle_state.hpp"

#include "math/functions.hpp"

namespace volary::autopilot {

namespace {
constexpr double kPi = 3.14159265358979323846;
}

double yaw_of(const std::array<double, 4>& q) { return math::atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3])); }
double wrap(double angle) { return angle - 2 * kPi * math::floor((angle + kPi) / (2 * kPi)); }
double compass_from_yaw(double yaw) { return wrap(kPi / 2 - yaw); }
double yaw_from_compass(double compass) { return wrap(kPi / 2 - compass); }

}  // namespace volary::autopilot
