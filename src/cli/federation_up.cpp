// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_up.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/federation_orders.hpp"
#include "cli/federation_processes.hpp"
#include "cli/federation_record.hpp"
#include "cli/flight.hpp"
#include "cli/paths.hpp"
#include "cli/progress.hpp"
#include "cli/run_recorder.hpp"
#include "cli/run_report.hpp"
#include "cli/signals.hpp"
#include "cluster/hub.hpp"
#include "cluster/share_by_cost.hpp"
#include "cluster/transport/broker.hpp"
#include "scenario/load.hpp"
#include "scenario/warnings.hpp"

namespace volary::cli {

namespace {

constexpr double kReplaceAfter = 0.5;  // s that a place is free before a process of our own takes it

// what is to be flown, and by whom
struct Prepared {
  WorldDef def;
  scenario::Bundle bundle;
  Sharing sharing;
  std::unique_ptr<World> world;  // of the observer
  std::unique_ptr<World> settled;  // of the hub, where the horizon is longer than a tick
};

core::Result<Prepared> prepare(const UpCommand& o) {
  const core::Result<std::string> path = find_scenario(o.scenario);
  if (!path) return path.error();
  std::vector<std::string> overrides = o.set;
  if (!o.seed.empty()) overrides.push_back("seed=" + o.seed);
  if (!o.duration.empty()) overrides.push_back("duration=" + o.duration);
  Prepared p;
  scenario::Paths paths;
  paths.assets = scenario_paths().assets;
  auto def = scenario::load_scenario(path.value(), paths, overrides, p.bundle);
  if (!def) return def.error();
  p.def = std::move(def).value();
  p.sharing = cluster::share_by_cost(p.def, static_cast<std::uint32_t>(o.nodes));
  std::string error;
  p.world = World::create(p.def, {}, &error);
  if (p.world == nullptr) return core::Error{.message = p.def.name + ": " + error};
  if (horizon_ticks(p.def) > 1) p.settled = World::create(p.def, {}, &error);
  if (!p.world->share(p.sharing, &error)) return core::Error{.message = error};
  return p;
}

// ---------------------------------------------------------------- the stage: broker, accounts, logs

struct Stage {
  std::unique_ptr<cluster::Broker> broker;  // none: somebody else's
  Connection own;
  std::string address, ca;
  std::optional<FederationRecord> record;
  std::unique_ptr<cluster::Transport> transport;
  std::string logs;

  Invitation invite(const std::string& federation, const std::string& account) const {
    return {federation, address, account, broker ? broker->account(account).password : own.password, ca};
  }
};

constexpr int kAccounts = 64;  // of nodes

core::Status set_stage(const UpCommand& o, Stage& s) {
  s.own = {.broker = o.broker, .federation = o.name, .account = std::string(cluster::kCoordinatorAccount), .impairment = o.impairment, .link = 0xc0};
  if (o.broker.address.empty()) {
    auto started = cluster::Broker::start({.federation = o.name, .nodes = kAccounts, .installer = home_folder() + "/tools/install_broker.sh"});
    if (!started) return started.error();
    s.broker = std::move(started).value();
    s.own.broker.address = fmt::format("{}:{}", s.broker->address().host, s.broker->address().port);
    s.own.password = s.broker->coordinator().password;
  } else if (!o.broker.password_file.empty()) {
    auto password = cluster::read_secret_file(o.broker.password_file, "--password-file");
    if (!password) return password.error();
    s.own.password = std::move(password).value();
  }
  s.address = s.own.broker.address;
  auto transport = connect_to(s.own);
  if (!transport) return transport.error();
  s.transport = std::move(transport).value();
  auto record = FederationRecord::create(o.name);
  if (!record) return record.error();
  s.record.emplace(std::move(record).value());
  s.logs = o.logs.empty() ? s.record->logs() : o.logs;
  std::error_code error;
  std::filesystem::create_directories(s.logs, error);
  if (error) return core::Error{.message = error.message(), .file = s.logs, .field = "--logs"};
  return core::ok();
}

// how orders are given, and one invitation for every account that we do not use ourselves
core::Status announce(const UpCommand& o, const Stage& s) {
  std::vector<Invitation> invitations;
  for (int k = o.nodes - o.joining; s.broker && k < kAccounts; ++k) invitations.push_back(s.invite(o.name, std::to_string(k)));
  return s.record->announce(s.invite(o.name, std::string(s.broker ? cluster::kOperatorAccount : cluster::kCoordinatorAccount)), invitations);
}

// ---------------------------------------------------------------- the flight

// Looks after the federation between two ticks: broker, nodes, orders.
class Warden {
 public:
  Warden(const UpCommand& o, Stage& stage, NodeProcesses& nodes, cluster::Hub& hub, World& world)
      : o_(o), stage_(stage), nodes_(nodes), hub_(hub), desk_(hub, world, [this](const std::string& account) { return nodes_.kill(account); }) {}

  // true: the flight must end
  bool look() {
    if (stage_.broker && !stage_.broker->is_running())
      if (const core::Status again = stage_.broker->restart(); !again) ended_ = "the broker has died: " + again.error().text();
    if (ended_.empty()) ended_ = nodes_.revive(true, o_.quiet);
    desk_.take_all();
    fill_places();
    return is_interrupted() || desk_.is_down() || !ended_.empty();
  }
  const std::string& ended() const { return ended_; }

 private:
  // a place that was handed over and that nobody waits for is taken by a process of our own
  void fill_places() {
    const std::int64_t now = cluster::monotonic_ns();
    if (now < look_at_) return;
    look_at_ = now + 100'000'000;
    const cluster::FederationHealth h = hub_.health();
    const bool is_free = h.standbys == 0 && std::any_of(h.nodes.begin(), h.nodes.end(), [](const cluster::NodeHealth& n) {
                           return n.state == cluster::NodeState::Missing && n.incarnation > 0;
                         });
    if (!is_free) return void(free_since_ = now);
    if (static_cast<double>(now - free_since_) * 1e-9 < kReplaceAfter || !stage_.broker) return;
    free_since_ = now + 5'000'000'000;  // it takes a moment
    // accounts from the end, so that they meet those of invitations late
    const std::string account = std::to_string(kAccounts - 1 - replaced_++ % kAccounts);
    if (const core::Status started = nodes_.start({.invitation = stage_.invite(o_.name, account), .options = impairment_arguments(o_.impairment)}); !started)
      ended_ = started.error().text();
  }

  const UpCommand& o_;
  Stage& stage_;
  NodeProcesses& nodes_;
  cluster::Hub& hub_;
  OrderDesk desk_;
  std::string ended_;
  std::int64_t look_at_ = 0, free_since_ = cluster::monotonic_ns();
  int replaced_ = 0;
};

void add_federation_rows(const UpCommand& o, std::uint64_t horizon, const Flight& flight, const cluster::FederationHealth& h, Report& report) {
  report.add("federation/nodes", static_cast<std::int64_t>(o.nodes));
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

cluster::HubOptions hub_options(const UpCommand& o, const Prepared& p, const Stage& stage, const NodeProcesses& nodes, double speed) {
  cluster::HubOptions h{.federation = o.name, .parcel = {p.bundle, p.sharing, planned_ticks(p.def)}};
  h.build = build_number();
  h.tick = static_cast<cluster::Time>(p.def.tick_ns);
  h.period = speed > 0 ? static_cast<cluster::Time>(static_cast<double>(p.def.tick_ns) / speed) : 0;
  h.scenario = p.def.name;
  // nodes that others started have no other way into our folder of logs
  h.log = [&nodes, logs = stage.logs](const std::string& account, const std::string& text) {
    if (!nodes.has(account) && cluster::check_federation_id(account)) std::ofstream(logs + "/node-" + account + ".log", std::ios::app) << text << "\n";
  };
  return h;
}

core::Status start_nodes(const UpCommand& o, const Stage& stage, NodeProcesses& nodes) {
  for (int k = 0; k < o.nodes - o.joining; ++k)
    if (const core::Status done = nodes.start({.invitation = stage.invite(o.name, std::to_string(k)), .options = impairment_arguments(o.impairment)}); !done)
      return done;
  return core::ok();
}

int report_flight(const UpCommand& o, Prepared& p, Flight& flight, std::size_t n_vehicles, const RunRecorder& recorder,
                  const cluster::FederationHealth& health) {
  const Ending end = ending_of(*p.world, n_vehicles);
  Report report{"federation up", {}, verdict_of(end.tasks, flight.log, !flight.interrupted)};
  add_figures(end, flight, report);
  add_swarm(end, flight.log.closest, report);
  add_mission(end, report);
  add_recording(recorder.path(), recorder.bytes(), report);
  add_federation_rows(o, horizon_ticks(p.def), flight, health, report);
  if (o.json)
    print_json(report);
  else if (o.hash)
    fmt::print("{}\n", hex64(end.hash));
  else
    print_rows(report);
  return outcome_of(flight, *report.verdict);
}

int fly_federation(const UpCommand& o, Prepared& p, Stage& stage, double speed) {
  NodeProcesses nodes(stage.logs);
  std::atomic<runner::Clock*> clock = nullptr;
  cluster::HubOptions h = hub_options(o, p, stage, nodes, speed);
  h.observer = std::move(p.settled);
  h.wake = [&] {
    if (runner::Clock* c = clock.load()) c->wake();
  };
  auto hub = cluster::Hub::start(*stage.transport, std::move(h));
  if (!hub) return fail("federation: " + hub.error().text(), kFailed);
  core::Status started = start_nodes(o, stage, nodes);
  if (started) started = announce(o, stage);
  if (!started) return fail("federation up: " + started.error().text(), kFailed);
  if (!o.quiet && o.joining > 0) fmt::print(stderr, "volary: federation {} waits for {} nodes: volary federation join\n", o.name, o.joining);
  cluster::Following following(*hub.value(), o.joining > 0 ? 1e9 : o.patience);
  Flight flight;
  RecordOptions record = o.record;
  record.no_checkpoints = true;
  RunRecorder recorder(record, flight.log);
  recorder.set_bundle(p.bundle);
  ProgressLine line(o.quiet);
  Warden warden(o, stage, nodes, *hub.value(), *p.world);
  const std::size_t n_vehicles = p.world->n_vehicles();
  FlightPlan plan{.is_interrupted = [&] { return warden.look(); }, .sinks = {&recorder, &line}, .sources = {&following}};
  plan.fly_tick = [&](World& world) { return following.fly(world); };
  plan.lend_clock = [&](runner::Clock& c) { clock = &c; };
  fly(*p.world, plan, flight);
  clock = nullptr;
  if (!warden.ended().empty()) flight.failure = warden.ended();
  const cluster::FederationHealth health = hub.value()->health();
  hub.value()->stop();
  nodes.stop();
  const int code = report_flight(o, p, flight, n_vehicles, recorder, health);
  for (const std::string& account : nodes.accounts())
    if (const std::string words = nodes.last_words(account, flight.failure.empty() ? 1 : 5); !o.quiet && !words.empty()) fmt::print(stderr, "{}\n", words);
  if (!flight.failure.empty() && o.logs.empty()) {
    stage.record->keep_logs();
    fmt::print(stderr, "volary: the logs of all nodes are in {}\n", stage.logs);
  }
  return code;
}

}  // namespace

int federation_up(const UpCommand& o) {
  double speed = 0;
  if (!parse_speed(o.speed, speed)) return fail("federation up: --speed: '" + o.speed + "' is neither a positive number nor max");
  if (o.joining > o.nodes) return fail("federation up: --join: " + std::to_string(o.joining) + " is more than --nodes");
  if (const core::Status good = cluster::check_federation_id(o.name); !good) return fail("federation up: --name: " + good.error().text());
  core::Result<Prepared> prepared = prepare(o);
  if (!prepared) return fail(prepared.error().text());
  if (!o.quiet)
    for (const std::string& text : scenario::warnings_of(prepared.value().def)) warn(text);
  if (const auto checked = recorder_options(o.record); !checked) return fail("federation up: " + checked.error().text());
  if (const core::Status good = cluster::check_impairment(o.impairment); !good) return fail("federation up: " + good.error().text());
  catch_signals();
  Stage stage;
  if (const core::Status set = set_stage(o, stage); !set) return fail("federation up: " + set.error().text(), kFailed);
  return fly_federation(o, prepared.value(), stage, speed);
}

void add_up_options(CLI::App& c, UpCommand& o) {
  c.add_option("SCENARIO", o.scenario, "path of a .yaml file, or the name of a scenario in scenarios/")->capture_default_str();
  c.add_option("--nodes", o.nodes, "number of processes that simulate vehicles")->check(CLI::Range(1, 63))->capture_default_str();
  c.add_option("--join", o.joining, "number of these processes that are started by hand with 'volary federation join'; the flight begins when they are here")
      ->check(CLI::Range(0, 63))
      ->capture_default_str();
  c.add_option("--name", o.name, "name of the federation; several can use one broker")->capture_default_str();
  c.add_option("--seed", o.seed, "seed of all random draws; default: the seed of the scenario");
  c.add_option("--duration", o.duration, "simulated length of the run in seconds; default: the duration of the scenario");
  c.add_option("--speed", o.speed, "simulated seconds per second, or max for as fast as possible; default: max");
  c.add_option("--set", o.set, "override of a field of the scenario: path=value; can be repeated");
  c.add_option("--patience", o.patience, "seconds without a committed tick after which the federation fails")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
  c.add_option("--logs", o.logs, "folder for the logs of all nodes; default: a folder of the run, which stays only when the run fails");
  add_broker_options(c, o.broker);
  add_impairment_options(c, o.impairment);
  add_record_options(c, o.record);
  c.add_flag("--hash", o.hash, "print only the final state hash");
  c.add_flag("--json", o.json, "print the report as one JSON object on stdout");
  c.add_flag("--quiet", o.quiet, "print no progress and no warnings");
}

}  // namespace volary::cli
