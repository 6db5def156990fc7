// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A node as a process: it fetches the scenario, joins, and simulates its vehicles until the federation is over. The state machine (node.hpp) says what to do, the
// transport carries, and the world flies.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cluster/transport/transport.hpp"
#include "cluster/world_host.hpp"
#include "runner/sink.hpp"
#include "scenario/files.hpp"

namespace volary::cluster {

struct NodeProcessOptions {
  std::string federation = "local";
  std::string account = "0";  // under which it publishes
  std::uint32_t save_every = 100;  // ticks between two states that the coordinator is given to keep
  std::uint64_t build = 0;  // the same in all processes of a federation
  int threads = 1;
  double patience = 10;  // s without a word of the coordinator, after which it ends
  scenario::MayRun may_run = nullptr;  // plugins of the scenario; empty: none
  std::optional<scenario::Bundle> expected = {};  // the files that the scenario must consist of
  // who sees the world of this process in a live federation; called once, with the files of the scenario
  std::function<std::vector<runner::Sink*>(const scenario::Bundle&)> sinks = {};
  std::function<bool()> is_interrupted = {};
  std::function<void(const std::string&)> tell = {};
};

struct NodeProcessResult {
  Tick settled = 0, committed = 0;
  std::uint64_t rollbacks = 0, flown_again = 0;
  std::size_t member = kMaxMembers;
};

core::Result<NodeProcessResult> run_node(Transport& transport, const NodeProcessOptions& options);

}  // namespace volary::cluster
