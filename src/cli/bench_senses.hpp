// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary bench senses: what an IMU, every other sensor and the estimator cost a vehicle in a tick, and how far 10,000 of them are from real time.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

core::Status bench_senses(Report& report);
void print_senses(const Report& report);

}  // namespace volary::cli
