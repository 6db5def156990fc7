// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/autopilot_options.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "scenario/autopilot_file.hpp"
#include "server/scenarios.hpp"

namespace volary::cli {

namespace {

void tell(const std::string& text) { fmt::print(stderr, "volary: {}\n", text); }

std::unique_ptr<autopilot::LockstepSource> make_source(AutopilotKind kind, const std::string& program, const AutopilotOptions& options) {
  if (program.empty()) return nullptr;
  return std::make_unique<autopilot::LockstepSource>(autopilot::LockstepOptions{.program = {kind, program, options.first_instance, options.folder}, .tell = tell});
}

// a board cannot wait for a simulation, nor be hurried
core::Status check_pace(double speed) {
  if (speed == 1) return core::ok();
  return core::Error{.message = speed > 0 ? fmt::format("the speed is {:g}, and boards fly in real time only", speed)
                                          : std::string("boards fly in real time only, not as fast as possible"),
                     .suggestion = "use a speed of 1"};
}

core::Error no_behaviours(const std::string& flock) {
  return {.message = fmt::format("flock '{}' has behaviours, and they cannot steer vehicles that boards fly: the serial line carries sensors and outputs only", flock),
          .suggestion = "leave them out and steer the board by its ground station, or fly the flock with --px4 FILE"};
}

}  // namespace

void add_autopilot_options(CLI::App& command, AutopilotOptions& options) {
  command.add_option("--px4", options.px4, "program of PX4 that flies flocks with `autopilot: {kind: px4}`, bin/px4 of a build for px4_sitl; default: none")
      ->envname("VOLARY_PX4");
  command
      .add_option("--ardupilot", options.ardupilot,
                  "program of ArduPilot that flies flocks with `autopilot: {kind: ardupilot}`, bin/arducopter of a build for sitl; default: none")
      ->envname("VOLARY_ARDUPILOT");
  command
      .add_option("--autopilot", options.kind,
                  "autopilot that flies every flock of multirotors whose scenario names none: px4 or ardupilot; default: the controller of the flock")
      ->check(CLI::IsMember({"px4", "ardupilot"}));
  command
      .add_option("--px4-serial", options.px4_serial,
                  "serial lines of boards with PX4 in HIL mode, as DEVICE[:BAUD],... in the order of vehicles, instead of --px4; default: none, at 921600 baud")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--autopilot-instance", options.first_instance, "instance number of the first autopilot; ports and system numbers follow from it")
      ->check(CLI::Range(0, 249))
      ->capture_default_str();
  command.add_option("--autopilot-files", options.folder,
                     "folder that keeps the files of the autopilots, such as their logs; default: a temporary folder that is removed at the end");
}

core::Result<WorldDef> load_flown(const std::string& path, const scenario::Paths& paths, std::vector<std::string> overrides, const AutopilotOptions& options,
                                  scenario::Bundle& bundle) {
  core::Result<WorldDef> def = scenario::load_scenario(path, paths, overrides, bundle);
  if (!def || options.kind.empty()) return def;
  const std::size_t before = overrides.size();
  const std::vector<FlockDef>& flocks = def.value().flocks;
  const std::string value = options.kind == "px4" ? "{kind: px4}" : "{kind: ardupilot, parameters: ardupilot_copter.parm}";
  for (std::size_t k = 0; k < flocks.size(); ++k)
    if (flocks[k].airframe.model == "multirotor" && !flocks[k].mirror && !flocks[k].piloted) overrides.push_back(fmt::format("flocks[{}].autopilot={}", k, value));
  if (overrides.size() == before)
    return core::Error{.message = "--autopilot: the scenario has no flock of multirotors without an autopilot", .file = path, .suggestion = "leave it out"};
  return scenario::load_scenario(path, paths, overrides, bundle);
}

core::Status refuse_autopilots(const scenario::Bundle& bundle, const WorldDef& def) {
  const auto flocks = scenario::load_autopilots(bundle, def);
  if (!flocks) return flocks.error();
  if (flocks.value().empty()) return core::ok();
  const FlockAutopilot& f = flocks.value().front();
  return core::Error{.message = fmt::format("flock '{}' is flown by {}, and this command starts no autopilots", f.flock, autopilot::name_of(f.def.kind)),
                     .suggestion = "volary run and volary serve do"};
}

Autopilots::Autopilots(const AutopilotOptions& options)
    : options_(options),
      px4_(make_source(AutopilotKind::Px4, options.px4_serial.empty() ? options.px4 : "", options)),
      ardupilot_(make_source(AutopilotKind::Ardupilot, options.ardupilot, options)),
      companions_(std::make_unique<autopilot::CompanionSource>(options.first_instance, tell)) {
  if (options.px4_serial.empty()) return;
  std::vector<autopilot::LinkAddress> devices;
  for (const std::string& text : options.px4_serial) {
    const auto device = autopilot::parse_device(text);
    if (device)
      devices.push_back(device.value());
    else if (devices_)
      devices_ = device.error();
  }
  boards_ = std::make_unique<autopilot::HardwareSource>(autopilot::HardwareOptions{.devices = std::move(devices), .tell = tell});
}

core::Status Autopilots::check(const FlockAutopilot& f) const {
  const bool is_px4 = f.def.kind == AutopilotKind::Px4;
  if (is_px4 && boards_) return core::ok();
  if (source_of(f.def.kind) == nullptr)
    return core::Error{.message = fmt::format("flock '{}' is flown by {}, and no program of {} was given", f.flock, autopilot::name_of(f.def.kind),
                                              autopilot::name_of(f.def.kind)),
                       .suggestion = is_px4 ? "add --px4 FILE, set VOLARY_PX4, or add --px4-serial DEVICE for a board; docs/px4.md"
                                            : "add --ardupilot FILE, or set VOLARY_ARDUPILOT; docs/px4.md"};
  return autopilot::check_program({f.def.kind, is_px4 ? options_.px4 : options_.ardupilot, options_.first_instance, options_.folder});
}

core::Status Autopilots::use(const scenario::Bundle& bundle, const WorldDef& def) {
  const auto flocks = scenario::load_autopilots(bundle, def);
  if (!flocks) return flocks.error();
  std::size_t n_px4 = 0;
  for (const FlockAutopilot& f : flocks.value()) {
    if (const core::Status can = check(f); !can) return can;
    for (const FlockDef& flock : def.flocks) {
      if (f.def.kind != AutopilotKind::Px4 || flock.name != f.flock) continue;
      n_px4 += flock.vehicles.size();
      if (boards_ && !flock.node.behaviours.empty()) return no_behaviours(flock.name);
    }
  }
  if (boards_ && n_px4 > 0) {
    if (!devices_) return devices_;
    if (const core::Status fit = boards_->check(n_px4, def.tick_ns); !fit) return fit;
    if (const core::Status can = check_pace(speed_); !can) return can;
  }
  are_used_ = !flocks.value().empty();
  are_boards_used_ = boards_ && n_px4 > 0;
  if (px4_) px4_->fly(flocks.value());
  if (ardupilot_) ardupilot_->fly(flocks.value());
  std::vector<FlockAutopilot> reached;  // by MAVLink: the serial line of a board carries sensors and outputs only
  for (const FlockAutopilot& f : flocks.value())
    if (f.def.kind != AutopilotKind::Px4 || !boards_) reached.push_back(f);
  companions_->fly(reached);
  if (boards_) boards_->fly(flocks.value());
  return core::ok();
}

core::Status Autopilots::pace(double speed) {
  if (are_boards_used_)
    if (const core::Status can = check_pace(speed); !can) return can;
  speed_ = speed;
  return core::ok();
}

std::vector<autopilot::BoardFigures> Autopilots::boards() const { return boards_ ? boards_->figures() : std::vector<autopilot::BoardFigures>{}; }

std::vector<runner::Source*> Autopilots::sources() const {
  std::vector<runner::Source*> list;
  for (const AutopilotKind kind : {AutopilotKind::Px4, AutopilotKind::Ardupilot})
    if (autopilot::LockstepSource* s = source_of(kind)) list.push_back(s);
  if (boards_) list.push_back(boards_.get());
  if (!list.empty()) list.push_back(companions_.get());
  return list;
}

void Autopilots::plug_into(server::ServeOptions& options) {
  // before those that fly any vehicle
  std::vector<runner::Autopilots*>& shown = options.session.autopilots;
  if (boards_) shown.insert(shown.begin(), boards_.get());
  for (autopilot::LockstepSource* s : {px4_.get(), ardupilot_.get()})
    if (s != nullptr) s->use_client(companions_.get()), shown.insert(shown.begin(), s);
  companions_->serve_people();
  for (runner::Source* s : sources()) options.session.sources.push_back(s);
  options.session.check_speed = [this](double speed) { return pace(speed); };
  // what a client loads is looked at again for flocks that need a program
  options.session.load = [this, load = options.session.load, folders = options.scenarios](const std::string& name,
                                                                                          const std::vector<std::string>& overrides) -> core::Result<WorldDef> {
    scenario::Bundle bundle;
    const auto looked_at = server::load_named_scenario(folders, name, overrides, bundle);
    if (!looked_at) return looked_at.error();
    if (const core::Status can = use(bundle, looked_at.value()); !can) return can.error();
    return load(name, overrides);
  };
}

}  // namespace volary::cli
