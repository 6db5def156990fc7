// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/csv_columns.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "core/suggest.hpp"

namespace volary::scenario {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 6;
constexpr std::size_t kLongestHeader = 1 << 16;  // a file without line ends is no table

core::Result<std::vector<double>> read_column(const CsvFile& csv, std::string_view name, bool gaps) {
  const int column = csv.find(name);
  if (column < 0) return no_such_column(csv, name);
  std::vector<double> out;
  out.reserve(csv.rows.size());
  for (const std::vector<CsvCell>& row : csv.rows) {
    const CsvCell& cell = row[static_cast<std::size_t>(column)];
    if (gaps && cell.text.empty()) {
      out.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const core::Result<double> number = csv.number(cell);
    if (!number) {
      core::Error error = number.error();
      error.field = std::string(name);
      return error;
    }
    out.push_back(number.value());
  }
  return out;
}

}  // namespace

core::Error no_such_column(const CsvFile& csv, std::string_view name) {
  return csv.error(CsvCell{{}, csv.names.front().line, 0}, fmt::format("there is no column '{}'", name), core::did_you_mean(name, csv.column_names()));
}

core::Result<std::vector<double>> csv_column(const CsvFile& csv, std::string_view name) { return read_column(csv, name, false); }
core::Result<std::vector<double>> csv_column_with_gaps(const CsvFile& csv, std::string_view name) { return read_column(csv, name, true); }

std::vector<std::string> csv_names(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  for (char c = 0; line.size() < kLongestHeader && in.get(c) && c != '\n';) line += c;
  if (line.size() >= kLongestHeader) return {};
  line += "\n0";  // a row, for the reader
  line += std::string(static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')), ',');
  const core::Result<CsvFile> csv = parse_csv(line, path);
  return csv ? csv.value().column_names() : std::vector<std::string>();
}

std::vector<std::string> find_csv_files(const std::string& path, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  const auto look_at = [&](const fs::path& file) {
    const std::vector<std::string> has = csv_names(file.string());
    if (std::all_of(names.begin(), names.end(), [&](const std::string& n) { return std::find(has.begin(), has.end(), n) != has.end(); }))
      found.push_back(file.string());
  };
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    look_at(path);
    return found;
  }
  fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end; at.increment(error)) {
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
    if (at->path().extension() == ".csv" && at->is_regular_file(error)) look_at(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace volary::scenario
