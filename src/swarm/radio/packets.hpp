// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the medium remembers, as plain structs: stations with their queues, packets on the air, and who may be hearing them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "swarm/message.hpp"
#include "swarm/radio/propagation.hpp"

namespace volary::swarm {

inline constexpr std::uint32_t kNone = 0xffffffffu;

inline std::int64_t nanoseconds(double seconds) { return static_cast<std::int64_t>(math::floor(seconds * 1e9 + 0.5)); }

struct RadioNode {
  std::uint64_t id;
  std::uint32_t world;  // nodes of different worlds of a batch know nothing of each other
  V3 position;          // m, at the beginning of this tick
  double power;         // dBm
  int channel;
  bool receives;
  std::uint64_t draws = 0;  // number by which its chances are drawn; 0: by its id

  std::uint64_t chance() const { return draws != 0 ? draws : id; }
};

// How a message ended at a receiver; the first that applies, in the order Gone, Deaf, Obstructed, Weak, Interference, Unlucky.
enum class Fate : std::uint32_t {
  Delivered,
  Weak,          // shadowing or fading took what the mean would have given
  Obstructed,    // terrain or an obstacle in the way
  Interference,  // others sent meanwhile
  Deaf,          // the receiver was sending itself, or does not receive at all
  Unlucky,       // RadioDef::loss
  QueueFull,     // never sent
  Gone,          // the sender or the receiver left, or there never was such a receiver
  OutOfRange     // the receiver that it is addressed to is beyond reach; or nobody is within
};
inline constexpr std::size_t kFates = 9;
inline constexpr const char* kFateNames[kFates] = {"delivered", "weak", "obstructed", "interference", "transmitting", "random_loss", "queue_full", "gone", "out_of_range"};
constexpr const char* name_of(Fate fate) { return kFateNames[static_cast<std::size_t>(fate)]; }

// what became of a message at one receiver
struct Reception {
  std::uint64_t sender;
  std::uint64_t receiver;  // 0: nobody
  double ratio;            // signal to noise and interference at the worst moment; 0 where the model knows no powers or nothing was received
  std::int64_t end;        // ns, of arrival: end of the airtime plus delay
  std::uint32_t message;   // index into the messages of its report
  Fate fate;

  double sinr() const { return ratio > 0 ? decibels(ratio) : 0; }  // dB
};

// what one tick brought: a message once, however many hear it
struct Arrivals {
  std::vector<Message> messages;
  std::vector<Reception> receptions;  // by (end, receiver, sender)
};

// a reception that waits for its report, with its message
struct Pending {
  Reception reception;
  Message message;
};

// messages as a sender counts them
struct RadioCounts {
  std::uint64_t sent = 0;       // packets that went on the air
  std::uint64_t delivered = 0;  // receptions of them
  std::uint64_t lost = 0;       // and receptions that failed, unsent messages included
  std::uint64_t heard = 0;      // receptions by this node
  std::uint64_t in_reach = 0;   // receivers that were in reach when it sent, over all its packets; unsent messages count once
  std::uint64_t arrived = 0;    // and at how many of those the packet was heard
};

// what is remembered of a node
struct Station {
  std::uint64_t id = 0;
  std::uint64_t number = 0;   // messages said so far: they key what is drawn for each
  std::int64_t until = 0;     // ns: its own sending ends
  std::int64_t sense = -1;    // CSMA: the slot at which it listens next; -1: not yet drawn
  std::uint32_t window = 0;   // CSMA: slots to draw from
  std::uint32_t first = kNone, last = kNone, count = 0;  // its queue: letters
  Key key{};                  // of its world
  std::uint64_t draws = 0;    // RadioNode::chance()
};

// the station of an id, or none; the ids ascend
inline std::uint32_t find_station(std::span<const std::uint64_t> ids, std::uint64_t id) {
  if (ids.empty() || id < ids.front()) return kNone;
  // usually nobody has left, and ids count up from the first
  const std::uint64_t guess = id - ids.front();
  if (guess < ids.size() && ids[guess] == id) return static_cast<std::uint32_t>(guess);
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  return at != ids.end() && *at == id ? static_cast<std::uint32_t>(at - ids.begin()) : kNone;
}

// a message that waits in a queue or is on the air
struct Letter {
  Message message;
  std::uint64_t number = 0;
  std::int64_t ready = 0;  // ns: not to be sent before
  std::uint32_t next = kNone;
};

// a message that was said and not yet looked at
struct Said {
  std::uint64_t sender;
  std::uint32_t letter;
};

// A packet on the air, or one that overlapped a packet that still is. Where it was sent from counts for all of its airtime.
struct OnAir {
  std::uint64_t sender = 0, number = 0;
  std::uint64_t draws = 0;          // of the sender: RadioNode::chance()
  std::int64_t start = 0, end = 0;  // ns
  V3 position{};
  double at_reference = 0;  // units at the reference distance
  double cut_off = 0;       // m
  Key key{};                // of its world
  std::uint32_t world = 0;
  std::int32_t channel = 0;
  std::uint32_t letter = kNone;           // none: judged already
  std::uint32_t links = 0, n_links = 0;   // its stretch of the links carried from tick to tick
  std::uint32_t cut = 0;                  // the sender left while sending
};

// A packet at one receiver, as far as it is known when the packet starts.
struct Link {
  std::uint64_t receiver = 0;
  V3 position{};             // of the receiver when the packet started
  double signal = 0;         // units
  double clear = 0;          // units, had nothing been in the way
  std::uint64_t in_reach = 1;  // 0: beyond what carries on average, which only luck brings
  std::uint32_t station = kNone;  // of the receiver in this tick; none: it left
  Fate fate = Fate::Delivered;    // anything else is settled before the packet ends
};

// Distances are counted by octaves: less than 1 m, less than 2 m, less than 4 m and so on; the last has everything beyond 16 km.
inline constexpr std::size_t kOctaves = 16;
inline std::uint8_t octave_of(double distance2) {
  const auto whole = static_cast<std::uint64_t>(distance2 < 1e18 ? distance2 : 1e18);
  return static_cast<std::uint8_t>(std::min<int>((std::bit_width(whole) + 1) / 2, static_cast<int>(kOctaves) - 1));
}

struct Outcome {
  std::uint32_t packet;    // index into the air
  std::uint32_t station;   // of the receiver; none: nobody, or it left
  std::uint64_t receiver;
  double ratio;            // as in Reception
  Fate fate;
  bool in_reach;           // as of its link
  std::uint8_t octave;     // of its distance from the sender
};

}  // namespace volary::swarm
