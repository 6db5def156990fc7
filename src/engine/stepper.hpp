// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What steps a flock, one for each. The sweep (stepper.cpp), which runs kernels over the flock's blocks, is the one there is; whatever else may step a
// flock, a multibody or an external engine, is another. A stepper is asked per flock and part, never per vehicle in a tick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/kernel.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct ColumnInfo;
struct Data;
struct Flock;
struct FlockSetup;
struct Frame;
class Patches;
struct PathArrays;

struct Stretch {
  std::size_t first, last;  // blocks of the flock, the last not among them
};

// what is to be done beside the tick itself while the blocks are at hand
struct StepOptions {
  bool hash = false;
  Frame* frame = nullptr;           // where the blocks are published; none: nobody reads it
  std::uint64_t* cycles = nullptr;  // spent in guide, command and integrate, hash, publish, measure, estimate; none: not counted
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  // what a tick of the flock takes on one core, ns
  virtual double work(const Flock& f) const = 0;
  // once per tick, before any part is stepped: what the parts share
  virtual void prepare(const Data& d, const Flock& f) = 0;
  // one tick of some blocks, after the patches that decisions left for them; other blocks may be stepped by other threads at the same time
  virtual SweepResult step(Flock& f, Stretch blocks, const StepOptions& options) const = 0;
  // some columns (shows::...) of some blocks as they are now
  virtual void publish(const Flock& f, Stretch blocks, unsigned columns, Frame& frame) const = 0;
  virtual void publish(const Flock& f, std::size_t slot, unsigned columns, Frame& frame) const = 0;  // of one vehicle
  // a column of some vehicles, vehicle by vehicle, for those who look from outside; a position is three numbers
  virtual void read(const Flock& f, const ColumnInfo& column, std::span<const std::uint32_t> slots, double* out) const = 0;
  // one row of some vehicles as its bits are, one after the other: out, and in
  virtual void copy_out(const Flock& f, int row, std::span<const std::uint32_t> slots, std::byte* to) const = 0;
  virtual void copy_in(Flock& f, int row, std::span<const std::uint32_t> slots, const std::byte* from) = 0;
  // 16 hashes, 0 for the dead
  virtual void hash_block(const Flock& f, std::size_t block, std::uint64_t* each) const = 0;
  // the first state of a vehicle where the flock keeps it
  virtual void initialise(Flock& f, std::size_t slot, const VehicleDef& v, const FlockSetup& setup, const double* params) = 0;
  // a list of patches, in order
  virtual void apply(Flock& f, const Patches& patches, const PathArrays& paths) = 0;
};

std::unique_ptr<Stepper> make_stepper();

}  // namespace volary::engine
