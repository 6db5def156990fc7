// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A file below a folder, by a way that cannot leave it: every step is opened from the one before, and no step may be a link.
#pragma once

#include <string>

#include "core/result.hpp"

namespace volary::scenario {

inline constexpr const char* kOutside = "lies outside the folders that may be read";

// `path` is relative to the folder; plain files only, of the size that read_file() takes
core::Result<std::string> read_inside(const std::string& folder, const std::string& path);

}  // namespace volary::scenario
