// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Latency, jitter and losses of the serial lines to boards: rows of a report, and a table of a line per board.
#pragma once

#include "autopilot/hardware/board.hpp"
#include "cli/report.hpp"

namespace volary::cli {

// rows serial/VEHICLE/...
void add_boards(const std::vector<autopilot::BoardFigures>& boards, Report& report);
bool is_of_boards(const Row& row);
void print_boards(const Report& report);

}  // namespace volary::cli
