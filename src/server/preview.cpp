// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/preview.hpp"

#include <algorithm>

#include "math/functions.hpp"
#include "scenario/minimum_snap.hpp"
#include "scenario/scene.hpp"

namespace volary::server {

namespace {

using Json = nlohmann::json;

constexpr double kTwoPi = 6.283185307179586;
constexpr int kCurvePoints = 96;            // of one period
constexpr std::size_t kMostPoints = 2'000;  // of a path

// to a tenth of a millimetre: short texts, and nobody sees the rest
double shorten(double x) { return math::round(x * 1e4) / 1e4; }
Json point(const Vec& p) { return Json::array({shorten(p[0]), shorten(p[1]), shorten(p[2])}); }

// once round the slowest axis
Json curve_of(const Harmonic& h) {
  Json curve = Json::array();
  double slowest = 0, fastest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double rate = math::abs(h.rate[k]);
    if (rate == 0 || h.amplitude[k] == 0) continue;
    slowest = slowest == 0 ? rate : std::min(slowest, rate);
    fastest = std::max(fastest, rate);
  }
  if (slowest == 0) return curve;
  const int n = static_cast<int>(std::min(1000.0, kCurvePoints * (math::floor(fastest / slowest) + 1)));
  for (int i = 0; i <= n; ++i) {
    const double t = kTwoPi / slowest * i / n;
    Vec p{};
    for (std::size_t k = 0; k < 3; ++k) {
      double sine, cosine;
      math::sincos(h.rate[k] * t + h.phase[k], sine, cosine);
      p[k] = h.amplitude[k] * sine;
    }
    curve.push_back(point(p));
  }
  return curve;
}

Json curve_of(const Path& path) {
  Json curve = Json::array();
  const std::size_t pieces = path.pieces.size();
  const std::size_t each = std::clamp<std::size_t>(kMostPoints / std::max<std::size_t>(1, pieces), 1, 16);
  auto add = [&](const PathPiece& piece, double s) {
    Vec p{};
    for (std::size_t k = 0; k < 3; ++k) p[k] = scenario::derivatives(piece.coefficient[k], s)[0];
    curve.push_back(point(p));
  };
  for (const PathPiece& piece : path.pieces)
    for (std::size_t i = 0; i < each; ++i) add(piece, piece.duration * static_cast<double>(i) / static_cast<double>(each));
  if (pieces > 0) add(path.pieces.back(), path.pieces.back().duration);
  return curve;
}

void add_vehicles(const WorldDef& def, const FlockDef& flock, std::size_t room, Json& out) {
  Json starts = Json::array(), centres = Json::array();
  for (std::size_t i = 0; i < std::min(room, flock.vehicles.size()); ++i) {
    const VehicleDef& v = flock.vehicles[i];
    Json start = point(v.position_W);
    start.push_back(shorten(v.yaw));
    starts.push_back(std::move(start));
    centres.push_back(point(v.centre_W));
  }
  out["count"] = flock.vehicles.size();
  out["starts"] = std::move(starts);
  out["centres"] = std::move(centres);
  out["curve"] = Json::array();
  if (flock.vehicles.empty()) return;
  const VehicleDef& first = flock.vehicles.front();
  out["curve"] = first.path >= 0 ? curve_of(def.paths[static_cast<std::size_t>(first.path)]) : curve_of(first.harmonic);
}

}  // namespace

Json preview_of(const WorldDef& def) {
  Json preview = scenario::scene_of(def);
  preview["name"] = def.name;
  preview["seed"] = std::to_string(def.seed);
  preview["duration"] = def.duration;
  std::size_t room = kMostPreviewed;
  for (std::size_t i = 0; i < def.flocks.size(); ++i) {
    add_vehicles(def, def.flocks[i], room, preview["flocks"][i]);
    room -= std::min(room, def.flocks[i].vehicles.size());
  }
  return preview;
}

}  // namespace volary::server
