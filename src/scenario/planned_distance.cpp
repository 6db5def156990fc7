// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/planned_distance.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "vehicles/model.hpp"

namespace volary::scenario {

namespace {

constexpr double kSampling = 0.1;         // s
constexpr double kMostPositions = 2'000'000;  // a second of work

struct Flyer {
  const FlockDef* flock;
  const VehicleDef* vehicle;
  std::size_t number;
  double radius;  // m
};
struct Place {
  Vec at;
  std::size_t flyer;
};

double radius_of(const FlockDef& f) {
  if (f.node.contact.radius > 0) return f.node.contact.radius;
  const engine::ModelHost* model = engine::find_model(f.airframe.model);
  if (model == nullptr || f.airframe.definition == nullptr) return 0;
  const Vec half = model->extent(f.airframe.definition.get());
  return std::max({half[0], half[1], half[2]});
}

std::vector<Flyer> flyers_of(const WorldDef& def) {
  std::vector<Flyer> list;
  for (const FlockDef& f : def.flocks) {
    if (!f.node.behaviours.empty()) continue;
    const double radius = radius_of(f);
    for (std::size_t k = 0; k < f.vehicles.size(); ++k)
      if (f.vehicles[k].mode == Mode::Mission) list.push_back({&f, &f.vehicles[k], k, radius});
  }
  return list;
}

// where a mission asks a vehicle to be, `t` seconds after its start (control/guide.hpp flies the same curves)
Vec on_curve(const VehicleDef& v, double t) {
  const Harmonic& h = v.harmonic;
  const double run = t < h.ramp ? 0.5 * t * t / h.ramp : t - 0.5 * h.ramp;
  Vec at = v.centre_W;
  for (std::size_t k = 0; k < 3; ++k) at[k] += h.amplitude[k] * math::sin(h.rate[k] * run + h.phase[k]);
  return at;
}
Vec on_path(const VehicleDef& v, const Path& path, double t) {
  double length = 0;
  for (const PathPiece& p : path.pieces) length += p.duration;
  if (path.loop && length > 0) t -= length * math::floor(t / length);
  Vec at = v.centre_W;
  for (std::size_t n = 0; n < path.pieces.size(); ++n) {
    const PathPiece& p = path.pieces[n];
    if (t > p.duration && n + 1 < path.pieces.size()) {
      t -= p.duration;
      continue;
    }
    const double s = std::min(t, p.duration);
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (std::size_t c = p.coefficient[k].size(); c-- > 0;) sum = sum * s + p.coefficient[k][c];
      at[k] += sum;
    }
    break;
  }
  return at;
}
Vec planned(const WorldDef& def, const VehicleDef& v, double time) {
  const double t = std::max(0.0, time - v.start_delay);
  return v.path < 0 ? on_curve(v, t) : on_path(v, def.paths[static_cast<std::size_t>(v.path)], t);
}

std::string name_of(const Flyer& f) { return f.vehicle->name.empty() ? fmt::format("{}[{}]", f.flock->name, f.number) : f.vehicle->name; }

}  // namespace

std::optional<PlannedPass> closest_planned_pass(const WorldDef& def) {
  const std::vector<Flyer> flyers = flyers_of(def);
  if (flyers.size() < 2) return std::nullopt;
  double widest = 0;
  for (const Flyer& f : flyers) widest = std::max(widest, f.radius);
  const double step = std::max(kSampling, def.duration * static_cast<double>(flyers.size()) / kMostPositions);
  std::optional<PlannedPass> worst;
  std::vector<Place> places(flyers.size());
  for (double time = 0; time <= def.duration; time += step) {
    for (std::size_t k = 0; k < flyers.size(); ++k) places[k] = {planned(def, *flyers[k].vehicle, time), k};
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.at[0] < b.at[0]; });
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = i + 1; j < places.size() && places[j].at[0] - places[i].at[0] < 2 * widest; ++j) {
        const Flyer &a = flyers[places[i].flyer], &b = flyers[places[j].flyer];
        if (a.vehicle->world != b.vehicle->world) continue;
        const double x = places[j].at[0] - places[i].at[0], y = places[j].at[1] - places[i].at[1], z = places[j].at[2] - places[i].at[2];
        const double distance = math::sqrt(x * x + y * y + z * z), radii = a.radius + b.radius;
        if (distance >= radii || (worst && distance / radii >= worst->distance / worst->radii)) continue;
        const bool in_order = places[i].flyer < places[j].flyer;
        worst = PlannedPass{name_of(in_order ? a : b), name_of(in_order ? b : a), distance, radii, time};
      }
  }
  return worst;
}

}  // namespace volary::scenario
