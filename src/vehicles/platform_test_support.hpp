// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The platforms of the paper (IAP) in a test: definitions written by hand, and the parameters of their kernels.
#pragma once

#include <cmath>

#include "vehicles/multirotor_test_support.hpp"
#include "vehicles/platform.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::test {

using airframe::PlatformDef;

inline airframe::MultirotorDef f450(double mass = 1.6) {
  airframe::MultirotorDef d;
  d.name = "f450";
  d.mass = mass;
  for (std::size_t k = 0; k < 3; ++k) d.inertia[k] = airframe::Triple{0.0134, 0.0144, 0.0252}[k] * mass / 1.7;
  d.quadratic_drag = {0.03, 0.03, 0.06};
  d.motor = {.thrust2 = 1.11397e-5,
             .torque_ratio = 0.016,
             .speed_min = 142.4,
             .speed_max = 949.6,
             .time_constant_up = 0.03,
             .time_constant_down = 0.03,
             .inertia = 2.3e-5,
             .drag = 8.06428e-5,
             .rolling = 1e-6,
             .stall_speed = 25,
             .radius = 0.119};
  d.rotors = cross_of_four(0.1591, 0.03);
  d.feet = {{0.13, 0.13, -0.12}, {-0.13, 0.13, -0.12}, {-0.13, -0.13, -0.12}, {0.13, -0.13, -0.12}};
  d.hull_top = 0.06;
  return d;
}

inline PlatformDef platform(const char* name, double mass, const std::vector<airframe::Triple>& joints) {
  PlatformDef d;
  d.name = name;
  d.centre = {.mass = mass, .inertia = {0.0532, 0.0532, 0.1039}, .size = {0.3, 0.3, 0.08}};
  for (const airframe::Triple& j : joints) {
    d.parts.push_back({.airframe = "f450", .joint = j});
    d.aircraft.push_back(f450());
  }
  return d;
}
// Table I with joints above the centre, Table III likewise; the lines of the authors' repository
inline PlatformDef three_star() {
  const double r = 0.48, s = std::sqrt(0.75);
  return platform("three-star", 1.1, {{r, 0, 0.07}, {-0.5 * r, s * r, 0.07}, {-0.5 * r, -s * r, 0.07}});
}
inline PlatformDef three_square() { return platform("three-square", 1.1, {{0.62, 0, 0.05}, {-0.26, 0.52, 0.05}, {-0.26, -0.52, 0.05}}); }
inline PlatformDef two_line() { return platform("two-line", 1, {{1, 0, 0}, {-1, 0, 0}}); }
inline PlatformDef three_line() { return platform("three-line", 1, {{1, 0, 0.05}, {0, 0, 0.05}, {-1, 0, 0.05}}); }

inline math::Vec3<double> vec(const airframe::Triple& v) { return {v[0], v[1], v[2]}; }
inline control::Screw<double> screw(const airframe::Six& s) { return {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}}; }

inline control::PlatformInertia<double> inertia_of(const PlatformDef& def) {
  const airframe::Composite c = airframe::composite(def);
  return {c.mass, vec(c.centre), vec(c.inertia.diagonal), vec(c.inertia.products)};
}
template <int N> control::ThrustAllocation<double, N> allocation_of(const PlatformDef& def) {
  const airframe::Actuation a = airframe::actuation(def);
  control::ThrustAllocation<double, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t k = 0; k < 3; ++k) out.row[3 * i + k] = screw(a.allocation[i][k]);
    out.joint_B[i] = vec(def.parts[i].joint);
  }
  return out;
}
// mass, inertia, rotors, drag and joints: what dynamics needs; controllers stay zero
template <int N> vehicles::PlatformParams<double, N> platform_params(const PlatformDef& def, double step, double gravity = kG) {
  const airframe::Composite c = airframe::composite(def);
  const airframe::Symmetric3 inverse = airframe::inverse(c.central);
  vehicles::PlatformParams<double, N> p{};
  p.body = inertia_of(def);
  p.inv_mass = 1 / c.mass, p.gravity = gravity;
  p.central = vec(c.central.diagonal), p.central_products = vec(c.central.products);
  p.inv_central = vec(inverse.diagonal), p.inv_central_products = vec(inverse.products);
  p.linear_drag = vec(def.centre.linear_drag), p.quadratic_drag = vec(def.centre.quadratic_drag);
  p.joint_damping = def.joint_damping;
  p.step = math::step_size<double>(step), p.inv_step = 1 / step;
  p.allocation = allocation_of<N>(def);
  for (std::size_t i = 0; i < N; ++i) {
    const auto one = params<double, 4>(def.aircraft[i], no_ground(), step);
    vehicles::PartParams<double>& part = p.part[i];
    part.mass = one.mass, part.inertia = one.inertia, part.inv_inertia = one.inv_inertia;
    part.linear_drag = one.linear_drag, part.quadratic_drag = one.quadratic_drag;
    part.yaw = def.parts[i].yaw;
    part.rotor = one.rotor, part.mixer = one.mixer, part.rate = one.rate, part.ladder = one.ladder;
  }
  return p;
}

// nothing in the air
inline PlatformDef in_vacuum(PlatformDef d) {
  d.centre.linear_drag = d.centre.quadratic_drag = {0, 0, 0};
  for (airframe::MultirotorDef& a : d.aircraft) a = in_vacuum(a);
  return d;
}

}  // namespace volary::test
