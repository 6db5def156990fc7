// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tables in text: one line of column names, then rows; commas between, # begins a comment, blank lines do not count. Cells keep their places,
// so that whoever reads a number can say where a wrong one stands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

struct CsvCell {
  std::string_view text;  // without blanks around it; of the text that was parsed
  int line = 0, column = 0;
};

struct CsvFile {
  std::string file;  // for errors
  std::vector<CsvCell> names;
  std::vector<std::vector<CsvCell>> rows;  // each as long as `names`

  // number of a column, or -1
  int find(std::string_view name) const;
  std::vector<std::string> column_names() const;
  // a finite number
  core::Result<double> number(const CsvCell& cell) const;
  core::Error error(const CsvCell& at, std::string message, std::string suggestion = "") const;
};

// `text` must outlive what comes back
core::Result<CsvFile> parse_csv(std::string_view text, const std::string& file);

}  // namespace volary::scenario
