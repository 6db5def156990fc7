// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Contact: vehicles that touch each other, the ground or an obstacle, and what comes of it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "engine/ground.hpp"
#include "engine/swept.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

constexpr double kRestitution = 0.5;  // of a bounce
constexpr double kStride = 0.05;      // radii: so closely an obstacle is looked for where it is near
// what happened, as events say it
constexpr std::string_view kCrashed = "crashed: into", kLost = "lost: against", kHit = "touched: once more", kTouched = "touched:";

const ContactDef& contact_of(const Data& d, std::size_t at) { return d.flocks[d.frame.flock[at]].def.node.contact; }
const Society& society_of(const Data& d, std::size_t at) { return d.societies[d.frame.flock[at]]; }
double radius_of(const Data& d, std::size_t at) { return society_of(d, at).radius; }
VehicleId id_of(const Data& d, std::size_t at) { return d.flocks[d.frame.flock[at]].ids[d.frame.slot[at]]; }
const std::string& name_of(const Data& d, std::size_t at) { return d.flocks[d.frame.flock[at]].names[d.frame.slot[at]]; }

// ---------------------------------------------------------------- what is solid

struct Hit {
  Surface surface;
  double speed;  // m/s, into it
};

// m: half the size of a vehicle along a direction
double extent_along(const Data& d, std::size_t at, const Vec& n) {
  const Society& s = society_of(d, at);
  const auto& [w, x, y, z] = d.frame.attitude[at];
  const Vec n_B = {dot(n, {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)}),
                   dot(n, {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)}),
                   dot(n, {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)})};
  const Vec size = {s.half[0] * n_B[0], s.half[1] * n_B[1], s.half[2] * n_B[2]};
  return math::sqrt(dot(size, size));
}

// A surface that a vehicle reaches, faster than does no harm. The surface has slowed it down by the end of the tick, so its velocity at the start counts too.
std::optional<Hit> hit_at(const Data& d, std::size_t at, const Surface& s) {
  if (s.distance > extent_along(d, at, s.normal)) return std::nullopt;
  const double speed = std::max(-dot(d.frame.velocity[at], s.normal), -dot(d.frame.before[at], s.normal));
  if (speed <= contact_of(d, at).speed) return std::nullopt;
  return Hit{s, speed};
}

// obstacles on a straight way, in strides no longer than the room that is left to the nearest
std::optional<Hit> hit_on_way(const Data& d, std::size_t at, const Vec& from, const Vec& to) {
  const obstacles::Obstacles& obstacles = *d.def.environment.obstacles;
  const Vec way = minus(to, from);
  const double reach = radius_of(d, at), length = math::sqrt(dot(way, way)), least = std::max(kStride * reach, length / 256);
  for (double gone = 0; gone < length;) {
    const obstacles::Nearest n = obstacles.nearest(plus(from, gone / length, way), reach + (length - gone));
    if (!n) return std::nullopt;
    if (auto hit = hit_at(d, at, {n.distance, n.normal, obstacles.name(n)})) return hit;
    gone += std::max(n.distance - reach, least);
  }
  return std::nullopt;
}

// whether everything solid is farther than this
bool is_clear(const EnvironmentDef& e, const Vec& p, double room) {
  if (e.ground && e.terrain == nullptr && !(p[2] - e.ground_height > room)) return false;
  if (e.ground && e.terrain != nullptr && !((p[2] - e.terrain->height(p[0], p[1])) * e.terrain->least_upright() > room)) return false;
  return e.obstacles == nullptr || !e.obstacles->nearest(p, room);
}

// What a vehicle hit in this tick. A surface may have thrown it back before the tick was over, so besides the place where it is now the straight way
// counts that it was on when the tick began.
std::optional<Hit> find_hit(const Data& d, std::size_t at) {
  const ContactDef& contact = contact_of(d, at);
  if (contact.policy == ContactPolicy::Ignore || contact.policy == ContactPolicy::Bounce) return std::nullopt;
  const EnvironmentDef& e = d.def.environment;
  const Vec &now = d.frame.position[at], &from = d.frame.from[at], &velocity = d.frame.velocity[at], &before = d.frame.before[at];
  const double tick = static_cast<double>(d.def.tick_ns) * 1e-9, reach = radius_of(d, at);
  if (e.terrain == nullptr && e.obstacles == nullptr && std::min(now[2], from[2] + tick * before[2]) - e.ground_height > reach) return std::nullopt;
  const double least2 = contact.speed * contact.speed;
  if (dot(velocity, velocity) <= least2 && dot(before, before) <= least2) return std::nullopt;  // too slow for any harm

  const Vec ahead = plus(from, tick, before), flown = minus(now, from), meant = minus(ahead, from);
  if (is_clear(e, from, reach + math::sqrt(std::max(dot(flown, flown), dot(meant, meant))))) return std::nullopt;
  if (auto hit = hit_at(d, at, surface_near(e, now, reach))) return hit;
  if (auto hit = hit_at(d, at, surface_near(e, ahead, reach))) return hit;
  if (e.obstacles != nullptr)
    if (auto hit = hit_on_way(d, at, from, ahead)) return hit;
  if (e.ground && e.terrain != nullptr)
    if (const double part = e.terrain->first_hit(from, now); part <= 1) {
      const Vec there = plus(from, part, flown);
      return hit_at(d, at, {0, e.terrain->normal(there[0], there[1]), "the ground"});
    }
  return std::nullopt;
}

// what a look at every vehicle on its own brings, the same on any number of threads
struct Survey {
  double moved2 = 0;                // m2, the farthest that anybody moved since the candidates were listed, squared
  std::vector<std::uint32_t> hits;  // places in the frame of those that hit the ground or an obstacle too fast
};
Survey survey(const Data& d) {
  std::vector<Survey> parts(static_cast<std::size_t>(d.pool->size()));
  const Interaction& in = d.interaction;
  const bool is_listed = in.candidates.is_listed(d.roster_version);
  each_part(*d.pool, d.frame.size(), cost::kRead, [&](std::size_t first, std::size_t last, int part) {
    double most = 0;
    for (std::size_t i = first; i < last; ++i) {
      // where it began counts too: somebody may have put it there
      if (is_listed) most = std::max({most, in.candidates.moved2(i, d.frame.position[i]), in.candidates.moved2(i, d.frame.from[i])});
      if (find_hit(d, i)) parts[static_cast<std::size_t>(part)].hits.push_back(static_cast<std::uint32_t>(i));
    }
    parts[static_cast<std::size_t>(part)].moved2 = most;
  });
  Survey all = std::move(parts[0]);
  for (std::size_t p = 1; p < parts.size(); ++p) {
    all.moved2 = std::max(all.moved2, parts[p].moved2);
    all.hits.insert(all.hits.end(), parts[p].hits.begin(), parts[p].hits.end());
  }
  return all;
}

// ---------------------------------------------------------------- what comes of it

// what becomes of it, whoever simulates it reports
bool is_elsewhere(const Data& d, std::size_t at) { return d.shared.is_live && !is_own(d, d.frame.flock[at], d.frame.slot[at]); }

// what its policy makes of a vehicle that was hit at some speed; the words for the event
std::string_view suffer(Data& d, std::size_t at, double speed) {
  if (is_elsewhere(d, at)) return kTouched;
  const ContactDef& contact = contact_of(d, at);
  Flock& f = d.flocks[d.frame.flock[at]];
  const std::size_t slot = d.frame.slot[at];
  const bool hard = speed > contact.speed;
  if (hard && contact.policy == ContactPolicy::Crash) {
    if (f.def.mirror) return kHit;
    const bool is_new = note_crash(d.interaction.crashed, f.ids[slot]);
    if (is_new) d.touched.crashed.push_back(f.ids[slot]);
    // one that was stopped before it fell crashes, too; a wreck that is hit again has nothing to tell
    if (static_cast<Mode>(d.frame.status[at] & control::kModeMask) == Mode::EmergencyStop) return is_new ? kCrashed : kHit;
    f.patches.front().enter_mode(slot, Mode::EmergencyStop, ground_height_at(d, f, d.frame.position[at]));
    // the next contact of the same tick finds it stopped
    d.frame.status[at] = (d.frame.status[at] & ~control::kModeMask) | static_cast<std::uint32_t>(Mode::EmergencyStop);
    return kCrashed;
  }
  return hard && contact.policy == ContactPolicy::Remove ? kLost : kTouched;
}

double mass_of(const Flock& f) {
  const ColumnInfo* c = f.find_param("mass");
  return c == nullptr ? 1 : f.param_values[static_cast<std::size_t>(c->row)];
}

// what is written is in the frame too: the next contact of the same tick starts from it
void push(Data& d, std::size_t at, double speed, const Vec& along) {
  Flock& f = d.flocks[d.frame.flock[at]];
  if (f.shown.velocity == nullptr || f.def.mirror || is_elsewhere(d, at)) return;
  Vec& velocity = d.frame.velocity[at];
  const Vec pushed = plus(velocity, speed, along);
  for (std::size_t k = 0; k < 3; ++k) {
    f.patches.front().value(d.frame.slot[at], f.shown.velocity->row + static_cast<int>(k), pushed[k]);
    velocity[k] = as_stored(pushed[k], f.bytes) + 0.0;
  }
}
void put(Data& d, std::size_t at, const Vec& place) {
  Flock& f = d.flocks[d.frame.flock[at]];
  if (f.shown.position == nullptr || f.def.mirror || is_elsewhere(d, at)) return;
  f.patches.front().position(d.frame.slot[at], f.shown.position->row, f.bytes, place);
  d.frame.position[at] = position_as_stored(place, f.bytes);
}

// candidates that touched in this tick, in order, and how near the nearest came
struct Touching {
  double nearest2 = std::numeric_limits<double>::infinity();  // m2
  struct Contact {
    std::uint32_t a, b;  // places in the frame
    double when;         // part of the tick
    Vec way;             // m, from a to b at that time
  };
  std::vector<Contact> list;
};
Vec place_at(const Data& d, std::size_t at, double when) {
  const Vec& from = d.frame.from[at];
  return plus(from, when, minus(d.frame.position[at], from));
}

// Two spheres that move towards each other part again, with momentum kept. Those that met within the tick may be past each other by now: they go on from
// where they met.
void bounce(Data& d, const Touching::Contact& c, const Vec& normal) {
  const double approach = dot(minus(d.frame.velocity[c.a], d.frame.velocity[c.b]), normal);
  if (approach <= 0) return;
  const Flock &fa = d.flocks[d.frame.flock[c.a]], &fb = d.flocks[d.frame.flock[c.b]];
  const double ia = fa.def.mirror ? 0 : 1 / mass_of(fa), ib = fb.def.mirror ? 0 : 1 / mass_of(fb);
  if (ia + ib <= 0) return;
  const double impulse = (1 + kRestitution) * approach / (ia + ib);
  if (c.when > 0)
    for (const std::size_t at : {c.a, c.b}) put(d, at, place_at(d, at, c.when));
  push(d, c.a, -impulse * ia, normal);
  push(d, c.b, impulse * ib, normal);
}

// one pair that touches; `is_new` when it did not a tick ago
void meet(Data& d, const Touching::Contact& c, bool is_new, std::vector<VehicleId>& lost) {
  const Vec relative = minus(d.frame.velocity[c.a], d.frame.velocity[c.b]);
  const double distance = math::sqrt(dot(c.way, c.way)), speed = math::sqrt(dot(relative, relative));
  const Vec normal = distance > 1e-9 ? Vec{c.way[0] / distance, c.way[1] / distance, c.way[2] / distance} : Vec{0, 0, 1};
  const Vec places[2] = {place_at(d, c.a, c.when), place_at(d, c.b, c.when)};
  if (contact_of(d, c.a).policy == ContactPolicy::Bounce || contact_of(d, c.b).policy == ContactPolicy::Bounce) bounce(d, c, normal);
  if (!is_new) return;
  const std::size_t both[2] = {c.a, c.b};
  for (int k = 0; k < 2; ++k) {
    const std::size_t self = both[k], other = both[1 - k];
    const std::string_view words = suffer(d, self, speed);
    if (words == kLost) lost.push_back(id_of(d, self));
    add_event(d, id_of(d, self), name_of(d, self), fmt::format("{} {} at {}, {:.2f} m/s", words, name_of(d, other), place_text(places[k]), speed));
  }
}

// two vehicles that can dock with each other, in one scene of joined bodies
bool can_dock(const Data& d, std::size_t a, std::size_t b) {
  const Flock& f = d.flocks[d.frame.flock[a]];
  return d.frame.slot[a] == d.frame.slot[b] && f.joined != nullptr && f.joined->docks() &&
         f.joined->members[1 - f.joined->member] == &d.flocks[d.frame.flock[b]];
}

Touching find_touching(const Data& d) {
  const Interaction& in = d.interaction;
  const auto& pairs = in.candidates.pairs();
  std::vector<Touching> parts(static_cast<std::size_t>(d.pool->size()));
  each_part(*d.pool, pairs.size(), cost::kRead, [&](std::size_t first, std::size_t last, int part) {
    Touching& out = parts[static_cast<std::size_t>(part)];
    for (std::size_t k = first; k < last; ++k) {
      const auto [a, b] = pairs[k];
      if (in.docks && can_dock(d, a, b)) continue;
      const Passing passing{minus(d.frame.from[b], d.frame.from[a]), minus(d.frame.position[b], d.frame.position[a])};
      const double nearest2 = passing.nearest2(), reach = in.radius[a] + in.radius[b];
      out.nearest2 = std::min(out.nearest2, nearest2);
      if (nearest2 > reach * reach) continue;
      const double when = passing.touch(reach);
      out.list.push_back({a, b, when, passing.at(when)});
    }
  });
  Touching all = std::move(parts[0]);
  for (std::size_t p = 1; p < parts.size(); ++p) {
    all.nearest2 = std::min(all.nearest2, parts[p].nearest2);
    all.list.insert(all.list.end(), parts[p].list.begin(), parts[p].list.end());
  }
  return all;
}

void touch_each_other(Data& d, std::vector<VehicleId>& lost) {
  Interaction& in = d.interaction;
  const Touching touching = find_touching(d);
  in.nearest = math::sqrt(touching.nearest2);
  std::vector<Pair> now;
  for (const Touching::Contact& c : touching.list) {
    const Pair pair{d.frame.id[c.a], d.frame.id[c.b]};
    const bool is_new = !std::binary_search(in.touching.begin(), in.touching.end(), pair);
    d.observed.meetings += is_new ? 1 : 0;
    meet(d, c, is_new, lost);
    now.push_back(pair);
  }
  in.touching = std::move(now);  // candidates are in the order of ids
}

void touch_ground(Data& d, const std::vector<std::uint32_t>& hits, std::vector<VehicleId>& lost) {
  for (const std::uint32_t i : hits) {
    if (is_elsewhere(d, i)) continue;
    const std::optional<Hit> hit = find_hit(d, i);
    if (!hit) continue;  // a bounce has put it elsewhere
    const std::string_view words = suffer(d, i, hit->speed);
    if (words == kHit) continue;
    if (words == kLost) lost.push_back(id_of(d, i));
    add_event(d, id_of(d, i), name_of(d, i), fmt::format("{} {} at {}, {:.2f} m/s", words, hit->surface.what, place_text(d.frame.position[i]), hit->speed));
  }
}

void list_candidates(Data& d) {
  Interaction& in = d.interaction;
  in.radius.resize(d.frame.size());
  for (std::size_t i = 0; i < d.frame.size(); ++i) in.radius[i] = contact_of(d, i).policy == ContactPolicy::Ignore ? -1 : radius_of(d, i);
  in.candidates.list({d.roster_version, d.frame.from, d.frame.position, d.frame.world, in.radius}, *d.pool);
}

}  // namespace

void touch(Data& d) {
  if (!d.interaction.touches) return;
  std::vector<VehicleId> lost;
  const auto told = static_cast<std::ptrdiff_t>(d.events.size());
  const Survey seen = survey(d);
  if (!d.interaction.candidates.is_kept(d.roster_version, seen.moved2)) list_candidates(d);
  touch_each_other(d, lost);
  touch_ground(d, seen.hits, lost);
  // what happened in this tick comes in the order of ids, whoever met whom
  std::stable_sort(d.events.begin() + told, d.events.end(), [](const Event& a, const Event& b) { return a.vehicle.number() < b.vehicle.number(); });
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  if (d.shared.is_on()) note_written(d);
  for (const VehicleId id : lost) remove(d, id);
  apply_patches(d);
  if (!lost.empty()) follow_changes(d);
  d.touched.lost = std::move(lost);
}

}  // namespace volary::engine
