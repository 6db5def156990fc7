// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary node: one process of a federation. `volary federation up` starts them.
#include <CLI/CLI.hpp>
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/federation_options.hpp"
#include "cli/known_plugins.hpp"
#include "cli/signals.hpp"
#include "cluster/node_process.hpp"
#include "cluster/topics.hpp"

namespace volary::cli {

namespace {

struct NodeCommand {
  Connection connection{.federation = "local", .account = "0"};
  std::string folder;
  int threads = 1;
  double patience = 30;
  bool quiet = false;
};

int run(const NodeCommand& o) {
  if (o.connection.broker.address.empty()) return fail("node: --broker is missing: give HOST:PORT of the federation's broker");
  if (!o.folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(o.folder, error);
    if (error) return fail("node: --folder: " + o.folder + ": " + error.message());
  }
  catch_signals();
  Connection connection = o.connection;
  connection.link = cluster::federation_number(connection.account);  // every node has draws of its own
  auto transport = connect_to(connection);
  if (!transport) return fail("node: " + transport.error().text(), kFailed);
  cluster::NodeProcessOptions p{.federation = o.connection.federation, .account = o.connection.account, .folder = o.folder};
  p.build = build_number();
  p.threads = o.threads;
  p.patience = o.patience;
  p.may_run = built_here;
  p.is_interrupted = is_interrupted;
  p.tell = [&](const std::string& text) {
    if (!o.quiet) fmt::print(stderr, "volary: node {}: {}\n", o.connection.account, text);
  };
  const auto done = cluster::run_node(*transport.value(), p);
  if (!done) return fail("node: " + done.error().text(), kFailed);
  const cluster::NodeProcessResult& r = done.value();
  p.tell(fmt::format("settled {} ticks, {} committed, {} rollbacks, {} ticks simulated again", r.settled, r.committed, r.rollbacks, r.flown_again));
  return kDone;
}

}  // namespace

void add_node(CLI::App& app, Action& action) {
  auto o = std::make_shared<NodeCommand>();
  CLI::App* c = app.add_subcommand("node", "Simulate a part of the vehicles of a federation, as one of its processes.");
  c->add_option("--federation", o->connection.federation, "name of the federation")->capture_default_str();
  c->add_option("--account", o->connection.account, "name of this process in the federation: a number from 0")->capture_default_str();
  add_broker_options(*c, o->connection.broker);
  c->add_option("--folder", o->folder, "folder in which the node saves its state; a node that is started again with the same folder continues from there");
  c->add_option("--threads", o->threads, "number of threads; the result does not depend on it")->check(CLI::Range(1, 1024))->capture_default_str();
  c->add_option("--patience", o->patience, "seconds without a message of the coordinator after which the node ends")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  add_impairment_options(*c, o->connection.impairment);
  c->add_flag("--quiet", o->quiet, "print nothing but errors");
  c->footer("Example:\n  volary node --broker 127.0.0.1:1883 --federation survey --account 2 --password-file node2.password");
  c->callback([=, &action] { action = [=] { return run(*o); }; });
}

}  // namespace volary::cli
