// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace volary::cli {

// whether `volary vehicle check` was given a DAVE-ML model instead of an airframe: by its ending, .dml or .xml
bool is_daveml(const std::string& path);

// reads the model, runs the checks that it carries, and tabulates inputs, outputs and tables; returns the exit code
int check_daveml(const std::string& path, bool json);

}  // namespace volary::cli
