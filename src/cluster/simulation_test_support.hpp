// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A whole federation in virtual time with a small model instead of an engine: some integers per member, coupled through what is settled, touched by contact now
// and then. One seed draws one schedule: which faults there are, when nodes die, restart, join and leave, when inputs come. Afterwards a sequential run with the
// same log must have the same sums.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cluster/coordinator.hpp"
#include "cluster/network.hpp"
#include "cluster/node.hpp"

namespace volary::cluster {

inline std::uint64_t toy_mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// ---------------------------------------------------------------- the model

constexpr Tick kToyRing = 512;

// what happens in the world of a schedule
struct ToyWorld {
  std::uint32_t horizon = 1;
  std::uint32_t contact_every = 0;  // ticks, on average; 0: never
  static std::uint64_t first_state(std::size_t id, Tick from) { return toy_mix(id * 977 + from + 1); }
  static std::uint64_t step(std::uint64_t own, std::uint64_t coupled, Tick tick) { return toy_mix(own + coupled * 3 + tick); }
  static std::uint64_t apply(std::uint64_t own, std::uint64_t input, std::size_t id) { return toy_mix(own ^ (input * (id + 1))); }
  static std::uint64_t mix_in(std::uint64_t shared, std::uint64_t frame, std::size_t id) { return toy_mix(shared ^ (frame + id)); }
  static std::uint64_t mix_absent(std::uint64_t shared, std::size_t id, bool extrapolated) { return toy_mix(shared + id * 31 + (extrapolated ? 1 : 2)); }
  static std::uint64_t touch(std::uint64_t own, std::uint64_t shared) { return toy_mix(own + (shared | 1)); }
  static std::uint64_t sum(std::uint64_t own, std::size_t id, Tick tick) { return toy_mix(own * 5 + id + tick * 64); }
  static std::uint64_t sum_shared(std::uint64_t shared) { return toy_mix(shared + 7); }
  MemberMask contact(std::uint64_t shared, MemberMask active) const {
    if (contact_every == 0 || (shared >> 8) % contact_every != 0) return 0;
    return active & ((shared >> 40) | bit_of((shared >> 3) % 5));
  }
};

// a node's replica: its own state and what all share, by tick
class Toy {
 public:
  struct State {
    Tick tick = 0;
    std::uint64_t own = 0;
    std::array<std::uint64_t, 64> shared{};  // of the ticks before and at `tick`, by tick % 64
    NodeBase base;
  };
  void restore(const State& s, std::uint32_t horizon);
  State save(const Node& node, Tick tick, std::uint32_t horizon) const;
  void advance(const ToyWorld& world, Node& node, Tick tick);
  void settle(const ToyWorld& world, Node& node, Tick tick);
  std::uint64_t shared(Tick tick) const { return shared_[tick % kToyRing]; }

 private:
  std::array<std::uint64_t, kToyRing> own_{}, shared_{};
};

// ---------------------------------------------------------------- the schedule

struct Schedule {
  std::uint64_t seed = 1;
  Tick ticks = 2000;
  std::size_t nodes = 5;
  bool through_codec = false;
  // drawn from the seed unless `is_fixed`
  bool is_fixed = false;
  ImpairmentOptions impairment = {};
  ToyWorld world = {};
  std::uint32_t window = 64, carry = 1;
  DeadPolicy policy = DeadPolicy::Wait;
  int kills = 0, inputs = 0, joins = 0, leaves = 0, partitions = 0, hand_overs = 0;
  bool keeps = false;  // the coordinator keeps saved states, and whoever comes back begins with them
};
Schedule draw_schedule(std::uint64_t seed, Tick ticks, std::size_t nodes = 5);

class Simulation {
 public:
  // what is wrong, or empty
  std::string run(const Schedule& schedule);

  struct Stats {
    std::uint64_t events = 0, rollbacks = 0, messages = 0, entries = 0, restarts = 0, joins = 0, absences = 0, leaves = 0, hand_overs = 0;
    Time virtual_time = 0;
  };
  const Stats& stats() const { return stats_; }
  const std::vector<std::uint64_t>& sums() const { return sums_; }

 private:
  struct Payload {
    Bundle bundle;
    Message other;
    std::vector<std::byte> bytes;
    bool is_bundle = false;
  };
  struct Host {
    Node node{NodeOptions{}};
    Toy toy;
    Toy::State disk;
    bool is_up = false, can_restart = false, hands_over = false;
    std::uint8_t member = 0;
    Time timer = kForever;
    std::uint16_t life = 0;
  };
  enum Chore : std::uint16_t { Kill = 1, Revive, Submit, JoinNew, LeaveOne, Split, Heal, HandOver };
  static constexpr std::size_t kMostHosts = 16;
  static constexpr std::uint16_t kCoordinator = 100, kNemesis = 101;

  std::uint64_t draw(std::uint64_t below);
  void begin(const Schedule& s);
  void start_host(std::size_t h, RequestKind entry);
  void handle(const Network<Payload>::Event& e);
  void deliver(const Network<Payload>::Event& e);
  void drain_node(std::size_t h);
  bool do_action(std::size_t h, const Action& a);
  void restore(std::size_t h, Tick tick);
  void save(std::size_t h, Tick tick);
  void hand_over_one();
  void drain_coordinator();
  void publish(std::size_t from, std::uint32_t slot, bool is_for_nodes);
  void publish_message(std::size_t from, const Message& m, bool is_for_nodes);
  void set_timer(std::uint16_t to, Time& pending, Time at);
  void chore(Chore what, std::size_t who);
  void kill_one();
  bool crosses(std::size_t a, std::size_t b) const;
  void fail(const std::string& text);
  std::string describe() const;
  void check_against_sequential();

  Schedule s_;
  Network<Payload> net_;
  Impairment leg_;
  std::array<Host, kMostHosts> hosts_;
  std::vector<Coordinator> coordinator_;
  std::vector<Entry> log_;
  std::array<Toy::State, kMaxMembers> kept_{};
  std::vector<std::uint64_t> sums_;
  Message scratch_;
  std::uint64_t draws_ = 0, nonce_ = 0, split_ = 0;
  std::size_t used_hosts_ = 0;
  Time coordinator_timer_ = kForever;
  std::string fault_;
  Stats stats_;
};

}  // namespace volary::cluster
