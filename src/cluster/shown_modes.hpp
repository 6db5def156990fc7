// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a viewer of a running federation is shown in each way of alignment, from the messages as they arrive: the newest state of every node, the founding paper's
// algorithm, and this project's aligner. The thread of the hub feeds it; whoever shows the world asks.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "cluster/modes.hpp"

namespace volary::cluster {

// what is shown of one node: its frame of a tick, which is 0 when the node is not in the picture
struct ShownNode {
  Tick tick = 0;
  Time generated = 0;  // by the node's clock
  std::shared_ptr<const std::vector<std::byte>> frame = nullptr;
};

class ShownModes {
 public:
  // `nodes`: those that own vehicles, members 0 to n - 1
  ShownModes(std::size_t nodes, Time tick);

  void receive(const Bundle& bundle);
  std::vector<ShownNode> shown(ModeKind kind) const;  // None, Paper or Bides

 private:
  static constexpr std::size_t kKept = 128;  // frames of a node
  struct Kept {
    Version version;
    ShownNode shown;
  };
  void keep(std::size_t node, const FrameHead& head, Time generated, std::span<const std::byte> bytes);
  ShownNode find(std::size_t node, Tick tick) const;

  mutable std::mutex mutex_;
  std::vector<std::deque<Kept>> kept_;  // by node, the oldest tick first
  std::vector<Tick> newest_;  // that has arrived
  std::unique_ptr<ModeView> none_, paper_;
  Aligner aligner_;
};

}  // namespace volary::cluster
