// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A platform of N quadrotors on ball joints at their centres of mass: 6 + 3 N degrees of freedom (IAP eqs. 1 to 7 with R-24). With joints there, an aircraft's
// rotation moves no mass of the others: the whole moves as one rigid body under the forces in its joints, and every aircraft turns by itself.
// Rotors, drag, motor lag, inner loops and limits of the aircraft are those of the multirotor (vehicles/multirotor.hpp).
#pragma once

#include "control/platform_missions.hpp"
#include "vehicles/contact.hpp"
#include "vehicles/multirotor.hpp"
#include "vehicles/tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

using PartVariant = Variant<4, Features::Full>;  // four equal rotors in one plane

// fields inside `body` are named with a prefix where names matter: in columns
template <class F, class Body> VOLARY_HD constexpr void name_inside(F& f, const char* prefix, Body&& body) {
  if constexpr (requires { f.prefix; }) f.prefix = prefix;
  body(f);
  if constexpr (requires { f.prefix; }) f.prefix = "";
}
// a function: code of a GPU has no tables of the host
VOLARY_HD constexpr const char* part_prefix(int i) { return i == 0 ? "part1." : i == 1 ? "part2." : i == 2 ? "part3." : "part4."; }

// ---------------------------------------------------------------- parameters

template <class T> struct PartParams {
  T mass;                                // kg
  Vec3<T> inertia, inv_inertia;          // kg m2, 1/(kg m2)
  Vec3<T> linear_drag, quadratic_drag;   // N s/m, N s2/m2
  T yaw;                                 // rad, from that of the platform
  RotorParams<T, 4> rotor;
  control::Mixer<T, 4> mixer;
  control::RateGains<T> rate;
  control::LadderParams<T> ladder;
  control::ThrustLimit<T> limit;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"mass", "kg", "-", "mass of the aircraft"}, s.mass);
    f(Field{"inertia", "kg m2", "B", "moments of inertia Jxx Jyy Jzz of the aircraft"}, s.inertia);
    f(Field{"inv_inertia", "1/(kg m2)", "B", "reciprocals of the moments of inertia"}, s.inv_inertia);
    f(Field{"linear_drag", "N s/m", "B", "drag of the aircraft per air speed"}, s.linear_drag);
    f(Field{"quadratic_drag", "N s2/m2", "B", "drag of the aircraft per air speed squared"}, s.quadratic_drag);
    f(Field{"yaw", "rad", "-", "yaw that the aircraft keeps, from the heading of the platform"}, s.yaw);
    RotorParams<T, 4>::fields(s.rotor, f);
    control::Mixer<T, 4>::fields(s.mixer, f);
    control::RateGains<T>::fields(s.rate, f);
    control::LadderParams<T>::fields(s.ladder, f);
    control::ThrustLimit<T>::fields(s.limit, f);
  }
};

template <class T, int N> struct PlatformParams {
  control::PlatformInertia<T> body;
  T inv_mass, gravity;                       // 1/kg, m/s2
  Vec3<T> central, central_products;         // kg m2, about the centre of mass
  Vec3<T> inv_central, inv_central_products;
  Vec3<T> linear_drag, quadratic_drag;       // of the central body
  T joint_damping;                           // N m s
  StepSize<T> step;
  T inv_step;                                // 1/s
  control::PlatformGains<T> gains;
  control::ThrustAllocation<T, N> allocation;
  control::WrenchFilter<T> filter;
  control::Admittance<T> admittance;
  control::WrenchGains<T> wrench;
  T observer;                                // 1/s
  T wrench_source;                           // push to which control reacts: 0 the measured one, 1 the estimated one
  T compensates;                             // 1: the estimated push is compensated where the pose is kept (F_e of eq. 10)
  ContactParams<T> contact;
  control::GuideParams<T> guide;
  environment::GustParams<T> gust;
  PartParams<T> part[N];

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    control::PlatformInertia<T>::fields(s.body, f);
    f(Field{"inv_mass", "1/kg", "-", "reciprocal of the mass of the platform"}, s.inv_mass);
    f(Field{"gravity", "m/s2", "-", "gravitational acceleration, downwards"}, s.gravity);
    f(Field{"central_inertia", "kg m2", "B", "moments of inertia about the centre of mass of the platform"}, s.central);
    f(Field{"central_products", "kg m2", "B", "off-diagonal elements Jxy Jxz Jyz about the centre of mass"}, s.central_products);
    f(Field{"inv_central_inertia", "1/(kg m2)", "B", "diagonal of the inverse of the tensor about the centre of mass"}, s.inv_central);
    f(Field{"inv_central_products", "1/(kg m2)", "B", "off-diagonal elements of this inverse"}, s.inv_central_products);
    f(Field{"linear_drag", "N s/m", "B", "drag of the central body per air speed"}, s.linear_drag);
    f(Field{"quadratic_drag", "N s2/m2", "B", "drag of the central body per air speed squared"}, s.quadratic_drag);
    f(Field{"joint_damping", "N m s", "-", "torque against the turning of each joint, per angular velocity"}, s.joint_damping);
    f(Field{"step", "s", "-", "simulated time of one substep"}, s.step.h);
    f(Field{"step_half", "s", "-", "half of a substep"}, s.step.half);
    f(Field{"step_third", "s", "-", "third of a substep"}, s.step.third);
    f(Field{"step_sixth", "s", "-", "sixth of a substep"}, s.step.sixth);
    f(Field{"inv_step", "1/s", "-", "reciprocal of the substep"}, s.inv_step);
    control::PlatformGains<T>::fields(s.gains, f);
    control::ThrustAllocation<T, N>::fields(s.allocation, f);
    control::WrenchFilter<T>::fields(s.filter, f);
    control::Admittance<T>::fields(s.admittance, f);
    control::WrenchGains<T>::fields(s.wrench, f);
    f(Field{"wrench.observer", "1/s", "-", "bandwidth of the momentum observer"}, s.observer);
    f(Field{"wrench.source", "-", "-", "external wrench to which control reacts: 0 the measured one, 1 the estimated one"}, s.wrench_source);
    f(Field{"wrench.compensates", "-", "-", "whether pose control compensates the estimated external wrench: 1 yes, 0 no"}, s.compensates);
    ContactParams<T>::fields(s.contact, f);
    control::GuideParams<T>::fields(s.guide, f);
    environment::GustParams<T>::fields(s.gust, f);
    for (int i = 0; i < N; ++i) name_inside(f, part_prefix(i), [&](auto& g) VOLARY_INLINE_LAMBDA { PartParams<T>::fields(s.part[i], g); });
  }
};

// In air of another density, as for a multirotor (scale_to_air)
template <class T, int N> VOLARY_HD void scale_to_air(PlatformParams<T, N>& p, const PlatformParams<T, N>& from, T ratio) {
  p.linear_drag = ratio * from.linear_drag;
  p.quadratic_drag = ratio * from.quadratic_drag;
  for (int i = 0; i < N; ++i) {
    PartParams<T>& to = p.part[i];
    const PartParams<T>& was = from.part[i];
    scale_rotors_to_air(to.rotor, was.rotor, ratio);
    to.linear_drag = ratio * was.linear_drag;
    to.quadratic_drag = ratio * was.quadratic_drag;
    for (int k = 0; k < 4; ++k) to.mixer.lo[k] = ratio * was.mixer.lo[k], to.mixer.hi[k] = ratio * was.mixer.hi[k];
    to.ladder.thrust_min = ratio * was.ladder.thrust_min;
    to.ladder.thrust_max = ratio * was.ladder.thrust_max;
    to.limit.least = ratio * was.limit.least;
    to.limit.most = ratio * was.limit.most;
  }
}

// ---------------------------------------------------------------- state

// one aircraft: it turns by itself, and where it is follows from the platform
template <class T> struct Part {
  Quat<T> q_WB;
  Vec3<T> omega_B;  // rad/s, its own axes
  Rotors<T, 4> rotors;
  control::RateMemory<T> rate;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"attitude", "-", "WB", "attitude of the aircraft as a unit quaternion w x y z, body to world"}, s.q_WB);
    f(Field{"omega", "rad/s", "B", "angular velocity of the aircraft"}, s.omega_B);
    Rotors<T, 4>::fields(s.rotors, f);
    control::RateMemory<T>::fields(s.rate, f);
  }
};

// the state inside one integration step
template <class T, int N> struct PlatformMotion {
  Motion<T> centre;
  Quat<T> q_WB[N];
  Vec3<T> omega_B[N];
};
template <class T> VOLARY_HD Quat<T> add_scaled(T s, const Quat<T>& a, const Quat<T>& b) {
  return {fma(s, a.w, b.w), fma(s, a.x, b.x), fma(s, a.y, b.y), fma(s, a.z, b.z)};
}
template <class T, int N> VOLARY_HD PlatformMotion<T, N> begin_platform(const RigidBody<T>& body, const Part<T> (&part)[N]) {
  PlatformMotion<T, N> x;
  x.centre = begin_motion(body);
  for (int i = 0; i < N; ++i) x.q_WB[i] = part[i].q_WB, x.omega_B[i] = part[i].omega_B;
  return x;
}
template <class T, int N> VOLARY_HD PlatformMotion<T, N> fma(T s, const PlatformMotion<T, N>& rate, const PlatformMotion<T, N>& x) {
  PlatformMotion<T, N> out;
  out.centre = fma(s, rate.centre, x.centre);
  for (int i = 0; i < N; ++i) out.q_WB[i] = add_scaled(s, rate.q_WB[i], x.q_WB[i]), out.omega_B[i] = fma(s, rate.omega_B[i], x.omega_B[i]);
  return out;
}
template <class T, int N> VOLARY_HD PlatformMotion<T, N> kick(T h, const PlatformMotion<T, N>& rate, const PlatformMotion<T, N>& x) {
  PlatformMotion<T, N> out = x;
  out.centre = kick(h, rate.centre, x.centre);
  for (int i = 0; i < N; ++i) out.omega_B[i] = fma(h, rate.omega_B[i], x.omega_B[i]);
  return out;
}
template <class T, int N> VOLARY_HD PlatformMotion<T, N> drift(T h, const PlatformMotion<T, N>& x) {
  PlatformMotion<T, N> out = x;
  out.centre = drift(h, x.centre);
  for (int i = 0; i < N; ++i) out.q_WB[i] = add_scaled(h, quat_rate(x.q_WB[i], x.omega_B[i]), x.q_WB[i]);
  return out;
}

// ---------------------------------------------------------------- forces

// what a substep does not change
template <class T> struct PlatformSurroundings {
  Vec3<T> wind_W;                // m/s
  control::Screw<T> push_B;      // N, N m: external wrench about the origin, in axes that turn with the platform
  Vec3<T> push_W;                // N, external force at the origin, in the world
};
// at one of the three times of a step
template <class T, int N> struct PlatformLoads {
  RotorLoads<T, 4> part[N];
};
template <class T, int N> struct PlatformTracks {
  RotorTrack<T, 4> part[N];
};
template <class T, int N> VOLARY_HD PlatformLoads<T, N> platform_loads(const PlatformTracks<T, N>& t, int stage, const PlatformParams<T, N>& p) {
  PlatformLoads<T, N> l;
  for (int i = 0; i < N; ++i) {
    const RotorTrack<T, 4>& k = t.part[i];
    l.part[i] = stage == 0   ? rotor_loads<PartVariant>(k.start, k.start_rate, p.part[i].rotor)
                : stage == 3 ? rotor_loads<PartVariant>(k.end, k.end_rate, p.part[i].rotor)
                             : rotor_loads<PartVariant>(k.middle, k.middle_rate, p.part[i].rotor);
  }
  return l;
}

// thrust of a rotor of an aircraft in still air
template <class T> VOLARY_HD T still_thrust(T speed, const RotorParams<T, 4>& p) { return fma(fma(p.thrust2, speed, p.thrust1), speed, p.thrust0); }

template <class T> VOLARY_HD Vec3<T> drag_of(const Vec3<T>& air_B, const Vec3<T>& linear, const Vec3<T>& quadratic) {
  const Vec3<T> per_speed = {fma(quadratic.x, abs(air_B.x), linear.x), fma(quadratic.y, abs(air_B.y), linear.y), fma(quadratic.z, abs(air_B.z), linear.z)};
  return -(per_speed * air_B);
}

// force on the central body at its origin, of the air and from outside; its own axes
template <class T, int N>
VOLARY_HD Vec3<T> force_on_centre(const Vec3<T>& air_W, const Mat3<T>& R_WB, const PlatformSurroundings<T>& e, const PlatformParams<T, N>& p) {
  return drag_of(transpose_times(R_WB, air_W), p.linear_drag, p.quadratic_drag) + (e.push_B.linear + transpose_times(R_WB, e.push_W));
}
// what air and rotors do to an aircraft, its own axes; air_W is the velocity of its joint through the air
template <class T>
VOLARY_HD Wrench<T> wrench_on_aircraft(const Vec3<T>& air_W, const Mat3<T>& R_WP, const Vec3<T>& omega_P, const RotorLoads<T, 4>& loads,
                                       const PartParams<T>& part) {
  const Vec3<T> air_P = transpose_times(R_WP, air_W);
  Wrench<T> sum{drag_of(air_P, part.linear_drag, part.quadratic_drag), zero3<T>()};
  add_planar_rotors(sum, loads, air_P, omega_P, part.rotor);
  return sum;
}

// What pushes the bodies when somebody else moves them: the central one, then its aircraft, each at its origin and in its own axes. Gravity, the forces in the
// joints and what turning bodies do by themselves are his; of the momentum of rotors he knows nothing.
template <class T, int N>
VOLARY_HD void wrenches_on_bodies(const PlatformMotion<T, N>& x, const PlatformLoads<T, N>& loads, const PlatformSurroundings<T>& e,
                                  const PlatformParams<T, N>& p, Wrench<T> (&on)[N + 1]) {
  const Mat3<T> R_WB = rotation_matrix(x.centre.q_WB);
  const Vec3<T> air_W = x.centre.velocity_W - e.wind_W;
  on[0] = {force_on_centre(air_W, R_WB, e, p), e.push_B.angular};
  for (int i = 0; i < N; ++i) {
    const Vec3<T> joint_W = air_W + R_WB * cross(x.centre.omega_B, p.allocation.joint_B[i]);
    const Wrench<T> sum = wrench_on_aircraft(joint_W, rotation_matrix(x.q_WB[i]), x.omega_B[i], loads.part[i], p.part[i]);
    on[i + 1] = {sum.force_B, sum.torque_B + gyroscopic_torque(x.omega_B[i], loads.part[i].momentum_B)};
  }
}

// Time derivative. The forces of all aircraft act in their joints; the platform answers as one body about its centre of mass d_0:
//   omega' = J_c^-1 (torque - d_0 x force - omega x J_c omega),  a_0 = R (force / m - omega' x d_0 - omega x (omega x d_0)) + g
template <class T, int N>
VOLARY_HD PlatformMotion<T, N> platform_derivative(const PlatformMotion<T, N>& x, const PlatformLoads<T, N>& loads, const PlatformSurroundings<T>& e,
                                                   const PlatformParams<T, N>& p) {
  const Vec3<T>& omega = x.centre.omega_B;
  const Mat3<T> R_WB = rotation_matrix(x.centre.q_WB);
  const Vec3<T> air_W = x.centre.velocity_W - e.wind_W;
  Vec3<T> force = force_on_centre(air_W, R_WB, e, p);
  Vec3<T> torque = e.push_B.angular;
  PlatformMotion<T, N> rate;
  for (int i = 0; i < N; ++i) {
    const PartParams<T>& part = p.part[i];
    const Vec3<T>& joint = p.allocation.joint_B[i];
    const Mat3<T> R_WP = rotation_matrix(x.q_WB[i]);
    const Wrench<T> sum = wrench_on_aircraft(air_W + R_WB * cross(omega, joint), R_WP, x.omega_B[i], loads.part[i], part);
    const Vec3<T> in_joint = transpose_times(R_WB, R_WP * sum.force_B);
    // the joint brakes the aircraft and is turned by it
    const Vec3<T> turning_W = R_WP * x.omega_B[i] - R_WB * omega;
    const Vec3<T> braking_W = (-p.joint_damping) * turning_W;
    force = force + in_joint;
    torque = torque + (cross(joint, in_joint) - transpose_times(R_WB, braking_W));
    rate.q_WB[i] = quat_rate(x.q_WB[i], x.omega_B[i]);
    rate.omega_B[i] = angular_acceleration<PartVariant>(x.omega_B[i], sum.torque_B + transpose_times(R_WP, braking_W), loads.part[i].momentum_B, part);
  }
  const Vec3<T> about_centre = torque - cross(p.body.centre_B, force);
  const Vec3<T> spin_up =
      times_symmetric(p.inv_central, p.inv_central_products, about_centre - cross(omega, times_symmetric(p.central, p.central_products, omega)));
  const Vec3<T> acceleration_B = p.inv_mass * force - (cross(spin_up, p.body.centre_B) + cross(omega, cross(omega, p.body.centre_B)));
  rate.centre.displacement_W = x.centre.velocity_W;
  rate.centre.velocity_W = R_WB * acceleration_B;
  rate.centre.velocity_W.z = rate.centre.velocity_W.z - p.gravity;
  rate.centre.q_WB = quat_rate(x.centre.q_WB, omega);
  rate.centre.omega_B = spin_up;
  return rate;
}

template <class T, int N> struct PartCommands {
  Rotors<T, 4> part[N];
};
template <class T, int N>
VOLARY_HD PlatformTracks<T, N> track_platform(const Part<T> (&part)[N], const PartCommands<T, N>& command, const PlatformParams<T, N>& p) {
  PlatformTracks<T, N> track;
  for (int i = 0; i < N; ++i) track.part[i] = track_rotors<PartVariant>(part[i].rotors, command.part[i], p.part[i].rotor);
  return track;
}

// One substep: rotors towards their commands, forces, integration. `part` and `body` are moved on.
template <class T, int N>
VOLARY_HD void platform_substep(RigidBody<T>& body, Part<T> (&part)[N], const PartCommands<T, N>& command, const PlatformSurroundings<T>& e,
                                const PlatformParams<T, N>& p, bool euler) {
  const PlatformTracks<T, N> track = track_platform(part, command, p);
  const PlatformMotion<T, N> before = begin_platform(body, part);
  const auto rate = [&](int stage, const PlatformMotion<T, N>& x) { return platform_derivative<T, N>(x, platform_loads<T, N>(track, stage, p), e, p); };
  const PlatformMotion<T, N> after = euler ? semi_implicit_euler(before, p.step, rate) : rk4(before, p.step, rate);
  body = end_motion(body, after.centre);
  for (int i = 0; i < N; ++i) part[i].q_WB = normalize(after.q_WB[i]), part[i].omega_B = after.omega_B[i], part[i].rotors = track.part[i].end;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
