// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Multirotor: one rigid body and up to eight rotors at any place and tilt.
// Rotor model: Gestelt eq. 7-13 with the errata R-05 (rolling moment linear in rotor speed), R-06
// (torque constant is torque over thrust) and R-07 (in-plane drag opposes the motion); axial inflow counts with its sign.
#pragma once

#include "control/allocation.hpp"
#include "control/guide.hpp"
#include "control/ladder.hpp"
#include "control/rate.hpp"
#include "environment/gust.hpp"
#include "vehicles/ground.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// What an airframe uses, decided at compile time: an airframe does not pay for what it does not use.
enum class Features {
  Basic,   // quadratic thrust, linear body drag, diagonal inertia; no wind, no ground
  Full,    // rotor drag, thrust loss, rolling moment, gyroscopics, curves, wind, gust, wrench, ground;
           // all hubs in one plane, all axes along body z, principal axes along the body's, rotors alike
  Tilted,  // the same with hubs anywhere, axes in any direction, any inertia tensor, rotors unlike or missing
};

template <int Rotors, Features F> struct Variant {
  static constexpr int kRotors = Rotors;
  static constexpr Features kFeatures = F;
  static constexpr bool kFull = F != Features::Basic;
  static constexpr bool kTilted = F == Features::Tilted;
  static constexpr bool kSensed = false;
};
// the same with an IMU
template <int Rotors, Features F> struct SensedVariant : Variant<Rotors, F> {
  static constexpr bool kSensed = true;
};

template <class T, int N> struct Rotors {
  T speed[N];  // rad/s, always positive; the spin direction is a parameter

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"rotor_speed", "rad/s", "-", "speed of each rotor"}, s.speed);
  }
};

// Parameters as the kernel wants them; vehicles/multirotor_derive.cpp derives them from an airframe file.
template <class T, int N> struct RotorParams {
  Vec3<T> position_B[N];  // m, hub
  Vec3<T> axis_B[N];      // unit, direction of thrust
  T spin[N];              // +1 turns about +axis (counter-clockwise seen from its tip), -1 the other way
  T efficiency[N];        // thrust and torque factor; below 1 for the lower rotor of a coaxial pair
  T inv_efficiency[N];
  T thrust2, thrust1, thrust0;  // N s2, N s, N: thrust = thrust2 w^2 + thrust1 w + thrust0
  T torque2, torque1, torque0;  // N m s2, N m s, N m
  T inv_two_thrust2;            // 1 / (2 thrust2), to invert the curve
  T speed_min[N], speed_max[N];  // rad/s; both 0 for a rotor that is missing or has failed
  T rise_half, rise_full;       // exp(-h/2 tau), exp(-h/tau): what is left of a rise after a (half) substep
  T fall_half, fall_full;
  T rise_rate, fall_rate;       // 1/tau, 1/s
  T drag;                       // N s2/m: in-plane drag per rotor speed and air speed (Gestelt k_drag, kg)
  T rolling;                    // N s2: rolling moment per rotor speed and air speed (k_rolling, kg m)
  T inv_stall_speed;            // s/m: 1 / alpha, speed of climb at which thrust is gone
  T sink_slope, sink_limit;     // s/m, -: what bounds the thrust of a rotor that sinks
  T inertia;                    // kg m2 about its axis

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    for (int i = 0; i < N; ++i) f(Field{"rotor.position", "m", "B", "position of the rotor hub"}, s.position_B[i]);
    for (int i = 0; i < N; ++i) f(Field{"rotor.axis", "-", "B", "direction of the rotor's thrust, a unit vector"}, s.axis_B[i]);
    f(Field{"rotor.spin", "-", "-", "direction of rotation of each rotor: +1 counter-clockwise seen from the tip of the axis, -1 clockwise"}, s.spin);
    f(Field{"rotor.efficiency", "-", "-", "factor on thrust and torque of each rotor"}, s.efficiency);
    f(Field{"rotor.inv_efficiency", "-", "-", "reciprocal of the efficiency of each rotor"}, s.inv_efficiency);
    f(Field{"rotor.thrust2", "N s2", "-", "quadratic term of the thrust curve"}, s.thrust2);
    f(Field{"rotor.thrust1", "N s", "-", "linear term of the thrust curve"}, s.thrust1);
    f(Field{"rotor.thrust0", "N", "-", "constant term of the thrust curve"}, s.thrust0);
    f(Field{"rotor.torque2", "N m s2", "-", "quadratic term of the torque curve"}, s.torque2);
    f(Field{"rotor.torque1", "N m s", "-", "linear term of the torque curve"}, s.torque1);
    f(Field{"rotor.torque0", "N m", "-", "constant term of the torque curve"}, s.torque0);
    f(Field{"rotor.inv_two_thrust2", "1/(N s2)", "-", "reciprocal of twice the quadratic term of the thrust curve"}, s.inv_two_thrust2);
    f(Field{"rotor.speed_min", "rad/s", "-", "idle speed of each rotor; 0 with speed_max 0: the rotor is missing or has failed"}, s.speed_min);
    f(Field{"rotor.speed_max", "rad/s", "-", "full speed of each rotor; 0: the rotor is missing or has failed"}, s.speed_max);
    f(Field{"rotor.rise_half", "-", "-", "share of a rising speed difference that remains after half a substep"}, s.rise_half);
    f(Field{"rotor.rise_full", "-", "-", "share of a rising speed difference that remains after a substep"}, s.rise_full);
    f(Field{"rotor.fall_half", "-", "-", "share of a falling speed difference that remains after half a substep"}, s.fall_half);
    f(Field{"rotor.fall_full", "-", "-", "share of a falling speed difference that remains after a substep"}, s.fall_full);
    f(Field{"rotor.rise_rate", "1/s", "-", "reciprocal of the time constant for rising speed"}, s.rise_rate);
    f(Field{"rotor.fall_rate", "1/s", "-", "reciprocal of the time constant for falling speed"}, s.fall_rate);
    f(Field{"rotor.drag", "kg", "-", "drag force in the disc plane per rotor speed and air speed"}, s.drag);
    f(Field{"rotor.rolling", "kg m", "-", "rolling moment per rotor speed and air speed"}, s.rolling);
    f(Field{"rotor.inv_stall_speed", "s/m", "-", "reciprocal of the axial climb speed at which thrust is zero"}, s.inv_stall_speed);
    f(Field{"rotor.sink_slope", "s/m", "-", "slope of the upper bound of thrust in a descent with axial speed"}, s.sink_slope);
    f(Field{"rotor.sink_limit", "-", "-", "upper bound of thrust in a descent, divided by the thrust in still air"}, s.sink_limit);
    f(Field{"rotor.inertia", "kg m2", "-", "moment of inertia of a rotor about its axis"}, s.inertia);
  }
};

inline constexpr int kContactPoints = 8;

// Feet (and the corners of the hull, for the day it lands on its back) on ground that is flat where the vehicle is.
template <class T> struct ContactParams {
  Vec3<T> point_B[kContactPoints];  // m
  T stiffness;                      // N/m per point
  T damping;                        // N s/m per point
  T friction;                       // Coulomb coefficient
  T stopping;                       // N s/m per point: force that stops a point within a few substeps
  T reach;                          // m, no point is farther from the centre of mass
  Ground<T> ground;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    for (int i = 0; i < kContactPoints; ++i) f(Field{"contact.point", "m", "B", "position of a contact point"}, s.point_B[i]);
    f(Field{"contact.stiffness", "N/m", "-", "stiffness of each contact point"}, s.stiffness);
    f(Field{"contact.damping", "N s/m", "-", "damping of each contact point"}, s.damping);
    f(Field{"contact.friction", "-", "-", "Coulomb friction coefficient"}, s.friction);
    f(Field{"contact.stopping", "N s/m", "-", "tangential damping of each contact point, which stops it within a few substeps"}, s.stopping);
    f(Field{"contact.reach", "m", "-", "distance from the centre of mass to the farthest contact point"}, s.reach);
    Ground<T>::fields(s.ground, f);
  }
};

template <class T, int N> struct MultirotorParams {
  T mass, inv_mass;  // kg, 1/kg
  T gravity;         // m/s2, downwards
  Vec3<T> inertia, inertia_products, inv_inertia, inv_inertia_products;
  Vec3<T> linear_drag;     // N s/m, body axes (basic uses x for all)
  Vec3<T> quadratic_drag;  // N s2/m2, body axes
  StepSize<T> step;
  T inv_step;              // 1/s
  RotorParams<T, N> rotor;
  ContactParams<T> contact;
  control::Mixer<T, N> mixer;
  control::RateGains<T> rate;
  control::LadderParams<T> ladder;
  control::GuideParams<T> guide;
  environment::GustParams<T> gust;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"mass", "kg", "-", "mass of the vehicle"}, s.mass);
    f(Field{"inv_mass", "1/kg", "-", "reciprocal of the mass"}, s.inv_mass);
    f(Field{"gravity", "m/s2", "-", "gravitational acceleration, downwards"}, s.gravity);
    f(Field{"inertia", "kg m2", "B", "moments of inertia Jxx Jyy Jzz"}, s.inertia);
    f(Field{"inertia_products", "kg m2", "B", "off-diagonal elements Jxy Jxz Jyz of the inertia tensor"}, s.inertia_products);
    f(Field{"inv_inertia", "1/(kg m2)", "B", "diagonal of the inverse inertia tensor"}, s.inv_inertia);
    f(Field{"inv_inertia_products", "1/(kg m2)", "B", "off-diagonal elements of the inverse inertia tensor"}, s.inv_inertia_products);
    f(Field{"linear_drag", "N s/m", "B", "body drag per air speed"}, s.linear_drag);
    f(Field{"quadratic_drag", "N s2/m2", "B", "body drag per air speed squared"}, s.quadratic_drag);
    f(Field{"step", "s", "-", "simulated time of one substep"}, s.step.h);
    f(Field{"step_half", "s", "-", "half of a substep"}, s.step.half);
    f(Field{"step_third", "s", "-", "third of a substep"}, s.step.third);
    f(Field{"step_sixth", "s", "-", "sixth of a substep"}, s.step.sixth);
    f(Field{"inv_step", "1/s", "-", "reciprocal of the substep"}, s.inv_step);
    RotorParams<T, N>::fields(s.rotor, f);
    ContactParams<T>::fields(s.contact, f);
    control::Mixer<T, N>::fields(s.mixer, f);
    control::RateGains<T>::fields(s.rate, f);
    control::LadderParams<T>::fields(s.ladder, f);
    control::GuideParams<T>::fields(s.guide, f);
    environment::GustParams<T>::fields(s.gust, f);
  }
};

// In air of another density than that in which the airframe was measured, everything that the air does to it scales with the ratio of the two, and
// the controller knows: it asks the rotors for no more than they have. Hovering speeds go with 1 / sqrt(ratio).
template <class T, int N> VOLARY_HD void scale_rotors_to_air(RotorParams<T, N>& r, const RotorParams<T, N>& f, T ratio) {
  r.thrust2 = ratio * f.thrust2, r.thrust1 = ratio * f.thrust1, r.thrust0 = ratio * f.thrust0;
  r.torque2 = ratio * f.torque2, r.torque1 = ratio * f.torque1, r.torque0 = ratio * f.torque0;
  r.drag = ratio * f.drag, r.rolling = ratio * f.rolling;
  r.inv_two_thrust2 = f.inv_two_thrust2 / ratio;
}
template <class T, int N> VOLARY_HD void scale_to_air(MultirotorParams<T, N>& p, const MultirotorParams<T, N>& from, T ratio) {
  scale_rotors_to_air(p.rotor, from.rotor, ratio);
  p.linear_drag = ratio * from.linear_drag;
  p.quadratic_drag = ratio * from.quadratic_drag;
  for (int i = 0; i < N; ++i) p.mixer.lo[i] = ratio * from.mixer.lo[i], p.mixer.hi[i] = ratio * from.mixer.hi[i];
  p.ladder.thrust_min = ratio * from.ladder.thrust_min;
  p.ladder.thrust_max = ratio * from.ladder.thrust_max;
  // the drag of rotors goes with their speed too
  p.ladder.drag = {sqrt(ratio) * from.ladder.drag.x, ratio * from.ladder.drag.y, ratio * from.ladder.drag.z};
}

// what the world does to the vehicle during one substep
template <class T> struct Surroundings {
  Vec3<T> wind_W;          // m/s, mean and gust together
  Vec3<T> acceleration_W;  // m/s2, of gravity and of external forces at the centre of mass
  Vec3<T> torque_B;        // N m, external
};

// ---------------------------------------------------------------- rotors

// Speeds at the three times a Runge-Kutta step looks at. A first-order motor towards a constant
// command has a closed form, exact and cheaper than four stages; whether it rises or falls
// cannot change on the way.
template <class T, int N> struct RotorTrack {
  Rotors<T, N> start, middle, end;
  Rotors<T, N> start_rate, middle_rate, end_rate;  // rad/s2
};
template <class V, class T, int N>
VOLARY_HD RotorTrack<T, N> track_rotors(const Rotors<T, N>& now, const Rotors<T, N>& command, const RotorParams<T, N>& p) {
  RotorTrack<T, N> t;
  t.start = now;
  for (int i = 0; i < N; ++i) {
    const T gap = now.speed[i] - command.speed[i];
    const Mask<T> rising = gap < splat<T>(0);
    const T half = select(rising, p.rise_half, p.fall_half), full = select(rising, p.rise_full, p.fall_full);
    t.middle.speed[i] = fma(gap, half, command.speed[i]);
    t.end.speed[i] = fma(gap, full, command.speed[i]);
    if constexpr (V::kFull) {
      t.start_rate.speed[i] = -(gap * select(rising, p.rise_rate, p.fall_rate));
      t.middle_rate.speed[i] = t.start_rate.speed[i] * half;
      t.end_rate.speed[i] = t.start_rate.speed[i] * full;
    }
  }
  return t;
}

// modes in which no rotor turns
template <class T> VOLARY_HD Mask<T> has_still_rotors(Bits<T> status) {
  return control::has_mode<T>(status, control::Flight::Disarmed) | control::has_mode<T>(status, control::Flight::EmergencyStop);
}

// the speed at which a rotor gives a wanted thrust
template <class V, class T, int N> VOLARY_HD T speed_for_thrust(T thrust, int i, const RotorParams<T, N>& p) {
  if constexpr (!V::kFull) return sqrt(thrust * (p.inv_two_thrust2 + p.inv_two_thrust2));
  // thrust2 w^2 + thrust1 w + thrust0 - f = 0
  const T f = V::kTilted ? thrust * p.inv_efficiency[i] : thrust;
  const T c = splat<T>(4) * (p.thrust2 * (p.thrust0 - f));
  const T w = (sqrt(max(fma(p.thrust1, p.thrust1, -c), splat<T>(0))) - p.thrust1) * p.inv_two_thrust2;
  return clamp(w, p.speed_min[i], p.speed_max[i]);
}

template <class T> struct Wrench {
  Vec3<T> force_B, torque_B;
};

// Basic: thrust along body z, torque from lever arms and from spin.
template <class T, int N> VOLARY_HD Wrench<T> rotor_wrench_basic(const Rotors<T, N>& r, const RotorParams<T, N>& p) {
  T lift = splat<T>(0), mx = lift, my = lift, mz = lift;
  for (int i = 0; i < N; ++i) {
    const T w2 = r.speed[i] * r.speed[i];
    const T f = p.thrust2 * w2;
    lift = i == 0 ? f : lift + f;
    mx = i == 0 ? p.position_B[i].y * f : fma(p.position_B[i].y, f, mx);
    my = i == 0 ? p.position_B[i].x * f : fma(p.position_B[i].x, f, my);
    mz = i == 0 ? p.spin[i] * w2 : fma(p.spin[i], w2, mz);
  }
  return {{splat<T>(0), splat<T>(0), lift}, {mx, -my, -(p.torque2 * mz)}};
}

// What the rotors do that does not depend on how the body moves, at one of the three times.
// Planar rotors share one plane, so in-plane drag and rolling moment are linear in the body's motion
// with these sums as coefficients; tilted ones are added up one by one.
template <class T, int N> struct RotorLoads {
  T thrust[N];   // N, in still air
  T drag[N];     // N s/m, in-plane, per air speed (tilted only)
  T rolling[N];  // N s, per air speed (tilted only)
  T spin[N];     // N m about the axis: drag torque and reaction to spinning up (tilted only)
  T drag_sum, drag_x, drag_y, drag_rr;      // sums of drag, drag x, drag y, drag (x^2 + y^2)
  T rolling_sum, rolling_x, rolling_y;      // the same of rolling
  T spin_sum;                               // N m
  Vec3<T> momentum_B;                       // N m s, of all rotors (G-24)
};

template <class V, class T, int N>
VOLARY_HD RotorLoads<T, N> rotor_loads(const Rotors<T, N>& r, const Rotors<T, N>& r_rate, const RotorParams<T, N>& p) {
  const T zero = splat<T>(0);
  RotorLoads<T, N> l;
  l.drag_sum = l.drag_x = l.drag_y = l.drag_rr = l.rolling_sum = l.rolling_x = l.rolling_y = l.spin_sum = zero;
  l.momentum_B = zero3<T>();
  for (int i = 0; i < N; ++i) {
    const T w = r.speed[i], signed_w = p.spin[i] * w;
    l.thrust[i] = fma(fma(p.thrust2, w, p.thrust1), w, p.thrust0);
    T torque = fma(fma(p.torque2, w, p.torque1), w, p.torque0);
    if constexpr (V::kTilted) {
      l.thrust[i] = p.efficiency[i] * l.thrust[i];
      torque = p.efficiency[i] * torque;
    }
    l.spin[i] = -(p.spin[i] * fma(p.inertia, r_rate.speed[i], torque));
    if constexpr (V::kTilted) {
      l.drag[i] = -(p.drag * w);              // eq. 12, R-07
      l.rolling[i] = -(p.rolling * signed_w);  // eq. 13, R-05
      l.momentum_B = fma(p.inertia * signed_w, p.axis_B[i], l.momentum_B);
    } else {
      const Vec3<T>& h = p.position_B[i];
      const T wx = w * h.x, wy = w * h.y;
      l.drag_sum = l.drag_sum + w;
      l.drag_x = l.drag_x + wx;
      l.drag_y = l.drag_y + wy;
      l.drag_rr = fma(wx, h.x, fma(wy, h.y, l.drag_rr));
      l.rolling_sum = l.rolling_sum + signed_w;
      l.rolling_x = fma(p.spin[i], wx, l.rolling_x);
      l.rolling_y = fma(p.spin[i], wy, l.rolling_y);
      l.spin_sum = l.spin_sum + l.spin[i];
      l.momentum_B.z = l.momentum_B.z + signed_w;
    }
  }
  if constexpr (!V::kTilted) l.momentum_B.z = p.inertia * l.momentum_B.z;
  return l;
}

// Thrust of a hub that moves along its axis through the air (eq. 12, second part). The equation is printed with |V|, so that a rotor would lose thrust in a
// descent too and a vehicle that sinks would sink ever faster. Blade elements see the inflow with its sign: about hover momentum theory gives a thrust that
// falls in a climb and grows as much in a descent, T = T0 (1 - V / alpha). That holds up to about half of the induced velocity; beyond it the
// vortex ring and then the windmill state have no closed form, and the line is kept up to twice the thrust in still air, where the blades of most propellers stall
// (C_T / sigma of 0.16, twice that of a usual hover). The second bound is what is different in the printed form: T0 (1 + V / alpha) instead of 2 T0.
template <class T, int N> VOLARY_HD T axial_thrust(T thrust, T along, const RotorParams<T, N>& p) {
  forget_parameters<T>();  // three numbers kept over all rotors cost a quarter of the speed where there are 16 registers
  const T left = min(fma(-along, p.inv_stall_speed, splat<T>(1)), fma(along, p.sink_slope, p.sink_limit));
  return thrust * max(left, splat<T>(0));
}

// All rotors of one plane at height z in moving air; air_B is the velocity of the body through the air.
template <class T, int N>
VOLARY_HD void add_planar_rotors(Wrench<T>& sum, const RotorLoads<T, N>& l, const Vec3<T>& air_B, const Vec3<T>& omega_B, const RotorParams<T, N>& p) {
  const T z = p.position_B[0].z;
  const T vx = fma(omega_B.y, z, air_B.x), vy = fma(-omega_B.x, z, air_B.y);

  // in-plane drag of all hubs: velocity of hub i is (vx - wz y_i, vy + wz x_i)
  const T fx = -(p.drag * fma(vx, l.drag_sum, -(omega_B.z * l.drag_y)));
  const T fy = -(p.drag * fma(vy, l.drag_sum, omega_B.z * l.drag_x));
  const T drag_mz = -(p.drag * fma(vy, l.drag_x, fma(-vx, l.drag_y, omega_B.z * l.drag_rr)));
  const T rolling_mx = p.rolling * fma(vx, l.rolling_sum, -(omega_B.z * l.rolling_y));
  const T rolling_my = p.rolling * fma(vy, l.rolling_sum, omega_B.z * l.rolling_x);
  T lift = sum.force_B.z, mx = fma(-z, fy, sum.torque_B.x - rolling_mx), my = fma(z, fx, sum.torque_B.y - rolling_my);

  for (int i = 0; i < N; ++i) {
    const Vec3<T>& h = p.position_B[i];
    const T along = fma(omega_B.x, h.y, fma(-omega_B.y, h.x, air_B.z));
    const T thrust = axial_thrust(l.thrust[i], along, p);
    lift = lift + thrust;
    mx = fma(h.y, thrust, mx);
    my = fma(-h.x, thrust, my);
  }
  sum = {{sum.force_B.x + fx, sum.force_B.y + fy, lift}, {mx, my, sum.torque_B.z + (drag_mz + l.spin_sum)}};
}

// One rotor with any axis (Gestelt eq. 8-13)
template <class T, int N>
VOLARY_HD void add_tilted_rotor(Wrench<T>& sum, int i, const RotorLoads<T, N>& l, const Vec3<T>& air_B, const Vec3<T>& omega_B, const RotorParams<T, N>& p) {
  const Vec3<T>&r = p.position_B[i], &a = p.axis_B[i];
  const Vec3<T> hub = {fma(omega_B.y, r.z, fma(-omega_B.z, r.y, air_B.x)), fma(omega_B.z, r.x, fma(-omega_B.x, r.z, air_B.y)),
                       fma(omega_B.x, r.y, fma(-omega_B.y, r.x, air_B.z))};
  const T along = dot(hub, a);
  const Vec3<T> across = fma(-along, a, hub);
  const Vec3<T> force = fma(axial_thrust(l.thrust[i], along, p), a, l.drag[i] * across);
  sum.force_B = sum.force_B + force;
  sum.torque_B = sum.torque_B + (cross(r, force) + fma(l.rolling[i], across, l.spin[i] * a));
}

// ---------------------------------------------------------------- rigid body

// Time derivative for the basic feature set; `rotors` is the wrench of the rotors at this time.
template <class T, int N>
VOLARY_HD Motion<T> derivative_basic(const Motion<T>& x, const Wrench<T>& rotors, const MultirotorParams<T, N>& p) {
  forget_parameters<T>();
  const T lift = rotors.force_B.z * p.inv_mass;
  const T drag = -(p.linear_drag.x * p.inv_mass);
  const Vec3<T> z = body_z_W(x.q_WB);
  const Vec3<T> acceleration = {fma(lift, z.x, drag * x.velocity_W.x), fma(lift, z.y, drag * x.velocity_W.y),
                                fma(lift, z.z, fma(drag, x.velocity_W.z, -p.gravity))};
  const Vec3<T>& w = x.omega_B;
  const Vec3<T> spin_up = {fma((p.inertia.y - p.inertia.z) * w.y, w.z, rotors.torque_B.x) * p.inv_inertia.x,
                           fma((p.inertia.z - p.inertia.x) * w.z, w.x, rotors.torque_B.y) * p.inv_inertia.y,
                           fma((p.inertia.x - p.inertia.y) * w.x, w.y, rotors.torque_B.z) * p.inv_inertia.z};
  return {x.velocity_W, acceleration, quat_rate(x.q_WB, w), spin_up};
}

// Euler's equation with the rotors' angular momentum: J domega/dt = torque - omega x (J omega + momentum)
template <class V, class T, class Params> VOLARY_HD Vec3<T> angular_acceleration(const Vec3<T>& w, const Vec3<T>& torque_B, const Vec3<T>& momentum_B,
                                                                                 const Params& p) {
  if constexpr (V::kTilted) {
    const Vec3<T> total = times_symmetric(p.inertia, p.inertia_products, w) + momentum_B;
    return times_symmetric(p.inv_inertia, p.inv_inertia_products, torque_B - cross(w, total));
  } else {
    const T h = momentum_B.z;
    return {fma(fma(p.inertia.y - p.inertia.z, w.z, -h), w.y, torque_B.x) * p.inv_inertia.x,
            fma(fma(p.inertia.z - p.inertia.x, w.z, h), w.x, torque_B.y) * p.inv_inertia.y,
            fma((p.inertia.x - p.inertia.y) * w.x, w.y, torque_B.z) * p.inv_inertia.z};
  }
}

// what the angular momentum of the rotors adds to the torque on a body that somebody else moves, who knows nothing of it
template <class T> VOLARY_HD Vec3<T> gyroscopic_torque(const Vec3<T>& omega_B, const Vec3<T>& momentum_B) { return -cross(omega_B, momentum_B); }

// Force and torque of air and rotors about the centre of mass, and the torque from outside.
template <class V, class T, int N>
VOLARY_HD Wrench<T> wrench_full(const Motion<T>& x, const Mat3<T>& R_WB, const RotorLoads<T, N>& loads, const Surroundings<T>& e,
                                const MultirotorParams<T, N>& p) {
  const Vec3<T> air_B = transpose_times(R_WB, x.velocity_W - e.wind_W);

  // body drag: linear and quadratic, axis by axis
  const Vec3<T> per_speed = {fma(p.quadratic_drag.x, abs(air_B.x), p.linear_drag.x), fma(p.quadratic_drag.y, abs(air_B.y), p.linear_drag.y),
                             fma(p.quadratic_drag.z, abs(air_B.z), p.linear_drag.z)};
  Wrench<T> sum{-(per_speed * air_B), e.torque_B};
  if constexpr (V::kTilted) {
    for (int i = 0; i < N; ++i) add_tilted_rotor(sum, i, loads, air_B, x.omega_B, p.rotor);
  } else {
    add_planar_rotors(sum, loads, air_B, x.omega_B, p.rotor);
  }
  return sum;
}

// Time derivative with everything on (Gestelt eq. 1-3, 7).
template <class V, class T, int N>
VOLARY_HD Motion<T> derivative_full(const Motion<T>& x, const RotorLoads<T, N>& loads, const Surroundings<T>& e, const MultirotorParams<T, N>& p) {
  forget_parameters<T>();
  const Mat3<T> R_WB = rotation_matrix(x.q_WB);
  const Wrench<T> sum = wrench_full<V>(x, R_WB, loads, e, p);
  const Vec3<T> acceleration = fma(p.inv_mass, R_WB * sum.force_B, e.acceleration_W);
  return {x.velocity_W, acceleration, quat_rate(x.q_WB, x.omega_B), angular_acceleration<V>(x.omega_B, sum.torque_B, loads.momentum_B, p)};
}

}  // namespace volary::inline VOLARY_ISA::vehicles
