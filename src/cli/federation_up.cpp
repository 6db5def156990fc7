// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_up.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/federation_report.hpp"
#include "cli/federation_stage.hpp"
#include "cli/federation_warden.hpp"
#include "cli/federation_watch.hpp"
#include "cli/flight.hpp"
#include "cli/progress.hpp"
#include "cli/run_recorder.hpp"
#include "cli/signals.hpp"
#include "scenario/warnings.hpp"

namespace volary::cli {

namespace {

// without a page: until the run is over
int fly_federation(FlyingFederation& f) {
  const UpCommand& o = f.options;
  World& world = *f.prepared.world;
  cluster::Following following(f.hub, patience_of(o));
  Flight flight;
  RecordOptions record = o.record;
  record.no_checkpoints = true;
  RunRecorder recorder(record, flight.log);
  recorder.set_bundle(f.prepared.bundle);
  ProgressLine line(o.quiet);
  Warden warden(o, f.stage, f.nodes, f.hub, helm_of(f.hub, world));
  const std::size_t n_vehicles = world.n_vehicles();
  FlightPlan plan{.is_interrupted = [&] { return warden.look(); }, .sinks = {&recorder, &line}, .sources = {&following}};
  plan.fly_tick = [&](World& w) { return following.fly(w); };
  plan.lend_clock = [&](runner::Clock& c) { f.clock = &c; };
  fly(world, plan, flight);
  f.clock = nullptr;
  if (!warden.ended().empty()) flight.failure = warden.ended();
  const cluster::FederationHealth health = f.hub.health();
  f.hub.stop();
  f.nodes.stop();
  const Ending ending = ending_of(world, n_vehicles);
  const int code = report_federation(o, {ending, flight, horizon_ticks(f.prepared.def), recorder.path(), recorder.bytes(), health});
  tell_logs(o, f.nodes, f.stage, !flight.failure.empty());
  return code;
}

int fly_or_show(const UpCommand& o, Prepared& p, Stage& stage, double speed) {
  NodeProcesses nodes(stage.logs);
  std::atomic<runner::Clock*> clock = nullptr;
  cluster::ShownModes modes(p.sharing.members, static_cast<cluster::Time>(p.def.tick_ns));
  cluster::HubOptions h = hub_options(o, p, stage, nodes, speed);
  h.observer = std::move(p.settled);
  h.wake = [&] {
    if (runner::Clock* c = clock.load()) c->wake();
  };
  if (o.is_watched() && !o.live) h.hear = [&modes](const cluster::Bundle& bundle) { modes.receive(bundle); };
  auto hub = cluster::Hub::start(*stage.transport, std::move(h));
  if (!hub) return fail("federation: " + hub.error().text(), kFailed);
  core::Status started = start_nodes(o, p, stage, nodes);
  if (started) started = announce(o, stage);
  if (!started) return fail("federation up: " + started.error().text(), kFailed);
  if (!o.quiet && o.joining > 0) fmt::print(stderr, "volary: federation {} waits for {} nodes: volary federation join\n", o.name, o.joining);
  FlyingFederation f{o, p, stage, nodes, *hub.value(), clock, speed};
  return o.is_watched() ? watch_federation(f, modes) : fly_federation(f);
}

}  // namespace

bool UpCommand::has_page() const {
  if (headless || json || hash || quiet) return watch;
  return watch || (isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0);
}

int federation_up(UpCommand o) {
  double speed = 0;
  if (!parse_speed(o.speed, speed)) return fail("federation up: --speed: '" + o.speed + "' is neither a positive number nor max");
  if (o.speed.empty() && (o.has_page() || o.live)) speed = 1;
  if (o.live && speed == 0) return fail("federation up: --live: goes by the clock; --speed must be a number");
  if (const core::Status good = cluster::check_federation_id(o.name); !good) return fail("federation up: --name: " + good.error().text());
  core::Result<Prepared> prepared = prepare(o);
  if (!prepared) return fail(prepared.error().text());
  o.nodes = static_cast<int>(prepared.value().sharing.members);
  if (o.joining > o.nodes) return fail(fmt::format("federation up: --join: {} is more than the {} nodes", o.joining, o.nodes));
  if (!o.quiet)
    for (const std::string& text : scenario::warnings_of(prepared.value().def)) warn(text);
  if (const auto checked = recorder_options(o.record); !checked) return fail("federation up: " + checked.error().text());
  if (const core::Status good = cluster::check_impairment(o.impairment); !good) return fail("federation up: " + good.error().text());
  catch_signals();
  const auto network = reach_machines(o, prepared.value().machines);
  if (!network) return fail("federation up: " + network.error().text(), kFailed);
  Stage stage;
  if (const core::Status set = set_stage(o, network.value(), stage); !set) return fail("federation up: " + set.error().text(), kFailed);
  return fly_or_show(o, prepared.value(), stage, speed);
}

void add_up_options(CLI::App& c, UpCommand& o) {
  c.add_option("SCENARIO", o.scenario, "path of a .yaml file, or the name of a scenario in scenarios/")->capture_default_str();
  c.add_option("--nodes", o.nodes, "number of processes that simulate vehicles; default: those that the scenario names, otherwise 2")->check(CLI::Range(1, 63));
  c.add_option("--join", o.joining, "number of these processes that are started by hand with 'volary federation join'; the flight begins when they are here")
      ->check(CLI::Range(0, 63))
      ->capture_default_str();
  c.add_option("--hosts", o.hosts, "YAML file with the machines on which nodes are started over ssh")->check(CLI::ExistingFile);
  c.add_option("--ssh", o.ssh, "command that connects to a machine of --hosts, with its options")->capture_default_str();
  c.add_option("--name", o.name, "name of the federation; several can use one broker")->capture_default_str();
  c.add_option("--seed", o.seed, "seed of all random draws; default: the seed of the scenario");
  c.add_option("--duration", o.duration, "simulated length of the run in seconds; default: the duration of the scenario");
  c.add_option("--speed", o.speed, "simulated seconds per second, or max for as fast as possible; default: 1 with the page, otherwise max");
  c.add_option("--set", o.set, "override of a field of the scenario: path=value; can be repeated");
  c.add_option("--patience", o.patience, "seconds without a committed tick after which the federation fails")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
  c.add_option("--dead-node", o.dead_node,
               "treatment of a node that has died: wait starts it again and holds the others; remove, freeze and extrapolate go on without it")
      ->check(CLI::IsMember({"wait", "remove", "freeze", "extrapolate"}))
      ->capture_default_str();
  c.add_option("--extrapolate", o.extrapolate, "seconds for which extrapolated vehicles move straight on before they stand still")
      ->check(CLI::Range(0.0, 60.0))
      ->capture_default_str();
  c.add_flag("--live", o.live,
             "simulate by the clock and wait for no other process: vehicles of other processes move straight on from their last state. Results differ from 'volary run'")
      ->excludes("--dead-node");
  c.add_flag("--record-nodes", o.record_nodes, "with --live: every node records its own world, too, into the library of its machine")->needs("--live");
  c.add_option("--logs", o.logs, "folder for the logs of all nodes; default: a folder of the run, which stays only when the run fails");
  c.add_flag("--headless", o.headless, "run without the page; this is the default where no terminal is");
  c.add_flag("--watch", o.watch, "serve the page even where no terminal is")->excludes("--headless");
  c.add_option_function<int>("--port", [&o](int port) { o.port = port, o.port_given = true; }, "TCP port of the page; default: 8642 or the next free port")
      ->check(CLI::Range(0, 65535));
  c.add_flag("--api", o.api, "publish frames, events and telemetry for programs over the broker, and take their setpoints and commands");
  add_broker_options(c, o.broker);
  c.add_option("--listen", o.listen, "HOST or HOST:PORT at which the broker also listens for other machines, with TLS; default: with --hosts the address that they see, port 8883")
      ->excludes("--broker");
  add_impairment_options(c, o.impairment);
  add_record_options(c, o.record);
  c.add_flag("--hash", o.hash, "print only the final state hash");
  c.add_flag("--json", o.json, "print the report as one JSON object on stdout");
  c.add_flag("--quiet", o.quiet, "print no progress and no warnings");
}

}  // namespace volary::cli
