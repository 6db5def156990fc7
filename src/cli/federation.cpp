// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary federation: one world in several processes, and orders to one that runs.
#include <CLI/CLI.hpp>
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/federation_orders.hpp"
#include "cli/federation_record.hpp"
#include "cli/federation_status.hpp"
#include "cli/federation_up.hpp"
#include "cli/node.hpp"

namespace volary::cli {

namespace {

// which federation an order is for: one of this machine, or one whose broker is named
struct OrderCommand {
  std::string name, node, input, file;
  Connection connection;
  bool json = false;
};

core::Result<Connection> connection_of(const OrderCommand& o) {
  Connection c = o.connection;
  if (!c.broker.address.empty()) {
    c.federation = o.name.empty() ? "local" : o.name;
    c.account = c.broker.user.empty() ? "operator" : c.broker.user;
    return c;
  }
  const auto running = find_running(o.name);
  if (!running) return running.error();
  accept(running.value().orders, c);
  return c;
}

int order(const OrderCommand& o, nlohmann::json what, const std::function<void(const nlohmann::json&)>& show) {
  const std::string who = "federation " + what["order"].get<std::string>();
  const auto connection = connection_of(o);
  if (!connection) return fail(who + ": " + connection.error().text(), kFailed);
  auto transport = connect_to(connection.value());
  if (!transport) return fail(who + ": " + transport.error().text(), kFailed);
  const auto answer = give_order(*transport.value(), connection.value(), std::move(what));
  if (!answer) return fail(who + ": " + answer.error().text(), kFailed);
  show(answer.value());
  return kDone;
}

void add_order_options(CLI::App& c, OrderCommand& o) {
  c.add_option("--name", o.name, "name of the federation, or the number of its process; default: the one that runs on this machine");
  add_broker_options(c, o.connection.broker);
}

int give_input(const OrderCommand& o) {
  nlohmann::json what = nlohmann::json::parse(o.input, nullptr, false);
  if (!what.is_object()) return fail("federation input: INPUT: it is no JSON object");
  what["order"] = "input";
  return order(o, what, [](const nlohmann::json& answer) {
    if (!answer.contains("given")) fmt::print("the input is given\n");
    for (const auto& given : answer.value("given", nlohmann::json::array()))
      fmt::print("input {} acts at tick {}\n", given["sequence"].get<std::uint64_t>(), given["tick"].get<std::uint64_t>());
  });
}

// the folder of the running federation has the invitation; elsewhere it is named, or the broker is
int join(NodeCommand o, const std::string& address, const std::string& name) {
  std::error_code ignored;
  if (!address.empty() && std::filesystem::exists(address, ignored)) {
    o.invitation = address;
  } else if (!address.empty()) {
    o.connection.broker.address = address;
  } else if (o.connection.broker.address.empty()) {
    const auto running = find_running(name);
    if (!running) return fail("federation join: " + running.error().text(), kFailed);
    const auto invitation = take_invitation(running.value());
    if (!invitation) return fail("federation join: " + invitation.error().text(), kFailed);
    accept(invitation.value(), o.connection);
  }
  return run_node_command(std::move(o), "federation join");
}

// a node, or a program that watches or steers; the accounts of another's broker are not ours to give
core::Result<Invitation> invitation_of(const RunningFederation& f, const std::string& account) {
  if (account == "node") return take_invitation(f);
  if (f.orders.account != "operator")
    return core::Error{.message = "the federation uses a broker of its own administrator", .field = "--for", .suggestion = "ask for an account there"};
  return account == "operator" ? core::Result<Invitation>(f.orders) : read_invitation(f.view());
}

int invite(const OrderCommand& o, const std::string& account) {
  const auto running = find_running(o.name);
  if (!running) return fail("federation invite: " + running.error().text(), kFailed);
  const auto invitation = invitation_of(running.value(), account);
  if (!invitation) return fail("federation invite: " + invitation.error().text(), kFailed);
  if (const core::Status done = write_private(o.file, invitation_text(invitation.value())); !done) return fail("federation invite: " + done.error().text());
  const Invitation& i = invitation.value();
  fmt::print("{} invites {}{} to federation {} at {}\n", o.file, account == "node" ? "node " : "account ", i.account, i.federation, i.address);
  return kDone;
}

// an order that names a node, or nothing
void add_plain_order(CLI::App& f, Action& action, const std::string& word, const std::string& help, bool names_node, const std::string& said) {
  auto o = std::make_shared<OrderCommand>();
  CLI::App* c = f.add_subcommand(word, help);
  if (names_node) c->add_option("NODE", o->node, "name of the node, as 'volary federation status' lists it")->required();
  add_order_options(*c, *o);
  c->callback([=, &action] {
    action = [=] {
      nlohmann::json what = {{"order", word}};
      if (names_node) what["node"] = o->node;
      return order(*o, what, [&](const nlohmann::json&) { fmt::print("{}{}\n", names_node ? "node " + o->node + " " : "", said); });
    };
  });
}

void add_up(CLI::App& f, Action& action) {
  auto o = std::make_shared<UpCommand>();
  CLI::App* c = f.add_subcommand("up", "Start the processes of a federation, fly a scenario, record it, and print a report.");
  add_up_options(*c, *o);
  c->footer(
      "Without --broker a Mosquitto is started for this federation on a free port of 127.0.0.1 and ended with it.\n"
      "Examples:\n  volary federation up search_and_rescue --nodes 4\n"
      "  volary federation up search_and_rescue --nodes 4 --loss 0.3 --delay 0.03 --jitter 0.01 --duration 20");
  c->callback([=, &action] { action = [=] { return federation_up(*o); }; });
}

void add_status(CLI::App& f, Action& action) {
  auto o = std::make_shared<OrderCommand>();
  CLI::App* c = f.add_subcommand("status", "Print how a running federation and its nodes do.");
  add_order_options(*c, *o);
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->callback([=, &action] {
    action = [=] { return order(*o, {{"order", "status"}}, [&](const nlohmann::json& answer) { print_status(answer["status"], o->json); }); };
  });
}

void add_join(CLI::App& f, Action& action) {
  auto o = std::make_shared<NodeCommand>();
  auto address = std::make_shared<std::string>(), name = std::make_shared<std::string>();
  CLI::App* c = f.add_subcommand("join", "Start a node by hand that joins a running federation, or waits until one of its places is free.");
  c->add_option("ADDRESS", *address, "file with an invitation, or HOST:PORT of the broker; default: the federation that runs on this machine");
  c->add_option("--name", *name, "name of the federation on this machine, or the number of its process; default: the one that runs");
  add_node_options(*c, *o);
  c->callback([=, &action] { action = [=] { return join(*o, *address, *name); }; });
}

}  // namespace

void add_federation(CLI::App& app, Action& action) {
  CLI::App* f = app.add_subcommand("federation", "Fly one world in several processes, with the results of one process.");
  f->require_subcommand(1);
  add_up(*f, action);
  add_status(*f, action);
  add_join(*f, action);
  add_plain_order(*f, action, "leave", "Move the vehicles of a node to another process; the node ends.", true, "leaves its place to another process");
  add_plain_order(*f, action, "kill", "End the process of a node at once, as a crash would.", true, "is killed");
  add_plain_order(*f, action, "pause", "Hold a running federation.", false, "the federation is paused");
  add_plain_order(*f, action, "resume", "Let a paused federation continue.", false, "the federation continues");
  add_plain_order(*f, action, "down", "End a running federation with all of its processes.", false, "the federation ends");

  auto o = std::make_shared<OrderCommand>();
  CLI::App* input = f->add_subcommand("input", "Give an input to the world of a running federation.");
  input->add_option("INPUT", o->input, "JSON object with the fields of POST /api/live/input: kind, ids, fields, tick, series")->required();
  add_order_options(*input, *o);
  input->callback([=, &action] { action = [=] { return give_input(*o); }; });

  auto i = std::make_shared<OrderCommand>();
  auto account = std::make_shared<std::string>("node");
  CLI::App* invited = f->add_subcommand("invite", "Write a file by which a node on another machine, or a program, connects to a federation of this machine.");
  invited->add_option("FILE", i->file, "new file; it contains a password and only its owner can read it")->required();
  invited->add_option("--name", i->name, "name of the federation, or the number of its process; default: the one that runs");
  invited->add_option("--for", *account, "account of the invitation: a node simulates vehicles, view reads all messages, operator gives orders and setpoints")
      ->check(CLI::IsMember({"node", "view", "operator"}))
      ->capture_default_str();
  invited->callback([=, &action] { action = [=] { return invite(*i, *account); }; });
}

}  // namespace volary::cli
