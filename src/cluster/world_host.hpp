// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The world behind a node of a strict federation: it does what the node's state machine says. Ticks of the protocol count steps from 1: tick k takes the world from
// its tick k - 1 to k. Snapshots are kept for as long as a rollback may ask for them; one between two of them is reached by flying again.
//
// Where the horizon of the scenario is one tick, a tick is advanced and settled by one world. Where it is longer, a second world goes ahead: it advances the vehicles of
// this process, and the first one settles what all members have advanced (engine/ahead.hpp). A contact that is found then sends the second one back.
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

// What becomes of the vehicles of a member that is gone, as inputs of the tick from which it is. `world` is before that tick.
std::vector<Input> absence_inputs(const World& world, const Entry& absent);
// by member with vehicles, of `members`: who simulates them in a tick; empty where everybody is there
std::vector<std::uint32_t> stand_ins(const Membership& membership, Tick tick, std::uint32_t members);

struct HostOptions {
  std::size_t most_bytes = std::size_t{64} << 20;  // for snapshots
  RunOptions run = {};  // of a world that goes ahead
  bool observes = false;  // it may be a member that has no part of the vehicles: it advances nothing
};

// what the process of a node needs of the world behind it
class Host {
 public:
  virtual ~Host() = default;
  // Carries out one action of the node and answers it; others than Restore, RollBack, Advance, Settle and Commit are for whoever has the transport.
  virtual core::Status act(Node& node, const Action& action) = 0;
  // The state after a tick with what the node needs to go on from it, for a restart; empty when the tick is not kept.
  virtual std::vector<std::byte> save(const Node& node, Tick tick) const = 0;
  // what a restarted node goes on from; the error says why the bytes do not fit
  virtual core::Status load(std::span<const std::byte> bytes) = 0;
  virtual Tick loaded() const = 0;
  virtual std::uint64_t flown_again() const = 0;  // ticks
};

class WorldHost final : public Host {
 public:
  // `world` is new
  WorldHost(std::unique_ptr<World> world, Sharing sharing, const HostOptions& options = {});

  core::Status act(Node& node, const Action& action) override;
  std::vector<std::byte> save(const Node& node, Tick tick) const override;
  core::Status load(std::span<const std::byte> bytes) override;
  Tick loaded() const override { return loaded_ ? loaded_->base.tick : 0; }

  // the world that is settled
  World& world() { return *world_; }
  const World& world() const { return *world_; }
  std::uint64_t flown_again() const override { return flown_again_; }
  std::uint64_t touched() const { return touched_; }  // settled ticks in which contact changed vehicles that were ahead of it

 private:
  // after a tick; `ahead` only where a world goes ahead
  struct Kept {
    std::shared_ptr<Snapshot> settled, ahead;
  };
  struct Loaded {
    NodeBase base;
    std::shared_ptr<const Snapshot> settled, ahead;
  };
  // of a tick that is advanced
  struct Flown {
    std::shared_ptr<Snapshot> snapshot;
    std::uint64_t sum = 0;
  };
  bool observes() const { return sharing_.member == Sharing::kNobody; }
  core::Status restore(Node& node, Tick tick);
  core::Status share(const Node& node);
  core::Status roll_back(const Node& node, Tick tick, Tick settled);
  core::Status advance(const Node& node, Tick tick);
  core::Status settle(const Node& node, Tick tick);
  core::Status settle_behind(const Node& node, Tick tick);
  core::Status go_to(const Node& node, Tick tick);
  core::Status go_ahead_to(const Node& node, Tick tick);
  core::Status submit_inputs(const Node& node, World& world, Tick tick) const;
  core::Status restore_to(const Node& node, World& world, const Snapshot& snapshot) const;
  void take_over(const Node& node, Tick tick);
  std::shared_ptr<Snapshot> snapshot_of(const World& world);
  void spare(std::shared_ptr<Snapshot>& snapshot);
  void drop(Kept& kept) { spare(kept.settled), spare(kept.ahead); }
  void keep(Tick tick);
  void keep_ahead(Tick tick);
  void forget_ahead_of(Tick tick);
  void forget_before(Tick tick);

  Sharing sharing_;
  HostOptions options_;
  Tick horizon_;
  std::unique_ptr<World> world_, ahead_;
  bool is_shared_ = false;
  std::vector<std::byte> frame_, nothing_;
  std::map<Tick, Kept> kept_;  // by the settled tick they were taken after
  std::map<Tick, Flown> flown_;  // not settled yet, or settled last
  std::vector<std::shared_ptr<Snapshot>> spare_;
  std::optional<Loaded> loaded_;
  MemberMask changed_ = 0;  // by contact in the tick that was settled last
  std::uint64_t flown_again_ = 0, touched_ = 0;
};

}  // namespace volary::cluster
