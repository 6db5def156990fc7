// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary check: read a scenario, make its world, say what would run, step nothing.
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "scenario/warnings.hpp"
#include "volary/learning.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

struct CheckOptions {
  std::vector<std::string> scenarios;
  std::vector<std::string> set;
  bool json = false;
};

void add_summary(const std::string& name, const World& world, Report& report) {
  const WorldDef& def = world.def();
  const std::string prefix = name + "/";
  report.add(prefix + "vehicles", static_cast<std::int64_t>(world.n_vehicles()));
  report.add(prefix + "flocks", static_cast<std::int64_t>(def.flocks.size()));
  report.add(prefix + "worlds", std::int64_t{def.worlds});
  report.add(prefix + "duration", def.duration, "s");
  report.add(prefix + "tick", static_cast<double>(def.tick_ns) * 1e-9, "s", {{"note", fmt::format("{} substeps", def.substeps)}});
  for (const FlockDef& f : def.flocks)
    report.add(prefix + "kernel/" + f.name, f.mirror ? std::string("mirror") : world.program_of(f.name), "",
               {{"note", fmt::format("{}, {} vehicles", f.airframe.name, f.vehicles.size())}});
  if (def.learning != nullptr)
    report.add(prefix + "learning", static_cast<std::int64_t>(def.learning->observations.size()), "observations",
               {{"note", fmt::format("{} rewards, {} ends, {} s at most", def.learning->rewards.size(), def.learning->ends.size(), def.learning->time_limit)}});
  report.add(prefix + "backend", std::string(world.backend()));
  report.add(prefix + "memory", static_cast<double>(world.bytes()), "B", {{"note", bytes_text(static_cast<double>(world.bytes()))}});
}

int check_all(const CheckOptions& o) {
  Report report{"check", {}};
  for (const std::string& name : o.scenarios) {
    const core::Result<std::string> path = find_scenario(name);
    if (!path) return fail(path.error().text());
    const Loaded<WorldDef> def = load_scenario(path.value(), scenario_paths(), o.set);
    if (!def) return fail(def.error);
    std::string error;
    const auto world = World::create(*def.value, {}, &error);
    if (world == nullptr) return fail(path.value() + ": " + error);
    add_summary(stem_of(path.value()), *world, report);
    for (const std::string& text : scenario::warnings_of(*def.value)) report.add(stem_of(path.value()) + "/warning", text);
  }
  o.json ? print_json(report) : print_rows(report);
  return kDone;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto o = std::make_shared<CheckOptions>();
  CLI::App* c = app.add_subcommand("check", "Read and check scenarios without running them.");
  c->add_option("SCENARIO", o->scenarios, "paths of .yaml files, or names of scenarios in scenarios/")->required();
  c->add_option("--set", o->set, "override a field of the scenario, path=value; may be repeated")->allow_extra_args(false);
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->footer(
      "The command prints the vehicles, the flocks, the kernels that would run and the memory that they need.\n"
      "A row `warning` names what is allowed but probably not intended.\n"
      "Every fault of a file is reported, up to 20, each in one line with file, line, column, field and advice. The exit code is then 2.\n\n"
      "Examples:\n  volary check scenarios/*.yaml\n  volary check default --set flocks[0].vehicles.ring.count=200");
  c->callback([=, &action] { action = [=] { return check_all(*o); }; });
}

}  // namespace volary::cli
