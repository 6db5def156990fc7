// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which recordings a check reads and which of them it scores.
#pragma once

#include <string>
#include <vector>

#include "validation/check.hpp"

namespace volary::validation {

struct FlightFile {
  std::string path;
  bool scored = true;
};

// Every file below the data folder that has these columns, and those that options.flights name. Where flights are named only they are scored, the
// others may help to fit. Empty where nothing would be scored.
std::vector<FlightFile> find_flights(const CheckOptions& options, const std::vector<std::string>& columns);

}  // namespace volary::validation
