// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Motors on test stands: the thrust curve of our rotors, fitted to each stand's steady moments, with a root mean square of at most 2 % of full scale.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "math/scalar.hpp"
#include "scenario/thrust_bench.hpp"
#include "validation/check.hpp"
#include "validation/thrust_stand.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;
constexpr double kBar = 2;  // % of full scale, root mean square

bool is_bench(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::ifstream in(path);
  std::string names, row;
  std::getline(in, names), std::getline(in, row);
  return scenario::is_thrust_bench(names + "\n" + row + "\n");
}

// every CSV below the folder that is one of a test stand, or those that were named; sorted
std::vector<fs::path> find_benches(const CheckOptions& options) {
  std::vector<fs::path> found;
  for (const std::string& flight : options.flights)
    if (is_bench(flight)) found.emplace_back(flight);
  if (!options.flights.empty() || options.data.empty()) return found;
  std::error_code code;
  for (auto it = fs::recursive_directory_iterator(options.data, fs::directory_options::skip_permission_denied, code); it != fs::recursive_directory_iterator();
       it.increment(code)) {
    if (code) break;
    if (it.depth() > 6 || it->path().extension() != ".csv") continue;
    if (is_bench(it->path().string())) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// the difference that 95 of 100 steady moments keep within, share of full scale
double percentile95(const airframe::ThrustFit& f) {
  std::vector<double> off;
  for (const airframe::BenchPoint& p : f.steady) off.push_back(math::abs(p.value - airframe::thrust_at(f, p.speed)) / f.full_scale);
  std::sort(off.begin(), off.end());
  return off[(95 * off.size() + 99) / 100 - 1];
}

void add(const std::string& name, const airframe::ThrustFit& f, CheckReport& report) {
  report.figures.push_back({"benches/" + name + "/rms", 100 * f.rms, "% of full scale", kBar, Sense::AtMost});
  const char* verdict = report.figures.back().holds() ? "ok" : "FAILED";
  const double most = percentile95(f);
  report.figures.push_back({"benches/" + name + "/percentile_95", 100 * most, "% of full scale", 0, Sense::NoBar});
  report.figures.push_back({"benches/" + name + "/worst", 100 * f.worst, "% of full scale", 0, Sense::NoBar});
  report.table.push_back({name, fmt::format("{}", f.steady.size()), fmt::format("{:.3g}", f.full_scale), fmt::format("{:.3f}", 100 * f.rms),
                          fmt::format("{:g}", kBar), fmt::format("{:.2f}", 100 * most), fmt::format("{:.2f}", 100 * f.worst),
                          fmt::format("{:.2f}", 100 * f.square_rms), fmt::format("{:.5f}", f.r2), f.torque_ratio ? fmt::format("{:.4g}", *f.torque_ratio) : "-",
                          verdict});
  report.pictures.push_back(picture_of(f, name));
}

bool finds_data(const CheckOptions& options) { return !find_benches(options).empty(); }

core::Result<CheckReport> run(const CheckOptions& options) {
  CheckReport report;
  report.title = "Thrust curves against motors on test stands";
  report.header = {"stand", "points", "full scale N", "rms %", "threshold", "p95 %", "worst %", "square alone rms %", "R2", "torque over thrust m", ""};
  report.remarks = {
      "Only steady moments count: the speed had not changed by 2 % of its range for half a second. The curve has a square and a linear term; the best square "
      "alone is given for comparison. The threshold is on the root mean square of the differences, in % of full scale. The 95th percentile (p95) and the worst "
      "difference have no threshold."};
  for (const fs::path& path : find_benches(options)) {
    const core::Result<ThrustStand> stand = fit_stand(path.string());
    if (stand) {
      add(path.stem().string(), stand.value().fit, report);
    } else {
      report.errors.push_back(stand.error());
      report.table.push_back({path.stem().string(), "-", "-", "-", "-", "-", "-", "-", "-", "-", "ERROR"});
    }
  }
  return report;
}

}  // namespace

const Check kBenchesCheck = {"benches",
                             "thrust of motors on test stands, with an rms of at most 2 % of full scale",
                             "CSV files with a thrust and a speed column, such as Thrust (gf) and Motor Optical Speed (RPM)",
                             finds_data,
                             run,
                             true,
                             is_bench};

}  // namespace volary::validation
