// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a federation is flown on: the scenario with the share of every process, the broker, the accounts, the folder of logs.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "cli/federation_hosts.hpp"
#include "cli/federation_processes.hpp"
#include "cli/federation_record.hpp"
#include "cli/federation_up.hpp"
#include "cluster/hub.hpp"
#include "cluster/transport/broker.hpp"
#include "runner/clock.hpp"
#include "scenario/files.hpp"

namespace volary::cli {

// what is to be flown, and by whom
struct Prepared {
  WorldDef def;
  scenario::Bundle bundle;
  Sharing sharing;
  std::vector<std::string> names;  // of the nodes; empty: their numbers
  std::unique_ptr<World> world;  // of the observer
  std::unique_ptr<World> settled;  // of the hub, where the horizon is longer than a tick
  NodeMachines machines;  // by node
};

core::Result<Prepared> prepare(const UpCommand& options);

struct Stage {
  std::unique_ptr<cluster::Broker> broker;  // none: somebody else's
  Connection own;
  std::string address, ca;  // of the broker: for processes of this machine
  std::string far_address, far_ca;  // and of all machines
  std::optional<FederationRecord> record;
  std::unique_ptr<cluster::Transport> transport;
  std::string logs;

  Invitation invite(const std::string& federation, const std::string& account, bool is_far) const;
};

inline constexpr int kNodeAccounts = 64;
core::Status set_stage(const UpCommand& options, const cluster::HostPort& network, Stage& stage);
// how orders are given and programs connect, and one invitation for every account that we do not use ourselves
core::Status announce(const UpCommand& options, const Stage& stage);

cluster::HubOptions hub_options(const UpCommand& options, const Prepared& prepared, const Stage& stage, const NodeProcesses& nodes, double speed);
core::Status start_nodes(const UpCommand& options, const Prepared& prepared, const Stage& stage, NodeProcesses& nodes);
// where the broker listens for other machines; no host: nowhere. Puts the program on the machines that nodes run on.
core::Result<cluster::HostPort> reach_machines(const UpCommand& options, NodeMachines& machines);

// all of it, while it flies
struct FlyingFederation {
  const UpCommand& options;
  Prepared& prepared;
  Stage& stage;
  NodeProcesses& nodes;
  cluster::Hub& hub;
  std::atomic<runner::Clock*>& clock;  // woken by the hub
  double speed = 0;
};

}  // namespace volary::cli
