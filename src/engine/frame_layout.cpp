// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/frame_layout.hpp"

#include "engine/data.hpp"

namespace volary::engine {

namespace {

bool is_judged(const Data& d, std::uint64_t tick) {
  const std::uint64_t now = tick_of_world(d, 0) + (tick - d.tick) + 1;
  return d.judging.looks() && (now % d.judging.every == 0 || now == planned_ticks(d.def));
}

}  // namespace

std::vector<std::uint32_t> slots_of(const Data& d, std::size_t flock, std::uint32_t member) {
  std::vector<std::uint32_t> slots;
  for (std::size_t s = 0; s < d.flocks[flock].slots; ++s)
    if (d.flocks[flock].owners[s] == member && d.frame.place_of[flock][s] != Frame::kNobody) slots.push_back(static_cast<std::uint32_t>(s));
  return slots;
}

std::vector<SharedRow> rows_of(const Data& d, const Flock& f, std::uint64_t tick) {
  std::vector<SharedRow> rows = {{0, false}};
  const auto add = [&](const ColumnInfo* c) {
    for (int k = 0; c != nullptr && k < c->rows; ++k) rows.push_back({c->row + k, !c->integer});
  };
  add(f.shown.position);
  add(f.shown.velocity);
  add(f.shown.attitude);
  // what others are told, and what ranges are made of
  if (f.shown.estimate[0] != nullptr && (d.frame.asked & shows::kEstimate) != 0)
    for (const ColumnInfo* c : f.shown.estimate) add(c);
  if (d.societies[f.index].decides()) add(f.shown.level);
  if (d.judging.needs.off_path && is_judged(d, tick))
    for (const ColumnInfo* c : f.shown.reference) add(c);
  return rows;
}

}  // namespace volary::engine
