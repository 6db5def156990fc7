// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Setpoints of clients: positions, velocities, accelerations, attitudes, body rates and sticks. The last one is kept; it steers in the mode offboard only.
#include <algorithm>
#include <cmath>

#include "autopilot/virtual_autopilot.hpp"
#include "math/frames.hpp"
#include "math/functions.hpp"

namespace volary::autopilot {

using namespace mavlink;

namespace {

using math::Vec3;

constexpr std::uint16_t kVelocity = 0x038, kAcceleration = 0x1c0, kYaw = 0x400, kYawRate = 0x800;  // bits of what is ignored
constexpr std::uint16_t kHeight = 0x004;
constexpr double kHeightGain = 1;       // 1/s, from an error of height to a climb, where a client gives a height and a horizontal velocity
constexpr double kStickTurn = 1.5;      // rad/s at full stick
constexpr double kDeadZone = 0.05;
constexpr double kLongestTurn = 0.5;    // s: after a longer silence a yaw rate begins anew

Vec vec(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
bool is_finite(const Vec3<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
// forward and right at a compass heading, to north and east
Vec3<double> turned(const Vec3<double>& v, double compass) {
  double s, c;
  math::sincos(compass, s, c);
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}
double stick(double value) { return std::abs(value) < kDeadZone ? 0 : std::clamp(value, -1.0, 1.0); }

}  // namespace

// the yaw of a setpoint: as given, or carried on with the given rate, or as it is
double VirtualAutopilot::turned_yaw(bool has_yaw, double compass, bool has_rate, double rate) {
  const VehicleState& s = pilot_.state();
  const double passed = s.time - yaw_time_;
  if (has_yaw)
    yaw_ = yaw_from_compass(compass);
  else if (!offboard_ || steering_ == Steering::Engine || passed > kLongestTurn)
    yaw_ = yaw_of(s.attitude);
  else if (has_rate)
    yaw_ = wrap(yaw_ - rate * std::clamp(passed, 0.0, kLongestTurn));
  yaw_time_ = s.time;
  return yaw_;
}

void VirtualAutopilot::hear_setpoint(const SetPositionTargetLocalNed& m) {
  const auto frame = static_cast<CoordinateFrame>(m.coordinate_frame);
  const bool is_body = frame == CoordinateFrame::BodyNed || frame == CoordinateFrame::BodyOffsetNed;
  const bool is_offset = frame == CoordinateFrame::LocalOffsetNed || frame == CoordinateFrame::BodyOffsetNed;
  if (!is_body && !is_offset && frame != CoordinateFrame::LocalNed) return;
  const VehicleState& s = pilot_.state();
  const double compass = compass_from_yaw(yaw_of(s.attitude));
  Vec3<double> p{m.x, m.y, m.z}, v{m.vx, m.vy, m.vz}, a{m.afx, m.afy, m.afz};
  if (is_body) v = turned(v, compass), a = turned(a, compass);
  if (is_body && is_offset) p = turned(p, compass);
  const Vec& from = is_offset ? s.position_W : facts_.home_W;
  const Vec3<double> p_W = math::enu_from_ned(p), v_W = math::enu_from_ned(v), a_W = math::enu_from_ned(a);

  const std::uint16_t ignored = m.type_mask;
  const bool has_height = (ignored & kHeight) == 0, has_place = (ignored & 0x3) == 0;
  const bool has_velocity = (ignored & kVelocity) != kVelocity, has_acceleration = (ignored & kAcceleration) != kAcceleration;
  SetSetpoint out;
  out.yaw = turned_yaw((ignored & kYaw) == 0, m.yaw, (ignored & kYawRate) == 0, m.yaw_rate);
  out.yaw_rate = (ignored & kYawRate) == 0 ? -static_cast<double>(m.yaw_rate) : 0;
  out.position_W = {from[0] + p_W.x, from[1] + p_W.y, from[2] + p_W.z};
  if (has_velocity) out.velocity_W = vec(v_W);
  if (has_acceleration) out.acceleration_W = vec(a_W);
  if (has_place) {
    if (!has_height) out.position_W[2] = s.position_W[2];
    out.level = has_velocity || has_acceleration ? ControlLevel::Trajectory : ControlLevel::Position;
  } else if (has_velocity) {
    out.level = ControlLevel::Velocity;
    const double most = facts_.max_climb.value_or(2);
    if (has_height) out.velocity_W[2] = std::clamp(kHeightGain * (out.position_W[2] - s.position_W[2]), -most, most);
  } else if (has_acceleration) {
    out.level = ControlLevel::Acceleration;
  } else {
    return;
  }
  if (!is_finite(p_W) && (has_place || has_height)) return;
  if (!is_finite({out.velocity_W[0], out.velocity_W[1], out.velocity_W[2]}) ||
      !is_finite({out.acceleration_W[0], out.acceleration_W[1], out.acceleration_W[2]}))
    return;
  if (!(has_place || has_height)) out.position_W = {0, 0, 0};
  take_setpoint(out);
}

void VirtualAutopilot::hear_setpoint(const SetPositionTargetGlobalInt& m) {
  const LatLon home = place_.on_earth(facts_.home_W);
  const auto frame = static_cast<CoordinateFrame>(m.coordinate_frame);
  const bool is_relative = frame == CoordinateFrame::GlobalRelativeAlt || frame == CoordinateFrame::GlobalRelativeAltInt;
  const bool is_global = is_relative || frame == CoordinateFrame::Global || frame == CoordinateFrame::GlobalInt;
  if (!is_global || !std::isfinite(m.alt)) return;
  const double alt = is_relative ? home.altitude + m.alt : static_cast<double>(m.alt);
  const Vec at = place_.in_world({m.lat_int * 1e-7, m.lon_int * 1e-7, alt});
  SetPositionTargetLocalNed local;
  local.coordinate_frame = number_of(CoordinateFrame::LocalNed);
  local.type_mask = m.type_mask;
  const Vec& o = facts_.home_W;
  local.x = static_cast<float>(at[1] - o[1]), local.y = static_cast<float>(at[0] - o[0]), local.z = static_cast<float>(o[2] - at[2]);
  local.vx = m.vx, local.vy = m.vy, local.vz = m.vz;
  local.afx = m.afx, local.afy = m.afy, local.afz = m.afz;
  local.yaw = m.yaw, local.yaw_rate = m.yaw_rate;
  hear_setpoint(local);
}

void VirtualAutopilot::hear_setpoint(const SetAttitudeTarget& m) {
  constexpr std::uint8_t kRatesIgnored = 0x07, kThrustIgnored = 0x40, kAttitudeIgnored = 0x80;
  const double thrust = m.thrust;
  if ((m.type_mask & kThrustIgnored) != 0 || !(thrust >= 0 && thrust <= 1) || !(facts_.thrust_max > 0)) return;
  SetSetpoint out;
  out.thrust = thrust * facts_.thrust_max;
  if ((m.type_mask & kAttitudeIgnored) == 0) {
    const auto q = math::enu_flu_from_ned_frd(math::Quat<double>{m.q[0], m.q[1], m.q[2], m.q[3]});
    const double n = math::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(n > 0.5 && n < 2)) return;
    out.level = ControlLevel::Attitude;
    out.attitude = {q.w / n, q.x / n, q.y / n, q.z / n};
  } else {
    if ((m.type_mask & kRatesIgnored) == kRatesIgnored) return;
    const Vec3<double> rate = math::flu_from_frd(Vec3<double>{m.body_roll_rate, m.body_pitch_rate, m.body_yaw_rate});
    if (!is_finite(rate)) return;
    out.level = ControlLevel::Rates;
    out.rate_B = vec(rate);
  }
  take_setpoint(out);
}

void VirtualAutopilot::take_setpoint(const SetSetpoint& setpoint) {
  offboard_ = setpoint;
  offboard_heard_ = now_;
  if (steering_ == Steering::Offboard && pilot_.will_be_armed()) pilot_.steer(setpoint);
}

// Sticks give velocities in the direction of the nose; released, it holds its place.
void VirtualAutopilot::hear_sticks(const ManualControl& m) {
  sticks_heard_ = now_;
  if (steering_ != Steering::Manual || !pilot_.is_armed()) return;
  const double forward = stick(m.x * 1e-3), right = stick(m.y * 1e-3), up = stick((m.z - 500) * 2e-3), turn = stick(m.r * 1e-3);
  const bool is_released = forward == 0 && right == 0 && up == 0 && turn == 0;
  if (is_released) {
    if (pilot_.is_airborne() && pilot_.target()) pilot_.hold();
    return;
  }
  if (!pilot_.is_airborne() && up <= 0) return;
  if (!pilot_.target()) yaw_ = yaw_of(pilot_.state().attitude), yaw_time_ = pilot_.state().time;
  const double speed = parameters_["MPC_VEL_MANUAL"], climb = facts_.max_climb.value_or(2);
  SetSetpoint out;
  out.level = ControlLevel::Velocity;
  const double passed = std::clamp(pilot_.state().time - yaw_time_, 0.0, kLongestTurn);
  yaw_ = wrap(yaw_ - kStickTurn * turn * passed), yaw_time_ = pilot_.state().time;
  out.yaw = yaw_, out.yaw_rate = -kStickTurn * turn;
  const Vec3<double> v = math::enu_from_ned(turned({speed * forward, speed * right, -climb * up}, compass_from_yaw(yaw_)));
  out.velocity_W = vec(v);
  pilot_.steer(out);
}

}  // namespace volary::autopilot
