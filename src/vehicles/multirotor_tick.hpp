// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One tick of a multirotor: what the sweep does to a block. An agent is loaded into registers, its outer
// loops run once, then K substeps of inner loops, motors and RK4, and what is still sound is stored.
#pragma once

#include "vehicles/actuator_faults.hpp"
#include "vehicles/multirotor_step.hpp"
#include "vehicles/sensed.hpp"
#include "vehicles/tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// Rate accepts body rates and thrust only, and pays for nothing else; Ladder accepts every level.
enum class Control { Rate, Ladder };

template <class T> struct RateCommand {
  T thrust;        // N
  Vec3<T> rate_B;  // rad/s

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"setpoint.thrust", "N", "B", "commanded collective thrust"}, s.thrust);
    f(Field{"setpoint.rate", "rad/s", "B", "commanded body rate"}, s.rate_B);
  }
};

// One agent in registers: the rows of the hot record. `state` is loaded and stored, `input` only loaded.
template <class V, Control C, class T> struct Agent : SensedPart<V, T, V::kRotors> {
  static constexpr int kRotors = V::kRotors;
  Bits<T> status;
  RigidBody<T> body;
  Rotors<T, kRotors> rotors;
  control::RateMemory<T> rate;
  control::LadderMemory<T> ladder;               // Ladder
  Air<T> air;                                    // Full, Tilted
  RateCommand<T> command;                        // Rate
  control::Setpoint<T, kRotors> setpoint;        // Ladder
  Outside<T> outside;                            // Full, Tilted

  template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
    f(Field{"status", "-", "-", "flight mode and status bits. Bits 0-3: mode; 4-7: mode after take-off; 8: alive; 9: diverged"}, s.status);
    RigidBody<T>::fields(s.body, f);
    Rotors<T, kRotors>::fields(s.rotors, f);
    control::RateMemory<T>::fields(s.rate, f);
    if constexpr (C == Control::Ladder) control::LadderMemory<T>::fields(s.ladder, f);
    if constexpr (V::kSensed) Sensed<T, kRotors>::state(s.sensed, f);
    if constexpr (V::kFull) Air<T>::fields(s.air, f);
  }
  template <class Self, class F> VOLARY_HD static constexpr void input(Self& s, F& f) {
    if constexpr (C == Control::Rate) RateCommand<T>::fields(s.command, f);
    if constexpr (C == Control::Ladder) control::Setpoint<T, kRotors>::fields(s.setpoint, f);
    if constexpr (V::kSensed) Sensed<T, kRotors>::input(s.sensed, f);
    if constexpr (V::kFull) Outside<T>::fields(s.outside, f);
  }
};

// ---------------------------------------------------------------- outer loops

template <class V, class T>
VOLARY_HD control::AttitudeTarget<T> outer_loops(Agent<V, Control::Ladder, T>& a, const TickInfo& info, const control::LadderParams<T>& p) {
  const control::Law law = info.law;
  const auto& sp = a.setpoint;
  const RigidBody<T>& body = known<V>(a, info);
  const Vec3<T> velocity = body.velocity_W;
  Vec3<T> error = sp.position_W - body.position_W;
  // control levels below position have no position error, control levels below velocity no feedback at all
  const Mask<T> below_position = !((sp.level == control::bits_of<T>(5)) | (sp.level == control::bits_of<T>(6)));
  const Mask<T> below_velocity = below_position & !(sp.level == control::bits_of<T>(4));
  if (any(below_position)) error = select(below_position, zero3<T>(), error);

  Vec3<T> wanted, jerk = sp.jerk_W;
  if (law == control::Law::Rpt) {
    wanted = control::rpt_acceleration(error, velocity, sp, p, a.ladder);
    const control::ReferenceDrag<T> drag = control::reference_drag(sp, p);
    jerk = fma(drag.rotor + drag.body, sp.acceleration_W, jerk);  // the compensation turns with the velocity
  } else if (law == control::Law::Geometric)
    wanted = control::geometric_acceleration(error, velocity, sp, p);
  else
    wanted = control::cascade_acceleration(error, velocity, sp, p, a.ladder);
  a.ladder.previous_velocity_W = velocity;
  if (any(below_velocity)) {
    wanted = select(below_velocity, sp.acceleration_W, wanted);
    a.ladder.integral_W = select(below_velocity, zero3<T>(), a.ladder.integral_W);
  }
  control::AttitudeTarget<T> t = control::attitude_for(wanted, jerk, sp.yaw, sp.yaw_rate, body.q_WB, p);

  // level Attitude brings its own target
  const Mask<T> attitude = sp.level == control::bits_of<T>(2);
  if (any(attitude)) {
    t.q_WB = select(attitude, sp.q_WB, t.q_WB);
    t.rate_B = select(attitude, zero3<T>(), t.rate_B);
    t.thrust = select(attitude, sp.thrust, t.thrust);
  }
  return t;
}

// ---------------------------------------------------------------- inner loops

// control levels that bypass the attitude loop: body rates and motor speeds
template <class V, class T> VOLARY_HD Mask<T> is_low_level(const Agent<V, Control::Ladder, T>& a) {
  return (a.setpoint.level == control::bits_of<T>(1)) | (a.setpoint.level == control::bits_of<T>(0));
}
template <class V, class T> VOLARY_HD Mask<T> is_low_level(const Agent<V, Control::Rate, T>&) { return splat<T>(0) > splat<T>(0); }

// wanted thrust and angular acceleration of one substep
template <class T> struct Wanted {
  T thrust;
  Vec3<T> spin_up_B;
};
template <class V, bool General, class T, int N>
VOLARY_HD Wanted<T> inner_loops(Agent<V, Control::Rate, T>& a, const control::AttitudeTarget<T>&, const TickInfo&, const MultirotorParams<T, N>& p) {
  return {a.command.thrust, control::rate_control(a.command.rate_B, a.body.omega_B, p.rate, p.step.h, p.inv_step, a.rate)};
}
template <class V, bool General, class T, int N>
VOLARY_HD Wanted<T> inner_loops(Agent<V, Control::Ladder, T>& a, const control::AttitudeTarget<T>& t, const TickInfo& info, const MultirotorParams<T, N>& p) {
  const RigidBody<T>& body = known<V>(a, info);
  Vec3<T> rate = control::attitude_control(body.q_WB, t, p.ladder);
  T thrust = t.thrust;
  if constexpr (General) {
    const Mask<T> low = is_low_level<V>(a);
    rate = select(low, a.setpoint.rate_B, rate);
    thrust = select(low, a.setpoint.thrust, thrust);
  }
  Vec3<T> spin_up = control::rate_control(rate, body.omega_B, p.rate, p.step.h, p.inv_step, a.rate);
  if (info.law == control::Law::Geometric) {
    const Vec3<T> geometric = control::geometric_attitude(body.q_WB, body.omega_B, t, p.ladder);
    spin_up = General ? select(is_low_level<V>(a), spin_up, geometric) : geometric;
  }
  return {thrust, spin_up};
}

// rotor speeds for what is wanted
template <class V, bool General, Control C, class T, int N>
VOLARY_HD Rotors<T, N> rotor_command(const Agent<V, C, T>& a, const Wanted<T>& w, const MultirotorParams<T, N>& p) {
  const Vec3<T> torque = V::kTilted ? times_symmetric(p.inertia, p.inertia_products, w.spin_up_B) : p.inertia * w.spin_up_B;
  const control::RotorThrusts<T, N> f = control::allocate(p.mixer, w.thrust, torque);
  Rotors<T, N> command;
  for (int i = 0; i < N; ++i) command.speed[i] = speed_for_thrust<V>(f.f[i], i, p.rotor);
  if constexpr (General && C == Control::Ladder) {
    const Mask<T> direct = a.setpoint.level == control::bits_of<T>(0);
    for (int i = 0; i < N; ++i)
      command.speed[i] = select(direct, clamp(a.setpoint.motor_speed[i], p.rotor.speed_min[i], p.rotor.speed_max[i]), command.speed[i]);
  }
  return command;
}

// ---------------------------------------------------------------- the tick

// what surrounds the vehicle through the tick
template <class V, Control C, class T, int N> VOLARY_HD Surroundings<T> surroundings(const Agent<V, C, T>& a, const MultirotorParams<T, N>& p) {
  const Vec3<T>& f = a.outside.force_W;
  return {a.outside.wind_W + a.air.gust_W, {f.x * p.inv_mass, f.y * p.inv_mass, fma(f.z, p.inv_mass, -p.gravity)}, a.outside.torque_B};
}

// the IMU through the substeps, where there is one
template <class V, class T, int N> struct MultirotorSampling {
  template <class A> VOLARY_HD MultirotorSampling(A&, const TickInfo&, const MultirotorParams<T, N>&) {}
  template <class A> VOLARY_HD void sample(A&, int, const TickInfo&, const MultirotorParams<T, N>&) {}
  template <class A> VOLARY_HD void end(A&, const TickInfo&) {}
};
template <class V, class T, int N>
  requires V::kSensed
struct MultirotorSampling<V, T, N> {
  Sampling<T, N> now;
  template <class A> VOLARY_HD MultirotorSampling(A& a, const TickInfo& info, const MultirotorParams<T, N>& p)
      : now(begin_sampling<T, N>(a.sensed, a.body, a.rotors.speed, imu_of<T>(p), info)) {}
  template <class A> VOLARY_HD void sample(A& a, int k, const TickInfo& info, const MultirotorParams<T, N>& p) {
    sample_step<T, N>(now, a.sensed, k, a.body.velocity_W, a.body.q_WB, a.body.omega_B, a.rotors.speed, imu_of<T>(p), info);
  }
  template <class A> VOLARY_HD void end(A& a, const TickInfo& info) { end_sampling<T, N>(now, a.sensed, a.body, info); }
};

// K substeps of everything that is fast, in the air
template <class V, Control C, class T, int N>
VOLARY_HD void substeps(Agent<V, C, T>& a, const control::AttitudeTarget<T>& target, const Surroundings<T>& e, const TickInfo& info,
                        const MultirotorParams<T, N>& p) {
  MultirotorSampling<V, T, N> imu(a, info, p);
  for (int k = 0; k < info.substeps; ++k) {
    const Wanted<T> wanted = inner_loops<V, false>(a, target, info, p);
    const Rotors<T, N> command = rotor_command<V, false>(a, wanted, p);
    if constexpr (V::kFull)
      substep_full<V>(a.body, a.rotors, command, e, p);
    else
      substep_basic<V>(a.body, a.rotors, command, p);
    imu.sample(a, k, info, p);
  }
  imu.end(a, info);
}

// what the rotors make of their commands where some of the flock have faults
template <class T, int N> VOLARY_COLD void apply_faults(Rotors<T, N>& command, bool is_last, const TickInfo& info, const MultirotorParams<T, N>& p) {
  const ActuatorFaults<T> faults = actuator_faults<T>(info);
  for (int i = 0; i < N; ++i) {
    const T wanted = command.speed[i];
    command.speed[i] = faults.apply(i, wanted, splat<T>(0), p.rotor.speed_max[i]);
    if (is_last) faults.keep(i, wanted);
  }
}

// rotor speeds of one substep in every mode, on every control level, with faults
template <class V, Control C, class T, int N>
VOLARY_HD Rotors<T, N> general_command(Agent<V, C, T>& a, const control::AttitudeTarget<T>& target, Mask<T> off, bool is_last, const TickInfo& info,
                                       const MultirotorParams<T, N>& p) {
  const Wanted<T> wanted = inner_loops<V, true>(a, target, info, p);
  Rotors<T, N> command = rotor_command<V, true>(a, wanted, p);
  if (info.faults != nullptr) apply_faults(command, is_last, info, p);
  for (int i = 0; i < N; ++i) command.speed[i] = select(off, splat<T>(0), command.speed[i]);
  return command;
}

// The same near the ground, with still rotors (disarmed, stopped), on the lowest control levels of the ladder, with faults, or with the simple
// integrator: apart, so that the common case stays lean.
template <class V, Control C, class T, int N>
VOLARY_COLD void general_substeps(Agent<V, C, T>& a, const control::AttitudeTarget<T>& target, const Surroundings<T>& air, Mask<T> off, Mask<T> low,
                                  const TickInfo& info, const MultirotorParams<T, N>& p) {
  MultirotorSampling<V, T, N> imu(a, info, p);
  for (int k = 0; k < info.substeps; ++k) {
    const Rotors<T, N> command = general_command<V>(a, target, off, k + 1 == info.substeps, info, p);
    if constexpr (V::kFull) {
      const T sinking = -dot(p.contact.ground.normal_W, a.body.velocity_W);
      a.air.ground_force = substep_on_ground<V>(a.body, a.rotors, command, air, low, p, info.euler);
      if (info.impact_speed > 0) a.status = note_impact<T>(a.status, a.air.ground_force, sinking, info.impact_speed);
    } else
      substep_basic<V>(a.body, a.rotors, command, p, info.euler);
    imu.sample(a, k, info, p);
  }
  imu.end(a, info);
}

template <class V, Control C, class T, int N> VOLARY_HD void advance_agent(Agent<V, C, T>& a, const TickInfo& info, const MultirotorParams<T, N>& p) {
  control::AttitudeTarget<T> target;
  if constexpr (C == Control::Ladder) target = outer_loops<V>(a, info, p.ladder);
  Surroundings<T> e;
  Mask<T> low = splat<T>(0) > splat<T>(0);
  if constexpr (V::kFull) {
    e = surroundings(a, p);
    low = near_ground(a.body, p.guide.tick, p.contact);
    a.air.ground_force = splat<T>(0);
  }
  const Mask<T> off = has_still_rotors<T>(a.status);
  if (info.euler || info.faults != nullptr || any(low | off | is_low_level<V>(a))) {
    // copies: the address of the agent itself must not leave this function, or it would live in memory
    Agent<V, C, T> copy = a;
    const control::AttitudeTarget<T> target_copy = target;
    const Surroundings<T> e_copy = e;
    general_substeps(copy, target_copy, e_copy, off, low, info, p);
    a = copy;
  } else {
    substeps(a, target, e, info, p);
  }
}

// ---------------------------------------------------------------- the tick of a vehicle whose body somebody else moves

// what the outer loops ask of the substeps of a tick
template <class T> struct MultirotorTargets {
  control::AttitudeTarget<T> attitude;
  T is_low;  // 1 where the ground may be touched within the tick

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"target.attitude", "-", "WB", "wanted attitude"}, s.attitude.q_WB);
    f(Field{"target.rate", "rad/s", "B", "wanted body rate beside the feedback of the attitude"}, s.attitude.rate_B);
    f(Field{"target.thrust", "N", "B", "wanted collective thrust"}, s.attitude.thrust);
    f(Field{"target.is_low", "-", "-", "1: the ground may be touched within the tick"}, s.is_low);
  }
};
template <class V, Control C, class T, int N>
VOLARY_HD MultirotorTargets<T> begin_multirotor(Agent<V, C, T>& a, const TickInfo& info, const MultirotorParams<T, N>& p) {
  const Mask<T> low = near_ground(a.body, p.guide.tick, p.contact);
  a.air.ground_force = splat<T>(0);
  return {outer_loops<V>(a, info, p.ladder), select(low, splat<T>(1), splat<T>(0))};
}

// What the ground adds to the pushes from outside, force_W and the torque of e, in the lanes of `low`; they learn whether that was an impact.
template <class V, Control C, class T, int N>
VOLARY_HD void touch_ground(Agent<V, C, T>& a, Surroundings<T>& e, Vec3<T>& force_W, Mask<T> low, const Rotors<T, N>& command, const TickInfo& info,
                            const MultirotorParams<T, N>& p) {
  const ContactForce<T> c = push_of_ground<V>(e, a.body, a.rotors, command, p);
  const Mask<T> touching = low & (c.pressed > splat<T>(0));
  force_W = select(touching, force_W + c.force_W, force_W);
  e.torque_B = select(touching, e.torque_B + c.torque_B, e.torque_B);
  a.air.ground_force = select(touching, c.pressed, splat<T>(0));
  const T sinking = -dot(p.contact.ground.normal_W, a.body.velocity_W);
  if (info.impact_speed > 0) a.status = note_impact<T>(a.status, a.air.ground_force, sinking, info.impact_speed);
}

// One substep of everything but the body. What pushes that, with the rotors of the middle of the substep and its motion at the beginning; without gravity.
template <class V, Control C, class T, int N>
VOLARY_HD Wrench<T> drive_multirotor(Agent<V, C, T>& a, const MultirotorTargets<T>& target, bool is_last, const TickInfo& info,
                                     const MultirotorParams<T, N>& p) {
  const Rotors<T, N> command = general_command<V>(a, target.attitude, has_still_rotors<T>(a.status), is_last, info, p);
  Surroundings<T> e = surroundings(a, p);
  Vec3<T> force_W = a.outside.force_W;
  const Mask<T> low = target.is_low > splat<T>(0.5);
  if (any(low)) touch_ground<V>(a, e, force_W, low, command, info, p);
  const RotorTrack<T, N> track = track_rotors<V>(a.rotors, command, p.rotor);
  const RotorLoads<T, N> loads = rotor_loads<V>(track.middle, track.middle_rate, p.rotor);
  a.rotors = track.end;
  const Mat3<T> R_WB = rotation_matrix(a.body.q_WB);
  const Wrench<T> sum = wrench_full<V>(begin_motion(a.body), R_WB, loads, e, p);
  return {sum.force_B + transpose_times(R_WB, force_W), sum.torque_B + gyroscopic_torque(a.body.omega_B, loads.momentum_B)};
}

}  // namespace volary::inline VOLARY_ISA::vehicles
