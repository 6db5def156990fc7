// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/apply.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "control/guide.hpp"
#include "engine/columns.hpp"

namespace volary::engine {

namespace {

// Four numbers side by side: nothing is vectorised behind our back here, and a setpoint of a thousand vehicles is 34,000 numbers. Rounded as one by one.
template <class S> struct Four;
template <> struct Four<float> {
  typedef float Type __attribute__((vector_size(16)));
};
template <> struct Four<double> {
  typedef double Type __attribute__((vector_size(32)));
};

template <class S> void round_four(S* out, const double* in, bool remainder) {
  using Wanted = typename Four<S>::Type;
  using Given = Four<double>::Type;
  Given x;
  std::memcpy(&x, in, sizeof x);
  Wanted y = __builtin_convertvector(x, Wanted);
  if (remainder) y = __builtin_convertvector(x - __builtin_convertvector(y, Given), Wanted);
  std::memcpy(out, &y, sizeof y);
}
template <class S> void round_some(S* out, const double* in, std::size_t n, bool remainder) {
  std::size_t l = 0;
  for (; l + 4 <= n; l += 4) round_four(out + l, in + l, remainder);
  for (; l < n; ++l) {
    const S y = static_cast<S>(in[l]);
    out[l] = remainder ? static_cast<S>(in[l] - static_cast<double>(y)) : y;
  }
}

// numbers k to k + n of every write go to as many slots that follow each other
template <class S> void write_run(Flock& f, std::size_t slot, std::size_t n, std::size_t k, std::span<const RowWrite> writes) {
  using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  while (n > 0) {
    const std::size_t m = std::min(n, kBlock - slot % kBlock);
    S* const lane = static_cast<S*>(f.hot_lane(slot));
    for (const RowWrite& w : writes) {
      S* const out = lane + w.row * kBlock;
      if (w.from != nullptr)
        round_some(out, w.from + k, m, w.remainder);
      else if (w.constant == 0)
        std::memset(out, 0, m * sizeof(S));
      else
        std::fill_n(out, m, std::bit_cast<S>(static_cast<Word>(w.constant)));
    }
    slot += m, k += m, n -= m;
  }
}

// numbers for vehicles whose slots follow each other go block by block
void write_rows(Flock& f, const ManyPatch& m) {
  const std::vector<std::uint32_t>& slots = m.slots;
  for (std::size_t k = 0, n = 1; k < slots.size(); k += n, n = 1) {
    if (slots[k] == ManyPatch::kNobody) continue;
    while (k + n < slots.size() && slots[k + n] == slots[k] + n) ++n;
    f.bytes == 4 ? write_run<float>(f, slots[k], n, k, m.rows) : write_run<double>(f, slots[k], n, k, m.rows);
  }
}

void set_mode(Flock& f, std::size_t slot, Mode mode) {
  f.set_status(slot, (f.status(slot) & ~static_cast<std::uint64_t>(control::kModeMask)) | static_cast<std::uint64_t>(mode));
}

template <class S> void write_setpoint(S* lane, const SetpointRows& r, const SteerPatch& p) {
  using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  Word* const words = reinterpret_cast<Word*>(lane);
  words[0] = (words[0] & ~static_cast<Word>(control::kModeMask)) | static_cast<Word>(Mode::Armed);  // the status is the first row
  words[r.level * kBlock] = static_cast<Word>(p.level);
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    lane[(r.velocity + k) * kBlock] = static_cast<S>(p.velocity[axis]);
    lane[(r.acceleration + k) * kBlock] = static_cast<S>(p.acceleration[axis]);
    lane[(r.jerk + k) * kBlock] = 0;
    if (p.level != ControlLevel::Position) continue;
    const S x = static_cast<S>(p.position[axis]);
    lane[(r.position + k) * kBlock] = x;
    lane[(r.position + 3 + k) * kBlock] = static_cast<S>(p.position[axis] - static_cast<double>(x));
  }
  if (p.turns) lane[r.yaw * kBlock] = static_cast<S>(p.yaw);
  lane[r.yaw_rate * kBlock] = 0;
}
void write_setpoint(void* lane, int bytes, const SetpointRows& r, const SteerPatch& p) {
  bytes == 4 ? write_setpoint(static_cast<float*>(lane), r, p) : write_setpoint(static_cast<double*>(lane), r, p);
}

void write_many(Flock& f, const ManyPatch& m) {
  if (m.parameter >= 0) {
    Override& own = f.own_column(m.parameter);
    for (std::size_t k = 0; k < m.slots.size(); ++k)
      if (m.slots[k] != ManyPatch::kNobody) own.set(m.slots[k], f.bytes, m.rows.front().from[k]);
    return;
  }
  for (std::size_t k = 0; m.arms && k < m.slots.size(); ++k)
    if (m.slots[k] != ManyPatch::kNobody) set_mode(f, m.slots[k], Mode::Armed);
  write_rows(f, m);
}

void enter_mode(Flock& f, std::size_t slot, Mode mode, double ground, const PathArrays& paths) {
  const ColumnInfo* const height = ground == ground ? f.find_param("ground.height") : nullptr;
  if (height == nullptr) return f.program->enter_mode(f.bytes, f.hot_lane(slot), f.plan_lane(slot), mode, f.param_values.data(), paths);
  std::vector<double> params = f.param_values;
  params[static_cast<std::size_t>(height->row)] = ground;
  f.program->enter_mode(f.bytes, f.hot_lane(slot), f.plan_lane(slot), mode, params.data(), paths);
}

void hold_again(Flock& f, std::size_t slot, double ground, const PathArrays& paths) {
  const ColumnInfo* const anchor = f.find_plan("plan.anchor");
  std::byte* const plan = static_cast<std::byte*>(f.plan_lane(slot));
  if (anchor == nullptr || plan == nullptr) return enter_mode(f, slot, Mode::Hold, ground, paths);
  const std::size_t row_bytes = kBlock * static_cast<std::size_t>(f.bytes);
  std::byte* const height[2] = {plan + static_cast<std::size_t>(anchor->row + 2) * row_bytes, plan + static_cast<std::size_t>(anchor->row + 5) * row_bytes};
  const double kept[2] = {read_scalar(height[0], f.bytes), read_scalar(height[1], f.bytes)};  // value and remainder
  enter_mode(f, slot, Mode::Hold, ground, paths);
  if ((f.status(slot) & control::kModeMask) != static_cast<std::uint64_t>(Mode::Hold)) return;  // it stands on the ground and takes off first
  for (int k = 0; k < 2; ++k) write_scalar(height[k], f.bytes, kept[k]);
}

}  // namespace

void apply_to_rows(Flock& f, const Patches& from, std::span<const Patch> patches, const PathArrays& paths) {
  std::byte* lane = nullptr;  // of the last slot: most patches of a vehicle follow each other
  std::uint32_t slot = ~0u;
  const int bytes = f.bytes;
  const std::size_t row_bytes = kBlock * static_cast<std::size_t>(bytes);
  for (const Patch& p : patches) {
    if (p.slot != slot) slot = p.slot, lane = static_cast<std::byte*>(f.hot_lane(slot));
    switch (p.kind) {
      case Patch::Kind::Value: write_scalar(lane + p.row * row_bytes, bytes, std::bit_cast<double>(p.bits)); break;
      case Patch::Kind::Word: write_word(lane + p.row * row_bytes, bytes, p.bits); break;
      case Patch::Kind::Mode: set_mode(f, p.slot, static_cast<Mode>(p.row)); break;
      case Patch::Kind::EnterMode: enter_mode(f, p.slot, static_cast<Mode>(p.row), std::bit_cast<double>(p.bits), paths); break;
      case Patch::Kind::HoldAgain: hold_again(f, p.slot, std::bit_cast<double>(p.bits), paths); break;
      case Patch::Kind::Parameter: f.set_override(p.slot, p.row, std::bit_cast<double>(p.bits)); break;
      case Patch::Kind::Steer: write_setpoint(lane, bytes, from.steer_rows(), from.steer_at(p.bits)); break;
      case Patch::Kind::Many: write_many(f, from.many_at(p.row)); break;
    }
  }
}

}  // namespace volary::engine
