// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Gyroscope and accelerometer. They are sampled at the end of every integration step, between the state before and after it, and summed to the turn and the
// change of velocity of a whole tick, both in the body axes at its start: coning and sculling are exact to an integration step (Savage, Strapdown Inertial
// Navigation Integration Algorithm Design, 1998). The IMU is part of the programs of vehicles, because only they see integration steps; it has no latency
// there.
//
//   begin_imu    once per episode: matrices, turn-on biases, phases of the rotors
//   begin_tick   biases go on by a tick
//   sample       once per integration step
//   end_tick     the sums become rows
#pragma once

#include "sensors/chain.hpp"
#include "sensors/vibration.hpp"

namespace volary::inline VOLARY_ISA::sensors {

template <class T> struct ImuParams {
  ErrorParams<T> gyro, accelerometer;  // noise of a sample, biases of a tick
  VibrationParams<T> vibration;
  Vec3<T> position_B;  // m, from the centre of mass
  T gravity;  // m/s2
  T step, per_step;  // s, 1/s
};

// Densities become standard deviations of a sample: N / sqrt(h).
inline ImuParams<double> imu_params(const ImuDef& d, double gravity, double tick, int substeps) {
  const double step = tick / substeps, per_root = 1 / math::sqrt(step);
  return {error_params(d.gyro, tick, d.gyro.noise * per_root),
          error_params(d.accelerometer, tick, d.accelerometer.noise * per_root),
          vibration_params(d.vibration, step),
          vector_of(d.position_B),
          gravity,
          step,
          1 / step};
}

template <class T, int N> struct ImuState {
  static constexpr int kRotors = N > 0 ? N : 1;
  Vec3<T> walk_gyro, walk_accel, drift_gyro, drift_accel;
  Vec3<T> gyro, accelerometer;  // rad/s, m/s2: the last sample
  Vec3<T> delta_angle, delta_velocity;  // rad, m/s: of the last tick
  T rotor_phase[kRotors];  // rad
  T resonance[2];

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"imu.walk_gyro", "rad/s", "B", "random walk of the gyroscope's bias"}, s.walk_gyro);
    f(Field{"imu.walk_accel", "m/s2", "B", "random walk of the accelerometer's bias"}, s.walk_accel);
    f(Field{"imu.drift_gyro", "rad/s", "B", "slowly varying part of the gyroscope's bias"}, s.drift_gyro);
    f(Field{"imu.drift_accel", "m/s2", "B", "slowly varying part of the accelerometer's bias"}, s.drift_accel);
    f(Field{"imu.gyro", "rad/s", "B", "angular velocity as the gyroscope measured it in the last integration step"}, s.gyro);
    f(Field{"imu.accelerometer", "m/s2", "B", "specific force as the accelerometer measured it in the last integration step"}, s.accelerometer);
    f(Field{"imu.delta_angle", "rad", "B", "measured turn in the last tick as a rotation vector, in the body axes at its start"}, s.delta_angle);
    f(Field{"imu.delta_velocity", "m/s", "B", "measured change of velocity without gravity in the last tick, in the body axes at its start"}, s.delta_velocity);
    f(Field{"imu.rotor_phase", "rad", "-", "angle of each rotor, for vibration"}, s.rotor_phase);
    f(Field{"imu.resonance", "-", "-", "last two values of the broadband vibration"}, s.resonance);
  }
};

// drawn once per episode
template <class T> struct ImuTurnOn {
  Mat3<T> gyro, accelerometer;
  Vec3<T> gyro_bias, accel_bias;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"imu.matrix_gyro", "-", "B", "scale factors and cross-axis terms of the gyroscope"}, s.gyro);
    f(Field{"imu.matrix_accel", "-", "B", "scale factors and cross-axis terms of the accelerometer"}, s.accelerometer);
    f(Field{"imu.turn_on_gyro", "rad/s", "B", "constant part of the gyroscope's bias"}, s.gyro_bias);
    f(Field{"imu.turn_on_accel", "m/s2", "B", "constant part of the accelerometer's bias"}, s.accel_bias);
  }
};

// what holds through a tick, and the sums over it
template <class T, int N> struct ImuTick {
  VibrationGains<T, N> gains;
  Quat<T> turn;  // from the body axes now to those at the start of the tick
  Vec3<T> velocity;  // m/s, in the axes at the start
};

// ---------------------------------------------------------------- small rotations

// The quaternion of a rotation vector by its series: exact to 1e-7 up to 1 rad, more than any vehicle turns in an integration step.
template <class T> VOLARY_HD Quat<T> quat_from_small(const Vec3<T>& a) {
  const T x = splat<T>(0.25) * dot(a, a);
  const T c = horner(x, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5, 1.0);
  const T s = splat<T>(0.5) * horner(x, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0);
  return {c, s * a.x, s * a.y, s * a.z};
}
// the rotation vector of a unit quaternion, up to half a turn
template <class T> VOLARY_HD Vec3<T> rotation_vector(const Quat<T>& q) {
  const Vec3<T> v{q.x, q.y, q.z};
  const T n = norm(v), two = splat<T>(2);
  const T factor = select(n > splat<T>(1e-12), two * atan2(n, q.w) / n, two);
  return factor * v;
}
template <class T> VOLARY_HD Vec3<T> rotate(const Quat<T>& q, const Vec3<T>& v) { return rotation_matrix(q) * v; }

// ---------------------------------------------------------------- the sensor

template <class T, int N> VOLARY_HD void begin_imu(ImuState<T, N>& s, ImuTurnOn<T>& on, const ImuParams<T>& p, const Draws<T>& draws) {
  const Normals8<T> a = draws.once(Purpose::Imu, 0), b = draws.once(Purpose::Imu, 1), c = draws.once(Purpose::Imu, 2), d = draws.once(Purpose::Imu, 3);
  on.gyro = draw_matrix(three(a, 0), three(a, 3), Vec3<T>{a.n[6], a.n[7], d.n[0]}, p.gyro);
  on.accelerometer = draw_matrix(three(b, 0), three(b, 3), Vec3<T>{b.n[6], b.n[7], d.n[1]}, p.accelerometer);
  on.gyro_bias = p.gyro.turn_on * three(c, 0);
  on.accel_bias = p.accelerometer.turn_on * three(c, 3);
  s = ImuState<T, N>{};
  s.walk_gyro = s.walk_accel = s.gyro = s.accelerometer = s.delta_angle = s.delta_velocity = zero3<T>();
  s.drift_gyro = p.gyro.instability * Vec3<T>{c.n[6], c.n[7], d.n[2]};
  s.drift_accel = p.accelerometer.instability * three(d, 3);
  for (int i = 0; i < ImuState<T, N>::kRotors; ++i) {
    const Words4<Bits<T>> w = draws.who.draw(Purpose::TurnOn, (static_cast<std::uint64_t>(Purpose::Imu) << 8) | static_cast<std::uint64_t>(16 + i), 0);
    s.rotor_phase[i] = splat<T>(6.283185307179586) * (environment::uniform<T>(w.w[0]) - splat<T>(0.5));
  }
  s.resonance[0] = s.resonance[1] = splat<T>(0);
}

template <class T, int N> VOLARY_HD ImuTick<T, N> begin_tick(ImuState<T, N>& s, const T* rotor_speed, const ImuParams<T>& p, const Draws<T>& draws) {
  const Normals8<T> a = draws.normals(Purpose::ImuWalk, 0), b = draws.normals(Purpose::ImuWalk, 1);
  s.drift_gyro = next_drift(s.drift_gyro, three(a, 0), p.gyro);
  s.drift_accel = next_drift(s.drift_accel, three(a, 3), p.accelerometer);
  s.walk_gyro = fma(p.gyro.walk, three(b, 0), s.walk_gyro);
  s.walk_accel = fma(p.accelerometer.walk, three(b, 3), s.walk_accel);
  ImuTick<T, N> t{};
  if (any(p.vibration.per_speed > splat<T>(0))) t.gains = vibration_gains<T, N>(rotor_speed, p.vibration);
  t.turn = identity_quat<T>();
  t.velocity = zero3<T>();
  return t;
}

// The faults of both sensors in one integration step. A sample that is lost is replaced by the last one, as drivers do: an IMU has no way to say nothing.
template <class T> VOLARY_HD Vec3<T> imu_fault(const Vec3<T>& y, const Vec3<T>& last, const FaultTerms<T>& f, const Vec3<T>& n, T u) {
  const Vec3<T> scaled = fma(f.scale, y, f.offset);
  const Vec3<T> noisy{add_fault_noise(scaled.x, f.sigma, n.x), add_fault_noise(scaled.y, f.sigma, n.y), add_fault_noise(scaled.z, f.sigma, n.z)};
  return select((f.hold > splat<T>(0)) | (u < f.drop), last, noisy);
}
template <class T> VOLARY_HD Mask<T> has_fault(const FaultTerms<T>& f) { return (f.sigma > splat<T>(0)) | (f.drop > splat<T>(0)); }

template <class T>
VOLARY_HD void add_imu_faults(Vec3<T>& gyro, Vec3<T>& accelerometer, const Vec3<T>& last_gyro, const Vec3<T>& last_accelerometer, int substep,
                              const FaultTerms<T>* faults, const Draws<T>& draws) {
  Normals8<T> n{};
  T u[2] = {splat<T>(1), splat<T>(1)};
  for (int i = 0; i < 8; ++i) n.n[i] = splat<T>(0);
  if (any(has_fault(faults[0]) | has_fault(faults[1]))) {
    const std::uint32_t draw = 128u + static_cast<std::uint32_t>(substep) % 128u;
    n = draws.normals(Purpose::FaultNoise, draw);
    const Words4<Bits<T>> w = draws.words(Purpose::FaultDrop, draw);
    u[0] = environment::uniform<T>(w.w[0]), u[1] = environment::uniform<T>(w.w[1]);
  }
  gyro = imu_fault(gyro, last_gyro, faults[0], three(n, 0), u[0]);
  accelerometer = imu_fault(accelerometer, last_accelerometer, faults[1], three(n, 3), u[1]);
}

// what an ideal sensor away from the centre of mass feels between two states
template <class T>
VOLARY_HD void felt(const Vec3<T>& v0_W, const Vec3<T>& w0_B, const Quat<T>& q0, const Vec3<T>& v1_W, const Vec3<T>& w1_B, const Quat<T>& q1,
                    const ImuParams<T>& p, Vec3<T>& omega_B, Vec3<T>& force_B) {
  const Quat<T> middle = normalize(Quat<T>{q0.w + q1.w, q0.x + q1.x, q0.y + q1.y, q0.z + q1.z});
  Vec3<T> force_W = p.per_step * (v1_W - v0_W);
  force_W.z = force_W.z + p.gravity;
  omega_B = splat<T>(0.5) * (w0_B + w1_B);
  const Vec3<T> turning = cross(p.per_step * (w1_B - w0_B), p.position_B) + cross(omega_B, cross(omega_B, p.position_B));
  force_B = transpose_times(rotation_matrix(middle), force_W) + turning;
}

template <class T, int N>
VOLARY_HD void sample(ImuTick<T, N>& t, ImuState<T, N>& s, int substep, const Vec3<T>& v0_W, const Vec3<T>& w0_B, const Quat<T>& q0, const Vec3<T>& v1_W,
                      const Vec3<T>& w1_B, const Quat<T>& q1, const T* rotor_speed, const ImuTurnOn<T>& on, const ImuParams<T>& p,
                      const FaultTerms<T>* faults, const Draws<T>& draws) {
  Vec3<T> omega_B, force_B;
  felt(v0_W, w0_B, q0, v1_W, w1_B, q1, p, omega_B, force_B);

  // eq. 10: matrix, biases, vibration, noise, resolution, range
  const auto purpose = static_cast<Purpose>(static_cast<std::uint32_t>(Purpose::Imu) + static_cast<std::uint32_t>(substep) / 256u);
  const Normals8<T> n = draws.normals(purpose, static_cast<std::uint32_t>(substep) % 256u);
  Vec3<T> gyro = fma(p.gyro.noise, three(n, 0), on.gyro * omega_B + ((on.gyro_bias + s.drift_gyro) + s.walk_gyro));
  Vec3<T> accelerometer = fma(p.accelerometer.noise, three(n, 3), on.accelerometer * force_B + ((on.accel_bias + s.drift_accel) + s.walk_accel));
  add_vibration<T, N>(t.gains, s.rotor_phase, s.resonance, rotor_speed, n.n[6], p.vibration, gyro, accelerometer);
  gyro = digitise(gyro, p.gyro), accelerometer = digitise(accelerometer, p.accelerometer);
  if (faults != nullptr) add_imu_faults(gyro, accelerometer, s.gyro, s.accelerometer, substep, faults, draws);
  s.gyro = gyro, s.accelerometer = accelerometer;

  // sums in the axes at the start of the tick; the force acts in the middle of the step
  const Vec3<T> half = (splat<T>(0.5) * p.step) * gyro;
  const Quat<T> half_turn = quat_from_small(half);
  const Quat<T> middle = t.turn * half_turn;
  t.velocity = fma(p.step, rotate(middle, accelerometer), t.velocity);
  t.turn = middle * half_turn;
}

template <class T, int N> VOLARY_HD void end_tick(const ImuTick<T, N>& t, ImuState<T, N>& s) {
  s.delta_angle = rotation_vector(t.turn);
  s.delta_velocity = t.velocity;
}

}  // namespace volary::inline VOLARY_ISA::sensors
