// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Looks after a federation while it flies: its broker, the processes of its nodes, places that are free, orders.
#pragma once

#include <string>

#include "cli/federation_orders.hpp"
#include "cli/federation_stage.hpp"

namespace volary::cli {

class Warden {
 public:
  Warden(const UpCommand& options, Stage& stage, NodeProcesses& nodes, cluster::Hub& hub, Helm helm)
      : o_(options), stage_(stage), nodes_(nodes), hub_(hub), desk_(hub, std::move(helm), [this](const std::string& account) { return nodes_.kill(account); }) {}

  bool look();  // true: the flight must end
  const std::string& ended() const { return ended_; }  // why it cannot go on; empty: it was told to end

 private:
  void fill_places();

  const UpCommand& o_;
  Stage& stage_;
  NodeProcesses& nodes_;
  cluster::Hub& hub_;
  OrderDesk desk_;
  std::string ended_;
  std::int64_t look_at_ = 0, free_since_ = cluster::monotonic_ns();
  int replaced_ = 0;
};

}  // namespace volary::cli
