// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/watch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/known_plugins.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "replay/library.hpp"
#include "replay/summary.hpp"
#include "scenario/warnings.hpp"

namespace volary::cli {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {


json to_json(const replay::RunSummary& r, const RunRecorder& now) {
  json metrics = json::object();
  for (const auto& [name, value] : r.metrics) metrics[name] = value;
  return {{"id", r.id},
          {"scenario", r.scenario},
          {"seed", std::to_string(r.seed)},
          {"hash", r.hash},
          {"duration", r.duration},
          {"planned", r.planned},
          {"ticks", r.ticks},
          {"vehicles", r.vehicles},
          {"started", r.started},
          {"bytes", r.bytes},
          {"state", now.recording() && now.id() == r.id ? "recording" : r.state},
          {"verdict", r.verdict},
          {"reason", r.reason},
          {"overrides", r.overrides},
          {"tags", r.tags},
          {"metrics", metrics}};
}

core::Result<replay::Library> open_library() { return replay::Library::open(runs_folder(), replay::summarise); }

// over the network an id is a whole one: half of one may mean another run tomorrow
core::Result<replay::RunSummary> run_of(const core::Result<replay::Library>& library, const std::string& id) {
  if (!library) return library.error();
  auto run = library.value().find(id);
  if (run && run.value().id != id) return core::Error{.message = "no run is called '" + id + "'"};
  return run;
}

}  // namespace

server::ServeOptions page_options() {
  const fs::path home = home_folder();
  server::ServeOptions s;
  s.version = VOLARY_VERSION;
  s.page = page_folder();
  s.openapi = (home / "schema/openapi.json").string();
  s.scenarios.assets = scenario_paths().assets;
  s.scenarios.shipped = (home / "scenarios").string();
  s.scenarios.user = (fs::path(user_folder()) / "scenarios").string();
  s.scenarios.may_run = built_here;
  return s;
}

server::RunStore run_store(const RunRecorder& now) {
  server::RunStore store;
  store.list = [&now](const std::string& words) -> core::Result<std::string> {
    const auto library = open_library();
    if (!library) return library.error();
    const auto runs = library.value().search(words);
    if (!runs) return runs.error();
    json list = json::array();
    for (const replay::RunSummary& r : runs.value()) list.push_back(to_json(r, now));
    return list.dump();
  };
  store.get = [&now](const std::string& id) -> core::Result<std::string> {
    const auto run = run_of(open_library(), id);
    if (!run) return run.error();
    return to_json(run.value(), now).dump();
  };
  store.remove = [&now](const std::string& id) -> core::Status {
    if (now.recording() && now.id() == id) return core::Error{.message = "'" + id + "' is being recorded", .suggestion = "stop the run first"};
    auto library = open_library();
    if (const auto run = run_of(library, id); !run) return run.error();
    return library.value().remove(id);
  };
  store.tag = [&now](const std::string& id, const std::vector<std::string>& tags) -> core::Result<std::string> {
    auto library = open_library();
    if (const auto run = run_of(library, id); !run) return run.error();
    if (const core::Status s = library.value().tag(id, tags); !s) return s.error();
    return to_json(library.value().find(id).value(), now).dump();
  };
  store.file = [&now](const std::string& id) -> core::Result<std::string> {
    if (!id.empty() && id == now.id()) return now.path();  // it may be recorded elsewhere than in the library
    const auto library = open_library();
    if (const auto run = run_of(library, id); !run) return run.error();
    return library.value().path_of(id);
  };
  return store;
}

Ending ending_of(const World& world, std::size_t vehicles) {
  const WorldDef& def = world.def();
  Ending end;
  end.name = def.name;
  end.tick = world.tick();
  end.hash = world.hash();
  end.time = world.time();
  end.vehicles = vehicles;
  end.profile = world.profile();
  end.tasks = world.standings();
  end.radio = world.radio();
  end.swarm = world.swarm_report();
  if (end.swarm.worst_delivery_ratio) end.worst_sender = world.name_of(end.swarm.worst_sender);
  end.origin = def.environment.weather.origin;
  end.description = def.description;
  end.seed = def.seed;
  end.duration = def.duration;
  end.tick_s = static_cast<double>(def.tick_ns) * 1e-9;
  end.substeps = def.substeps;
  end.worlds = def.worlds;
  for (const FlockDef& f : def.flocks) end.flocks.push_back({f.name, f.airframe.name, f.mirror ? "mirror" : f.airframe.model, f.vehicles.size()});
  end.warnings = scenario::warnings_of(def);
  return end;
}

void Watched::begin(World& world, bool again) {
  if (!again && loaded_) recorder_.set_bundle(*std::exchange(loaded_, std::nullopt));
  log_.begin(world, again);
  if (traces_) trace_.begin(world, again);
  vehicles_ = world.n_vehicles();
  began_ = runner::steady_now();
  recorder_.begin(world, again);
}

void Watched::event(World& world, const Event& event) {
  log_.event(world, event);
  if (traces_) trace_.event(world, event);
  recorder_.event(world, event);
}

void Watched::after_tick(World& world) {
  log_.after_tick(world);
  if (traces_) trace_.after_tick(world);
  recorder_.after_tick(world);
}

// the recording that ends has the figures of what it shows
void Watched::restored(World& world) {
  recorder_.restored(world);
  log_.restored(world);
  if (traces_) trace_.restored(world);
}

void Watched::notice(World&, const std::string& text) { fmt::print(stderr, "volary: {}\n", text); }

void Watched::end(World& world) {
  recorder_.end(world);
  if (traces_) trace_.end(world);
  Finished f;
  f.trace = trace_;
  f.ending = ending_of(world, vehicles_);
  f.flight.log = log_;
  f.flight.planned = planned_ticks(world.def());
  f.flight.ticks = world.tick();
  f.flight.simulated = world.time();
  f.flight.wall = runner::steady_now() - began_;
  f.flight.factor = f.flight.wall > 0 ? f.flight.simulated / f.flight.wall : 0;
  f.flight.interrupted = f.flight.ticks < f.flight.planned;
  f.recording = recorder_.path();
  f.bytes = recorder_.bytes();
  const std::lock_guard lock(mutex_);
  finished_ = std::move(f);
}

std::optional<Watched::Finished> Watched::take_finished() {
  const std::lock_guard lock(mutex_);
  return std::exchange(finished_, std::nullopt);
}

void Watched::plug_into(server::ServeOptions& options) {
  options.session.sinks.push_back(this);
  options.session.run_id = [this] { return recorder_.id(); };
  options.session.run.hash_every_tick = true;
  options.runs = run_store(recorder_);
  options.session.load = [this, folders = options.scenarios](const std::string& name, const std::vector<std::string>& overrides) -> core::Result<WorldDef> {
    scenario::Bundle bundle;
    auto def = server::load_named_scenario(folders, name, overrides, bundle);
    if (def) loaded_ = std::move(bundle);
    return def;
  };
}

}  // namespace volary::cli
