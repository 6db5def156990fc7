// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The covariance of the error state, as rows of a block: the upper triangle, packed row by row, so that it is symmetric by storage. Prediction uses the
// blocks of the transition that are not zero; measurements come one scalar at a time.
//
// Error state, N = 15 or 17:  attitude 0-2 (rad, world axes), velocity 3-5, position 6-8, gyroscope bias 9-11, accelerometer bias 12-14, wind 15-16
#pragma once

#include "estimation/strapdown.hpp"

namespace volary::inline VOLARY_ISA::estimation {

inline constexpr int kAttitude = 0, kVelocity = 3, kPosition = 6, kGyroBias = 9, kAccelBias = 12, kWind = 15;

template <int N> inline constexpr int kPacked = N * (N + 1) / 2;
template <int N> VOLARY_HD constexpr int packed(int i, int j) { return i <= j ? i * (2 * N - i - 1) / 2 + j : j * (2 * N - j - 1) / 2 + i; }

template <class T, int N> struct Covariance {
  Scalar<T>* row;  // of the first element
  VOLARY_HD T get(int i, int j) const { return load(row + packed<N>(i, j) * kBlock, T()); }
  VOLARY_HD void put(int i, int j, T x) const { store(row + packed<N>(i, j) * kBlock, x); }
  VOLARY_HD Vec3<T> get3(int i, int j) const { return {get(i, j), get(i + 1, j), get(i + 2, j)}; }
  VOLARY_HD void put3(int i, int j, const Vec3<T>& x) const { put(i, j, x.x), put(i + 1, j, x.y), put(i + 2, j, x.z); }
  // row i of a block on the diagonal that begins at `first`, from the diagonal on
  VOLARY_HD void put_upper(int i, int first, const Vec3<T>& x) const {
    if (i == first) put(i, first, x.x);
    if (i <= first + 1) put(i, first + 1, x.y);
    put(i, first + 2, x.z);
  }
  VOLARY_HD void add(int i, T x) const { put(i, i, get(i, i) + x); }
};

// variances that a tick adds
template <class T> struct ProcessNoise {
  T angle;       // rad2
  T velocity;    // m2/s2
  T gyro_bias;   // rad2/s2
  T accel_bias;  // m2/s4
  T wind;        // m2/s2
};

// c + m v
template <class T> VOLARY_HD Vec3<T> add_product(const Mat3<T>& m, const Vec3<T>& v, const Vec3<T>& c) {
  return {fma(m.row0.x, v.x, fma(m.row0.y, v.y, fma(m.row0.z, v.z, c.x))), fma(m.row1.x, v.x, fma(m.row1.y, v.y, fma(m.row1.z, v.z, c.y))),
          fma(m.row2.x, v.x, fma(m.row2.y, v.y, fma(m.row2.z, v.z, c.z)))};
}
// c + a x b
template <class T> VOLARY_HD Vec3<T> add_cross(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {fma(a.y, b.z, fma(-a.z, b.y, c.x)), fma(a.z, b.x, fma(-a.x, b.z, c.y)), fma(a.x, b.y, fma(-a.y, b.x, c.z))};
}

// The transition, three rows at a time. In full, with S = [a]x and M = dt R at the middle of the tick:
//   attitude += -M gyro_bias;  velocity += -S (attitude before + after) / 2 - M accel_bias;  position += dt (velocity before + after) / 2
template <class T> VOLARY_HD Vec3<T> next_attitude(const Transition<T>& f, const Vec3<T>& attitude, const Vec3<T>& gyro_bias) {
  return add_product(f.turn, gyro_bias, attitude);
}
template <class T>
VOLARY_HD Vec3<T> next_velocity(const Transition<T>& f, const Vec3<T>& velocity, const Vec3<T>& attitude, const Vec3<T>& attitude_after,
                                const Vec3<T>& accel_bias) {
  return add_product(f.turn, accel_bias, add_cross(f.half_push, attitude + attitude_after, velocity));
}
template <class T> VOLARY_HD Vec3<T> next_position(const Transition<T>& f, const Vec3<T>& position, const Vec3<T>& velocity, const Vec3<T>& velocity_after) {
  return fma(f.half_dt, velocity + velocity_after, position);
}

// attitude, velocity and position rows of one column, after the transition from the left
template <class T> struct MovedColumn {
  Vec3<T> attitude, velocity, position;
};
template <class T, int N> VOLARY_HD MovedColumn<T> move_column(const Covariance<T, N>& P, int j, const Transition<T>& f) {
  const Vec3<T> attitude = P.get3(kAttitude, j), velocity = P.get3(kVelocity, j);
  MovedColumn<T> out;
  out.attitude = next_attitude(f, attitude, P.get3(kGyroBias, j));
  out.velocity = next_velocity(f, velocity, attitude, out.attitude, P.get3(kAccelBias, j));
  out.position = next_position(f, P.get3(kPosition, j), velocity, out.velocity);
  return out;
}

// F P in its rows and columns of attitude, velocity and position, on its way to F P F'
template <class T> struct Moved {
  T x[9][9];
  VOLARY_HD void put3(int i, int j, const Vec3<T>& v) { x[i][j] = v.x, x[i + 1][j] = v.y, x[i + 2][j] = v.z; }
  VOLARY_HD Vec3<T> row3(int i, int j) const { return {x[i][j], x[i][j + 1], x[i][j + 2]}; }
};

// From the left, column by column. The columns of biases and wind are done with that, so they go back into P at once.
template <class T, int N> VOLARY_HD void move_from_left(const Covariance<T, N>& P, const Transition<T>& f, Moved<T>& X) {
  for (int j = 0; j < 9; ++j) {
    const MovedColumn<T> m = move_column(P, j, f);
    X.put3(kAttitude, j, m.attitude), X.put3(kVelocity, j, m.velocity), X.put3(kPosition, j, m.position);
  }
  for (int j = kGyroBias; j < N; ++j) {
    const MovedColumn<T> m = move_column(P, j, f);
    P.put3(kAttitude, j, m.attitude), P.put3(kVelocity, j, m.velocity), P.put3(kPosition, j, m.position);
  }
}

// From the right, row by row and only from the diagonal on: what lies below it is known from the rows above.
template <class T, int N> VOLARY_HD void move_from_right(const Covariance<T, N>& P, const Transition<T>& f, const Moved<T>& X) {
  for (int i = kAttitude; i < kAttitude + 3; ++i) {
    const Vec3<T> angle = X.row3(i, kAttitude), speed = X.row3(i, kVelocity);
    const Vec3<T> angle_after = next_attitude(f, angle, P.get3(kGyroBias, i));
    const Vec3<T> speed_after = next_velocity(f, speed, angle, angle_after, P.get3(kAccelBias, i));
    P.put3(kPosition, i, next_position(f, X.row3(i, kPosition), speed, speed_after));
    P.put3(kVelocity, i, speed_after);
    P.put_upper(i, kAttitude, angle_after);
  }
  for (int i = kVelocity; i < kVelocity + 3; ++i) {
    const Vec3<T> speed = X.row3(i, kVelocity);
    const Vec3<T> speed_after = next_velocity(f, speed, X.row3(i, kAttitude), P.get3(kAttitude, i), P.get3(kAccelBias, i));
    P.put3(kPosition, i, next_position(f, X.row3(i, kPosition), speed, speed_after));
    P.put_upper(i, kVelocity, speed_after);
  }
  for (int i = kPosition; i < kPosition + 3; ++i) P.put_upper(i, kPosition, next_position(f, X.row3(i, kPosition), X.row3(i, kVelocity), P.get3(kVelocity, i)));
}

// P <- F P F' + Q
template <class T, int N> VOLARY_HD void predict(const Covariance<T, N>& P, const Transition<T>& f, const ProcessNoise<T>& noise) {
  Moved<T> X;
  move_from_left(P, f, X);
  move_from_right(P, f, X);
  for (int k = 0; k < 3; ++k) {
    P.add(kAttitude + k, noise.angle), P.add(kVelocity + k, noise.velocity);
    P.add(kGyroBias + k, noise.gyro_bias), P.add(kAccelBias + k, noise.accel_bias);
  }
  for (int k = kWind; k < N; ++k) P.add(k, noise.wind);
}

// One scalar measurement as a sparse row of the Jacobian: how it changes with the errors of some states.
inline constexpr int kMostSlopes = 8;
template <class T> struct Slope {
  int n;
  int at[kMostSlopes];
  T value[kMostSlopes];
};

// One scalar measurement of the given innovation (measured less expected of the nominal state) and variance. `dx` collects the errors found so far, so that one
// injection after all measurements of a tick suffices. A lane takes part where `due`; where y2 > gate2 S it is refused. Returns where it was accepted;
// `nis` is y2 / S where due, 0 elsewhere; a number even where the filter's numbers went bad.
inline constexpr double kMostNis = 1e6;
template <class T, int N>
VOLARY_HD Mask<T> fuse(const Covariance<T, N>& P, T (&dx)[N], const Slope<T>& h, T innovation, T variance, T gate, Mask<T> due, T& nis) {
  T hP[N];
  for (int j = 0; j < N; ++j) {
    hP[j] = h.value[0] * P.get(h.at[0], j);
    for (int k = 1; k < h.n; ++k) hP[j] = fma(h.value[k], P.get(h.at[k], j), hP[j]);
  }
  T known = splat<T>(0), y = innovation;
  for (int k = 0; k < h.n; ++k) known = fma(h.value[k], hP[h.at[k]], known), y = fma(-h.value[k], dx[h.at[k]], y);

  // rounding may leave a variance of what is already known a little below zero
  const T total = max(known, splat<T>(0)) + variance;
  const T inverse = splat<T>(1) / total;
  const T ratio = y * y * inverse;
  const Mask<T> accepted = due & (ratio <= gate * gate);
  nis = select(due, min(ratio, splat<T>(kMostNis)), splat<T>(0));

  // row by row, as the elements lie in memory; lanes that take no part keep their bits
  Scalar<T>* element = P.row;
  for (int i = 0; i < N; ++i) {
    const T gain = hP[i] * inverse;
    dx[i] = select(accepted, fma(gain, y, dx[i]), dx[i]);
    for (int j = i; j < N; ++j, element += kBlock) {
      const T before = load(element, T());
      store(element, select(accepted, fma(-gain, hP[j], before), before));
    }
  }
  return accepted;
}

// Some states are known anew, with one variance and independently of all others: rows and columns are cleared in the lanes of the mask.
template <class T, int N> VOLARY_HD void forget(const Covariance<T, N>& P, T (&dx)[N], int first, int count, T variance, Mask<T> where) {
  for (int i = first; i < first + count; ++i) {
    for (int j = 0; j < N; ++j) P.put(i, j, select(where, i == j ? variance : splat<T>(0), P.get(i, j)));
    dx[i] = select(where, splat<T>(0), dx[i]);
  }
}

// The collected errors become part of the nominal state, and are zero again.
template <class T, int N> VOLARY_HD void inject(Nominal<T>& x, T (&dx)[N]) {
  x.q_WB = normalize(turn_of(Vec3<T>{dx[0], dx[1], dx[2]}) * x.q_WB);
  x.velocity_W = x.velocity_W + Vec3<T>{dx[3], dx[4], dx[5]};
  x.position_W = advance(x.position_W, Vec3<T>{dx[6], dx[7], dx[8]});
  x.gyro_bias = x.gyro_bias + Vec3<T>{dx[9], dx[10], dx[11]};
  x.accel_bias = x.accel_bias + Vec3<T>{dx[12], dx[13], dx[14]};
  for (int k = kWind; k < N; ++k) x.wind[k - kWind] = x.wind[k - kWind] + dx[k];
  for (int k = 0; k < N; ++k) dx[k] = splat<T>(0);
}

}  // namespace volary::inline VOLARY_ISA::estimation
