// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/interact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

constexpr double kSkin = 1;          // m: how much farther than contact candidates may be
constexpr double kRestitution = 0.5;  // of a bounce
constexpr std::size_t kMostSeen = 32;
// what happened, as events say it
constexpr std::string_view kCrashed = "crashed: into", kLost = "lost: against", kHit = "touched: once more", kTouched = "touched:";

double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

const ContactDef& contact_of(const Data& d, std::size_t at) { return d.flocks[d.frame.flock[at]].def.node.contact; }
double radius_of(const Data& d, std::size_t at) { return d.societies[d.frame.flock[at]].radius; }
VehicleId id_of(const Data& d, std::size_t at) { return d.flocks[d.frame.flock[at]].ids[d.frame.slot[at]]; }
const std::string& name_of(const Data& d, std::size_t at) { return d.flocks[d.frame.flock[at]].names[d.frame.slot[at]]; }

std::string place_of(const Vec& p) { return fmt::format("({:.2f}, {:.2f}, {:.2f})", p[0], p[1], p[2]); }

// what a look at every vehicle on its own brings, the same on any number of threads
struct Survey {
  double moved2 = 0;                // m2, the farthest that anybody moved since the candidates were listed, squared
  std::vector<std::uint32_t> hits;  // places in the frame of those that hit the ground or an obstacle too fast
};

// The speed of a vehicle into a surface. The ground has slowed it down by the end of the tick, so its velocity at the start counts too, if it was there.
double speed_into(const Data& d, std::size_t at, bool was_there, const Surface& s) {
  return std::max(-dot(d.frame.velocity[at], s.normal), was_there ? -dot(d.interaction.before[at], s.normal) : 0.0);
}
bool hits_ground(const Data& d, std::size_t at, bool was_there) {
  const ContactDef& contact = contact_of(d, at);
  if (contact.policy == ContactPolicy::Ignore || contact.policy == ContactPolicy::Bounce) return false;
  const EnvironmentDef& e = d.def.environment;
  if (e.terrain == nullptr && e.obstacles == nullptr && d.frame.position[at][2] - e.ground_height > radius_of(d, at)) return false;
  const Surface s = surface_near(e, d.frame.position[at], radius_of(d, at));
  return !(s.distance > radius_of(d, at)) && !(speed_into(d, at, was_there, s) <= contact.speed);
}

Survey survey(const Data& d, bool was_there) {
  std::vector<Survey> parts(static_cast<std::size_t>(d.pool->size()));
  const bool is_listed = d.interaction.roster == d.roster_version;
  each_part(*d.pool, d.frame.size(), cost::kRead, [&](std::size_t first, std::size_t last, int part) {
    double most = 0;
    for (std::size_t i = first; i < last; ++i) {
      if (is_listed) {
        const Vec way = minus(d.frame.position[i], d.interaction.since[i]);
        most = std::max(most, dot(way, way));
      }
      if (hits_ground(d, i, was_there)) parts[static_cast<std::size_t>(part)].hits.push_back(static_cast<std::uint32_t>(i));
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

void list_candidates(Data& d, double moved2) {
  Interaction& in = d.interaction;
  if (in.roster == d.roster_version && moved2 < kSkin * kSkin / 4) return;
  double radius = 0;
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    if (d.flocks[k].def.node.contact.policy != ContactPolicy::Ignore) radius = std::max(radius, d.societies[k].radius);
  in.candidates.clear();
  for (const auto& [a, b] : in.pairs.find(d.frame.position, d.frame.world, 2 * radius + kSkin, *d.pool))
    if (contact_of(d, a).policy != ContactPolicy::Ignore && contact_of(d, b).policy != ContactPolicy::Ignore) in.candidates.emplace_back(a, b);
  in.since = d.frame.position;
  in.roster = d.roster_version;
}

void note_crash(std::vector<std::uint64_t>& crashed, VehicleId id) {
  const auto at = std::lower_bound(crashed.begin(), crashed.end(), id.value);
  if (at == crashed.end() || *at != id.value) crashed.insert(at, id.value);
}

// what its policy makes of a vehicle that was hit at some speed; the words for the event
std::string_view suffer(Data& d, std::size_t at, double speed) {
  const ContactDef& contact = contact_of(d, at);
  Flock& f = d.flocks[d.frame.flock[at]];
  const std::size_t slot = d.frame.slot[at];
  const bool hard = speed > contact.speed;
  if (hard && contact.policy == ContactPolicy::Crash) {
    if (f.def.mirror) return kHit;
    note_crash(d.interaction.crashed, f.ids[slot]);
    // one that was stopped before it fell is a wreck without another word
    if (static_cast<Mode>(f.status(slot) & control::kModeMask) == Mode::EmergencyStop) return kHit;
    enter_mode(d, f, slot, Mode::EmergencyStop);
    return kCrashed;
  }
  return hard && contact.policy == ContactPolicy::Remove ? kLost : kTouched;
}

double mass_of(const Flock& f) {
  const ColumnInfo* c = f.find_param("mass");
  return c == nullptr ? 1 : f.param_values[static_cast<std::size_t>(c->row)];
}
void push(Data& d, std::size_t at, const Vec& change) {
  Flock& f = d.flocks[d.frame.flock[at]];
  const ColumnInfo* c = f.find_column("velocity");
  if (c == nullptr || f.def.mirror) return;
  for (int k = 0; k < 3; ++k)
    f.set_value(d.frame.slot[at], c->row + k, d.frame.velocity[at][static_cast<std::size_t>(k)] + change[static_cast<std::size_t>(k)]);
}

// two spheres that move towards each other part again, with momentum kept
void bounce(Data& d, std::size_t a, std::size_t b, const Vec& normal, double approach) {
  if (approach <= 0) return;
  const Flock &fa = d.flocks[d.frame.flock[a]], &fb = d.flocks[d.frame.flock[b]];
  const double ia = fa.def.mirror ? 0 : 1 / mass_of(fa), ib = fb.def.mirror ? 0 : 1 / mass_of(fb);
  if (ia + ib <= 0) return;
  const double impulse = (1 + kRestitution) * approach / (ia + ib);
  push(d, a, {-impulse * ia * normal[0], -impulse * ia * normal[1], -impulse * ia * normal[2]});
  push(d, b, {impulse * ib * normal[0], impulse * ib * normal[1], impulse * ib * normal[2]});
}

// one pair that touches; `is_new` when it did not a tick ago
void meet(Data& d, std::size_t a, std::size_t b, double distance, bool is_new, std::vector<VehicleId>& lost) {
  const Vec way = minus(d.frame.position[b], d.frame.position[a]), relative = minus(d.frame.velocity[a], d.frame.velocity[b]);
  const Vec normal = distance > 1e-9 ? Vec{way[0] / distance, way[1] / distance, way[2] / distance} : Vec{0, 0, 1};
  const double approach = dot(relative, normal), speed = math::sqrt(dot(relative, relative));
  if (contact_of(d, a).policy == ContactPolicy::Bounce || contact_of(d, b).policy == ContactPolicy::Bounce) bounce(d, a, b, normal, approach);
  if (!is_new) return;
  const std::size_t both[2] = {a, b};
  for (int k = 0; k < 2; ++k) {
    const std::size_t self = both[k], other = both[1 - k];
    const std::string_view words = suffer(d, self, speed);
    if (words == kLost) lost.push_back(id_of(d, self));
    add_event(d, id_of(d, self), name_of(d, self), fmt::format("{} {} at {}, {:.2f} m/s", words, name_of(d, other), place_of(d.frame.position[self]), speed));
  }
}

// candidates that touch now, in order, and how near the nearest are
struct Touching {
  double nearest2 = std::numeric_limits<double>::infinity();  // m2
  struct Contact {
    std::uint32_t a, b;  // places in the frame
    double distance2;
  };
  std::vector<Contact> list;
};
Touching find_touching(const Data& d) {
  const auto& candidates = d.interaction.candidates;
  std::vector<Touching> parts(static_cast<std::size_t>(d.pool->size()));
  each_part(*d.pool, candidates.size(), cost::kRead, [&](std::size_t first, std::size_t last, int part) {
    Touching& out = parts[static_cast<std::size_t>(part)];
    for (std::size_t k = first; k < last; ++k) {
      const auto [a, b] = candidates[k];
      const Vec way = minus(d.frame.position[b], d.frame.position[a]);
      const double distance2 = dot(way, way), reach = radius_of(d, a) + radius_of(d, b);
      out.nearest2 = std::min(out.nearest2, distance2);
      if (!(distance2 > reach * reach)) out.list.push_back({a, b, distance2});
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
  for (const auto& [a, b, distance2] : touching.list) {
    const Pair pair{d.frame.id[a], d.frame.id[b]};
    meet(d, a, b, math::sqrt(distance2), !std::binary_search(in.touching.begin(), in.touching.end(), pair), lost);
    now.push_back(pair);
  }
  in.touching = std::move(now);  // candidates are in the order of ids
}

// terrain and obstacles: what comes of having hit them
void touch_ground(Data& d, const std::vector<std::uint32_t>& hits, bool was_there, std::vector<VehicleId>& lost) {
  for (const std::uint32_t i : hits) {
    const Surface s = surface_near(d.def.environment, d.frame.position[i], radius_of(d, i));
    const double speed = speed_into(d, i, was_there, s);
    const std::string_view words = suffer(d, i, speed);
    if (words == kHit) continue;
    if (words == kLost) lost.push_back(id_of(d, i));
    add_event(d, id_of(d, i), name_of(d, i), fmt::format("{} {} at {}, {:.2f} m/s", words, s.what, place_of(d.frame.position[i]), speed));
  }
}

// ---------------------------------------------------------------- detection

// what all vehicles of a flock have in common when they look
struct Eye {
  bool looks = false;      // now
  double half = -1;        // cosine of half the field of view
  int attitude = -1;       // row
  std::uint32_t kind = 0;  // what its vehicles look like to others
};
std::vector<Eye> eyes_of(const Data& d) {
  std::vector<Eye> eyes(d.flocks.size());
  for (std::size_t k = 0; k < eyes.size(); ++k) {
    const Flock& f = d.flocks[k];
    const std::uint64_t every = d.societies[k].detect_every;
    const ColumnInfo* attitude = f.find_column("attitude");
    eyes[k] = {every > 0 && d.tick % every == 0, math::cos(0.5 * std::min(f.def.node.detection.field_of_view, 6.283185307179586)),
               attitude == nullptr ? -1 : attitude->row, swarm::topic(f.def.airframe.name)};
  }
  return eyes;
}

// the way the nose points
Vec nose_of(const Flock& f, std::size_t slot, int row) {
  if (row < 0) return {1, 0, 0};
  const double w = f.value(slot, row), x = f.value(slot, row + 1), y = f.value(slot, row + 2), z = f.value(slot, row + 3);
  return {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
}

// what one thread needs and brings back
struct Looking {
  std::vector<Near> seen;
  std::vector<swarm::Detection> list;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sightings;  // who sees whom for the first time: places in the frame
};

// whom a vehicle sees: the nearest ones, and those in the order of ids
void look(const Data& d, std::size_t at, const Eye& eye, std::vector<Near>& seen) {
  const Flock& f = d.flocks[d.frame.flock[at]];
  const DetectionDef& def = f.def.node.detection;
  const Vec nose = nose_of(f, d.frame.slot[at], eye.attitude);
  seen.clear();
  for (const Near& n : d.interaction.near.of(at)) {
    if (static_cast<double>(n.distance) > def.range) continue;
    const Vec way = minus(d.frame.position[n.index], d.frame.position[at]);
    if (dot(way, nose) < eye.half * math::sqrt(dot(way, way))) continue;
    if (def.line_of_sight && !line_of_sight(d.def.environment, d.frame.position[at], d.frame.position[n.index])) continue;
    seen.push_back(n);
  }
  if (seen.size() <= kMostSeen) return;
  // Strangers come first, then the nearest: in a crowd of its own kind a vehicle would else not see what it is looking for.
  const auto is_own = [&](const Near& n) { return d.frame.flock[n.index] == d.frame.flock[at]; };
  std::sort(seen.begin(), seen.end(),
            [&](const Near& a, const Near& b) { return std::tuple(is_own(a), a.distance, a.index) < std::tuple(is_own(b), b.distance, b.index); });
  seen.resize(kMostSeen);
  std::sort(seen.begin(), seen.end(), [](const Near& a, const Near& b) { return a.index < b.index; });
}

// Keeps what a vehicle sees, and lists sightings of vehicles of another flock that were not in sight at the last look.
void note(Data& d, std::size_t at, const std::vector<Eye>& eyes, Looking& looking) {
  const Frame& frame = d.frame;
  std::vector<swarm::Detection>& known = d.societies[frame.flock[at]].seen[frame.slot[at]];
  looking.list.clear();
  for (const Near& n : looking.seen) {
    const Vec &p = frame.position[n.index], &v = frame.velocity[n.index];
    looking.list.push_back({frame.id[n.index], eyes[frame.flock[n.index]].kind, {p[0], p[1], p[2]}, {v[0], v[1], v[2]}});
    if (frame.flock[n.index] == frame.flock[at]) continue;
    if (std::none_of(known.begin(), known.end(), [&](const swarm::Detection& k) { return k.object == frame.id[n.index]; }))
      looking.sightings.emplace_back(static_cast<std::uint32_t>(at), n.index);
  }
  known.assign(looking.list.begin(), looking.list.end());
}

}  // namespace

Surface surface_near(const EnvironmentDef& e, const Vec& p, double within) {
  Surface s{std::numeric_limits<double>::infinity(), {0, 0, 1}, "the ground"};
  if (e.ground && e.terrain == nullptr) s.distance = p[2] - e.ground_height;
  if (e.ground && e.terrain != nullptr) {
    const double above = p[2] - e.terrain->height(p[0], p[1]);
    s.normal = e.terrain->normal(p[0], p[1]);
    s.distance = above * s.normal[2];
  }
  if (e.obstacles != nullptr)
    if (const obstacles::Nearest n = e.obstacles->nearest(p, within); n && n.distance < s.distance) s = {n.distance, n.normal, e.obstacles->name(n)};
  return s;
}

bool line_of_sight(const EnvironmentDef& e, const Vec& from, const Vec& to) {
  return (e.terrain == nullptr || e.terrain->sees(from, to)) && (e.obstacles == nullptr || e.obstacles->sees(from, to));
}

bool Interaction::has_crashed(VehicleId id) const { return std::binary_search(crashed.begin(), crashed.end(), id.value); }

void prepare_interaction(Data& d) {
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    d.interaction.touches = d.interaction.touches || d.flocks[k].def.node.contact.policy != ContactPolicy::Ignore;
    d.interaction.detects = d.interaction.detects || d.societies[k].detect_every > 0;
  }
}

void touch(Data& d) {
  const bool needed = d.interaction.touches || d.interaction.detects || d.air.medium != nullptr || d.judging.looks();
  if (!needed) return;
  const bool was_there = d.frame.roster == d.roster_version;  // everybody, at the start of the tick
  if (d.interaction.touches) {
    d.interaction.before.resize(d.frame.velocity.size());
    d.interaction.before.swap(d.frame.velocity);
  }
  refresh_frame(d);
  if (!d.interaction.touches) return;
  std::vector<VehicleId> lost;
  const auto told = static_cast<std::ptrdiff_t>(d.events.size());
  const Survey seen = survey(d, was_there);
  list_candidates(d, seen.moved2);
  touch_each_other(d, lost);
  touch_ground(d, seen.hits, was_there, lost);
  // what happened in this tick comes in the order of ids, whoever met whom
  std::stable_sort(d.events.begin() + told, d.events.end(), [](const Event& a, const Event& b) { return a.vehicle.number() < b.vehicle.number(); });
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  for (const VehicleId id : lost) remove(d, id);
  if (!lost.empty()) refresh_frame(d);
}

void detect(Data& d) {
  if (!d.interaction.detects) return;
  const std::vector<Eye> eyes = eyes_of(d);
  double range = 0;
  for (std::size_t k = 0; k < eyes.size(); ++k)
    if (eyes[k].looks) range = std::max(range, d.flocks[k].def.node.detection.range);
  if (range <= 0) return;
  const Frame& frame = d.frame;
  std::vector<std::uint8_t>& looks = d.interaction.looks;
  looks.resize(frame.size());
  for (std::size_t i = 0; i < frame.size(); ++i) looks[i] = eyes[frame.flock[i]].looks ? 1 : 0;
  d.interaction.near.find(frame.position, frame.world, range, *d.pool, looks);
  std::vector<Looking> parts(static_cast<std::size_t>(d.pool->size()));
  each_part(*d.pool, frame.size(), cost::kLook, [&](std::size_t first, std::size_t last, int part) {
    Looking& looking = parts[static_cast<std::size_t>(part)];
    for (std::size_t i = first; i < last; ++i) {
      if (looks[i] == 0) continue;
      look(d, i, eyes[frame.flock[i]], looking.seen);
      note(d, i, eyes, looking);
    }
  });
  for (const Looking& part : parts)
    for (const auto& [at, other] : part.sightings)
      add_event(d, id_of(d, at), name_of(d, at), fmt::format("sees: {} at {}", name_of(d, other), place_of(frame.position[other])));
}

}  // namespace volary::engine
