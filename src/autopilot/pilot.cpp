// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/pilot.hpp"

#include <utility>

#include "math/scalar.hpp"

namespace volary::autopilot {

namespace {

constexpr double kOffGround = 0.25;  // m above the place where it was armed: it flies
constexpr double kStill = 0.15;      // m/s

// what a mode becomes by itself
bool follows_from(Mode before, Mode now) {
  if (now == before || now == Mode::Disarmed) return true;
  return before == Mode::TakeOff && (now == Mode::Hold || now == Mode::Mission);
}

bool is_armed_in(Mode mode) { return mode != Mode::Disarmed && mode != Mode::EmergencyStop; }
bool flies_in(Mode mode) { return mode == Mode::TakeOff || mode == Mode::Hold || mode == Mode::Mission || mode == Mode::Land; }

}  // namespace

bool Pilot::is_armed() const { return state_.is_alive && is_armed_in(state_.mode); }
bool Pilot::will_be_armed() const { return state_.is_alive && is_armed_in(ordered_.value_or(state_.mode)); }

void Pilot::see(const VehicleState& now) {
  if (is_seen_ && !awaits_ && orders_.empty() && !follows_from(state_.mode, now.mode)) is_taken_over_ = true, target_.reset();
  is_seen_ = true;
  awaits_ = false;
  if (orders_.empty()) ordered_.reset();
  state_ = now;
  if (now.mode == Mode::Disarmed) target_.reset();
  if (flies_in(now.mode)) {
    is_airborne_ = true;
  } else if (now.mode == Mode::Armed) {
    // it follows setpoints: from the ground, in the air, or back on the ground
    const double height = now.position_W[2] - facts_.home_W[2], sink = math::abs(now.velocity_W[2]);
    is_airborne_ = is_airborne_ ? height > 0.5 * kOffGround || sink > kStill : height > kOffGround;
  } else {
    is_airborne_ = false;
  }
}

void Pilot::set_mode(Mode mode) {
  target_.reset();
  ordered_ = mode;
  orders_.push_back(SetMode{mode});
}

void Pilot::arm() {
  if (state_.mode == Mode::EmergencyStop) set_mode(Mode::Disarmed);  // from there on its rotors can idle
  set_mode(Mode::Armed);
}

void Pilot::take_off(double height) {
  if (facts_.take_off_height) set_parameter("guide.take_off_height", height);
  set_mode(Mode::TakeOff);
}

void Pilot::hold() { set_mode(Mode::Hold); }

void Pilot::go_to(const Vec& position_W, double yaw) {
  SetSetpoint s;
  s.level = ControlLevel::Position;
  s.position_W = position_W;
  s.yaw = yaw;
  steer(s);
}

void Pilot::steer(const SetSetpoint& s) {
  const auto same = [](const SetSetpoint& a, const SetSetpoint& b) {
    return a.level == b.level && a.position_W == b.position_W && a.velocity_W == b.velocity_W && a.acceleration_W == b.acceleration_W && a.yaw == b.yaw &&
           a.yaw_rate == b.yaw_rate && a.thrust == b.thrust && a.attitude == b.attitude && a.rate_B == b.rate_B && a.motor_speed == b.motor_speed;
  };
  // behaviours of its flock take over a second after the last setpoint of the lower levels, so these are given again
  const bool lasts = s.level == ControlLevel::Position || s.level == ControlLevel::Trajectory;
  if (lasts && target_ && same(*target_, s)) return;
  orders_.push_back(s);
  target_ = s;
}

void Pilot::limit_speed(double speed) {
  if (!facts_.max_speed || (speed_ && *speed_ == speed)) return;
  speed_ = speed;
  set_parameter("ladder.max_speed", speed);
}

std::vector<Payload> Pilot::take_orders() {
  if (!orders_.empty()) awaits_ = true;
  return std::exchange(orders_, {});
}

}  // namespace volary::autopilot
