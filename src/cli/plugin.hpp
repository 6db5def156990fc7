// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary plugin build: a behaviour in C++ becomes a shared library with the project's own floating-point flags.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "core/result.hpp"

namespace volary::cli {

void add_plugin(CLI::App& app, Action& action);

// compiles, looks for the C math library in the result, and loads it once; returns the path of the library
core::Result<std::string> build_plugin(const std::string& source, const std::string& output);

}  // namespace volary::cli
