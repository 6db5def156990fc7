// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/aircraft_derive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "math/functions.hpp"

namespace volary::airframe {

double static_thrust(const AircraftRotorDef& r) {
  if (!r.table_blob.empty()) {
    const auto view = math::table_view(r.table_blob.data());
    return vehicles::propeller_load(r.speed_max, 0.0, kSeaLevel, view, vehicles::PropellerTableParams<double>{2 * r.radius, 1, 0}).thrust;
  }
  const double area = 3.141592653589793 * r.radius * r.radius, tip = r.radius * r.speed_max;
  return (r.thrust + r.thrust_pitch * r.blade_pitch) * kSeaLevel * area * tip * tip;
}

namespace {
// m before and behind the centre of mass, where the file says nothing of the fuselage
double nose_of(const AircraftDef& def) { return std::max(def.wing.chord, 0.3 * def.wing.span); }
}  // namespace

MultirotorDef hovering_part(const AircraftDef& def) {
  MultirotorDef m;
  m.name = def.name, m.mass = def.mass, m.inertia = def.inertia, m.inertia_products = def.inertia_products;
  const AircraftRotorDef* lifter = nullptr;
  for (const AircraftRotorDef& r : def.rotors) {
    if (r.use != RotorUse::Lift) continue;
    m.rotors.push_back({r.position, r.axis, r.spin, 1});
    lifter = &r;
  }
  if (lifter != nullptr) {
    const vehicles::PropellerParams<double> p = vehicles::propeller_params({.radius = lifter->radius,
                                                                            .c_t0 = lifter->thrust + lifter->thrust_pitch * lifter->blade_pitch,
                                                                            .k_lambda = lifter->thrust_inflow,
                                                                            .c_q0 = lifter->torque,
                                                                            .f_adv = lifter->torque_advance,
                                                                            .induced = lifter->torque_induced,
                                                                            .inertia = lifter->inertia});
    const vehicles::PropellerLoad<double> hover = vehicles::propeller_load(0.7 * lifter->speed_max, 0.0, 0.0, 0.0, kSeaLevel, p);
    m.motor.thrust2 = static_thrust(*lifter) / (lifter->speed_max * lifter->speed_max);
    m.motor.torque_ratio = hover.torque / hover.thrust;
    m.motor.speed_max = lifter->speed_max;
    m.motor.time_constant_up = m.motor.time_constant_down = lifter->time_constant;
    m.motor.inertia = lifter->inertia;
  } else {
    // only its outline counts
    const double tip = 0.5 * def.wing.span, nose = nose_of(def);
    for (const Triple& corner : {Triple{nose, tip, 0}, Triple{nose, -tip, 0}, Triple{-nose, tip, 0}, Triple{-nose, -tip, 0}})
      m.rotors.push_back({corner, {0, 0, 1}, 1, 1});
  }
  for (const WheelDef& w : def.gear.wheels) m.feet.push_back(w.position);
  if (m.feet.empty()) {
    // a belly: nose and both sides of the wing
    const double low = 0.05 * def.wing.span;
    m.feet = {{def.wing.chord, 0, -low}, {-def.wing.chord, 0.2 * def.wing.span, -low}, {-def.wing.chord, -0.2 * def.wing.span, -low}};
  }
  m.hull_top = def.hull_top > 0 ? def.hull_top : 0.1 * def.wing.span;
  return m;
}

Triple extent(const AircraftDef& def) {
  const MultirotorDef outline = hovering_part(def);
  Triple half = {nose_of(def), 0.5 * def.wing.span, outline.hull_top};
  const auto reach = [&](const Triple& p, double around) {
    for (std::size_t k = 0; k < 3; ++k) half[k] = std::max(half[k], math::abs(p[k]) + (k < 2 ? around : 0));
  };
  for (const AircraftRotorDef& r : def.rotors) reach(r.position, r.use == RotorUse::Lift ? r.radius : 0);
  for (const Triple& foot : outline.feet) reach(foot, 0);
  return half;
}

std::vector<double> tables_of(const AircraftDef& def, int rotors) {
  std::vector<double> all(vehicles::kTablesHeader, 0.0);
  const auto add = [&](int which, const std::vector<double>& blob) {
    if (blob.empty()) return;
    all.resize((all.size() + 15) / 16 * 16);
    all[static_cast<std::size_t>(which)] = static_cast<double>(all.size());
    all.insert(all.end(), blob.begin(), blob.end());
  };
  add(0, def.table_blob);
  for (std::size_t i = 0; i < def.rotors.size(); ++i) add(1 + rotor_place(def, i, rotors), def.rotors[i].table_blob);
  return all.size() > static_cast<std::size_t>(vehicles::kTablesHeader) ? all : std::vector<double>{};
}

namespace {

vehicles::LongitudinalDerivatives<double> derivatives(const LongitudinalDef& d) { return {d.zero, d.alpha, d.q, d.elevator}; }
vehicles::LateralDerivatives<double> derivatives(const LateralDef& d) { return {d.zero, d.beta, d.p, d.r, d.aileron, d.rudder}; }

vehicles::AeroParams<double> aero_of(const AircraftDef& def) {
  vehicles::AeroParams<double> a{};
  a.area = def.wing.area, a.span = def.wing.span, a.chord = def.wing.chord;
  a.lift = derivatives(def.lift), a.pitch = derivatives(def.pitch);
  a.side = derivatives(def.side), a.roll = derivatives(def.roll), a.yaw = derivatives(def.yaw);
  a.lift_aileron = def.lift_aileron;
  a.drag_zero = def.drag.zero, a.drag_induced = def.drag.induced, a.drag_alpha = def.drag.alpha;
  a.drag_beta2 = def.drag.beta2, a.drag_elevator = def.drag.elevator, a.drag_aileron = def.drag.aileron;
  a.stall = def.stall.alpha, a.inv_stall_width = 1 / def.stall.width;
  a.wash = def.wash;
  return a;
}

// Servos from aileron, elevator and rudder, and back. Elevons: left = elevator + aileron, right = elevator - aileron (Beard and McLain, 4.2.3);
// V-tail: left = elevator - rudder, right = elevator + rudder.
vehicles::SurfaceParams<double> surface_of(const AircraftDef& def, double substep) {
  vehicles::SurfaceParams<double> s{};
  const SurfacesDef& d = def.surfaces;
  const SurfaceDef* servo[3] = {&d.aileron, &d.elevator, &d.rudder};
  for (int i = 0; i < 3; ++i) {
    s.travel[i] = servo[i]->travel;
    s.rate[i] = servo[i]->rate * substep;
  }
  using Row = math::Vec3<double>;
  const Row unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) s.servo_of[i] = s.of_servo[i] = unit[i];
  if (d.mixing == Mixing::Elevons) {
    s.servo_of[0] = {1, 1, 0}, s.servo_of[1] = {-1, 1, 0};
    s.of_servo[0] = {0.5, -0.5, 0}, s.of_servo[1] = {0.5, 0.5, 0};
  } else if (d.mixing == Mixing::VTail) {
    s.servo_of[1] = {0, 1, -1}, s.servo_of[2] = {0, 1, 1};
    s.of_servo[1] = {0, 0.5, 0.5}, s.of_servo[2] = {0, -0.5, 0.5};
  }
  // two surfaces that share their servos share their travel too
  for (int i = 0; i < 3; ++i) s.most[i] = servo[i]->travel;
  const double coefficient[3] = {def.roll.aileron, def.pitch.elevator, def.yaw.rudder};
  for (int i = 0; i < 3; ++i) s.sign[i] = coefficient[i] < 0 ? -1 : 1;
  s.keep = math::exp(-substep / d.lag);
  return s;
}

}  // namespace

core::Result<Airborne> derive_airborne(const AircraftDef& def, double substep, double friction) {
  Airborne a;
  a.aero = aero_of(def);
  a.surface = surface_of(def, substep);
  const char* axes[4] = {"aileron", "elevator", "rudder", "speed"};
  a.table_axis[0] = def.table_beta ? 1 : 0;
  for (std::size_t i = 0; i < 4; ++i) a.table_axis[1 + i] = def.table_axis == axes[i] ? 1 : 0;
  const MultirotorDef hull = hovering_part(def);
  const core::Result<ContactPlan> contact = derive_contact(hull, substep);
  if (!contact) return contact.error();
  a.contact = contact.value();
  a.rolling.fill(friction), a.steer.fill(0);
  for (std::size_t i = 0; i < def.gear.wheels.size(); ++i) {
    if (!def.gear.wheels[i].skid) a.rolling[i] = def.gear.rolling;
    a.steer[i] = def.gear.wheels[i].steer;
  }
  return a;
}

core::Error cannot_trim(const Trim& t, const char* why, std::string suggestion) {
  constexpr double kDegrees = 57.29577951308232;
  return core::Error{.message = fmt::format("it cannot fly level at its cruise airspeed of {:.4g} m/s: {} (angle of attack {:.1f} deg, elevator {:.1f} deg, "
                                            "throttle {:.2f}). The residual is {:.2g} m/s2 forward, {:.2g} m/s2 up and {:.2g} rad/s2 in pitch",
                                            t.airspeed, why, t.alpha * kDegrees, t.elevator * kDegrees, t.throttle, t.residual[0], t.residual[1], t.residual[2]),
                     .field = "speeds.cruise",
                     .suggestion = std::move(suggestion)};
}

core::Error too_slow_to_fly(const Trim& t, double stall_airspeed) {
  return cannot_trim(t, "it stalls", fmt::format("it stalls at {:.3g} m/s: cruise at {:.3g} m/s or more", stall_airspeed, 1.3 * stall_airspeed));
}

}  // namespace volary::airframe
