// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Gravity: normal gravity of WGS-84 by latitude and height, for what stands on the Earth; gravitation of a round or oblate Earth in Cartesian
// coordinates, for geodetic runs. Normal gravity includes the pull of the Earth's turning, gravitation does not.
#pragma once

#include "environment/geodesy.hpp"

namespace volary::inline VOLARY_ISA::environment {

inline constexpr double kEarthGm = 3.986004418e14;         // m3/s2, with the atmosphere (NIMA TR8350.2, table 3.1)
inline constexpr double kEarthJ2 = 1.08262982e-3;          // -, from the second zonal coefficient of WGS-84
inline constexpr double kGravityEquator = 9.7803253359;    // m/s2, normal gravity on the ellipsoid
inline constexpr double kSomigliana = 0.00193185265241;    // -
inline constexpr double kGravityRatio = 0.00344978650684;  // -, omega2 a2 b / GM

// Normal gravity in m/s2, downwards along the vertical of the ellipsoid, at a latitude and a height in m (Somigliana's formula and the second-
// order continuation upwards, NIMA TR8350.2 eq. 4-1 and 4-3). Within 1e-6 m/s2 up to 20 km.
template <class T> VOLARY_HD T normal_gravity(T latitude, T height) {
  constexpr double a = kWgs84.equatorial_radius, f = kWgs84.flattening;
  const T s = sin(latitude), s2 = s * s, one = splat<T>(1);
  const T surface = splat<T>(kGravityEquator) * fma(splat<T>(kSomigliana), s2, one) / sqrt(fma(splat<T>(-kWgs84.eccentricity2()), s2, one));
  const T first = fma(splat<T>(4 * f / a), s2, splat<T>(-2 / a * (1 + f + kGravityRatio)));
  return surface * fma(height, fma(height, splat<T>(3 / (a * a)), first), one);
}

// The same near one place: g and its slope with height at an origin; for vehicles of one world the change with latitude (below 1e-5 m/s2 in a
// kilometre) and the second order (1e-4 m/s2 at 10 km) are left out.
template <class S> struct LocalGravity {
  S at_origin;   // m/s2
  S per_height;  // 1/s2, negative
};
inline LocalGravity<double> local_gravity(double latitude, double height) {
  constexpr double step = 100;
  const double slope = (normal_gravity(latitude, height + step) - normal_gravity(latitude, height - step)) / (2 * step);
  return {normal_gravity(latitude, height), slope};
}
template <class T> VOLARY_HD T gravity_at(const LocalGravity<Scalar<T>>& g, T up) { return fma(T(g.per_height), up, T(g.at_origin)); }

// gravitation of a round Earth at a place from its centre (any axes), m/s2
template <class T> VOLARY_HD Vec3<T> round_gravitation(const Vec3<T>& position) {
  const T r2 = dot(position, position);
  return (splat<T>(-kEarthGm) / (r2 * sqrt(r2))) * position;
}

// Gravitation of an oblate Earth with its second zonal harmonic (J2), m/s2; z is the axis of the Earth, so ECEF and ECI will do alike.
template <class T> VOLARY_HD Vec3<T> j2_gravitation(const Vec3<T>& position) {
  const T r2 = dot(position, position);
  const T inverse = splat<T>(1) / r2;
  const T pull = splat<T>(-kEarthGm) * inverse / sqrt(r2);
  const T bulge = splat<T>(1.5 * kEarthJ2 * kWgs84.equatorial_radius * kWgs84.equatorial_radius) * inverse;
  const T sine2 = splat<T>(5) * position.z * position.z * inverse;  // 5 sin2 of the geocentric latitude
  const T across = pull * fma(bulge, splat<T>(1) - sine2, splat<T>(1));
  const T along = pull * fma(bulge, splat<T>(3) - sine2, splat<T>(1));
  return {across * position.x, across * position.y, along * position.z};
}

// what turning with the Earth adds, in ECEF, m/s2: gravity is gravitation and this
template <class T> VOLARY_HD Vec3<T> centrifugal(const Vec3<T>& position_E) {
  const T rate2 = splat<T>(kEarthRate * kEarthRate);
  return {rate2 * position_E.x, rate2 * position_E.y, splat<T>(0)};
}
template <class T> VOLARY_HD Vec3<T> coriolis(const Vec3<T>& velocity_E) {
  const T twice = splat<T>(2 * kEarthRate);
  return {twice * velocity_E.y, -(twice * velocity_E.x), splat<T>(0)};
}

}  // namespace volary::inline VOLARY_ISA::environment
