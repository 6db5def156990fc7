// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What others add to the noise at a receiver, in whole units of power.
#pragma once

#include <cstdint>
#include <vector>

#include "swarm/radio/packets.hpp"

namespace volary::swarm {

// Whether nothing is in the way between two places; false where terrain or an obstacle is.
using Sight = bool (*)(const void* world, const V3& from, const V3& to);

// what lies between senders and receivers
struct Ether {
  const Propagation& propagation;
  Sight sight = nullptr;
  const void* world = nullptr;

  bool is_obstructed(const V3& from, const V3& to) const { return sight != nullptr && propagation.obstructed < 1 && !sight(world, from, to); }
};

// A packet that is not meant for the receiver: mean path loss and shadowing of its link. Whether something is in the way is only asked of one
// that would be stronger than the noise: it costs a ray, and there are many weak ones. In a disc 1 unit is within range, 0 is not.
std::uint64_t interferer_units(const Ether& ether, const OnAir& packet, std::uint64_t receiver_draws, const V3& at);

// Those that overlap one packet in time and may be near enough to disturb one of its receivers, in columns.
class Interferers {
 public:
  // none yet, and room for so many; places are kept relative to the origin
  void reset(std::size_t most, const V3& origin);
  void add(const OnAir& packet, std::uint32_t index);  // index into the air
  // all are there: orders them in time, for the airtime of the packet that they disturb
  void arrange(const std::vector<OnAir>& air, std::int64_t start, std::int64_t end);

  bool has(std::uint64_t sender) const;
  // What of them arrives at a receiver: the sum at the worst moment, and the strongest. A node that hears while it sends does not hear itself.
  struct Sum {
    std::uint64_t worst = 0, strongest = 0;  // units
  };
  Sum at(const Ether& ether, const std::vector<OnAir>& air, const RadioNode& receiver, const V3& place, bool sends);

 private:
  void hear(const Ether& ether, const std::vector<OnAir>& air, const RadioNode& receiver, const V3& place);

  std::size_t n_ = 0;
  V3 origin_{};
  std::vector<float> x_, y_, z_;       // m, from the origin: there are kilometres at most, and a millimetre does not matter
  std::vector<float> at_reference_;    // units
  std::vector<float> cut_off2_;        // m^2
  std::vector<std::uint64_t> sender_;
  std::vector<std::uint32_t> packet_;  // index into the air
  std::vector<std::uint64_t> units_;   // at the receiver last asked for
  std::vector<std::uint32_t> first_;   // where not all send at once: those on the air when the packet starts,
  std::vector<std::uint64_t> events_;  // and who begins or ends before it does, as one number each that sorts by time, ends first
  bool at_once_ = true;                // there is a moment at which all of them send
};

}  // namespace volary::swarm
