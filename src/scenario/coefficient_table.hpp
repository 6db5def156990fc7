// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Aerodynamic coefficients from a flow computation or a wind tunnel (docs/aircraft.md): a CSV over the angle of attack, perhaps the sideslip, and
// perhaps a surface, the Mach number or the speed. Rows come in any order and must fill the grid.
#pragma once

#include <array>
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
  // CL CD CY Cl Cm Cn node by node: over alpha, beta, third, the last of them fastest. CL and CD along stability axes, moments about the body's.
  std::vector<double> values;
};

inline constexpr int kCoefficients = 6;

core::Result<CoefficientTable> read_coefficient_table(std::string_view text, const std::string& file);

// Gives a table without sideslip two ends of it, at which the coefficients are `per_beta` (CL to Cn, 1/rad) times beta more: linear in between.
void spread_over_sideslip(CoefficientTable& table, const std::array<double, kCoefficients>& per_beta);

// for math/lookup.hpp
core::Result<std::vector<double>> make_blob(const CoefficientTable& table);

}  // namespace volary::scenario
