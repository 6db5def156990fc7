// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/car_def.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "math/functions.hpp"

namespace volary::airframe {
namespace {

constexpr double kGravity = 9.80665;  // m/s2
constexpr double kDegree = 0.017453292519943295;

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

// the greatest longitudinal force when each axle takes its share of it and slides at its own limit
double held_force(double force, double front, const CarDef& def, const CarFigures& f, double weight) {
  const double most_front = def.tyre_share * def.front.friction * f.load_front * weight, most_rear = def.tyre_share * def.rear.friction * f.load_rear * weight;
  return std::min(force * front, most_front) + std::min(force * (1 - front), most_rear);
}

// where drive and resistance are equal: resistance grows with speed and drive does not, so halving finds it
double top_speed(const CarDef& def, const CarFigures& f, double gravity) {
  const double weight = def.mass * gravity;
  double low = 0, high = 200;
  for (int i = 0; i < 60; ++i) {
    const double v = 0.5 * (low + high), load = weight + def.downforce * v * v;
    const double drive = def.drive.power > 0 ? std::min(def.drive.force, def.drive.power / std::max(v, 1.0)) : def.drive.force;
    const bool faster = held_force(drive, def.drive.front, def, f, load) > def.rolling_resistance * load + def.drag * v * v;
    (faster ? low : high) = v;
  }
  return def.max_speed > 0 ? std::min(low, def.max_speed) : low;
}

// rad, the steepest slope on which the brakes hold it: what the tyres hold falls with the load across the slope
double steepest_hold(const CarDef& def, const CarFigures& f) {
  const double weight = def.mass * kGravity;
  double low = 0, high = 85 * kDegree;
  for (int i = 0; i < 60; ++i) {
    const double angle = 0.5 * (low + high), load = weight * math::cos(angle);
    const double held = held_force(def.brake.force + def.rolling_resistance * load, def.brake.front, def, f, load);
    (held > weight * math::sin(angle) ? low : high) = angle;
  }
  return low;
}

}  // namespace

CarOutline outline(const CarDef& def) {
  const double length = def.length > 0 ? def.length : 1.6 * def.wheelbase, width = def.width > 0 ? def.width : 0.4 * length;
  const double ahead = def.to_front + 0.5 * (length - def.wheelbase);
  return {ahead, length - ahead, 0.5 * width};
}

Triple extent(const CarDef& def) {
  const CarOutline o = outline(def);
  return {std::max(o.ahead, o.behind), o.side, def.height};
}

core::Status check_car(const CarDef& def) {
  if (!(def.to_front < def.wheelbase))
    return refuse("to_front", "the centre of mass is not between the axles", format("less than the wheelbase of %.4g m", def.wheelbase));
  const double length = outline(def).length(), width = 2 * outline(def).side;
  if (length < def.wheelbase) return refuse("length", "is shorter than the wheelbase", format("at least %.4g m", def.wheelbase));
  // a bar as long as the car with its mass at both ends has the most
  const double most = 0.25 * def.mass * (length * length + width * width);
  if (def.yaw_inertia > most) return refuse("yaw_inertia", format("more than %.4g kg m2, all of the mass at the corners", most), "in kg m2?");
  if (!(def.blend_to > def.blend_from)) return refuse("blend_to", "is not above blend_from", format("more than %.4g m/s", def.blend_from));
  const CarFigures f = car_figures(def, kGravity);
  const double weight = def.mass * kGravity;
  if (held_force(def.drive.force, def.drive.front, def, f, weight) <= def.rolling_resistance * weight)
    return refuse("drive.force", "cannot move the car against its rolling resistance", format("more than %.4g N", def.rolling_resistance * weight));
  if (!(f.acceleration > 0.05)) return refuse("drive.force", format("moves it at %.3g m/s2 only", f.acceleration), "in newtons, of all driven wheels together");
  return core::ok();
}

CarFigures car_figures(const CarDef& def, double gravity) {
  CarFigures f;
  const double weight = def.mass * gravity, to_rear = def.wheelbase - def.to_front;
  f.load_front = to_rear / def.wheelbase;
  f.load_rear = def.to_front / def.wheelbase;
  f.stiffness_front = def.front.stiffness * def.front.shape * def.front.friction * f.load_front * weight;
  f.stiffness_rear = def.rear.stiffness * def.rear.shape * def.rear.friction * f.load_rear * weight;
  // Rajamani, Vehicle Dynamics and Control, 2012, eq. 3.3: what the front slips more than the rear, over lateral acceleration
  f.understeer = def.mass * (to_rear / f.stiffness_front - def.to_front / f.stiffness_rear) / def.wheelbase;
  // the rear axle runs on a circle of wheelbase / tan(travel) about the same centre
  const double rear_radius = def.wheelbase / math::tan(def.steering.travel);
  f.turning_radius = math::sqrt(rear_radius * rear_radius + to_rear * to_rear);
  f.acceleration = (held_force(def.drive.force, def.drive.front, def, f, weight) - def.rolling_resistance * weight) / def.mass;
  f.braking = held_force(def.brake.force + def.rolling_resistance * weight, def.brake.front, def, f, weight) / def.mass;
  f.cornering = std::min(def.front.friction, def.rear.friction) * gravity;
  f.top_speed = top_speed(def, f, gravity);
  return f;
}

std::vector<ReportRow> report_car(const CarDef& def) {
  const CarFigures f = car_figures(def, kGravity);
  std::vector<ReportRow> rows;
  rows.push_back({"mass", def.mass, "kg", ""});
  rows.push_back({"load on the front axle", 100 * f.load_front, "%", ""});
  const double per_g = f.understeer * kGravity / kDegree;
  rows.push_back({"understeer gradient", f.understeer, "rad s2/m",
                  format("%.3g deg/g: %s", per_g,
                         math::abs(per_g) < 0.01 ? "neutral"
                         : per_g > 0             ? "understeers"
                                                 : "oversteers")});
  if (f.understeer > 1e-9)
    rows.push_back({"characteristic speed", math::sqrt(def.wheelbase / f.understeer), "m/s", "speed at which the car needs twice the steering angle of a slow turn"});
  if (f.understeer < -1e-9)
    rows.push_back({"critical speed", math::sqrt(-def.wheelbase / f.understeer), "m/s", "above this speed the car does not run straight by itself"});
  rows.push_back({"turning radius", f.turning_radius, "m", "of the centre of mass, at full steering angle and walking pace"});
  rows.push_back({"lateral acceleration", f.cornering, "m/s2", "where the weaker axle slides"});
  rows.push_back({"acceleration", f.acceleration, "m/s2", "from standstill on level ground"});
  rows.push_back({"deceleration", f.braking, "m/s2", "with all brakes on level ground"});
  rows.push_back({"braking distance from 10 m/s", 50 / f.braking, "m", "v^2 / 2a, without drag"});
  rows.push_back({"top speed", f.top_speed, "m/s",
                  def.max_speed > 0 && f.top_speed >= def.max_speed ? "limit of its driver" : "where drive and resistance are equal"});
  rows.push_back({"steepest slope", steepest_hold(def, f) / kDegree, "deg", "on which the brakes hold it, nose up or down"});
  return rows;
}

}  // namespace volary::airframe
