// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary vehicle import: a platform of several aircraft from a robot description in URDF.
#include "cli/vehicle_import.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/output_file.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "scenario/airframe.hpp"
#include "scenario/node.hpp"
#include "scenario/urdf_platform.hpp"
#include "vehicles/multirotor_def.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::cli {

namespace {

namespace fs = std::filesystem;

struct VehicleImportOptions {
  std::string file, aircraft, out;
  std::vector<std::string> parts;
  bool json = false;
};

// a path of the file, also of one that goes to stdout: it will lie in the current folder
std::string place_of(const VehicleImportOptions& o) { return fs::absolute(o.out.empty() ? "imported.yaml" : o.out).lexically_normal().string(); }

bool is_path(const std::string& name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

// as the platform's file names it: a path is given from the current folder, and is written from that of the file
std::string aircraft_in_file(const VehicleImportOptions& o) {
  if (!is_path(o.aircraft)) return o.aircraft;
  const fs::path from = fs::path(place_of(o)).parent_path(), to = fs::absolute(o.aircraft).lexically_normal();
  const fs::path relative = to.lexically_relative(from);
  return relative.empty() ? to.string() : relative.string();
}

// those of assets/vehicles that a platform can be made of
std::string known_aircraft(const scenario::Files& files, const std::string& assets) {
  const std::string folder = (fs::path(assets) / "vehicles").string();
  std::string names;
  for (const std::string& stem : files.stems_in(folder)) {
    const core::Result<Airframe> airframe = scenario::load_airframe((fs::path(folder) / (stem + ".yaml")).string(), files);
    if (!airframe || airframe.value().model != "multirotor") continue;
    if (static_cast<const airframe::MultirotorDef*>(airframe.value().definition.get())->rotors.size() == 4) names += (names.empty() ? "" : ", ") + stem;
  }
  return names;
}

// the airframe alone, so that its faults are not told as those of the platform
core::Status check_aircraft(const VehicleImportOptions& o, const scenario::Files& files, const std::string& assets) {
  if (o.aircraft.empty())
    return core::Error{.message = "vehicle import: --aircraft is missing: URDF has no rotors, motors and controllers",
                       .suggestion = "a multirotor with four rotors: " + known_aircraft(files, assets)};
  std::error_code code;
  if (!is_path(o.aircraft) && fs::exists(fs::path(place_of(o)).replace_filename(o.aircraft + ".yaml"), code)) return core::ok();
  scenario::Paths paths;
  paths.assets = assets;
  const core::Result<std::string> path = scenario::find_airframe(o.aircraft, "", paths, files);
  const core::Result<Airframe> airframe = path ? scenario::load_airframe(path.value(), files) : core::Result<Airframe>(path.error());
  if (airframe) return core::ok();
  core::Error error = airframe.error();
  if (error.file.empty()) error.message = "vehicle import: --aircraft: " + error.message;
  return error;
}

Report report_of(const VehicleImportOptions& o, const Airframe& airframe, std::size_t remarks) {
  Report report{"vehicle import", {}};
  report.add("airframe", o.out);
  report.add("remarks", static_cast<std::int64_t>(remarks), "", {{"note", std::string("of what is not carried over, at the head of the file")}});
  for (const airframe::ReportRow& row : airframe::report_platform(*static_cast<const airframe::PlatformDef*>(airframe.definition.get()))) {
    Row& added = report.add(row.name, row.value, row.unit);
    if (!row.note.empty()) added.extra.push_back({"note", row.note});
  }
  return report;
}

int import_vehicle(const VehicleImportOptions& o) {
  OutputFile out(o.out);
  if (o.json && !out.is_wanted()) return fail("vehicle import: --json needs --out: without it, the airframe file goes to stdout");
  if (const core::Status can = out.check(); !can) return fail(can.error().text());
  const std::string assets = scenario_paths().assets.empty() ? (fs::path(home_folder()) / "assets").string() : scenario_paths().assets;
  const scenario::Files files("", assets, nullptr);
  if (const core::Status aircraft = check_aircraft(o, files, assets); !aircraft) return fail(aircraft.error().text());

  const core::Result<std::string> text = scenario::read_file(o.file);
  if (!text) return fail(text.error().text());
  const core::Result<scenario::Urdf> urdf = scenario::parse_urdf(text.value(), o.file);
  if (!urdf) return fail(urdf.error().text());
  const core::Result<scenario::UrdfPlatform> platform = scenario::platform_of(urdf.value(), {aircraft_in_file(o), o.parts});
  if (!platform) return fail(platform.error().text());

  // the same eyes that read any airframe
  const std::string yaml = scenario::yaml_of(platform.value());
  const core::Result<Airframe> made = scenario::load_airframe_text(yaml, place_of(o), files, {});
  if (!made) return fail(scenario::in_urdf(made.error(), platform.value()).text());
  for (const scenario::UrdfRemark& remark : platform.value().remarks) warn(scenario::text_of(remark, o.file));
  if (!out.is_wanted()) {
    fmt::print("{}", yaml);
    return kDone;
  }
  if (const core::Status written = out.write(yaml); !written) return fail(written.error().text(), kFailed);
  const Report report = report_of(o, made.value(), platform.value().remarks.size());
  if (o.json)
    print_json(report);
  else
    print_rows(report);
  return kDone;
}

}  // namespace

void add_vehicle_import(CLI::App& vehicle, std::function<int()>& action) {
  auto o = std::make_shared<VehicleImportOptions>();
  CLI::App* c = vehicle.add_subcommand("import", "Make the airframe file of a platform of several aircraft from a robot description in URDF.");
  c->add_option("FILE.urdf", o->file, "robot description in URDF: a central body, with two to four links on spherical joints, hinges or fixed joints")
      ->required();
  c->add_option("--aircraft", o->aircraft, "multirotor with four rotors that every aircraft is: a name in assets/vehicles such as f450, or a .yaml file");
  c->add_option("--part", o->parts, "link on a fixed joint that is an aircraft and not part of the central body; can be given several times");
  c->add_option("--out", o->out, "path of the airframe file to write; default: stdout");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout; needs --out");
  c->footer("Examples:\n  volary vehicle import star.urdf --aircraft f450 --out my_star.yaml\n  volary vehicle check my_star.yaml");
  c->callback([=, &action] { action = [=] { return import_vehicle(*o); }; });
}

}  // namespace volary::cli
