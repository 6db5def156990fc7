// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary federation up: a scenario flown by several processes, recorded and reported as `volary run` does it.
#pragma once

#include <string>
#include <vector>

#include "cli/federation_options.hpp"
#include "cli/record_options.hpp"

namespace volary::cli {

struct UpCommand {
  std::string scenario = "default", seed, duration, speed;
  std::vector<std::string> set;
  std::string name = "local", logs;
  int nodes = 0, joining = 0;  // 0 nodes: as the scenario says, otherwise two
  double patience = 60;
  std::string dead_node = "wait";
  double extrapolate = 0.5;  // s
  bool live = false, record_nodes = false;
  BrokerOptionsCli broker;
  std::string listen;  // where the broker is reached from other machines
  std::string hosts, ssh = "ssh";
  cluster::ImpairmentOptions impairment;
  RecordOptions record;
  bool json = false, quiet = false, hash = false;
  bool headless = false, watch = false, api = false;
  int port = 8642;
  bool port_given = false;

  bool has_page() const;  // somebody is there to look
  bool is_watched() const { return api || has_page(); }  // the world is shown while it flies
};
// seconds without a tick after which the flight fails; whoever joins by hand takes his time
inline double patience_of(const UpCommand& o) { return o.joining > 0 ? 1e9 : o.patience; }
void add_up_options(CLI::App& command, UpCommand& options);
int federation_up(UpCommand options);

}  // namespace volary::cli
