// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whole columns of a table in text, and tables that are recognised by the names of their columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "scenario/csv_file.hpp"

namespace volary::scenario {

// every cell of a column as a number; the error names line and column, and the column that may have been meant
core::Result<std::vector<double>> csv_column(const CsvFile& csv, std::string_view name);
// the same, with not-a-number where a cell is empty
core::Result<std::vector<double>> csv_column_with_gaps(const CsvFile& csv, std::string_view name);
core::Error no_such_column(const CsvFile& csv, std::string_view name);

// the names in the first line of a file, without reading the rest of it; none when there is no such line
std::vector<std::string> csv_names(const std::string& path);

// every file below `path` (or `path` itself) whose first line has all these names, sorted; folders are looked into six deep
std::vector<std::string> find_csv_files(const std::string& path, const std::vector<std::string>& names);

}  // namespace volary::scenario
