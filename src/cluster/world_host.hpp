// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The world behind a node of a strict federation: it does what the node's state machine says. Ticks of the protocol count steps from 1: tick k takes the world from
// its tick k - 1 to k. Snapshots are kept for as long as a rollback may ask for them; one between two of them is reached by flying again.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cluster/node.hpp"
#include "core/result.hpp"
#include "volary/world.hpp"

namespace volary::cluster {

// an input as an entry of the log carries it; its tick is the entry's
std::vector<std::byte> input_bytes(const Input& input);
core::Result<Input> read_input(const Entry& entry);

class WorldHost {
 public:
  // `world` is new; `most_bytes` is for snapshots
  WorldHost(std::unique_ptr<World> world, Sharing sharing, std::size_t most_bytes = std::size_t{64} << 20);

  // Carries out one action of the node and answers it; others than Restore, RollBack, Advance, Settle and Commit are for whoever has the transport.
  core::Status act(Node& node, const Action& action);

  // The state after a settled tick with what the node needs to go on from it, for a restart; empty when the tick is not kept.
  std::vector<std::byte> save(const Node& node, Tick tick) const;
  // what a restarted node goes on from; the error says why the bytes do not fit
  core::Status load(std::span<const std::byte> bytes);
  Tick loaded() const { return loaded_ ? loaded_->base.tick : 0; }

  World& world() { return *world_; }
  const World& world() const { return *world_; }
  std::uint64_t flown_again() const { return flown_again_; }  // ticks

 private:
  struct Loaded {
    NodeBase base;
    std::shared_ptr<const Snapshot> snapshot;
  };
  core::Status restore(Node& node, Tick tick);
  core::Status roll_back(const Node& node, Tick tick, Tick settled);
  core::Status advance(const Node& node, Tick tick);
  core::Status settle(const Node& node, Tick tick);
  core::Status go_to(const Node& node, Tick tick);
  void keep(Tick tick);
  void forget_before(Tick tick);

  std::unique_ptr<World> world_;
  Sharing sharing_;
  std::size_t most_bytes_;
  bool is_shared_ = false;
  std::vector<std::byte> frame_;
  std::map<Tick, std::shared_ptr<Snapshot>> kept_;  // by the tick they were taken after
  std::vector<std::shared_ptr<Snapshot>> spare_;
  std::optional<Loaded> loaded_;
  std::uint64_t flown_again_ = 0;
};

}  // namespace volary::cluster
