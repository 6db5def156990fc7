// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One process of a federation, as `volary node` and `volary federation join` run it.
#pragma once

#include <string>

#include "cli/federation_options.hpp"

namespace volary::cli {

struct NodeCommand {
  Connection connection;
  std::string invitation;  // file, or "-"
  std::string scenario;  // that it must be; empty: any
  int threads = 1;
  double patience = 30;
  bool quiet = false, ends_with_input = false, record = false;
};
void add_node_options(CLI::App& command, NodeCommand& options);
// `who` begins the messages
int run_node_command(NodeCommand options, const std::string& who);

}  // namespace volary::cli
