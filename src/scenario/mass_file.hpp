// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Mass and inertia as drawing programs write them: lines of a name, a number and a unit, such as "mass = 1.2 kg" or "Lxx: 12300 grams * square millimeters".
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace volary::scenario {

struct MassProperties {
  double mass = 0;                          // kg
  std::array<double, 3> inertia = {0, 0, 0};   // kg m2: xx yy zz
  std::array<double, 3> products = {0, 0, 0};  // kg m2: xy xz yz, elements of the tensor
  std::string source;
};

core::Result<MassProperties> read_mass_properties(std::string_view text, const std::string& file);

}  // namespace volary::scenario
