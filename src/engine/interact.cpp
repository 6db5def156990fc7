// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/interact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

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

// the farthest that anybody moved since the candidates were listed, squared
double moved2(const Data& d) {
  std::vector<double> most(static_cast<std::size_t>(d.pool->size()), 0.0);
  each_part(*d.pool, d.frame.size(), [&](std::size_t first, std::size_t last, int part) {
    double m = 0;
    for (std::size_t i = first; i < last; ++i) {
      const Vec way = minus(d.frame.position[i], d.interaction.since[i]);
      m = std::max(m, dot(way, way));
    }
    most[static_cast<std::size_t>(part)] = m;
  });
  return *std::max_element(most.begin(), most.end());
}

void list_candidates(Data& d) {
  Interaction& in = d.interaction;
  if (in.roster == d.roster_version && moved2(d) < kSkin * kSkin / 4) return;
  double radius = 0;
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    if (d.flocks[k].def.node.contact.policy != ContactPolicy::Ignore) radius = std::max(radius, d.societies[k].radius);
  in.candidates.clear();
  for (const auto& [a, b] : in.pairs.find(d.frame.position, d.frame.world, 2 * radius + kSkin, *d.pool))
    if (contact_of(d, a).policy != ContactPolicy::Ignore && contact_of(d, b).policy != ContactPolicy::Ignore) in.candidates.emplace_back(a, b);
  in.since = d.frame.position;
  in.roster = d.roster_version;
}

// what its policy makes of a vehicle that was hit at some speed; the words for the event
std::string_view suffer(Data& d, std::size_t at, double speed) {
  const ContactDef& contact = contact_of(d, at);
  Flock& f = d.flocks[d.frame.flock[at]];
  const std::size_t slot = d.frame.slot[at];
  const bool hard = speed > contact.speed;
  if (hard && contact.policy == ContactPolicy::Crash) {
    if (f.def.mirror || static_cast<Mode>(f.status(slot) & control::kModeMask) == Mode::EmergencyStop) return kHit;
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

void touch_each_other(Data& d, std::vector<VehicleId>& lost) {
  Interaction& in = d.interaction;
  list_candidates(d);
  in.nearest = std::numeric_limits<double>::infinity();
  std::vector<Pair> now;
  for (const auto& [a, b] : in.candidates) {
    const Vec way = minus(d.frame.position[b], d.frame.position[a]);
    const double distance2 = dot(way, way), reach = radius_of(d, a) + radius_of(d, b);
    in.nearest = std::min(in.nearest, distance2);
    if (distance2 > reach * reach) continue;
    const Pair pair{d.frame.id[a], d.frame.id[b]};
    meet(d, a, b, math::sqrt(distance2), !std::binary_search(in.touching.begin(), in.touching.end(), pair), lost);
    now.push_back(pair);
  }
  in.nearest = math::sqrt(in.nearest);
  in.touching = std::move(now);  // candidates are in the order of ids
}

// terrain and obstacles: `before` are the velocities at the start of the tick, since the ground has slowed a vehicle down by its end
void touch_ground(Data& d, const std::vector<Vec>& before, std::vector<VehicleId>& lost) {
  for (std::size_t i = 0; i < d.frame.size(); ++i) {
    const ContactDef& contact = contact_of(d, i);
    if (contact.policy == ContactPolicy::Ignore) continue;
    const Surface s = surface_near(d.def.environment, d.frame.position[i], radius_of(d, i));
    if (s.distance > radius_of(d, i)) continue;
    const double speed = std::max(-dot(d.frame.velocity[i], s.normal), i < before.size() ? -dot(before[i], s.normal) : 0.0);
    if (speed <= contact.speed || contact.policy == ContactPolicy::Bounce) continue;
    const std::string_view words = suffer(d, i, speed);
    if (words == kHit) continue;
    if (words == kLost) lost.push_back(id_of(d, i));
    add_event(d, id_of(d, i), name_of(d, i), fmt::format("{} {} at {}, {:.2f} m/s", words, s.what, place_of(d.frame.position[i]), speed));
  }
}

// ---------------------------------------------------------------- detection

// the way the nose points
Vec nose_of(const Flock& f, std::size_t slot) {
  const ColumnInfo* c = f.find_column("attitude");
  if (c == nullptr) return {1, 0, 0};
  const double w = f.value(slot, c->row), x = f.value(slot, c->row + 1), y = f.value(slot, c->row + 2), z = f.value(slot, c->row + 3);
  return {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
}

std::vector<swarm::Detection> look(const Data& d, std::size_t at) {
  const Flock& f = d.flocks[d.frame.flock[at]];
  const DetectionDef& def = f.def.node.detection;
  const Vec nose = nose_of(f, d.frame.slot[at]);
  const double half = math::cos(0.5 * std::min(def.field_of_view, 6.283185307179586));
  std::vector<Near> seen;
  for (const Near& n : d.interaction.near.of(at)) {
    if (static_cast<double>(n.distance) > def.range) continue;
    const Vec way = minus(d.frame.position[n.index], d.frame.position[at]);
    if (dot(way, nose) < half * math::sqrt(dot(way, way))) continue;
    if (def.line_of_sight && !line_of_sight(d.def.environment, d.frame.position[at], d.frame.position[n.index])) continue;
    seen.push_back(n);
  }
  // the nearest ones, and those in the order of ids
  if (seen.size() > kMostSeen) {
    std::sort(seen.begin(), seen.end(), [](const Near& a, const Near& b) { return a.distance != b.distance ? a.distance < b.distance : a.index < b.index; });
    seen.resize(kMostSeen);
    std::sort(seen.begin(), seen.end(), [](const Near& a, const Near& b) { return a.index < b.index; });
  }
  std::vector<swarm::Detection> list;
  for (const Near& n : seen) {
    const Vec &p = d.frame.position[n.index], &v = d.frame.velocity[n.index];
    list.push_back({d.frame.id[n.index], swarm::topic(d.flocks[d.frame.flock[n.index]].def.airframe.name), {p[0], p[1], p[2]}, {v[0], v[1], v[2]}});
  }
  return list;
}

// events for sightings of vehicles of another flock that were not in sight at the last look
void tell_sightings(Data& d, std::size_t at, const std::vector<swarm::Detection>& before, const std::vector<swarm::Detection>& now) {
  for (const swarm::Detection& s : now) {
    const std::uint32_t other = d.frame.find(s.object);
    const bool known = std::any_of(before.begin(), before.end(), [&](const swarm::Detection& b) { return b.object == s.object; });
    if (known || d.frame.flock[other] == d.frame.flock[at]) continue;
    add_event(d, id_of(d, at), name_of(d, at), fmt::format("sees: {} at {}", name_of(d, other), place_of(d.frame.position[other])));
  }
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

void prepare_interaction(Data& d) {
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    d.interaction.touches = d.interaction.touches || d.flocks[k].def.node.contact.policy != ContactPolicy::Ignore;
    d.interaction.detects = d.interaction.detects || d.societies[k].detect_every > 0;
  }
}

void touch(Data& d) {
  const bool needed = d.interaction.touches || d.interaction.detects || d.air.medium != nullptr || d.judging.looks();
  if (!needed) return;
  const std::vector<Vec> before = d.interaction.touches ? d.frame.velocity : std::vector<Vec>{};
  const bool same = d.frame.roster == d.roster_version;
  refresh_frame(d);
  if (!d.interaction.touches) return;
  std::vector<VehicleId> lost;
  touch_each_other(d, lost);
  touch_ground(d, same ? before : std::vector<Vec>{}, lost);
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  for (const VehicleId id : lost) remove(d, id);
  if (!lost.empty()) refresh_frame(d);
}

void detect(Data& d) {
  if (!d.interaction.detects) return;
  double range = 0;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const Society& s = d.societies[k];
    if (s.detect_every > 0 && d.tick % s.detect_every == 0) range = std::max(range, d.flocks[k].def.node.detection.range);
  }
  if (range <= 0) return;
  d.interaction.near.find(d.frame.position, d.frame.world, range, *d.pool);
  std::vector<std::vector<swarm::Detection>> found(d.frame.size());
  auto looks = [&](std::size_t i) { return d.societies[d.frame.flock[i]].detect_every > 0 && d.tick % d.societies[d.frame.flock[i]].detect_every == 0; };
  each_part(*d.pool, d.frame.size(), [&](std::size_t first, std::size_t last, int) {
    for (std::size_t i = first; i < last; ++i)
      if (looks(i)) found[i] = look(d, i);
  });
  for (std::size_t i = 0; i < d.frame.size(); ++i) {
    if (!looks(i)) continue;
    std::vector<swarm::Detection>& seen = d.societies[d.frame.flock[i]].seen[d.frame.slot[i]];
    tell_sightings(d, i, seen, found[i]);
    seen = std::move(found[i]);
  }
}

}  // namespace volary::engine
