// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary node: one process of a federation. `volary federation up` starts them.
#include "cli/node.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/federation_invitation.hpp"
#include "cli/known_plugins.hpp"
#include "cli/paths.hpp"
#include "cli/run_recorder.hpp"
#include "cli/signals.hpp"
#include "cluster/node_process.hpp"
#include "cluster/topics.hpp"
#include "scenario/load.hpp"

namespace volary::cli {

namespace {

// Whoever started it holds its standard input open; when that closes, because a process, a connection or a machine is gone, the node ends.
void end_with_input() {
  std::thread([] {
    char part[256];
    while (::read(0, part, sizeof part) > 0) {}
    ::kill(::getpid(), SIGTERM);
  }).detach();
}

// the files of the scenario that the federation must fly
core::Result<std::optional<scenario::Bundle>> expected_scenario(const std::string& name) {
  if (name.empty()) return std::optional<scenario::Bundle>();
  const auto path = find_scenario(name);
  if (!path) return path.error();
  scenario::Paths paths;
  paths.assets = scenario_paths().assets;
  scenario::Bundle bundle;
  const auto def = scenario::load_scenario(path.value(), paths, {}, bundle);
  if (!def) return def.error();
  return std::optional(std::move(bundle));
}

}  // namespace

int run_node_command(NodeCommand o, const std::string& who) {
  if (!o.invitation.empty()) {
    const auto invitation = read_invitation(o.invitation);
    if (!invitation) return fail(who + ": --invitation: " + invitation.error().text());
    accept(invitation.value(), o.connection);
  }
  if (o.connection.federation.empty()) o.connection.federation = "local";
  if (o.connection.account.empty()) o.connection.account = "0";
  if (o.connection.broker.address.empty()) return fail(who + ": --broker is missing: give HOST:PORT of the federation's broker");
  auto expected = expected_scenario(o.scenario);
  if (!expected) return fail(who + ": --scenario: " + expected.error().text());
  catch_signals();
  if (o.ends_with_input) end_with_input();
  o.connection.link = cluster::federation_number(o.connection.account);  // every node has draws of its own
  auto transport = connect_to(o.connection);
  if (!transport) return fail(who + ": " + transport.error().text(), kFailed);
  cluster::NodeProcessOptions p{.federation = o.connection.federation, .account = o.connection.account};
  p.build = build_number();
  p.threads = o.threads;
  p.patience = o.patience;
  p.may_run = built_here;
  p.expected = std::move(expected).value();
  p.is_interrupted = is_interrupted;
  p.tell = [&](const std::string& text) {
    if (!o.quiet) fmt::print(stderr, "volary: node {}: {}\n", o.connection.account, text);
  };
  Flight flight;
  RunRecorder recorder(RecordOptions{}, flight.log);
  if (o.record)
    p.sinks = [&](const scenario::Bundle& bundle) {
      recorder.set_bundle(bundle);
      return std::vector<runner::Sink*>{&flight.log, &recorder};
    };
  const auto done = cluster::run_node(*transport.value(), p);
  if (const std::string path = recorder.path(); !path.empty()) p.tell("recorded " + path);
  if (!done) return fail(who + ": " + done.error().text(), kFailed);
  const cluster::NodeProcessResult& r = done.value();
  p.tell(fmt::format("settled {} ticks, {} committed, {} rollbacks, {} ticks simulated again", r.settled, r.committed, r.rollbacks, r.flown_again));
  return kDone;
}

void add_node_options(CLI::App& c, NodeCommand& o) {
  c.add_option("--federation", o.connection.federation, "name of the federation; default: that of the invitation, or local");
  c.add_option("--account", o.connection.account, "name of this process in the federation; default: that of the invitation, or 0");
  add_broker_options(c, o.connection.broker);
  c.add_option("--threads", o.threads, "number of threads; the result does not depend on it")->check(CLI::Range(1, 1024))->capture_default_str();
  c.add_option("--patience", o.patience, "seconds without a message of the coordinator after which the node ends")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  c.add_option("--scenario", o.scenario, "scenario that the federation must fly; with another one the node ends; default: any");
  add_impairment_options(c, o.connection.impairment);
  c.add_flag("--record", o.record, "in a live federation: record the world of this process into the library of runs");
  c.add_flag("--quiet", o.quiet, "print nothing but errors");
}

void add_node(CLI::App& app, Action& action) {
  auto o = std::make_shared<NodeCommand>();
  CLI::App* c = app.add_subcommand("node", "Simulate a part of the vehicles of a federation, as one of its processes.");
  c->add_option("--invitation", o->invitation, "file with an invitation to the federation; - reads its line from the standard input");
  c->add_flag("--end-with-input", o->ends_with_input, "end when the standard input closes");
  add_node_options(*c, *o);
  c->footer("Example:\n  volary node --broker 127.0.0.1:1883 --federation survey --account 2 --password-file node2.password");
  c->callback([=, &action] { action = [=] { return run_node_command(*o, "node"); }; });
}

}  // namespace volary::cli
