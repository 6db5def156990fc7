// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The setpoints that scaled actions stand for: as the task says, or as far as the airframe and its controller go.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "volary/learning.hpp"

namespace volary::engine {

struct Flock;

struct ActionRange {
  std::vector<double> low, high;     // of an action of -1 and of 1, by number
  std::vector<float> middle, half;   // the same as the sweep wants it
};

// empty where actions are not scaled; `size` is how many numbers an action of the flock has
core::Result<ActionRange> action_range(const Flock& f, const ActionDef& def, std::size_t size);

}  // namespace volary::engine
