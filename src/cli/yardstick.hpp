// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The yardstick: benchmarks/quadrotor_limit_cpu.cpp, what this machine can do for batched quadrotors at best.
// It is a program of its own with its own flags, run beside the benchmark.
#pragma once

#include <map>
#include <string>

namespace volary::cli {

using Yardstick = std::map<std::string, double>;  // best value by row name

// runs it and keeps the better of old and new values; an error text, or empty
std::string run_yardstick(bool quick, Yardstick& best);

}  // namespace volary::cli
