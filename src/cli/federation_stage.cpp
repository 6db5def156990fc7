// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_stage.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/flight.hpp"
#include "cli/paths.hpp"
#include "cluster/share_by_cost.hpp"
#include "scenario/federation.hpp"
#include "scenario/load.hpp"

namespace volary::cli {

namespace {

// as the scenario says, unless the command line asks for another number of nodes
core::Status share_vehicles(const UpCommand& o, Prepared& p) {
  const auto section = scenario::load_federation(p.bundle);
  if (!section) return section.error();
  const std::size_t named = section.value().nodes.size();
  if (named == 0) {
    p.sharing = cluster::share_by_cost(p.def, static_cast<std::uint32_t>(o.nodes > 0 ? o.nodes : 2));
    return core::ok();
  }
  if (o.nodes > 0 && static_cast<std::size_t>(o.nodes) != named)
    return core::Error{.message = fmt::format("the scenario names {} nodes in its section 'federation'", named), .field = "--nodes", .suggestion = "leave the option out"};
  p.sharing = cluster::share_by_section(p.def, section.value());
  for (const scenario::FederationNodeFile& n : section.value().nodes) p.names.push_back(n.name);
  return core::ok();
}

}  // namespace

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
  if (const core::Status shared = share_vehicles(o, p); !shared) return shared.error();
  std::string error;
  p.world = World::create(p.def, {}, &error);
  if (p.world == nullptr) return core::Error{.message = p.def.name + ": " + error};
  if (horizon_ticks(p.def) > 1) p.settled = World::create(p.def, {}, &error);
  if (!p.world->share(p.sharing, &error)) return core::Error{.message = error};
  return p;
}

Invitation Stage::invite(const std::string& federation, const std::string& account) const {
  return {federation, address, account, broker ? broker->account(account).password : own.password, ca};
}

core::Status set_stage(const UpCommand& o, Stage& s) {
  s.own = {.broker = o.broker, .federation = o.name, .account = std::string(cluster::kCoordinatorAccount), .impairment = o.impairment, .link = 0xc0};
  if (o.broker.address.empty()) {
    auto started = cluster::Broker::start({.federation = o.name, .nodes = kNodeAccounts, .installer = home_folder() + "/tools/install_broker.sh"});
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

core::Status announce(const UpCommand& o, const Stage& s) {
  std::vector<Invitation> invitations;
  for (int k = o.nodes - o.joining; s.broker && k < kNodeAccounts; ++k) invitations.push_back(s.invite(o.name, std::to_string(k)));
  const Invitation orders = s.invite(o.name, std::string(s.broker ? cluster::kOperatorAccount : cluster::kCoordinatorAccount));
  std::optional<Invitation> view;
  if (s.broker) view = s.invite(o.name, std::string(cluster::kViewAccount));
  return s.record->announce(orders, view, invitations);
}

cluster::HubOptions hub_options(const UpCommand& o, const Prepared& p, const Stage& stage, const NodeProcesses& nodes, double speed) {
  cluster::HubOptions h{.federation = o.name, .parcel = {p.bundle, p.sharing, planned_ticks(p.def)}};
  h.build = build_number();
  h.tick = static_cast<cluster::Time>(p.def.tick_ns);
  h.period = speed > 0 ? static_cast<cluster::Time>(static_cast<double>(p.def.tick_ns) / speed) : 0;
  h.scenario = p.def.name;
  h.names = p.names;
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

}  // namespace volary::cli
