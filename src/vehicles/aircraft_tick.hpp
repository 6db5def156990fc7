// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One tick of an aircraft: guidance once, then K substeps of attitude and rates, servos, motors, the ground where it is near, and RK4.
#pragma once

#include "vehicles/actuator_faults.hpp"
#include "vehicles/aircraft.hpp"
#include "vehicles/contact.hpp"
#include "vehicles/sensed.hpp"
#include "vehicles/tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// One agent in registers. `state` is loaded and stored, `input` only loaded. The setpoint's motor speeds are those of the rotors, then rad of aileron,
// elevator and rudder.
template <class V, class T> struct AircraftAgent : SensedPart<V, T, V::kRotors> {
  static constexpr int kRotors = V::kRotors;
  Bits<T> status;
  RigidBody<T> body;
  T rotor_speed[kRotors];  // rad/s
  T servo[kSurfaces];      // rad
  T throttle;              // 0..1, as last commanded
  control::WingMemory<T> wing;
  control::LadderMemory<T> ladder;  // where it hovers
  control::RateMemory<T> rate;
  Air<T> air;
  control::Setpoint<T, kRotors + kSurfaces> setpoint;
  Outside<T> outside;

  template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
    f(Field{"status", "-", "-", "flight mode and status bits. Bits 0-3: mode; 4-7: mode after take-off; 8: alive; 9: diverged"}, s.status);
    RigidBody<T>::fields(s.body, f);
    f(Field{"rotor_speed", "rad/s", "-", "speed of each rotor"}, s.rotor_speed);
    f(Field{"servo", "rad", "-", "angle of each servo"}, s.servo);
    f(Field{"throttle", "-", "-", "last commanded throttle, from 0 to 1"}, s.throttle);
    control::WingMemory<T>::fields(s.wing, f);
    if constexpr (V::kHovers) {
      control::LadderMemory<T>::fields(s.ladder, f);
      control::RateMemory<T>::fields(s.rate, f);
    }
    if constexpr (V::kSensed) Sensed<T, kRotors>::state(s.sensed, f);
    Air<T>::fields(s.air, f);
  }
  template <class Self, class F> VOLARY_HD static constexpr void input(Self& s, F& f) {
    control::Setpoint<T, kRotors + kSurfaces>::fields(s.setpoint, f);
    if constexpr (V::kSensed) Sensed<T, kRotors>::input(s.sensed, f);
    Outside<T>::fields(s.outside, f);
  }
};

// ---------------------------------------------------------------- what the controllers see

template <class T> VOLARY_HD control::WingState<T> wing_state(const RigidBody<T>& b, const Vec3<T>& wind_W, T density, T above_ground) {
  const Quat<T>& q = b.q_WB;
  const T one = splat<T>(1), two = splat<T>(2);
  control::WingState<T> x;
  x.roll = atan2(two * fma(q.w, q.x, q.y * q.z), one - two * fma(q.x, q.x, q.y * q.y));
  x.pitch = asin(clamp(two * fma(q.x, q.z, -(q.w * q.y)), -one, one));
  x.heading = atan2(two * fma(q.w, q.z, q.x * q.y), one - two * fma(q.y, q.y, q.z * q.z));
  x.p = b.omega_B.x, x.q = -b.omega_B.y, x.r = -b.omega_B.z;
  x.velocity_W = b.velocity_W;
  x.air_W = b.velocity_W - wind_W;
  x.airspeed = norm(x.air_W);
  x.density = density;
  x.position_W = b.position_W;
  x.above_ground = above_ground;
  return x;
}

// roll and pitch of an attitude that is asked for
template <class T> VOLARY_HD control::WingTarget<T> target_of(const Quat<T>& q, T throttle) {
  const T one = splat<T>(1), two = splat<T>(2);
  return {atan2(two * fma(q.w, q.x, q.y * q.z), one - two * fma(q.x, q.x, q.y * q.y)), asin(clamp(two * fma(q.x, q.z, -(q.w * q.y)), -one, one)), throttle};
}

template <class T> VOLARY_HD control::WingTarget<T> choose(Mask<T> m, const control::WingTarget<T>& a, const control::WingTarget<T>& b) {
  return {select(m, a.roll, b.roll), select(m, a.pitch, b.pitch), select(m, a.throttle, b.throttle)};
}

// what guidance wants of the surfaces and the rotor that pulls, and of the rotors that lift
template <class T> using Target = control::VtolTarget<T>;

// Once per tick: what roll, pitch and throttle are wanted. A take-off run keeps its nose down until it is fast enough; a landing is rounded out.
template <class V, class T, int N>
VOLARY_HD Target<T> target_for(AircraftAgent<V, T>& a, const control::WingState<T>& x, const AircraftParams<T, N>& p) {
  const T zero = splat<T>(0), one = splat<T>(1);
  const auto& sp = a.setpoint;
  Target<T> all{};
  if constexpr (V::kHovers)
    all = control::vtol_guidance(sp, x, p.wing, p.vtol, p.ladder, a.wing, a.ladder);
  else
    all.wing = control::wing_guidance(sp, x, p.wing, a.wing);
  control::WingTarget<T>& t = all.wing;
  const Mask<T> low_level = (sp.level == control::bits_of<T>(1)) | (sp.level == control::bits_of<T>(2));
  if (any(low_level)) {
    t = choose(low_level, target_of(sp.q_WB, clamp(sp.thrust / p.thrust_max, zero, one)), t);
    if constexpr (V::kHovers) {
      // where rotors carry it, the thrust is theirs
      all.hover.q_WB = select(low_level, sp.q_WB, all.hover.q_WB);
      all.hover.thrust = select(low_level, sp.thrust, all.hover.thrust);
      t.throttle = select(low_level, all.weight * t.throttle, t.throttle);
    }
  }
  const Mask<T> alone = p.guide.cannot_stop > splat<T>(0.5);
  const Mask<T> rising = alone & control::has_mode<T>(a.status, control::Flight::TakeOff);
  if (any(rising)) {
    const Mask<T> fast = x.airspeed > p.rotate_speed;
    t = choose(rising, control::WingTarget<T>{select(fast, t.roll, zero), select(fast, p.climb_pitch, zero), one}, t);
  }
  const Mask<T> flaring = alone & control::has_mode<T>(a.status, control::Flight::Land) & (x.above_ground < p.flare_height);
  if (any(flaring)) t = choose(flaring, control::WingTarget<T>{clamp(t.roll, splat<T>(-0.1), splat<T>(0.1)), p.flare_pitch, zero}, t);
  return all;
}

// ---------------------------------------------------------------- servos and motors

// servos on their way to a command: first order, never faster than they can; what holds through the substep is the mean
template <class T> VOLARY_HD Deflections<T> move_servos(T (&servo)[kSurfaces], const Vec3<T>& wanted, const SurfaceParams<T>& p) {
  T middle[kSurfaces];
  for (int i = 0; i < kSurfaces; ++i) {
    const T command = clamp(dot(p.servo_of[i], wanted), -p.travel[i], p.travel[i]);
    const T step = clamp((splat<T>(1) - p.keep) * (command - servo[i]), -p.rate[i], p.rate[i]);
    middle[i] = fma(splat<T>(0.5), step, servo[i]);
    servo[i] = servo[i] + step;
  }
  const Vec3<T> m = {middle[0], middle[1], middle[2]};
  return {dot(p.of_servo[0], m), dot(p.of_servo[1], m), dot(p.of_servo[2], m)};
}

// what a substep commands
template <class T, int N> struct Command {
  T rotor[N];          // rad/s
  Vec3<T> surface;     // rad: aileron, elevator, rudder
};

// share of static thrust to rotor speed
template <class T> VOLARY_HD T speed_of_share(T share, T speed_max) { return speed_max * sqrt(clamp(share, splat<T>(0), splat<T>(1))); }

// The rotors that lift: the ladder of multirotors, of which the wings' share is taken away.
template <class V, class T, int N> VOLARY_HD void lift_rotors(Command<T, N>& c, AircraftAgent<V, T>& a, const RigidBody<T>& body, const Target<T>& wanted,
                                                              const AircraftParams<T, N>& p) {
  const T zero = splat<T>(0), share = splat<T>(1) - wanted.weight;
  const Vec3<T> rate = control::attitude_control(body.q_WB, wanted.hover, p.ladder);
  const Vec3<T> spin_up = control::rate_control(rate, body.omega_B, p.rate, p.step.h, p.inv_step, a.rate);
  const Mask<T> carrying = share > zero;
  a.rate.integral = select(carrying, a.rate.integral, zero3<T>());
  const Vec3<T> torque = share * times_symmetric(p.inertia, p.inertia_products, spin_up);
  const control::RotorThrusts<T, N - 1> f = control::allocate(p.mixer, wanted.hover.thrust, torque);
  for (int i = 0; i < N - 1; ++i) {
    const T speed = min(sqrt(max(f.f[i], zero) / max(p.rotor.thrust2[i], splat<T>(1e-12))), p.rotor.speed_max[i]);
    c.rotor[i] = select(carrying, speed, zero);
  }
}

// Attitude or rates to surfaces, throttle to the rotor that pulls; where it hovers also to those that lift.
template <class V, class T, int N>
VOLARY_HD Command<T, N> command_of(AircraftAgent<V, T>& a, const RigidBody<T>& body, const Target<T>& wanted, const control::WingState<T>& x, Mask<T> off,
                                   Mask<T> rolls, const AircraftParams<T, N>& p) {
  const control::WingTarget<T>& target = wanted.wing;
  const auto& sp = a.setpoint;
  const Mask<T> rates = sp.level == control::bits_of<T>(1), direct = sp.level == control::bits_of<T>(0);
  Vec3<T> share;
  if (any(rates)) {
    control::WingMemory<T> other = a.wing;
    const Vec3<T> by_rates = control::wing_rates(Vec3<T>{sp.rate_B.x, -sp.rate_B.y, -sp.rate_B.z}, x, p.wing, p.step.h, other);
    share = select(rates, by_rates, control::wing_attitude(target, x, p.wing, p.step.h, a.wing));
    a.wing.integral = select(rates, other.integral, a.wing.integral);
  } else {
    share = control::wing_attitude(target, x, p.wing, p.step.h, a.wing);
  }
  if (any(rolls)) {
    // on its wheels it keeps the heading of its run with the rudder, and its wings to the ground
    const T error = control::wrap_angle(sp.yaw - x.heading);
    share.z = select(rolls, clamp(fma(splat<T>(-3), error, share.z), splat<T>(-1), splat<T>(1)), share.z);
  }
  Command<T, N> c;
  const SurfaceParams<T>& surface = p.surface;
  c.surface = {share.x * surface.sign[0] * surface.most[0], fma(share.y, surface.sign[1] * surface.most[1], p.elevator_trim),
               share.z * surface.sign[2] * surface.most[2]};
  if constexpr (V::kHovers) lift_rotors(c, a, body, wanted, p);
  c.rotor[N - 1] = speed_of_share(target.throttle, p.rotor.speed_max[N - 1]);
  if (any(direct)) {
    for (int i = 0; i < N; ++i) c.rotor[i] = select(direct, clamp(sp.motor_speed[i], splat<T>(0), p.rotor.speed_max[i]), c.rotor[i]);
    c.surface = select(direct, Vec3<T>{sp.motor_speed[N], sp.motor_speed[N + 1], sp.motor_speed[N + 2]}, c.surface);
  }
  if (any(off)) {
    for (int i = 0; i < N; ++i) c.rotor[i] = select(off, splat<T>(0), c.rotor[i]);
    c.surface = select(off, zero3<T>(), c.surface);
  }
  return c;
}

template <class V, class T, int N>
VOLARY_HD Actuation<T, N> actuate(AircraftAgent<V, T>& a, const Command<T, N>& c, const Vec3<T>& wind_W, T density, const AircraftParams<T, N>& p,
                                  const Scalar<T>* tables) {
  Actuation<T, N> act;
  T middle[N], rate[N];
  for (int i = 0; i < N; ++i) {
    const T gap = a.rotor_speed[i] - c.rotor[i];
    middle[i] = fma(gap, p.rotor.keep_half[i], c.rotor[i]);
    const T end = fma(gap, p.rotor.keep[i], c.rotor[i]);
    rate[i] = (end - a.rotor_speed[i]) * p.inv_step;
    a.rotor_speed[i] = end;
  }
  act.surface = move_servos(a.servo, c.surface, p.surface);
  const Vec3<T> air_B = transpose_times(rotation_matrix(a.body.q_WB), a.body.velocity_W - wind_W);
  load_rotors<V>(act, middle, rate, air_B, a.body.omega_B, density, p.rotor, tables);
  return act;
}

// ---------------------------------------------------------------- the ground

// Wheels roll along their heading and hold across it; everything else slides.
template <class T> struct Rolling {
  Vec3<T> ahead_W[kContactPoints];
  T along[kContactPoints];  // friction along the heading
  T across;                 // and across it
  VOLARY_HD Vec3<T> operator()(int i, const Vec3<T>& wanted_W, T normal) const {
    const T forward = dot(wanted_W, ahead_W[i]), most = along[i] * normal;
    const Vec3<T> sideways = fma(-forward, ahead_W[i], wanted_W);
    const T size = sqrt(dot(sideways, sideways)), limit = across * normal;
    return fma(clamp(forward, -most, most), ahead_W[i], select(size > limit, limit / size, splat<T>(1)) * sideways);
  }
};

template <class T, int N> VOLARY_HD Rolling<T> rolling_of(const RigidBody<T>& b, T steering, Mask<T> brakes, const AircraftParams<T, N>& p) {
  Rolling<T> r;
  r.across = p.contact.friction;
  const Mat3<T> R = rotation_matrix(b.q_WB);
  const Vec3<T>& n = p.contact.ground.normal_W;
  for (int i = 0; i < kContactPoints; ++i) {
    T s, c;
    sincos(-(p.steer[i] * steering), s, c);  // to the right is clockwise from above
    const Vec3<T> d = R * Vec3<T>{c, s, splat<T>(0)};
    const Vec3<T> flat = fma(-dot(d, n), n, d);
    r.ahead_W[i] = (splat<T>(1) / max(norm(flat), splat<T>(1e-3))) * flat;
    r.along[i] = min(select(brakes, p.rolling[i] + p.braking, p.rolling[i]), p.contact.friction);
  }
  return r;
}

// what the ground adds for one substep in the lanes of `low`; returns the sum of the normal forces
template <class V, class T, int N>
VOLARY_COLD T add_ground(Weather<T>& e, Mask<T> low, const AircraftAgent<V, T>& a, const Actuation<T, N>& act, T steering, Mask<T> brakes,
                         const AircraftParams<T, N>& p, const Scalar<T>* tables) {
  const Motion<T> free = derivative_aircraft<V>(begin_motion(a.body), act, e, p, tables);
  const ContactForce<T> c = contact_force(a.body, free, p.mass, p.inertia.z, p.contact, rolling_of(a.body, steering, brakes, p));
  const Mask<T> touching = low & (c.pressed > splat<T>(0));
  e.acceleration_W = select(touching, fma(p.inv_mass, c.force_W, e.acceleration_W), e.acceleration_W);
  e.torque_B = select(touching, e.torque_B + c.torque_B, e.torque_B);
  return select(touching, c.pressed, splat<T>(0));
}

// ---------------------------------------------------------------- the tick

// what the controllers of an aircraft take for its state, its height and the wind
template <class V, class T, int N>
VOLARY_HD control::WingState<T> seen_state(const AircraftAgent<V, T>& a, const Vec3<T>& wind_W, T density, T height, const TickInfo& info, const AircraftParams<T, N>& p) {
  if constexpr (V::kSensed) {
    if (info.by_truth) return wing_state(a.body, wind_W, density, height);
    const RigidBody<T>& e = a.sensed.estimate;
    return wing_state(e, Vec3<T>{a.sensed.wind[0], a.sensed.wind[1], splat<T>(0)}, density, height_above(e, p.contact.ground));
  } else {
    return wing_state(a.body, wind_W, density, height);
  }
}

// the IMU through the substeps, where there is one
template <class V, class T, int N> struct AircraftSampling {
  VOLARY_HD AircraftSampling(AircraftAgent<V, T>&, const TickInfo&, const AircraftParams<T, N>&) {}
  VOLARY_HD void sample(AircraftAgent<V, T>&, int, const TickInfo&, const AircraftParams<T, N>&) {}
  VOLARY_HD void end(AircraftAgent<V, T>&, const TickInfo&) {}
};
template <class V, class T, int N>
  requires V::kSensed
struct AircraftSampling<V, T, N> {
  Sampling<T, N> now;
  VOLARY_HD AircraftSampling(AircraftAgent<V, T>& a, const TickInfo& info, const AircraftParams<T, N>& p)
      : now(begin_sampling<T, N>(a.sensed, a.body, a.rotor_speed, imu_of<T>(p), info)) {}
  VOLARY_HD void sample(AircraftAgent<V, T>& a, int k, const TickInfo& info, const AircraftParams<T, N>& p) {
    sample_step<T, N>(now, a.sensed, k, a.body.velocity_W, a.body.q_WB, a.body.omega_B, a.rotor_speed, imu_of<T>(p), info);
  }
  VOLARY_HD void end(AircraftAgent<V, T>& a, const TickInfo& info) { end_sampling<T, N>(now, a.sensed, a.body, info); }
};

// what rotors and surfaces make of their commands where some of the flock have faults
template <class T, int N> VOLARY_COLD void apply_faults(Command<T, N>& c, bool is_last, const TickInfo& info, const AircraftParams<T, N>& p) {
  const ActuatorFaults<T> faults = actuator_faults<T>(info);
  for (int i = 0; i < N; ++i) {
    const T wanted = c.rotor[i];
    c.rotor[i] = faults.apply(i, wanted, splat<T>(0), p.rotor.speed_max[i]);
    if (is_last) faults.keep(i, wanted);
  }
  T* const surface[3] = {&c.surface.x, &c.surface.y, &c.surface.z};
  for (int k = 0; k < 3; ++k) {
    const T wanted = *surface[k];
    *surface[k] = faults.apply(N + k, wanted, -p.surface.most[k], p.surface.most[k]);
    if (is_last) faults.keep(N + k, wanted);
  }
}

template <class V, class T, int N> VOLARY_HD void advance_aircraft(AircraftAgent<V, T>& a, const TickInfo& info, const AircraftParams<T, N>& p) {
  const auto* tables = static_cast<const Scalar<T>*>(info.tables);
  const Vec3<T>& f = a.outside.force_W;
  const Weather<T> air = {
      a.outside.wind_W + a.air.gust_W, {f.x * p.inv_mass, f.y * p.inv_mass, fma(f.z, p.inv_mass, -p.gravity)}, a.outside.torque_B, a.outside.density};
  const T height = height_above(a.body, p.contact.ground);
  const Mask<T> off = control::has_mode<T>(a.status, control::Flight::Disarmed) | control::has_mode<T>(a.status, control::Flight::EmergencyStop);
  const Mask<T> low = near_ground(a.body, p.guide.tick, p.contact);
  control::WingState<T> x = seen_state(a, air.wind_W, air.density, height, info, p);
  const Target<T> target = target_for(a, x, p);
  a.throttle = select(off, splat<T>(0), target.wing.throttle);
  const bool on_ground = any(low);
  const Mask<T> pressed = a.air.ground_force > splat<T>(0), landing = control::has_mode<T>(a.status, control::Flight::Land);
  const Mask<T> brakes = off | (landing & pressed), rolls = pressed & (landing | control::has_mode<T>(a.status, control::Flight::TakeOff));
  a.air.ground_force = splat<T>(0);
  AircraftSampling<V, T, N> imu(a, info, p);
  for (int k = 0; k < info.substeps; ++k) {
    if (k > 0) x = seen_state(a, air.wind_W, air.density, height, info, p);
    Command<T, N> command = command_of(a, known<V>(a, info), target, x, off, rolls, p);
    if (info.faults != nullptr) apply_faults(command, k + 1 == info.substeps, info, p);
    const Actuation<T, N> act = actuate(a, command, air.wind_W, air.density, p, tables);
    Weather<T> e = air;
    if (on_ground) {
      const T steering = command.surface.z * p.surface.sign[2] / max(p.surface.most[2], splat<T>(1e-6));
      a.air.ground_force = add_ground<V>(e, low, a, act, steering, brakes, p, tables);
      if (info.impact_speed > 0)
        a.status = note_impact<T>(a.status, a.air.ground_force, -dot(p.contact.ground.normal_W, a.body.velocity_W), info.impact_speed);
    }
    const auto rate = [&](int, const Motion<T>& m) VOLARY_INLINE_LAMBDA { return derivative_aircraft<V>(m, act, e, p, tables); };
    const Motion<T> before = begin_motion(a.body);
    a.body = end_motion(a.body, info.euler ? semi_implicit_euler(before, p.step, rate) : rk4(before, p.step, rate));
    imu.sample(a, k, info, p);
  }
  imu.end(a, info);
}

}  // namespace volary::inline VOLARY_ISA::vehicles
