// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A whole federation with real worlds in virtual time: a coordinator, nodes, a network that loses, delays, doubles and reorders, nodes that die and come back.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/coordinator.hpp"
#include "cluster/network.hpp"
#include "cluster/world_host.hpp"
#include "math/hash.hpp"

namespace volary::cluster {

struct FederatedSchedule {
  ImpairmentOptions impairment = {};
  std::uint32_t nodes = 4;
  Tick ticks = 300;
  int kills = 0;
  std::vector<std::pair<Tick, Input>> inputs = {};  // given when so much is committed, for the tick that they name
  std::size_t snapshot_bytes = std::size_t{64} << 20;
};

class FederatedWorld {
 public:
  FederatedWorld(WorldDef def, Sharing sharing, FederatedSchedule schedule)
      : def_(std::move(def)), sharing_(std::move(sharing)), s_(std::move(schedule)), leg_(s_.impairment) {
    const Time way = std::max<Time>(1'000'000, static_cast<Time>((s_.impairment.delay + s_.impairment.jitter) * 1e9));
    repeat_ = 2 * way + 1'000'000;
    CoordinatorOptions c{.horizon = static_cast<std::uint32_t>(horizon_ticks(def_)), .founders = s_.nodes};
    c.repeat = repeat_;
    coordinator_.emplace(c);
    hosts_.resize(s_.nodes);
    for (std::size_t h = 0; h < hosts_.size(); ++h) start(h, false);
    drain_coordinator();
    for (int k = 0; k < s_.kills; ++k) net_.set_timer(kNemesis, 0, static_cast<Time>(draw(s_.ticks * static_cast<std::uint64_t>(way))));
  }

  // what went wrong, or empty
  std::string run() {
    while (coordinator_->committed() < s_.ticks && fault_.empty()) {
      if (net_.empty()) fault_ = "nothing happens any more";
      if (net_.now() > 600'000'000'000) fault_ = "stuck at tick " + std::to_string(coordinator_->committed());
      if (!fault_.empty()) break;
      const auto e = net_.pop();
      handle(e);
      net_.done(e);
    }
    return fault_;
  }

  // of the hashes of all vehicles, by committed tick
  const std::vector<std::uint64_t>& sums() const { return sums_; }
  std::uint64_t rollbacks() const {
    std::uint64_t n = 0;
    for (const Host& h : hosts_) n += h.node.rollbacks();
    return n;
  }
  std::uint64_t restarts() const { return restarts_; }
  // settled ticks whose contacts sent a member back
  std::uint64_t touched() const {
    std::uint64_t n = 0;
    for (const Host& h : hosts_) n += h.host->touched();
    return n;
  }
  // the hash of what all vehicles share, as a node has it after a tick that it settled
  std::uint64_t between(std::size_t h, Tick tick) const { return hosts_[h].between[tick]; }
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
      if (const core::Status done = host.host->act(host.node, a); !done) fault_ = done.error().text();
      if (a.what == Act::Settle) {
        host.between.resize(std::max<std::size_t>(host.between.size(), a.tick + 1));
        host.between[a.tick] = host.host->world().hash_with(0);
      }
      if (a.what == Act::Restore) host.member = static_cast<std::uint8_t>(host.node.member());
      if (a.what == Act::Commit && a.tick >= host.saved + 20)
        if (Bytes bytes = host.host->save(host.node, a.tick); !bytes.empty()) host.disk = std::move(bytes), host.node.saved(host.saved = a.tick);
    }
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
      }
    }
  }

  void give_inputs() {
    for (auto& [when, input] : s_.inputs)
      if (when != kNever && coordinator_->committed() >= when) {
        if (const auto given = coordinator_->submit(input_bytes(input), input.tick + 1); !given)
          fault_ = given.error().text();
        else
          given_.push_back(given.value());
        when = kNever;
      }
  }

  void handle(const Network<Bytes>::Event& e) {
    if (e.content == Network<Bytes>::kTimer) {
      if (e.to == kNemesis) return strike(e.timer);
      if (e.to == kCoordinator) return timer_ = kForever, drain_coordinator();
      if (e.timer != hosts_[e.to].life || !hosts_[e.to].is_up) return;
      return hosts_[e.to].timer = kForever, drain_node(e.to);
    }
    if (e.to != kCoordinator && !hosts_[e.to].is_up) return;
    if (const auto drop = decode(net_.content(e.content), 9, scratch_)) {
      fault_ = std::string("a message was dropped: ") + name_of(*drop);
      return;
    }
    if (e.to == kCoordinator) return coordinator_->receive(scratch_, net_.now()), drain_coordinator();
    hosts_[e.to].node.receive(scratch_, net_.now());
    drain_node(e.to);
  }

  // kills somebody, or brings somebody back
  void strike(std::uint16_t who) {
    if (who > 0) return ++restarts_, start(who - 1u, true);
    const std::size_t h = draw(hosts_.size());
    if (!hosts_[h].is_up || hosts_[h].node.advanced_tick() == 0) return;
    hosts_[h].is_up = false;
    net_.set_timer(kNemesis, static_cast<std::uint16_t>(h + 1), net_.now() + static_cast<Time>(draw(100'000'000)));
  }

 public:
  const std::vector<Entry>& given() const { return given_; }  // inputs, as the log has them

 private:
  WorldDef def_;
  Sharing sharing_;
  FederatedSchedule s_;
  Impairment leg_;
  Network<Bytes> net_;
  std::optional<Coordinator> coordinator_;
  std::vector<Host> hosts_;
  std::vector<std::uint64_t> sums_;
  std::vector<Entry> given_;
  Message scratch_;
  Time repeat_ = 0, timer_ = kForever;
  std::uint64_t draws_ = 0, nonce_ = 0, restarts_ = 0;
  std::string fault_;
};

}  // namespace volary::cluster
