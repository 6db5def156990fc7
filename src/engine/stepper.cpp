// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/stepper.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/cpu.hpp"
#include "engine/apply.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/own_plugins.hpp"
#include "engine/publish.hpp"

namespace volary::engine {

namespace {

// Blocks are published when some of them are stepped, while those are still in the second-level cache. Where vehicles have parameters of their own, every call of a
// kernel begins with two copies of all parameters, which more blocks have to be worth; sensors have more rows and call three kernels.
constexpr std::size_t kAtHand = 32 << 10, kAtHandWithOwn = 128 << 10;  // bytes

// the state is in the rows of a program
class Rows : public Stepper {
 public:
  void hash_block(const Flock& f, std::size_t block, std::uint64_t* each) const override { f.kernel->hash_block(f.sweep_args(), block, each); }
  void publish(const Flock& f, Stretch blocks, unsigned columns, Frame& frame) const override { publish_rows(f, blocks, columns, frame); }
  void publish(const Flock& f, std::size_t slot, unsigned columns, Frame& frame) const override { publish_slot(f, slot, columns, frame); }
  void read(const Flock& f, const ColumnInfo& column, std::span<const std::uint32_t> slots, double* out) const override { read_rows(f, column, slots, out); }
  void copy_out(const Flock& f, int row, std::span<const std::uint32_t> slots, std::byte* to) const override {
    const auto size = static_cast<std::size_t>(f.bytes);
    for (const std::uint32_t slot : slots) std::memcpy(to, f.row(slot, row), size), to += size;
  }
  void copy_in(Flock& f, int row, std::span<const std::uint32_t> slots, const std::byte* from) override {
    const auto size = static_cast<std::size_t>(f.bytes);
    for (const std::uint32_t slot : slots) std::memcpy(const_cast<void*>(f.row(slot, row)), from, size), from += size;
  }
  void initialise(Flock& f, std::size_t slot, const VehicleDef& v, const FlockSetup& setup, const double* params) override {
    f.program->initialise(f.bytes, f.hot_lane(slot), f.plan_lane(slot), v, f.def.airframe.definition.get(), setup, params);
  }
  void apply(Flock& f, const Patches& patches, const PathArrays& paths) override { apply_to_rows(f, patches, patches.list(), paths); }
};

// What decisions left for some blocks, thread by thread. The threads have decided one stretch of slots after the other, each in the order of slots.
class Left {
 public:
  Left(const Flock& f, std::size_t first_block) {
    for (const Patches& p : f.patches) {
      const std::span<const Patch> all = p.list();
      const auto from = std::partition_point(all.begin(), all.end(), [&](const Patch& x) { return x.slot < first_block * kBlock; });
      if (from != all.end()) lists_.push_back({&p, {from, all.end()}});
    }
  }
  bool empty() const { return lists_.empty(); }
  void apply(Flock& f, std::size_t last_block, const PathArrays& paths) {
    for (auto& [patches, rest] : lists_) {
      std::size_t n = 0;
      while (n < rest.size() && rest[n].slot < last_block * kBlock) ++n;
      apply_to_rows(f, *patches, rest.first(n), paths);
      rest = rest.subspan(n);
    }
  }

 private:
  struct List {
    const Patches* patches;
    std::span<const Patch> rest;
  };
  std::vector<List> lists_;
};

// block by block, the kernel of the flock's program: guide, air, command, integrate, hash
class Sweep final : public Rows {
 public:
  double work(const Flock& f) const override {
    const double sensing = f.senses == nullptr ? 0 : f.program->sensed ? cost::kSense : cost::kRead;
    return (cost::kSubstep * f.setup.substeps + sensing) * static_cast<double>(f.slots) * kBlock / f.kernel->lanes;
  }
  void prepare(const Data& d, const Flock& f) override {
    if (f.arrays != nullptr) f.arrays->prepare(d.tick);
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
    d_ = &d;
    if (f.senses == nullptr) return;
    sense_args_ = f.senses->args(f);
    sense_args_.tick = args_.tick;
    sense_args_.apart = args_.apart;
    sense_args_.due = senses_due(*f.senses, args_.tick + 1);
  }
  SweepResult step(Flock& f, Stretch blocks, const StepOptions& options) const override {
    SweepArgs args = args_;
    args.hash = options.hash && f.senses == nullptr;  // what is sensed comes after the kernel
    args.cycles = options.cycles;
    Left left(f, blocks.first);
    // a few blocks at a time: what was written goes in, and what is shown comes out, while they are in the cache
    const bool is_plain = options.frame == nullptr && f.arrays == nullptr && f.senses == nullptr && left.empty();
    const std::size_t at_once = is_plain ? blocks.last - blocks.first : blocks_at_hand(f);
    SweepResult all;
    for (std::size_t first = blocks.first; first < blocks.last; first = args.last) {
      args.first = first;
      args.last = std::min(first + at_once, blocks.last);
      left.apply(f, args.last, {args.path_headers, args.path_pieces});
      if (f.arrays != nullptr) f.arrays->act(f, {args.first, args.last});
      const SweepResult r = f.kernel->sweep(args);
      if (f.senses != nullptr) all.hash += sense(f, {args.first, args.last}, options);
      if (f.arrays != nullptr) f.arrays->judge(f, {args.first, args.last});
      all.hash += r.hash;
      all.diverged = all.diverged || r.diverged;
      all.noted = all.noted || r.noted;
      if (options.frame == nullptr) continue;
      const std::uint64_t begin = options.cycles != nullptr ? core::cycles() : 0;
      publish_rows(f, {args.first, args.last}, options.frame->asked, *options.frame);
      if (options.cycles != nullptr) options.cycles[3] += core::cycles() - begin;
    }
    return all;
  }

 private:
  // what the sensors of some blocks measure, and what their estimators make of it; returns the hash of the blocks where it was asked for
  std::uint64_t sense(Flock& f, Stretch blocks, const StepOptions& options) const {
    auto lap = [&, last = options.cycles != nullptr ? core::cycles() : 0](std::size_t stage) mutable {
      if (options.cycles == nullptr) return;
      const std::uint64_t now = core::cycles();
      options.cycles[stage] += now - std::exchange(last, now);
    };
    static thread_local std::vector<std::byte> spare;
    SenseArgs args = sense_args_;
    args.first = blocks.first, args.last = blocks.last;
    const std::size_t needed = static_cast<std::size_t>(args.hot_rows + f.senses->layout.rows) * kBlock * static_cast<std::size_t>(f.bytes);
    spare.resize(needed + 64);
    void* from = spare.data();
    std::size_t room = spare.size();
    args.spare = std::align(64, needed, from, room);
    if (f.senses->looks) look_around(*d_, f, blocks);
    f.senses->kernel->measure(args);
    if (!f.senses->plugins.empty()) call_plugins(*d_, f, blocks);
    lap(4);
    if (f.senses->layout.states > 0) f.senses->kernel->estimate(args);
    lap(5);
    std::uint64_t hash = 0, each[kBlock];
    for (std::size_t b = blocks.first; options.hash && b < blocks.last; ++b) {
      f.kernel->hash_block(args_, b, each);
      for (const std::uint64_t one : each) hash += one;
    }
    lap(2);
    return hash;
  }

  static std::size_t blocks_at_hand(const Flock& f) {
    const auto rows = static_cast<std::size_t>(f.kernel->hot_rows + (f.guided() ? f.kernel->plan_rows : 0) + (f.senses != nullptr ? f.senses->layout.rows : 0));
    return std::max<std::size_t>(1, (f.overrides.empty() && f.senses == nullptr ? kAtHand : kAtHandWithOwn) / (rows * kBlock * static_cast<std::size_t>(f.bytes)));
  }

  const Data* d_ = nullptr;
  SweepArgs args_;
  SenseArgs sense_args_;
  AirArgs air_;
  WorldTicks apart_;
  std::vector<ParamOverride> overrides_;
};

}  // namespace

std::unique_ptr<Stepper> make_stepper() { return std::make_unique<Sweep>(); }

}  // namespace volary::engine
