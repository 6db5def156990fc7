// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A wind field from a CSV file: a line of names, then one line per node with its place, its time and its wind. Lines come in any order; the grid they
// make must be regular and whole.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"
#include "environment/wind_field.hpp"

namespace volary::scenario {

// an error names the line of the text; `file` is how it is called
core::Result<std::shared_ptr<const wind_field::Grid>> read_wind_field(const std::string& text, const std::string& file);

}  // namespace volary::scenario
