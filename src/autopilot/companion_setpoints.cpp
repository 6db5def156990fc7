// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The setpoints of a companion: positions and velocities, where its autopilot has its origin.
#include "autopilot/companion.hpp"

#include "autopilot/vehicle_state.hpp"
#include "math/frames.hpp"

namespace volary::autopilot {

using namespace mavlink;
using Kind = GuidanceCommand::Kind;

namespace {

constexpr double kStream = 0.05;  // s between two setpoints

math::Vec3<double> vec3(const Vec& v) { return {v[0], v[1], v[2]}; }

}  // namespace

bool Companion::is_guided() const { return dialect() != nullptr && state_.is_in(dialect()->guided); }

bool Companion::is_streaming() const {
  const Dialect* d = dialect();
  if (d == nullptr) return false;
  if (!steer_) {
    if (!has_asked_ || wanted_.kind == Kind::Disarm) return false;
    if (is_claimed_ && !d->streams_first) return false;  // a person has sent it somewhere in the same mode
    if (wanted_.kind == Kind::Land) return state_.is_armed && is_guided();  // until it lands
  }
  if (d->streams_first) return state_.is_armed || wanted().kind == Kind::TakeOff;
  return state_.is_armed && is_guided() && state_.is_airborne() && state_.landed != LandedState::Takeoff;
}

void Companion::stream(double now) {
  if (!is_streaming()) {
    streaming_since_ = -1;
    return;
  }
  if (now < stream_due_ || !send_target()) return;
  stream_due_ = now + kStream;
  if (streaming_since_ < 0) streaming_since_ = now;
}

template <class M> void Companion::fill_target(M& m) const {
  using T = TargetMask;
  const bool has_position = wanted().kind != Kind::Velocity;
  const bool has_velocity = !has_position || (wanted().kind == Kind::Position && wanted().velocity_W != Vec{0, 0, 0});
  T ignored = T::AxIgnore | T::AyIgnore | T::AzIgnore | (steer_ ? T::YawIgnore : T::YawRateIgnore);
  if (!has_position) ignored = ignored | T::XIgnore | T::YIgnore | T::ZIgnore;
  if (!has_velocity) ignored = ignored | T::VxIgnore | T::VyIgnore | T::VzIgnore;
  if (!steer_ && !yaw_) ignored = ignored | T::YawIgnore;
  m.type_mask = number_of(ignored);
  m.target_system = options_.system, m.target_component = kAutopilot;
  if (has_velocity) {
    const math::Vec3<double> v = math::ned_from_enu(vec3(wanted().velocity_W));
    m.vx = static_cast<float>(v.x), m.vy = static_cast<float>(v.y), m.vz = static_cast<float>(v.z);
  }
  if (steer_)
    m.yaw_rate = static_cast<float>(-steer_yaw_rate_);  // about the axis that points down
  else if (yaw_)
    m.yaw = static_cast<float>(compass_from_yaw(*yaw_));
}

// false: it does not know yet where the vehicle is
bool Companion::send_target() {
  const std::optional<Vec> here = position_W();
  if (!here) return false;
  if (!anchor_W_) anchor_W_ = here;
  if (state_.attitude_N && (!yaw_ || !state_.is_armed)) {
    const math::Quat<double> q = math::enu_flu_from_ned_frd(*state_.attitude_N);
    yaw_ = yaw_of({q.w, q.x, q.y, q.z});
  }
  Vec goal_W = wanted().kind == Kind::Position ? wanted().position_W : *anchor_W_;
  if (wanted().kind == Kind::TakeOff && ground_W_) goal_W[2] = (*ground_W_)[2] + options_.take_off_height;
  if (options_.place && wanted().kind != Kind::Velocity) {
    const LatLon at = options_.place->on_earth(goal_W);
    SetPositionTargetGlobalInt m;
    fill_target(m);
    m.coordinate_frame = number_of(CoordinateFrame::GlobalInt);
    m.lat_int = degrees_e7(at.latitude), m.lon_int = degrees_e7(at.longitude), m.alt = static_cast<float>(at.altitude);
    send(m);
    return true;
  }
  const math::Vec3<double> p = math::ned_from_enu(vec3(goal_W) - vec3(options_.home_W));
  SetPositionTargetLocalNed m;
  fill_target(m);
  m.coordinate_frame = number_of(CoordinateFrame::LocalNed);
  if (wanted().kind != Kind::Velocity) m.x = static_cast<float>(p.x), m.y = static_cast<float>(p.y), m.z = static_cast<float>(p.z);
  send(m);
  return true;
}

}  // namespace volary::autopilot
