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
  std::string copy_of = {};  // a scored recording that has the same rows: fitting on this one would be fitting on what is scored
};

// Every file below the data folder that has these columns, and those that options.flights name. Where flights are named only they are scored, the
// others may help to fit, unless they are copies of it. The first column is the time, which a copy may count otherwise. Empty where nothing would be scored.
std::vector<FlightFile> find_flights(const CheckOptions& options, const std::vector<std::string>& columns);

// whether a file is a table with these columns
bool has_columns(const std::string& path, const std::vector<std::string>& columns);

}  // namespace volary::validation
