// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Other machines on which `volary federation up` starts nodes, over ssh. The list of machines and programs is a file that the command line names: no scenario and no message
// can name a machine or a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::cli {

struct HostFile {
  std::string ssh = {};  // destination: HOST, USER@HOST, or a name of ~/.ssh/config
  std::string program = {};  // empty: this program is copied there
  int nodes = 1;
  std::vector<std::string> names = {};
};
struct HostsFile {
  std::vector<HostFile> hosts = {};
};
core::Result<HostsFile> read_hosts(const std::string& path);

// a machine that nodes can be started on
struct RemoteMachine {
  std::vector<std::string> ssh;  // the command with its options and the destination
  std::string name;  // as the file has it
  std::string program;

  // the command that runs the program there
  std::vector<std::string> command(const std::vector<std::string>& arguments) const;
};
// by node: the machine that it runs on; none: this one
using NodeMachines = std::vector<std::optional<RemoteMachine>>;

// `ssh`: the program with its options, in words that spaces part. `names` of the nodes may be empty.
core::Result<NodeMachines> place_nodes(const HostsFile& file, std::size_t nodes, const std::vector<std::string>& names, const std::string& ssh);

// Puts this program on every machine that has no program of its own, unless it is there, and looks whether it runs there. Returns the address under which
// they all see this machine; empty where they see several.
core::Result<std::string> prepare_machines(NodeMachines& machines);

}  // namespace volary::cli
