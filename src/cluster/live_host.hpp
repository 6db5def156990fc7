// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The world behind a node of a live federation. It simulates its own vehicles by the clock and waits for nobody; others are where their last report puts them. What comes late acts when
// it comes. All of it goes into the world as inputs, so a recording of this world replays without the others.
#pragma once

#include <map>
#include <memory>

#include "cluster/live_frame.hpp"
#include "cluster/world_host.hpp"
#include "runner/sink.hpp"

namespace volary::cluster {

class LiveHost final : public Host {
 public:
  // `world` is new; `straight` is in seconds; the sinks see every tick that this process computes
  LiveHost(std::unique_ptr<World> world, Sharing sharing, double straight, std::vector<runner::Sink*> sinks = {});
  ~LiveHost() override;

  core::Status act(Node& node, const Action& action) override;
  std::vector<std::byte> save(const Node& node, Tick tick) const override;
  core::Status load(std::span<const std::byte> bytes) override;
  Tick loaded() const override { return loaded_; }
  std::uint64_t flown_again() const override { return 0; }
  const World& world() const { return *world_; }

 private:
  static constexpr std::size_t kMostKept = 256;  // states, where nothing is passed by all
  struct Kept {
    std::shared_ptr<Snapshot> state;
    LiveInputs::Taken taken = {};  // entries of the log
  };
  core::Status begin(Node& node, Tick tick);
  core::Status advance(Node& node, Tick tick);

  std::unique_ptr<World> world_;
  Sharing sharing_;
  double straight_;
  std::vector<runner::Sink*> sinks_;
  LiveInputs inputs_;
  LiveOutbox outbox_;
  LiveInbox inbox_;
  std::map<Tick, Kept> kept_;
  std::shared_ptr<const Snapshot> restored_;
  Tick loaded_ = 0;
  LiveInputs::Taken loaded_taken_;
  bool has_begun_ = false;
};

}  // namespace volary::cluster
