// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The middle of a federation, as a thread: the coordinator, and an observer that takes part without vehicles and so has every frame. Whoever shows or records the world takes the
// committed ticks from here, in order, with the inputs and frames that they were made of.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "cluster/coordinator.hpp"
#include "cluster/node.hpp"
#include "cluster/parcel.hpp"
#include "cluster/topics.hpp"
#include "cluster/transport/transport.hpp"
#include "cluster/world_host.hpp"
#include "runner/source.hpp"

namespace volary::cluster {

struct HubOptions {
  std::string federation = "local";
  Parcel parcel;
  std::uint64_t build = 0;
  Time period = 0;  // ns per tick; 0: as fast as the nodes can
  DeadPolicy policy = DeadPolicy::Wait;
  // a new world of the scenario, where its horizon is longer than a tick: which frames are right depends then on what contact did
  std::unique_ptr<World> observer = {};
  std::function<void()> wake = {};  // a tick is committed, or the hub has failed
};

// one tick that nothing will change any more
struct CommittedTick {
  Tick tick = 0;
  std::uint64_t sum = 0;  // of the hashes of all vehicles
  std::vector<Input> inputs = {};
  std::vector<std::vector<std::byte>> frames = {};  // by member
};

// what is known of a node
struct NodeStatus {
  std::size_t member = 0;
  bool is_heard = false, is_suspect = false;
  Tick advanced = 0, settled = 0;
  std::uint32_t compute_us = 0;  // of its last tick
};

class Hub {
 public:
  // `transport` outlives the hub; the scenario is offered and the coordinator begins
  static core::Result<std::unique_ptr<Hub>> start(Transport& transport, HubOptions options);
  ~Hub() { stop(); }
  void stop();

  bool has_next() const;
  std::optional<CommittedTick> next();
  std::string failure() const;  // empty while all is well
  std::vector<NodeStatus> nodes() const;
  Tick committed() const;
  std::size_t waiting_for() const;  // nodes that have not joined yet

 private:
  Hub(Transport& transport, HubOptions options);
  core::Status offer_scenario();
  void run();
  void turn();
  void drain_coordinator();
  void drain_observer();
  void take(const Received& r);
  void publish(const std::string& topic, const Message& m);
  void start_observer();
  void observe(const Action& a);
  void pass_on();
  void take_status();
  void fail(std::string why);

  Transport& transport_;
  HubOptions o_;
  Topics topics_;
  std::uint64_t number_, scenario_ = 0;
  std::vector<std::byte> parcel_;
  std::optional<Coordinator> coordinator_;
  Node observer_{NodeOptions{}};
  std::unique_ptr<WorldHost> settles_;  // of the observer
  bool observes_ = false, is_paced_ = false;
  Time until_ = 0;
  Message message_;
  std::vector<Received> batch_;
  std::vector<std::byte> bytes_;
  std::map<Tick, std::uint64_t> sums_;
  std::deque<CommittedTick> frames_;  // whose sums are not here yet
  Tick observed_ = 0;

  mutable std::mutex mutex_;
  std::deque<CommittedTick> ready_;
  std::string failure_;
  std::vector<NodeStatus> nodes_;
  Tick committed_ = 0;
  std::size_t missing_ = 0;
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;
};

// The committed ticks as a source of a runner, whose plan flies them by fly().
class Following final : public runner::Source {
 public:
  explicit Following(Hub& hub) : hub_(hub) {}
  std::string name() const override { return "the federation"; }
  runner::Patience patience() const override { return {.named_after = 5, .timeout = 60}; }
  bool is_ready(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  core::Status fly(World& world);

 private:
  Hub& hub_;
  std::optional<CommittedTick> tick_;
  std::vector<std::byte> own_;
};

}  // namespace volary::cluster
