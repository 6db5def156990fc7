// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Medium access: which packets begin in a tick, and when. A node sends one packet at a time, the oldest first.
//
//   free            as soon as it is ready, whatever the others do: pure ALOHA, because what is said in a tick is said at any moment of it
//   slotted ALOHA   in each slot with a probability (Abramson 1970, Roberts 1975)
//   CSMA            draws a number of slots to wait, listens, and sends into silence; when it hears others it doubles the window, up to 1024
//                   slots. As in IEEE 802.15.4 it waits before it listens for the first time too. Two that listen in the same slot do not hear each other begin.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "swarm/radio/cells.hpp"
#include "swarm/radio/interference.hpp"
#include "swarm/radio/parallel.hpp"

namespace volary::swarm {

struct Start {
  std::int64_t begin, end;  // ns
  std::uint32_t station;
};

// what medium access may look at
struct Airwaves {
  Ether ether;
  std::span<const RadioNode> nodes;
  std::span<Station> stations;             // as the nodes; CSMA writes down when they listen next
  std::span<const Letter> letters;
  std::span<const std::uint32_t> waiting;  // stations that have something to send, ascending
  std::span<const OnAir> air;              // from earlier ticks
  std::int64_t now, then;                  // ns
};

class Access {
 public:
  Access(const RadioDef& def, std::int64_t tick_ns);

  // ns after the beginning of the tick in which it was said that a message is ready
  std::int64_t ready(const Station& station, std::uint64_t number) const;
  // ns on the air
  std::int64_t airtime(const Message& message) const;
  std::int64_t longest() const { return longest_; }
  // whether a number of a slot means the same to both
  bool has_slots_of(const Access& other) const { return kind_ == other.kind_ && slot_ == other.slot_; }
  // packets that begin within the tick, by (begin, station)
  void start(const Airwaves& waves, const Parallel& parallel, std::vector<Start>& out);

 private:
  void free(const Airwaves& waves, std::uint32_t station, std::vector<Start>& out) const;
  void aloha(const Airwaves& waves, std::uint32_t station, std::vector<Start>& out) const;

  // CSMA
  struct Listener {
    std::int64_t slot;
    std::uint32_t place;  // in the list of those that wait
    friend auto operator<=>(const Listener&, const Listener&) = default;
  };
  void csma(const Airwaves& waves, std::vector<Start>& out);
  void prepare(const Airwaves& waves);
  void open(const Airwaves& waves);
  void insert_voice(std::uint32_t voice);
  void plan(const Airwaves& waves, std::uint32_t place, std::int64_t from);
  void send(const Airwaves& waves, const Listener& listener, std::vector<Start>& out);
  void put_off(const Airwaves& waves, const Listener& listener);
  void listen_in(const Airwaves& waves, std::uint32_t place);
  std::int64_t draw(const Station& station, std::int64_t slot, std::uint32_t which) const;
  bool is_busy(const Airwaves& waves, std::uint32_t station, std::int64_t at) const;

  MediumAccess kind_;
  double probability_, bit_rate_;
  std::uint32_t window_;
  std::int64_t slot_, preamble_, spread_, jitter_, longest_;  // ns
  std::vector<std::vector<Start>> parts_;
  std::vector<Listener> listeners_, together_;  // a heap with the earliest on top; those of one slot that heard nothing
  std::vector<std::uint32_t> heads_;            // by place: the letter to send next
  struct Loudness {
    double at_reference, cut_off;  // units; m: beyond it matters too little
  };
  std::vector<Loudness> loudness_;              // by place
  std::vector<OnAir> voices_;                   // on the air now or earlier in this tick; their cut-offs are those of listening
  CellLists table_;                             // of voices
  std::int64_t bucket_ = 1;                     // ns: no voice is longer
  double widest_ = 0;                           // m: how far the loudest of them matters
};

}  // namespace volary::swarm
