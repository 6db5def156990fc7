// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vectors, quaternions (w x y z, Hamilton) and 3 x 3 matrices over any scalar of scalar.hpp.
// R_WB and q_WB turn body coordinates into world coordinates: v_W = rotate(q_WB, v_B).
#pragma once

#include "math/scalar.hpp"

namespace volary::inline VOLARY_ISA::math {

template <class T> struct Vec3 {
  T x, y, z;
  VOLARY_HD friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  VOLARY_HD friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  VOLARY_HD friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  VOLARY_HD friend Vec3 operator*(T s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  // component by component: gains, diagonal matrices
  VOLARY_HD friend Vec3 operator*(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
};

template <class T> VOLARY_HD Vec3<T> zero3() { return {splat<T>(0), splat<T>(0), splat<T>(0)}; }
template <class T> VOLARY_HD T dot(const Vec3<T>& a, const Vec3<T>& b) { return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)); }
template <class T> VOLARY_HD T norm(const Vec3<T>& a) { return sqrt(dot(a, a)); }
template <class T> VOLARY_HD Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
// c + s a and c + a * b, fused
template <class T> VOLARY_HD Vec3<T> fma(T s, const Vec3<T>& a, const Vec3<T>& c) { return {fma(s, a.x, c.x), fma(s, a.y, c.y), fma(s, a.z, c.z)}; }
template <class T> VOLARY_HD Vec3<T> fma(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {fma(a.x, b.x, c.x), fma(a.y, b.y, c.y), fma(a.z, b.z, c.z)};
}
template <class T> VOLARY_HD Vec3<T> select(Mask<T> m, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
template <class T> VOLARY_HD Vec3<T> clamp(const Vec3<T>& a, const Vec3<T>& limit) {
  return {clamp(a.x, -limit.x, limit.x), clamp(a.y, -limit.y, limit.y), clamp(a.z, -limit.z, limit.z)};
}
// a, shortened to at most `limit`
template <class T> VOLARY_HD Vec3<T> limit_norm(const Vec3<T>& a, T limit) {
  const T n = norm(a);
  const T s = select(n > limit, limit / n, splat<T>(1));
  return s * a;
}

template <class T> struct Quat {
  T w, x, y, z;
};

template <class T> VOLARY_HD Quat<T> identity_quat() { return {splat<T>(1), splat<T>(0), splat<T>(0), splat<T>(0)}; }
template <class T> VOLARY_HD Quat<T> conjugate(const Quat<T>& q) { return {q.w, -q.x, -q.y, -q.z}; }
template <class T> VOLARY_HD Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {fma(a.w, b.w, -fma(a.x, b.x, fma(a.y, b.y, a.z * b.z))), fma(a.w, b.x, fma(a.x, b.w, fma(a.y, b.z, -(a.z * b.y)))),
          fma(a.w, b.y, fma(a.y, b.w, fma(a.z, b.x, -(a.x * b.z)))), fma(a.w, b.z, fma(a.z, b.w, fma(a.x, b.y, -(a.y * b.x))))};
}
template <class T> VOLARY_HD Quat<T> select(Mask<T> m, const Quat<T>& a, const Quat<T>& b) {
  return {select(m, a.w, b.w), select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
template <class T> VOLARY_HD Quat<T> normalize(const Quat<T>& q) {
  const T n = splat<T>(1) / sqrt(fma(q.w, q.w, fma(q.x, q.x, fma(q.y, q.y, q.z * q.z))));
  return {q.w * n, q.x * n, q.y * n, q.z * n};
}
// dq/dt = 1/2 q (0, omega_B)
template <class T> VOLARY_HD Quat<T> quat_rate(const Quat<T>& q, const Vec3<T>& omega_B) {
  const T hx = splat<T>(0.5) * omega_B.x, hy = splat<T>(0.5) * omega_B.y, hz = splat<T>(0.5) * omega_B.z;
  return {-fma(q.x, hx, fma(q.y, hy, q.z * hz)), fma(q.w, hx, fma(q.y, hz, -(q.z * hy))), fma(q.w, hy, fma(q.z, hx, -(q.x * hz))),
          fma(q.w, hz, fma(q.x, hy, -(q.y * hx)))};
}

template <class T> struct Mat3 {
  Vec3<T> row0, row1, row2;
};
template <class T> VOLARY_HD Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& v) { return {dot(m.row0, v), dot(m.row1, v), dot(m.row2, v)}; }
// m transposed times v
template <class T> VOLARY_HD Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& v) { return fma(v.x, m.row0, fma(v.y, m.row1, v.z * m.row2)); }
template <class T> VOLARY_HD Vec3<T> column_z(const Mat3<T>& m) { return {m.row0.z, m.row1.z, m.row2.z}; }

// doubled first: the additions run beside the multiplications instead of after them
template <class T> VOLARY_HD Mat3<T> rotation_matrix(const Quat<T>& q) {
  const T one = splat<T>(1);
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return {{one - (yy + zz), xy - wz, xz + wy}, {xy + wz, one - (xx + zz), yz - wx}, {xz - wy, yz + wx, one - (xx + yy)}};
}
// the body's z axis in the world: third column of the rotation matrix
template <class T> VOLARY_HD Vec3<T> body_z_W(const Quat<T>& q) {
  const T x2 = q.x + q.x, y2 = q.y + q.y;
  return {fma(x2, q.z, y2 * q.w), fma(y2, q.z, -(x2 * q.w)), fma(-x2, q.x, fma(-y2, q.y, splat<T>(1)))};
}
// the quaternion of an orthonormal, right-handed matrix (Shepperd's method: divide by the largest component)
template <class T> VOLARY_HD Quat<T> quat_from_matrix(const Mat3<T>& m) {
  const T one = splat<T>(1), half = splat<T>(0.5);
  const T tw = one + (m.row0.x + (m.row1.y + m.row2.z)), tx = one + (m.row0.x - (m.row1.y + m.row2.z));
  const T ty = one + (m.row1.y - (m.row0.x + m.row2.z)), tz = one + (m.row2.z - (m.row0.x + m.row1.y));
  const T wx = m.row2.y - m.row1.z, wy = m.row0.z - m.row2.x, wz = m.row1.x - m.row0.y;
  const T xy = m.row0.y + m.row1.x, xz = m.row0.z + m.row2.x, yz = m.row1.z + m.row2.y;
  const Mask<T> use_x = tx > tw, use_y = ty > max(tw, tx), use_z = tz > max(ty, max(tw, tx));
  Quat<T> q{tw, wx, wy, wz};
  q = select(use_x, Quat<T>{wx, tx, xy, xz}, q);
  q = select(use_y, Quat<T>{wy, xy, ty, yz}, q);
  q = select(use_z, Quat<T>{wz, xz, yz, tz}, q);
  const T largest = max(max(tw, tx), max(ty, tz));
  const T s = half / sqrt(largest);
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

// A position that keeps millimetres far from the origin: the value and what rounding took from it.
// A float holds 2 mm at 20 km; the pair holds nanometres there.
template <class T> struct Position {
  Vec3<T> value, remainder;
};

// p + d, where d is a displacement small against 2^23 times the remainder
template <class T> VOLARY_HD void advance(T& value, T& remainder, T d) {
  T hi;
  two_sum(value, remainder + d, hi, remainder);
  value = hi;
}
template <class T> VOLARY_HD Position<T> advance(Position<T> p, const Vec3<T>& d) {
  advance(p.value.x, p.remainder.x, d.x);
  advance(p.value.y, p.remainder.y, d.y);
  advance(p.value.z, p.remainder.z, d.z);
  return p;
}
// a - b, exact where the values are close
template <class T> VOLARY_HD Vec3<T> operator-(const Position<T>& a, const Position<T>& b) { return (a.value - b.value) + (a.remainder - b.remainder); }

}  // namespace volary::inline VOLARY_ISA::math
