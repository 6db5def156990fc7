// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ahead.hpp"

#include <algorithm>
#include <numeric>

#include "core/check.hpp"
#include "engine/data.hpp"
#include "engine/exchange.hpp"
#include "engine/frame_layout.hpp"

namespace volary::engine {

namespace {

// what people and tasks are told is worked out by the world that settles
void forget_told(Data& d) {
  d.told = {};
  d.events.clear();
  d.plotted.clear();
  d.judging.heard.clear();
  d.judging.happened.clear();
  d.judging.happened_where.clear();
}

// slow thinkers have said what was due
void forget_said(Data& d) {
  d.air.outgoing.clear();
  for (std::size_t k = 0; k < d.societies.size(); ++k)
    std::erase_if(d.societies[k].unsaid, [&](const Unsaid& u) { return u.due <= tick_of_world(d, 0) && d.frame.place_of[k][u.slot] != Frame::kNobody; });
}

void stop(Data& d, VehicleId id) {
  Location* l = d.locations.find(id.number());
  if (l == nullptr || !l->alive || l->generation != id.generation()) return;
  l->alive = false;
  d.worlds.changed[d.flocks[l->flock].worlds[l->slot]] = 1;
  ++d.roster_version;
}

}  // namespace

void note_written(Data& d) {
  for (const Flock& f : d.flocks)
    for (const Patch& p : f.patches.front().list()) d.touched.written.push_back({static_cast<std::uint32_t>(f.index), p});
}

std::vector<std::uint32_t> touched_members(const Data& d) {
  const Touched& t = d.touched;
  std::vector<std::uint32_t> members;
  if (!t.lost.empty() || !t.stopped.empty()) {
    members.resize(d.shared.members);
    std::iota(members.begin(), members.end(), 0u);
    return members;
  }
  for (const Touched::Written& w : t.written) members.push_back(d.flocks[w.flock].owners[w.patch.slot]);
  for (const VehicleId id : t.crashed)
    if (const Location* l = locate(d, id)) members.push_back(d.flocks[l->flock].owners[l->slot]);
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

void advance_ahead(Data& d, const Data& settled, std::vector<std::byte>& frame) {
  const std::uint64_t horizon = d.coupling.horizon;
  core::require(settled.tick <= d.tick && d.tick < settled.tick + horizon, "a world is ahead of what is settled by less than the horizon");
  d.shared.is_ahead = true;
  d.touched.clear();
  d.coupling.waiting.clear();
  if (d.tick >= horizon)
    if (const Coupled* left = find_coupled(settled.coupling, d.tick - horizon)) d.coupling.waiting.push_back(*left);
  advance(d);
  write_frame(d, frame);
  stop_diverged(d);
  forget_said(d);
  forget_told(d);
  d.coupling.emitters.clear();
  d.tick += 1;
}

void take_vehicles(Data& d, const Data& settled, std::uint32_t member) {
  core::require(d.tick == settled.tick, "vehicles are taken over at the end of a tick that is settled");
  for (Flock& f : d.flocks) {
    const Flock& from = settled.flocks[f.index];
    const std::vector<std::uint32_t> slots = slots_of(settled, f.index, member);
    if (slots.empty()) continue;
    std::vector<std::byte> row(slots.size() * static_cast<std::size_t>(f.bytes));
    for (const SharedRow& r : rows_of(settled, from, settled.tick)) {
      from.stepper->copy_out(from, r.row, slots, row.data());
      f.stepper->copy_in(f, r.row, slots, row.data());
    }
    for (const std::uint32_t slot : slots) f.stepper->publish(f, slot, d.frame.asked, d.frame);
  }
  forget_hash(d);
}

void take_touched(Data& d, const Data& settled) {
  core::require(d.tick == settled.tick, "contact is taken at the end of its tick");
  const Touched& t = settled.touched;
  for (const VehicleId id : t.stopped) stop(d, id);
  for (const Touched::Written& w : t.written)
    if (is_own(d, w.flock, w.patch.slot)) d.flocks[w.flock].patches.front().again(w.patch);
  for (const VehicleId id : t.crashed) note_crash(d.interaction.crashed, id);
  for (const VehicleId id : t.lost) remove(d, id);
  apply_patches(d);
  if (d.frame.roster != d.roster_version) follow_changes(d);
  forget_told(d);
  forget_hash(d);
}

}  // namespace volary::engine
