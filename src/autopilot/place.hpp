// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where a world lies on the Earth. Messages of autopilots give latitude, longitude and height; the world is a plane that touches the
// ellipsoid of WGS-84 at its origin, as everywhere in Volary.
#pragma once

#include <optional>

#include "environment/geodesy.hpp"
#include "volary/def.hpp"

namespace volary::autopilot {

// of a world whose scenario has no origin: a lawn in Zurich, the usual place of simulated autopilots
inline constexpr OriginDef kDefaultOrigin{47.397742, 8.545594, 488};

struct LatLon {
  double latitude = 0, longitude = 0;  // deg
  double altitude = 0;                 // m above the ellipsoid, which counts as sea level
};

class Place {
 public:
  explicit Place(const std::optional<OriginDef>& origin);

  LatLon on_earth(const Vec& position_W) const;
  Vec in_world(const LatLon& point) const;
  bool is_default() const { return is_default_; }

 private:
  environment::LocalFrame<double> frame_;
  bool is_default_;
};

// latitude and longitude as messages have them: in units of 1e-7 deg
std::int32_t degrees_e7(double degrees);

}  // namespace volary::autopilot
