// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/import_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/paths.hpp"
#include "math/scalar.hpp"
#include "scenario/airframe.hpp"
#include "scenario/node.hpp"

namespace volary::cli {

namespace {

namespace fs = std::filesystem;

constexpr double kApart = 3600;  // s between flights that are still of one day's work

// letters, digits and a few signs: a name that needs no quotes anywhere
std::string plain(std::string name) {
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.')) c = '_';
  return name.substr(0, 80);
}

// the same as another one gets a number
std::string unique(const std::vector<ImportedLog>& logs, const std::string& name) {
  std::string out = name;
  for (int n = 2; std::any_of(logs.begin(), logs.end(), [&](const ImportedLog& l) { return l.name == out; }); ++n) out = fmt::format("{}-{}", name, n);
  return out;
}

double end_of(const ImportedLog& l) { return l.start + l.flight.duration(); }

core::Status align(ImportPlan& plan, Align how) {
  std::vector<ImportedLog>& logs = plan.logs;
  const auto without = std::find_if(logs.begin(), logs.end(), [](const ImportedLog& l) { return !l.flight.utc; });
  if (how == Align::Utc && without != logs.end())
    return core::Error{.message = "does not say what time it was", .file = without->path, .suggestion = "--align start lets all logs begin together"};
  if (how == Align::Start || without != logs.end()) return core::ok();
  const auto first = std::min_element(logs.begin(), logs.end(), [](const ImportedLog& a, const ImportedLog& b) { return *a.flight.utc < *b.flight.utc; });
  const double zero = *first->flight.utc;
  double flown = 0, last = 0;
  for (const ImportedLog& l : logs) flown += l.flight.duration(), last = std::max(last, *l.flight.utc - zero + l.flight.duration());
  if (how == Align::Auto && last > flown + kApart * static_cast<double>(logs.size() - 1)) return core::ok();
  for (ImportedLog& l : logs) l.start = *l.flight.utc - zero;
  plan.by_utc = true;
  return core::ok();
}

std::string text_of(const ImportPlan& plan, const ImportOptions& o) {
  const auto quoted = [](const std::string& text) { return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace); };
  std::string about = plan.logs.size() == 1 ? "flight of " : "flights of ";
  for (const ImportedLog& l : plan.logs) about += (&l == &plan.logs.front() ? "" : ", ") + fmt::format("{} ({})", l.name, l.flight.firmware);
  const std::string name = plan.logs.size() == 1 ? plan.logs.front().name : "import";
  std::string text = fmt::format("name: {}\ndescription: {}\nduration: {}\ntick: {}\n", quoted(name), quoted(about.substr(0, 1000)), plan.duration, o.tick);
  const auto placed = std::find_if(plan.logs.begin(), plan.logs.end(), [](const ImportedLog& l) { return l.flight.origin.has_value(); });
  if (placed != plan.logs.end()) {
    const logs::Place& p = *placed->flight.origin;
    text += fmt::format("environment: {{origin: {{latitude: {}, longitude: {}, height: {}}}}}\n", p.latitude, p.longitude, p.height);
  }
  text += "flocks:\n  - name: logs\n    mirror: true\n";
  if (!o.airframe.empty()) text += fmt::format("    airframe: {}\n", quoted(o.airframe));
  text += "    vehicles:\n      logs:\n";
  for (const ImportedLog& l : plan.logs)
    text += fmt::format("        - {{file: {}, name: {}, start: {}}}\n", quoted(l.name + ".flight"), quoted(l.name), l.start);
  return text;
}

// the airframe's file, and that of mirrors
core::Status add_airframe(const ImportOptions& o, scenario::Bundle& bundle) {
  scenario::Paths paths;
  paths.assets = scenario_paths().assets;
  const scenario::Files files("", paths.assets, &bundle);
  for (const std::string& name : {std::string("mirror"), o.airframe}) {
    if (name.empty()) continue;
    const core::Result<std::string> path = scenario::find_airframe(name, "", paths, files);
    if (!path) return path.error();
    if (const auto airframe = scenario::load_airframe(path.value(), files); !airframe) return airframe.error();
  }
  return core::ok();
}

}  // namespace

core::Status make_scenario(ImportPlan& plan, const ImportOptions& o) {
  if (const core::Status s = align(plan, o.align); !s) return s;
  plan.duration = o.tick;
  for (const ImportedLog& l : plan.logs) plan.duration = std::max(plan.duration, end_of(l));
  plan.duration = -math::floor(1e-6 - plan.duration / o.tick) * o.tick;
  plan.bundle.main = std::string(scenario::kBundleScenario) + "/" + (plan.logs.size() == 1 ? plan.logs.front().name : std::string("import")) + ".yaml";
  for (const ImportedLog& l : plan.logs) plan.bundle.files[std::string(scenario::kBundleScenario) + "/" + l.name + ".flight"] = logs::flight_bytes(l.flight);
  plan.bundle.files[plan.bundle.main] = text_of(plan, o);
  return add_airframe(o, plan.bundle);
}

core::Result<ImportPlan> plan_import(const std::vector<std::string>& paths, const ImportOptions& o) {
  ImportPlan plan;
  for (const std::string& path : paths) {
    const core::Result<std::string> bytes = scenario::read_file(path, scenario::kMaxLogBytes);
    if (!bytes) return bytes.error();
    core::Result<logs::Flight> flight = logs::load_flight(bytes.value(), path);
    if (!flight) return flight.error();
    const std::string name = unique(plan.logs, plain(fs::path(path).stem().string()));
    plan.logs.push_back({path, name, std::move(flight).value()});
  }
  if (const core::Status s = make_scenario(plan, o); !s) return s.error();
  return plan;
}

}  // namespace volary::cli
