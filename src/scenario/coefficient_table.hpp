// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Aerodynamic coefficients from a flow computation or a wind tunnel (docs/vehicles.md): a CSV over the angle of attack, perhaps the sideslip, and
// perhaps a surface, the Mach number or the speed. Rows come in any order and must fill the grid.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

// what a table may depend on besides the angle of attack and the sideslip
enum class ThirdAxis { Elevator, Aileron, Rudder, Flap, Mach, Speed };

struct CoefficientTable {
  std::vector<double> alpha;  // rad
  std::vector<double> beta;   // rad; empty: the table does not depend on it
  std::optional<ThirdAxis> third;
  std::vector<double> third_values;  // rad, Mach number or m/s
  // CL CD CY Cl Cm Cn over alpha, beta, third, those there are, for math/lookup.hpp. CL and CD along stability axes, moments about the body's.
  std::vector<double> blob;
};

inline constexpr int kCoefficients = 6;

core::Result<CoefficientTable> read_coefficient_table(std::string_view text, const std::string& file);

}  // namespace volary::scenario
