// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The motion of a car as a bicycle on a plane: one front wheel that steers, one rear wheel.
//   kinematic  wheels roll without slip; one degree of freedom, the speed of the rear axle
//   dynamic    tyres slip: a magic formula per axle inside a friction ellipse with drive and brakes, and at low speed, where a slip angle means nothing,
//              a blend into the kinematic motion (Kabzan et al., AMZ Driverless: The Full Autonomous Racing System, J. Field Robotics 2020, sec. 6.2)
// Both are written so that nothing is divided by a speed and that energy comes from the drive, from the slope and from what else pushes only: the blend settles onto rolling along the
// shortest way in the measure of kinetic energy. Load transfer is left out, as in the paper.
#pragma once

#include "control/car.hpp"
#include "math/functions.hpp"
#include "vehicles/ground.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// in the frame of the start of a tick, x along the nose, y to its left, both in the ground's plane; velocities in the frame of the car
template <class T> struct CarMotion {
  T x, y, heading;  // m, m, rad
  T u, v, r;  // m/s forwards, m/s to the left, rad/s to the left
};
template <class T> VOLARY_HD CarMotion<T> fma(T s, const CarMotion<T>& rate, const CarMotion<T>& m) {
  return {fma(s, rate.x, m.x), fma(s, rate.y, m.y), fma(s, rate.heading, m.heading), fma(s, rate.u, m.u), fma(s, rate.v, m.v), fma(s, rate.r, m.r)};
}

template <class T> struct TyreParams {
  T stiffness, shape, friction;  // 1/rad, -, -: see TyreDef
  T load;  // share of the load that this axle carries
};

template <class T> struct CarParams {
  T mass, inv_mass;  // kg, 1/kg
  T gyration2, inv_gyration2;  // m2, 1/m2: yaw inertia over mass
  T to_front, to_rear, inv_wheelbase;  // m, m, 1/m
  T rolling_mass;  // m2: to_rear^2 + gyration2; mass of a turning car is mass (1 + rolling_mass curvature^2)
  TyreParams<T> front, rear;
  T grip;  // times the friction of the tyres: 1 on the road they were measured on
  T tyre_share;  // of the friction, for drive and brakes
  T drive_force, drive_power, drive_front;  // N, W, share
  T brake_force, brake_front;  // N, share
  T rolling, drag, downforce;  // -, 1/m, 1/m: over load; over mass
  T max_steer, steer_rate;  // rad, rad/s
  T blend_from, inv_blend;  // m/s, s/m
  T inv_settle;  // 1/s: how fast slip ends where wheels roll
  T gravity;  // m/s2
  T height;  // m, of the centre of mass above the ground
  StepSize<T> step;
  T inv_step;  // 1/s
  T on_ground;  // 1: heights of setpoints mean nothing to it
  Ground<T> ground;
  Vec3<T> corner[4];  // m, body: what touches obstacles
  T stiffness;  // 1/s: how fast it is pushed out of an obstacle
  T reach;  // m, to the farthest corner
  control::CarGains<T> gains;
  control::GuideParams<T> guide;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"mass", "kg", "-", "mass of the car with its load"}, s.mass);
    f(Field{"inv_mass", "1/kg", "-", "reciprocal of the mass"}, s.inv_mass);
    f(Field{"gyration2", "m2", "-", "yaw inertia over mass"}, s.gyration2);
    f(Field{"inv_gyration2", "1/m2", "-", "mass over yaw inertia"}, s.inv_gyration2);
    f(Field{"to_front", "m", "B", "distance from the centre of mass to the front axle"}, s.to_front);
    f(Field{"to_rear", "m", "B", "distance from the centre of mass to the rear axle"}, s.to_rear);
    f(Field{"inv_wheelbase", "1/m", "-", "reciprocal of the wheelbase"}, s.inv_wheelbase);
    f(Field{"rolling_mass", "m2", "-", "apparent mass that turning adds, divided by mass and squared curvature"}, s.rolling_mass);
    f(Field{"front.stiffness", "1/rad", "-", "stiffness factor B of the magic formula for the front tyres"}, s.front.stiffness);
    f(Field{"front.shape", "-", "-", "shape factor C of the magic formula for the front tyres"}, s.front.shape);
    f(Field{"front.friction", "-", "-", "peak factor D of the magic formula for the front tyres, divided by the load"}, s.front.friction);
    f(Field{"front.load", "-", "-", "share of the car's weight on the front axle"}, s.front.load);
    f(Field{"rear.stiffness", "1/rad", "-", "stiffness factor B of the magic formula for the rear tyres"}, s.rear.stiffness);
    f(Field{"rear.shape", "-", "-", "shape factor C of the magic formula for the rear tyres"}, s.rear.shape);
    f(Field{"rear.friction", "-", "-", "peak factor D of the magic formula for the rear tyres, divided by the load"}, s.rear.friction);
    f(Field{"rear.load", "-", "-", "share of the car's weight on the rear axle"}, s.rear.load);
    f(Field{"grip", "-", "-", "factor on the friction of the tyres; 1: the road on which they were measured"}, s.grip);
    f(Field{"tyre_share", "-", "-", "share of the tyre friction that drive and brakes may use"}, s.tyre_share);
    f(Field{"drive_force", "N", "-", "greatest drive force"}, s.drive_force);
    f(Field{"drive_power", "W", "-", "greatest drive power"}, s.drive_power);
    f(Field{"drive_front", "-", "-", "share of the drive force on the front axle"}, s.drive_front);
    f(Field{"brake_force", "N", "-", "greatest brake force"}, s.brake_force);
    f(Field{"brake_front", "-", "-", "share of the brake force on the front axle"}, s.brake_front);
    f(Field{"rolling", "-", "-", "rolling resistance over load"}, s.rolling);
    f(Field{"drag", "1/m", "-", "air drag over mass and speed squared"}, s.drag);
    f(Field{"downforce", "1/m", "-", "aerodynamic downforce over mass and speed squared"}, s.downforce);
    f(Field{"max_steer", "rad", "-", "greatest steering angle to either side"}, s.max_steer);
    f(Field{"steer_rate", "rad/s", "-", "greatest rate of the steering angle"}, s.steer_rate);
    f(Field{"blend_from", "m/s", "-", "speed below which wheels roll without slip"}, s.blend_from);
    f(Field{"inv_blend", "s/m", "-", "reciprocal of the speed range between rolling and slipping tyres"}, s.inv_blend);
    f(Field{"inv_settle", "1/s", "-", "rate at which slip decays where wheels roll"}, s.inv_settle);
    f(Field{"gravity", "m/s2", "-", "gravitational acceleration, downwards"}, s.gravity);
    f(Field{"height", "m", "-", "height of the centre of mass above the ground"}, s.height);
    f(Field{"step", "s", "-", "simulated time of one substep"}, s.step.h);
    f(Field{"step_half", "s", "-", "half of a substep"}, s.step.half);
    f(Field{"step_third", "s", "-", "third of a substep"}, s.step.third);
    f(Field{"step_sixth", "s", "-", "sixth of a substep"}, s.step.sixth);
    f(Field{"inv_step", "1/s", "-", "reciprocal of the substep"}, s.inv_step);
    f(Field{"on_ground", "-", "-", "whether the vehicle follows the ground: 1 yes, 0 no"}, s.on_ground);
    Ground<T>::fields(s.ground, f);
    for (int i = 0; i < 4; ++i) f(Field{"contact.point", "m", "B", "corner of the car that touches obstacles"}, s.corner[i]);
    f(Field{"contact.stiffness", "1/s", "-", "rate at which the car is pushed out of an obstacle"}, s.stiffness);
    f(Field{"contact.reach", "m", "-", "distance from the centre of mass to the farthest corner"}, s.reach);
    control::CarGains<T>::fields(s.gains, f);
    control::GuideParams<T>::fields(s.guide, f);
  }
};

// ---------------------------------------------------------------- one substep

// the front wheel at one moment
template <class T> struct SteeredWheel {
  T sine, cosine;
  T curvature, bend;  // 1/m, 1/(m s): of the way of the rear axle when nothing slips, and its rate
};
template <class T> VOLARY_HD SteeredWheel<T> steered_wheel(T angle, T rate, const CarParams<T>& p) {
  SteeredWheel<T> w;
  sincos(angle, w.sine, w.cosine);
  const T inv = splat<T>(1) / w.cosine;
  w.curvature = w.sine * inv * p.inv_wheelbase;
  w.bend = rate * inv * inv * p.inv_wheelbase;
  return w;
}

// what pulls and turns a car beside its wheels, over the mass: slope and whatever else pushes it, in the frame of the tick
template <class T> struct CarPull {
  T x, y, z;  // m/s2
  T turn;  // m2/s2, to the left
};

// what does not change within a substep, over the mass: wheel forces along the wheels, and what pulls it
template <class T> struct CarPush {
  T front, rear;  // m/s2
  T pull_x, pull_y, turn;
  T load;  // m/s2, of both axles
};
template <class T> VOLARY_HD void pull_in_car(const CarPush<T>& f, T s, T c, T& ahead, T& left) {
  ahead = fma(f.pull_x, c, f.pull_y * s);
  left = fma(f.pull_y, c, -(f.pull_x * s));
}

// The speed at which the car would roll, if it lost its slip at once: the nearest motion (1, to_rear k, k) u in the measure of kinetic energy.
template <class T> VOLARY_HD T rolling_speed(const CarMotion<T>& m, const SteeredWheel<T>& w, const CarParams<T>& p) {
  const T k = w.curvature;
  return fma(k, fma(p.to_rear, m.v, p.gyration2 * m.r), m.u) / fma(p.rolling_mass * k, k, splat<T>(1));
}

// Rates of velocity where wheels roll. Constraint forces do no work, so the energy mass (1 + rolling_mass k^2) u^2 / 2 changes by what pushes along the wheels.
template <class T> VOLARY_HD CarMotion<T> rolling_rate(const CarMotion<T>& m, const SteeredWheel<T>& w, const CarPush<T>& f, T ahead, T left,
                                                       const CarParams<T>& p) {
  const T k = w.curvature, u = rolling_speed(m, w, p);
  const T push = fma(k, f.turn, fma(p.to_rear * k, left, ahead)) + (f.front / w.cosine + f.rear) - p.drag * abs(u) * u;
  const T du = fma(-(p.rolling_mass * k * w.bend), u, push) / fma(p.rolling_mass * k, k, splat<T>(1));
  const T dr = fma(k, du, w.bend * u);
  const T slip_v = m.v - p.to_rear * k * u, slip_r = m.r - k * u;
  return {m.x, m.y, m.heading, fma(-p.inv_settle, m.u - u, du), fma(-p.inv_settle, slip_v, p.to_rear * dr), fma(-p.inv_settle, slip_r, dr)};
}

// lateral force of an axle over the mass, along the wheel's left: what the friction ellipse leaves beside the force along the wheel
template <class T> VOLARY_HD T tyre_force(T along, T across, T used, T load, const TyreParams<T>& tyre, const CarParams<T>& p) {
  const T most = p.grip * tyre.friction * tyre.load * load;
  const T slip = atan2(across, max(abs(along), splat<T>(0.5) * p.blend_from));
  const T share = used / max(most, splat<T>(1e-6));
  const T left = sqrt(max(fma(-share, share, splat<T>(1)), splat<T>(0)));
  return -(most * left) * sin(tyre.shape * atan2(tyre.stiffness * slip, splat<T>(1)));
}

template <class T> VOLARY_HD CarMotion<T> slipping_rate(const CarMotion<T>& m, const SteeredWheel<T>& w, const CarPush<T>& f, T ahead, T left,
                                                        const CarParams<T>& p) {
  const T front_v = fma(p.to_front, m.r, m.v), rear_v = fma(-p.to_rear, m.r, m.v);
  const T along = fma(m.u, w.cosine, front_v * w.sine), across = fma(front_v, w.cosine, -(m.u * w.sine));
  const T front = tyre_force(along, across, f.front, f.load, p.front, p), rear = tyre_force(m.u, rear_v, f.rear, f.load, p.rear, p);
  const T front_x = fma(f.front, w.cosine, -(front * w.sine)), front_y = fma(f.front, w.sine, front * w.cosine);
  const T du = front_x + f.rear - p.drag * abs(m.u) * m.u + ahead + m.r * m.v;
  const T dv = front_y + rear + left - m.r * m.u;
  const T dr = p.inv_gyration2 * (fma(p.to_front, front_y, -(p.to_rear * rear)) + f.turn);
  return {m.x, m.y, m.heading, du, dv, dr};
}

// 0 where wheels roll, 1 where tyres slip
template <class T> VOLARY_HD T slipping_share(const CarMotion<T>& m, const CarParams<T>& p) {
  const T turn = p.to_front * m.r;
  const T speed = sqrt(fma(m.u, m.u, fma(m.v, m.v, turn * turn)));
  return clamp((speed - p.blend_from) * p.inv_blend, splat<T>(0), splat<T>(1));
}

// Where wheels roll the car moves by its rolling speed alone: slip that is about to end carries it nowhere, or it would climb for nothing.
template <bool Slips, class T> VOLARY_HD CarMotion<T> car_rate(const CarMotion<T>& m, const SteeredWheel<T>& w, const CarPush<T>& f, const CarParams<T>& p) {
  T s, c, ahead, left;
  sincos(m.heading, s, c);
  pull_in_car(f, s, c, ahead, left);
  CarMotion<T> rate = rolling_rate(m, w, f, ahead, left, p);
  T u = rolling_speed(m, w, p), r = w.curvature * u, v = p.to_rear * r;
  if constexpr (Slips) {
    const T share = slipping_share(m, p);
    const CarMotion<T> slipping = slipping_rate(m, w, f, ahead, left, p);
    rate.u = fma(share, slipping.u - rate.u, rate.u);
    rate.v = fma(share, slipping.v - rate.v, rate.v);
    rate.r = fma(share, slipping.r - rate.r, rate.r);
    u = fma(share, m.u - u, u), v = fma(share, m.v - v, v), r = fma(share, m.r - r, r);
  }
  rate.x = fma(u, c, -(v * s));
  rate.y = fma(u, s, v * c);
  rate.heading = r;
  return rate;
}

// Forces along the wheels, held over a substep. Brakes and rolling resistance are dry friction: what would stop the car by the end of the substep, at most
// what they can. So a braked car stands still on a slope, and a car that coasts never turns back.
template <bool Slips, class T>
VOLARY_HD CarPush<T> car_push(const CarMotion<T>& m, const SteeredWheel<T>& w, const control::CarCommand<T>& command, const CarPull<T>& pull,
                              const CarParams<T>& p) {
  const T zero = splat<T>(0), one = splat<T>(1);
  CarPush<T> f{zero, zero, pull.x, pull.y, pull.turn, max(fma(p.downforce * m.u, m.u, -pull.z), zero)};
  const T per_mass = p.inv_mass, load_front = p.front.load * f.load, load_rear = p.rear.load * f.load;
  const T most_front = p.tyre_share * p.grip * p.front.friction * load_front, most_rear = p.tyre_share * p.grip * p.rear.friction * load_rear;
  const T drive = clamp(command.drive, -one, one) * min(p.drive_force, p.drive_power / max(abs(m.u), one)) * per_mass;
  const T drive_front = p.drive_front * drive;
  f.front = clamp(drive_front, -most_front, most_front);
  f.rear = clamp(drive - drive_front, -most_rear, most_rear);
  const T brake = clamp(command.brake, zero, one) * p.brake_force * per_mass, brake_front = p.brake_front * brake;
  const T dry_front = min(fma(p.rolling, load_front, brake_front), most_front), dry_rear = min(fma(p.rolling, load_rear, brake - brake_front), most_rear);
  // what the car would do without them, as a rolling one
  T s, c, ahead, left;
  sincos(m.heading, s, c);
  pull_in_car(f, s, c, ahead, left);
  const T k = w.curvature, weight = fma(p.rolling_mass * k, k, one), u = rolling_speed(m, w, p);
  const T free = fma(k, f.turn, fma(p.to_rear * k, left, ahead)) + (f.front / w.cosine + f.rear) - p.drag * abs(u) * u;
  // where tyres slip, each wheel is braked against its own turning
  T at_front = u, at_rear = u, turning = splat<T>(0);
  if constexpr (Slips) {
    const T slips = slipping_share(m, p), along = fma(m.u, w.cosine, fma(p.to_front, m.r, m.v) * w.sine) * w.cosine;
    at_front = fma(slips, along - u, u);
    at_rear = fma(slips, m.u - u, u);
    turning = slips * m.r * m.v;
  }
  const T inv_dry = one / max(dry_front / w.cosine + dry_rear, splat<T>(1e-9)), stop = weight * p.inv_step;
  const T share_front = clamp(-fma(stop, at_front, free + turning) * inv_dry, -one, one),
          share_rear = clamp(-fma(stop, at_rear, free + turning) * inv_dry, -one, one);
  f.front = clamp(fma(share_front, dry_front, f.front), -most_front, most_front);
  f.rear = clamp(fma(share_rear, dry_rear, f.rear), -most_rear, most_rear);
  return f;
}

template <class T> VOLARY_HD T without_dust(T x) { return select(abs(x) < splat<T>(1e-12), splat<T>(0), x); }

// one substep: the steering turns towards its command, then RK4; `pull` is in the frame of the tick
template <bool Slips, class T>
VOLARY_HD void car_substep(CarMotion<T>& m, T& steer, const control::CarCommand<T>& command, const CarPull<T>& pull, const CarParams<T>& p) {
  const T wanted = clamp(command.steer, -p.max_steer, p.max_steer);
  const T rate = clamp((wanted - steer) * p.inv_step, -p.steer_rate, p.steer_rate);
  const SteeredWheel<T> start = steered_wheel(steer, rate, p), middle = steered_wheel(fma(p.step.half, rate, steer), rate, p);
  steer = fma(p.step.h, rate, steer);
  const SteeredWheel<T> end = steered_wheel(steer, rate, p);
  const CarPush<T> push = car_push<Slips>(m, start, command, pull, p);
  m = rk4(m, p.step, [&](int stage, const CarMotion<T>& x) VOLARY_INLINE_LAMBDA {
    return car_rate<Slips>(x, stage == 0 ? start : stage == 3 ? end : middle, push, p);
  });
  if constexpr (!Slips) {
    // it has one degree of freedom: rounding must not give it more
    const T u = rolling_speed(m, end, p), k = end.curvature;
    m.u = u, m.v = p.to_rear * k * u, m.r = k * u;
  }
  // slip that ends must not linger among the smallest numbers there are
  m.u = without_dust(m.u), m.v = without_dust(m.v), m.r = without_dust(m.r);
}

}  // namespace volary::inline VOLARY_ISA::vehicles
