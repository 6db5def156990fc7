// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary federation up: a scenario flown by several processes on this machine, recorded and reported as `volary run` does it.
#include <CLI/CLI.hpp>
#include <csignal>

#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/federation_options.hpp"
#include "cli/flight.hpp"
#include "cli/paths.hpp"
#include "cli/progress.hpp"
#include "cli/run_recorder.hpp"
#include "cli/run_report.hpp"
#include "cli/signals.hpp"
#include "cluster/hub.hpp"
#include "cluster/share_by_cost.hpp"
#include "cluster/transport/broker.hpp"
#include "core/scratch_folder.hpp"
#include "scenario/load.hpp"
#include "scenario/warnings.hpp"

namespace volary::cli {

namespace {

struct UpCommand {
  std::string scenario = "default", seed, duration, speed;
  std::vector<std::string> set;
  std::string name = "local";
  int nodes = 2;
  BrokerOptionsCli broker;
  cluster::ImpairmentOptions impairment;
  RecordOptions record;
  bool json = false, quiet = false, hash = false;
};

// The processes of a federation on this machine, ended together with this one. One that dies is started again and goes on from what it has saved.
class Processes {
 public:
  // the program that this is, as `volary node`
  core::Status start(const UpCommand& o, const BrokerOptionsCli& broker, const std::function<std::string(int)>& password_of) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    for (int k = 0; k < o.nodes; ++k) {
      const std::string own = folder_.file("node" + std::to_string(k));
      std::filesystem::create_directories(own);
      std::vector<std::string> command = {program, "node", "--broker", broker.address, "--federation", o.name, "--account", std::to_string(k), "--folder", own};
      if (const std::string password = password_of(k); !password.empty()) {
        const std::string file = own + "/password";
        std::ofstream(file) << password << "\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        command.insert(command.end(), {"--password-file", file});
      }
      for (std::string& word : impairment_arguments(o.impairment)) command.push_back(std::move(word));
      list_.push_back({std::move(command), folder_.file("node" + std::to_string(k) + ".log"), nullptr, 0});
      if (const core::Status started = launch(list_.back()); !started) return started;
    }
    return core::ok();
  }
  // starts again what has died; the reason when that does not help any more
  std::string revive(bool quiet) {
    for (std::size_t k = 0; k < list_.size(); ++k) {
      One& one = list_[k];
      if (one.process->is_running()) continue;
      const std::string how = fmt::format("node {}: {}; {}", k, one.process->exit_text(), last_words(k));
      if (++one.restarts > kMostRestarts) return how;
      if (!quiet) fmt::print(stderr, "volary: {}; it is started again\n", how);
      if (const core::Status started = launch(one); !started) return how + "; " + started.error().text();
    }
    return {};
  }
  int restarts() const {
    int n = 0;
    for (const One& one : list_) n += one.restarts;
    return n;
  }
  std::string last_words(std::size_t k) const {
    std::ifstream in(list_[k].log);
    std::string line, last = "it said nothing";
    while (std::getline(in, line))
      if (!line.empty()) last = line;
    return last;
  }
  void stop() {
    for (One& one : list_) one.process->send_signal(SIGTERM);
    for (One& one : list_) one.process->stop();
  }
  std::size_t size() const { return list_.size(); }

 private:
  static constexpr int kMostRestarts = 3;  // of one node
  struct One {
    std::vector<std::string> command;
    std::string log;
    std::unique_ptr<cluster::ChildProcess> process;
    int restarts = 0;
  };
  static core::Status launch(One& one) {
    auto child = cluster::ChildProcess::start({.command = one.command, .output_file = one.log});
    if (!child) return child.error();
    one.process = std::move(child).value();
    return core::ok();
  }
  core::ScratchFolder folder_;
  std::vector<One> list_;
};

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

void add_federation_rows(const UpCommand& o, std::uint64_t horizon, const Flight& flight, const cluster::Hub& hub, int restarts, Report& report) {
  report.add("federation/nodes", static_cast<std::int64_t>(o.nodes));
  report.add("federation/horizon", static_cast<std::int64_t>(horizon), "ticks");
  if (restarts > 0) report.add("federation/nodes started again", static_cast<std::int64_t>(restarts));
  if (flight.wall > 0) report.add("federation/ticks per second", static_cast<double>(flight.ticks) / flight.wall, "1/s");
  if (is_impaired(o.impairment))
    report.add("federation/impairment",
               fmt::format("loss {:g}, delay {:g} +- {:g} s, message level", o.impairment.loss, o.impairment.delay, o.impairment.jitter));
  for (const cluster::NodeStatus& n : hub.nodes())
    report.add(fmt::format("federation/node {}/last turn", n.member), static_cast<double>(n.compute_us) * 1e-3, "ms");
}

int fly_federation(const UpCommand& o, Prepared& p, Processes& processes, cluster::Broker* broker, cluster::Transport& transport, double speed) {
  cluster::HubOptions h{.federation = o.name, .parcel = {p.bundle, p.sharing, planned_ticks(p.def)}};
  h.build = build_number();
  h.observer = std::move(p.settled);
  h.period = speed > 0 ? static_cast<cluster::Time>(static_cast<double>(p.def.tick_ns) / speed) : 0;
  std::atomic<runner::Clock*> clock = nullptr;
  h.wake = [&] {
    if (runner::Clock* c = clock.load()) c->wake();
  };
  auto hub = cluster::Hub::start(transport, std::move(h));
  if (!hub) return fail("federation: " + hub.error().text(), kFailed);
  cluster::Following following(*hub.value());
  Flight flight;
  RecordOptions record = o.record;
  record.no_checkpoints = true;
  RunRecorder recorder(record, flight.log);
  recorder.set_bundle(p.bundle);
  ProgressLine line(o.quiet);
  std::string ended;
  const auto is_over = [&] {
    if (broker != nullptr && !broker->is_running())
      if (const core::Status again = broker->restart(); !again) ended = "the broker has died: " + again.error().text();
    if (ended.empty()) ended = processes.revive(o.quiet);
    return is_interrupted() || !ended.empty();
  };
  const std::size_t n_vehicles = p.world->n_vehicles();
  FlightPlan plan{.is_interrupted = is_over, .sinks = {&recorder, &line}, .sources = {&following}};
  plan.fly_tick = [&](World& world) { return following.fly(world); };
  plan.lend_clock = [&](runner::Clock& c) { clock = &c; };
  fly(*p.world, plan, flight);
  clock = nullptr;
  if (!ended.empty()) flight.failure = ended;
  const Ending end = ending_of(*p.world, n_vehicles);
  Report report{"federation up", {}, verdict_of(end.tasks, flight.log, !flight.interrupted)};
  add_figures(end, flight, report);
  add_swarm(end, flight.log.closest, report);
  add_mission(end, report);
  add_recording(recorder.path(), recorder.bytes(), report);
  add_federation_rows(o, horizon_ticks(p.def), flight, *hub.value(), processes.restarts(), report);
  hub.value()->stop();
  processes.stop();
  if (o.json)
    print_json(report);
  else if (o.hash)
    fmt::print("{}\n", hex64(end.hash));
  else
    print_rows(report);
  for (std::size_t k = 0; !o.quiet && k < processes.size(); ++k) fmt::print(stderr, "{}\n", processes.last_words(k));
  return outcome_of(flight, *report.verdict);
}

int up(const UpCommand& o) {
  double speed = 0;
  if (!parse_speed(o.speed, speed)) return fail("federation up: --speed: '" + o.speed + "' is neither a positive number nor max");
  core::Result<Prepared> prepared = prepare(o);
  if (!prepared) return fail(prepared.error().text());
  if (!o.quiet)
    for (const std::string& text : scenario::warnings_of(prepared.value().def)) warn(text);
  if (const auto checked = recorder_options(o.record); !checked) return fail("federation up: " + checked.error().text());
  if (const core::Status good = cluster::check_impairment(o.impairment); !good) return fail("federation up: " + good.error().text());
  catch_signals();

  std::unique_ptr<cluster::Broker> broker;
  BrokerOptionsCli way = o.broker;
  Connection own{.broker = way, .federation = o.name, .account = "coordinator", .impairment = o.impairment, .link = 0xc0};
  if (way.address.empty()) {
    auto started = cluster::Broker::start({.federation = o.name, .nodes = o.nodes, .installer = home_folder() + "/tools/install_broker.sh"});
    if (!started) return fail("federation up: " + started.error().text(), kFailed);
    broker = std::move(started).value();
    way.address = fmt::format("{}:{}", broker->address().host, broker->address().port);
    own.broker.address = way.address;
    own.password = broker->coordinator().password;
  }
  auto transport = connect_to(own);
  if (!transport) return fail("federation up: " + transport.error().text(), kFailed);
  Processes processes;
  const auto password_of = [&](int k) { return broker ? broker->node(k).password : std::string(); };
  if (const core::Status started = processes.start(o, way, password_of); !started) return fail("federation up: " + started.error().text(), kFailed);
  return fly_federation(o, prepared.value(), processes, broker.get(), *transport.value(), speed);
}

}  // namespace

void add_federation(CLI::App& app, Action& action) {
  CLI::App* f = app.add_subcommand("federation", "Fly one world in several processes, with the results of one process.");
  f->require_subcommand(1);
  auto o = std::make_shared<UpCommand>();
  CLI::App* c = f->add_subcommand("up", "Start the processes of a federation on this machine, fly a scenario, record it, and print a report.");
  c->add_option("SCENARIO", o->scenario, "path of a .yaml file, or the name of a scenario in scenarios/")->capture_default_str();
  c->add_option("--nodes", o->nodes, "number of processes that simulate vehicles")->check(CLI::Range(1, 63))->capture_default_str();
  c->add_option("--name", o->name, "name of the federation; several can use one broker")->capture_default_str();
  c->add_option("--seed", o->seed, "seed of all random draws; default: the seed of the scenario");
  c->add_option("--duration", o->duration, "simulated length of the run in seconds; default: the duration of the scenario");
  c->add_option("--speed", o->speed, "simulated seconds per second, or max for as fast as possible; default: max");
  c->add_option("--set", o->set, "override of a field of the scenario: path=value; can be repeated");
  add_broker_options(*c, o->broker);
  add_impairment_options(*c, o->impairment);
  add_record_options(*c, o->record);
  c->add_flag("--hash", o->hash, "print only the final state hash");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->add_flag("--quiet", o->quiet, "print no progress and no warnings");
  c->footer(
      "Without --broker a Mosquitto is started for this federation on a free port of 127.0.0.1 and ended with it.\n"
      "Examples:\n  volary federation up search_and_rescue --nodes 4\n"
      "  volary federation up search_and_rescue --nodes 4 --loss 0.3 --delay 0.03 --jitter 0.01 --duration 20");
  c->callback([=, &action] { action = [=] { return up(*o); }; });
}

}  // namespace volary::cli
