// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Variants of an airframe: copies of it in which some numbers are multiplied by factors, drawn from the seed of the scenario. The numbers are named as in the
// airframe's file, `motor.thrust2`, and found by a visitor of its describe list, so that every model has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"
#include "volary/def.hpp"

namespace volary::scenario {

// Every variant has factors of its own, one for each number or vector, and one for each entry of a list of parts such as the rotors. They depend on the seed,
// on `flock`, which is the flock's name, on the name of the number and on the number of the variant. `field` is where the variants are: "flocks[0].variants".
core::Result<std::vector<Airframe>> make_variants(const Airframe& airframe, const VariantsFile& file, const std::string& flock, std::uint64_t seed,
                                                  const std::string& field);

// names of the numbers of an airframe that can be spread, in the order of its describe list
std::vector<std::string> numbers_of(const Airframe& airframe);

}  // namespace volary::scenario
