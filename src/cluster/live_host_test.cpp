// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Live federations in virtual time: nodes that go by the clock over a network that loses, delays, doubles and reorders, and that die and come back.
#include "cluster/live_host.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cluster/coordinator.hpp"
#include "cluster/network.hpp"
#include "engine/engine_test_support.hpp"
#include "engine/shared_world_test_support.hpp"

namespace volary::cluster {
namespace {

using namespace volary::test;

constexpr Time kPeriod = 10'000'000;  // ns: a tick of the worlds below
constexpr double kStraight = 0.5;     // s

// keeps what a world was given, and its hashes
struct Tape final : runner::Sink {
  std::vector<std::vector<Input>> inputs;
  std::vector<std::uint64_t> hashes;
  void begin(World& w, bool) override { w.keep_submitted(true); }
  void after_tick(World& w) override { inputs.push_back(w.take_submitted()), hashes.push_back(w.hash()); }
};

class LiveFederation {
 public:
  LiveFederation(WorldDef def, Sharing sharing, const ImpairmentOptions& impairment) : def_(std::move(def)), sharing_(std::move(sharing)), leg_(impairment) {
    CoordinatorOptions c{.live = true, .founders = sharing_.members};
    c.places = sharing_.members;
    c.period = kPeriod;
    c.keeps_states = true;
    for (std::uint64_t h = 0; h < sharing_.members; ++h) c.seats.push_back(7 + h);
    coordinator_.emplace(c);
    hosts_.resize(sharing_.members);
    for (std::size_t h = 0; h < hosts_.size(); ++h) start(h);
    drain_coordinator();
  }

  // of the network's time
  void run(double seconds) {
    const Time end = net_.now() + static_cast<Time>(seconds * 1e9);
    net_.set_timer(kClock, 0, end);
    for (bool over = false; !over;) {
      ASSERT_FALSE(net_.empty());
      const auto e = net_.pop();
      over = e.content == Network<Bytes>::kTimer && e.to == kClock;
      if (!over) handle(e);
      net_.done(e);
    }
  }
  void kill(std::size_t h) { hosts_[h].is_up = false; }
  // every tick takes longer than the clock gives it
  void overload(std::size_t h) { hosts_[h].is_slow = true; }
  // under its old account: it has its place back
  void start(std::size_t h) {
    HostOfNode& host = hosts_[h];
    std::string error;
    host.host.reset();  // it ends its tape
    host.tape = std::make_unique<Tape>();
    host.host = std::make_unique<LiveHost>(World::create(def_, {}, &error), sharing_, kStraight, std::vector<runner::Sink*>{host.tape.get()});
    host.node.reset({.nonce = ++nonce_, .account = 7 + h});
    host.is_up = true, host.timer = kForever, ++host.life;
    drain_node(h);
  }
  void give(const Input& input) { (void)coordinator_->submit(input_bytes(input), input.tick + 1), drain_coordinator(); }

  const World& world(std::size_t h) const { return hosts_[h].host->world(); }
  const Tape& tape(std::size_t h) const { return *hosts_[h].tape; }
  Tick tick(std::size_t h) const { return hosts_[h].node.advanced_tick(); }
  Tick due() const { return began_ == 0 ? 0 : static_cast<Tick>((net_.now() - began_) / kPeriod); }
  const WorldDef& def() const { return def_; }

 private:
  using Bytes = std::vector<std::byte>;
  static constexpr std::uint16_t kCoordinator = 100, kClock = 101;
  struct HostOfNode {
    Node node{NodeOptions{}};
    std::unique_ptr<Tape> tape;
    std::unique_ptr<LiveHost> host;
    Bytes state;  // that the coordinator keeps
    Tick saved = 0;
    bool is_up = false, is_slow = false;
    Time timer = kForever, busy_until = 0;
    std::uint16_t life = 0;
  };

  void publish(std::size_t from, const Message& m) {
    const std::uint32_t slot = net_.take();
    encode(m, 9, net_.content(slot));
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      if (h != from && hosts_[h].is_up) net_.send(slot, static_cast<std::uint16_t>(h), leg_, from * 64 + h);
    if (from != kCoordinator) net_.send(slot, kCoordinator, leg_, from * 64 + 63);
    net_.drop(slot);
  }

  void drain_node(std::size_t h) {
    HostOfNode& host = hosts_[h];
    while (net_.now() >= host.busy_until) {
      const Action a = host.node.next(net_.now());
      if (a.what == Act::Wait) {
        if (a.until < host.timer) net_.set_timer(static_cast<std::uint16_t>(h), host.life, host.timer = a.until);
        return;
      }
      ASSERT_TRUE(a.what != Act::RollBack && a.what != Act::Settle && a.what != Act::Fenced && a.what != Act::Refused);
      if (a.what == Act::Ask) publish(h, host.node.request());
      if (a.what == Act::Publish) publish(h, host.node.bundle());
      if (a.what == Act::Restore && a.tick > 0) ASSERT_TRUE(host.host->load(host.state));
      const core::Status done = host.host->act(host.node, a);
      ASSERT_TRUE(done) << done.error().text();
      if (host.is_slow && a.what == Act::Advance) return net_.set_timer(static_cast<std::uint16_t>(h), host.life, host.busy_until = net_.now() + 2 * kPeriod);
      if (a.what != Act::Commit || a.tick < host.saved + 20) continue;
      if (Bytes bytes = host.host->save(host.node, a.tick); !bytes.empty()) host.state = std::move(bytes), coordinator_->keep(host.node.member(), host.saved = a.tick);
    }
  }
  void drain_coordinator() {
    for (;;) {
      if (began_ == 0 && coordinator_->has_begun()) coordinator_->set_period(kPeriod, began_ = net_.now());
      const CoordinatorAction a = coordinator_->next(net_.now());
      if (a.what == CoordinatorAct::Publish) publish(kCoordinator, coordinator_->message());
      if (a.what != CoordinatorAct::Wait) continue;
      if (a.until < timer_) net_.set_timer(kCoordinator, 0, timer_ = a.until);
      return;
    }
  }
  void handle(const Network<Bytes>::Event& e) {
    if (e.content == Network<Bytes>::kTimer) {
      if (e.to == kCoordinator) return timer_ = kForever, drain_coordinator();
      if (e.timer != hosts_[e.to].life || !hosts_[e.to].is_up) return;
      return hosts_[e.to].timer = kForever, drain_node(e.to);
    }
    if (e.to != kCoordinator && !hosts_[e.to].is_up) return;
    Message m;
    ASSERT_FALSE(decode(net_.content(e.content), 9, m));
    if (e.to == kCoordinator) return coordinator_->receive(m, net_.now()), drain_coordinator();
    hosts_[e.to].node.receive(m, net_.now());
    drain_node(e.to);
  }

  WorldDef def_;
  Sharing sharing_;
  Impairment leg_;
  Network<Bytes> net_;
  std::optional<Coordinator> coordinator_;
  std::vector<HostOfNode> hosts_;
  Time timer_ = kForever, began_ = 0;
  std::uint64_t nonce_ = 0;
};

// m: how far a vehicle is elsewhere from where its own process has it, where all have computed the same tick
double error_of(const LiveFederation& f, std::size_t owner, std::size_t other, const Sharing& sharing) {
  double worst = 0;
  const World &own = f.world(owner), &far = f.world(other);
  for (const VehicleId id : own.vehicles()) {
    if (member_of(sharing, own.flock_of(id), own.place_of(id)) != owner) continue;
    const Vec a = own.position_of(id), b = far.position_of(id);
    worst = std::max(worst, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  return worst;
}

ImpairmentOptions bad_network(std::uint64_t seed) { return {.loss = 0.3, .delay = 0.03, .jitter = 0.01, .duplicate = 0.05, .reorder = 0.1, .seed = seed}; }

TEST(live_host, nodes_keep_to_the_clock_and_see_each_other_under_loss_and_delay) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const WorldDef def = circling(20);
    const Sharing sharing = cut_at_random(def, 4, seed);
    LiveFederation f(def, sharing, bad_network(seed));
    f.run(4);
    for (std::size_t h = 0; h < 4; ++h) {
      EXPECT_GE(f.tick(h) + 8, f.due()) << "node " << h << " waited for somebody";  // its clock is late by the delay of triggers
      for (std::size_t other = 0; other < 4; ++other)
        if (f.tick(h) == f.tick(other)) EXPECT_LT(error_of(f, h, other, sharing), 0.05);
    }
    EXPECT_GT(f.due(), 300u);
  }
}

TEST(live_host, every_world_replays_from_its_own_inputs) {
  const WorldDef def = talking(8);
  LiveFederation f(def, cut_at_random(def, 3, 5), bad_network(9));
  f.run(3);
  for (std::size_t h = 0; h < 3; ++h) {
    auto again = make(def);
    const Tape& tape = f.tape(h);
    ASSERT_GT(tape.hashes.size(), 200u);
    for (std::size_t k = 0; k < tape.hashes.size(); ++k) {
      for (const Input& in : tape.inputs[k]) again->submit(in);
      again->step();
      ASSERT_EQ(again->hash(), tape.hashes[k]) << "node " << h << ", tick " << k + 1;
    }
  }
}

TEST(live_host, nobody_waits_for_a_node_that_died_and_it_comes_back_at_the_tick_of_the_others) {
  const WorldDef def = circling(8);
  const Sharing sharing{.members = 2, .parts = {{"birds", 1, 0}, {"birds", 5, 1}}};
  LiveFederation f(def, sharing, {.delay = 0.002});
  f.run(2);
  const VehicleId there = f.world(0).vehicles()[6];
  f.kill(1);
  f.run(0.3);
  EXPECT_NE(f.world(0).velocity_of(there), (Vec{0, 0, 0})) << "it is moved straight on";
  f.run(2);
  EXPECT_GE(f.tick(0) + 3, f.due());
  EXPECT_EQ(f.world(0).velocity_of(there), (Vec{0, 0, 0})) << "it stands still";
  f.start(1);
  f.run(1);
  EXPECT_GE(f.tick(1) + 3, f.due());
  EXPECT_GT(f.tape(1).hashes.size(), 200u) << "it computes the ticks that it missed";
  EXPECT_LT(error_of(f, 1, 0, sharing), 0.05);
}

TEST(live_host, a_node_that_is_always_behind_the_clock_is_heard_all_the_same) {
  const WorldDef def = circling(8);
  LiveFederation f(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 5, 1}}}, {.delay = 0.002});
  f.run(1);
  f.overload(1);
  f.run(4);
  EXPECT_LT(f.tick(1) + 100, f.due());
  // its reports are old, and moved straight on for half a second only; but they come
  const VehicleId there = f.world(0).vehicles()[6];
  const Vec before = f.world(0).position_of(there);
  f.run(0.5);
  EXPECT_NE(f.world(0).position_of(there), before);
}

TEST(live_host, a_node_that_comes_back_does_not_apply_its_inputs_again) {
  const WorldDef def = circling(4);
  LiveFederation f(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 3, 1}}}, {.delay = 0.002});
  f.run(1);
  f.give({.tick = 1, .source = 1, .payload = Spawn{"birds", {.position_W = {1, 2, 6}, .mode = Mode::Hold}}});
  f.run(1);
  EXPECT_EQ(f.world(1).n_vehicles(), 5u);
  f.kill(1), f.start(1);
  f.run(1);
  EXPECT_EQ(f.world(1).n_vehicles(), 5u);
}

TEST(live_host, an_input_acts_in_every_world_when_it_comes) {
  const WorldDef def = circling(4);
  LiveFederation f(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 3, 1}}}, {.delay = 0.02});
  f.run(1);
  f.give({.tick = 1, .source = 1, .payload = SetWind{{7, 0, 0}}});  // long past
  const VehicleId gone = f.world(0).vehicles()[3];
  f.give({.tick = 1, .source = 1, .target = gone, .payload = Remove{}});
  f.run(1);
  for (std::size_t h = 0; h < 2; ++h) {
    EXPECT_FALSE(f.world(h).is_alive(gone));
    EXPECT_EQ(f.world(h).n_vehicles(), 3u);
  }
}

TEST(live_frame, what_happened_comes_through_once_although_frames_are_lost) {
  const WorldDef def = talking(4);
  const Sharing sharing{.members = 2, .parts = {{"birds", 1, 0}, {"birds", 3, 1}}};
  auto w = make(def);
  for (Input& in : assignments(sharing, 0)) w->submit(std::move(in));
  w->step();
  const VehicleId theirs = w->vehicles()[2];
  LiveOutbox out;
  LiveInbox in(sharing);
  std::size_t heard = 0;
  for (Tick tick = 1; tick <= 40; ++tick) {
    const auto bytes = out.frame(tick, {{.target = theirs, .payload = Say{.topic = "hello", .values = {static_cast<double>(tick)}}}});
    std::vector<Input> inputs;
    if (tick % 7 == 0) in.take(*w, {{1, tick, bytes}, {1, tick, bytes}}, inputs);
    heard += inputs.size();
  }
  EXPECT_EQ(heard, 35u);
  EXPECT_EQ(in.dropped(), 0u);
}

TEST(live_frame, a_node_that_comes_back_tells_again_who_was_gone_in_its_saved_state) {
  const WorldDef def = talking(4);
  const Sharing sharing{.members = 2, .parts = {{"birds", 1, 0}, {"birds", 3, 1}}};
  auto w = make(def);
  for (Input& in : assignments(sharing, 0)) w->submit(std::move(in));
  w->step();
  LiveOutbox before, after;
  (void)before.frame(1, {{.target = w->vehicles()[2], .payload = Remove{}}});
  (void)before.frame(5, {{.target = w->vehicles()[3], .payload = Remove{}}});
  core::ByteWriter saved;
  before.write_gone(4, saved);
  const std::vector<std::byte> bytes = saved.take();
  core::ByteReader in(bytes);
  ASSERT_TRUE(after.read_gone(in));
  std::vector<Input> inputs;
  LiveInbox(sharing).take(*w, {{1, 6, after.frame(6, {})}}, inputs);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].target, w->vehicles()[2]) << "the other one is not gone yet after tick 4";
}

TEST(live_frame, a_vehicle_is_told_to_speak_in_its_own_process_alone) {
  const WorldDef def = talking(4);
  auto w = make(def);
  for (Input& in : assignments({.members = 2, .parts = {{"birds", 1, 0}, {"birds", 3, 1}}}, 0)) w->submit(std::move(in));
  w->step();
  const VehicleId mine = w->vehicles()[0], theirs = w->vehicles()[2];
  std::vector<Input> inputs = {{.target = theirs, .payload = Say{"hello"}}, {.target = mine, .payload = Say{"hello"}}, {.target = theirs, .payload = Remove{}}};
  leave_to_others(*w, inputs);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].target, mine);
  EXPECT_TRUE(std::holds_alternative<Remove>(inputs[1].payload));
}

TEST(live_frame, who_speaks_for_vehicles_of_others_and_damaged_frames_are_dropped) {
  const WorldDef def = talking(4);
  const Sharing sharing{.members = 2, .parts = {{"birds", 1, 0}, {"birds", 3, 1}}};
  auto w = make(def), other = make(def);
  for (Input& in : assignments(sharing, 0)) w->submit(std::move(in));
  for (Input& in : assignments(sharing, 1)) other->submit(std::move(in));
  w->step(), other->step();
  LiveOutbox out;
  const auto good = out.frame(1, other->report(kStraight));
  LiveInbox in(sharing);
  std::vector<Input> inputs;
  in.take(*w, {{0, 1, good}}, inputs);
  EXPECT_EQ(in.dropped(), 1u) << "member 0 speaks for member 1";
  for (std::size_t n = 0; n < good.size(); n += 7) in.take(*w, {{1, 1, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}}}, inputs);
  EXPECT_EQ(in.dropped(), 1 + (good.size() + 6) / 7);
  EXPECT_TRUE(inputs.empty());
  in.take(*w, {{1, 1, good}}, inputs);
  EXPECT_EQ(inputs.size(), 1u);
  std::uint64_t state = 1;
  for (int k = 0; k < 3000; ++k) {
    auto bytes = good;
    bytes[math::mix64(++state) % bytes.size()] ^= static_cast<std::byte>(1u << (math::mix64(++state) % 8));
    LiveInbox fresh(sharing);
    std::vector<Input> some;
    fresh.take(*w, {{1, 1, bytes}}, some);
    for (Input& i : some) w->submit(std::move(i));
  }
  w->step(5);
  for (const VehicleId id : w->vehicles()) EXPECT_TRUE(std::isfinite(w->position_of(id)[0]));
}

}  // namespace
}  // namespace volary::cluster
