// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a running world is made of. Model is what does not change in a step, Data what does.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/ahead.hpp"
#include "engine/conditions.hpp"
#include "engine/coupling.hpp"
#include "engine/elsewhere.hpp"
#include "engine/emissions.hpp"
#include "engine/faults.hpp"
#include "engine/flock.hpp"
#include "engine/frame.hpp"
#include "engine/interact.hpp"
#include "engine/judging.hpp"
#include "engine/live_fields.hpp"
#include "engine/locations.hpp"
#include "engine/observe.hpp"
#include "engine/pool.hpp"
#include "engine/ranging.hpp"
#include "engine/reset.hpp"
#include "engine/roster.hpp"
#include "engine/sharing.hpp"
#include "engine/society.hpp"
#include "engine/stages.hpp"
#include "engine/weather.hpp"
#include "engine/worlds.hpp"
#include "math/random.hpp"
#include "volary/world.hpp"

namespace volary::engine {


// inputs by tick; those of one tick in the order of their coming, sorted when they are applied
using Pending = std::map<std::uint64_t, std::vector<Input>>;

// polynomial paths in both precisions
struct PathStore {
  std::vector<float> headers4, pieces4;
  std::vector<double> headers8, pieces8;
  PathArrays arrays(int bytes) const {
    if (bytes == 4) return {headers4.data(), pieces4.data()};
    return {headers8.data(), pieces8.data()};
  }
};

struct Data {
  WorldDef def;
  RunOptions options;
  const Backend* backend = nullptr;
  std::unique_ptr<Pool> pool;
  PathStore paths;

  std::uint64_t tick = 0;
  Worlds worlds;                    // what time it is in each
  Shared shared;                    // with other processes
  Elsewhere elsewhere;              // vehicles that are only reported
  std::shared_ptr<const FirstState> first;  // of a world; none until one begins again
  std::vector<Flock> flocks;
  Locations locations;              // where every vehicle is, by its number
  Pending pending;                  // inputs of this tick and later ones
  std::map<std::uint32_t, std::uint32_t> next_seq;  // by source
  std::uint64_t late_inputs = 0;    // moved to a later tick so far; for people, not state
  std::map<std::uint32_t, std::uint64_t> late_told;  // by source: when an event last said so

  bool is_recorded = false;         // somebody takes what is submitted
  bool keeps_submitted = false;     // until the first step, and then for a recorder: new inputs are also listed as they come
  std::vector<Input> submitted;
  std::uint64_t roster_version = 0;  // counts spawns, removals and stops
  std::uint64_t traits_version = 0;  // counts changes of weights, failed rotors, homes and random keys
  mutable RosterInUse roster_in_use; // of the last snapshot
  mutable std::uint64_t fingerprint = 0;  // 0: not asked for yet

  std::vector<Society> societies;   // beside the flocks
  bool is_social = false;           // anybody decides, speaks or looks
  Air air;                          // of the radio
  Coupling coupling;                // what is on its way to decisions
  Weather weather;
  bool has_emissions = false;       // some flock gives something off
  Emitted emitted;                  // now, for those who decide
  ShownEmissions shown;             // for those who look from outside
  Frame frame;                      // of the last tick, for everybody to read
  bool frame_is_stale = true;       // inputs changed something since
  Interaction interaction;
  Ranging ranging;                  // distances between vehicles
  Faults faults;                    // of components of vehicles
  Conditions conditions;            // of vehicles on the ground
  Touched touched;                  // by contact in the last tick
  Judging judging;
  std::vector<LiveField> live;      // fields changed since the start, the last one last
  Observed observed;

  Told told;                        // by the decisions of this tick
  std::vector<Event> events;        // not yet taken by a reader
  std::vector<Plotted> plotted;     // in the last tick
  std::uint64_t last_hash = 0;      // sum over agents of the last sweep
  std::uint64_t last_hash_tick = ~std::uint64_t{0};  // the tick whose state it is of; whoever changes a state after the sweep forgets it
  std::vector<double> stage_seconds = std::vector<double>(kStages.size(), 0.0);
};

// makes the world of a definition
core::Status build(Data& d, const WorldDef& def, const RunOptions& options);
// puts an input among those that wait; what cannot be right is refused
Submitted submit(Data& d, Input input, Late late = Late::Move);

void in_order(std::vector<Input>& inputs);  // of tick, source and seq
// who is given a setpoint from outside does not decide by itself for a second
void take_in_hand(Data& d, std::size_t flock, std::size_t slot, ControlLevel level);

// the stages, in the order of step()
void take_inputs(Data& d);
void sample_ground(Data& d);
void sweep(Data& d);
void stop_diverged(Data& d);
void watch_regions(Data& d);
void publish(Data& d);
// carry_air: weather.hpp; deliver, decide, send: society.hpp; tell: notes.hpp; touch, detect: interact.hpp; judge: judging.hpp

// one tick: the function to read first (step.cpp)
void step(Data& d);
// its halves: what every vehicle does by itself, and what comes of it between them
void advance(Data& d);
void settle(Data& d);

// the sum of the hashes of a flock's vehicles, of those of this process where several share it
std::uint64_t hash_flock(const Flock& f, const Shared& shared = {});

// vehicles
core::Result<VehicleId> spawn(Data& d, std::size_t flock, const VehicleDef& vehicle);
core::Result<VehicleId> spawn_drawn(Data& d, std::size_t flock, const VehicleDef& vehicle, std::size_t number);  // of the definition: its start is drawn
void remove(Data& d, VehicleId id);
// out of control; `straight` is in ticks. All that others are not shown of it is forgotten, so that every process that shares the world has the same vehicle.
void detach(Data& d, Flock& f, std::size_t slot, std::uint64_t straight);
void carry_detached(Data& d);  // their way in this tick
const Location* locate(const Data& d, VehicleId id);
void enter_mode(Data& d, Flock& f, std::size_t slot, Mode mode);  // by a patch of the first list
inline void forget_hash(Data& d) { d.last_hash_tick = ~std::uint64_t{0}; }
// what happened to a vehicle, alive or not; without one, what happened in a world, or in all
void add_event(Data& d, VehicleId id, const std::string& name, std::string what, std::uint32_t world = kEveryWorld);
// the numbers of the vehicles of a world of the batch begin after this one
std::uint64_t numbers_from(const Data& d, std::uint32_t world);
std::uint32_t world_of(const Data& d, std::uint64_t number);
std::uint64_t first_number_of(const Data& d, std::uint32_t world);  // of those that world_of() counts to it
// the key of everything random in a world of the batch: the same as when it flies alone
math::RandomKey<std::uint32_t> key_of_world(const Data& d, std::uint32_t world);

// ---------------------------------------------------------------- the time of a world

// ticks since its episode began
inline std::uint64_t tick_of_world(const Data& d, std::uint32_t world) { return d.tick - d.worlds.start[world]; }
// The same where many ask within a stage: usually it is one tick for all of them.
class WorldTime {
 public:
  explicit WorldTime(const Data& d) : now_(d.tick), shared_(tick_of_world(d, 0)), apart_(d.worlds.are_apart ? d.worlds.start.data() : nullptr) {}
  bool is_shared() const { return apart_ == nullptr; }
  std::uint64_t shared() const { return shared_; }
  std::uint64_t of_world(std::uint32_t world) const { return is_shared() ? shared_ : now_ - apart_[world]; }
  std::uint64_t of(const Flock& f, std::size_t slot) const { return is_shared() ? shared_ : now_ - apart_[f.worlds[slot]]; }

 private:
  std::uint64_t now_, shared_;
  const std::uint64_t* apart_;
};

}  // namespace volary::engine
