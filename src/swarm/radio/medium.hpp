// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The medium that all radios share: who sends when, who hears whom, and what became of every message. Each tick is one call of run():
//
//   enlist     stations follow the nodes; what waited at a node that left is gone
//   take       what was said since goes into the queues
//   start      medium access decides which packets begin in this tick (access.hpp)
//   listen     every packet that ends is judged at each of its receivers over its whole airtime (hearing.hpp)
//   report     fates in the order of arrival
//   retire     what can no longer disturb anybody leaves the air
//
// Nothing depends on the number of parts, on the order of say() between senders, or on places in memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "swarm/radio/access.hpp"
#include "swarm/radio/hearing.hpp"
#include "swarm/radio/packets.hpp"

namespace volary::swarm {

// whether a definition makes sense; the error names the field of RadioDef
core::Status check(const RadioDef& def);
class Medium {
 public:
  // the definition has passed check()
  Medium(const RadioDef& def, std::uint64_t seed, std::int64_t tick_ns);

  // Other rules from the next run on, of the same model; they have passed check(). What is on the air goes on and is judged by the new rules when it
  // ends; queues stay, and those that wait to listen wait anew where slots are other ones.
  void reconfigure(const RadioDef& def);

  // The world begins again: nobody has said anything yet, and what is random is drawn as in this episode. Counts go on.
  void restart(std::uint32_t episode);
  // what is random for nodes that come from now on is drawn as in this episode
  void use_episode(std::uint32_t episode) { episode_ = episode; }

  // puts a message into the sender's queue, at the beginning of the next run
  void say(std::uint64_t sender, const Message& message);

  // Everything that arrives by the end of this tick, and the fates of all that will not. The nodes come with the lowest id first. `sight` is asked
  // from several threads at once; without it nothing is ever in the way.
  void run(std::uint64_t tick, std::span<const RadioNode> nodes, Sight sight, const void* world, Parallel parallel, Arrivals& out);

  // all that decides the future, and the counts (core/state.hpp)
  template <class F> void each_state(F& f) {
    f(ids_);
    f(stations_);
    f(counts_);
    f(letters_);
    f(free_);
    f(said_);
    f(waiting_);
    f(air_);
    f(links_);
    f(held_);
    f(sent_);
    f(in_reach_);
    f(arrived_);
    f(fates_);
    f(by_distance_);
  }
  std::uint64_t hash() const;  // of all that decides the future, whatever its order in memory

  std::uint64_t sent() const { return sent_; }
  // receivers in reach over all packets, unsent messages once each, and at how many of them a packet was heard
  std::uint64_t in_reach() const { return in_reach_; }
  std::uint64_t arrived() const { return arrived_; }
  std::uint64_t count(Fate fate) const { return fates_[static_cast<std::size_t>(fate)]; }
  // receivers in reach by the octave of their distance, and the outcome there
  std::uint64_t count_at(std::size_t octave, Fate fate) const { return by_distance_[octave * kFates + static_cast<std::size_t>(fate)]; }
  RadioCounts counts(std::uint64_t id) const;  // zeros for one that is not there

 private:
  void enlist(std::span<const RadioNode> nodes);
  void depart(const Station& station);
  void take();
  void take_one(const Said& said);
  void start(std::span<const RadioNode> nodes, const Ether& ether, const Parallel& parallel);
  void put_on_air(std::uint32_t station, const RadioNode& node, std::int64_t begin, std::int64_t end);
  void find_carried();
  void rank();
  void listen(std::span<const RadioNode> nodes, const Ether& ether, const Parallel& parallel);
  void sort_verdicts();
  void report(const Parallel& parallel, Arrivals& out);
  void report_verdicts(const Parallel& parallel, Arrivals& out);
  void tally(const Reception& reception);
  void tally_verdicts();
  void retire();

  std::uint32_t new_letter(const Message& message);
  void free_letter(std::uint32_t letter);
  // the end of a message that never went on the air
  void settle(std::uint64_t sender, std::uint32_t letter, Fate fate);

  std::uint64_t seed_;
  std::uint32_t episode_ = 0;
  std::int64_t tick_ns_, delay_ns_;
  std::uint32_t queue_;
  bool ideal_;
  Propagation propagation_;
  Access access_;
  Hearing hearing_;

  // remembered from tick to tick
  std::vector<std::uint64_t> ids_;      // as the nodes, the lowest first
  std::vector<Station> stations_;       // by the same index
  std::vector<RadioCounts> counts_;
  std::vector<Letter> letters_;         // those in use and a list of free ones
  std::uint32_t free_ = kNone;
  std::vector<Said> said_;
  std::vector<std::uint32_t> waiting_;  // stations with something in the queue, ascending
  std::vector<OnAir> air_;              // by (start, sender)
  std::vector<Link> links_;             // of packets that began before this tick
  std::vector<Pending> held_;           // judged, still on their way: RadioDef::delay
  std::uint64_t sent_ = 0, in_reach_ = 0, arrived_ = 0;
  std::array<std::uint64_t, kFates> fates_{};
  std::array<std::uint64_t, kOctaves * kFates> by_distance_{};

  // within a tick
  std::int64_t now_ = 0, then_ = 0;  // ns, its beginning and end
  std::vector<Station> next_stations_;
  std::vector<RadioCounts> next_counts_;
  std::vector<std::uint32_t> merged_;
  std::vector<Start> starts_;
  std::vector<std::uint32_t> work_;  // packets that end now, by (end, sender, number), then those that only begin
  std::size_t ending_ = 0;
  double power_ = 0, at_reference_ = -1, cut_off_ = 0;  // of the last sender
  std::vector<Pending> early_;       // fates of messages that never went on the air
  std::vector<Outcome> verdicts_;
  struct Sorted {
    std::uint64_t key;      // place of the end among all ends, receiver's station
    std::uint32_t verdict;  // index
    std::uint32_t nth;      // of the packets that end
  };
  std::vector<Sorted> sorted_, spare_;
  std::vector<Link> carried_;
  std::vector<Hearing::Stretch> stretches_;
};

}  // namespace volary::swarm
