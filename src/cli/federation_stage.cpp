// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_stage.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/autopilot_options.hpp"
#include "cli/flight.hpp"
#include "cli/paths.hpp"
#include "cluster/share_by_cost.hpp"
#include "scenario/federation.hpp"
#include "scenario/load.hpp"

namespace volary::cli {

namespace {

core::Status place_on_machines(const UpCommand& o, const HostsFile& hosts, Prepared& p) {
  auto placed = place_nodes(hosts, p.sharing.members, p.names, o.ssh);
  if (!placed) return placed.error();
  p.machines = std::move(placed).value();
  return core::ok();
}

// as the scenario says, unless the command line asks for another number of nodes or has machines for them
core::Status share_vehicles(const UpCommand& o, Prepared& p) {
  const auto section = scenario::load_federation(p.bundle);
  if (!section) return section.error();
  HostsFile hosts;
  if (!o.hosts.empty()) {
    auto read = read_hosts(o.hosts);
    if (!read) return read.error();
    hosts = std::move(read).value();
  }
  const std::size_t named = section.value().nodes.size();
  if (named == 0) {
    int room = 0;
    for (const HostFile& h : hosts.hosts) room += h.nodes;
    p.sharing = cluster::share_by_cost(p.def, static_cast<std::uint32_t>(o.nodes > 0 ? o.nodes : room > 0 ? room : 2));
    return place_on_machines(o, hosts, p);
  }
  if (o.nodes > 0 && static_cast<std::size_t>(o.nodes) != named)
    return core::Error{.message = fmt::format("the scenario names {} nodes in its section 'federation'", named), .field = "--nodes", .suggestion = "leave the option out"};
  p.sharing = cluster::share_by_section(p.def, section.value());
  for (const scenario::FederationNodeFile& n : section.value().nodes) p.names.push_back(n.name);
  return place_on_machines(o, hosts, p);
}

// a process on another machine does not have our files
std::vector<std::string> node_options(const UpCommand& o, bool is_far) {
  std::vector<std::string> options = impairment_arguments(o.impairment);
  if (o.record_nodes) options.push_back("--record");
  if (!o.broker.user.empty()) options.insert(options.end(), {"--user", o.broker.user});
  if (is_far) return options;
  if (!o.broker.certificate_file.empty()) options.insert(options.end(), {"--certificate", o.broker.certificate_file});
  if (!o.broker.key_file.empty()) options.insert(options.end(), {"--key", o.broker.key_file});
  return options;
}

core::Result<std::string> read_certificates(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  constexpr std::size_t kMost = 12'000;  // with it, an invitation still goes through a pipe at once
  if (!in.is_open() || text.empty()) return core::Error{.message = "the file cannot be read, or is empty", .file = path, .field = "--ca"};
  if (text.size() > kMost)
    return core::Error{.message = fmt::format("the file has {} bytes, more than {}", text.size(), kMost),
                       .file = path,
                       .field = "--ca",
                       .suggestion = "give a file with the certificate of the broker's authority alone"};
  return text;
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
  if (const core::Status can = refuse_autopilots(p.bundle, def.value()); !can) return can.error();
  p.def = std::move(def).value();
  if (const core::Status shared = share_vehicles(o, p); !shared) return shared.error();
  std::string error;
  p.world = World::create(p.def, {}, &error);
  if (p.world == nullptr) return core::Error{.message = p.def.name + ": " + error};
  if (o.live && p.def.worlds != 1)
    return core::Error{.message = "a batch of worlds is not shared: each process can fly worlds of its own", .field = "worlds"};
  if (o.live) return p;  // what the observer is told comes in inputs
  if (horizon_ticks(p.def) > 1) p.settled = World::create(p.def, {}, &error);
  if (!p.world->share(p.sharing, &error)) return core::Error{.message = error};
  return p;
}

core::Result<cluster::HostPort> reach_machines(const UpCommand& o, NodeMachines& machines) {
  constexpr int kPort = 8883;  // of MQTT over TLS
  cluster::HostPort network;
  if (!o.listen.empty()) {
    auto parsed = cluster::parse_host_port(o.listen, kPort, "--listen");
    if (!parsed) return parsed.error();
    network = std::move(parsed).value();
    if (network.host == "0.0.0.0" || network.host == "::")
      return core::Error{.message = "no machine is reached under this address", .field = "--listen", .suggestion = "give the address under which other machines reach this one"};
    if (const core::Status free = cluster::can_listen(network, "--listen"); !free) return free.error();
  }
  const bool is_far = std::any_of(machines.begin(), machines.end(), [](const std::optional<RemoteMachine>& m) { return m.has_value(); });
  if (!is_far) return network;
  const auto seen = prepare_machines(machines);
  if (!seen) return seen.error();
  if (!network.host.empty() || !o.broker.address.empty()) return network;
  if (seen.value().empty())
    return core::Error{.message = "the machines see this one under several addresses", .field = "--listen", .suggestion = "give the one that the broker is to be reached under"};
  network = {seen.value(), kPort};
  if (const core::Status free = cluster::can_listen(network, "--listen"); !free) return free.error();
  return network;
}

Invitation Stage::invite(const std::string& federation, const std::string& account, bool is_far) const {
  return {federation, is_far ? far_address : address, account, broker ? broker->account(account).password : own.password, is_far ? far_ca : ca};
}

core::Status set_stage(const UpCommand& o, const cluster::HostPort& network, Stage& s) {
  s.own = {.broker = o.broker, .federation = o.name, .account = std::string(cluster::kCoordinatorAccount), .impairment = o.impairment, .link = 0xc0};
  if (o.broker.address.empty()) {
    auto started = cluster::Broker::start({.federation = o.name, .nodes = kNodeAccounts, .installer = home_folder() + "/tools/install_broker.sh", .network = network});
    if (!started) return started.error();
    s.broker = std::move(started).value();
    s.own.broker.address = fmt::format("{}:{}", s.broker->address().host, s.broker->address().port);
    s.own.password = s.broker->coordinator().password;
  } else if (!o.broker.password_file.empty()) {
    auto password = cluster::read_secret_file(o.broker.password_file, "--password-file");
    if (!password) return password.error();
    s.own.password = std::move(password).value();
  }
  s.address = s.far_address = s.own.broker.address;
  if (!o.broker.ca_file.empty()) {
    auto text = read_certificates(o.broker.ca_file);
    if (!text) return text.error();
    s.ca = s.far_ca = std::move(text).value();
  }
  if (!network.host.empty() && s.broker) {
    s.far_address = cluster::host_port_text(network);
    s.far_ca = s.broker->certificate();
  }
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
  for (int k = o.nodes - o.joining; s.broker && k < kNodeAccounts; ++k) invitations.push_back(s.invite(o.name, std::to_string(k), true));
  const Invitation orders = s.invite(o.name, std::string(s.broker ? cluster::kOperatorAccount : cluster::kCoordinatorAccount), true);
  std::optional<Invitation> view;
  if (s.broker) view = s.invite(o.name, std::string(cluster::kViewAccount), true);
  return s.record->announce(orders, view, invitations);
}

cluster::HubOptions hub_options(const UpCommand& o, const Prepared& p, const Stage& stage, const NodeProcesses& nodes, double speed) {
  cluster::HubOptions h{.federation = o.name, .parcel = {p.bundle, p.sharing, planned_ticks(p.def), o.live, o.extrapolate}};
  h.build = build_number();
  h.tick = static_cast<cluster::Time>(p.def.tick_ns);
  h.period = speed > 0 ? static_cast<cluster::Time>(static_cast<double>(p.def.tick_ns) / speed) : 0;
  h.scenario = p.def.name;
  h.names = p.names;
  for (const cluster::DeadPolicy policy : {cluster::DeadPolicy::Wait, cluster::DeadPolicy::Remove, cluster::DeadPolicy::Freeze, cluster::DeadPolicy::Extrapolate})
    if (o.dead_node == cluster::name_of(policy)) h.policy = policy;
  h.extrapolate = static_cast<std::uint32_t>(std::llround(o.extrapolate * 1e9 / static_cast<double>(p.def.tick_ns)));
  h.seats = static_cast<std::size_t>(o.nodes - o.joining);
  // nodes that others started have no other way into our folder of logs
  h.log = [&nodes, logs = stage.logs](const std::string& account, const std::string& text) {
    if (!nodes.has(account) && cluster::check_federation_id(account)) std::ofstream(logs + "/node-" + account + ".log", std::ios::app) << text << "\n";
  };
  return h;
}

core::Status start_nodes(const UpCommand& o, const Prepared& p, const Stage& stage, NodeProcesses& nodes) {
  for (int k = 0; k < o.nodes - o.joining; ++k) {
    const std::optional<RemoteMachine>& machine = p.machines[static_cast<std::size_t>(k)];
    const bool is_far = machine.has_value();
    if (const core::Status done = nodes.start({stage.invite(o.name, std::to_string(k), is_far), node_options(o, is_far), machine}); !done) return done;
  }
  return core::ok();
}

}  // namespace volary::cli
