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
#include "vehicles/model.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Data;
struct Flock;

struct Senses {
  SenseLayout layout;
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

  SenseArgs args(const Flock& f) const;
  const ColumnInfo* find_column(const std::string& name) const;
};

// none: its vehicles carry nothing
core::Result<std::unique_ptr<Senses>> make_senses(const FlockDef& def, const WorldDef& world, const Flock& f);
// the sensors of a flock that a vehicle carries, one bit each
std::uint64_t carried_by(const Flock& f, const VehicleDef& v);

// How a vehicle begins. Rows that nobody has begun are those of a vehicle that carries everything; `exact`: its estimate is the truth, and nothing is drawn for it.
void begin_senses(Flock& f, std::size_t slot, std::uint64_t carried, std::uint64_t tick, const EnvironmentDef& environment, bool exact = false);
// The same for slots of a world that has its time, as they carry what they carried.
void begin_senses(Data& d, Flock& f, std::size_t first, std::size_t last);
std::uint64_t carried_by(const Flock& f, std::size_t slot);

// what is due at a tick of a world
SensesDue senses_due(const Senses& s, std::uint64_t now);

// What the world puts in the way of the sensors of some blocks that measure at the end of this tick (sense_scene.cpp).
void look_around(const Data& d, Flock& f, Stretch blocks);
void look_around(const EnvironmentDef& e, Flock& f, std::size_t slot, std::uint64_t now, bool all);

}  // namespace volary::engine
