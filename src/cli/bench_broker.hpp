// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How late and how old states of flying vehicles are at one subscriber of a real broker, with every process on this machine.
#pragma once

#include <string>

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

// `plot`: an HTML page with the curves over the number of vehicles; empty: none. `full`: every mode of alignment over the broker too.
core::Status bench_broker(Report& report, bool full, const std::string& plot);
// a sending process of it: flies that many vehicles of benchmarks/uncoupled.yaml and sends their states as the file says
core::Status send_bench_load(const std::string& file, int vehicles);

}  // namespace volary::cli
