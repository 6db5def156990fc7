// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/flight_files.hpp"

#include <algorithm>
#include <filesystem>

#include "scenario/csv_columns.hpp"

namespace volary::validation {

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
    else if (fs::is_regular_file(flight, ignored) && !scenario::find_csv_files(flight, columns).empty())
      files.push_back({flight, true});
  }
  if (std::none_of(files.begin(), files.end(), [](const FlightFile& f) { return f.scored; })) files.clear();
  return files;
}

}  // namespace volary::validation
