// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is in a log: messages with their numbers and rates, how long it is, whose it is.
#pragma once

#include <string>
#include <vector>

#include "cli/report.hpp"
#include "core/result.hpp"
#include "logs/log.hpp"

namespace volary::cli {

// the rows of one log; `prefix` is empty, or its name and a slash
void add_log_rows(const logs::Log& log, const std::string& prefix, Report& report);
void print_log(const logs::Log& log);

// volary import LOG... --info
int show_logs(const std::vector<std::string>& paths, bool json);

}  // namespace volary::cli
