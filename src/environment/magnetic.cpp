// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/magnetic.hpp"

#include "environment/geodesy.hpp"

namespace volary::magnetic {
namespace {

constexpr double kReferenceRadius = 6371200;  // m, of the expansion

constexpr int term(int n, int m) { return n * (n + 1) / 2 + m; }

// Schmidt's functions P of the sine of the geocentric latitude, their slope against colatitude, and P / cos(latitude) for orders above 0:
// divided before the sum, so that nothing is divided by zero at the poles.
struct Legendre {
  double p[kTerms], slope[kTerms], over_cos[kTerms];
};

// Recursions in degree and order from P(0,0) = 1; the slopes are their derivatives (Winch and others, Geophysical Journal International 160, 2005)
Legendre legendre(double sin_lat, double cos_lat) {
  Legendre out{};
  out.p[0] = 1;
  for (int n = 1; n <= kDegree; ++n) {
    for (int m = 0; m < n; ++m) {
      const double norm = math::sqrt(static_cast<double>(n * n - m * m)), before = math::sqrt(static_cast<double>((n - 1) * (n - 1) - m * m));
      const double first = (2 * n - 1) / norm, second = n - 2 >= m ? before / norm : 0;
      const int k = term(n, m), k1 = term(n - 1, m), k2 = n - 2 >= m ? term(n - 2, m) : 0;
      out.p[k] = first * sin_lat * out.p[k1] - second * out.p[k2];
      out.slope[k] = first * (sin_lat * out.slope[k1] - cos_lat * out.p[k1]) - second * out.slope[k2];
      out.over_cos[k] = first * sin_lat * out.over_cos[k1] - second * out.over_cos[k2];
    }
    const double diagonal = n == 1 ? 1 : math::sqrt((2.0 * n - 1) / (2.0 * n));
    const int k = term(n, n), k1 = term(n - 1, n - 1);
    out.p[k] = diagonal * cos_lat * out.p[k1];
    out.slope[k] = diagonal * (cos_lat * out.slope[k1] + sin_lat * out.p[k1]);
    out.over_cos[k] = diagonal * out.p[k1];
  }
  return out;
}

struct NorthEastDown {
  double north, east, down;
};

// the sum for coefficients g + years g_rate (of the field) or for the rates alone, in geocentric axes
struct Coefficients {
  const double *g, *h, *g_rate, *h_rate;
  double years;
};

NorthEastDown sum(const Coefficients& c, const Legendre& legendre, double longitude, double radius) {
  double cos_m[kDegree + 1], sin_m[kDegree + 1];
  cos_m[0] = 1, sin_m[0] = 0;
  math::sincos(longitude, sin_m[1], cos_m[1]);
  for (int m = 2; m <= kDegree; ++m) {
    cos_m[m] = cos_m[m - 1] * cos_m[1] - sin_m[m - 1] * sin_m[1];
    sin_m[m] = sin_m[m - 1] * cos_m[1] + cos_m[m - 1] * sin_m[1];
  }
  NorthEastDown b{0, 0, 0};
  const double ratio = kReferenceRadius / radius;
  double power = ratio * ratio;
  for (int n = 1; n <= kDegree; ++n) {
    power *= ratio;  // (a / r)^(n + 2)
    for (int m = 0; m <= n; ++m) {
      const int k = term(n, m);
      const double g = c.g[k] + c.years * c.g_rate[k], h = c.h[k] + c.years * c.h_rate[k];
      const double along = g * cos_m[m] + h * sin_m[m], around = g * sin_m[m] - h * cos_m[m];
      b.north += power * along * legendre.slope[k];
      b.east += power * around * m * legendre.over_cos[k];
      b.down -= power * along * (n + 1) * legendre.p[k];
    }
  }
  return b;
}

Elements elements(const NorthEastDown& b) {
  const double horizontal = math::sqrt(b.north * b.north + b.east * b.east);
  return {b.north,
          b.east,
          b.down,
          horizontal,
          math::sqrt(horizontal * horizontal + b.down * b.down),
          math::atan2(b.east, b.north),
          math::atan2(b.down, horizontal)};
}

Elements rates(const Elements& e, const NorthEastDown& d) {
  const double horizontal = (e.north * d.north + e.east * d.east) / e.horizontal;
  const double total = (e.north * d.north + e.east * d.east + e.down * d.down) / e.total;
  return {d.north,
          d.east,
          d.down,
          horizontal,
          total,
          (e.north * d.east - e.east * d.north) / (e.horizontal * e.horizontal),
          (e.horizontal * d.down - e.down * horizontal) / (e.total * e.total)};
}

}  // namespace

Field field(const Model& model, double latitude, double longitude, double height, double year) {
  // geocentric latitude and radius
  const environment::Geodetic<double> place{latitude, 0, height};
  const math::Vec3<double> p = environment::ecef_from_geodetic(environment::kWgs84, place);
  const double radius = math::sqrt(p.x * p.x + p.z * p.z), sin_lat = p.z / radius, cos_lat = p.x / radius;
  const Legendre functions = legendre(sin_lat, cos_lat);

  // geocentric north and down lean by the difference of the latitudes
  double s, c;
  math::sincos(latitude, s, c);
  const double sin_lean = sin_lat * c - cos_lat * s, cos_lean = cos_lat * c + sin_lat * s;
  const auto geodetic = [&](const NorthEastDown& b) -> NorthEastDown {
    return {b.north * cos_lean - b.down * sin_lean, b.east, b.north * sin_lean + b.down * cos_lean};
  };
  const NorthEastDown now = geodetic(sum({model.g, model.h, model.g_rate, model.h_rate, year - model.epoch}, functions, longitude, radius));
  const NorthEastDown rate = geodetic(sum({model.g_rate, model.h_rate, model.g_rate, model.h_rate, 0}, functions, longitude, radius));
  const Elements e = elements(now);
  return {e, rates(e, rate)};
}

}  // namespace volary::magnetic
