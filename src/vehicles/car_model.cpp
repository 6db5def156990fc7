// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/car_model.hpp"

#include <algorithm>
#include <string>

namespace volary::inline VOLARY_ISA::vehicles {
namespace {

constexpr double kNoLimit = 1e12;  // W
constexpr double kSettle = 0.05;   // s, in which slip ends where wheels roll
constexpr double kStable = 2;      // RK4 bears rates of up to 2.78 / substep

std::string in_figures(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

// The fastest motion of the tyres, sideways or in yaw, is that at the lowest speed at which they slip.
core::Status check_substep(const airframe::CarDef& def, const airframe::CarFigures& f, double substep) {
  const double to_rear = def.wheelbase - def.to_front;
  const double sideways = (f.stiffness_front + f.stiffness_rear) / def.mass;
  const double yaw = (def.to_front * def.to_front * f.stiffness_front + to_rear * to_rear * f.stiffness_rear) / def.yaw_inertia;
  const double least = std::max(sideways, yaw) * substep / kStable;
  if (def.blend_from >= least) return core::ok();
  return core::Error{.message = "car '" + def.name + "': its tyres are too stiff for a substep of " + in_figures(substep) + " s",
                     .field = "blend_from",
                     .suggestion = "more substeps, or a blend_from of at least " + in_figures(least) + " m/s"};
}

control::CarGains<double> gains_of(const airframe::CarDef& def, const airframe::CarFigures& f, const engine::FlockSetup& setup) {
  const ControllerDef& c = setup.controller;
  const auto given = [](double x, double otherwise) { return x > 0 ? x : otherwise; };
  control::CarGains<double> g{};
  g.tick = setup.tick;
  g.wheelbase = def.wheelbase;
  g.to_rear = def.wheelbase - def.to_front;
  g.understeer = std::max(f.understeer, 0.0);
  g.max_steer = def.steering.travel;
  g.turning = 1.1 * f.turning_radius;
  g.look_ahead = 1.5 * def.wheelbase;
  g.look_time = c.position_p[0] > 0 ? 1 / c.position_p[0] : 0.6;
  g.speed_p = given(c.velocity_p[0], 1.5);
  g.speed_i = given(c.velocity_i[0], 0.3);
  g.max_speed = std::min(given(c.max_speed, f.top_speed), 0.95 * f.top_speed);
  g.cornering = 0.5 * f.cornering;
  g.acceleration = 0.8 * f.acceleration;
  g.braking = 0.6 * f.braking;
  g.full_drive = def.drive.force / def.mass;
  g.full_brake = def.brake.force / def.mass;
  g.arrival = std::max(0.25, 0.2 * def.wheelbase);
  return g;
}

void set_tyre(TyreParams<double>& t, const airframe::TyreDef& def, double load) { t = {def.stiffness, def.shape, def.friction, load}; }

void set_body(CarParams<double>& p, const airframe::CarDef& def) {
  const auto [ahead, behind, side] = airframe::outline(def);
  p.corner[0] = {ahead, side, -def.height};
  p.corner[1] = {ahead, -side, -def.height};
  p.corner[2] = {-behind, side, -def.height};
  p.corner[3] = {-behind, -side, -def.height};
  const double farthest = std::max(ahead, behind);
  p.reach = math::sqrt(farthest * farthest + side * side + def.height * def.height);
  p.stiffness = 20;
}

}  // namespace

core::Result<CarParams<double>> Car::parameters(const Def& def, const engine::FlockSetup& setup, bool slips) {
  const EnvironmentDef& e = setup.environment;
  if (!e.ground) return core::Error{.message = "car '" + def.name + "' has no ground to drive on", .field = "environment.ground", .suggestion = "ground: true"};
  const double gravity = std::max(e.gravity, 1e-3), substep = setup.tick / setup.substeps;
  const airframe::CarFigures f = airframe::car_figures(def, gravity);
  if (slips)
    if (const core::Status stable = check_substep(def, f, substep); !stable) return stable.error();
  CarParams<double> p{};
  p.mass = def.mass, p.inv_mass = 1 / def.mass;
  p.gyration2 = def.yaw_inertia / def.mass, p.inv_gyration2 = def.mass / def.yaw_inertia;
  p.to_front = def.to_front, p.to_rear = def.wheelbase - def.to_front, p.inv_wheelbase = 1 / def.wheelbase;
  p.rolling_mass = p.to_rear * p.to_rear + p.gyration2;
  set_tyre(p.front, def.front, f.load_front);
  set_tyre(p.rear, def.rear, f.load_rear);
  p.grip = 1, p.tyre_share = def.tyre_share;
  p.drive_force = def.drive.force, p.drive_power = def.drive.power > 0 ? def.drive.power : kNoLimit, p.drive_front = def.drive.front;
  p.brake_force = def.brake.force, p.brake_front = def.brake.front;
  p.rolling = def.rolling_resistance, p.drag = def.drag / def.mass, p.downforce = def.downforce / def.mass;
  p.max_steer = def.steering.travel, p.steer_rate = def.steering.rate;
  p.blend_from = def.blend_from, p.inv_blend = 1 / (def.blend_to - def.blend_from), p.inv_settle = 1 / std::max(kSettle, substep);
  p.gravity = e.gravity, p.height = def.height;
  p.step = math::step_size<double>(substep), p.inv_step = 1 / substep;
  p.on_ground = 1;
  p.ground = level_ground(e.ground_height);
  set_body(p, def);
  p.gains = gains_of(def, f, setup);
  const double cruise = 0.5 * p.gains.max_speed;
  p.guide = {setup.tick, setup.take_off_height, cruise, cruise, cruise, 1e30, 1e30, 1, 0};
  return p;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
