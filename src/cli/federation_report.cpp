// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_report.hpp"

#include <fmt/format.h>

#include "cli/run_report.hpp"

namespace volary::cli {

namespace {

void add_federation_rows(const UpCommand& o, std::uint64_t horizon, const Flight& flight, const cluster::FederationHealth& h, Report& report) {
  report.add("federation/nodes", static_cast<std::int64_t>(o.nodes));
  if (o.live) report.add("federation/mode", std::string("live: results are those that the coordinator heard of, and differ from 'volary run'"));
  report.add("federation/horizon", static_cast<std::int64_t>(horizon), "ticks");
  if (h.restarts > 0) report.add("federation/nodes started again", static_cast<std::int64_t>(h.restarts));
  if (flight.wall > 0) report.add("federation/ticks per second", static_cast<double>(flight.ticks) / flight.wall, "1/s");
  if (is_impaired(o.impairment))
    report.add("federation/impairment",
               fmt::format("loss {:g}, delay {:g} +- {:g} s, message level", o.impairment.loss, o.impairment.delay, o.impairment.jitter));
  for (const cluster::NodeHealth& n : h.nodes) {
    report.add(fmt::format("federation/node {}/latency", n.name), n.latency * 1e3, "ms");
    report.add(fmt::format("federation/node {}/age", n.name), n.age * 1e3, "ms");
    report.add(fmt::format("federation/node {}/memory", n.name), static_cast<double>(n.memory) * 1e-6, "MB");
  }
}

}  // namespace

int report_federation(const UpCommand& o, const FlownFederation& f) {
  Report report{"federation up", {}, verdict_of(f.ending.tasks, f.flight.log, !f.flight.interrupted)};
  add_figures(f.ending, f.flight, report);
  add_swarm(f.ending, f.flight.log.closest, report);
  add_mission(f.ending, report);
  add_recording(f.recording, f.bytes, report);
  add_federation_rows(o, f.horizon, f.flight, f.health, report);
  if (o.json)
    print_json(report);
  else if (o.hash)
    fmt::print("{}\n", hex64(f.ending.hash));
  else
    print_rows(report);
  return outcome_of(f.flight, *report.verdict);
}

void tell_logs(const UpCommand& o, const NodeProcesses& nodes, Stage& stage, bool failed) {
  for (const std::string& account : nodes.accounts())
    if (const std::string words = nodes.last_words(account, failed ? 5 : 1); !o.quiet && !words.empty()) fmt::print(stderr, "{}\n", words);
  if (!failed || !o.logs.empty()) return;
  stage.record->keep_logs();
  fmt::print(stderr, "volary: the logs of all nodes are in {}\n", stage.logs);
}

}  // namespace volary::cli
