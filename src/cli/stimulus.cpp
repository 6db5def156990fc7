// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary stimulus: how strong a stimulus is at a place and time, and who emits it.
#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "swarm/stimuli/all.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

struct StimulusOptions {
  std::string scenario, kind, at;
  std::vector<std::string> set;
  double time = 0;
  std::uint32_t world = 0;
  bool json = false;
};

// "120,-40,2.5"
std::optional<Vec> parse_place(const std::string& text) {
  Vec place{};
  const char *next = text.data(), *const end = text.data() + text.size();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [rest, code] = std::from_chars(next, end, place[k]);
    if (code != std::errc() || place[k] - place[k] != 0) return std::nullopt;
    const bool is_last = k == 2;
    if (is_last ? rest != end : rest == end || *rest != ',') return std::nullopt;
    next = rest + 1;
  }
  return place;
}

// empty: there is no such kind
std::string unit_of(const std::string& kind) {
  std::string unit;
  core::for_each_type(swarm::AllStimuli{}, [&]<class S>() {
    if (kind == S::name) unit = S::unit;
  });
  return unit;
}
std::vector<std::string> kinds() {
  std::vector<std::string> names;
  core::for_each_type(swarm::AllStimuli{}, [&]<class S>() { names.emplace_back(S::name); });
  return names;
}

void add_sources(const World& world, const StimulusOptions& o, const Vec& place, Report& report) {
  std::vector<VehicleId> sources;
  for (const StimulusKind& k : world.stimuli(o.world))
    if (k.name == o.kind) sources = k.sources;
  report.add("sources", static_cast<std::int64_t>(sources.size()));
  for (const VehicleId id : sources) {
    const Vec p = world.position_of(id);
    const double x = p[0] - place[0], y = p[1] - place[1], z = p[2] - place[2];
    report.add("source/" + world.name_of(id), math::sqrt(x * x + y * y + z * z), "m",
               {{"note", fmt::format("distance; at {:.2f}, {:.2f}, {:.2f} m", p[0], p[1], p[2])}, {"east", p[0]}, {"north", p[1]}, {"up", p[2]}});
  }
}

int show(const StimulusOptions& o) {
  const std::string unit = unit_of(o.kind);
  if (unit.empty()) return fail("stimulus: there is no stimulus '" + o.kind.substr(0, 60) + "' (" + core::did_you_mean(o.kind, kinds()) + ")");
  const std::optional<Vec> place = parse_place(o.at);
  if (!place) return fail("stimulus: --at: '" + o.at.substr(0, 60) + "' is not a position (three numbers in m: east,north,up, such as --at 120,-40,2.5)");
  const core::Result<std::string> path = find_scenario(o.scenario);
  if (!path) return fail(path.error().text());
  const Loaded<WorldDef> def = load_scenario(path.value(), scenario_paths(), o.set);
  if (!def) return fail(def.error);
  if (o.time > def.value->duration)
    return fail(fmt::format("stimulus: --time: {} s is after the end of the scenario, {} s (set a longer one: --set duration={})", o.time, def.value->duration, o.time));
  if (o.world >= static_cast<std::uint32_t>(def.value->worlds))
    return fail(fmt::format("stimulus: --world: the scenario has {} world(s), numbered from 0", def.value->worlds));
  std::string error;
  const auto world = World::create(*def.value, {}, &error);
  if (world == nullptr) return fail(path.value() + ": " + error);
  world->step(static_cast<std::uint64_t>(math::round(o.time / (static_cast<double>(def.value->tick_ns) * 1e-9))));
  Report report{"stimulus", {}};
  report.add("scenario", def.value->name);
  report.add("time", world->time(), "s");
  report.add("position", fmt::format("{}, {}, {}", (*place)[0], (*place)[1], (*place)[2]), "m", {{"note", "east, north, up"}});
  if (def.value->worlds > 1) report.add("world", std::int64_t{o.world});
  report.add(o.kind, world->stimulus_at(o.kind, *place, o.world), unit);
  add_sources(*world, o, *place, report);
  o.json ? print_json(report) : print_rows(report);
  return kDone;
}

}  // namespace

void add_stimulus(CLI::App& app, Action& action) {
  auto o = std::make_shared<StimulusOptions>();
  CLI::App* c = app.add_subcommand("stimulus", "Print the level of a stimulus at a position and time of a scenario, and its sources.");
  c->add_option("SCENARIO", o->scenario, "path of a .yaml file, or the name of a scenario in scenarios/")->required();
  c->add_option("KIND", o->kind, "kind of stimulus: light, plume or sound")->required();
  c->add_option("--at", o->at, "position in m, east,north,up, such as 120,-40,2.5")->required();
  c->add_option("--time", o->time, "simulated time in s; the scenario is run up to it")->check(CLI::NonNegativeNumber)->capture_default_str();
  c->add_option("--world", o->world, "index, from 0, of the world of the scenario's batch")->capture_default_str();
  c->add_option("--set", o->set, "override a field of the scenario, path=value; may be repeated")->allow_extra_args(false);
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->footer(
      "The level is the one that a vehicle at this position would perceive, with the wind of the first vehicle of the world.\n\n"
      "Examples:\n"
      "  volary stimulus gas_leak plume --at 60,-20,2.5 --time 30\n"
      "  volary stimulus gas_leak plume --at 60,-20,2.5 --set environment.wind=[-1,0,0] --json");
  c->callback([=, &action] { action = [=] { return show(*o); }; });
}

}  // namespace volary::cli
