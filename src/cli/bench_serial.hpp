// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Hardware in the loop without hardware: a quadrotor that a stand-in for a board flies over a pair of pseudo terminals at 250 Hz, in real time.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

// Round trip, jitter and late ticks, beside a bare exchange of the same bytes over a pseudo terminal and the rates of the yardstick before and after.
core::Status bench_serial(Report& report);

}  // namespace volary::cli
