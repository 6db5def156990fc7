// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What steppers have in common whose state is in the rows of a program: reading and writing rows, what a kernel is given for a tick, the sensors after it.
#pragma once

#include <vector>

#include "engine/flock.hpp"

namespace volary::engine {

// What decisions left for some blocks, thread by thread. The threads have decided one stretch of slots after the other, each in the order of slots.
class Left {
 public:
  Left(const Flock& f, std::size_t first_block);
  bool empty() const { return lists_.empty(); }
  void apply(Flock& f, std::size_t last_block, const PathArrays& paths);

 private:
  struct List {
    const Patches* patches;
    std::span<const Patch> rest;
  };
  std::vector<List> lists_;
};

class RowStepper : public Stepper {
 public:
  void prepare(const Data& d, const Flock& f) override;
  void hash_block(const Flock& f, std::size_t block, std::uint64_t* each) const override;
  void publish(const Flock& f, Stretch blocks, unsigned columns, Frame& frame) const override;
  void publish(const Flock& f, std::size_t slot, unsigned columns, Frame& frame) const override;
  void read(const Flock& f, const ColumnInfo& column, std::span<const std::uint32_t> slots, double* out) const override;
  void copy_out(const Flock& f, int row, std::span<const std::uint32_t> slots, std::byte* to) const override;
  void copy_in(Flock& f, int row, std::span<const std::uint32_t> slots, const std::byte* from) override;
  void initialise(Flock& f, std::size_t slot, const VehicleDef& v, const FlockSetup& setup, const double* params) override;
  void apply(Flock& f, const Patches& patches, const PathArrays& paths) override;

 protected:
  const SweepArgs& args() const { return args_; }  // of this tick
  PathArrays paths() const { return {args_.path_headers, args_.path_pieces}; }
  // what the sensors of some blocks measure, and what their estimators make of it; returns the hash of the blocks where it was asked for
  std::uint64_t sense(Flock& f, Stretch blocks, const StepOptions& options) const;
  std::uint64_t hash_blocks(const Flock& f, Stretch blocks) const;  // the sum over their vehicles

 private:
  const Data* d_ = nullptr;
  SweepArgs args_;
  SenseArgs sense_args_;
  AirArgs air_;
  WorldTicks apart_;
  std::vector<ParamOverride> overrides_;
};

}  // namespace volary::engine
