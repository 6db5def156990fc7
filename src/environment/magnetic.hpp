// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The Earth's magnetic field: a sum of spherical harmonics to degree 12 with coefficients that change evenly in time, and the coefficients of the
// World Magnetic Model 2025. A sum takes a microsecond or two: vehicles use the local form (local_magnetic.hpp).
#pragma once

namespace volary::magnetic {

inline constexpr int kDegree = 12;
inline constexpr int kTerms = (kDegree + 1) * (kDegree + 2) / 2;  // the term of degree n and order m is n (n + 1) / 2 + m

struct Model {
  double epoch;                  // decimal year that the coefficients are of
  double last_year;              // the model holds from its epoch to here
  double g[kTerms], h[kTerms];   // nT, semi-normalised after Schmidt
  double g_rate[kTerms], h_rate[kTerms];  // nT/year
};

struct Elements {
  double north, east, down;  // nT (X, Y, Z)
  double horizontal, total;  // nT (H, F)
  double declination;        // rad, from north to east (D)
  double inclination;        // rad, downwards (I)
};

struct Field {
  Elements now;
  Elements rate;  // of each, per year
};

const Model& wmm2025();

// whether a model is made for this decimal year; it can be summed for any
inline bool covers(const Model& model, double year) { return year >= model.epoch && year <= model.last_year; }

// At a geodetic latitude and longitude in rad, a height above WGS-84 in m (from -1 km to 850 km) and a decimal year. Where the field has no
// horizontal part, declination is 0 and the rates of declination, inclination and horizontal strength are not numbers.
Field field(const Model& model, double latitude, double longitude, double height, double year);

}  // namespace volary::magnetic
