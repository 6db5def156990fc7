// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "sensors/site.hpp"

#include "environment/weather.hpp"

namespace volary::inline VOLARY_ISA::sensors {

Site<double> make_site(const EnvironmentDef& e) {
  EnvironmentDef placed = e;
  if (!placed.weather.origin) placed.weather.origin = kSiteOrigin;
  const environment::EarthDef earth = weather::earth_def(placed);
  Site<double> s{};
  s.magnetic = environment::local_magnetic(magnetic::wmm2025(), environment::local_frame(environment::kWgs84, earth.origin), earth.year);
  s.atmosphere = environment::make_atmosphere(earth.air);
  s.gravity = e.gravity;
  s.origin_height = earth.origin.height;
  const double pressure = environment::air_at<double>(s.atmosphere, environment::geopotential_from_geometric(s.origin_height)).pressure;
  s.origin_pressure_height = environment::geometric_from_geopotential(environment::pressure_height(pressure));
  s.ground_height = e.ground_height;
  return s;
}

}  // namespace volary::inline VOLARY_ISA::sensors
