// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/multirotor_def.hpp"

#include <cstdarg>
#include <cstdio>

#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::airframe {

std::span<const char* const> names(Inflow) {
  static constexpr const char* kNames[] = {"signed", "absolute"};
  return kNames;
}

namespace {

constexpr double kLeastThrustToWeight = 1.05;
constexpr double kSlack = 1e-9;  // relative: flat plates meet the triangle inequality with equality

__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...) {
  char text[240];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

core::Error refuse(std::string field, std::string message, std::string suggestion) {
  core::Error e;
  e.field = std::move(field), e.message = std::move(message), e.suggestion = std::move(suggestion);
  return e;
}

core::Status check_motor(const MotorDef& m) {
  if (!(m.thrust2 > 0)) return refuse("motor.thrust2", "is not positive: the motor makes no thrust", "thrust at full speed divided by the square of that speed");
  if (!(m.speed_max > m.speed_min) || !(m.speed_min >= 0))
    return refuse("motor.speed_max", "full speed is not above idle", format("more than %.4g rad/s", m.speed_min));
  if (!(m.time_constant_up > 0)) return refuse("motor.time_constant_up", "is not positive", "0.02 to 0.07 s is usual");
  if (!(m.time_constant_down > 0)) return refuse("motor.time_constant_down", "is not positive", "0.02 to 0.07 s is usual");

  // between idle and full speed thrust must rise and push, or the curve cannot be inverted
  const double turning_point = -m.thrust1 / (2 * m.thrust2), zero = speed_at(thrust_curve(m), 0);
  if (turning_point > m.speed_min) return refuse("motor.thrust1", "thrust falls with speed above idle", format("a speed_min above %.4g rad/s", turning_point));
  if (value(thrust_curve(m), m.speed_min) < 0) return refuse("motor.speed_min", "thrust is negative at idle", format("a speed_min above %.4g rad/s", zero));

  const bool has_curve = m.torque2 != 0 || m.torque1 != 0 || m.torque0 != 0;
  if (!has_curve && !(m.torque_ratio > 0)) return refuse("motor.torque_ratio", "the motor has neither a torque curve nor a torque ratio", "torque_ratio: 0.016 m is usual");
  if (!(value(torque_curve(m), m.speed_max) > 0)) return refuse("motor.torque2", "torque is not positive at full speed", "the torque curve in N m over rad/s");
  return core::ok();
}

core::Status check_rotor(const RotorDef& r, const std::string& path) {
  if (r.spin != 1 && r.spin != -1) return refuse(path + ".spin", format("%d is no direction", r.spin), "1 or -1");
  if (!(r.axis[0] * r.axis[0] + r.axis[1] * r.axis[1] + r.axis[2] * r.axis[2] > 1e-12))
    return refuse(path + ".axis", "has no length", "[0, 0, 1] for a rotor that lifts straight up");
  if (!(r.efficiency > 0)) return refuse(path + ".efficiency", "is not positive", "1, or leave the rotor out");
  return core::ok();
}

bool is_same(const Triple& a, const Triple& b) { return math::abs(a[0] - b[0]) + math::abs(a[1] - b[1]) + math::abs(a[2] - b[2]) < 1e-6; }

core::Status check_rotors(const MultirotorDef& def) {
  if (def.rotors.empty() || def.rotors.size() > kMaxRotors) return refuse("rotors", format("%d rotors", static_cast<int>(def.rotors.size())), "four to eight");
  for (std::size_t i = 0; i < def.rotors.size(); ++i) {
    const std::string path = format("rotors[%d]", static_cast<int>(i));
    if (const core::Status s = check_rotor(def.rotors[i], path); !s) return s;
    for (std::size_t k = 0; k < i; ++k) {
      if (is_same(def.rotors[i].position, def.rotors[k].position) && is_same(def.rotors[i].axis, def.rotors[k].axis))
        return refuse(path + ".position", format("the hub of rotors[%d]", static_cast<int>(k)), "coaxial rotors are some centimetres apart");
    }
  }
  return core::ok();
}

core::Status check_inertia(const MultirotorDef& def) {
  if (!(def.mass > 0)) return refuse("mass", "is not positive", "the take-off mass in kg");
  const Triple e = eigenvalues({def.inertia, def.inertia_products});
  const Triple plain = eigenvalues({def.inertia, {0, 0, 0}});
  const char* field = plain[0] > 0 && plain[2] <= (plain[0] + plain[1]) * (1 + kSlack) ? "inertia_products" : "inertia";
  if (!(e[0] > 0)) return refuse(field, format("a principal moment is %.4g kg m2", e[0]), "all three must be positive");
  // J1 + J2 - J3 is twice a sum of masses times squares
  if (e[2] > (e[0] + e[1]) * (1 + kSlack))
    return refuse(field, format("principal moments %.4g, %.4g, %.4g kg m2: no body has one above the sum of the others", e[0], e[1], e[2]),
                  format("the largest at most %.4g", e[0] + e[1]));
  return core::ok();
}

core::Status check_thrust(const MultirotorDef& def) {
  const Figures f = figures(def, kStandardGravity);
  if (!(f.thrust_to_weight >= kLeastThrustToWeight))
    return refuse("motor.speed_max",
                  format("%.4g N of thrust do not carry %.4g N of weight: thrust to weight %.3g", f.max_thrust, f.weight, f.thrust_to_weight),
                  format("thrust to weight of at least %.2f, that is, a mass below %.4g kg", kLeastThrustToWeight, f.max_thrust / (kLeastThrustToWeight * kStandardGravity)));
  if (f.idle_thrust >= f.weight)
    return refuse("motor.speed_min", format("%.4g N at idle lift %.4g N of weight", f.idle_thrust, f.weight),
                  format("well below the %.4g rad/s of hover", f.hover_speed));
  const double share = f.weight / static_cast<double>(def.rotors.size());
  if (math::abs(def.motor.thrust0) > 0.05 * share)
    return refuse("motor.thrust0", "a rotor at rest would push", format("at most %.3g N; fit thrust2 and thrust1 only", 0.05 * share));
  return core::ok();
}

core::Status check_authority(const MultirotorDef& def) {
  const Authority authority = derive_mixer(def, kStandardGravity).authority;
  if (authority == Authority::Partial)
    return refuse("rotors", "these rotors cannot roll and pitch", "rotors on both sides of the centre of mass, fore and aft and sideways");
  if (authority == Authority::NoYaw)
    return refuse("rotors", "these rotors cannot turn about yaw by themselves", "spins that alternate round the frame, or tilted axes");
  if (hover_thrusts(def, kStandardGravity).empty())
    return refuse("rotors", "these rotors cannot hover without rolling, pitching or yawing",
                  "as many spins of 1 as of -1, and thrust balanced round the centre of mass");
  return core::ok();
}

// the centre of mass is inside when the feet lie on both sides of every line through it and a foot
bool is_inside(const std::vector<Triple>& feet) {
  for (const Triple& a : feet) {
    bool left = false, right = false, behind = false;
    for (const Triple& b : feet) {
      const double cross = a[0] * b[1] - a[1] * b[0];
      left = left || cross > 1e-9, right = right || cross < -1e-9;
      behind = behind || (math::abs(cross) <= 1e-9 && a[0] * b[0] + a[1] * b[1] < 0);
    }
    if (!(left && right) && !(behind && (left || right) && feet.size() > 3)) return false;
  }
  return true;
}

core::Status check_feet(const MultirotorDef& def) {
  if (def.feet.empty()) return core::ok();
  if (def.feet.size() < 3 || def.feet.size() > 4)
    return refuse("feet", format("%d feet", static_cast<int>(def.feet.size())), "three or four, or none for a rectangle under the rotors");
  for (std::size_t i = 0; i < def.feet.size(); ++i)
    if (!(def.feet[i][2] < 0)) return refuse(format("feet[%d]", static_cast<int>(i)), "is not below the centre of mass", "a negative z");
  if (!is_inside(def.feet)) return refuse("feet", "the vehicle would fall over: its centre of mass is not between the feet", "feet on all sides");
  return core::ok();
}

}  // namespace

core::Status check_multirotor(const MultirotorDef& def) {
  for (auto* check : {check_inertia, check_rotors}) {
    if (const core::Status s = check(def); !s) return s;
  }
  if (const core::Status s = check_motor(def.motor); !s) return s;
  for (auto* check : {check_thrust, check_authority, check_feet}) {
    if (const core::Status s = check(def); !s) return s;
  }
  return check_effectors(def.effectors);
}

}  // namespace volary::airframe
