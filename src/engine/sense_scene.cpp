// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a world that is not flat and empty puts in the way of sensors: ground and obstacles below, a part of the sky that is hidden, anchors out of sight.
#include <algorithm>

#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/ground.hpp"
#include "engine/interact.hpp"
#include "engine/senses.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "estimation/ekf.hpp"
#include "math/functions.hpp"
#include "sensors/timing.hpp"

namespace volary::engine {

namespace {

constexpr double kFar = 200;   // m: nothing farther away hides the sky
constexpr int kRays = 12;      // in three rings, 15, 35 and 60 degrees above the horizon

// how far the first solid thing is along a direction of length one; `far` where there is none
double first_solid(const EnvironmentDef& e, const Vec& from, const Vec& way, double far) {
  const Vec to = {from[0] + far * way[0], from[1] + far * way[1], from[2] + far * way[2]};
  double share = 1;
  if (e.terrain != nullptr)
    share = std::min(share, e.terrain->first_hit(from, to));
  else if (e.ground && way[2] < 0)
    share = std::min(share, std::max(0.0, (e.ground_height - from[2]) / (far * way[2])));
  if (e.obstacles != nullptr) share = std::min(share, e.obstacles->first_hit(from, to));
  return far * share;
}

double free_sky(const EnvironmentDef& e, const Vec& from) {
  constexpr double kElevation[3] = {0.2618, 0.6109, 1.0472};
  int free = 0;
  for (int k = 0; k < kRays; ++k) {
    double up, level, north, east;
    math::sincos(kElevation[k % 3], up, level);
    math::sincos(6.283185307179586 * k / kRays, north, east);
    free += first_solid(e, from, {level * east, level * north, up}, kFar) >= kFar ? 1 : 0;
  }
  return static_cast<double>(free) / kRays;
}

struct Pose {
  Vec position;
  std::array<double, 4> q = {1, 0, 0, 0};
  Vec turned(const Vec& v) const {
    const auto [w, x, y, z] = q;
    const Vec t = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    return {v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]};
  }
};
Pose pose_of(const Flock& f, std::size_t slot) {
  Pose p{f.vec(slot, *f.shown.position)};
  if (f.shown.attitude != nullptr)
    for (int k = 0; k < 4; ++k) p.q[static_cast<std::size_t>(k)] = f.value(slot, f.shown.attitude->row + k);
  return p;
}

// one vehicle
class Looker {
 public:
  Looker(const EnvironmentDef& e, Flock& f, std::size_t slot) : e_(e), f_(f), s_(*f.senses), slot_(slot), pose_(pose_of(f, slot)) {}

  void look(std::uint64_t now, bool all) {
    const auto is_due = [&](int sensor) {
      const SensePlace& p = s_.layout.sensors[sensor];
      return p.ring >= 0 && (all || sensors::is_due({p.period, p.phase, p.latency}, now));
    };
    if (is_due(estimation::kGnss) && (all || now % s_.look_every < s_.layout.sensors[estimation::kGnss].period)) put(estimation::kGnss, free_sky(e_, pose_.position));
    if (is_due(estimation::kRangeFinder)) put(estimation::kRangeFinder, along(f_.def.sensors.range_finder->direction_B, f_.def.sensors.range_finder->max));
    if (is_due(estimation::kOpticalFlow)) put(estimation::kOpticalFlow, along({0, 0, -1}, f_.def.sensors.optical_flow->max));
    if (is_due(estimation::kUwbAnchors)) put_word(estimation::kUwbAnchors, hidden_anchors());
    if (s_.layout.ground >= 0) write_scalar(at(s_.layout.ground), f_.bytes, std::max(height_below(e_, pose_.position), -1e6));
  }

 private:
  std::byte* at(int row) { return s_.rows.data() + element_offset(slot_, s_.layout.rows, row, f_.bytes); }
  void put(int sensor, double x) { write_scalar(at(s_.layout.sensors[sensor].scene), f_.bytes, x); }
  void put_word(int sensor, std::uint64_t x) { write_word(at(s_.layout.sensors[sensor].scene), f_.bytes, x); }
  // beyond its reach a range finder sees nothing
  double along(const Vec& direction_B, double reach) const {
    const double length = math::sqrt(direction_B[0] * direction_B[0] + direction_B[1] * direction_B[1] + direction_B[2] * direction_B[2]);
    const Vec way = pose_.turned({direction_B[0] / length, direction_B[1] / length, direction_B[2] / length});
    const double far = 2 * reach + 1;
    return first_solid(e_, pose_.position, way, far);
  }
  std::uint64_t hidden_anchors() const {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < e_.anchors.size() && k < kMostAnchors; ++k)
      if (!line_of_sight(e_, pose_.position, e_.anchors[k].position_W)) bits |= std::uint64_t{1} << k;
    return bits;
  }

  const EnvironmentDef& e_;
  Flock& f_;
  Senses& s_;
  std::size_t slot_;
  Pose pose_;
};

bool something_is_due(const Senses& s, std::uint64_t now) {
  return s.layout.ground >= 0 ||
         std::any_of(std::begin(s.layout.sensors), std::end(s.layout.sensors), [&](const SensePlace& p) { return p.ring >= 0 && sensors::is_due({p.period, p.phase, p.latency}, now); });
}

}  // namespace

void look_around(const EnvironmentDef& e, Flock& f, std::size_t slot, std::uint64_t now, bool all) { Looker(e, f, slot).look(now, all); }

void look_around(const Data& d, Flock& f, Stretch blocks) {
  const WorldTime time(d);
  if (time.is_shared() && !something_is_due(*f.senses, time.shared() + 1)) return;
  for (std::size_t slot = blocks.first * kBlock; slot < std::min(f.slots, blocks.last * kBlock); ++slot)
    if (f.ids[slot] && (!d.shared.is_on() || f.owners[slot] == d.shared.member)) look_around(d.def.environment, f, slot, time.of(f, slot) + 1, false);
}

}  // namespace volary::engine
