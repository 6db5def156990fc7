// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the sensors and the estimator of a flock keep: a fourth set of rows beside hot, plan and identity, laid out of what its vehicles carry (sense_args.hpp). The IMU
// is not in it: its rows are in the hot record, because it is sampled in every substep.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/sense_args.hpp"
#include "engine/stepper.hpp"
#include "swarm/readings.hpp"
#include "swarm/script/sensor_plugin.hpp"
#include "vehicles/model.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Data;
struct Flock;

// where the readings of a sensor lie that come from outside of the world: the numbers, whether there was one, and its tick
struct OwnPlace {
  std::string name;
  int row = 0, size = 1;
  int valid() const { return row + size; }
  int tick() const { return row + size + 1; }
};

// a sensor or an estimator in a shared library, and where the memory of a vehicle lies
struct SensePlugin {
  std::shared_ptr<const swarm::SensorPlugin> library;
  std::vector<double> params;
  int own = -1;     // of which own sensor; -1: it is the estimator
  int memory = 0;   // first row
  int words = 0;    // of the flock's scalars
};

struct Senses {
  SenseLayout layout;
  std::vector<OwnPlace> own;
  std::vector<SensePlugin> plugins;  // sensors first
  int refused = -1;                  // row: how many results of plugins were refused
  std::vector<ColumnInfo> columns;  // readings that have arrived, and the filter
  TrueRows at;
  const SenseKernel* kernel = nullptr;
  core::Buffer rows;                // blocks x layout.rows x 16
  core::Buffer params, site;        // for the kernel, broadcast
  std::vector<double> param_values;
  bool believes = false;            // there is an estimate: a filter's, or somebody else's
  bool by_truth = true;             // controllers take the true state
  bool decides_by_it = false;       // behaviours and messages take the estimate
  bool looks = false;               // something in this world is in the way of its sensors
  std::uint64_t look_every = 1;     // ticks between two looks at the sky
  swarm::ReadingList readings;      // what scripts and plugins may read of it
  std::vector<const ColumnInfo*> read;  // the same as columns
  bool is_read = false;             // somebody of the flock does: the frame has it

  SenseArgs args(const Flock& f) const;
  const ColumnInfo* find_column(const std::string& name) const;
  const OwnPlace* find_own(const std::string& name) const;
};

// the bit of an own sensor in what a vehicle carries, after those of AllSensors
inline std::uint64_t own_bit(std::size_t k) { return std::uint64_t{1} << (static_cast<std::size_t>(kSensors) + k); }

// none: its vehicles carry nothing
core::Result<std::unique_ptr<Senses>> make_senses(const FlockDef& def, const WorldDef& world, const Flock& f);
// the sensors of a flock that a vehicle carries, one bit each
std::uint64_t carried_by(const Flock& f, const VehicleDef& v);

// How a vehicle begins. Rows that nobody has begun are those of a vehicle that carries everything; `exact`: its estimate is the truth, and nothing is drawn for it.
void begin_senses(Flock& f, std::size_t slot, std::uint64_t carried, std::uint64_t tick, const EnvironmentDef& environment, bool exact = false);
// The same for slots of a world that has its time, as they carry what they carried.
void begin_senses(Data& d, Flock& f, std::size_t first, std::size_t last);
std::uint64_t carried_by(const Flock& f, std::size_t slot);
std::vector<std::string> sensors_of(const Flock& f, std::size_t slot);  // the same by name, and the IMU
// The reading of an own sensor that a vehicle has at a tick of its world: numbers so far apart. False: it does not carry such a sensor.
bool write_reading(Flock& f, std::size_t slot, const std::string& sensor, std::uint64_t tick, const double* first, std::size_t apart);
// rows of the flock were written outside of the sweep: the frame and the hash are those of before
void show_senses(Data& d, const Flock& f);

// what is due at a tick of a world
SensesDue senses_due(const Senses& s, std::uint64_t now);

// What the world puts in the way of the sensors of some blocks that measure at the end of this tick (sense_scene.cpp).
void look_around(const Data& d, Flock& f, Stretch blocks);
void look_around(const EnvironmentDef& e, Flock& f, std::size_t slot, std::uint64_t now, bool all);

}  // namespace volary::engine
