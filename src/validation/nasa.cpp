// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The check cases of NASA/TM-2015-218675: every folder Atmos_<id>_<name> of trajectories is flown as its definition says
// (assets/checkcases) and compared with the mean of the simulations that agree best. A threshold is the larger of their band and a
// floor, times what the definition grants the vehicle.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "scenario/daveml.hpp"
#include "validation/check.hpp"
#include "validation/checkcase_flight.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr const char* kGroups[] = {"altitude", "velocity", "attitude"};
constexpr const char* kGroupUnits[] = {"ft", "ft/s", "deg"};

struct CaseData {
  std::vector<CaseFolder> folders;
  std::string models;
};

// the folder itself, the one inside it that has trajectories, or a single case
CaseData find_case_data(const CheckOptions& options) {
  const fs::path data = fs::path(options.data).lexically_normal();
  for (const fs::path& folder : {data, data / "nasa_eom_checkcases"})
    if (std::vector<CaseFolder> found = find_case_folders(folder.string()); !found.empty()) return {std::move(found), (folder / "models").string()};
  const fs::path itself = data.has_filename() ? data : data.parent_path(), above = itself.parent_path();
  CaseData one{{}, (above / "models").string()};
  for (CaseFolder& c : find_case_folders(above.empty() ? "." : above.string()))
    if (fs::path(c.path).filename() == itself.filename()) one.folders.push_back(std::move(c));
  return one;
}

bool finds_data(const CheckOptions& options) { return options.flights.empty() && !find_case_data(options).folders.empty(); }

struct CaseResult {
  Reference reference;
  CaseFlight flight;
  Quantities worst{}, threshold{};
};

core::Result<Reference> read_reference(const CheckCaseList& list, const CaseFolder& folder) {
  std::vector<Trajectory> trajectories;
  for (const auto& [simulation, file] : folder.files) {
    if (std::find(list.simulations.begin(), list.simulations.end(), simulation) == list.simulations.end()) continue;
    core::Result<Trajectory> t = read_trajectory(file, simulation);
    if (!t) return t.error();
    trajectories.push_back(std::move(t).value());
  }
  if (!trajectories.empty()) return mean_of(trajectories);
  core::Error error;
  error.file = folder.path;
  error.message = fmt::format("there is no trajectory of simulation {} here", fmt::join(list.simulations, ", "));
  error.suggestion = fmt::format("files are called Atmos_{}_sim_{}.csv", folder.id, list.simulations.front());
  return error;
}

core::Result<CaseResult> run_case(const CheckCaseList& list, const CheckCaseDef& def, const CaseFolder& folder, const std::string& models) {
  core::Result<Reference> reference = read_reference(list, folder);
  if (!reference) return reference.error();
  CaseResult r;
  r.reference = std::move(reference).value();
  core::Result<CaseFlight> flight = fly_case(list, def, models, r.reference.first, r.reference.time);
  if (!flight) return flight.error();
  r.flight = std::move(flight).value();
  const double floors[] = {list.floor_altitude, list.floor_velocity, list.floor_angle};
  for (std::size_t q = 0; q < kQuantities; ++q) {
    for (std::size_t k = 0; k < r.reference.time.size(); ++k)
      r.worst[q] = std::max(r.worst[q], math::abs(difference(q, r.reference.mean[k][q], r.flight.rows[k][q])));
    r.threshold[q] = std::max(r.reference.band[q], floors[kQuantityInfo[q].group]);
  }
  return r;
}

std::string label_of(const CheckCaseDef& def) { return fmt::format("{:<5} {}", def.id, def.title); }

// of each group the quantity that is nearest to its threshold
void add_to_table(const CheckCaseDef& def, const CaseResult& r, CheckReport& report) {
  std::vector<std::string> row = {label_of(def)};
  bool all_hold = true;
  for (int group = 0; group < 3; ++group) {
    std::optional<std::size_t> nearest;
    for (std::size_t q = 0; q < kQuantities; ++q)
      if (kQuantityInfo[q].group == group && (!nearest || r.worst[q] / r.threshold[q] > r.worst[*nearest] / r.threshold[*nearest])) nearest = q;
    all_hold = all_hold && r.worst[*nearest] <= r.threshold[*nearest];
    row.push_back(fmt::format("{:.2g}", r.worst[*nearest]));
    row.push_back(fmt::format("{:.2g}", r.threshold[*nearest]));
  }
  row.push_back(fmt::format("{}", fmt::join(r.reference.simulations, "+")));
  row.push_back(all_hold ? "ok" : "FAILED");
  report.table.push_back(std::move(row));
}

void add_figures(const CheckCaseDef& def, const CaseResult& r, CheckReport& report) {
  for (std::size_t q = 0; q < kQuantities; ++q)
    report.figures.push_back({fmt::format("nasa/{}/{}", def.id, kQuantityInfo[q].name), r.worst[q], kQuantityInfo[q].unit, r.threshold[q], Sense::AtMost});
}

void add_picture(const CheckCaseDef& def, const CaseResult& r, CheckReport& report) {
  Picture picture;
  picture.name = "nasa_" + def.id;
  picture.title = fmt::format("Case {}: {}; ours minus the mean of simulations {}", def.id, def.title, fmt::join(r.reference.simulations, ", "));
  picture.x_title = "time, s";
  picture.x = r.reference.time;
  for (int group = 0; group < 3; ++group) {
    Panel panel{kGroups[group], kGroupUnits[group], {}, {}};
    for (std::size_t q = 0; q < kQuantities; ++q) {
      if (kQuantityInfo[q].group != group) continue;
      Curve curve{kQuantityInfo[q].name, {}};
      for (std::size_t k = 0; k < r.reference.time.size(); ++k) curve.values.push_back(difference(q, r.reference.mean[k][q], r.flight.rows[k][q]));
      panel.curves.push_back(std::move(curve));
      for (const double sign : {-1.0, 1.0}) panel.thresholds.push_back(sign * r.threshold[q]);
    }
    picture.panels.push_back(std::move(panel));
  }
  report.pictures.push_back(std::move(picture));
}

// the checks that the model files carry; a faulty file is told, the others are checked all the same
void add_self_tests(const std::string& models, CheckReport& report) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(models, ignored))
    if (entry.path().extension() == ".dml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const core::Result<scenario::DaveModel> dave = scenario::load_daveml(file.string());
    const core::Result<scenario::DaveSelfTest> test = dave ? scenario::run_self_test(dave.value()) : core::Result<scenario::DaveSelfTest>(dave.error());
    if (!test) {
      report.errors.push_back(test.error());
      continue;
    }
    if (test.value().shots == 0) continue;
    report.figures.push_back({fmt::format("nasa/models/{}", file.stem().string()), test.value().worst, "of tolerance", 1, Sense::AtMost});
    report.remarks.push_back(fmt::format("{} passes the {} static checks ({} numbers) that it carries; the largest difference is {:.2g} of its tolerance.",
                                         file.filename().string(), test.value().shots, test.value().signals, test.value().worst));
  }
}

core::Error unknown_case(const CheckCaseList& list, const CaseFolder& folder) {
  std::vector<std::string> known;
  for (const CheckCaseDef& c : list.cases) known.push_back(c.id);
  core::Error error;
  error.file = folder.path;
  error.message = "case " + folder.id + " is not defined";
  error.suggestion = fmt::format("known: {}", fmt::join(known, ", "));
  return error;
}

core::Result<CheckReport> run(const CheckOptions& options) {
  const core::Result<CheckCaseList> list = load_checkcases((fs::path(options.assets) / "checkcases" / "nasa_tm_2015_218675.yaml").string());
  if (!list) return list.error();
  const CaseData data = find_case_data(options);
  CheckReport report;
  report.title = "Flight check cases of " + list.value().source;
  report.header = {"case", "altitude ft", "threshold", "velocity ft/s", "threshold", "attitude deg", "threshold", "reference", ""};
  add_self_tests(data.models, report);
  for (const CaseFolder& c : data.folders) {
    const CheckCaseDef* def = list.value().find(c.id);
    if (def == nullptr) {
      report.errors.push_back(unknown_case(list.value(), c));
      continue;
    }
    const core::Result<CaseResult> result = run_case(list.value(), *def, c, data.models);
    if (!result) {
      report.errors.push_back(result.error());
      report.table.push_back({label_of(*def), "-", "-", "-", "-", "-", "-", "-", "ERROR"});
      continue;
    }
    add_figures(*def, result.value(), report);
    add_to_table(*def, result.value(), report);
    add_picture(*def, result.value(), report);
    if (def->trimmed) {
      const Trim& t = result.value().flight.trim;
      report.remarks.push_back(fmt::format("Case {} trims at a pitch of {:.5f} deg, throttle {:.6f} and stick {:.6f} in {} rounds.", def->id,
                                           t.pitch * 57.29577951308232, t.throttle, t.pitch_control, t.rounds));
    }
  }
  return report;
}

}  // namespace

const Check kNasaCheck = {"nasa", "6-degree-of-freedom check cases of NASA/TM-2015-218675", "folders Atmos_<case>_<name> of CSV files, and models/ beside them",
                          finds_data, run, true, nullptr,
                          "The model is geodetic_body, a rigid body over the rotating Earth in double precision. No scenario uses this model."};

}  // namespace volary::validation
