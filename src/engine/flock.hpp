// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A flock: all vehicles of one kind in columns of 16-agent blocks. Sets of rows, split by who reads them:
//   hot       state, controller memory and setpoint: every substep
//   plan      modes and curves: once per tick, guided flocks only
//   identity  id and random key: where something random is drawn, and for the hash
//   senses    what sensors and estimator keep (senses.hpp): flocks with sensors only
//   joined    what MuJoCo needs to move their bodies (joined.hpp): flocks of joined bodies only
// Slots are reused after removal; a dead slot keeps a finite state and is left out of hashes and counts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/kernel.hpp"
#include "engine/arrays.hpp"
#include "engine/joined.hpp"
#include "engine/patches.hpp"
#include "engine/senses.hpp"
#include "engine/starts.hpp"
#include "engine/stepper.hpp"
#include "engine/variants.hpp"
#include "math/random.hpp"
#include "vehicles/model.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct Override {
  int row = 0;
  core::Buffer column;  // blocks x 16 scalars
  void set(std::size_t slot, int bytes, double value);
  void fill(std::size_t first, std::size_t last, int bytes, double value);  // slots
};

// where the frame finds what it shows of a vehicle; nowhere: its kind has none
struct ShownColumns {
  const ColumnInfo *position = nullptr, *velocity = nullptr, *attitude = nullptr, *level = nullptr, *wind = nullptr;
  const ColumnInfo* reference[3] = {};  // position, velocity, acceleration of the setpoint
  const ColumnInfo* estimate[4] = {};   // position, velocity, attitude, standard deviation of the position, where somebody estimates them
};

struct Flock {
  FlockDef def;
  FlockSetup setup;
  const ModelHost* model = nullptr;
  const ProgramHost* program = nullptr;
  const Kernel* kernel = nullptr;
  const Backend* backend = nullptr;
  std::unique_ptr<Stepper> stepper;
  ShownColumns shown;
  int bytes = 4;  // per scalar
  std::uint64_t key = 0;  // of its name
  std::size_t index = 0;  // among the flocks of the world

  // columns, in the memory of the place where the flock lives
  core::Memory* memory = &core::host_memory();
  core::Buffer hot, plan, identity, params;
  core::Buffer tables;  // of the airframe, as scalars; empty: it has none
  std::vector<Override> overrides;
  Variants variants;          // that its vehicles fly instead of its airframe
  DrawnStarts starts;         // how its vehicles begin
  std::unique_ptr<Senses> senses;  // of its vehicles; none: they have no sensors
  std::unique_ptr<Joined> joined;  // bodies of its vehicles; none: no MuJoCo moves them
  std::unique_ptr<Arrays> arrays;  // of its agents; none: nobody asked for them
  bool has_ground = false;    // that differs from place to place, and the vehicles stand on it
  double flat_ground = 0;     // m, its height where nothing else is known
  core::Buffer ground;        // blocks x kGroundRows x 16: the plane that each vehicle stands on or is about to touch. Chosen every tick, by the one before
  core::Buffer sense_faults;  // blocks x sensors::kFaultRows x 16: terms of this tick, worked out from the faults; nothing: it had no fault of a sensor yet
  core::Buffer fault_rows;    // blocks x rows of actuators x 16 (vehicles/actuator_faults.hpp); nothing: the flock had no fault of an actuator yet
  core::Buffer ground_below;  // m, height of the ground below each vehicle, blocks x 16; nothing: it is flat, or nobody asks. Sampled every tick, not state
  std::vector<double> param_values;
  std::size_t slots = 0;  // in use or dead, below capacity
  std::size_t capacity = 0;
  std::vector<Patches> patches = std::vector<Patches>(1);  // to be applied; one list for each thread, the first for those who write alone
  bool has_diverged = false;  // some vehicle stopped in the last sweep
  double impact_speed = 0;    // m/s into the ground that is a crash; 0: none is
  bool has_impacts = false;   // some vehicle hit the ground too fast: its status says so
  std::uint64_t generation = 0;
  bool is_viewed = false;           // somebody outside keeps views of its columns: the memory that they leave when they grow is kept
  std::vector<core::Buffer> left;

  // bookkeeping, by slot
  std::vector<VehicleId> ids;
  std::vector<std::uint64_t> draws;       // what is random for a vehicle is drawn by this number: see set_identity
  std::vector<std::uint32_t> worlds;
  std::vector<std::string> names;
  std::vector<std::vector<bool>> failed;  // rotors, by slot; empty: none
  std::vector<std::uint64_t> breaches;    // rules of regions that are broken now, a bit each; empty until a region asks
  std::vector<std::uint32_t> owners;      // members of a federation; empty: this process simulates them all
  std::vector<std::size_t> free_slots;    // lowest first
  std::vector<std::uint64_t> last_places; // that were ever taken, by world

  std::size_t blocks() const { return (slots + kBlock - 1) / kBlock; }
  bool guided() const { return program->guided; }

  // one element: columns.hpp has the definitions, and tools/check_layers.sh says who may include it. Everybody else reads the frame and writes patches.
  void* hot_lane(std::size_t slot);
  void* plan_lane(std::size_t slot);
  const void* row(std::size_t slot, int row) const;  // of the hot record
  std::uint64_t status(std::size_t slot) const;
  void set_status(std::size_t slot, std::uint64_t status);
  double value(std::size_t slot, int row) const;
  void set_value(std::size_t slot, int row, double value);
  std::uint64_t word(std::size_t slot, int row) const;
  void set_word(std::size_t slot, int row, std::uint64_t word);  // of an integer row
  Vec vec(std::size_t slot, const ColumnInfo& column) const;  // three numbers; a position has its remainder in three more rows
  void set_vec(std::size_t slot, const ColumnInfo& column, const Vec& v);

  const ColumnInfo* find_column(const std::string& name) const;
  const ColumnInfo* find_shown(const std::string& name) const;  // in the hot record, the senses or what is kept of bodies
  const ColumnInfo* find_param(const std::string& name) const;
  const ColumnInfo* find_plan(const std::string& name) const;

  void reserve(std::size_t slots);
  bool decides_by_estimate() const { return senses != nullptr && senses->decides_by_it; }
  // a slot that somebody of the same world left, the lowest first, or a new one: within a world, slots are in the same order as when it flies alone
  std::size_t take_slot(std::uint32_t world);
  // What is random for a vehicle follows from its flock's name and its place in it, so that nobody else's coming or going changes it.
  void set_identity(std::size_t slot, VehicleId id, std::uint64_t place, std::uint32_t world, const math::RandomKey<std::uint32_t>& key_of_world);
  void set_key(std::size_t slot, const math::RandomKey<std::uint32_t>& key_of_world);  // of another episode
  void read_draws();  // from the identity rows
  std::uint64_t next_place(std::uint32_t world) const;
  std::uint64_t place_of(std::size_t slot) const { return draws[slot] - key; }  // in its world, from 1
  void set_override(std::size_t slot, int row, double value);
  int n_fault_rows() const;  // of one vehicle, where there are any
  double parameter(std::size_t slot, int row) const;  // its own, or that of the flock
  core::Buffer make_column(std::size_t scalars) const { return core::Buffer(scalars * static_cast<std::size_t>(bytes), *memory); }
  void use_overrides(const std::vector<int>& rows);  // these and no others, whatever they hold
  Override& own_column(int row);  // of a parameter; made with the flock's value in every slot when it is new
  void get_ground(std::size_t slot, double (&rows)[kGroundRows]) const;
  void set_ground(std::size_t slot, const double (&rows)[kGroundRows]);
  void set_ground_below(std::size_t slot, double height);
  void level_ground(std::size_t slot);  // as the parameters say
  void broadcast_params();
  SweepArgs sweep_args() const;
};

// makes the flock and its parameters, without vehicles
core::Result<Flock> make_flock(const FlockDef& def, const WorldDef& world, const Backend& backend, core::Memory& memory = core::host_memory());

}  // namespace volary::engine
