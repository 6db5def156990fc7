// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes that `volary federation up` has started. They end together with it. One that dies is started again under its account and goes on from what the coordinator keeps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/federation_hosts.hpp"
#include "cli/federation_invitation.hpp"
#include "core/child_process.hpp"

namespace volary::cli {

struct NodeStart {
  Invitation invitation;
  std::vector<std::string> options = {};  // of `volary node`
  std::optional<RemoteMachine> machine = {};  // none: this one
};

class NodeProcesses {
 public:
  explicit NodeProcesses(std::string logs) : logs_(std::move(logs)) {}
  core::Status start(NodeStart start);

  // Starts again what has died, or goes on without it. The reason when it does not help any more.
  std::string revive(bool quiet, bool again);
  bool are_all_gone() const;  // and none is started again
  // true: the process with this account is ours, and is ended at once
  bool kill(const std::string& account);
  bool has(const std::string& account) const;
  // the last lines that a process wrote
  std::string last_words(const std::string& account, std::size_t lines) const;
  std::vector<std::string> accounts() const;
  void stop();

 private:
  static constexpr int kMostRestarts = 3;  // of one node
  struct One {
    NodeStart start;
    std::string log;
    std::unique_ptr<core::ChildProcess> process;
    int restarts = 0;
    bool is_done = false;  // it has left, or is not wanted again
  };
  core::Status launch(One& one) const;
  std::string logs_;
  std::vector<One> list_;
};

}  // namespace volary::cli
