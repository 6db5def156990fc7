// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Places on the Earth: geodetic latitude, longitude and height on WGS-84 (NIMA TR8350.2) or on a sphere; Cartesian coordinates that turn
// with the Earth (ECEF) or do not (ECI); local east-north-up and north-east-down axes at an origin. Meant for double: a float holds
// half a metre at the Earth's radius.
#pragma once

#include "math/frames.hpp"
#include "math/functions.hpp"

namespace volary::inline VOLARY_ISA::environment {

using namespace math;

struct Ellipsoid {
  double equatorial_radius;  // m
  double flattening;         // -, zero for a sphere

  VOLARY_HD constexpr double eccentricity2() const { return flattening * (2 - flattening); }
  VOLARY_HD constexpr double polar_radius() const { return equatorial_radius * (1 - flattening); }
};

inline constexpr Ellipsoid kWgs84{6378137, 1 / 298.257223563};
// the sphere of the same area; also the round Earth of the NASA check cases (NASA/TM-2015-218675)
inline constexpr Ellipsoid kRoundEarth{6371007.1809, 0};
inline constexpr double kEarthRate = 7.292115e-5;  // rad/s, of the Earth against the stars

template <class T> struct Geodetic {
  T latitude;   // rad, north is positive
  T longitude;  // rad, east is positive
  T height;     // m above the ellipsoid
};

// the distance from the axis to the surface along the vertical: radius of curvature in the east-west plane, m
template <class T> VOLARY_HD T prime_vertical_radius(const Ellipsoid& e, T sin_latitude) {
  return splat<T>(e.equatorial_radius) / sqrt(fma(splat<T>(-e.eccentricity2()), sin_latitude * sin_latitude, splat<T>(1)));
}
// radius of curvature in the north-south plane, m
template <class T> VOLARY_HD T meridian_radius(const Ellipsoid& e, T sin_latitude) {
  const T w = fma(splat<T>(-e.eccentricity2()), sin_latitude * sin_latitude, splat<T>(1));
  return splat<T>(e.equatorial_radius * (1 - e.eccentricity2())) / (w * sqrt(w));
}
// of the sphere that fits best at this latitude (Gauss), m
template <class T> VOLARY_HD T mean_radius(const Ellipsoid& e, T sin_latitude) {
  return splat<T>(e.polar_radius()) / fma(splat<T>(-e.eccentricity2()), sin_latitude * sin_latitude, splat<T>(1));
}

template <class T> VOLARY_HD Vec3<T> ecef_from_geodetic(const Ellipsoid& e, const Geodetic<T>& g) {
  T sin_lat, cos_lat, sin_lon, cos_lon;
  sincos(g.latitude, sin_lat, cos_lat);
  sincos(g.longitude, sin_lon, cos_lon);
  const T n = prime_vertical_radius(e, sin_lat);
  const T across = (n + g.height) * cos_lat;
  return {across * cos_lon, across * sin_lon, fma(splat<T>(1 - e.eccentricity2()), n, g.height) * sin_lat};
}

// Bowring's iteration (Survey Review 23, 1976) on sine and cosine of the parametric latitude. Three rounds leave rounding errors only, from
// 50 km below the ground to geostationary orbit; within some 43 km of the Earth's centre a place has no unique latitude.
template <class T> VOLARY_HD Geodetic<T> geodetic_from_ecef(const Ellipsoid& e, const Vec3<T>& p) {
  const double b = e.polar_radius(), e2 = e.eccentricity2();
  const T across = sqrt(fma(p.x, p.x, p.y * p.y));
  const T pull_z = splat<T>(e2 / (1 - e2) * b), pull_across = splat<T>(-e2 * e.equatorial_radius), squeeze = splat<T>(1 - e.flattening);
  T up = p.z, out = across * squeeze;  // the direction of the parametric latitude
  T over = up, under = out;            // the direction of the geodetic one
  for (int round = 0; round < 3; ++round) {
    const T scale = splat<T>(1) / sqrt(fma(up, up, out * out));
    const T s = up * scale, c = out * scale;
    over = fma(pull_z * s, s * s, p.z);
    under = fma(pull_across * c, c * c, across);
    up = squeeze * over;
    out = under;
  }
  const T scale = splat<T>(1) / sqrt(fma(over, over, under * under));
  const T s = over * scale, c = under * scale;
  // the distance from the tangent plane: an error of the latitude does not reach it in first order
  const T height = fma(across, c, fma(p.z, s, splat<T>(-e.equatorial_radius) * sqrt(fma(splat<T>(-e2) * s, s, splat<T>(1)))));
  return {atan2(over, under), atan2(p.y, p.x), height};
}

// rows are the directions east, north and up at a place, in ECEF coordinates: the matrix turns ECEF vectors into ENU vectors
template <class T> VOLARY_HD Mat3<T> enu_axes(T latitude, T longitude) {
  T sin_lat, cos_lat, sin_lon, cos_lon;
  sincos(latitude, sin_lat, cos_lat);
  sincos(longitude, sin_lon, cos_lon);
  return {{-sin_lon, cos_lon, splat<T>(0)}, {-(sin_lat * cos_lon), -(sin_lat * sin_lon), cos_lat}, {cos_lat * cos_lon, cos_lat * sin_lon, sin_lat}};
}
template <class T> VOLARY_HD Mat3<T> ned_axes(T latitude, T longitude) {
  const Mat3<T> enu = enu_axes(latitude, longitude);
  return {enu.row1, enu.row0, -enu.row2};
}

// Local axes at a geodetic origin: flat, and at rest on the Earth. W is the world of a simulation (east, north, up), E is ECEF.
template <class T> struct LocalFrame {
  Ellipsoid ellipsoid;
  Geodetic<T> origin;
  Vec3<T> origin_E;  // m
  Mat3<T> R_WE;
};

template <class T> VOLARY_HD LocalFrame<T> local_frame(const Ellipsoid& e, const Geodetic<T>& origin) {
  return {e, origin, ecef_from_geodetic(e, origin), enu_axes(origin.latitude, origin.longitude)};
}
template <class T> VOLARY_HD Vec3<T> enu_from_ecef(const LocalFrame<T>& f, const Vec3<T>& position_E) { return f.R_WE * (position_E - f.origin_E); }
template <class T> VOLARY_HD Vec3<T> ecef_from_enu(const LocalFrame<T>& f, const Vec3<T>& position_W) {
  return f.origin_E + transpose_times(f.R_WE, position_W);
}
template <class T> VOLARY_HD Vec3<T> enu_from_geodetic(const LocalFrame<T>& f, const Geodetic<T>& g) {
  return enu_from_ecef(f, ecef_from_geodetic(f.ellipsoid, g));
}
template <class T> VOLARY_HD Geodetic<T> geodetic_from_enu(const LocalFrame<T>& f, const Vec3<T>& position_W) {
  return geodetic_from_ecef(f.ellipsoid, ecef_from_enu(f, position_W));
}
template <class T> VOLARY_HD Vec3<T> ned_from_geodetic(const LocalFrame<T>& f, const Geodetic<T>& g) { return ned_from_enu(enu_from_geodetic(f, g)); }
template <class T> VOLARY_HD Geodetic<T> geodetic_from_ned(const LocalFrame<T>& f, const Vec3<T>& v) { return geodetic_from_enu(f, enu_from_ned(v)); }

// axes that do not turn, after the Earth has turned by `angle` (kEarthRate times the time, rad) since both agreed
template <class T> VOLARY_HD Vec3<T> eci_from_ecef(const Vec3<T>& v, T angle) {
  T s, c;
  sincos(angle, s, c);
  return {fma(c, v.x, -(s * v.y)), fma(s, v.x, c * v.y), v.z};
}
template <class T> VOLARY_HD Vec3<T> ecef_from_eci(const Vec3<T>& v, T angle) { return eci_from_ecef(v, -angle); }

}  // namespace volary::inline VOLARY_ISA::environment
