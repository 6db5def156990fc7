// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/stepper.hpp"

#include <algorithm>

#include "engine/data.hpp"

namespace volary::engine {

namespace {

// the state is in the rows of a program
class Rows : public Stepper {
 public:
  void hash_block(const Flock& f, std::size_t block, std::uint64_t* each) const override { f.kernel->hash_block(f.sweep_args(), block, each); }
  void initialise(Flock& f, std::size_t slot, const VehicleDef& v, const FlockSetup& setup, const double* params) override {
    f.program->initialise(f.bytes, f.hot_lane(slot), f.plan_lane(slot), v, f.def.airframe.definition.get(), setup, params);
  }
  void enter_mode(Flock& f, std::size_t slot, Mode mode, const double* params, const PathArrays& paths) override {
    f.program->enter_mode(f.bytes, f.hot_lane(slot), f.plan_lane(slot), mode, params, paths);
  }
};

constexpr std::size_t kTogether = 4;  // blocks

// block by block, the kernel of the flock's program: guide, air, command, integrate, hash
class Sweep final : public Rows {
 public:
  double work(const Flock& f) const override { return cost::kSubstep * static_cast<double>(f.slots) * f.setup.substeps * kBlock / f.kernel->lanes; }
  void prepare(const Data& d, const Flock& f) override {
    args_ = f.sweep_args();
    args_.tick = tick_of_world(d, 0);
    args_.gust_interval = static_cast<std::uint32_t>(gust_interval(f.setup.tick));
    if (d.worlds.are_apart)
      apart_ = {f.worlds.data(), f.slots, d.worlds.ticks.data()}, args_.apart = &apart_;
    else
      args_.gusts = args_.gusts && args_.tick % args_.gust_interval == 0;
    const PathArrays paths = d.paths.arrays(f.bytes);
    args_.path_headers = paths.headers;
    args_.path_pieces = paths.pieces;
    if (d.weather.is_on) air_ = air_args(d, f), args_.air = &air_;
    overrides_.clear();
    for (const Override& o : f.overrides) overrides_.push_back({o.row, o.column.data()});
    args_.overrides = overrides_.data();
    args_.n_overrides = static_cast<int>(overrides_.size());
  }
  SweepResult step(Flock& f, Stretch blocks, bool hash, std::uint64_t* cycles) const override {
    SweepArgs args = args_;
    args.first = blocks.first;
    args.last = blocks.last;
    args.hash = hash;
    args.cycles = cycles;
    if (f.arrays == nullptr) return f.kernel->sweep(args);
    // a few blocks at a time: actions go in and observations out while they are in the cache
    SweepResult all;
    for (std::size_t first = blocks.first; first < blocks.last; first += kTogether) {
      args.first = first;
      args.last = std::min(first + kTogether, blocks.last);
      f.arrays->act(f, {args.first, args.last});
      const SweepResult some = f.kernel->sweep(args);
      f.arrays->observe(f, {args.first, args.last});
      all.hash += some.hash;
      all.diverged = all.diverged || some.diverged;
    }
    return all;
  }

 private:
  SweepArgs args_;
  AirArgs air_;
  WorldTicks apart_;
  std::vector<ParamOverride> overrides_;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper() { return std::make_unique<Sweep>(); }

}  // namespace volary::engine
