// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Motors on test stands: the thrust curve of our rotors, fitted to each stand's steady moments, within 2 % of full scale.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "scenario/thrust_bench.hpp"
#include "validation/check.hpp"
#include "validation/thrust_stand.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;
constexpr double kBar = 2;  // % of full scale

// every CSV below the folder that is one of a test stand, sorted
std::vector<fs::path> find_benches(const std::string& folder) {
  std::vector<fs::path> found;
  std::error_code code;
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, code); it != fs::recursive_directory_iterator();
       it.increment(code)) {
    if (code) break;
    if (it.depth() > 6 || it->path().extension() != ".csv") continue;
    std::ifstream in(it->path());
    std::string names, row;
    std::getline(in, names), std::getline(in, row);
    if (scenario::is_thrust_bench(names + "\n" + row + "\n")) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void add(const std::string& name, const airframe::ThrustFit& f, CheckReport& report) {
  report.figures.push_back({"benches/" + name + "/rms", 100 * f.rms, "% of full scale", kBar, Sense::AtMost});
  report.table.push_back({name, fmt::format("{}", f.steady.size()), fmt::format("{:.3g}", f.full_scale), fmt::format("{:.3f}", 100 * f.rms),
                          fmt::format("{:g}", kBar), fmt::format("{:.2f}", 100 * f.worst), fmt::format("{:.2f}", 100 * f.square_rms),
                          fmt::format("{:.5f}", f.r2), f.torque_ratio ? fmt::format("{:.4g}", *f.torque_ratio) : "-",
                          report.figures.back().holds() ? "ok" : "FAILED"});
  report.pictures.push_back(picture_of(f, name));
}

bool finds_data(const CheckOptions& options) { return options.flights.empty() && !find_benches(options.data).empty(); }

core::Result<CheckReport> run(const CheckOptions& options) {
  CheckReport report;
  report.title = "Thrust curves against motors on test stands";
  report.header = {"stand", "points", "full scale N", "rms %", "bar", "worst %", "square alone rms %", "R2", "torque over thrust m", ""};
  report.remarks = {
      "Steady moments only: the speed had not changed by 2 % of its range for half a second. The curve has a square and a linear term; the best square alone "
      "is beside it."};
  for (const fs::path& path : find_benches(options.data)) {
    const core::Result<ThrustStand> stand = fit_stand(path.string());
    if (stand) {
      add(path.stem().string(), stand.value().fit, report);
    } else {
      report.errors.push_back(stand.error());
      report.table.push_back({path.stem().string(), "-", "-", "-", "-", "-", "-", "-", "-", "ERROR"});
    }
  }
  return report;
}

}  // namespace

const Check kBenchesCheck = {"benches", "thrust of motors on test stands, within 2 % of full scale", "CSV files with a thrust and a speed column", finds_data,
                             run};

}  // namespace volary::validation
