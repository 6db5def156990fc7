// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A whole federation with real worlds in virtual time: a coordinator, nodes, an observer, a network that loses, delays, doubles and reorders, nodes that die and
// come back. Every committed tick is compared with one process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/coordinator.hpp"
#include "cluster/federated_watch_test_support.hpp"
#include "cluster/network.hpp"
#include "cluster/world_host.hpp"
#include "math/hash.hpp"

namespace volary::cluster {

struct FederatedSchedule {
  ImpairmentOptions impairment = {};
  std::uint32_t nodes = 4;
  Tick ticks = 300;
  int kills = 0;  // at moments that the seed chooses
  DeadPolicy policy = DeadPolicy::Wait;  // any other: nobody comes back
  std::vector<std::pair<Tick, Input>> inputs = {};  // given when so much is committed, for the tick that they name
  std::size_t snapshot_bytes = std::size_t{64} << 20;
  Tick save_every = 20;
  std::uint32_t carry = 8;
};

class FederatedWorld {
 public:
  FederatedWorld(WorldDef def, Sharing sharing, FederatedSchedule schedule)
      : def_(std::move(def)), sharing_(std::move(sharing)), s_(std::move(schedule)), watch_(def_, sharing_), leg_(s_.impairment) {
    const Time way = std::max<Time>(1'000'000, static_cast<Time>((s_.impairment.delay + s_.impairment.jitter) * 1e9));
    repeat_ = 2 * way + 1'000'000;
    if (s_.policy != DeadPolicy::Wait) repeat_ = 10'000'000;  // as processes do: whoever lives is heard in time
    CoordinatorOptions c{.horizon = static_cast<std::uint32_t>(horizon_ticks(def_)), .carry = s_.carry, .founders = s_.nodes + 1};
    c.repeat = repeat_;
    c.policy = s_.policy, c.extrapolate = 15;
    coordinator_.emplace(c);
    hosts_.resize(s_.nodes + 1);
    for (std::size_t h = 0; h < s_.nodes; ++h) start(h, false);
    drain_coordinator();
    for (int k = 0; k < s_.kills; ++k) kill_at_.push_back(1 + draw(s_.ticks - 1));
  }

  // what went wrong, or empty
  std::string run() {
    while (observed_ < s_.ticks && fault_.empty()) {
      if (net_.empty()) fault_ = "nothing happens any more";
      if (net_.now() > 60'000'000'000 + static_cast<Time>(s_.ticks) * 2'000'000'000) fault_ = "stuck at tick " + std::to_string(coordinator_->committed());
      if (!fault_.empty()) break;
      const auto e = net_.pop();
      handle(e);
      net_.done(e);
    }
    return fault_;
  }

  std::uint64_t rollbacks() const {
    std::uint64_t n = 0;
    for (const Host& h : hosts_) n += h.node.rollbacks();
    return n;
  }
  std::uint64_t restarts() const { return restarts_; }
  std::uint64_t deaths() const { return deaths_; }  // of those that never came back
  const World& whole() const { return watch_.whole(); }
  std::uint64_t flown_again() const {
    std::uint64_t n = 0;
    for (const Host& h : hosts_) n += h.host != nullptr ? h.host->flown_again() : 0;
    return n;
  }
  // settled ticks whose contacts sent a member back
  std::uint64_t touched() const {
    std::uint64_t n = 0;
    for (const Host& h : hosts_) n += h.host != nullptr ? h.host->touched() : 0;
    return n;
  }
  const World& world(std::size_t h) const { return hosts_[h].host->world(); }
  const Node& node(std::size_t h) const { return hosts_[h].node; }

 private:
  using Bytes = std::vector<std::byte>;
  static constexpr std::uint16_t kCoordinator = 100, kNemesis = 101;
  struct Host {
    Node node{NodeOptions{}};
    std::unique_ptr<WorldHost> host;
    Bytes disk;
    bool is_up = false;
    std::uint8_t member = 0;
    Tick saved = 0;
    std::vector<std::uint64_t> between;  // by tick, with the last word where it was settled again
    Time timer = kForever;
    std::uint16_t life = 0;
  };

  std::uint64_t draw(std::uint64_t below) { return math::mix64(s_.impairment.seed * 0x9e3779b97f4a7c15u + ++draws_) % std::max<std::uint64_t>(1, below); }

  void start(std::size_t h, bool again) {
    Host& host = hosts_[h];
    std::string error;
    if (is_observer(h)) {
      if (horizon_ticks(def_) > 1) host.host = std::make_unique<WorldHost>(World::create(def_, {}, &error), sharing_, HostOptions{.observes = true});
      return host.node.reset({.nonce = ++nonce_, .repeat = repeat_, .ask_again = repeat_}), host.is_up = true, drain_node(h);
    }
    host.host = std::make_unique<WorldHost>(World::create(def_, {}, &error), sharing_, HostOptions{.most_bytes = s_.snapshot_bytes});
    again = again && !host.disk.empty();
    if (again)
      if (const core::Status loaded = host.host->load(host.disk); !loaded) fault_ = loaded.error().text();
    NodeOptions o{.entry = host.life > 0 ? RequestKind::Restart : RequestKind::Join, .member = host.member, .nonce = ++nonce_, .durable = host.host->loaded()};
    o.repeat = o.ask_again = repeat_;
    host.node.reset(o);
    host.is_up = true, host.timer = kForever;
    ++host.life;
    drain_node(h);
  }

  void publish(std::size_t from, const Message& m) {
    const std::uint32_t slot = net_.take();
    encode(m, 9, net_.content(slot));
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      if (h != from && hosts_[h].is_up) net_.send(slot, static_cast<std::uint16_t>(h), leg_, from * 64 + h);
    if (from != kCoordinator) net_.send(slot, kCoordinator, leg_, from * 64 + 63);
    net_.drop(slot);
  }

  void drain_node(std::size_t h) {
    Host& host = hosts_[h];
    while (fault_.empty()) {
      const Action a = host.node.next(net_.now());
      if (a.what == Act::Wait) {
        if (a.until < host.timer) net_.set_timer(static_cast<std::uint16_t>(h), host.life, host.timer = a.until);
        return;
      }
      if (a.what == Act::Ask) publish(h, host.node.request());
      if (a.what == Act::Publish) publish(h, host.node.bundle());
      if (a.what == Act::Fenced || a.what == Act::Refused || a.what == Act::Left) fault_ = "node " + std::to_string(h) + " was sent away";
      if (is_observer(h)) {
        observe(host, a);
        continue;
      }
      if (const core::Status done = host.host->act(host.node, a); !done) fault_ = done.error().text();
      if (a.what == Act::Settle) {
        host.between.resize(std::max<std::size_t>(host.between.size(), a.tick + 1));
        host.between[a.tick] = host.host->world().hash_with(0);
      }
      if (a.what == Act::Restore) host.member = static_cast<std::uint8_t>(host.node.member());
      if (a.what == Act::Commit && a.tick >= host.saved + s_.save_every)
        if (Bytes bytes = host.host->save(host.node, a.tick); !bytes.empty()) host.disk = std::move(bytes), host.node.saved(host.saved = a.tick);
    }
  }

  // the last one owns nothing, and joins when all others have, as in a federation of processes (hub.cpp)
  bool is_observer(std::size_t h) const { return h == s_.nodes; }
  // with a horizon it works out for itself whom contact sends back
  void observe(Host& host, const Action& a) {
    Node& node = host.node;
    if (host.host != nullptr) {
      if (const core::Status done = host.host->act(node, a); !done) fault_ = done.error().text();
    } else {
      if (a.what == Act::Restore) return node.restored({.tick = a.tick});
      if (a.what == Act::Advance) return node.advanced({});
      if (a.what == Act::Settle) return node.settled(0, 0);
    }
    if (a.what != Act::Commit) return;
    while (observed_ < a.tick && fault_.empty()) {
      const Tick k = ++observed_;
      std::vector<Input> inputs;
      for (const Entry& e : node.log().entries()) {
        if (e.kind == EntryKind::Input && e.effective == k) inputs.push_back(read_input(e).value());
        if (e.kind == EntryKind::Absent && e.effective == k)
          for (const Input& in : absence_inputs(watch_.observer(), e)) inputs.push_back(in);
      }
      std::vector<std::span<const std::byte>> frames(s_.nodes);
      each_member(node.members().active(k), [&](std::size_t id) {
        if (id < s_.nodes) frames[id] = node.frame(id, k);
      });
      if (k > s_.ticks) continue;
      fault_ = watch_.take(k, sums_[k], inputs, frames, stand_ins(node.members(), k, s_.nodes));
      for (std::size_t h = 0; h < s_.nodes && fault_.empty(); ++h)
        if ((node.members().active(k) & bit_of(hosts_[h].member)) != 0 && hosts_[h].between[k] != watch_.between()) fault_ = "what all share differs at node " + std::to_string(h) + " after tick " + std::to_string(k);
    }
    node.saved(observed_);
  }

  void drain_coordinator() {
    while (fault_.empty()) {
      const CoordinatorAction a = coordinator_->next(net_.now());
      if (a.what == CoordinatorAct::Wait) {
        if (a.until < timer_) net_.set_timer(kCoordinator, 0, timer_ = a.until);
        return;
      }
      if (a.what == CoordinatorAct::Publish) publish(kCoordinator, coordinator_->message());
      if (a.what == CoordinatorAct::Commit) {
        sums_.resize(std::max<std::size_t>(sums_.size(), a.tick + 1));
        sums_[a.tick] = a.sum;
        give_inputs();
        strike();
      }
    }
  }

  void give_inputs() {
    for (auto& [when, input] : s_.inputs)
      if (when != kNever && coordinator_->committed() >= when) {
        if (const auto given = coordinator_->submit(input_bytes(input), input.tick + 1); !given) fault_ = given.error().text();
        when = kNever;
      }
  }

  void handle(const Network<Bytes>::Event& e) {
    if (e.content == Network<Bytes>::kTimer) {
      if (e.to == kNemesis) return ++restarts_, start(e.timer, true);
      if (e.to == kCoordinator) return timer_ = kForever, drain_coordinator();
      if (e.timer != hosts_[e.to].life || !hosts_[e.to].is_up) return;
      return hosts_[e.to].timer = kForever, drain_node(e.to);
    }
    if (e.to != kCoordinator && !hosts_[e.to].is_up) return;
    if (const auto drop = decode(net_.content(e.content), 9, scratch_)) {
      fault_ = std::string("a message was dropped: ") + name_of(*drop);
      return;
    }
    if (e.to == kCoordinator) {
      coordinator_->receive(scratch_, net_.now()), drain_coordinator();
      if (!hosts_.back().is_up && std::popcount(coordinator_->members().known()) == static_cast<int>(s_.nodes)) start(s_.nodes, false);
      return;
    }
    hosts_[e.to].node.receive(scratch_, net_.now());
    drain_node(e.to);
  }

  // kills somebody when the moment has come
  void strike() {
    for (Tick& when : kill_at_) {
      const std::size_t h = draw(s_.nodes);
      if (when > coordinator_->committed() || !hosts_[h].is_up || hosts_[h].node.advanced_tick() == 0) continue;
      if (s_.policy != DeadPolicy::Wait && deaths_ + 1 >= s_.nodes) continue;  // somebody is left
      when = kNever;
      hosts_[h].is_up = false;
      if (s_.policy != DeadPolicy::Wait) {
        ++deaths_;
        continue;
      }
      net_.set_timer(kNemesis, static_cast<std::uint16_t>(h), net_.now() + static_cast<Time>(draw(100'000'000)));
    }
  }

  WorldDef def_;
  Sharing sharing_;
  FederatedSchedule s_;
  FederatedWatch watch_;
  Impairment leg_;
  Network<Bytes> net_;
  std::optional<Coordinator> coordinator_;
  std::vector<Host> hosts_;
  std::vector<std::uint64_t> sums_;
  std::vector<Tick> kill_at_;
  Message scratch_;
  Time repeat_ = 0, timer_ = kForever;
  Tick observed_ = 0;
  std::uint64_t draws_ = 0, nonce_ = 0, restarts_ = 0, deaths_ = 0;
  std::string fault_;
};

}  // namespace volary::cluster
