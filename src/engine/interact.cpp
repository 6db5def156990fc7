// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/interact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/data.hpp"
#include "engine/swept.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

constexpr std::size_t kMostSeen = 32;

// what all vehicles of a flock have in common when they look
struct Eye {
  std::uint64_t every = 0; // ticks between looks; 0: never
  double range = 0;        // m
  double half = -1;        // cosine of half the field of view
  int attitude = -1;       // row
  std::uint32_t kind = 0;  // what its vehicles look like to others
};
std::vector<Eye> eyes_of(const Data& d) {
  std::vector<Eye> eyes(d.flocks.size());
  for (std::size_t k = 0; k < eyes.size(); ++k) {
    const Flock& f = d.flocks[k];
    const ColumnInfo* attitude = f.find_column("attitude");
    eyes[k] = {d.societies[k].detect_every, f.def.node.detection.range, math::cos(0.5 * std::min(f.def.node.detection.field_of_view, 6.283185307179586)),
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

std::string place_text(const Vec& p) { return fmt::format("({:.2f}, {:.2f}, {:.2f}) m ENU", p[0], p[1], p[2]); }

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

void detect(Data& d) {
  if (!d.interaction.detects) return;
  const std::vector<Eye> eyes = eyes_of(d);
  const WorldTime time(d);
  const auto looks_at = [](const Eye& eye, std::uint64_t tick) { return eye.every > 0 && tick % eye.every == 0; };
  if (time.is_shared() && std::none_of(eyes.begin(), eyes.end(), [&](const Eye& eye) { return looks_at(eye, time.shared()); })) return;
  const Frame& frame = d.frame;
  double range = 0;
  std::vector<std::uint8_t>& looks = d.interaction.looks;
  looks.resize(frame.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Eye& eye = eyes[frame.flock[i]];
    looks[i] = looks_at(eye, time.of_world(frame.world[i])) ? 1 : 0;
    if (looks[i] != 0) range = std::max(range, eye.range);
  }
  if (range <= 0) return;
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
      {
      const Flock &mine = d.flocks[frame.flock[at]], &theirs = d.flocks[frame.flock[other]];
      add_event(d, mine.ids[frame.slot[at]], mine.names[frame.slot[at]],
                fmt::format("sees: {} at {}", theirs.names[frame.slot[other]], place_text(frame.position[other])));
    }
}

}  // namespace volary::engine
