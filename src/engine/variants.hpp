// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Airframes that the vehicles of a flock fly instead of its own, drawn for each vehicle in each episode. All are derived once, when the flock is made; the parameters
// that differ are columns of their own, and drawing one writes a vehicle's row of them.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.hpp"
#include "math/random.hpp"

namespace volary::engine {

struct Flock;

struct Variants {
  std::size_t n = 0;
  std::vector<int> rows;       // of parameters that differ in some of them
  std::vector<double> values;  // n x rows
};

// after the parameters of the flock's own airframe were derived; an error names the variant
core::Status make_variants(Flock& f);
// for slots [first, last), which are of one world
void draw_variants(Flock& f, std::size_t first, std::size_t last, const math::RandomKey<std::uint32_t>& key_of_world);

}  // namespace volary::engine
