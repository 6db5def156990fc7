// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/row_stepper.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "core/cpu.hpp"
#include "engine/apply.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/own_plugins.hpp"
#include "engine/publish.hpp"

namespace volary::engine {

Left::Left(const Flock& f, std::size_t first_block) {
  for (const Patches& p : f.patches) {
    const std::span<const Patch> all = p.list();
    const auto from = std::partition_point(all.begin(), all.end(), [&](const Patch& x) { return x.slot < first_block * kBlock; });
    if (from != all.end()) lists_.push_back({&p, {from, all.end()}});
  }
}

void Left::apply(Flock& f, std::size_t last_block, const PathArrays& paths) {
  for (auto& [patches, rest] : lists_) {
    std::size_t n = 0;
    while (n < rest.size() && rest[n].slot < last_block * kBlock) ++n;
    apply_to_rows(f, *patches, rest.first(n), paths);
    rest = rest.subspan(n);
  }
}

void RowStepper::prepare(const Data& d, const Flock& f) {
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

void RowStepper::hash_block(const Flock& f, std::size_t block, std::uint64_t* each) const { f.kernel->hash_block(f.sweep_args(), block, each); }
void RowStepper::publish(const Flock& f, Stretch blocks, unsigned columns, Frame& frame) const { publish_rows(f, blocks, columns, frame); }
void RowStepper::publish(const Flock& f, std::size_t slot, unsigned columns, Frame& frame) const { publish_slot(f, slot, columns, frame); }
void RowStepper::read(const Flock& f, const ColumnInfo& column, std::span<const std::uint32_t> slots, double* out) const { read_rows(f, column, slots, out); }

void RowStepper::copy_out(const Flock& f, int row, std::span<const std::uint32_t> slots, std::byte* to) const {
  const auto size = static_cast<std::size_t>(f.bytes);
  for (const std::uint32_t slot : slots) std::memcpy(to, f.row(slot, row), size), to += size;
}
void RowStepper::copy_in(Flock& f, int row, std::span<const std::uint32_t> slots, const std::byte* from) {
  const auto size = static_cast<std::size_t>(f.bytes);
  for (const std::uint32_t slot : slots) std::memcpy(const_cast<void*>(f.row(slot, row)), from, size), from += size;
}

void RowStepper::initialise(Flock& f, std::size_t slot, const VehicleDef& v, const FlockSetup& setup, const double* params) {
  f.program->initialise(f.bytes, f.hot_lane(slot), f.plan_lane(slot), v, f.def.airframe.definition.get(), setup, params);
}
void RowStepper::apply(Flock& f, const Patches& patches, const PathArrays& paths) { apply_to_rows(f, patches, patches.list(), paths); }

std::uint64_t RowStepper::sense(Flock& f, Stretch blocks, const StepOptions& options) const {
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
  const std::uint64_t hash = options.hash ? hash_blocks(f, blocks) : 0;
  lap(2);
  return hash;
}

std::uint64_t RowStepper::hash_blocks(const Flock& f, Stretch blocks) const {
  std::uint64_t sum = 0, each[kBlock];
  for (std::size_t b = blocks.first; b < blocks.last; ++b) {
    f.kernel->hash_block(args_, b, each);
    for (const std::uint64_t one : each) sum += one;
  }
  return sum;
}

}  // namespace volary::engine
