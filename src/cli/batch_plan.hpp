// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a batch flies: every combination of the values of its parameters, each with every seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::cli {

// "1..20", "3", "1,4,7..9": each seed once, in rising order
core::Result<std::vector<std::uint64_t>> parse_seeds(const std::string& text);

// a field of the scenario and the values it takes
struct Axis {
  std::string path;
  std::vector<std::string> values;
};
// "environment.wind=[3,0,0],[6,0,0]": commas inside brackets and quotes belong to a value
core::Result<Axis> parse_axis(const std::string& text);

struct BatchPlan {
  std::vector<std::uint64_t> seeds;
  std::vector<Axis> axes;

  std::size_t n_combinations() const;
  std::size_t n_runs() const { return n_combinations() * seeds.size(); }
  // "path=value" of each axis; the last axis varies fastest
  std::vector<std::string> combination(std::size_t index) const;
};
inline constexpr std::size_t kMostRuns = 1'000'000;

// the values of a combination in one line; "unchanged" without parameters
std::string label_of(const std::vector<std::string>& combination);

}  // namespace volary::cli
