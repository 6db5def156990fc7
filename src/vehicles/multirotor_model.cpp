// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/multirotor_model.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

namespace {
Vec3<double> vec3(const Vec& v) { return {v[0], v[1], v[2]}; }
// horizontal, horizontal, vertical
Vec3<double> axes(double xy, double z) { return {xy, xy, z}; }
}  // namespace

// F_P, F_V and F_I of robust perfect tracking (Gestelt, below eq. 5)
static void set_rpt(control::LadderParams<double>& p, const ControllerDef& c) {
  double gain[3][2];
  for (std::size_t k = 0; k < 2; ++k) {
    const double w = c.rpt_frequency[k], z = c.rpt_damping[k], pole = c.rpt_pole[k], e = c.rpt_epsilon[k];
    gain[0][k] = (w * w + 2 * z * w * pole) / (e * e);
    gain[1][k] = (2 * z * w + pole) / e;
    gain[2][k] = pole * w * w / (e * e * e);
  }
  p.position_p = axes(gain[0][0], gain[0][1]);
  p.velocity_p = axes(gain[1][0], gain[1][1]);
  p.velocity_i = axes(gain[2][0], gain[2][1]);
}

control::LadderParams<double> Multirotor::ladder_params(const ControllerDef& c, const Def& def, const engine::FlockSetup& setup) {
  const airframe::Figures f = airframe::figures(def, setup.environment.gravity);
  control::LadderParams<double> p{};
  p.mass = def.mass;
  p.gravity = setup.environment.gravity;
  p.tick = setup.tick;
  p.position_p = vec3(c.position_p);
  p.velocity_p = vec3(c.velocity_p);
  p.velocity_i = vec3(c.velocity_i);
  p.velocity_d = vec3(c.velocity_d);
  p.attitude_p = vec3(c.attitude_p);
  if (c.kind == ControllerKind::Rpt) set_rpt(p, c);
  if (c.kind == ControllerKind::Geometric) {
    p.position_p = axes(c.geometric_position, c.geometric_position);
    p.velocity_p = axes(c.geometric_velocity, c.geometric_velocity);
    p.attitude_p = axes(c.geometric_attitude, c.geometric_attitude);
    p.attitude_d = axes(c.geometric_rate, c.geometric_rate);
  }
  p.integral_limit = axes(0.4 * p.gravity, 0.5 * p.gravity);
  // what the reference meets in the air; only robust perfect tracking compensates it
  if (c.kind == ControllerKind::Rpt && c.rpt_drag_compensation) {
    const double rotors = setup.full_physics ? static_cast<double>(def.rotors.size()) * def.motor.drag * f.hover_speed : 0;
    p.drag = {rotors / def.mass, def.linear_drag[0] / def.mass, setup.full_physics ? def.quadratic_drag[0] / def.mass : 0};
  }
  p.max_speed = c.max_speed;
  p.max_climb = c.max_climb;
  p.tan_max_tilt = math::tan(c.max_tilt);
  p.max_rate = c.max_rate;
  p.thrust_min = 0.05 * f.weight > f.idle_thrust ? 0.05 * f.weight : f.idle_thrust;
  p.thrust_max = 0.95 * f.max_thrust;
  p.jerk_on = c.use_jerk ? 1 : 0;
  return p;
}

control::GuideParams<double> Multirotor::guide_params(const ControllerDef& c, const Def& def, const engine::FlockSetup& setup) {
  control::GuideParams<double> g{};
  g.tick = setup.tick;
  g.take_off_height = setup.take_off_height;
  g.climb = c.max_climb < 1 ? c.max_climb : 1;
  g.descend = 0.5 * g.climb;
  g.cruise = c.max_speed < 2 ? c.max_speed : 2;
  g.touch_force = 0.3 * def.mass * setup.environment.gravity;
  g.touch_time = 0.3;
  return g;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
