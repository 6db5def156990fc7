// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What recording, streaming and drawing cost: rows of `volary bench` beside those of the engine.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

// size and speed of the view, cost of recording, other interpolators beside ours
core::Status bench_recording(Report& report);
// 10,000 vehicles at 30 Hz to four clients, and one that never reads
core::Status bench_stream(Report& report);
// the browser tests' own figures; runs them
core::Status bench_viewer(Report& report);

void print_edges(const Report& report);

}  // namespace volary::cli
