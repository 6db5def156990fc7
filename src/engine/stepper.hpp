// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What steps a flock, one for each. The sweep (stepper.cpp), which runs kernels over the flock's blocks, is the one there is; whatever else may step a
// flock, a multibody or an external engine, is another. A stepper is asked per flock and part, never per vehicle in a tick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/kernel.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Data;
struct Flock;
struct FlockSetup;
struct PathArrays;

struct Stretch {
  std::size_t first, last;  // blocks of the flock, the last not among them
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  // what a tick of the flock takes on one core, ns
  virtual double work(const Flock& f) const = 0;
  // once per tick, before any part is stepped: what the parts share
  virtual void prepare(const Data& d, const Flock& f) = 0;
  // one tick of some blocks, and their hashes where the world wants them; other blocks may be stepped by other threads at the same time
  virtual SweepResult step(Flock& f, Stretch blocks, bool hash, std::uint64_t* cycles) const = 0;
  // 16 hashes, 0 for the dead
  virtual void hash_block(const Flock& f, std::size_t block, std::uint64_t* each) const = 0;
  // the first state of a vehicle where the flock keeps it
  virtual void initialise(Flock& f, std::size_t slot, const VehicleDef& v, const FlockSetup& setup, const double* params) = 0;
  virtual void enter_mode(Flock& f, std::size_t slot, Mode mode, const double* params, const PathArrays& paths) = 0;
};

std::unique_ptr<Stepper> make_stepper();

}  // namespace volary::engine
