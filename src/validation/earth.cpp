// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Earth and air beside published values: the test values of the World Magnetic Model, the layers of the U.S. Standard Atmosphere 1976, gravity, and the
// strength of turbulence by height. Files are known by what stands in them.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "environment/atmosphere.hpp"
#include "environment/gravity.hpp"
#include "environment/magnetic.hpp"
#include "environment/turbulence_scale.hpp"
#include "scenario/csv_file.hpp"
#include "scenario/node.hpp"
#include "validation/check.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr double kMagneticBar = 0.1;   // nT: the official values of older models are printed to this
constexpr double kPrintedBar = 0.5;    // of the last printed digit: equal when rounded as printed
constexpr double kLapseBar = 1e-12;    // K/m: lapses are printed in full
constexpr double kAnomalyBar = 5e-3;   // m/s2, 500 mGal: what mountains do to gravity, which normal gravity leaves out
constexpr double kRadian = 0.017453292519943295;
constexpr int kDeepest = 6;
constexpr std::uintmax_t kLargest = 1 << 18;  // bytes: no such table is longer

// one row of test values: decimal year, height in km, latitude and longitude in degrees, then D I H X Y Z F and their rates
using MagneticRow = std::array<double, 18>;

struct ReferenceFile {
  std::string path, text;
  std::string name() const { return fs::path(path).stem().string(); }
};
struct ReferenceFiles {
  std::vector<std::pair<ReferenceFile, std::vector<MagneticRow>>> magnetic;
  std::vector<ReferenceFile> atmosphere, gravity, turbulence;
  bool empty() const { return magnetic.empty() && atmosphere.empty() && gravity.empty() && turbulence.empty(); }
};

constexpr const char* kAtmosphereColumns[] = {"base_geopotential_m", "lapse_K_per_m", "base_temperature_K", "base_pressure_Pa"};
constexpr const char* kGravityColumns[] = {"source", "latitude_deg", "height_m", "g_east_m_s2", "g_north_m_s2", "g_up_m_s2"};
constexpr const char* kTurbulenceColumns[] = {"altitude_ft", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};

// Every line is a remark or 18 numbers of which X, Y, Z make up H and F, at a place on the Earth; otherwise nothing.
std::vector<MagneticRow> magnetic_rows(const std::string& text) {
  std::vector<MagneticRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    std::istringstream cells(line);
    MagneticRow row{};
    for (double& x : row)
      if (!(cells >> x)) return {};
    if (std::string rest; cells >> rest) return {};
    const double x = row[7], y = row[8], z = row[9], h2 = x * x + y * y;
    const bool is_field = math::abs(math::sqrt(h2) - row[6]) < 1 && math::abs(math::sqrt(h2 + z * z) - row[10]) < 1;
    if (!is_field || row[0] < 1900 || row[0] > 2200 || math::abs(row[2]) > 90 || math::abs(row[3]) > 360) return {};
    rows.push_back(row);
  }
  return rows;
}

template <std::size_t N> bool has_all(const scenario::CsvFile& csv, const char* const (&names)[N]) {
  return std::all_of(std::begin(names), std::end(names), [&](const char* name) { return csv.find(name) >= 0; });
}

void look_at(const fs::path& path, ReferenceFiles& found) {
  core::Result<std::string> text = scenario::read_file(path.string());
  if (!text) return;
  ReferenceFile file{path.string(), std::move(text).value()};
  if (path.extension() != ".csv") {
    if (std::vector<MagneticRow> rows = magnetic_rows(file.text); !rows.empty()) found.magnetic.emplace_back(std::move(file), std::move(rows));
    return;
  }
  const core::Result<scenario::CsvFile> csv = scenario::parse_csv(file.text, file.path);
  if (!csv) return;
  if (has_all(csv.value(), kAtmosphereColumns))
    found.atmosphere.push_back(file);
  else if (has_all(csv.value(), kGravityColumns))
    found.gravity.push_back(file);
  else if (has_all(csv.value(), kTurbulenceColumns))
    found.turbulence.push_back(file);
}

ReferenceFiles find_references(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code), end;
  for (; !code && at != end; at.increment(code)) {
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
    const std::string kind = at->path().extension().string();
    std::error_code ignored;
    if ((kind == ".csv" || kind == ".txt" || kind == ".dat") && at->is_regular_file(ignored) && at->file_size(ignored) <= kLargest) paths.push_back(at->path());
  }
  std::sort(paths.begin(), paths.end());
  ReferenceFiles found;
  for (const fs::path& path : paths) look_at(path, found);
  return found;
}

bool finds_data(const CheckOptions& options) { return options.flights.empty() && !options.data.empty() && !find_references(options.data).empty(); }

// a figure and its line of the table
void add(const std::string& name, std::size_t points, double worst, const char* unit, double threshold, CheckReport& report) {
  report.figures.push_back({"earth/" + name, worst, unit, threshold, Sense::AtMost});
  report.table.push_back(
      {name, fmt::format("{}", points), fmt::format("{:.3g}", worst), fmt::format("{:g}", threshold), unit, report.figures.back().holds() ? "ok" : "FAILED"});
}

void check_magnetic(const ReferenceFile& file, const std::vector<MagneticRow>& rows, CheckReport& report) {
  const magnetic::Model& model = magnetic::wmm2025();
  if (!std::all_of(rows.begin(), rows.end(), [&](const MagneticRow& r) { return magnetic::covers(model, r[0]); })) {
    report.remarks.push_back(fmt::format("{}: {} rows are left out: they are not of the built-in model, which holds from {:g} to {:g}.", file.name(),
                                         rows.size(), model.epoch, model.last_year));
    return;
  }
  std::array<double, 4> worst{};
  for (const MagneticRow& r : rows) {
    const magnetic::Elements f = magnetic::field(model, r[2] * kRadian, r[3] * kRadian, r[1] * 1000, r[0]).now;
    const double ours[] = {f.north, f.east, f.down, f.total};
    for (std::size_t k = 0; k < 4; ++k) worst[k] = std::max(worst[k], math::abs(ours[k] - r[7 + k]));
  }
  const char* names[] = {"north", "east", "down", "total"};
  for (std::size_t k = 0; k < 4; ++k) add(fmt::format("magnetic/{}/{}", file.name(), names[k]), rows.size(), worst[k], "nT", kMagneticBar, report);
}

// what one more in the last printed digit would be
double last_digit(std::string_view text) {
  const std::size_t point = text.find('.');
  double unit = 1;
  if (point != std::string_view::npos)
    for (std::size_t k = point + 1; k < text.size() && text[k] >= '0' && text[k] <= '9'; ++k) unit /= 10;
  return unit;
}

// a table whose cells are asked for by column
class Table {
 public:
  explicit Table(const ReferenceFile& file) : csv_(scenario::parse_csv(file.text, file.path).value()) {}
  std::size_t rows() const { return csv_.rows.size(); }
  std::string_view text(std::size_t row, const char* name) const { return csv_.rows[row][static_cast<std::size_t>(csv_.find(name))].text; }
  // 0 where a cell is faulty; the first such cell is remembered, and makes the table an error
  double operator()(std::size_t row, const char* name) {
    const core::Result<double> x = csv_.number(csv_.rows[row][static_cast<std::size_t>(csv_.find(name))]);
    if (x) return x.value();
    if (errors_.empty()) errors_.push_back(x.error());
    return 0;
  }
  const std::vector<core::Error>& errors() const { return errors_; }

 private:
  scenario::CsvFile csv_;
  std::vector<core::Error> errors_;
};

void check_atmosphere(const ReferenceFile& file, CheckReport& report) {
  Table table(file);
  const environment::Atmosphere<double> air = environment::make_atmosphere({});
  double temperature = 0, pressure = 0, lapse = 0;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    const double height = table(k, "base_geopotential_m"), slope = table(k, "lapse_K_per_m");
    const environment::Air<double> base = environment::air_at(air, height), above = environment::air_at(air, height + 500);
    temperature = std::max(temperature, math::abs(base.temperature - table(k, "base_temperature_K")) / last_digit(table.text(k, "base_temperature_K")));
    pressure = std::max(pressure, math::abs(base.pressure - table(k, "base_pressure_Pa")) / last_digit(table.text(k, "base_pressure_Pa")));
    lapse = std::max(lapse, math::abs((above.temperature - base.temperature) / 500 - slope));
  }
  if (!table.errors().empty()) return report.errors.push_back(table.errors().front());
  add(fmt::format("atmosphere/{}/temperature", file.name()), table.rows(), temperature, "of the last digit", kPrintedBar, report);
  add(fmt::format("atmosphere/{}/pressure", file.name()), table.rows(), pressure, "of the last digit", kPrintedBar, report);
  add(fmt::format("atmosphere/{}/lapse", file.name()), table.rows(), lapse, "K/m", kLapseBar, report);
}

// Values of the normal field must come out as printed. What was measured or modelled in full differs from it by the anomaly of the place.
void check_gravity(const ReferenceFile& file, CheckReport& report) {
  Table table(file);
  double normal = 0, anomaly = 0, across = 0;
  std::size_t n_normal = 0, n_real = 0;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    const double ours = environment::normal_gravity(table(k, "latitude_deg") * kRadian, table(k, "height_m")), off = math::abs(ours + table(k, "g_up_m_s2"));
    if (table.text(k, "source").find("normal_gravity") != std::string_view::npos) {
      normal = std::max(normal, off / last_digit(table.text(k, "g_up_m_s2"))), ++n_normal;
      continue;
    }
    anomaly = std::max(anomaly, off), ++n_real;
    across = std::max({across, math::abs(table(k, "g_east_m_s2")), math::abs(table(k, "g_north_m_s2"))});
  }
  if (!table.errors().empty()) return report.errors.push_back(table.errors().front());
  if (n_normal > 0) add(fmt::format("gravity/{}/normal", file.name()), n_normal, normal, "of the last digit", kPrintedBar, report);
  if (n_real == 0) return;
  add(fmt::format("gravity/{}/real", file.name()), n_real, anomaly, "m/s2", kAnomalyBar, report);
  report.remarks.push_back(
      fmt::format("{}: {} values of the real field, which has local anomalies and a horizontal part of up to {:.2g} m/s2. Ours is the normal "
                  "field of WGS-84, which is vertical. The threshold is our own: 500 mGal.",
                  file.name(), n_real, across));
}

void check_turbulence(const ReferenceFile& file, CheckReport& report) {
  Table table(file);
  double worst = 0;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    const double height = table(k, "altitude_ft") * environment::kFoot;
    for (int p = 0; p < 7; ++p) {
      const char* column = kTurbulenceColumns[p + 1];
      const environment::TurbulenceLevels<double> levels =
          environment::turbulence_levels(environment::TurbulenceForm::Dryden, 0, static_cast<environment::Exceedance>(p));
      const double ours = environment::high_intensity(levels, height) / environment::kFoot;
      worst = std::max(worst, math::abs(ours - table(k, column)) / last_digit(table.text(k, column)));
    }
  }
  if (!table.errors().empty()) return report.errors.push_back(table.errors().front());
  add(fmt::format("turbulence/{}/strength", file.name()), 7 * table.rows(), worst, "of the last digit", kPrintedBar, report);
}

core::Result<CheckReport> run(const CheckOptions& options) {
  const ReferenceFiles files = find_references(options.data);
  CheckReport report;
  report.title = "Earth and air compared with published values";
  report.header = {"reference", "values", "worst", "threshold", "unit", ""};
  for (const auto& [file, rows] : files.magnetic) check_magnetic(file, rows, report);
  for (const ReferenceFile& file : files.atmosphere) check_atmosphere(file, report);
  for (const ReferenceFile& file : files.gravity) check_gravity(file, report);
  for (const ReferenceFile& file : files.turbulence) check_turbulence(file, report);
  report.remarks.emplace_back("Half of the last digit means: equal when rounded as the reference is printed.");
  return report;
}

}  // namespace

const Check kEarthCheck = {
    "earth", "magnetic field, atmosphere, gravity and turbulence compared with published values",
    "test values of the World Magnetic Model (18 numbers in a row), and CSV files with base_geopotential_m, g_up_m_s2 or altitude_ft, p1, ...", finds_data,
    run};

}  // namespace volary::validation
