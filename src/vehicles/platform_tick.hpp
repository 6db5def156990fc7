// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One tick of a platform: the outer loop once (IAP section IV: pose, admittance, wrench, allocation), then K substeps of the inner loops of all aircraft, motors, the
// ground where it is near, and integration.
#pragma once

#include "math/euler.hpp"
#include "vehicles/platform.hpp"
#include "vehicles/sensed.hpp"
#include "vehicles/tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// volary::Reaction
enum class Reaction : int {
  Stiff = 0,  // it keeps its pose (eqs. 10 and 16)
  Yield = 1,  // it gives way as a mass on springs and dampers would (eq. 19)
  Press = 2,  // it presses until the push from outside is the wanted wrench (eq. 21)
};

// beside the setpoint that all vehicles have: roll, pitch and yaw, the reaction to pushes from outside, and the push that is commanded
template <class T> struct PoseSetpoint {
  control::Angles<T> angles;
  Bits<T> reaction;
  control::Screw<T> wrench;  // N, N m: from outside on the origin, body axes

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    control::Angles<T>::fields(s.angles, f);
    f(Field{"setpoint.reaction", "-", "-", "reaction to an external force: 0 keeps the pose, 1 gives way (admittance), 2 presses with the commanded wrench"},
      s.reaction);
    f(Field{"setpoint.wrench", "N, N m", "B", "commanded external force and torque on the origin of the central body"}, s.wrench);
  }
};

// the plan of every vehicle, and behind it that of the angles
template <class T> struct PlatformPlan : control::Plan<T> {
  control::AnglePlan<T> angles;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    control::Plan<T>::fields(s, f);
    control::AnglePlan<T>::fields(s.angles, f);
  }
};

// what the outer loop keeps
template <class T> struct PlatformMemory {
  control::Screw<T> error;  // m, rad: pose error at the last tick, body axes
  control::Screw<T> integral;  // N, N m: of the pose error
  control::Screw<T> pressed;  // N, N m: integral of the wrench error; where nothing is pressed, the push that stands in for it
  control::Screw<T> offset, offset_rate;  // m, rad: by which it gives way
  control::Screw<T> contact;  // N, N m: push from outside in the last substep, body axes
  control::Screw<T> felt, felt_rate;  // the same, filtered
  control::Screw<T> predicted, estimate;  // of the momentum observer

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"pose_error", "m, rad", "B", "position error and attitude error, about the axes of the central body"}, s.error);
    f(Field{"pose_integral", "N, N m", "B", "force and torque that the integral of the pose error commands"}, s.integral);
    f(Field{"wrench_integral", "N, N m", "B", "force and torque that the integral of the wrench error commands; while the platform does not press, those that compensate the external ones"}, s.pressed);
    f(Field{"yield", "m, rad", "W", "offset from the commanded pose by which the platform gives way to a push"}, s.offset);
    f(Field{"yield_rate", "m/s, rad/s", "W", "rate of this offset"}, s.offset_rate);
    f(Field{"wrench", "N, N m", "B", "external force and torque on the origin of the central body in the last substep"}, s.contact);
    f(Field{"wrench_felt", "N, N m", "B", "external force and torque, filtered"}, s.felt);
    f(Field{"wrench_felt_rate", "N/s, N m/s", "B", "rate of the filtered force and torque"}, s.felt_rate);
    f(Field{"momentum_predicted", "N s, N m s", "B", "momentum that the observer expects"}, s.predicted);
    f(Field{"wrench_estimate", "N, N m", "B", "external force and torque as the momentum observer estimates them"}, s.estimate);
  }
};

// One agent in registers. `state` is loaded and stored, `input` only loaded. The position is that of the origin of the central body.
template <int N, class T> struct PlatformAgent {
  static constexpr int kRotors = 4 * N;
  Bits<T> status;
  RigidBody<T> body;
  Part<T> part[N];
  PlatformMemory<T> memory;
  Air<T> air;
  control::Setpoint<T, kRotors> setpoint;
  PoseSetpoint<T> pose;
  Outside<T> outside;

  template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
    f(Field{"status", "-", "-", "flight mode and status bits. Bits 0-3: mode; 4-7: mode after take-off; 8: alive; 9: diverged"}, s.status);
    f(Field{"position", "m", "W", "position of the origin of the central body, leading part; the rest is in its remainder rows"}, s.body.position_W);
    f(Field{"velocity", "m/s", "W", "velocity of the origin of the central body"}, s.body.velocity_W);
    f(Field{"attitude", "-", "WB", "attitude of the central body as a unit quaternion w x y z, body to world"}, s.body.q_WB);
    f(Field{"omega", "rad/s", "B", "angular velocity of the central body"}, s.body.omega_B);
    for (int i = 0; i < N; ++i) name_inside(f, part_prefix(i), [&](auto& g) VOLARY_INLINE_LAMBDA { Part<T>::fields(s.part[i], g); });
    PlatformMemory<T>::fields(s.memory, f);
    if constexpr (requires { s.sensed; }) Sensed<T, kRotors>::state(s.sensed, f);
    Air<T>::fields(s.air, f);
  }
  template <class Self, class F> VOLARY_HD static constexpr void input(Self& s, F& f) {
    control::Setpoint<T, kRotors>::fields(s.setpoint, f);
    PoseSetpoint<T>::fields(s.pose, f);
    if constexpr (requires { s.sensed; }) Sensed<T, kRotors>::input(s.sensed, f);
    Outside<T>::fields(s.outside, f);
  }
};
template <int N, bool S> struct PlatformVariant {
  static constexpr int kAircraft = N;
  static constexpr bool kSensed = S;
};
// the agent of a program: an IMU is on the central body and feels the rotors of all aircraft
template <class V, class T> struct PlatformCraft : PlatformAgent<V::kAircraft, T>, SensedPart<V, T, 4 * V::kAircraft> {};

// ---------------------------------------------------------------- what is wanted

// A platform that nobody guides is told its yaw like every vehicle.
template <class T, int N> VOLARY_HD control::Angles<T> commanded_angles(const PlatformAgent<N, T>& a) {
  control::Angles<T> angles = a.pose.angles;
  const Mask<T> guided = control::is_guided<T>(a.status);
  angles.angle.z = select(guided, angles.angle.z, a.setpoint.yaw);
  angles.rate.z = select(guided, angles.rate.z, a.setpoint.yaw_rate);
  angles.acceleration = math::select(guided, angles.acceleration, zero3<T>());
  return angles;
}

// Levels below the position have no position error, levels below the velocity no feedback of the motion.
template <class T, int N> struct PoseWanted {
  control::PoseTarget<T> target;
  T yaw;  // rad
  Mask<T> moves_freely;  // no feedback of position and velocity
};
template <class T, int N>
VOLARY_HD PoseWanted<T, N> pose_wanted(const PlatformAgent<N, T>& a, const RigidBody<T>& body, const control::Screw<T>& yield_acceleration) {
  const control::Setpoint<T, 4 * N>& sp = a.setpoint;
  const control::Angles<T> angles = commanded_angles(a);
  PoseWanted<T, N> w;
  w.target = control::pose_target<T>(body.position_W, sp, angles, {a.memory.offset, a.memory.offset_rate, yield_acceleration});
  const Mask<T> by_position = (sp.level == control::bits_of<T>(5)) | (sp.level == control::bits_of<T>(6));
  w.moves_freely = !(by_position | (sp.level == control::bits_of<T>(4)));
  w.target.position_error_W = math::select(by_position, w.target.position_error_W, zero3<T>());
  w.yaw = angles.angle.z + a.memory.offset.angular.z;
  return w;
}

// ---------------------------------------------------------------- the outer loop

// Disarmed, or armed and told nothing yet: on the ground nothing is to be made good. An armed platform that was told a pose flies.
template <class T, int N> VOLARY_HD Mask<T> is_idle(const PlatformAgent<N, T>& a) {
  const Mask<T> untold = (a.setpoint.level == control::bits_of<T>(1)) & !(a.setpoint.thrust > splat<T>(0));
  return control::has_mode<T>(a.status, control::Flight::Disarmed) | (control::has_mode<T>(a.status, control::Flight::Armed) & untold);
}

// the thrust that the rotors give now in still air, as a wrench about the origin
template <class T, int N> VOLARY_HD control::Screw<T> present_thrust(const PlatformAgent<N, T>& a, const Mat3<T>& R_WB, const PlatformParams<T, N>& p) {
  control::Screw<T> sum = control::zero_screw<T>();
  for (int i = 0; i < N; ++i) {
    T thrust = splat<T>(0);
    for (int k = 0; k < 4; ++k) thrust = thrust + still_thrust(a.part[i].rotors.speed[k], p.part[i].rotor);
    const Mat3<T> R_WP = rotation_matrix(a.part[i].q_WB);
    const Vec3<T> f = transpose_times(R_WB, thrust * Vec3<T>{R_WP.row0.z, R_WP.row1.z, R_WP.row2.z});
    sum = sum + control::Screw<T>{f, cross(p.allocation.joint_B[i], f)};
  }
  return sum;
}

// The push from outside, measured and filtered, and estimated; what the platform does with it.
template <class T> struct PushReaction {
  control::Screw<T> wrench;  // N, N m: asked for beside pose control
  control::Screw<T> yield_acceleration;  // of the offset by which it gives way
};
template <class T, int N>
VOLARY_HD PushReaction<T> react_to_push(PlatformAgent<N, T>& a, const control::PlatformState<T>& x, const PlatformParams<T, N>& p) {
  PlatformMemory<T>& m = a.memory;
  const Vec3<T> gravity_W = {splat<T>(0), splat<T>(0), -p.gravity};
  const T tick = p.guide.tick;
  const control::Screw<T> none = control::zero_screw<T>();
  control::observe_wrench(x, present_thrust(a, x.R_WB, p), gravity_W, p.body, p.observer, tick, m.predicted, m.estimate);
  control::filter_wrench(p.filter, m.contact, m.felt, m.felt_rate);
  const Mask<T> estimates = p.wrench_source > splat<T>(0.5), compensates = p.compensates > splat<T>(0.5);
  const control::Screw<T> known = control::select(estimates, m.estimate, m.felt), known_rate = control::select(estimates, none, m.felt_rate);

  const Mask<T> flies = !is_idle(a);
  const auto does = [&](Reaction r) VOLARY_INLINE_LAMBDA { return flies & (a.pose.reaction == control::bits_of<T>(static_cast<std::uint32_t>(r))); };
  const Mask<T> yields = does(Reaction::Yield), presses = does(Reaction::Press);
  control::Screw<T> offset = m.offset, rate = m.offset_rate, pressed = m.pressed;
  const Vec3<T> torque_W = x.R_WB * known.angular;
  const control::Screw<T> push_W = {x.R_WB * known.linear, control::torque_on_angles(a.pose.angles.angle + offset.angular, torque_W)};
  const control::Screw<T> acceleration = control::yield(push_W, tick, p.admittance, offset, rate);
  m.offset = control::select(yields, offset, none), m.offset_rate = control::select(yields, rate, none);
  const control::Screw<T> push = control::press(known - a.pose.wrench, known_rate, tick, p.wrench, pressed);
  const control::Screw<T> against = control::select(compensates & flies & !yields, -m.estimate, none);
  m.pressed = control::select(presses, pressed, against);  // pressing begins with the push that was there
  return {control::select(presses, push, against), control::select(yields, acceleration, none)};
}

// what the outer loop asks of the aircraft for one tick
template <class T, int N> struct AircraftTargets {
  control::AttitudeTarget<T> of[N];
};

// the attitude of an aircraft whose thrust is given
template <class T> VOLARY_HD control::AttitudeTarget<T> aircraft_target(const Vec3<T>& thrust_W, T yaw) {
  const control::RollPitch<T> tilt = control::tilt_for(thrust_W, yaw);
  control::AttitudeTarget<T> t;
  t.q_WB = quat_from_euler(EulerAngles<T>{yaw, tilt.pitch, tilt.roll});
  t.rate_B = zero3<T>();
  t.thrust = norm(thrust_W);
  return t;
}

// `body` is what the platform takes for its state; its aircraft know their own attitudes. Programs with an IMU and without share this code and that of a substep,
// which are most of what is compiled of a platform.
template <class T, int N>
VOLARY_COLD AircraftTargets<T, N> outer_loops(PlatformAgent<N, T>& a, const RigidBody<T>& body, const PlatformParams<T, N>& p) {
  const Vec3<T> gravity_W = {splat<T>(0), splat<T>(0), -p.gravity};
  const control::PlatformState<T> x = {rotation_matrix(body.q_WB), body.velocity_W, body.omega_B};
  const PushReaction<T> push = react_to_push(a, x, p);
  const PoseWanted<T, N> w = pose_wanted<T, N>(a, body, push.yield_acceleration);
  const control::Setpoint<T, 4 * N>& sp = a.setpoint;
  control::PlatformGains<T> gains = p.gains;
  const Vec3<T> zero = zero3<T>();
  gains.d.linear = math::select(w.moves_freely, zero, gains.d.linear);
  gains.i.linear = math::select(w.moves_freely, zero, gains.i.linear);
  control::Screw<T> integral = a.memory.integral;
  integral.linear = math::select(w.moves_freely, zero, integral.linear);
  control::PoseError<T> error;
  control::Screw<T> wrench = control::track_pose(x, w.target, gravity_W, p.body, gains, integral, error) + push.wrench;

  a.memory.error = error.pose;
  const Mask<T> resting = is_idle(a);
  // where a wrench is wanted, the integral of the pose would work against it
  const Mask<T> presses = a.pose.reaction == control::bits_of<T>(static_cast<std::uint32_t>(Reaction::Press));
  const control::Screw<T> next = control::integrate_pose(integral, error.pose, p.guide.tick, gains);
  a.memory.integral = control::select(resting, control::zero_screw<T>(), control::select(presses, integral, next));

  // thrust and attitude or rates by themselves
  const Mask<T> low = (sp.level == control::bits_of<T>(1)) | (sp.level == control::bits_of<T>(2));
  if (any(low)) {
    const Mask<T> rates = sp.level == control::bits_of<T>(1);
    const Vec3<T> off = control::rotation_error(x.R_WB, rotation_matrix(sp.q_WB));
    const Vec3<T> turning = math::select(rates, x.omega_B - sp.rate_B, x.omega_B);
    const Vec3<T> torque = -(fma(p.gains.p.angular, math::select(rates, zero, off), p.gains.d.angular * turning));
    const Vec3<T> force = {splat<T>(0), splat<T>(0), sp.thrust};
    wrench = control::select(low, control::Screw<T>{force, torque + cross(p.body.centre_B, force)}, wrench);
  }

  control::ThrustLimit<T> limits[N];
  for (int i = 0; i < N; ++i) limits[i] = p.part[i].limit;
  const control::ThrustVectors<T, N> thrust = control::allocate_limited<T, N>(p.allocation, wrench, x.R_WB, limits);
  AircraftTargets<T, N> t;
  for (int i = 0; i < N; ++i) t.of[i] = aircraft_target(x.R_WB * thrust.f[i], w.yaw + p.part[i].yaw);
  return t;
}

// ---------------------------------------------------------------- inner loops

template <class T, int N>
VOLARY_HD PartCommands<T, N> aircraft_commands(PlatformAgent<N, T>& a, const AircraftTargets<T, N>& target, Mask<T> off, Mask<T> direct,
                                               const PlatformParams<T, N>& p) {
  PartCommands<T, N> c;
  for (int i = 0; i < N; ++i) {
    const PartParams<T>& q = p.part[i];
    Part<T>& part = a.part[i];
    const Vec3<T> rate = control::attitude_control(part.q_WB, target.of[i], q.ladder);
    const Vec3<T> spin_up = control::rate_control(rate, part.omega_B, q.rate, p.step.h, p.inv_step, part.rate);
    const control::RotorThrusts<T, 4> f = control::allocate(q.mixer, target.of[i].thrust, q.inertia * spin_up);
    for (int k = 0; k < 4; ++k) {
      const T speed = speed_for_thrust<PartVariant>(f.f[k], k, q.rotor);
      const T own = clamp(a.setpoint.motor_speed[4 * i + k], q.rotor.speed_min[k], q.rotor.speed_max[k]);
      c.part[i].speed[k] = select(off, splat<T>(0), select(direct, own, speed));
    }
  }
  return c;
}

// ---------------------------------------------------------------- the tick

// what pushes the platform from outside, without the ground; a push from outside acts at the centre of mass
template <class T, int N> VOLARY_HD PlatformSurroundings<T> platform_surroundings(const PlatformAgent<N, T>& a, const PlatformParams<T, N>& p) {
  const Vec3<T> in_body = transpose_times(rotation_matrix(a.body.q_WB), a.outside.force_W);
  return {a.outside.wind_W + a.air.gust_W, {zero3<T>(), a.outside.torque_B + cross(p.body.centre_B, in_body)}, a.outside.force_W};
}

// What the ground adds for one substep in the lanes of `low`; returns the sum of the normal forces.
template <class T, int N>
VOLARY_COLD T add_ground(PlatformSurroundings<T>& e, Mask<T> low, const PlatformAgent<N, T>& a, const PartCommands<T, N>& command,
                         const PlatformParams<T, N>& p) {
  const PlatformTracks<T, N> track = track_platform(a.part, command, p);
  const PlatformMotion<T, N> free = platform_derivative<T, N>(begin_platform(a.body, a.part), platform_loads<T, N>(track, 0, p), e, p);
  const ContactForce<T> c = contact_force(a.body, free.centre, p.body.mass, p.central.z, p.contact);
  const Mask<T> touching = low & (c.pressed > splat<T>(0));
  e.push_W = math::select(touching, e.push_W + c.force_W, e.push_W);
  e.push_B.angular = math::select(touching, e.push_B.angular + c.torque_B, e.push_B.angular);
  return select(touching, c.pressed, splat<T>(0));
}

// what pushes the platform from outside in one substep, the ground too; it learns whether that was an impact
template <class T, int N>
VOLARY_HD PlatformSurroundings<T> pushes_from_outside(PlatformAgent<N, T>& a, Mask<T> low, const PartCommands<T, N>& command, const TickInfo& info,
                                                      const PlatformParams<T, N>& p) {
  PlatformSurroundings<T> e = platform_surroundings<T, N>(a, p);
  if (any(low)) {
    const T sinking = -dot(p.contact.ground.normal_W, a.body.velocity_W);
    a.air.ground_force = add_ground<T, N>(e, low, a, command, p);
    if (info.impact_speed > 0) a.status = note_impact<T>(a.status, a.air.ground_force, sinking, info.impact_speed);
  }
  a.memory.contact = {transpose_times(rotation_matrix(a.body.q_WB), e.push_W), e.push_B.angular};
  return e;
}

// the IMU through the substeps
template <class T, int N> VOLARY_HD Rotors<T, 4 * N> all_rotors(const Part<T> (&part)[N]) {
  Rotors<T, 4 * N> all;
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < 4; ++k) all.speed[4 * i + k] = part[i].rotors.speed[k];
  return all;
}
template <class T, int N>
VOLARY_COLD Sampling<T, 4 * N> begin_platform_samples(Sensed<T, 4 * N>& s, const PlatformAgent<N, T>& a, const TickInfo& info,
                                                      const sensors::ImuParams<T>& imu) {
  const Rotors<T, 4 * N> rotors = all_rotors<T, N>(a.part);
  return begin_sampling<T, 4 * N>(s, a.body, rotors.speed, imu, info);
}
template <class T, int N>
VOLARY_COLD void sample_platform(Sampling<T, 4 * N>& now, Sensed<T, 4 * N>& s, const PlatformAgent<N, T>& a, int substep, bool is_last, const TickInfo& info,
                                 const sensors::ImuParams<T>& imu) {
  const Rotors<T, 4 * N> rotors = all_rotors<T, N>(a.part);
  sample_step<T, 4 * N>(now, s, substep, a.body.velocity_W, a.body.q_WB, a.body.omega_B, rotors.speed, imu, info);
  if (is_last) end_sampling<T, 4 * N>(now, s, a.body, info);
}

// one substep of everything that is fast
template <class T, int N>
VOLARY_COLD void platform_step(PlatformAgent<N, T>& a, const AircraftTargets<T, N>& target, Mask<T> low, const TickInfo& info, const PlatformParams<T, N>& p) {
  const Mask<T> direct = a.setpoint.level == control::bits_of<T>(0);
  const PartCommands<T, N> command = aircraft_commands<T, N>(a, target, has_still_rotors<T>(a.status), direct, p);
  const PlatformSurroundings<T> e = pushes_from_outside<T, N>(a, low, command, info, p);
  platform_substep<T, N>(a.body, a.part, command, e, p, info.euler);
}

template <class V, class T, int N> VOLARY_HD void advance_platform(PlatformCraft<V, T>& a, const TickInfo& info, const PlatformParams<T, N>& p) {
  const AircraftTargets<T, N> target = outer_loops<T, N>(a, known<V>(a, info), p);
  const Mask<T> low = near_ground(a.body, p.guide.tick, p.contact);
  a.air.ground_force = splat<T>(0);
  if constexpr (V::kSensed) {
    const sensors::ImuParams<T>& imu = imu_of<T>(p);
    Sampling<T, 4 * N> now = begin_platform_samples<T, N>(a.sensed, a, info, imu);
    for (int k = 0; k < info.substeps; ++k) {
      platform_step<T, N>(a, target, low, info, p);
      sample_platform<T, N>(now, a.sensed, a, k, k + 1 == info.substeps, info, imu);
    }
  } else {
    for (int k = 0; k < info.substeps; ++k) platform_step<T, N>(a, target, low, info, p);
  }
}

// ---------------------------------------------------------------- the tick of a platform whose bodies somebody else moves

// what the outer loop asks of the substeps of a tick
template <class T, int N> struct PlatformTargets {
  AircraftTargets<T, N> aircraft;
  T is_low;  // 1 where the ground may be touched within the tick

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    for (int i = 0; i < N; ++i) {
      f(Field{"target.attitude", "-", "WB", "wanted attitude of each aircraft"}, s.aircraft.of[i].q_WB);
      f(Field{"target.rate", "rad/s", "B", "wanted body rate of each aircraft beside the feedback of its attitude"}, s.aircraft.of[i].rate_B);
      f(Field{"target.thrust", "N", "B", "wanted collective thrust of each aircraft"}, s.aircraft.of[i].thrust);
    }
    f(Field{"target.is_low", "-", "-", "1: the ground may be touched within the tick"}, s.is_low);
  }
};
template <class T, int N>
VOLARY_HD PlatformTargets<T, N> begin_platform_tick(PlatformAgent<N, T>& a, const RigidBody<T>& body, const PlatformParams<T, N>& p) {
  const Mask<T> low = near_ground(a.body, p.guide.tick, p.contact);
  a.air.ground_force = splat<T>(0);
  return {outer_loops<T, N>(a, body, p), select(low, splat<T>(1), splat<T>(0))};
}

// One substep of everything but the bodies. What pushes those, with the rotors of the middle of the substep and the motion at its beginning.
template <class T, int N>
VOLARY_COLD void drive_platform(PlatformAgent<N, T>& a, const PlatformTargets<T, N>& target, const TickInfo& info, const PlatformParams<T, N>& p,
                                Wrench<T> (&on)[N + 1]) {
  const Mask<T> low = target.is_low > splat<T>(0.5), direct = a.setpoint.level == control::bits_of<T>(0);
  const PartCommands<T, N> command = aircraft_commands<T, N>(a, target.aircraft, has_still_rotors<T>(a.status), direct, p);
  const PlatformSurroundings<T> e = pushes_from_outside<T, N>(a, low, command, info, p);
  const PlatformTracks<T, N> track = track_platform(a.part, command, p);
  wrenches_on_bodies(begin_platform(a.body, a.part), platform_loads<T, N>(track, 1, p), e, p, on);
  for (int i = 0; i < N; ++i) a.part[i].rotors = track.part[i].end;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
