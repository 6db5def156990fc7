// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/observe.hpp"

#include <algorithm>
#include <vector>

#include "engine/data.hpp"
#include "math/hash.hpp"
#include "swarm/metrics.hpp"

namespace volary::engine {

namespace {

constexpr std::int64_t kLookEvery = 1'000'000'000;  // ns

// Who knows of whom in one world: hearing one way is enough. Members are those who tell where they are; nobody can know of the others.
struct Acquainted {
  std::uint32_t members = 0;
  std::vector<swarm::Edge> edges;
  std::uint64_t links = 0, age = 0, oldest = 0;  // each way by itself; ticks
};

constexpr std::uint32_t kNoMember = 0xffffffffu;

// the place of every member among those of its world, by the place of its number; straight from the list of vehicles, which is never stale
std::vector<std::uint32_t> numbers_of(const Data& d, std::vector<Acquainted>& worlds) {
  const Numbers& numbers = d.locations.numbers();
  std::vector<std::uint32_t> members(numbers.n_places(), kNoMember);
  numbers.each([&](std::uint64_t, std::size_t place) {
    const Location& l = d.locations.at(place);
    if (l.alive && d.societies[l.flock].tell_every > 0) members[place] = worlds[d.flocks[l.flock].worlds[l.slot]].members++;
  });
  return members;
}

// of the worlds that are chosen; the others have no members
std::vector<Acquainted> who_knows_whom(const Data& d, const std::vector<bool>& chosen) {
  std::vector<Acquainted> worlds(chosen.size());
  const std::vector<std::uint32_t> members = numbers_of(d, worlds);
  const Numbers& numbers = d.locations.numbers();
  numbers.each([&](std::uint64_t, std::size_t place) {
    const Location& l = d.locations.at(place);
    if (!l.alive) return;
    const Society& s = d.societies[l.flock];
    const std::uint32_t where = d.flocks[l.flock].worlds[l.slot];
    if (!chosen[where]) return;
    Acquainted& world = worlds[where];
    const std::uint64_t now = tick_of_world(d, where);
    for (std::size_t k = 0; k < s.known.count(l.slot); ++k) {
      const std::uint64_t said = s.known.tick(l.slot, k, now), age = now > said ? now - said : 0;
      const std::size_t other = numbers.find(s.known.id(l.slot, k));
      if (other == Numbers::kNone || members[other] == kNoMember) continue;
      ++world.links;
      world.age += age;
      world.oldest = std::max(world.oldest, age);
      if (members[place] != kNoMember && age <= s.forget) world.edges.push_back({members[place], members[other]});
    }
  });
  return worlds;
}

void look(Data& d, const std::vector<bool>& chosen) {
  Observed& o = d.observed;
  const std::vector<Acquainted> worlds = who_knows_whom(d, chosen);
  for (std::size_t k = 0; k < worlds.size(); ++k) {
    const Acquainted& world = worlds[k];
    if (world.members == 0 || !chosen[k]) continue;
    const swarm::Components components = swarm::components(world.members, world.edges);
    ++o.looks;
    o.links += world.links;
    o.age += world.age;
    o.oldest = std::max(o.oldest, world.oldest);
    o.members += world.members;
    o.components += components.count;
    o.largest += components.largest;
    o.most_components = std::max<std::uint64_t>(o.most_components, components.count);
    o.smallest_share = std::min(o.smallest_share, static_cast<double>(components.largest) / world.members);
  }
}

double ratio(std::uint64_t part, std::uint64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

// what became of what each said
void add_delivery(const Data& d, SwarmReport& report) {
  if (d.air.medium->in_reach() > 0) report.delivery_ratio = ratio(d.air.medium->arrived(), d.air.medium->in_reach());
  d.locations.each([&](std::uint64_t number, const Location& l) {
    if (!l.alive) return;
    const swarm::RadioCounts c = d.air.medium->counts(world_of(d, number), number);
    if (c.in_reach == 0) return;
    const double own = ratio(c.arrived, c.in_reach);
    if (report.worst_delivery_ratio && own >= *report.worst_delivery_ratio) return;
    report.worst_delivery_ratio = own;
    report.worst_sender = d.flocks[l.flock].ids[l.slot];
  });
}

}  // namespace

PathError::PathError(const Flock& flock) : tick_(flock.setup.tick), has_path_(flock.shown.reference[0] != nullptr) {
  // who walks or drives is as high as the ground, whatever its curve says
  const ColumnInfo* grounded = flock.find_param("on_ground");
  if (grounded != nullptr && flock.param_values[static_cast<std::size_t>(grounded->row)] > 0.5) axes_ = 2;
}

double PathError::squared(const Frame& frame, std::size_t at) const {
  const Vec& p = frame.position[at];
  const auto& [q, v, a] = frame.reference[at];
  double sum = 0;
  for (std::size_t k = 0; k < axes_; ++k) {
    // the reference stands at the start of the tick, the vehicle at its end
    const double e = p[k] - q[k] - tick_ * (v[k] + 0.5 * tick_ * a[k]);
    sum += e * e;
  }
  return sum;
}
double PathError::distance(const Frame& frame, std::size_t at) const { return has_path() ? math::sqrt(squared(frame, at)) : std::numeric_limits<double>::infinity(); }

void observe(Data& d) {
  Observed& o = d.observed;
  if (d.interaction.touches && d.interaction.nearest < o.nearest) {
    o.nearest = d.interaction.nearest;
    o.nearest_tick = d.tick + 1;
  }
  if (d.air.medium == nullptr) return;
  // once in every second, at a moment that changes: in step with those that speak, it would find them always freshly heard
  const std::uint64_t every = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kLookEvery / d.def.tick_ns));
  const auto is_time = [&](std::uint64_t tick) {
    const std::uint64_t second = tick / every;
    const double time = static_cast<double>(tick) * static_cast<double>(d.def.tick_ns) * 1e-9;
    // nobody can have heard anything in the first one
    return second > 0 && tick % every == math::mix64(second) % every && time >= d.def.metrics_from;
  };
  const WorldTime time(d);
  if (time.is_shared() && !is_time(time.shared())) return;
  std::vector<bool> chosen(d.worlds.start.size());
  bool some = false;
  for (std::uint32_t k = 0; k < chosen.size(); ++k) some = (chosen[k] = is_time(time.of_world(k))) || some;
  if (some) look(d, chosen);
}

SwarmReport swarm_report(const Data& d) {
  const Observed& o = d.observed;
  const double tick = static_cast<double>(d.def.tick_ns) * 1e-9;
  SwarmReport report;
  if (o.nearest < std::numeric_limits<double>::infinity()) {
    report.nearest = o.nearest;
    report.nearest_time = static_cast<double>(o.nearest_tick) * tick;
  }
  report.contacts = o.meetings;
  report.samples = o.looks;
  if (d.air.medium == nullptr) return report;
  add_delivery(d, report);
  if (o.links > 0) {
    report.age_mean = ratio(o.age, o.links) * tick;
    report.age_max = static_cast<double>(o.oldest) * tick;
  }
  if (o.looks > 0) {
    report.components_mean = ratio(o.components, o.looks);
    report.components_max = o.most_components;
    report.largest_share_mean = ratio(o.largest, o.members);
    report.largest_share_min = o.smallest_share;
  }
  // it costs the cube of their number: only now, of the first world, and only of a small swarm
  std::vector<bool> first(d.worlds.start.size(), false);
  first[0] = true;
  const Acquainted now = std::move(who_knows_whom(d, first).front());
  if (now.members > 1 && now.members <= swarm::kMostForConnectivity) report.algebraic_connectivity = swarm::algebraic_connectivity(now.members, now.edges);
  return report;
}

}  // namespace volary::engine
