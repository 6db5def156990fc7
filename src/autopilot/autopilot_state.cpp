// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/autopilot_state.hpp"

#include <cmath>

#include "autopilot/mode_names.hpp"
#include "math/euler.hpp"

namespace volary::autopilot {

using namespace mavlink;

namespace {

constexpr double kOffGround = 0.3;  // m above its origin, where it does not say whether it has landed

// the one list
constexpr Dialect kDialects[] = {
    {mavlink::AutopilotKind::Px4, false, "PX4", "Offboard", {6, 0}, {4, 6}, {4, 3}, {4, 5}, {4, 4}, true},
    // it stays by BRAKE: LOITER would follow the throttle of a transmitter that nobody holds
    {mavlink::AutopilotKind::Ardupilotmega, false, "ArduPilot", "GUIDED", {4, 0}, {9, 0}, {17, 0}, {6, 0}, {3, 0}, false},
    {mavlink::AutopilotKind::Ardupilotmega, true, "ArduPilot", "GUIDED", {15, 0}, {20, 0}, {12, 0}, {11, 0}, {10, 0}, false},
};

bool is_finite(const math::Vec3<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

const Dialect* find_dialect(mavlink::AutopilotKind kind, mavlink::VehicleType type) {
  const bool plane = kind == mavlink::AutopilotKind::Ardupilotmega && is_plane(type);
  for (const Dialect& d : kDialects)
    if (d.kind == kind && d.is_plane == plane) return &d;
  return nullptr;
}

bool AutopilotState::is_in(ModeNumber m) const {
  if (kind == mavlink::AutopilotKind::Px4) return ((mode >> 16) & 0xff) == m.main && (mode >> 24) == m.sub;
  return mode == m.main;
}

std::string AutopilotState::mode_text() const { return mode_name(kind, type, mode); }

bool AutopilotState::is_airborne() const {
  if (landed == LandedState::Undefined) return is_armed && local_N && -local_N->z > kOffGround;
  return landed != LandedState::OnGround;
}

namespace {

void hear_heartbeat(const Heartbeat& m, double now, AutopilotState& s) {
  s.heartbeat = now;
  s.kind = static_cast<mavlink::AutopilotKind>(m.autopilot);
  s.type = static_cast<VehicleType>(m.type);
  s.is_armed = (m.base_mode & number_of(ModeFlag::SafetyArmed)) != 0;
  s.mode = m.custom_mode;
}

void hear_position(const LocalPositionNed& m, AutopilotState& s) {
  const math::Vec3<double> p{m.x, m.y, m.z}, v{m.vx, m.vy, m.vz};
  if (!is_finite(p) || !is_finite(v)) return;
  s.local_N = p, s.local_velocity_N = v;
  ++s.n_local;
}

void hear_position(const GlobalPositionInt& m, AutopilotState& s) {
  if (m.lat == 0 && m.lon == 0) return;  // it does not know yet
  s.place = LatLon{m.lat * 1e-7, m.lon * 1e-7, m.alt * 1e-3};
  s.place_velocity_N = {m.vx * 0.01, m.vy * 0.01, m.vz * 0.01};
  ++s.n_places;
}

void hear_attitude(const math::Quat<double>& q, const math::Vec3<double>& rate, AutopilotState& s) {
  const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(n > 0.5 && n < 2) || !is_finite(rate)) return;
  s.attitude_N = math::Quat<double>{q.w / n, q.x / n, q.y / n, q.z / n};
  s.rate_F = rate;
}

}  // namespace

void AutopilotState::hear(const Frame& frame, double now) {
  switch (frame.id) {
    case Heartbeat::kId: return hear_heartbeat(decode<Heartbeat>(frame), now, *this);
    case LocalPositionNed::kId: return hear_position(decode<LocalPositionNed>(frame), *this);
    case GlobalPositionInt::kId: return hear_position(decode<GlobalPositionInt>(frame), *this);
    case ExtendedSysState::kId: landed = static_cast<LandedState>(decode<ExtendedSysState>(frame).landed_state); return;
    case AttitudeQuaternion::kId: {
      const auto m = decode<AttitudeQuaternion>(frame);
      return hear_attitude({m.q1, m.q2, m.q3, m.q4}, {m.rollspeed, m.pitchspeed, m.yawspeed}, *this);
    }
    case Attitude::kId: {
      const auto m = decode<Attitude>(frame);
      return hear_attitude(math::quat_from_euler(math::EulerAngles<double>{.yaw = m.yaw, .pitch = m.pitch, .roll = m.roll}), {m.rollspeed, m.pitchspeed, m.yawspeed}, *this);
    }
    case SysStatus::kId: {
      const auto m = decode<SysStatus>(frame);
      constexpr std::uint32_t kCheck = number_of(SensorBit::PrearmCheck);
      is_ready = (m.onboard_control_sensors_present & kCheck) == 0 || (m.onboard_control_sensors_health & kCheck) != 0;
      return;
    }
    case Statustext::kId: return texts.hear(decode<Statustext>(frame), now);
    default: return;
  }
}

}  // namespace volary::autopilot
