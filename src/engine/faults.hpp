// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of the components of vehicles. A fault is state: which component, which kind, since when. Every tick it becomes terms: of actuators rows that the kernels
// read (vehicles/actuator_faults.hpp), of links what the radio of the vehicle does. Every process that shares the world keeps all faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "vehicles/components.hpp"
#include "volary/def.hpp"
#include "volary/ids.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct Data;
struct Flock;

bool has_component(const Flock& f, Component c);
// A fault that was applied and has not ended. Plain data: part of snapshots.
struct ActiveFault {
  static constexpr std::uint64_t kForGood = ~std::uint64_t{0};
  std::uint64_t id = 0;                     // value of the vehicle's id
  std::uint64_t since = 0, until = kForGood;  // ticks of its world
  std::uint64_t switches = kForGood;        // tick at which an intermittent fault goes on or off
  std::uint32_t component = 0;              // code
  std::uint32_t kind = 0;                   // FaultKind
  std::uint32_t is_on = 1, window = 0;      // of an intermittent fault: whether it acts, how many windows there were
  std::uint32_t flock = 0, slot = 0;
  Vec amount = {0, 0, 0};
  double probability = 0, mean_on = 0, mean_off = 0;
  double held = 0;                          // of a stuck actuator: share of its greatest speed or angle
  std::uint32_t still_ticks = 0;            // for how long telemetry has seen this rotor stand still
  std::uint32_t is_noticed = 0;             // 1: it was reacted to

  friend bool operator<(const ActiveFault& a, const ActiveFault& b) { return a.id != b.id ? a.id < b.id : a.component < b.component; }
};

// what the radio of a vehicle does in this tick
struct LinkFault {
  std::uint64_t number = 0;  // of the vehicle
  bool is_off = false;       // it neither sends nor hears
  double power = 0;          // dB added to the power of its transmitter
  double lost = 0;           // probability that a message is not sent
  std::uint64_t delay = 0;   // ticks until a message is sent
  mutable std::uint32_t said = 0;  // messages of this tick whose loss was drawn
};

// a random fault that waits for its tick
struct WaitingFault {
  std::uint64_t tick = 0;  // of its world
  std::uint32_t flock = 0;
  std::uint64_t place = 0;
  double severity = 0;
  SetFault fault;
};

struct Faults {
  std::vector<ActiveFault> list;  // state, in order
  // derived
  std::vector<LinkFault> links;   // of this tick, in the order of numbers
  std::vector<std::vector<WaitingFault>> schedules;  // by world, in the order of ticks; worked out from key and episode
  std::vector<std::uint64_t> drawn_for;              // by world: 1 + episode of its schedule

  const LinkFault* link_of(std::uint64_t number) const;
  template <class F> void each_state(F& f) { f(list); }
};

// An input: begins a fault, or ends it. False: the vehicle has no such component.
bool apply_fault(Data& d, Flock& f, std::size_t slot, const SetFault& p);
// at the start of a tick: random faults that are due begin, faults end, and the others become terms
void follow_faults(Data& d);
// worlds begin again: their faults are gone
void forget_faults(Data& d, std::span<const std::uint8_t> worlds);
std::vector<ComponentDoc> components_of(const Flock& f);  // what of its vehicles can fail
std::vector<SetFault> faults_of(const Data& d, VehicleId id);
std::vector<DrawnFault> random_faults(const Data& d, std::uint32_t world);  // of its present episode
std::uint64_t hash_faults(const Data& d);
bool faults_fit(const Data& d, const Faults& faults, const std::vector<std::size_t>& slots);  // after reading: slots by flock

// ---------------------------------------------------------------- rows of sensors, estimators and actuators (fault_rows.cpp)

// of a sensor or an estimator: sensors::FaultTerms, and a delay in readings
struct SensorTerms {
  double scale = 1, sigma = 0, drop = 0, hold = 0;
  Vec offset = {0, 0, 0};
  double delay = 0;
};
int sense_fault_of(Component c);  // sensors::kGyroFault and so on
void make_sense_fault_rows(Flock& f);  // when there are none, and for vehicles that came since
void write_terms(Flock& f, std::size_t slot, int which, const SensorTerms& t);

struct ActuatorTerms {
  double scale = 1, offset = 0;  // offset: share of its greatest speed or angle
  double delay = 0;              // ticks
};
double command_of_rotor(const Flock& f, std::size_t slot, int rotor);  // rad/s, what the controller asked for at the end of the last tick
int actuator_of(const Flock& f, Component c);  // index of the actuator in the rows; -1: the vehicle has none
double held_by(const Flock& f, std::size_t slot, Component c);  // what an actuator does now, as a share of its greatest speed or angle
void write_terms(Flock& f, std::size_t slot, int actuator, const ActuatorTerms& t);
void neutral_terms(Flock& f, std::size_t slot);        // every actuator of the vehicle works
void neutral_sense_terms(Flock& f, std::size_t slot);  // every sensor does
void make_fault_rows(Flock& f);                  // when there are none, and for vehicles that came since
// for snapshots: the rows of all vehicles, empty where there are none; whether as many bytes are those of so many vehicles
std::vector<std::byte> fault_rows_of(const Flock& f);
void use_fault_rows(Flock& f, std::span<const std::byte> rows);
bool fault_rows_fit(const Flock& f, std::size_t bytes, std::size_t slots);
double rotor_speed_of(const Flock& f, std::size_t slot, std::size_t rotor);  // rad/s

}  // namespace volary::engine
