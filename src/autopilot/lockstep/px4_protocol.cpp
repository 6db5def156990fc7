// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/px4_protocol.hpp"

#include <algorithm>
#include <cmath>

#include "math/functions.hpp"

namespace volary::autopilot {

namespace {

constexpr double kPascalPerHectopascal = 100, kZeroCelsius = 273.15;
constexpr std::uint8_t kArmed = 0x80;          // of HIL_ACTUATOR_CONTROLS.mode
constexpr std::uint64_t kLockstepBuild = 1;    // of HIL_ACTUATOR_CONTROLS.flags
constexpr double kSlowest = 0.1;               // m/s: a course over ground is known from there on

template <class T> T whole(double x, double low, double high) { return static_cast<T>(std::llround(std::clamp(x, low, high))); }

}  // namespace

mavlink::HilSensor sensor_message(const Measured& m, std::uint64_t time_us) {
  const auto f = [](double x) { return static_cast<float>(x); };
  mavlink::HilSensor s;
  s.time_usec = time_us;
  s.xacc = f(m.specific_force_F.x), s.yacc = f(m.specific_force_F.y), s.zacc = f(m.specific_force_F.z);
  s.xgyro = f(m.rate_F.x), s.ygyro = f(m.rate_F.y), s.zgyro = f(m.rate_F.z);
  s.xmag = f(m.magnetic_F.x), s.ymag = f(m.magnetic_F.y), s.zmag = f(m.magnetic_F.z);
  s.abs_pressure = f(m.pressure / kPascalPerHectopascal);
  s.diff_pressure = f(m.dynamic_pressure / kPascalPerHectopascal);
  s.pressure_alt = f(m.pressure_height);
  s.temperature = f(m.temperature - kZeroCelsius);
  s.fields_updated = SensorBits::kInertial;
  if (m.has_magnetic) s.fields_updated |= SensorBits::kMagnetic;
  if (m.has_dynamic_pressure) s.fields_updated |= SensorBits::kDynamicPressure;
  if (m.has_pressure) s.fields_updated |= SensorBits::kBarometer;
  return s;
}

mavlink::HilGps gps_message(const Measured& m, std::uint64_t time_us) {
  constexpr double kCentimetres = 100, kMost = 32767;
  mavlink::HilGps g;
  g.time_usec = time_us;
  g.lat = degrees_e7(m.place.latitude);
  g.lon = degrees_e7(m.place.longitude);
  g.alt = whole<std::int32_t>(m.place.altitude * 1000, -2e9, 2e9);
  // PX4 reads both as centimetres, whatever their description says
  g.eph = whole<std::uint16_t>(m.horizontal_accuracy * kCentimetres, 0, 65534);
  g.epv = whole<std::uint16_t>(m.vertical_accuracy * kCentimetres, 0, 65534);
  const Vec3d& v = m.velocity_N;
  const double over_ground = std::sqrt(v.x * v.x + v.y * v.y);
  g.vel = whole<std::uint16_t>(over_ground * kCentimetres, 0, 65534);
  g.vn = whole<std::int16_t>(v.x * kCentimetres, -kMost, kMost);
  g.ve = whole<std::int16_t>(v.y * kCentimetres, -kMost, kMost);
  g.vd = whole<std::int16_t>(v.z * kCentimetres, -kMost, kMost);
  g.cog = 65535;
  if (over_ground >= kSlowest) {
    const double course = math::atan2(v.y, v.x) * (18000 / 3.14159265358979323846);
    g.cog = static_cast<std::uint16_t>(whole<std::int32_t>(course < 0 ? course + 36000 : course, 0, 36000) % 36000);
  }
  g.fix_type = 3;
  g.satellites_visible = static_cast<std::uint8_t>(m.satellites);
  return g;
}

mavlink::DistanceSensor distance_message(const Measured& m, std::uint64_t time_us) {
  constexpr double kCentimetres = 100, kMost = 65534;
  constexpr std::uint8_t kDown = 25, kUnknown = 255;
  const auto centimetres = [](double metres) { return whole<std::uint16_t>(metres * kCentimetres, 0, kMost); };
  mavlink::DistanceSensor d;
  d.time_boot_ms = static_cast<std::uint32_t>(time_us / 1000);
  d.min_distance = centimetres(m.least_distance), d.max_distance = centimetres(m.greatest_distance);
  d.current_distance = centimetres(m.distance);
  d.orientation = kDown;
  d.covariance = kUnknown;
  return d;
}

Command command_of(const mavlink::HilActuatorControls& message) {
  Command command;
  command.armed = (message.mode & kArmed) != 0;
  for (std::size_t k = 0; k < kMostOutputs; ++k) {
    const double u = message.controls[k];
    command.output[k] = std::isfinite(u) ? std::clamp(u, -1.0, 1.0) : 0;
  }
  return command;
}

void Px4Protocol::feed(const Measured& m, std::uint64_t time_us) {
  sends_.clear();
  has_answered_ = false;
  time_us_ = time_us;
  // slower sensors of the same moment come first: they are stamped with the clock that HIL_SENSOR moves on
  if (m.has_place) writer_.append(gps_message(m, time_us), sends_);
  if (m.has_distance) writer_.append(distance_message(m, time_us), sends_);
  writer_.append(sensor_message(m, time_us), sends_);
}

void Px4Protocol::take_sends(mavlink::Bytes& out) {
  out.insert(out.end(), sends_.begin(), sends_.end());
  sends_.clear();
}

void Px4Protocol::received(std::span<const std::byte> bytes) {
  parser_.feed(bytes, [this](const mavlink::Frame& frame) {
    if (frame.is_known && frame.id == mavlink::HilActuatorControls::kId) answer(mavlink::decode<mavlink::HilActuatorControls>(frame));
  });
}

void Px4Protocol::answer(const mavlink::HilActuatorControls& message) {
  if ((message.flags & kLockstepBuild) == 0) fault_ = "this PX4 was built without lock-step";
  is_up_ = true;
  // an answer to something earlier came too late to be flown
  if (message.time_usec != time_us_ || has_answered_) return;
  has_answered_ = true;
  command_ = command_of(message);
}

}  // namespace volary::autopilot
