// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One recording in a few figures, for the library of runs.
#pragma once

#include <string>

#include "core/result.hpp"
#include "replay/library.hpp"

namespace volary::replay {

class Recording;

RunSummary summary_of(const Recording& recording);
core::Result<RunSummary> summarise(const std::string& path);  // opens it: reads the whole file

}  // namespace volary::replay
