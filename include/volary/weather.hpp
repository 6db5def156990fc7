// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The weather of a world as plain data: its place on the Earth, its atmosphere, and the winds besides the mean wind of EnvironmentDef.
// A world without any of this is plain: one wind everywhere, and air as at sea level. docs/environment.md describes each part.
// SI units unless noted, world frame ENU.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volary::wind_field {
struct Grid;  // environment/wind_field.hpp
}

namespace volary {

// Three numbers, such as east, north and up.
using Vec = std::array<double, 3>;

// Growth of the mean wind with height: none, logarithmic, or a power law.
enum class ShearLaw { None, Log, Power };
// Spectrum of the turbulence.
enum class TurbulenceModel { None, Dryden, VonKarman };
// Severity of the turbulence above 2000 ft (MIL-F-8785C).
enum class Severity { Light, Moderate, Severe };

// The geographic position of the origin of the world frame.
struct OriginDef {
  double latitude = 0, longitude = 0;  // deg; north and east are positive
  double height = 0;                   // m above the ellipsoid of WGS-84, which counts as sea level

  friend bool operator==(const OriginDef&, const OriginDef&) = default;
};

// The difference of the air from the U.S. Standard Atmosphere 1976.
struct AtmosphereDef {
  bool standard = false;   // true: the air thins with height; an origin, an offset or humidity has the same effect
  double temperature = 0;  // K, added to the standard temperature at every height
  double pressure = 0;     // Pa, added to the standard pressure at sea level
  double humidity = 0;     // relative humidity, from 0 to 1

  friend bool operator==(const AtmosphereDef&, const AtmosphereDef&) = default;
};

// The growth of the mean wind with height above the ground.
struct ShearDef {
  ShearLaw law = ShearLaw::None;
  double reference_height = 6.096;  // m above the ground, where the mean wind is as given (20 ft)
  double roughness = 0.0457;        // m, roughness length of the log law
  double exponent = 0.143;          // -, exponent of the power law
  double top = 304.8;               // m above the ground, up to which the wind grows

  friend bool operator==(const ShearDef&, const ShearDef&) = default;
};

// The decay of the winds over time (SIGMA eq. 9): V0 exp(-alpha t) + d exp(-beta t). A rate of 0 means no decay.
struct FadingDef {
  double mean = 0, local = 0;  // 1/s: alpha of the mean wind, beta of the turbulence

  friend bool operator==(const FadingDef&, const FadingDef&) = default;
};

// A frozen turbulence field that the mean wind carries along.
struct TurbulenceDef {
  TurbulenceModel form = TurbulenceModel::None;
  double intensity = 7.717;            // m/s: wind speed at 20 ft that sets the strength below 1000 ft; 7.717 (15 knots) is light
  Severity severity = Severity::Light;  // severity above 2000 ft
  double sigma = 0;                    // m/s, standard deviation on each axis, the same everywhere; 0: by height, from intensity and severity
  double length = 50;                  // m, length scale of the eddies, used only where sigma is above 0

  friend bool operator==(const TurbulenceDef&, const TurbulenceDef&) = default;
};

// A single gust of 1-cosine shape; environment/wind.hpp has the formula.
struct GustDef {
  Vec amplitude = {0, 0, 0};  // m/s, world frame, of the fully developed gust
  Vec start = {0, 0, 0};      // m, world frame: point at which the gust begins
  Vec ahead = {0, 0, 0};      // direction in which the gust builds up; zeros: it reaches all places at the same time
  double speed = 0;           // m/s, speed of a moving front; 0: the gust stands in the air and vehicles fly into it
  double begins = 0;          // s: simulated time at which a moving front is at `start`
  double length = 10;         // m, distance over which the gust builds up from zero to full strength
  bool returns = false;       // true: the gust decays to zero again over the same length

  friend bool operator==(const GustDef&, const GustDef&) = default;
};

// All weather of a world.
struct WeatherDef {
  std::optional<OriginDef> origin;
  bool curved = false;      // true: heights of the air are counted from a curved Earth instead of the plane at the origin
  double year = 2026;       // decimal year, for the magnetic field and for the sun on the page
  double time_of_day = 12;  // h, solar time at the start
  AtmosphereDef atmosphere;
  ShearDef shear;
  FadingDef fading;
  TurbulenceDef turbulence;
  std::vector<GustDef> gusts;  // at most 8
  std::string wind_field;      // path of the CSV file of a wind field; empty: none
  std::shared_ptr<const wind_field::Grid> grid;  // contents of the wind field file

  friend bool operator==(const WeatherDef&, const WeatherDef&) = default;
};

// The air at one place and time.
struct AirSample {
  Vec wind_W = {0, 0, 0};      // m/s, velocity of the air
  double density = 1.225;      // kg/m3
  double temperature = 288.15; // K
  double pressure = 101325;    // Pa
  Vec magnetic_W = {0, 0, 0};  // nT; zeros when the world has no origin
};

}  // namespace volary
