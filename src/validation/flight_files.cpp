// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/flight_files.hpp"

#include <algorithm>
#include <filesystem>

#include "scenario/csv_columns.hpp"
#include "scenario/node.hpp"

namespace volary::validation {

namespace {

constexpr std::size_t kShared = 100;  // one row in so many of the shorter file: sensors never repeat that often

// the rows without their time, sorted; none where a file cannot be read, which whoever uses it will tell
std::vector<std::vector<double>> rows_of(const std::string& path, const std::vector<std::string>& columns) {
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return {};
  const core::Result<scenario::CsvFile> csv = scenario::parse_csv(text.value(), path);
  if (!csv) return {};
  std::vector<std::vector<double>> rows(csv.value().rows.size());
  for (std::size_t c = 1; c < columns.size(); ++c) {
    const core::Result<std::vector<double>> column = scenario::csv_column(csv.value(), columns[c]);
    if (!column) return {};
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].push_back(column.value()[k]);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

bool coincide(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  const auto shared = std::count_if(a.begin(), a.end(), [&](const std::vector<double>& row) { return std::binary_search(b.begin(), b.end(), row); });
  return shared > 0 && static_cast<std::size_t>(shared) * kShared >= std::min(a.size(), b.size());
}

void mark_copies(const std::vector<std::string>& columns, std::vector<FlightFile>& files) {
  if (std::all_of(files.begin(), files.end(), [](const FlightFile& f) { return f.scored; })) return;
  for (const FlightFile& scored : files) {
    if (!scored.scored) continue;
    const std::vector<std::vector<double>> rows = rows_of(scored.path, columns);
    for (FlightFile& other : files)
      if (!other.scored && other.copy_of.empty() && coincide(rows_of(other.path, columns), rows)) other.copy_of = scored.path;
  }
}

}  // namespace

bool has_columns(const std::string& path, const std::vector<std::string>& columns) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && !scenario::find_csv_files(path, columns).empty();
}

std::vector<FlightFile> find_flights(const CheckOptions& options, const std::vector<std::string>& columns) {
  namespace fs = std::filesystem;
  std::vector<FlightFile> files;
  if (!options.data.empty())
    for (std::string& path : scenario::find_csv_files(options.data, columns)) files.push_back({std::move(path), options.flights.empty()});
  for (const std::string& flight : options.flights) {
    std::error_code ignored;
    const auto same = [&](const FlightFile& f) { return fs::equivalent(f.path, flight, ignored); };
    if (const auto found = std::find_if(files.begin(), files.end(), same); found != files.end())
      found->scored = true;
    else if (has_columns(flight, columns))
      files.push_back({flight, true});
  }
  if (std::none_of(files.begin(), files.end(), [](const FlightFile& f) { return f.scored; })) files.clear();
  mark_copies(columns, files);
  return files;
}

}  // namespace volary::validation
