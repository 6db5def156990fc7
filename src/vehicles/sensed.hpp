// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a vehicle with an IMU keeps beside its state, and how a tick of it goes: biases go on, every integration step is sampled, and in between the samples carry the
// estimate of the state on, so that controllers always have one of now. The estimator (engine/sense_lanes.hpp) corrects it once per tick.
#pragma once

#include "sensors/imu.hpp"
#include "vehicles/tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// Rows of a vehicle with N rotors, of a platform those of all its aircraft. `state` is loaded and stored, `input` only loaded: the first is drawn when an episode
// begins, the rest is written by the estimator.
template <class T, int N> struct Sensed {
  sensors::ImuState<T, N> imu;
  RigidBody<T> estimate;
  Vec3<T> seen_velocity_W;
  sensors::ImuTurnOn<T> turn_on;
  Vec3<T> gyro_bias, accel_bias;
  T wind[2];
  T position_std;

  template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
    sensors::ImuState<T, N>::fields(s.imu, f);
    // in the order of RigidBody: guidance reads either
    f(Field{"estimate.position", "m", "W", "estimated position of the vehicle, leading part; the rest is in its remainder rows"}, s.estimate.position_W);
    f(Field{"estimate.velocity", "m/s", "W", "estimated velocity of the vehicle"}, s.estimate.velocity_W);
    f(Field{"estimate.attitude", "-", "WB", "estimated attitude as a unit quaternion w x y z, body to world"}, s.estimate.q_WB);
    f(Field{"estimate.omega", "rad/s", "B", "angular velocity of the body by the gyroscope, less its estimated bias"}, s.estimate.omega_B);
    f(Field{"imu.seen_velocity", "m/s", "W", "true velocity after the last integration step; a push since then is felt by the next sample"}, s.seen_velocity_W);
  }
  template <class Self, class F> VOLARY_HD static constexpr void input(Self& s, F& f) {
    sensors::ImuTurnOn<T>::fields(s.turn_on, f);
    f(Field{"estimate.gyro_bias", "rad/s", "B", "estimated bias of the gyroscope"}, s.gyro_bias);
    f(Field{"estimate.accel_bias", "m/s2", "B", "estimated bias of the accelerometer"}, s.accel_bias);
    f(Field{"estimate.wind", "m/s", "W", "estimated wind, east and north; zero for vehicles that do not estimate it"}, s.wind);
    f(Field{"estimate.position_std", "m", "W", "standard deviation of the estimated position on each axis, as the estimator has it"}, s.position_std);
  }
};

// what an agent of a program has of it
template <class V, class T, int N> struct SensedPart {};
template <class V, class T, int N>
  requires V::kSensed
struct SensedPart<V, T, N> {
  Sensed<T, N> sensed;
};

// the parameters of a vehicle with an IMU: those of its model, and of the IMU
template <class Model, class T> struct SensedParams : Model {
  sensors::ImuParams<T> imu;
  T control_on_truth;  // 1: controllers take the true state

  static constexpr int kImu = static_cast<int>(sizeof(sensors::ImuParams<T>) / sizeof(T));
  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    Model::fields(s, f);
    f(Field{"imu.errors", "-", "B", "errors of the gyroscope, then of the accelerometer, vibration, place and step (sensors/imu.hpp)"},
      reinterpret_cast<T(&)[kImu]>(s.imu));
    f(Field{"control_on_truth", "-", "-", "1: controllers take the true state; 0: the estimate"}, s.control_on_truth);
  }
};
template <class V, class Model, class T> using ParamsOf = std::conditional_t<V::kSensed, SensedParams<Model, T>, Model>;
template <class T, class Model> VOLARY_HD const sensors::ImuParams<T>& imu_of(const Model& p) { return static_cast<const SensedParams<Model, T>&>(p).imu; }

// What the controllers of a vehicle take for its state.
template <class V, class A> VOLARY_HD decltype(auto) known(const A& a, const TickInfo& info) {
  if constexpr (V::kSensed) {
    // a copy: an address of a part of the agent would keep all of it in memory
    auto body = a.sensed.estimate;
    if (info.by_truth) body = a.body;
    return body;
  } else {
    return (a.body);
  }
}
// the same where a mode begins
template <class V, class A, class Params> VOLARY_HD decltype(auto) known_now(const A& a, const Params& p) {
  if constexpr (V::kSensed) {
    auto body = a.sensed.estimate;
    if (p.control_on_truth > 0) body = a.body;
    return body;
  } else {
    return (a.body);
  }
}

// ---------------------------------------------------------------- a tick

// Where somebody else moves the bodies, the engine keeps it between two substeps.
template <class T, int N> struct Sampling {
  sensors::ImuTick<T, N> sums;
  Vec3<T> velocity_W;  // before the next step
  Quat<T> q_WB;
  Vec3<T> omega_B;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    for (auto& gain : s.sums.gains.gain) f(Field{"sampling.gain", "-", "-", "gain of the vibration of each rotor and harmonic"}, gain);
    f(Field{"sampling.broadband", "-", "-", "gain of the broadband vibration"}, s.sums.gains.broadband);
    f(Field{"sampling.turn", "-", "B", "turn of the tick so far, to the body axes at its start"}, s.sums.turn);
    f(Field{"sampling.velocity_change", "m/s", "B", "measured change of velocity of the tick so far, in the body axes at its start"}, s.sums.velocity);
    f(Field{"sampling.velocity", "m/s", "W", "velocity before the next substep"}, s.velocity_W);
    f(Field{"sampling.attitude", "-", "WB", "attitude before the next substep"}, s.q_WB);
    f(Field{"sampling.omega", "rad/s", "B", "angular velocity before the next substep"}, s.omega_B);
  }
};
template <class T> VOLARY_HD sensors::Draws<T> draws_of(const TickInfo& info) {
  return {math::Identity<T>{static_cast<const Bits<Scalar<T>>*>(info.who)}, info.tick, static_cast<const Bits<Scalar<T>>*>(info.ticks)};
}

template <class T, int N>
VOLARY_HD Sampling<T, N> begin_sampling(Sensed<T, N>& s, const RigidBody<T>& body, const T* rotor_speed, const sensors::ImuParams<T>& p, const TickInfo& info) {
  return {sensors::begin_tick<T, N>(s.imu, rotor_speed, p, draws_of<T>(info)), s.seen_velocity_W, body.q_WB, body.omega_B};
}

// the estimate after a step of the IMU, by what it measured less the biases that are believed
template <class T> VOLARY_HD void carry_on(RigidBody<T>& e, const Vec3<T>& gyro, const Vec3<T>& force_B, const sensors::ImuParams<T>& p) {
  const T half = splat<T>(0.5) * p.step;
  const Quat<T> half_turn = sensors::quat_from_small(half * gyro), middle = e.q_WB * half_turn;
  Vec3<T> acceleration_W = rotation_matrix(middle) * force_B;
  acceleration_W.z = acceleration_W.z - p.gravity;
  e.position_W = math::advance(e.position_W, p.step * fma(half, acceleration_W, e.velocity_W));
  e.velocity_W = fma(p.step, acceleration_W, e.velocity_W);
  e.q_WB = normalize(middle * half_turn);
  e.omega_B = gyro;
}

// The same where some vehicle of the flock has a fault of its IMU or its estimator, whose estimate then may stay what it was.
template <class T, int N>
VOLARY_COLD void sample_with_faults(Sampling<T, N>& t, Sensed<T, N>& s, int step, const Vec3<T>& velocity_W, const Quat<T>& q_WB, const Vec3<T>& omega_B,
                                    const T* rotor_speed, const sensors::ImuParams<T>& p, const TickInfo& info) {
  const auto* rows = static_cast<const Scalar<T>*>(info.sense_faults);
  const sensors::FaultTerms<T> faults[2] = {sensors::load_fault<T>(rows, sensors::kGyroFault), sensors::load_fault<T>(rows, sensors::kAccelerometerFault)};
  sensors::sample<T, N>(t.sums, s.imu, step, t.velocity_W, t.omega_B, t.q_WB, velocity_W, omega_B, q_WB, rotor_speed, s.turn_on, p, faults, draws_of<T>(info));
  if (!info.believes) return;
  RigidBody<T> next = s.estimate;
  carry_on(next, s.imu.gyro - s.gyro_bias, s.imu.accelerometer - s.accel_bias, p);
  const Mask<T> moves = !(sensors::load_fault<T>(rows, sensors::kEstimatorFault).hold > splat<T>(0));
  RigidBody<T>& e = s.estimate;
  e.position_W = {select(moves, next.position_W.value, e.position_W.value), select(moves, next.position_W.remainder, e.position_W.remainder)};
  e.velocity_W = select(moves, next.velocity_W, e.velocity_W);
  e.q_WB = select(moves, next.q_WB, e.q_WB);
  e.omega_B = select(moves, next.omega_B, e.omega_B);
}

// after every integration step
template <class T, int N>
VOLARY_HD void sample_step(Sampling<T, N>& t, Sensed<T, N>& s, int step, const Vec3<T>& velocity_W, const Quat<T>& q_WB, const Vec3<T>& omega_B, const T* rotor_speed,
                           const sensors::ImuParams<T>& p, const TickInfo& info) {
  if (info.sense_faults != nullptr) {
    sample_with_faults(t, s, step, velocity_W, q_WB, omega_B, rotor_speed, p, info);
  } else {
    sensors::sample<T, N>(t.sums, s.imu, step, t.velocity_W, t.omega_B, t.q_WB, velocity_W, omega_B, q_WB, rotor_speed, s.turn_on, p, nullptr, draws_of<T>(info));
    if (info.believes) carry_on(s.estimate, s.imu.gyro - s.gyro_bias, s.imu.accelerometer - s.accel_bias, p);
  }
  t.velocity_W = velocity_W, t.q_WB = q_WB, t.omega_B = omega_B;
}

template <class T, int N> VOLARY_HD void end_sampling(const Sampling<T, N>& t, Sensed<T, N>& s, const RigidBody<T>& body, const TickInfo& info) {
  sensors::end_tick<T, N>(t.sums, s.imu);
  s.seen_velocity_W = body.velocity_W;
  if (!info.believes) s.estimate = body;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
