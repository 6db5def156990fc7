// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the nodes of a federation do: figures of the last second, from what the coordinator hears. It has no clock of its own, so tests give the times.
//
// Clocks: a node tells when it sent a bundle, which trigger it had heard last, and for how long. The way there and back follows without common clocks; the
// difference of the clocks follows from the shortest way of the last seconds, to half of that way.
#pragma once

#include <string>
#include <vector>

#include "cluster/message.hpp"

namespace volary::cluster {

enum class NodeState : std::uint8_t {
  Missing,       // nobody has this place yet
  Starting,      // it has joined and has not been heard since
  Running,
  Silent,        // not heard for longer than its usual gaps
  Frozen,        // dead: its vehicles stay where they were
  Extrapolated,  // dead: its vehicles fly on straight for a while
  Removed,       // dead: its vehicles are gone
  Left           // it has left
};
const char* name_of(NodeState state);

// one place of the federation and the process that holds it
struct NodeHealth {
  std::size_t member = 0;  // number of the place, from 0
  std::string name = {};  // of the place, as the scenario has it; otherwise its number
  std::string account = {};  // of the process at the broker
  std::string host = {};  // machine of the process
  NodeState state = NodeState::Missing;
  std::uint32_t incarnation = 0;  // number of processes that have held the place
  Tick advanced = 0, settled = 0, durable = 0;  // newest tick that it has computed, settled, saved
  double rate = 0;  // 1/s, ticks advanced per second
  double compute = 0;  // s, mean time of computation in a turn
  double load = 0;  // compute over the period of ticks; 0 where ticks have no period
  double latency = 0;  // s, mean way of a message from the node to the coordinator
  double age = 0;  // s, mean age of the node's newest state at the coordinator
  Tick skew = 0;  // ticks that it is behind the node that is furthest
  double clock_offset = 0, clock_error = 0;  // s, its clock minus the coordinator's, and how wrong that can be
  double silence = 0;  // s since it was last heard
  std::uint64_t memory = 0;  // bytes; what it shares with other processes is divided among them (PSS)
  std::uint64_t rollbacks = 0;  // since its process began
};

// how the nodes of a federation go on: each tick together, or each by the clock
inline constexpr const char *kStrict = "strict", *kLive = "live";

// the federation as a whole
struct FederationHealth {
  std::string federation = {}, scenario = {}, mode = {}, dead_node = {};  // names
  Tick committed = 0, aligned = 0, limit = 0, planned = 0;
  double rate = 0;  // 1/s, ticks committed per second
  double period = 0, wanted_period = 0;  // s between ticks on the wall, now and as asked for; 0: as fast as the nodes can
  double tick = 0;  // s of simulated time, which nothing changes
  double speed = 0;  // simulated seconds per second
  std::uint32_t view_every = 1;  // ticks between two frames for views
  double view_rate = 0;  // 1/s, frames for views that are due per second
  bool is_overloaded = false;  // nodes need most of the period, or answer late
  bool is_paused = false;
  std::uint64_t inputs = 0;  // entries of the log so far
  std::uint64_t dropped = 0;  // messages that were not used: damaged, foreign, repeated, of an account that may not say them
  std::uint64_t restarts = 0, absences = 0;  // of nodes, so far
  std::uint32_t standbys = 0;  // processes that wait for a place
  Tick skew = 0;  // ticks between the nodes that are furthest and least far
  std::vector<NodeHealth> nodes = {};
};

// the figures of one node
class NodeMeter {
 public:
  void begin(Time now);  // of a new process
  void hear(const Bundle& bundle, Time now);
  void fill(NodeHealth& health, Time now, Time period) const;
  Time round_trip() const { return last_.round_trip; }  // ns, mean

 private:
  static constexpr Time kWindow = 1'000'000'000;
  struct Figures {
    double rate = 0, compute = 0, latency = 0, age = 0;
    Time round_trip = 0;
  };
  void close(Time now);
  void grow_old(Time now);

  Time began_ = 0, heard_ = 0;
  Tick advanced_at_ = 0, advanced_ = 0;
  std::uint64_t memory_ = 0, rollbacks_ = 0, bundles_ = 0;
  double compute_sum_ = 0, latency_sum_ = 0, round_trip_sum_ = 0;
  std::uint64_t n_trips_ = 0;
  // the difference of the clocks, by the shortest way there and back in this window and the one before
  Time offset_ = 0, shortest_ = kForever, old_offset_ = 0, old_shortest_ = kForever;
  // age: the sawtooth of this window
  Time generated_ = kForever, aged_until_ = 0, aged_ = 0;
  double age_area_ = 0;  // ns^2
  Figures last_;
  bool has_window_ = false;
};

// ticks per second of a counter that grows
class RateMeter {
 public:
  void add(std::uint64_t count, Time now);
  double rate() const { return rate_; }

 private:
  std::uint64_t from_ = 0;
  Time since_ = 0;
  double rate_ = 0;
  bool has_any_ = false;
};

}  // namespace volary::cluster
