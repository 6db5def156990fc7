// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a scenario allows and its author probably did not mean: sound input that gives a result of little worth. `check` and `run` print it.
#pragma once

#include <string>
#include <vector>

#include "volary/def.hpp"

namespace volary::scenario {

// each with the field it is about: "flocks.birds.behaviours: reynolds needs ..."
std::vector<std::string> warnings_of(const WorldDef& def);

}  // namespace volary::scenario
