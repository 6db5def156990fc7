// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_status.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/report.hpp"
#include "cluster/health_json.hpp"

namespace volary::cli {

namespace {

using Json = nlohmann::json;

double number(const Json& json, const char* name) { return json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0; }
std::string text(const Json& json, const char* name) { return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : ""; }
std::int64_t integer(const Json& json, const char* name) { return static_cast<std::int64_t>(number(json, name)); }

void print_as_report(const Json& s) {
  Report report{"federation status", {}};
  for (const char* name : {"federation", "scenario", "mode", "dead_node"})
    report.add(fmt::format("federation/{}", name == std::string("federation") ? "name" : name), text(s, name));
  for (const char* name : {"committed", "aligned", "limit", "planned", "skew"}) report.add(fmt::format("federation/{}", name), integer(s, name), "ticks");
  for (const char* name : {"inputs", "dropped", "restarts", "absences", "standbys", "view_every"})
    report.add(fmt::format("federation/{}", name), integer(s, name));
  for (const auto& [name, unit] : {std::pair("rate", "1/s"), std::pair("view_rate", "1/s"), std::pair("period", "s"), std::pair("wanted_period", "s"),
                                   std::pair("tick", "s"), std::pair("speed", "")})
    report.add(fmt::format("federation/{}", name), number(s, name), unit);
  for (const char* name : {"is_overloaded", "is_paused"}) report.add(fmt::format("federation/{}", name), s.value(name, false));
  for (const Json& n : s["nodes"]) {
    const std::string at = "node " + text(n, "name") + "/";
    for (const char* name : {"state", "account", "host"}) report.add(at + name, text(n, name));
    for (const char* name : {"incarnation", "advanced", "settled", "durable"}) report.add(at + name, integer(n, name));
    for (const cluster::NodeFigure& f : cluster::node_figures()) report.add(at + f.name, number(n, f.name), f.unit);
  }
  print_json(report);
}

}  // namespace

void print_status(const Json& s, bool json) {
  if (json) return print_as_report(s);
  const double planned = number(s, "planned");
  fmt::print("federation {}: {}, tick {} of {} ({:.0f} %), {:.0f} ticks/s, {:.2f} x real time{}{}\n", text(s, "federation"), text(s, "scenario"),
             integer(s, "committed"), integer(s, "planned"), planned > 0 ? 100 * number(s, "committed") / planned : 0, number(s, "rate"), number(s, "speed"),
             s.value("is_paused", false) ? ", paused" : "", s.value("is_overloaded", false) ? ", overloaded" : "");
  fmt::print("mode {}, dead nodes: {}, {} started again, {} given up, {} waiting for a place, {} entries of the log, skew {} ticks\n\n", text(s, "mode"),
             text(s, "dead_node"), integer(s, "restarts"), integer(s, "absences"), integer(s, "standbys"), integer(s, "inputs"), integer(s, "skew"));
  std::vector<std::vector<std::string>> rows;
  for (const Json& n : s["nodes"])
    rows.push_back({text(n, "name"), text(n, "state"), text(n, "host"), fmt::format("{}", integer(n, "advanced")), fmt::format("{:.0f}", number(n, "rate")),
                    fmt::format("{:.0f} %", 100 * number(n, "load")), fmt::format("{:.2f} ms", 1e3 * number(n, "latency")),
                    fmt::format("{:.2f} ms", 1e3 * number(n, "age")), fmt::format("{}", integer(n, "skew")), bytes_text(number(n, "memory")),
                    fmt::format("{}", integer(n, "rollbacks")), fmt::format("{}", integer(n, "incarnation"))});
  print_table({"node", "state", "host", "tick", "ticks/s", "load", "latency", "age", "skew", "memory", "rollbacks", "processes"}, rows);
}

}  // namespace volary::cli
