// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What became of vehicles on the ground: crashed, tipped over, upside down, stuck (conditions.cpp), and what vehicles do by themselves when something is lost
// (react.cpp). Each process looks at its own vehicles; the others are told in frames, as texts of Told::faults.
#pragma once

#include <cstdint>
#include <vector>

#include "volary/faults.hpp"
#include "volary/ids.hpp"

namespace volary::engine {

struct Data;
struct Flock;

// of one vehicle; plain data, part of snapshots
struct Lying {
  std::uint64_t id = 0;           // value of the id that this is of
  std::uint32_t condition = 0;    // as events have told it
  std::uint32_t sign = 0;         // what the last looks found, a Condition too
  std::uint32_t looks = 0;        // in a row that found it
  std::uint32_t link_looks = 0;   // in a row that found nothing heard
  std::uint64_t heard = 0;        // digest of everything heard at the last look
  std::uint32_t failsafe = 0;     // FailsafeAction that it follows
  std::uint32_t is_returning = 0;
};

struct Conditions {
  std::vector<std::vector<Lying>> of;  // by flock and slot; only as long as somebody looked

  template <class F> void each_state(F& f) { f(of); }
  bool fits(const std::vector<std::size_t>& slots) const;  // after reading
};

// at the start of a tick: who hit the ground in the last one, and several times a second who lies or is stuck
void watch_conditions(Data& d);
// what vehicles notice by themselves, and the rule of their flock for it
void react(Data& d);
// both, after the faults of this tick (faults.hpp)
void watch(Data& d);
Condition condition_of(const Data& d, VehicleId id);

// by itself: patches of the first list, and its behaviours rest
void follow_failsafe(Data& d, Flock& f, std::size_t slot, std::uint32_t action);
// Leaves a dead rotor out of the allocation of the controller. False: the others cannot carry the vehicle.
bool drop_rotor(Data& d, Flock& f, std::size_t slot, std::size_t rotor);

inline constexpr double kLooksPerSecond = 4;
std::uint64_t ticks_between_looks(const Data& d);
Lying& lying_of(Data& d, const Flock& f, std::size_t slot);  // made anew for a vehicle that is new in its slot

}  // namespace volary::engine
