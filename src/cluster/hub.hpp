// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The middle of a federation, as a thread: the coordinator, and an observer that takes part without vehicles and so has every frame. Whoever shows or records the world takes the
// committed ticks from here, in order, with the inputs and frames that they were made of. Whoever steers it gives inputs here. The saved states of the nodes are kept here, too,
// so that another process can go on where one has died or left. All public functions may be called from any thread.
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
#include "cluster/live_frame.hpp"
#include "cluster/node.hpp"
#include "cluster/parcel.hpp"
#include "cluster/saved_state.hpp"
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
  Time tick = 10'000'000;  // ns of simulated time
  Time view_period = 33'000'000;  // ns between two frames for views while nothing is overloaded
  DeadPolicy policy = DeadPolicy::Wait;
  std::uint32_t extrapolate = 50;  // ticks
  // a new world of the scenario, where its horizon is longer than a tick: which frames are right depends then on what contact did
  std::unique_ptr<World> observer = {};
  std::vector<std::string> names = {};  // of the places; empty: their numbers
  std::size_t seats = 0;  // the first so many places are for the accounts "0", "1", ... of nodes that are started with the federation
  std::string scenario = {};  // its name
  std::function<void()> wake = {};  // a tick is committed, an order has come, or the hub has failed
  std::function<void(const Bundle&)> hear = {};  // every message of a node; called from the hub's thread
  std::function<void(const std::string& account, const std::string& text)> log = {};  // a line that a node says; called from the hub's thread
};

// one tick that nothing will change any more
struct CommittedTick {
  Tick tick = 0;
  std::uint64_t sum = 0;  // of the hashes of all vehicles
  std::vector<Input> inputs = {};
  std::vector<Entry> absences = {};  // members that are gone from this tick on
  std::vector<std::uint32_t> stand_ins = {};  // see World::stand_in()
  std::vector<std::vector<std::byte>> frames = {};  // by member; empty for those that are gone
  std::vector<LiveFrame> heard = {};  // of a live federation, since the tick before
};

// what an input became
struct Given {
  std::uint64_t sequence = 0;  // its number in the log
  std::uint64_t tick = 0;  // of the world, at which it is applied
};

// what somebody wants of the federation, as JSON; who may want what is decided by who takes it
struct Order {
  std::string account, text;
};

class Hub {
 public:
  // `transport` outlives the hub; the scenario is offered and the coordinator begins
  static core::Result<std::unique_ptr<Hub>> start(Transport& transport, HubOptions options);
  ~Hub() { stop(); }
  void stop();  // tells the nodes that it is over

  bool has_next() const;
  std::optional<CommittedTick> next();
  std::string failure() const;  // empty while all is well
  FederationHealth health() const;
  std::size_t waiting_for() const;  // nodes that have not joined yet
  const Parcel& parcel() const { return o_.parcel; }

  // An input for all nodes. A tick of 0 is the next that none of them has reached. The only way by which inputs get into the log.
  core::Result<Given> submit(Input input);
  core::Status set_paused(bool paused);
  void hold_at(Tick tick);  // nothing beyond this tick is committed; kNever: no hold
  core::Status set_speed(double simulated_seconds_per_second);  // 0: as fast as the nodes can
  // by its name, its number or its account
  core::Status hand_over(const std::string& node);  // asks a node to leave its place to another process
  core::Status end(const std::string& node);  // asks its process to end at once

  std::optional<Order> take_order();
  void answer(const Order& order, const std::string& text);

 private:
  Hub(Transport& transport, HubOptions options);
  core::Status begin();
  core::Status offer_scenario();
  void run();
  void turn();
  void drain_coordinator();
  void drain_observer();
  void take(const Received& r);
  void take_message(const std::string& kind, const std::string& account, Time arrival);
  void publish(const std::string& topic, const Message& m, Delivery delivery = {});
  void observe(const Action& a);
  void observe_live(const Action& a);
  void pass_on();
  void fail(std::string why);
  // hub_service.cpp
  void keep_state(const Received& r);
  void give_state(const Fetch& fetch);
  void send_states();
  void repeat_notices();
  void take_status();
  std::optional<std::size_t> find(const std::string& node) const;
  core::Status in_thread(const std::function<core::Status()>& work);
  core::Status notify(const std::string& node, NoticeKind kind);
  void do_tasks();
  void keep_hold();

  Transport& transport_;
  HubOptions o_;
  Topics topics_;
  std::uint64_t number_, scenario_ = 0;
  std::size_t members_;
  std::vector<std::byte> parcel_;
  std::optional<Coordinator> coordinator_;
  Node observer_{NodeOptions{}};
  std::unique_ptr<WorldHost> settles_;  // of the observer
  bool is_paced_ = false;
  Time until_ = 0, status_at_ = 0, notice_at_ = 0, view_at_ = 0;
  Message message_;
  std::vector<Received> batch_;
  std::vector<std::byte> bytes_;
  std::map<Tick, std::uint64_t> sums_;
  std::deque<CommittedTick> frames_;  // whose sums are not here yet
  Tick observed_ = 0;
  LiveInputs live_inputs_;
  DropCounts drops_;
  std::map<std::uint64_t, std::string> accounts_;  // by their numbers
  std::map<std::uint64_t, std::string> hosts_;  // by account
  std::map<std::string, Time> standbys_;  // accounts that wait for a place, and when they last asked
  std::map<std::string, ParcelPieces> incoming_;  // states, by account
  std::vector<std::vector<std::byte>> states_;  // by member, as they came
  std::vector<PieceSender> senders_;  // by member
  std::vector<std::uint64_t> leaving_;  // by member: nonce of the process that is asked to hand over; 0: none
  std::map<std::uint32_t, std::uint32_t> next_seq_;  // of inputs, by source
  ViewPace view_;

  mutable std::mutex mutex_;
  std::deque<CommittedTick> ready_;
  std::string failure_;
  FederationHealth health_;
  std::size_t missing_ = 0;
  std::deque<Order> orders_;
  struct Task {
    std::function<core::Status()> work;
    core::Status done = core::ok();
    bool is_done = false;
  };
  std::deque<std::shared_ptr<Task>> tasks_;
  std::condition_variable task_done_;
  std::atomic<Tick> hold_ = kNever, taken_ = 0;
  bool is_held_ = false;
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;
};

// The committed ticks as a source of a runner, whose plan flies them by fly().
class Following final : public runner::Source {
 public:
  // seconds without a tick after which the run fails
  explicit Following(Hub& hub, double patience = 60) : hub_(hub), patience_(patience) {}
  std::string name() const override { return "the federation"; }
  runner::Patience patience() const override { return {.named_after = 5, .timeout = patience_}; }
  bool is_ready(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  core::Status fly(World& world);

 private:
  Hub& hub_;
  double patience_;
  std::optional<CommittedTick> tick_;
  std::vector<std::byte> own_;
  std::optional<LiveInbox> inbox_;
};

}  // namespace volary::cluster
