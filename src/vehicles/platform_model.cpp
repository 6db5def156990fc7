// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/platform_model.hpp"

#include "vehicles/multirotor_model.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

namespace {

using airframe::Composite;
using airframe::PlatformControlDef;
using airframe::Symmetric3;
using airframe::to_vec3;
using airframe::Triple;
using Wrench6 = control::Screw<double>;

Wrench6 screw(const Triple& linear, const Triple& angular) { return {to_vec3(linear), to_vec3(angular)}; }
Wrench6 screw(const airframe::Six& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }
Triple inverses(const Triple& v) { return {1 / v[0], 1 / v[1], 1 / v[2]}; }

// the aircraft as the multirotor that it is, with its controllers and the motors at this substep
core::Result<PartParams<double>> part_params(const airframe::MultirotorDef& aircraft, double yaw, double max_tilt, const engine::FlockSetup& setup) {
  using Program = MultirotorProgram<4, Features::Full, Control::Ladder>;
  engine::FlockSetup alone = setup;
  alone.controller.max_tilt = max_tilt;
  alone.imu.reset();
  const core::Result<MultirotorParams<double, 4>> derived = Multirotor::derive<Program>(aircraft, alone);
  if (!derived) return derived.error();
  const MultirotorParams<double, 4>& from = derived.value();
  PartParams<double> p{};
  p.mass = from.mass;
  p.inertia = from.inertia, p.inv_inertia = from.inv_inertia;
  p.linear_drag = from.linear_drag, p.quadratic_drag = from.quadratic_drag;
  p.yaw = yaw;
  p.rotor = from.rotor, p.mixer = from.mixer, p.rate = from.rate, p.ladder = from.ladder;
  p.limit.least = p.ladder.thrust_min, p.limit.most = p.ladder.thrust_max;
  math::sincos(max_tilt, p.limit.sin_tilt, p.limit.cos_tilt);
  return p;
}

control::PlatformGains<double> pose_gains(const PlatformControlDef& c, const airframe::Actuation& actuation, const control::PlatformInertia<double>& body) {
  control::PlatformGains<double> g{};
  g.p = screw(c.position_p, c.attitude_p), g.i = screw(c.position_i, c.attitude_i), g.d = screw(c.position_d, c.attitude_d);
  g.integral_limit = screw(c.integral_force, c.integral_torque);
  if (actuation.rank == 6) return g;
  g.free_twist = screw(actuation.missing);
  const Wrench6 momentum = control::times_inertia(body, g.free_twist);
  g.free_momentum = (1 / control::dot(g.free_twist, momentum)) * momentum;
  g.pointing = 1;
  return g;
}

control::GuideParams<double> guide_params(double mass, const engine::FlockSetup& setup) {
  control::GuideParams<double> g{};
  g.tick = setup.tick;
  g.take_off_height = setup.take_off_height;
  g.climb = 0.5, g.descend = 0.25, g.cruise = 0.5;
  g.touch_force = 0.3 * mass * setup.environment.gravity;
  g.touch_time = 0.3;
  return g;
}

control::Admittance<double> admittance(const PlatformControlDef& c) {
  return {screw(inverses(c.admittance_mass), inverses(c.admittance_inertia)), screw(c.admittance_damping, c.admittance_rotation_damping),
          screw(c.admittance_stiffness, c.admittance_rotation_stiffness)};
}
control::WrenchGains<double> wrench_gains(const PlatformControlDef& c) {
  return {screw(c.force_p, c.torque_p), screw(c.force_i, c.torque_i), screw(c.force_d, c.torque_d), screw(c.integral_force, c.integral_torque)};
}

core::Result<ContactParams<double>> contact_params(const airframe::PlatformDef& def, const engine::FlockSetup& setup) {
  const core::Result<airframe::ContactPlan> plan = airframe::derive_contact(airframe::as_one_body(def), setup.tick / setup.substeps);
  if (!plan) return plan.error();
  const airframe::ContactPlan& c = plan.value();
  ContactParams<double> p{};
  for (int i = 0; i < kContactPoints; ++i) p.point_B[i] = to_vec3(c.point[static_cast<std::size_t>(i)]);
  p.stiffness = c.stiffness, p.damping = c.damping, p.stopping = c.stopping, p.reach = c.reach;
  p.friction = setup.environment.ground_friction;
  p.ground = level_ground(setup.environment.ground ? setup.environment.ground_height : airframe::kNoGround);
  return p;
}

}  // namespace

template <int N> core::Result<PlatformParams<double, N>> Platform::derive_platform(const Def& def, const engine::FlockSetup& setup) {
  const Composite whole = airframe::composite(def);
  const airframe::Actuation actuation = airframe::actuation(def);
  const double substep = setup.tick / setup.substeps;
  PlatformParams<double, N> p{};
  p.body = {whole.mass, to_vec3(whole.centre), to_vec3(whole.inertia.diagonal), to_vec3(whole.inertia.products)};
  p.inv_mass = 1 / whole.mass;
  p.gravity = setup.environment.gravity;
  const Symmetric3 inverse = airframe::inverse(whole.central);
  p.central = to_vec3(whole.central.diagonal), p.central_products = to_vec3(whole.central.products);
  p.inv_central = to_vec3(inverse.diagonal), p.inv_central_products = to_vec3(inverse.products);
  p.linear_drag = to_vec3(def.centre.linear_drag), p.quadratic_drag = to_vec3(def.centre.quadratic_drag);
  p.joint_damping = def.joint_damping;
  p.step = step_size<double>(substep);
  p.inv_step = 1 / substep;
  p.gains = pose_gains(def.control, actuation, p.body);
  for (int i = 0; i < N; ++i) {
    const auto k = static_cast<std::size_t>(i);
    for (std::size_t axis = 0; axis < 3; ++axis) p.allocation.row[3 * static_cast<std::size_t>(i) + axis] = screw(actuation.allocation[k][axis]);
    p.allocation.joint_B[i] = to_vec3(def.parts[k].joint);
    core::Result<PartParams<double>> part = part_params(def.aircraft[k], def.parts[k].yaw, def.control.max_tilt, setup);
    if (!part) return part.error();
    p.part[i] = part.value();
  }
  p.filter = control::wrench_filter<double>(def.control.wrench_frequency, def.control.wrench_damping, setup.tick);
  p.admittance = admittance(def.control);
  p.wrench = wrench_gains(def.control);
  p.observer = def.control.observer;
  p.wrench_source = def.control.react_to_estimate ? 1 : 0;
  p.compensates = def.control.compensate ? 1 : 0;
  core::Result<ContactParams<double>> contact = contact_params(def, setup);
  if (!contact) return contact.error();
  p.contact = contact.value();
  p.guide = guide_params(whole.mass, setup);
  p.gust = gust_params(setup);
  return p;
}

template core::Result<PlatformParams<double, 2>> Platform::derive_platform<2>(const Def&, const engine::FlockSetup&);
template core::Result<PlatformParams<double, 3>> Platform::derive_platform<3>(const Def&, const engine::FlockSetup&);
template core::Result<PlatformParams<double, 4>> Platform::derive_platform<4>(const Def&, const engine::FlockSetup&);

}  // namespace volary::inline VOLARY_ISA::vehicles
