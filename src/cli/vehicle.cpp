// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary vehicle check: what an airframe can do, in numbers to hold against a data sheet; or what a DAVE-ML model needs and gives.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "cli/vehicle_daveml.hpp"
#include "cli/vehicle_identify.hpp"
#include "cli/vehicle_import.hpp"
#include "vehicles/aircraft_report.hpp"
#include "vehicles/car_def.hpp"
#include "vehicles/multirotor_report.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::cli {

namespace {

struct VehicleOptions {
  std::string name;
  bool json = false;
};

// of the models that have something to tabulate
core::Result<std::vector<airframe::ReportRow>> figures_of(const Airframe& a) {
  if (a.model == "multirotor") return airframe::report_multirotor(*static_cast<const airframe::MultirotorDef*>(a.definition.get()));
  if (a.model == "aircraft") return airframe::report_aircraft(*static_cast<const airframe::AircraftDef*>(a.definition.get()));
  if (a.model == "platform") return airframe::report_platform(*static_cast<const airframe::PlatformDef*>(a.definition.get()));
  if (a.model == "car") return airframe::report_car(*static_cast<const airframe::CarDef*>(a.definition.get()));
  return std::vector<airframe::ReportRow>{};
}

int check_vehicle(const VehicleOptions& o) {
  if (is_daveml(o.name)) return check_daveml(o.name, o.json);
  // a path is relative to where the user is, a bare word is a name in assets/vehicles
  std::error_code code;
  const bool is_file = std::filesystem::is_regular_file(o.name, code);
  const Loaded<Airframe> airframe = load_airframe(is_file ? std::filesystem::absolute(o.name).string() : o.name, scenario_paths());
  if (!airframe) return fail(airframe.error);

  const core::Result<std::vector<airframe::ReportRow>> rows = figures_of(*airframe.value);
  if (!rows) return fail(rows.error().text());
  Report report{"vehicle check", {}};
  for (const airframe::ReportRow& row : rows.value()) {
    Row& added = report.add(row.name, row.value, row.unit);
    if (!row.note.empty()) added.extra.push_back({"note", row.note});
  }
  if (o.json) {
    report.rows.insert(report.rows.begin(), Row{"name", airframe.value->name, ""});
    report.rows.insert(report.rows.begin() + 1, Row{"model", airframe.value->model, ""});
    print_json(report);
    return kDone;
  }
  fmt::print("{}, model {}: can be built and {}\n", airframe.value->name, airframe.value->model, airframe.value->model == "car" ? "driven" : "flown");
  print_rows(report);
  return kDone;
}

}  // namespace

void add_vehicle(CLI::App& app, Action& action) {
  auto o = std::make_shared<VehicleOptions>();
  CLI::App* c = app.add_subcommand("vehicle", "Check an airframe and tabulate its performance, or make an airframe from measurements or from URDF.");
  CLI::App* check =
      c->add_subcommand("check", "Check that an airframe is physically possible, and tabulate its thrust, trim, speeds, rates, margins and natural modes.");
  check->add_option("FILE|NAME", o->name, "a .yaml file, a name in assets/vehicles such as crazyflie, or a DAVE-ML model (.dml), whose own checks are run")
      ->required();
  check->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->footer("Examples:\n  volary vehicle check crazyflie\n  volary vehicle check my_drone.yaml --json");
  check->footer("Examples:\n  volary vehicle check crazyflie\n  volary vehicle check my_drone.yaml --json\n  volary vehicle check aero.dml");
  add_identify(*c, action);
  add_vehicle_import(*c, action);
  check->callback([=, &action] { action = [=] { return check_vehicle(*o); }; });
}

}  // namespace volary::cli
