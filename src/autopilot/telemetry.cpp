// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/telemetry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/euler.hpp"
#include "math/frames.hpp"
#include "math/functions.hpp"

namespace volary::autopilot {

using namespace mavlink;

namespace {

constexpr double kPi = 3.14159265358979323846, kDegrees = 180 / kPi;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint64_t kEpoch = 1767268800'000000;  // us: simulated time 0 is 2026-01-01 12:00 UTC

float f(double x) { return static_cast<float>(x); }
template <class T> T whole(double x) {
  const double low = static_cast<double>(std::numeric_limits<T>::min()), high = static_cast<double>(std::numeric_limits<T>::max());
  return static_cast<T>(std::llround(std::clamp(x, low, high)));
}

math::Vec3<double> vec3(const Vec& v) { return {v[0], v[1], v[2]}; }
std::uint32_t ms(const Report& r) { return static_cast<std::uint32_t>(r.state.time * 1e3 + 0.5); }
std::uint64_t us(const Report& r) { return static_cast<std::uint64_t>(r.state.time * 1e6 + 0.5); }

// of the vehicle from home, north east down
math::Vec3<double> local_position(const Report& r) {
  const Vec &p = r.state.position_W, &home = r.facts.home_W;
  return math::ned_from_enu(math::Vec3<double>{p[0] - home[0], p[1] - home[1], p[2] - home[2]});
}
math::Vec3<double> ned_velocity(const Report& r) { return math::ned_from_enu(vec3(r.state.velocity_W)); }
math::Quat<double> ned_attitude(const Report& r) {
  const auto& q = r.state.attitude;
  return math::ned_frd_from_enu_flu(math::Quat<double>{q[0], q[1], q[2], q[3]});
}
math::Vec3<double> frd_rate(const Report& r) { return math::frd_from_flu(vec3(r.state.omega_B)); }
double heading(const Report& r) {  // deg, 0 to 360
  const double h = compass_from_yaw(yaw_of(r.state.attitude)) * kDegrees;
  return h < 0 ? h + 360 : h;
}
double ground_speed(const Report& r) { return math::sqrt(r.state.velocity_W[0] * r.state.velocity_W[0] + r.state.velocity_W[1] * r.state.velocity_W[1]); }

LandedState landed_state(const Report& r) {
  if (!r.is_airborne) return LandedState::OnGround;
  if (r.state.mode == Mode::TakeOff) return LandedState::Takeoff;
  return r.state.mode == Mode::Land ? LandedState::Landing : LandedState::InAir;
}

// ---------------------------------------------------------------- messages

Attitude attitude(const Report& r) {
  const auto angles = math::euler_from_quat(ned_attitude(r));
  const math::Vec3<double> rate = frd_rate(r);
  Attitude m;
  m.time_boot_ms = ms(r);
  m.roll = f(angles.roll), m.pitch = f(angles.pitch), m.yaw = f(angles.yaw);
  m.rollspeed = f(rate.x), m.pitchspeed = f(rate.y), m.yawspeed = f(rate.z);
  return m;
}

AttitudeQuaternion attitude_quaternion(const Report& r) {
  const auto q = ned_attitude(r);
  const math::Vec3<double> rate = frd_rate(r);
  AttitudeQuaternion m;
  m.time_boot_ms = ms(r);
  m.q1 = f(q.w), m.q2 = f(q.x), m.q3 = f(q.y), m.q4 = f(q.z);
  m.rollspeed = f(rate.x), m.pitchspeed = f(rate.y), m.yawspeed = f(rate.z);
  return m;
}

LocalPositionNed local_position_ned(const Report& r) {
  const math::Vec3<double> p = local_position(r), v = ned_velocity(r);
  LocalPositionNed m;
  m.time_boot_ms = ms(r);
  m.x = f(p.x), m.y = f(p.y), m.z = f(p.z);
  m.vx = f(v.x), m.vy = f(v.y), m.vz = f(v.z);
  return m;
}

GlobalPositionInt global_position_int(const Report& r) {
  const LatLon at = r.place.on_earth(r.state.position_W);
  const math::Vec3<double> v = ned_velocity(r);
  GlobalPositionInt m;
  m.time_boot_ms = ms(r);
  m.lat = degrees_e7(at.latitude), m.lon = degrees_e7(at.longitude);
  m.alt = whole<std::int32_t>(at.altitude * 1e3);
  m.relative_alt = whole<std::int32_t>((at.altitude - r.place.on_earth(r.facts.home_W).altitude) * 1e3);
  m.vx = whole<std::int16_t>(v.x * 100), m.vy = whole<std::int16_t>(v.y * 100), m.vz = whole<std::int16_t>(v.z * 100);
  m.hdg = static_cast<std::uint16_t>(whole<std::uint16_t>(heading(r) * 100) % 36000);
  return m;
}

GpsRawInt gps_raw_int(const Report& r) {
  const LatLon at = r.place.on_earth(r.state.position_W);
  const math::Vec3<double> v = ned_velocity(r);
  GpsRawInt m;
  m.time_usec = kEpoch + us(r);
  m.lat = degrees_e7(at.latitude), m.lon = degrees_e7(at.longitude);
  m.alt = m.alt_ellipsoid = whole<std::int32_t>(at.altitude * 1e3);
  m.eph = 70, m.epv = 100;
  m.vel = whole<std::uint16_t>(ground_speed(r) * 100);
  const double course = math::atan2(v.y, v.x) * kDegrees;
  m.cog = static_cast<std::uint16_t>(whole<std::uint16_t>((course < 0 ? course + 360 : course) * 100) % 36000);
  m.fix_type = number_of(GpsFix::Gps3dFix);
  m.satellites_visible = 12;
  m.h_acc = 700, m.v_acc = 1000, m.vel_acc = 100;  // mm, mm/s
  return m;
}

Altitude altitude(const Report& r) {
  const double above_sea = r.place.on_earth(r.state.position_W).altitude, home = r.place.on_earth(r.facts.home_W).altitude;
  Altitude m;
  m.time_usec = us(r);
  m.altitude_monotonic = m.altitude_amsl = f(above_sea);
  m.altitude_local = f(r.state.position_W[2] - r.facts.home_W[2]);
  m.altitude_relative = f(above_sea - home);
  m.altitude_terrain = m.bottom_clearance = kNan;
  return m;
}

VfrHud vfr_hud(const Report& r) {
  VfrHud m;
  m.airspeed = f(math::sqrt(ground_speed(r) * ground_speed(r) + r.state.velocity_W[2] * r.state.velocity_W[2]));
  m.groundspeed = f(ground_speed(r));
  m.alt = f(r.place.on_earth(r.state.position_W).altitude);
  m.climb = f(r.state.velocity_W[2]);
  m.heading = static_cast<std::int16_t>(whole<std::int16_t>(heading(r)) % 360);
  return m;
}

SysStatus sys_status(const Report& r) {
  using S = SensorBit;
  constexpr std::uint32_t kSensors = number_of(S::Sensor3dGyro | S::Sensor3dAccel | S::Sensor3dMag | S::SensorAbsolutePressure | S::SensorGps | S::Geofence);
  constexpr std::uint32_t kReady = number_of(S::PrearmCheck);
  SysStatus m;
  m.onboard_control_sensors_present = m.onboard_control_sensors_enabled = kSensors | kReady;
  m.onboard_control_sensors_health = kSensors | (r.is_ready ? kReady : 0u);
  m.voltage_battery = 65535, m.current_battery = -1, m.battery_remaining = -1;  // there is no model of batteries yet
  return m;
}

BatteryStatus battery_status(const Report&) {
  BatteryStatus m;
  m.current_consumed = -1, m.energy_consumed = -1;
  m.temperature = std::numeric_limits<std::int16_t>::max();
  m.voltages.fill(65535);
  m.current_battery = -1, m.battery_remaining = -1;
  return m;
}

ExtendedSysState extended_sys_state(const Report& r) {
  ExtendedSysState m;
  m.landed_state = number_of(landed_state(r));
  return m;
}

SystemTime system_time(const Report& r) {
  SystemTime m;
  m.time_unix_usec = kEpoch + us(r);
  m.time_boot_ms = ms(r);
  return m;
}

CurrentMode current_mode(const Report& r) {
  const FlightModeInfo& info = info_of(r.mode);
  CurrentMode m;
  m.custom_mode = m.intended_custom_mode = info.custom_mode();
  m.standard_mode = number_of(info.standard);
  return m;
}

EstimatorStatus estimator_status(const Report& r) {
  EstimatorStatus m;
  m.time_usec = us(r);
  m.flags = 0x3f;  // attitude, velocity and position, horizontal and vertical
  return m;
}

Odometry odometry(const Report& r) {
  const math::Vec3<double> p = local_position(r), rate = frd_rate(r);
  const auto q = ned_attitude(r);
  const auto& a = r.state.attitude;
  const math::Vec3<double> v =
      math::frd_from_flu(math::transpose_times(math::rotation_matrix(math::Quat<double>{a[0], a[1], a[2], a[3]}), vec3(r.state.velocity_W)));
  Odometry m;
  m.time_usec = us(r);
  m.x = f(p.x), m.y = f(p.y), m.z = f(p.z);
  m.q = {f(q.w), f(q.x), f(q.y), f(q.z)};
  m.vx = f(v.x), m.vy = f(v.y), m.vz = f(v.z);
  m.rollspeed = f(rate.x), m.pitchspeed = f(rate.y), m.yawspeed = f(rate.z);
  m.pose_covariance.fill(kNan), m.velocity_covariance.fill(kNan);
  m.frame_id = number_of(CoordinateFrame::LocalNed), m.child_frame_id = number_of(CoordinateFrame::BodyFrd);
  return m;
}

PositionTargetLocalNed position_target(const Report& r) {
  PositionTargetLocalNed m;
  m.time_boot_ms = ms(r);
  m.coordinate_frame = number_of(CoordinateFrame::LocalNed);
  m.type_mask = 0xffff;
  if (!r.target || r.target->level < ControlLevel::Acceleration) return m;
  const Vec& home = r.facts.home_W;
  const SetSetpoint& s = *r.target;
  const auto p = math::ned_from_enu(math::Vec3<double>{s.position_W[0] - home[0], s.position_W[1] - home[1], s.position_W[2] - home[2]});
  const auto v = math::ned_from_enu(vec3(s.velocity_W)), a = math::ned_from_enu(vec3(s.acceleration_W));
  m.type_mask = 0;
  if (s.level < ControlLevel::Position) m.type_mask |= 0x7;
  if (s.level == ControlLevel::Position || s.level < ControlLevel::Velocity) m.type_mask |= 0x38;
  if (s.level == ControlLevel::Position || s.level == ControlLevel::Velocity) m.type_mask |= 0x1c0;
  m.x = f(p.x), m.y = f(p.y), m.z = f(p.z), m.vx = f(v.x), m.vy = f(v.y), m.vz = f(v.z), m.afx = f(a.x), m.afy = f(a.y), m.afz = f(a.z);
  m.yaw = f(compass_from_yaw(s.yaw)), m.yaw_rate = f(-s.yaw_rate);
  return m;
}

AttitudeTarget attitude_target(const Report& r) {
  AttitudeTarget m;
  m.time_boot_ms = ms(r);
  m.type_mask = 0xff;
  if (!r.target || (r.target->level != ControlLevel::Attitude && r.target->level != ControlLevel::Rates)) return m;
  const SetSetpoint& s = *r.target;
  const auto q = math::ned_frd_from_enu_flu(math::Quat<double>{s.attitude[0], s.attitude[1], s.attitude[2], s.attitude[3]});
  const auto rate = math::frd_from_flu(vec3(s.rate_B));
  m.type_mask = s.level == ControlLevel::Attitude ? 0x07 : 0x80;
  m.q = {f(q.w), f(q.x), f(q.y), f(q.z)};
  m.body_roll_rate = f(rate.x), m.body_pitch_rate = f(rate.y), m.body_yaw_rate = f(rate.z);
  m.thrust = r.facts.thrust_max > 0 ? f(s.thrust / r.facts.thrust_max) : 0;
  return m;
}

FenceStatus fence_status(const Report& r) {
  FenceStatus m;
  m.breach_status = r.fence_is_broken ? 1 : 0;
  m.breach_count = r.fence_breaches;
  m.breach_type = number_of(r.fence_is_broken ? FenceBreach::Boundary : FenceBreach::None);
  return m;
}

GpsGlobalOrigin gps_global_origin(const Report& r) {
  const LatLon home = r.place.on_earth(r.facts.home_W);
  GpsGlobalOrigin m;
  m.latitude = degrees_e7(home.latitude), m.longitude = degrees_e7(home.longitude);
  m.altitude = whole<std::int32_t>(home.altitude * 1e3);
  m.time_usec = us(r);
  return m;
}

// ---------------------------------------------------------------- the one list

struct Listed {
  std::uint32_t id;
  double rate;  // Hz in simulated time; 0: only on request
  void (*send)(const Report&, std::uint8_t system, Outbox&, std::optional<ChannelId> to);
};
template <class M> void send(const M& message, std::uint8_t system, Outbox& outbox, std::optional<ChannelId> to) {
  to ? outbox.send(*to, system, message) : outbox.send_all(system, message);
}
template <auto Make> constexpr Listed listed(std::uint32_t id, double rate) {
  return {id, rate, [](const Report& r, std::uint8_t system, Outbox& outbox, std::optional<ChannelId> to) { send(Make(r), system, outbox, to); }};
}
constexpr Listed kList[] = {
    listed<attitude>(Attitude::kId, 10),
    listed<attitude_quaternion>(AttitudeQuaternion::kId, 10),
    listed<local_position_ned>(LocalPositionNed::kId, 10),
    listed<global_position_int>(GlobalPositionInt::kId, 10),
    listed<vfr_hud>(VfrHud::kId, 4),
    listed<altitude>(Altitude::kId, 4),
    listed<gps_raw_int>(GpsRawInt::kId, 2),
    listed<extended_sys_state>(ExtendedSysState::kId, 5),
    listed<sys_status>(SysStatus::kId, 2),
    listed<mission_current>(MissionCurrent::kId, 1),
    listed<system_time>(SystemTime::kId, 1),
    listed<estimator_status>(EstimatorStatus::kId, 1),
    listed<home_position>(HomePosition::kId, 0.5),
    listed<battery_status>(BatteryStatus::kId, 0.5),
    listed<current_mode>(CurrentMode::kId, 0.5),
    listed<fence_status>(FenceStatus::kId, 0.5),
    listed<odometry>(Odometry::kId, 0),
    listed<position_target>(PositionTargetLocalNed::kId, 0),
    listed<attitude_target>(AttitudeTarget::kId, 0),
    listed<gps_global_origin>(GpsGlobalOrigin::kId, 0),
};

const Listed* find_listed(std::uint32_t id) {
  for (const Listed& l : kList)
    if (l.id == id) return &l;
  return nullptr;
}

}  // namespace

Heartbeat heartbeat(const Report& r) {
  Heartbeat m;
  m.custom_mode = info_of(r.mode).custom_mode();
  m.type = number_of(r.facts.type);
  m.autopilot = number_of(AutopilotKind::Px4);
  const bool is_manual = r.mode == FlightMode::Position, is_auto = !is_manual && r.mode != FlightMode::Offboard;
  m.base_mode = static_cast<std::uint8_t>(0x01 | 0x10 | (is_manual ? 0x40 : 0) | (is_auto ? 0x0c : 0) | (r.is_armed ? 0x80 : 0));
  SystemState state = r.is_armed ? SystemState::Active : SystemState::Standby;
  if (r.state.mode == Mode::EmergencyStop) state = SystemState::FlightTermination;
  if (r.state.has_crashed) state = SystemState::Emergency;
  m.system_status = number_of(state);
  return m;
}

AutopilotVersion autopilot_version(const Report& r, std::uint8_t system) {
  using C = Capability;
  AutopilotVersion m;
  for (const C c : {C::MissionInt, C::CommandInt, C::ParamEncodeBytewise, C::SetAttitudeTarget, C::SetPositionTargetLocalNed, C::SetPositionTargetGlobalInt,
                    C::FlightTermination, C::Mavlink2, C::MissionFence})
    m.capabilities |= number_of(c);
  m.flight_sw_version = 1u << 24 | 16u << 16 | 0xff;  // clients ask which of PX4's interfaces they may use
  m.uid = r.facts.id.value << 8 | system;
  for (std::size_t k = 0; k < 8; ++k) m.uid2[k] = static_cast<std::uint8_t>(m.uid >> (8 * k));
  return m;
}

AvailableModes available_mode(std::uint8_t index) {
  const FlightModeInfo& info = kFlightModes[index - 1];
  AvailableModes m;
  m.custom_mode = info.custom_mode();
  m.number_modes = kModeCount;
  m.mode_index = index;
  m.standard_mode = number_of(info.standard);
  m.mode_name = fixed_text<35>(info.name);
  return m;
}

HomePosition home_position(const Report& r) {
  const LatLon home = r.place.on_earth(r.facts.home_W);
  HomePosition m;
  m.latitude = degrees_e7(home.latitude), m.longitude = degrees_e7(home.longitude);
  m.altitude = whole<std::int32_t>(home.altitude * 1e3);
  const double half = 0.5 * compass_from_yaw(r.facts.home_yaw);
  double s, c;
  math::sincos(half, s, c);
  m.q = {f(c), 0, 0, f(s)};
  m.approach_x = m.approach_y = m.approach_z = kNan;
  m.time_usec = us(r);
  return m;
}

MissionCurrent mission_current(const Report& r) {
  MissionCurrent m;
  m.seq = r.mission_current;
  m.total = r.mission_total;
  m.mission_state = number_of(r.mission_state);
  m.mission_mode = r.mode == FlightMode::Mission ? 1 : 2;
  return m;
}

bool send_once(std::uint32_t id, const Report& r, std::uint8_t system, Outbox& outbox, std::optional<ChannelId> to) {
  const Listed* l = find_listed(id);
  if (l != nullptr) l->send(r, system, outbox, to);
  return l != nullptr;
}

Streams::Streams() {
  for (const Listed& l : kList) {
    const double interval = l.rate > 0 ? 1 / l.rate : 0;
    streams_.push_back({l.id, interval, interval, 0});
  }
}

bool Streams::set_interval(std::uint32_t id, double microseconds) {
  for (Stream& s : streams_) {
    if (s.id != id) continue;
    s.interval = microseconds < 0 ? 0 : microseconds == 0 ? s.usual : microseconds * 1e-6;
    s.due = 0;
    return true;
  }
  return false;
}

std::optional<double> Streams::interval_of(std::uint32_t id) const {
  for (const Stream& s : streams_)
    if (s.id == id) return s.interval > 0 ? s.interval * 1e6 : -1;
  return std::nullopt;
}

void Streams::set_usual_rate(double hertz) {
  for (Stream& s : streams_)
    if (s.usual > 0) s.interval = hertz > 0 ? 1 / hertz : 0, s.due = 0;
}

void Streams::send_due(const Report& r, std::uint8_t system, Outbox& outbox) {
  for (Stream& s : streams_) {
    if (s.interval <= 0 || r.state.time + 1e-9 < s.due) continue;
    send_once(s.id, r, system, outbox, std::nullopt);
    // a rate that the tick does not divide is kept on average
    s.due = s.due > 0 && r.state.time - s.due < s.interval ? s.due + s.interval : r.state.time + s.interval;
  }
}

}  // namespace volary::autopilot
