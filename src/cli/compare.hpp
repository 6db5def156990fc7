// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The same scenario flown by every controller: what `volary run --compare-controllers` tabulates.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "volary/world.hpp"

namespace volary::cli {

struct Compared {
  std::string controller;   // path: rpt/jerk=1/epsilon=1
  double max = 0, rms = 0;  // m
  bool diverged = false;
};

// whether any flock can be flown by one controller or another
bool has_controllers(const WorldDef& def);

// flies every variation to the end; `keep_going` is asked now and then
core::Result<std::vector<Compared>> compare_controllers(const WorldDef& def, const RunOptions& options, const std::function<bool()>& keep_going);

}  // namespace volary::cli
