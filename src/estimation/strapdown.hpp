// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Strapdown navigation: what an estimate of attitude, velocity and position becomes when an inertial measurement unit reports how far it turned and how
// much its velocity changed in a tick. Both are in the body axes at the start of the tick, with coning and sculling already summed by the sensor.
#pragma once

#include "math/functions.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::estimation {

using namespace math;
using math::select;  // beside that of Nominal below

// The state of the estimator without its uncertainty. Errors are counted in the world frame: true attitude = turn_of(theta) * q_WB, the rest is a sum.
template <class T> struct Nominal {
  Quat<T> q_WB;
  Vec3<T> velocity_W;      // m/s
  Position<T> position_W;  // m
  Vec3<T> gyro_bias;       // rad/s, body axes
  Vec3<T> accel_bias;      // m/s2, body axes
  T wind[2];               // m/s, east and north; zero for vehicles that do not estimate it

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"filter.attitude", "-", "WB", "estimated attitude at the time of the last fusion as a unit quaternion w x y z, body to world"}, s.q_WB);
    f(Field{"filter.velocity", "m/s", "W", "estimated velocity at the time of the last fusion"}, s.velocity_W);
    f(Field{"filter.position", "m", "W", "estimated position at the time of the last fusion, leading part; the rest is in its remainder rows"}, s.position_W);
    f(Field{"filter.gyro_bias", "rad/s", "B", "estimated bias of the gyroscope"}, s.gyro_bias);
    f(Field{"filter.accel_bias", "m/s2", "B", "estimated bias of the accelerometer"}, s.accel_bias);
    f(Field{"filter.wind", "m/s", "W", "estimated wind, east and north"}, s.wind);
  }
};

template <class T> VOLARY_HD Nominal<T> select(Mask<T> m, const Nominal<T>& a, const Nominal<T>& b) {
  return {select(m, a.q_WB, b.q_WB),
          select(m, a.velocity_W, b.velocity_W),
          {select(m, a.position_W.value, b.position_W.value), select(m, a.position_W.remainder, b.position_W.remainder)},
          select(m, a.gyro_bias, b.gyro_bias),
          select(m, a.accel_bias, b.accel_bias),
          {select(m, a.wind[0], b.wind[0]), select(m, a.wind[1], b.wind[1])}};
}

// The unit quaternion of a rotation vector by the series of cosine and sine: exact to 1e-10 for turns up to 1 rad, and a unit quaternion for any.
template <class T> VOLARY_HD Quat<T> turn_of(const Vec3<T>& phi) {
  const T z = splat<T>(0.25) * dot(phi, phi);  // square of half the angle
  const T w = horner(z, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5, 1.0);
  const T s = horner(z, 0.5 / 362880, -0.5 / 5040, 0.5 / 120, -0.5 / 6, 0.5);
  return normalize(Quat<T>{w, s * phi.x, s * phi.y, s * phi.z});
}

// the rotation vector of a unit quaternion, the shorter way round
template <class T> VOLARY_HD Vec3<T> rotation_vector(const Quat<T>& q) {
  const T sign = copysign(splat<T>(1), q.w);
  const Vec3<T> v{sign * q.x, sign * q.y, sign * q.z};
  const T sine = norm(v);
  const Mask<T> tiny = sine < splat<T>(1e-12);
  const T scale = select(tiny, splat<T>(2), splat<T>(2) * atan2(sine, abs(q.w)) / select(tiny, splat<T>(1), sine));
  return scale * v;
}

// what the covariance needs to know of a step
template <class T> struct Transition {
  Mat3<T> turn;       // -dt R_WB at the middle of the tick: how biases act on attitude and velocity
  Vec3<T> half_push;  // -a/2, m/s, world: a is the change of velocity without gravity
  T half_dt;          // s
};

// One tick of dt seconds. The bias of the gyroscope has also turned the summed velocity change by half of what it turned the attitude, and both biases
// act along the body axes of the middle of the tick: with these terms the step is of second order, and so is the transition.
template <class T> VOLARY_HD Transition<T> propagate(Nominal<T>& x, const Vec3<T>& delta_angle, const Vec3<T>& delta_velocity, T dt, T gravity) {
  const T half_dt = splat<T>(0.5) * dt;
  const Vec3<T> phi = delta_angle - dt * x.gyro_bias;
  const Quat<T> half_turn = turn_of(splat<T>(0.5) * phi);
  const Quat<T> middle = x.q_WB * half_turn;
  const Mat3<T> R_begin = rotation_matrix(x.q_WB), R_middle = rotation_matrix(middle);

  const Vec3<T> sculled = delta_velocity - half_dt * cross(x.gyro_bias, delta_velocity);
  const Vec3<T> push = R_begin * sculled - dt * (R_middle * x.accel_bias);
  const Vec3<T> change{push.x, push.y, fma(-gravity, dt, push.z)};

  x.q_WB = normalize(middle * half_turn);
  x.position_W = advance(x.position_W, dt * fma(splat<T>(0.5), change, x.velocity_W));
  x.velocity_W = x.velocity_W + change;
  return {{-dt * R_middle.row0, -dt * R_middle.row1, -dt * R_middle.row2}, splat<T>(-0.5) * push, half_dt};
}

}  // namespace volary::inline VOLARY_ISA::estimation
