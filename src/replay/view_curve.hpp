// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The curves of a recorded block between two knots. The encoder checks its error with these very functions,
// so they are the definition of what a decoder gives: docs/recording-view.md says the same in words. Only
// additions, multiplications, divisions and square roots, in this order: the same bits on every machine.
#pragma once

#include <cstdint>

#include "math/scalar.hpp"
#include "replay/view_codec.hpp"

namespace volary::replay {

// what one unit of a stored integer means
struct Steps {
  double position = 0;  // m
  double velocity = 0;  // m/s
  double turn = 0;      // rad
};

// Integers stay below this, so that every one of them is exact as a double.
inline constexpr double kLargestInteger = 4503599627370496.0;  // 2^52

// the nearest integer; halves go up
inline std::int64_t whole(double x) {
  const double bounded = math::clamp(x, -kLargestInteger, kLargestInteger);
  return static_cast<std::int64_t>(math::floor(bounded + 0.5));
}

// ---------------------------------------------------------------- position and velocity

struct MotionKnot {
  std::int64_t p[3], v[3];  // in steps
};

enum class MotionKind : std::uint8_t {
  Hermite,  // a cubic through both knots; the velocity is its derivative
  Loose     // position and velocity go straight from knot to knot, each for itself
};

struct MotionPiece {
  double p[4][3];       // position = p0 + s (p1 + s (p2 + s p3)), s from 0 to 1
  double v[3][3];       // velocity = v0 + s (v1 + s v2)
  double s_per_tick;
};

inline MotionPiece make_motion(MotionKind kind, const MotionKnot& a, const MotionKnot& b, std::uint32_t ticks, double tick, const Steps& steps) {
  MotionPiece m;
  const double seconds = static_cast<double>(ticks) * tick, per_second = 1.0 / seconds;
  m.s_per_tick = 1.0 / static_cast<double>(ticks);
  for (int i = 0; i < 3; ++i) {
    const double v0 = static_cast<double>(a.v[i]) * steps.velocity, v1 = static_cast<double>(b.v[i]) * steps.velocity;
    const double way = static_cast<double>(b.p[i] - a.p[i]) * steps.position;
    const double m0 = v0 * seconds, m1 = v1 * seconds;
    const bool loose = kind == MotionKind::Loose;
    m.p[0][i] = static_cast<double>(a.p[i]) * steps.position;
    m.p[1][i] = loose ? way : m0;
    m.p[2][i] = loose ? 0 : 3.0 * way - 2.0 * m0 - m1;
    m.p[3][i] = loose ? 0 : m0 + m1 - 2.0 * way;
    m.v[0][i] = v0;
    m.v[1][i] = loose ? v1 - v0 : 2.0 * m.p[2][i] * per_second;
    m.v[2][i] = loose ? 0 : 3.0 * m.p[3][i] * per_second;
  }
  return m;
}

VOLARY_HD void motion_at(const MotionPiece& m, double ticks, double* position, float* velocity) {
  const double s = ticks * m.s_per_tick;
  for (int i = 0; i < 3; ++i) {
    position[i] = m.p[0][i] + s * (m.p[1][i] + s * (m.p[2][i] + s * m.p[3][i]));
    velocity[i] = static_cast<float>(m.v[0][i] + s * (m.v[1][i] + s * m.v[2][i]));
  }
}

// ---------------------------------------------------------------- attitude

struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

inline Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quaternion conjugate(const Quaternion& a) { return {a.w, -a.x, -a.y, -a.z}; }
inline double dot(const Quaternion& a, const Quaternion& b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
inline Quaternion scaled(const Quaternion& a, double f) { return {a.w * f, a.x * f, a.y * f, a.z * f}; }

// A turn as three numbers: 4 tan(angle / 4) along its axis, which is the rotation vector for small turns and
// stays finite up to a whole turn. Rational both ways, so no sine is needed.
inline Quaternion turn_to_quaternion(double x, double y, double z) {
  const double n = (x * x + y * y + z * z) / 16.0, f = 1.0 / (1.0 + n);
  return {(1.0 - n) * f, 0.5 * x * f, 0.5 * y * f, 0.5 * z * f};
}
inline void quaternion_to_turn(const Quaternion& q, double* turn) {
  const double f = 4.0 / (1.0 + q.w);
  turn[0] = q.x * f;
  turn[1] = q.y * f;
  turn[2] = q.z * f;
}

// the knot that follows a by a turn of so many steps about the axes of a's body
inline Quaternion turned(const Quaternion& a, const std::int64_t* turn, const Steps& steps) {
  const Quaternion q = product(
      a, turn_to_quaternion(static_cast<double>(turn[0]) * steps.turn, static_cast<double>(turn[1]) * steps.turn, static_cast<double>(turn[2]) * steps.turn));
  return scaled(q, 1.0 / math::sqrt(dot(q, q)));
}

typedef float Float4 __attribute__((vector_size(16)));

// the chord between two quaternions, stretched to length one
struct TurnPiece {
  Float4 start, way;  // w x y z
  float s_per_tick;
};

inline Float4 rounded(const Quaternion& q) {
  return Float4{static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)};
}

inline TurnPiece make_turn(const Quaternion& a, const Quaternion& b, std::uint32_t ticks) {
  const Float4 start = rounded(a);
  return {start, rounded(b) - start, static_cast<float>(1.0 / static_cast<double>(ticks))};
}

// A sum of squares this small has no direction; it only comes between ticks, or from a damaged file.
inline constexpr float kNoDirection = 1e-12f;

VOLARY_HD Float4 turn_at(const TurnPiece& t, float ticks) {
  const Float4 q = t.start + (ticks * t.s_per_tick) * t.way;
  const Float4 squares = q * q;
  const float n = (squares[0] + squares[2]) + (squares[1] + squares[3]);
  if (!(n > kNoDirection)) return t.start;
  return q * (1.0f / math::sqrt(n));
}

}  // namespace volary::replay
