// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/stepper.hpp"

#include <algorithm>
#include <memory>

#include "core/cpu.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/publish.hpp"
#include "engine/row_stepper.hpp"

namespace volary::engine {

namespace {

// Blocks are published when some of them are stepped, while those are still in the second-level cache. Where vehicles have parameters of their own, every call of a
// kernel begins with two copies of all parameters, which more blocks have to be worth; sensors have more rows and call three kernels.
constexpr std::size_t kAtHand = 32 << 10, kAtHandWithOwn = 128 << 10;  // bytes

// block by block, the kernel of the flock's program: guide, air, command, integrate, hash
class Sweep final : public RowStepper {
 public:
  double work(const Flock& f) const override {
    const double sensing = f.senses == nullptr ? 0 : f.program->sensed ? cost::kSense : cost::kRead;
    return (cost::kSubstep * f.setup.substeps + sensing) * static_cast<double>(f.slots) * kBlock / f.kernel->lanes;
  }
  SweepResult step(Flock& f, Stretch blocks, const StepOptions& options) const override {
    SweepArgs args = this->args();
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
      left.apply(f, args.last, paths());
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
  static std::size_t blocks_at_hand(const Flock& f) {
    const auto rows = static_cast<std::size_t>(f.kernel->hot_rows + (f.guided() ? f.kernel->plan_rows : 0) + (f.senses != nullptr ? f.senses->layout.rows : 0));
    return std::max<std::size_t>(1, (f.overrides.empty() && f.senses == nullptr ? kAtHand : kAtHandWithOwn) / (rows * kBlock * static_cast<std::size_t>(f.bytes)));
  }
};

}  // namespace

std::unique_ptr<Stepper> make_stepper() { return std::make_unique<Sweep>(); }

}  // namespace volary::engine
