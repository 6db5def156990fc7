// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What alignment and going back cost in a federation, and how old what it shows is under a bad network.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

core::Status bench_federation(Report& report);

}  // namespace volary::cli
