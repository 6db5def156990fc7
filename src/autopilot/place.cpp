// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/place.hpp"

#include <cmath>

namespace volary::autopilot {

namespace {

constexpr double kRadians = 3.14159265358979323846 / 180;

environment::LocalFrame<double> frame_at(const OriginDef& o) {
  return environment::local_frame(environment::kWgs84, environment::Geodetic<double>{o.latitude * kRadians, o.longitude * kRadians, o.height});
}

}  // namespace

Place::Place(const std::optional<OriginDef>& origin) : frame_(frame_at(origin.value_or(kDefaultOrigin))), is_default_(!origin) {}

LatLon Place::on_earth(const Vec& position_W) const {
  const environment::Geodetic<double> g = environment::geodetic_from_enu(frame_, math::Vec3<double>{position_W[0], position_W[1], position_W[2]});
  return {g.latitude / kRadians, g.longitude / kRadians, g.height};
}

Vec Place::in_world(const LatLon& point) const {
  const math::Vec3<double> p =
      environment::enu_from_geodetic(frame_, environment::Geodetic<double>{point.latitude * kRadians, point.longitude * kRadians, point.altitude});
  return {p.x, p.y, p.z};
}

std::int32_t degrees_e7(double degrees) { return static_cast<std::int32_t>(std::llround(degrees * 1e7)); }

}  // namespace volary::autopilot
