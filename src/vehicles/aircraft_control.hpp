// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How an aircraft is flown, from what it is: trimmed at its cruise airspeed, its controllers are set by what its surfaces and its thrust can do there.
#pragma once

#include "control/wing_design.hpp"
#include "vehicles/aircraft_derive.hpp"
#include "vehicles/aircraft_trim.hpp"
#include "vehicles/multirotor_gains.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// m/s: where the wing at its stall angle just carries the weight
template <class V, int N> double stall_airspeed(const AircraftParams<double, N>& p, const double* tables) {
  double most = 1e-6;
  for (double alpha = 0; alpha < p.aero.stall + 1 / p.aero.inv_stall_width && alpha < 1.2; alpha += 0.002) {
    double s, c;
    math::sincos(alpha, s, c);
    Flow<double> f = flow_of(Vec3<double>{c, 0, -s}, Vec3<double>{0, 0, 0}, 1.0);
    const StaticCoefficients<double> attached =
        has_table<V>(tables, 0) ? table_coefficients(f, Deflections<double>{0, 0, 0}, p, table_at(tables, 0)) : linear_coefficients(f, p.aero);
    const double lift = separated(attached, f, separation(f.alpha, p.aero), p.aero).lift;
    most = lift > most ? lift : most;
  }
  return math::sqrt(2 * p.mass * p.gravity / (airframe::kSeaLevel * p.aero.area * most));
}

// N: what the rotor that pulls gives at full speed and an airspeed
template <class V, int N> double thrust_at(double airspeed, double rotor_speed, const AircraftParams<double, N>& p, const double* tables) {
  Actuation<double, N> act{};
  level_rates<V>(airspeed, airframe::kSeaLevel, 0, 0, rotor_speed, p, tables, act);
  return act.thrust[N - 1];
}

// level at cruise, within what its wing, elevator and motor can do
template <class V, int N> core::Result<Trim> cruise_trim(const airframe::AircraftDef& def, const AircraftParams<double, N>& p, const double* tables) {
  const Trim t = trim_level<V>(def.speeds.cruise, airframe::kSeaLevel, p, tables);
  const double stall = stall_airspeed<V>(p, tables);
  if (def.speeds.cruise < 1.05 * stall) return too_slow_to_fly(t, stall);
  Actuation<double, N> act{};
  const Motion<double> flat_out = level_rates<V>(def.speeds.cruise, airframe::kSeaLevel, t.alpha, t.elevator, p.rotor.speed_max[N - 1], p, tables, act);
  if (flat_out.velocity_W.x < 0 && math::abs(flat_out.velocity_W.z) < p.gravity)
    return cannot_trim(t, "its motor is too weak", "more rotors[].thrust, radius or speed_max, or a lower cruise airspeed");
  if (!t.found) return cannot_trim(t, "there is no balance", "look at the signs of pitch.alpha (negative) and pitch.elevator, and at lift and thrust");
  if (t.alpha > p.aero.stall) return cannot_trim(t, "its wing stalls", "more wing area or a higher cruise airspeed");
  if (math::abs(t.elevator) > p.surface.most[1])
    return cannot_trim(t, "its elevator has not enough travel", "a smaller pitch.zero, or more surfaces.elevator.travel");
  if (t.throttle > 1) return cannot_trim(t, "its motor is too weak", "more rotors[].thrust, radius or speed_max, or a lower cruise airspeed");
  return t;
}

// the controllers; `p` is complete but for them
template <class V, int N>
core::Status set_wing_control(AircraftParams<double, N>& p, const airframe::AircraftDef& def, const engine::FlockSetup& setup, const double* tables) {
  const core::Result<Trim> trimmed = cruise_trim<V>(def, p, tables);
  if (!trimmed) return trimmed.error();
  const Trim& t = trimmed.value();
  const double v = def.speeds.cruise, weight = p.mass * p.gravity, qs = 0.5 * airframe::kSeaLevel * v * v * p.aero.area;
  const AeroParams<double>& a = p.aero;

  // what one more radian does, by the kernel's own equations
  Actuation<double, N> act{};
  const auto lift_at = [&](double alpha) {
    const Motion<double> m = level_rates<V>(v, airframe::kSeaLevel, alpha, t.elevator, 0, p, tables, act);
    return p.mass * (m.velocity_W.z + p.gravity);
  };
  const double slope = (lift_at(t.alpha + 0.01) - lift_at(t.alpha - 0.01)) / 0.02;
  control::WingAirframe w;
  w.gravity = p.gravity, w.tick = setup.tick;
  w.stall_airspeed = stall_airspeed<V>(p, tables), w.cruise_airspeed = v;
  w.max_airspeed = def.speeds.max > 0 ? def.speeds.max : 1.5 * v;
  w.throttle_trim = t.throttle;
  w.climb_full = 0.9 * (thrust_at<V>(v, p.rotor.speed_max[N - 1], p, tables) - t.drag) * v / weight;
  if (w.climb_full < 0.2) return cannot_trim(t, "there is no thrust left to climb with", "more rotors[].thrust or speed_max");
  if (def.speeds.climb > 0 && def.speeds.climb < w.climb_full) w.climb_full = def.speeds.climb;
  w.sink_idle = t.drag * v / weight;
  w.cruise_angle = t.alpha, w.zero_lift_angle = t.alpha - t.lift / slope;
  const double lift_coefficient = t.lift / qs;
  w.induced_share = a.drag_induced * lift_coefficient * lift_coefficient * qs / t.drag;
  const auto axis = [&](double length, double inertia, double deflection, double damping, double most) {
    return control::WingAxis{qs * length * math::abs(deflection) * most / inertia, math::abs(damping) * qs * length * length / (2 * v * inertia)};
  };
  w.roll = axis(a.span, p.inertia.x, a.roll.aileron, a.roll.p, p.surface.most[0]);
  w.pitch = axis(a.chord, p.inertia.y, a.pitch.elevator, a.pitch.q, p.surface.most[1]);
  w.yaw = axis(a.span, p.inertia.z, a.yaw.rudder, a.yaw.r, p.surface.most[2]);
  w.surface_lag = def.surfaces.lag;
  p.wing = control::wing_gains_from(w);
  if (def.speeds.min > 0) p.wing.airspeed_min = def.speeds.min;
  if (def.speeds.sink > 0) p.wing.sink_max = def.speeds.sink;
  p.wing.max_bank = def.handling.max_bank;
  if (def.handling.roll_time > 0) p.wing.roll_time = def.handling.roll_time;
  if (def.handling.pitch_time > 0) p.wing.pitch_time = def.handling.pitch_time;
  if (def.handling.period > 0) p.wing.period = def.handling.period;
  if (def.handling.loiter_radius != 0) p.wing.loiter_radius = def.handling.loiter_radius;
  p.wing.bank_height = 0.5 * a.span + 1;

  p.elevator_trim = t.elevator;
  p.launch_speed = def.speeds.launch;
  p.rotate_speed = 1.15 * w.stall_airspeed;
  const double climb = 0.9 * w.climb_full / v;
  p.climb_pitch = t.alpha + (climb < 0.3 ? climb : 0.3);
  p.flare_height = 0.12 * v, p.flare_pitch = t.alpha + 0.03;
  return core::ok();
}

// What a file leaves open of the gains in hover: each level a third or a quarter as fast as the one below, and slower than a multirotor's, because a wing
// meets the wind with all its area and the pusher, not a tilt, moves it along.
inline ControllerDef hover_gains(const ControllerDef& wanted, double lag) {
  ControllerDef c = wanted;
  const double rate = 1 / (2 * lag) < 12 ? 1 / (2 * lag) : 12, attitude = rate / 3, velocity = attitude / 4, climb = attitude / 2;
  const auto fill = [](Vec& v, double x, double y, double z) {
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) v = {x, y, z};
  };
  fill(c.rate_p, rate, rate, 0.5 * rate);
  fill(c.rate_i, rate, rate, 0.5 * rate);
  fill(c.attitude_p, attitude, attitude, 0.5 * attitude);
  fill(c.velocity_p, velocity, velocity, climb);
  fill(c.velocity_i, velocity / 4, velocity / 4, climb / 3);
  fill(c.position_p, velocity / 3, velocity / 3, climb / 2);
  return c;
}

// The rotors that lift fly it as they would a multirotor of its mass, with smaller leans.
template <class V, int N>
core::Status set_hover_control(AircraftParams<double, N>& p, const airframe::AircraftDef& def, const engine::FlockSetup& setup) {
  const airframe::MultirotorDef lifted = airframe::hovering_part(def);
  if (const core::Status possible = airframe::check_multirotor(lifted); !possible) {
    core::Error e = possible.error();
    e.field = "rotors", e.message = "hovering on its lift rotors: " + e.message;
    return e;
  }
  const double substep = setup.tick / setup.substeps;
  const airframe::Figures f = airframe::figures(lifted, p.gravity);
  ControllerDef c = airframe::resolve_gains(hover_gains(setup.controller, lifted.motor.time_constant_up), lifted, p.gravity, substep);
  c.rate_d = setup.controller.rate_d, c.velocity_d = setup.controller.velocity_d;
  const auto vec = [](const Vec& v) { return Vec3<double>{v[0], v[1], v[2]}; };
  p.mixer = airframe::mixer_params<4>(airframe::derive_mixer(lifted, p.gravity, setup.failed));
  p.rate = {vec(c.rate_p), vec(c.rate_i), vec(c.rate_d), vec(airframe::rate_integral_limit(c, f))};
  control::LadderParams<double>& l = p.ladder;
  l.mass = p.mass, l.gravity = p.gravity, l.tick = setup.tick;
  l.position_p = vec(c.position_p), l.velocity_p = vec(c.velocity_p), l.velocity_i = vec(c.velocity_i), l.velocity_d = vec(c.velocity_d);
  l.attitude_p = vec(c.attitude_p);
  l.integral_limit = {0.3 * p.gravity, 0.3 * p.gravity, 0.5 * p.gravity};
  l.max_speed = c.max_speed, l.max_climb = c.max_climb < 3 ? c.max_climb : 3;
  l.tan_max_tilt = math::tan(0.7), l.max_rate = c.max_rate;
  l.thrust_min = 0.05 * f.weight, l.thrust_max = 0.95 * f.max_thrust;

  control::VtolGains<double>& v = p.vtol;
  v.blend_to = 1.05 * p.wing.airspeed_min, v.blend_from = 0.65 * v.blend_to;
  v.brake = 1.0;
  v.level_pitch = p.wing.pitch_zero_lift + p.wing.pitch_lift;
  v.lean_forward = 0.05, v.lean_back = 0.25;
  v.push_max = p.thrust_max;
  v.weathervane = 2;
  return core::ok();
}

inline control::GuideParams<double> guide_of(const control::WingGains<double>& w, double mass, const engine::FlockSetup& setup, bool hovers) {
  control::GuideParams<double> g{};
  g.tick = setup.tick, g.take_off_height = setup.take_off_height;
  g.cruise = w.airspeed_cruise;
  g.climb = 0.6 * w.climb_max, g.descend = 0.07 * g.cruise;
  g.touch_force = 0.2 * mass * w.gravity, g.touch_time = 0.5;
  g.own_pace = 1, g.cannot_stop = hovers ? 0 : 1;
  if (hovers) g.climb = 1.2, g.descend = 0.7, g.touch_time = 0.3;
  return g;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
