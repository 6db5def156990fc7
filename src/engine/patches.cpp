// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/patches.hpp"

#include <algorithm>

#include "engine/data.hpp"

namespace volary::engine {

void Patches::position(std::size_t slot, int row, int bytes, const Vec& p) {
  for (int k = 0; k < 3; ++k) {
    const double x = p[static_cast<std::size_t>(k)], stored = as_stored(x, bytes);
    value(slot, row + k, stored);
    value(slot, row + 3 + k, x - stored);
  }
}

namespace {

// the vehicles that were written to, where the frame shows what is now; otherwise it is stale
void show(Data& d, const Flock& f, const Patches& patches) {
  Frame& frame = d.frame;
  if (frame.fresh == 0 || d.frame_is_stale) return;
  const auto is_there = [&](const Patch& p) { return static_cast<bool>(f.ids[p.slot]); };
  if (frame.roster != d.roster_version || patches.has_many()) {
    // somebody came or went: who went is not shown any more, and the others keep their rows
    d.frame_is_stale = patches.has_many() || std::any_of(patches.list().begin(), patches.list().end(), is_there);
    return;
  }
  std::size_t last = ~std::size_t{0};
  for (const Patch& p : patches.list())
    if (p.slot != last) f.stepper->publish(f, last = p.slot, frame.fresh, frame);
}

// what is observed of the vehicles that were written to
void observe_again(Flock& f, const Patches& patches) {
  if (f.arrays == nullptr) return;
  if (patches.has_many()) return f.arrays->observe(f, {0, f.blocks()});
  std::size_t last = ~std::size_t{0};
  for (const Patch& p : patches.list())
    if (p.slot != last) f.arrays->observe_again(f, last = p.slot);
}

}  // namespace

void apply_patches(Data& d, Flock& f) {
  Patches& patches = f.patches.front();
  if (patches.empty()) return;
  forget_hash(d);
  f.stepper->apply(f, patches, d.paths.arrays(f.bytes));
  show(d, f, patches);
  observe_again(f, patches);
  patches.clear();
}

void apply_patches(Data& d) {
  for (Flock& f : d.flocks) apply_patches(d, f);
}

}  // namespace volary::engine
