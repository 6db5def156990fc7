// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/judging.hpp"

#include <algorithm>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "engine/regions.hpp"
#include "environment/terrain.hpp"

namespace volary::engine {

namespace {

using swarm::V3;
V3 v3(const Vec& v) { return {v[0], v[1], v[2]}; }

// the facts of one world, as long as somebody looks at them
struct Laid {
  std::vector<std::vector<swarm::VehicleFact>> vehicles;  // by flock
  std::vector<swarm::FlockFact> flocks;
  std::vector<swarm::HeardFact> heard;
  std::vector<swarm::SeenFact> seen;
  std::vector<swarm::EventFact> events;
  std::vector<swarm::LinkFact> links;
};

void lay_vehicle(const Data& d, std::uint64_t number, const Location& l, Laid& out) {
  const Flock& f = d.flocks[l.flock];
  swarm::VehicleFact fact;
  fact.id = number;
  fact.number = static_cast<std::int64_t>(out.vehicles[l.flock].size());
  const std::uint32_t at = d.frame.find(number);
  const bool is_there = at != Frame::kNobody;
  fact.crashed = is_there && d.interaction.has_crashed(f.ids[l.slot]);
  fact.alive = is_there && !fact.crashed && !d.interaction.is_detached(f.ids[l.slot]);
  if (is_there) {
    const Vec& p = d.frame.position[at];
    fact.position = v3(p);
    fact.velocity = v3(d.frame.velocity[at]);
    fact.home = d.societies[l.flock].homes[l.slot];
    fact.mode = mode_of(d, l.flock, l.slot);
    const bool on_path = static_cast<Mode>(d.frame.status[at] & control::kModeMask) == Mode::Mission;
    const bool is_path_known = !d.shared.is_live || is_own(d, l.flock, l.slot);  // nobody reports it
    if (d.judging.needs.off_path && on_path && is_path_known) fact.off_path = PathError(f).distance(d.frame, at);
    const EnvironmentDef& e = d.def.environment;
    if (d.judging.needs.ground) fact.ground = e.terrain != nullptr ? e.terrain->height(p[0], p[1]) : e.ground_height;
    for (std::size_t k = 0; d.judging.needs.regions && k < d.def.regions.size(); ++k)
      if (depth_in(d.def.regions[k], p) >= 0) fact.regions |= std::uint64_t{1} << k;
  }
  out.vehicles[l.flock].push_back(fact);
}

// the frame has the lowest number first, and the numbers of a world follow each other
void lay_knowledge(const Data& d, std::uint32_t world, Laid& out) {
  const auto first = std::lower_bound(d.frame.world.begin(), d.frame.world.end(), world), last = std::upper_bound(first, d.frame.world.end(), world);
  const std::uint64_t now = tick_of_world(d, world);
  for (auto at = static_cast<std::size_t>(first - d.frame.world.begin()); at < static_cast<std::size_t>(last - d.frame.world.begin()); ++at) {
    const Society& s = d.societies[d.frame.flock[at]];
    const std::size_t slot = d.frame.slot[at];
    if (d.judging.needs.seen)
      s.seen.each(d.interaction.look_frames, slot, world, [&](const LookFrame& f, std::size_t k) { out.seen.push_back({d.frame.id[at], f.kind[k]}); });
    for (std::size_t k = 0; d.judging.needs.links && k < s.known.count(slot); ++k)
      if (now - s.known.tick(slot, k, now) <= s.forget) out.links.push_back({s.known.id(slot, k), d.frame.id[at]});
  }
}

Laid lay_out(const Data& d, std::uint32_t world) {
  Laid out;
  out.vehicles.resize(d.flocks.size());
  d.locations.each_between(first_number_of(d, world), first_number_of(d, world + 1), [&](std::uint64_t number, const Location& l) { lay_vehicle(d, number, l, out); });
  for (const auto& list : out.vehicles) out.flocks.push_back({list});
  lay_knowledge(d, world, out);
  for (const Judging::Heard& h : d.judging.heard)
    if (h.world == world) out.heard.push_back(h.fact);
  for (std::size_t k = 0; k < d.judging.happened.size(); ++k)
    if (const std::uint32_t where = d.judging.happened_where[k]; where == world) out.events.push_back({{d.judging.happened[k].data(), d.judging.happened[k].size()}});
  return out;
}

}  // namespace

bool Judging::fits() {
  return happened.size() == happened_where.size() && std::all_of(judges.begin(), judges.end(), [](swarm::Judge& j) { return j.fits(); });
}

void prepare_judging(Data& d) {
  if (d.def.tasks.empty()) return;
  for (int k = 0; k < d.def.worlds; ++k) d.judging.judges.emplace_back(d.def.tasks);
  d.judging.needs = d.judging.judges.front().needs();
  d.judging.every = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(100'000'000 / d.def.tick_ns));
}

namespace {

// the state of a world at a tick of its own
void judge_world(Data& d, std::uint32_t world, std::uint64_t now) {
  const Laid laid = lay_out(d, world);
  swarm::Facts facts;
  facts.tick = now;
  facts.time = static_cast<double>(now) * static_cast<double>(d.def.tick_ns) * 1e-9;
  facts.flocks = laid.flocks;
  facts.heard = laid.heard;
  facts.seen = laid.seen;
  facts.events = laid.events;
  facts.links = laid.links;
  facts.last = now == planned_ticks(d.def);
  d.judging.judges[world].judge(facts);
  for (const swarm::TaskChange& change : d.judging.judges[world].changes()) d.events.push_back({d.tick, {}, "", change.what, world});
}

}  // namespace

void Judging::forget(const std::vector<bool>& worlds) {
  std::erase_if(heard, [&](const Heard& h) { return worlds[h.world]; });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < happened.size(); ++k) {
    if (worlds[happened_where[k]]) continue;
    if (kept != k) happened[kept] = std::move(happened[k]);  // a list that is moved to itself would be empty
    happened_where[kept++] = happened_where[k];
  }
  happened.resize(kept);
  happened_where.resize(kept);
}

void judge(Data& d) {
  if (!d.judging.looks()) return;
  // the state that is looked at is that of the next tick; the last one of a run is never missed
  const std::uint64_t planned = planned_ticks(d.def);
  const auto is_time = [&](std::uint64_t now) { return now % d.judging.every == 0 || now == planned; };
  const WorldTime time(d);
  if (time.is_shared() && !is_time(time.shared() + 1)) return;
  std::vector<bool> judged(d.judging.judges.size(), false);
  for (std::uint32_t world = 0; world < judged.size(); ++world) {
    const std::uint64_t now = time.of_world(world) + 1;
    judged[world] = is_time(now);
    if (judged[world]) judge_world(d, world, now);
  }
  d.judging.forget(judged);
}

}  // namespace volary::engine
