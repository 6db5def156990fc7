// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/flight_trace.hpp"

#include <algorithm>
#include <utility>

#include "cli/flight.hpp"
#include "math/functions.hpp"

namespace volary::cli {

namespace {

double norm_of(const Vec& v) { return math::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

void add(FlightTrace::Spread& s, double x, std::size_t n) {
  if (n == 0) s = {x, 0, x};
  s.low = std::min(s.low, x);
  s.high = std::max(s.high, x);
  s.mean += (x - s.mean) / static_cast<double>(n + 1);
}

// Along the first axis, as far as the nearest pair so far.
double closest_of(std::vector<Vec>& places, double so_far) {
  std::sort(places.begin(), places.end());
  double least2 = so_far * so_far;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const double dx = places[j][0] - places[i][0], dy = places[j][1] - places[i][1], dz = places[j][2] - places[i][2];
      if (dx * dx >= least2) break;
      least2 = std::min(least2, dx * dx + dy * dy + dz * dz);
    }
  return math::sqrt(least2);
}

}  // namespace

void FlightTrace::begin(World& world, bool) {
  *this = {};
  const std::uint64_t planned = planned_ticks(world.def());
  tick_ = static_cast<double>(world.def().tick_ns) * 1e-9;
  every_ = std::max<std::uint64_t>(1, (planned + kMostSamples - 1) / kMostSamples);
  interval_ = static_cast<double>(every_) * tick_;
  errors_every_ = ticks_between_errors(world.n_vehicles());
  const std::size_t n_of_a_world = world.n_vehicles() / static_cast<std::size_t>(std::max(1, world.def().worlds));
  stride_ = std::max<std::size_t>(1, (n_of_a_world + kMostTracks - 1) / kMostTracks);
  look(world);
}

void FlightTrace::event(World&, const Event& event) {
  ++n_events_;
  if (events_.size() < kMostEvents) events_.push_back({event.tick, static_cast<double>(event.tick) * tick_, event.name, event.what});
}

void FlightTrace::after_tick(World& world) {
  if (world.tick() % errors_every_ == 0 && world.time() >= world.def().metrics_from)
    if (const Tracking now = world.tracking(); now.samples > 0) error_ = error_ == error_ ? std::max(error_, now.max) : now.max;
  if (world.tick() % every_ == 0) look(world);
}

void FlightTrace::restored(World& world) {
  const auto is_later = [&](const auto& x) { return x.tick > world.tick(); };
  std::erase_if(samples_, is_later);
  n_events_ -= std::erase_if(events_, is_later);
  for (Track& t : tracks_) std::erase_if(t.places, is_later);
  error_ = kNone;
}

void FlightTrace::end(World& world) {
  if (samples_.empty() || samples_.back().tick < world.tick()) look(world);
}

void FlightTrace::look(const World& world) {
  Sample s;
  s.tick = world.tick();
  s.time = world.time();
  s.error = std::exchange(error_, kNone);
  const auto n_worlds = static_cast<std::size_t>(std::max(1, world.def().worlds));
  std::vector<std::vector<Vec>> in_the_air(n_worlds);
  std::size_t n = 0;
  for (const VehicleId id : world.vehicles()) {
    if (!world.is_alive(id)) continue;
    const Vec p = world.position_of(id);
    const double speed = norm_of(world.velocity_of(id));
    add(s.up, p[2], n);
    add(s.speed, speed, n++);
    const std::uint32_t w = world.world_of(id);
    if (w == 0) follow(world, id, {s.tick, s.time, p[0], p[1], p[2], speed});
    if (!world.has_crashed(id) && !is_parked(world.mode_of(id))) in_the_air[w].push_back(p);
  }
  double closest = std::numeric_limits<double>::infinity();
  for (std::vector<Vec>& places : in_the_air) closest = closest_of(places, closest);
  if (closest < std::numeric_limits<double>::infinity()) s.closest = closest;
  samples_.push_back(s);
}

// At the first sample every stride-th vehicle, later those that come while there is room.
void FlightTrace::follow(const World& world, VehicleId id, const Place& place) {
  const std::size_t n_seen = track_of_.size();
  const auto [it, is_new] = track_of_.emplace(id.value, kMostTracks);
  if (is_new && n_seen % stride_ == 0 && tracks_.size() < kMostTracks) {
    it->second = tracks_.size();
    tracks_.push_back({world.name_of(id), {}});
  }
  if (it->second < tracks_.size()) tracks_[it->second].places.push_back(place);
}

}  // namespace volary::cli
