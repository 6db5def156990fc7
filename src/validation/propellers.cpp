// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Propellers of a database (J. B. Brandt and others, UIUC Propeller Database): our two forms of a propeller, made from every second advance ratio, beside
// the measurements in between. The table form interpolates CT and CP at one speed; the other is SIGMA eq. 7 (vehicles/propeller.hpp), four numbers
// for all speeds of a propeller.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "math/least_squares.hpp"
#include "scenario/csv_columns.hpp"
#include "scenario/node.hpp"
#include "scenario/propeller_table.hpp"
#include "validation/check.hpp"
#include "validation/samples.hpp"
#include "vehicles/propeller.hpp"

namespace volary::validation {

namespace {

// ours: what interpolation may cost beside the scatter of the measurements, and what four numbers may
constexpr double kTableBar = 0.02, kFormulaBar = 0.08;  // of the largest value
constexpr double kDensity = 1.225, kPi = 3.141592653589793, kInch = 0.0254;
constexpr double kBand = 0.05;  // of the speed: rows of one run
constexpr std::size_t kLeastRows = 6;

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names = {"PropName", "D", "J", "N", "CT", "CP"};
  return names;
}

std::vector<std::string> find_tables(const CheckOptions& options) {
  return options.flights.empty() ? scenario::find_csv_files(options.data, columns()) : std::vector<std::string>();
}
bool finds_data(const CheckOptions& options) { return !find_tables(options).empty(); }

struct Row {
  double j = 0, rpm = 0, ct = 0, cp = 0;
};
struct Propeller {
  double diameter = 0;  // m
  std::vector<Row> rows;
};

core::Result<std::map<std::string, Propeller>> read_propellers(const scenario::CsvFile& csv) {
  std::map<std::string, Propeller> all;
  std::vector<std::vector<double>> numbers;
  for (const std::string& name : columns()) {
    if (name == "PropName") continue;
    core::Result<std::vector<double>> column = scenario::csv_column(csv, name);
    if (!column) return column.error();
    numbers.push_back(std::move(column).value());
  }
  const auto name = static_cast<std::size_t>(csv.find("PropName"));
  for (std::size_t k = 0; k < csv.rows.size(); ++k) {
    Propeller& p = all[std::string(csv.rows[k][name].text)];
    p.diameter = numbers[0][k] * kInch;
    p.rows.push_back({numbers[1][k], numbers[2][k], numbers[3][k], numbers[4][k]});
  }
  return all;
}

// rows in the air stream whose speeds lie together, sorted by advance ratio
std::vector<std::vector<Row>> runs_of(std::vector<Row> rows) {
  std::erase_if(rows, [](const Row& r) { return !(r.j > 0); });
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rpm < b.rpm; });
  std::vector<std::vector<Row>> runs;
  for (const Row& r : rows) {
    if (runs.empty() || r.rpm > (1 + kBand) * runs.back().front().rpm) runs.emplace_back();
    runs.back().push_back(r);
  }
  std::erase_if(runs, [](const std::vector<Row>& run) { return run.size() < kLeastRows; });
  for (std::vector<Row>& run : runs) std::stable_sort(run.begin(), run.end(), [](const Row& a, const Row& b) { return a.j < b.j; });
  return runs;
}

struct Coefficients {
  Explained ct, cp;
  double most_ct = 0, most_cp = 0;
  void add(const Row& r, double ct_ours, double cp_ours) {
    ct.add(r.ct, ct_ours), cp.add(r.cp, cp_ours);
    most_ct = std::max(most_ct, r.ct), most_cp = std::max(most_cp, r.cp);
  }
};

struct PropellerSpeed {
  double omega, axial, per_second;  // rad/s, m/s, 1/s
};
PropellerSpeed speed_of(const Row& r, double diameter) { return {r.rpm * kPi / 30, r.j * r.rpm / 60 * diameter, r.rpm / 60}; }

// CT and CP of a load
void score(const Row& r, double diameter, const vehicles::PropellerLoad<double>& load, Coefficients& out) {
  const PropellerSpeed s = speed_of(r, diameter);
  const double d2 = diameter * diameter, thrust = kDensity * s.per_second * s.per_second * d2 * d2;
  out.add(r, load.thrust / thrust, load.torque * s.omega / (thrust * s.per_second * diameter));
}

// the table through the rows with an even number, as an airframe file would read it
core::Status score_table(const std::vector<Row>& run, double diameter, const std::string& file, Coefficients& out) {
  std::string text = "J,CT,CP\n";
  for (std::size_t k = 0; k < run.size(); k += 2) text += fmt::format("{},{},{}\n", run[k].j, run[k].ct, run[k].cp);
  const core::Result<scenario::PropellerTable> table = scenario::read_propeller_table(text, file, {});
  if (!table) return table.error();
  const math::TableView<double> view = math::table_view(table.value().blob.data());
  const vehicles::PropellerTableParams<double> params{diameter, 2 / (kPi * diameter * diameter), 0};
  for (std::size_t k = 1; k + 1 < run.size(); k += 2) {
    const PropellerSpeed s = speed_of(run[k], diameter);
    score(run[k], diameter, vehicles::propeller_load(s.omega, s.axial, kDensity, view, params), out);
  }
  return core::ok();
}

// CT0 and k_lambda from thrust, then profile torque and induced power from what thrust leaves of the torque; rows with an even number
vehicles::PropellerCoefficients fit_formula(const std::vector<std::vector<Row>>& runs, double diameter) {
  vehicles::PropellerCoefficients c;
  c.radius = diameter / 2;
  const double area = kPi * c.radius * c.radius;
  math::NormalEquations thrust(2), torque(2);
  const auto each = [&](auto&& f) {
    for (const std::vector<Row>& run : runs)
      for (std::size_t k = 0; k < run.size(); k += 2) f(run[k], speed_of(run[k], diameter));
  };
  each([&](const Row& r, const PropellerSpeed& s) {
    const double tip = s.omega * c.radius, d2 = diameter * diameter;
    const double row[2] = {1, s.axial / tip};
    thrust.add(row, r.ct * s.per_second * s.per_second * d2 * d2 / (area * tip * tip));
  });
  const std::vector<double> t = math::solve(thrust);
  if (t.empty()) return c;
  c.c_t0 = t[0], c.k_lambda = std::min(t[1], 0.0);
  each([&](const Row& r, const PropellerSpeed& s) {
    vehicles::PropellerCoefficients bare = c;
    bare.induced = 0;
    const vehicles::PropellerLoad<double> load = vehicles::propeller_load(s.omega, s.axial, 0.0, 0.0, 1.0, vehicles::propeller_params(bare));
    const double tip = s.omega * c.radius, scale = area * c.radius * tip * tip, d2 = diameter * diameter;
    const double measured = r.cp * s.per_second * s.per_second * s.per_second * d2 * d2 * diameter / s.omega;
    const double row[2] = {1, load.thrust * load.induced_speed / s.omega / scale};
    torque.add(row, (measured - load.torque) / scale);
  });
  const std::vector<double> q = math::solve(torque, 1e-6);
  if (!q.empty()) c.c_q0 = std::max(q[0], 0.0), c.induced = std::max(q[1], 0.0);
  return c;
}

core::Status add_propeller(const std::string& name, const Propeller& p, const std::string& file, CheckReport& report) {
  const std::vector<std::vector<Row>> runs = runs_of(p.rows);
  if (runs.empty()) return core::ok();
  Coefficients table, formula;
  for (const std::vector<Row>& run : runs)
    if (const core::Status s = score_table(run, p.diameter, file, table); !s) return s;
  const vehicles::PropellerCoefficients c = fit_formula(runs, p.diameter);
  const vehicles::PropellerParams<double> params = vehicles::propeller_params(c);
  for (const std::vector<Row>& run : runs) {
    for (std::size_t k = 1; k < run.size(); k += 2) {
      const PropellerSpeed s = speed_of(run[k], p.diameter);
      score(run[k], p.diameter, vehicles::propeller_load(s.omega, s.axial, 0.0, 0.0, kDensity, params), formula);
    }
  }
  const double parts[4] = {table.ct.error() / table.most_ct, table.cp.error() / table.most_cp, formula.ct.error() / formula.most_ct, formula.cp.error() / formula.most_cp};
  const char* names[4] = {"table_ct", "table_cp", "formula_ct", "formula_cp"};
  std::vector<std::string> row = {name, fmt::format("{}", runs.size()), fmt::format("{}", formula.ct.count())};
  bool holds = true;
  for (std::size_t k = 0; k < 4; ++k) {
    const double bar = k < 2 ? kTableBar : kFormulaBar;
    report.figures.push_back({fmt::format("propeller/{}/{}", name, names[k]), parts[k], "of the largest", bar, Sense::AtMost});
    row.push_back(fmt::format("{:.2f}", 100 * parts[k]));
    holds = holds && parts[k] <= bar;
  }
  row.insert(row.end(), {fmt::format("{:.4f}", c.c_t0), fmt::format("{:.4f}", c.k_lambda), fmt::format("{:.5f}", c.c_q0), fmt::format("{:.2f}", c.induced)});
  row.push_back(holds ? "ok" : "FAILED");
  report.table.push_back(std::move(row));
  return core::ok();
}

core::Result<CheckReport> run(const CheckOptions& options) {
  CheckReport report;
  report.title = "Propellers against the advance ratio, RMS in % of the largest value, on rows that made neither table nor fit";
  report.header = {"propeller", "speeds", "rows", "table CT", "table CP", "eq. 7 CT", "eq. 7 CP", "C_T0", "k_lambda", "C_Q0", "induced", ""};
  for (const std::string& path : find_tables(options)) {
    const core::Result<std::string> text = scenario::read_file(path);
    if (!text) return text.error();
    const core::Result<scenario::CsvFile> csv = scenario::parse_csv(text.value(), path);
    if (!csv) return csv.error();
    const core::Result<std::map<std::string, Propeller>> propellers = read_propellers(csv.value());
    if (!propellers) return propellers.error();
    for (const auto& [name, propeller] : propellers.value())
      if (const core::Status s = add_propeller(name, propeller, path, report); !s) report.errors.push_back(s.error());
  }
  report.remarks.emplace_back("The bars are ours.");
  return report;
}

}  // namespace

const Check kPropellerCheck = {"propellers", "CT and CP of propellers against the advance ratio, from tables and from SIGMA eq. 7", "CSV files with the columns PropName, D, J, N, CT and CP",
                               finds_data, run};

}  // namespace volary::validation
