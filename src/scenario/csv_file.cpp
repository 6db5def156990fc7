// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace volary::scenario {

namespace {

constexpr std::size_t kMostCells = 20'000'000;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<CsvCell> cells_of(std::string_view line, int number) {
  std::vector<CsvCell> cells;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::string_view whole = line.substr(begin, end - begin), text = trimmed(whole);
    const std::size_t column = text.empty() ? begin : static_cast<std::size_t>(text.data() - line.data());
    cells.push_back({text, number, static_cast<int>(column) + 1});
    if (end == line.size()) return cells;
    begin = end + 1;
  }
}

}  // namespace

int CsvFile::find(std::string_view name) const {
  const auto at = std::find_if(names.begin(), names.end(), [&](const CsvCell& c) { return c.text == name; });
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

std::vector<std::string> CsvFile::column_names() const {
  std::vector<std::string> out;
  for (const CsvCell& c : names) out.emplace_back(c.text);
  return out;
}

core::Error CsvFile::error(const CsvCell& at, std::string message, std::string suggestion) const {
  core::Error e;
  e.message = std::move(message);
  e.file = file;
  e.line = at.line;
  e.column = at.column;
  e.suggestion = std::move(suggestion);
  return e;
}

core::Result<double> CsvFile::number(const CsvCell& cell) const {
  std::string_view text = cell.text;
  if (text.empty()) return error(cell, "an empty cell", "every cell needs a number");
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc::result_out_of_range) return error(cell, fmt::format("'{}' is too large or too small for a number", cell.text.substr(0, 40)));
  if (problem != std::errc{} || end != text.data() + text.size()) return error(cell, fmt::format("'{}' is not a number", cell.text.substr(0, 40)));
  if (!(value - value == 0)) return error(cell, fmt::format("'{}' is not a finite number", cell.text.substr(0, 40)));
  return value;
}

// one column, in whose name another separator stands: semicolons are what spreadsheets write where the decimal point is a comma
static core::Status check_separator(const CsvFile& csv) {
  const std::size_t at = csv.names.size() == 1 ? csv.names[0].text.find_first_of(";\t") : std::string_view::npos;
  if (at == std::string_view::npos) return core::ok();
  const bool semicolon = csv.names[0].text[at] == ';';
  CsvCell place = csv.names[0];
  place.column += static_cast<int>(at);
  return csv.error(place, fmt::format("columns are separated by {}: the separator must be a comma", semicolon ? "semicolons" : "tabs"),
                   semicolon ? "write commas between cells, and a point in numbers" : "write commas instead of tabs");
}

core::Result<CsvFile> parse_csv(std::string_view text, const std::string& file) {
  CsvFile csv;
  csv.file = file;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the mark some editors put first
  std::size_t cells = 0;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end), line = whole.substr(0, std::min(end, whole.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trimmed(line).empty()) continue;
    std::vector<CsvCell> row = cells_of(line, number);
    if (csv.names.empty()) {
      csv.names = std::move(row);
      if (const core::Status commas = check_separator(csv); !commas) return commas.error();
      for (std::size_t k = 0; k < csv.names.size(); ++k) {
        if (csv.names[k].text.empty()) return csv.error(csv.names[k], fmt::format("column {} has no name", k + 1));
        if (csv.find(csv.names[k].text) != static_cast<int>(k))
          return csv.error(csv.names[k], fmt::format("column '{}' is given twice", csv.names[k].text.substr(0, 40)), "keep one");
      }
      continue;
    }
    if (row.size() != csv.names.size())
      return csv.error(row.back(), fmt::format("{} cells in a row, {} columns have names", row.size(), csv.names.size()),
                       row.size() > csv.names.size() ? "a decimal comma? write a point" : "");
    cells += row.size();
    if (cells > kMostCells) return csv.error(row.front(), fmt::format("more than {} cells", kMostCells));
    csv.rows.push_back(std::move(row));
  }
  CsvCell nowhere;
  if (csv.names.empty()) return csv.error(nowhere, "the file is empty", "the first line names the columns");
  if (csv.rows.empty()) return csv.error(csv.names.front(), "there are no rows under the column names");
  return csv;
}

}  // namespace volary::scenario
