// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One run of a batch, flown on one thread, and its figures: what `volary run` reports that is the same on every machine, and
// the metrics of swarm/metrics.hpp.
#pragma once

#include <functional>

#include "cli/batch_store.hpp"
#include "core/result.hpp"
#include "volary/world.hpp"

namespace volary::cli {

// `radius` (m) is the reach that union counts with; `keep_going` is asked now and then, and an answer of no leaves `finished` false
core::Result<RunResult> fly_for_batch(const WorldDef& def, double radius, const std::function<bool()>& keep_going, bool& finished);

}  // namespace volary::cli
