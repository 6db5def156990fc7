// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The magnetic field near the origin of a world, as a quadratic in the local position: 27 multiplications instead of a sum of harmonics. It is within
// 0.1 nT of the whole model 30 km from the origin and within 1 nT at 60 km (local_magnetic_test.cpp); a magnetometer's noise is 50 nT and more.
#pragma once

#include "environment/geodesy.hpp"
#include "environment/magnetic.hpp"

namespace volary::inline VOLARY_ISA::environment {

template <class S> struct LocalMagnetic {
  Vec3<S> value;      // nT, east north up at the origin
  Mat3<S> slope;      // nT/m: row i is the gradient of component i
  Vec3<S> square[3];  // nT/m2, of component i against x2, y2, z2, halved
  Vec3<S> mixed[3];   // nT/m2, of component i against yz, zx, xy
};

// the field at a local position, in the axes of the origin
inline Vec3<double> magnetic_field_W(const magnetic::Model& model, const LocalFrame<double>& f, const Vec3<double>& position_W, double year) {
  const Geodetic<double> g = geodetic_from_enu(f, position_W);
  const magnetic::Elements e = magnetic::field(model, g.latitude, g.longitude, g.height, year).now;
  const Vec3<double> field_E = transpose_times(enu_axes(g.latitude, g.longitude), Vec3<double>{e.east, e.north, -e.down});
  return f.R_WE * field_E;
}

// From central differences over `reach` m: the quadratic meets the model on the axes there.
inline LocalMagnetic<double> local_magnetic(const magnetic::Model& model, const LocalFrame<double>& f, double year, double reach = 20000) {
  const auto at = [&](double x, double y, double z) { return magnetic_field_W(model, f, {x * reach, y * reach, z * reach}, year); };
  const double first = 0.5 / reach, second = 0.5 / (reach * reach);
  LocalMagnetic<double> out{};
  out.value = at(0, 0, 0);
  const Vec3<double> plus[3] = {at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)}, minus[3] = {at(-1, 0, 0), at(0, -1, 0), at(0, 0, -1)};
  const Vec3<double> pair[3] = {at(0, 1, 1), at(1, 0, 1), at(1, 1, 0)}, other[3] = {at(0, -1, -1), at(-1, 0, -1), at(-1, -1, 0)};
  Vec3<double> d[3], d2[3], cross[3];  // by axis; each a vector over the components of the field
  for (int k = 0; k < 3; ++k) {
    d[k] = first * (plus[k] - minus[k]);
    d2[k] = second * (plus[k] + minus[k] - 2.0 * out.value);
  }
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    cross[k] = second * (pair[k] + other[k] - 2.0 * out.value) - (d2[a] + d2[b]);
  }
  out.slope = {{d[0].x, d[1].x, d[2].x}, {d[0].y, d[1].y, d[2].y}, {d[0].z, d[1].z, d[2].z}};
  out.square[0] = {d2[0].x, d2[1].x, d2[2].x}, out.square[1] = {d2[0].y, d2[1].y, d2[2].y}, out.square[2] = {d2[0].z, d2[1].z, d2[2].z};
  out.mixed[0] = {cross[0].x, cross[1].x, cross[2].x}, out.mixed[1] = {cross[0].y, cross[1].y, cross[2].y};
  out.mixed[2] = {cross[0].z, cross[1].z, cross[2].z};
  return out;
}

template <class S> Vec3<S> vector_as(const Vec3<double>& v) { return {static_cast<S>(v.x), static_cast<S>(v.y), static_cast<S>(v.z)}; }
template <class S> LocalMagnetic<S> magnetic_as(const LocalMagnetic<double>& m) {
  LocalMagnetic<S> out{vector_as<S>(m.value), {vector_as<S>(m.slope.row0), vector_as<S>(m.slope.row1), vector_as<S>(m.slope.row2)}, {}, {}};
  for (int k = 0; k < 3; ++k) out.square[k] = vector_as<S>(m.square[k]), out.mixed[k] = vector_as<S>(m.mixed[k]);
  return out;
}

template <class T> VOLARY_HD Vec3<T> splat3(const Vec3<Scalar<T>>& v) { return {T(v.x), T(v.y), T(v.z)}; }

// nT, east north up at the origin
template <class T> VOLARY_HD Vec3<T> magnetic_at(const LocalMagnetic<Scalar<T>>& m, const Vec3<T>& position_W) {
  const Vec3<T>& p = position_W;
  const Vec3<T> squares = p * p, products{p.y * p.z, p.z * p.x, p.x * p.y};
  const auto component = [&](Scalar<T> value, const Vec3<Scalar<T>>& slope, int k) {
    return T(value) + (dot(splat3<T>(slope), p) + (dot(splat3<T>(m.square[k]), squares) + dot(splat3<T>(m.mixed[k]), products)));
  };
  return {component(m.value.x, m.slope.row0, 0), component(m.value.y, m.slope.row1, 1), component(m.value.z, m.slope.row2, 2)};
}

}  // namespace volary::inline VOLARY_ISA::environment
