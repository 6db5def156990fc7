// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What became of vehicles on the ground: crashed, tipped over, upside down, stuck (conditions.cpp), and what vehicles do by themselves when something is lost
// (react.cpp). Each process looks at its own vehicles; the others are told in frames, as texts of Told::faults.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "volary/faults.hpp"
#include "volary/ids.hpp"
#include "volary/sensors.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct ColumnInfo;
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
  std::uint32_t blind_looks = 0;  // in a row in which its estimator knew neither attitude nor position
  std::uint32_t overruled = 0;    // Loss bits whose failsafe an order from outside has ended, until nothing is lost any more
};
// what a failsafe reacts to, as bits of Lying::overruled
enum Loss : std::uint32_t { kLinkLoss = 1, kSenseLoss = 2, kEveryLoss = 3 };

// What a vehicle knows of its rotors from its IMU. Plain data, part of snapshots.
struct RotorWatch {
  std::uint64_t id = 0;         // value of the id that this is of
  double speed[8] = {};         // rad/s, that the rotors should have after their commands
  Vec omega_B = {0, 0, 0};      // rad/s, at the last tick
  double residual[4] = {};      // estimation::Residual
  double suspect = -1, since = 0;
};

struct Conditions {
  bool rest = false;  // nobody looks: agents learn in this world
  std::vector<std::vector<Lying>> of;  // by flock and slot; only as long as somebody looked
  std::vector<std::vector<RotorWatch>> rotors;  // likewise, of flocks that look for lost rotors

  template <class F> void each_state(F& f) { f(of), f(rotors); }
  bool fits(const std::vector<std::size_t>& slots) const;  // after reading
};

// at the start of a tick: who hit the ground in the last one, and several times a second who lies or is stuck
void watch_conditions(Data& d);
// what vehicles notice by themselves, and the rule of their flock for it
void react(Data& d);
// both, after the faults of this tick (faults.hpp)
void watch(Data& d);
Condition condition_of(const Data& d, VehicleId id);
std::vector<Trouble> troubles(const Data& d);  // in the order of ids; as long as there is none, it costs nothing

// a column of one vehicle
std::vector<double> read_column(const Flock& f, const ColumnInfo& c, std::size_t slot);
// by itself: patches of the first list, and its behaviours rest
void follow_failsafe(Data& d, Flock& f, std::size_t slot, std::uint32_t action);
// An order from outside: the failsafe of the vehicle ends. It reacts again to what is lost after that.
void overrule_failsafe(Data& d, const Flock& f, std::size_t slot);
// Leaves a dead rotor out of the allocation of the controller. False: the others cannot carry the vehicle.
bool drop_rotor(Data& d, Flock& f, std::size_t slot, std::size_t rotor);

inline constexpr double kLooksPerSecond = 4;
std::uint64_t ticks_between_looks(const Data& d);
Lying& lying_of(Data& d, const Flock& f, std::size_t slot);  // made anew for a vehicle that is new in its slot
RotorWatch& rotor_watch_of(Data& d, const Flock& f, std::size_t slot);  // likewise
bool flies(const Data& d, const Flock& f, std::size_t slot);  // armed, and no wreck
// drops a rotor that is lost where the others can carry the vehicle, and follows the failsafe
void lose_rotor(Data& d, Flock& f, std::size_t slot, std::size_t rotor);
// whether a flock finds lost rotors by its IMU: then the commands of its rotors are kept from the start
bool watches_rotors(const Flock& f);
// how a rule reacts, and what is told of it
void react_to(Data& d, Flock& f, std::size_t slot, FailsafeAction action, const std::string& what);

// ---------------------------------------------------------------- what vehicles notice (notice.cpp)

void look_at_sensors(Data& d);  // GNSS, other sensors and estimators that say nothing
void look_at_wrenches(Data& d); // rotors whose thrust the IMU does not feel

}  // namespace volary::engine
