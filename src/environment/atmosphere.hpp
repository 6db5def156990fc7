// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The U.S. Standard Atmosphere 1976 (NASA-TM-X-74335) from 5 km below sea level to 86 km, and air that is warmer, colder, denser or
// moister than that. Layers lie by geopotential height; above the last one the air goes on at its temperature.
#pragma once

#include "math/functions.hpp"

namespace volary::inline VOLARY_ISA::environment {

using namespace math;

inline constexpr double kStandardGravity = 9.80665;             // m/s2, of geopotential heights and of the standard atmosphere
inline constexpr double kGasConstantAir = 8314.32 / 28.9644;    // J/(kg K): the standard's universal constant over the mass of air
inline constexpr double kHeatRatioAir = 1.4;                    // -
inline constexpr double kGeopotentialRadius = 6356766;          // m
inline constexpr double kSeaLevelPressure = 101325;             // Pa
inline constexpr double kSeaLevelDensity = 1.225;               // kg/m3, as printed; what airframes are measured in
inline constexpr double kSeaLevelSpeedOfSound = 340.294;        // m/s, as printed
inline constexpr int kAtmosphereLayers = 8;

// how the air differs from the standard
struct AirOffsets {
  double temperature = 0;  // K, added at every height
  double pressure = 0;     // Pa, added at sea level
  double humidity = 0;     // 0 to 1, relative to saturation over water, the same up to the tropopause; none above
};

// One layer: with d the height above its base, T = temperature (1 + slope d) and p = pressure exp(decay d + exponent log(1 + slope d)).
// A layer with a gradient has no decay, one of constant temperature no exponent: one formula without a choice between two.
template <class S> struct AirLayer {
  S base;         // m, geopotential
  S temperature;  // K, at the base; the scale temperature of the standard (it differs from the kinetic one by 0.04 % at 86 km)
  S slope;        // 1/m
  S pressure;     // Pa, at the base
  S exponent;     // -
  S decay;        // 1/m
};

template <class S> struct Atmosphere {
  AirLayer<S> layers[kAtmosphereLayers];
  S humidity;
};

template <class T> struct Air {
  T temperature;     // K
  T pressure;        // Pa
  T density;         // kg/m3
  T speed_of_sound;  // m/s
};

template <class T> VOLARY_HD T geopotential_from_geometric(T height) {
  const T radius = splat<T>(kGeopotentialRadius);
  return radius * height / (radius + height);
}
template <class T> VOLARY_HD T geometric_from_geopotential(T height) {
  const T radius = splat<T>(kGeopotentialRadius);
  return radius * height / (radius - height);
}

// The layers in hydrostatic balance: a warm column is a tall one, so the pressure at the base of a layer depends on the offsets too.
inline Atmosphere<double> make_atmosphere(const AirOffsets& offsets) {
  // base height in m, gradient in K/m (table 4 of the standard); the last is where the standard changes its method, here it goes on evenly
  constexpr double bases[kAtmosphereLayers] = {0, 11000, 20000, 32000, 47000, 51000, 71000, 84852};
  constexpr double gradients[kAtmosphereLayers] = {-0.0065, 0, 0.001, 0.0028, 0, -0.0028, -0.002, 0};
  Atmosphere<double> a{};
  a.humidity = offsets.humidity;
  double temperature = 288.15 + offsets.temperature, pressure = kSeaLevelPressure + offsets.pressure;
  for (int i = 0; i < kAtmosphereLayers; ++i) {
    const bool even = gradients[i] == 0;
    a.layers[i] = {bases[i],
                   temperature,
                   gradients[i] / temperature,
                   pressure,
                   even ? 0 : -kStandardGravity / (kGasConstantAir * gradients[i]),
                   even ? -kStandardGravity / (kGasConstantAir * temperature) : 0};
    if (i + 1 == kAtmosphereLayers) break;
    const double depth = bases[i + 1] - bases[i], ratio = 1 + a.layers[i].slope * depth;
    pressure *= math::exp(a.layers[i].decay * depth + a.layers[i].exponent * math::log(ratio));
    temperature += gradients[i] * depth;
  }
  return a;
}

template <class S> Atmosphere<S> atmosphere_as(const Atmosphere<double>& a) {
  Atmosphere<S> out{};
  for (int i = 0; i < kAtmosphereLayers; ++i) {
    const AirLayer<double>& l = a.layers[i];
    out.layers[i] = {static_cast<S>(l.base),     static_cast<S>(l.temperature), static_cast<S>(l.slope),
                     static_cast<S>(l.pressure), static_cast<S>(l.exponent),    static_cast<S>(l.decay)};
  }
  out.humidity = static_cast<S>(a.humidity);
  return out;
}

template <class T> VOLARY_HD AirLayer<T> splat_layer(const AirLayer<Scalar<T>>& l) {
  return {T(l.base), T(l.temperature), T(l.slope), T(l.pressure), T(l.exponent), T(l.decay)};
}

// temperature and pressure where every lane is known to lie in one of the first kCount layers
template <int kCount, class T> VOLARY_HD void layered_air(const Atmosphere<Scalar<T>>& a, T height, T& temperature, T& pressure) {
  AirLayer<T> l = splat_layer<T>(a.layers[0]);
  for (int i = 1; i < kCount; ++i) {
    const AirLayer<T> next = splat_layer<T>(a.layers[i]);
    const Mask<T> above = height >= next.base;
    l = {select(above, next.base, l.base),         select(above, next.temperature, l.temperature), select(above, next.slope, l.slope),
         select(above, next.pressure, l.pressure), select(above, next.exponent, l.exponent),       select(above, next.decay, l.decay)};
  }
  const T depth = height - l.base;
  const T ratio = fma(l.slope, depth, splat<T>(1));
  temperature = l.temperature * ratio;
  pressure = l.pressure * exp(fma(l.exponent, log(ratio), l.decay * depth));
}

// the pressure of vapour that saturates air over water, Pa (Alduchov and Eskridge 1996, eq. 21: within 0.4 % from -40 to 50 degrees Celsius)
template <class T> VOLARY_HD T saturation_pressure(T temperature) {
  const T celsius = temperature - splat<T>(273.15);
  return splat<T>(610.94) * exp(splat<T>(17.625) * celsius / (celsius + splat<T>(243.04)));
}

// The air at a geopotential height in m. Below 11 and 20 km the higher layers are not looked at, which changes no bit.
template <class T> VOLARY_HD Air<T> air_at(const Atmosphere<Scalar<T>>& a, T height) {
  Air<T> air;
  const T lowest = splat<T>(-5000);
  const T h = max(height, lowest);
  if (all(h < T(a.layers[1].base)))
    layered_air<1>(a, h, air.temperature, air.pressure);
  else if (all(h < T(a.layers[2].base)))
    layered_air<2>(a, h, air.temperature, air.pressure);
  else
    layered_air<kAtmosphereLayers>(a, h, air.temperature, air.pressure);

  // vapour is lighter than air: 1 - 0.622 of its pressure is missing from the weight. Pressure itself stays that of the dry column
  T specific = splat<T>(kGasConstantAir) * air.temperature;  // p / density
  if (a.humidity > Scalar<T>(0)) {
    const T vapour = select(h < T(a.layers[1].base), T(a.humidity) * saturation_pressure(air.temperature), splat<T>(0));
    specific = specific / fma(splat<T>(-0.37802), vapour / air.pressure, splat<T>(1));
  }
  air.density = air.pressure / specific;
  air.speed_of_sound = sqrt(splat<T>(kHeatRatioAir) * specific);
  return air;
}

// dynamic viscosity, Pa s (Sutherland's law, eq. 51 of the standard)
template <class T> VOLARY_HD T viscosity(T temperature) { return splat<T>(1.458e-6) * temperature * sqrt(temperature) / (temperature + splat<T>(110.4)); }

// the geopotential height at which the standard atmosphere has this pressure: what a barometer shows; below 11 km
template <class T> VOLARY_HD T pressure_height(T pressure) {
  const T power = splat<T>(0.0065 * kGasConstantAir / kStandardGravity);
  return splat<T>(288.15 / 0.0065) * (splat<T>(1) - pow(pressure * splat<T>(1 / kSeaLevelPressure), power));
}

}  // namespace volary::inline VOLARY_ISA::environment
