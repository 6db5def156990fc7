// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The weather of a world, as plain data: where on the Earth it lies, its air, and what moves that air beside the mean wind of EnvironmentDef. A world in
// which nothing of this is given is plain: one wind for all, air as at sea level. docs/environment.md says what each part does.
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

using Vec = std::array<double, 3>;

enum class ShearLaw { None, Log, Power };
enum class TurbulenceModel { None, Dryden, VonKarman };
enum class Severity { Light, Moderate, Severe };  // of MIL-F-8785C

// Where the origin of the local axes lies. Degrees, as maps write them.
struct OriginDef {
  double latitude = 0, longitude = 0;  // deg, north and east are positive
  double height = 0;                   // m above the ellipsoid of WGS-84, which counts as sea level

  friend bool operator==(const OriginDef&, const OriginDef&) = default;
};

// How the air differs from the U.S. Standard Atmosphere 1976.
struct AtmosphereDef {
  bool standard = false;   // the air thins with height; also where there is an origin or an offset
  double temperature = 0;  // K, added at every height
  double pressure = 0;     // Pa, added at sea level
  double humidity = 0;     // 0 to 1, relative

  friend bool operator==(const AtmosphereDef&, const AtmosphereDef&) = default;
};

// How the mean wind grows with height above the ground.
struct ShearDef {
  ShearLaw law = ShearLaw::None;
  double reference_height = 6.096;  // m, where the mean wind is as given: 20 ft
  double roughness = 0.0457;        // m, log law
  double exponent = 0.143;          // -, power law
  double top = 304.8;               // m, above which it no longer grows

  friend bool operator==(const ShearDef&, const ShearDef&) = default;
};

// SIGMA eq. 9: V0 exp(-alpha t) + d exp(-beta t); zeros: the wind stays.
struct FadingDef {
  double mean = 0, local = 0;  // 1/s: alpha, beta

  friend bool operator==(const FadingDef&, const FadingDef&) = default;
};

struct TurbulenceDef {
  TurbulenceModel form = TurbulenceModel::None;
  double intensity = 7.717;            // m/s: the wind at 20 ft that sets the strength below 1000 ft; 15 knots is light
  Severity severity = Severity::Light;  // which curve holds above 2000 ft
  double sigma = 0;                    // m/s on each axis, the same everywhere; 0: by height, as specified
  double length = 50;                  // m, of the eddies, with sigma

  friend bool operator==(const TurbulenceDef&, const TurbulenceDef&) = default;
};

// A single gust of 1-cosine shape; environment/wind.hpp has the formula.
struct GustDef {
  Vec amplitude = {0, 0, 0};  // m/s
  Vec start = {0, 0, 0};      // m
  Vec ahead = {0, 0, 0};      // direction in which it builds up; zeros: at all places at the same time
  double speed = 0;           // m/s, by which whoever stands still gets into it; 0: it stands in the air
  double begins = 0;          // s
  double length = 10;         // m, from nothing to the whole
  bool returns = false;       // and down again over the same length

  friend bool operator==(const GustDef&, const GustDef&) = default;
};

struct WeatherDef {
  std::optional<OriginDef> origin;
  bool curved = false;      // the ground falls away from the plane of the origin
  double year = 2026;       // decimal: for the magnetic field, and for the sun that the page draws
  double time_of_day = 12;  // h at the start, by the sun
  AtmosphereDef atmosphere;
  ShearDef shear;
  FadingDef fading;
  TurbulenceDef turbulence;
  std::vector<GustDef> gusts;  // at most 8
  std::string wind_field;      // name of the file
  std::shared_ptr<const wind_field::Grid> grid;  // what is in it

  friend bool operator==(const WeatherDef&, const WeatherDef&) = default;
};

// The air at a place and now.
struct AirSample {
  Vec wind_W = {0, 0, 0};      // m/s
  double density = 1.225;      // kg/m3
  double temperature = 288.15; // K
  double pressure = 101325;    // Pa
  Vec magnetic_W = {0, 0, 0};  // nT; zeros where the world has no origin
};

}  // namespace volary
