// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mission_flight.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "math/functions.hpp"

namespace volary::autopilot {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kRadians = 3.14159265358979323846 / 180;
constexpr int kMostPerTick = 64;  // items without a place in one tick: jumps that lead nowhere must not stop the world

}  // namespace

void MissionFlight::load(const MissionPlan& plan) {
  plan_ = plan;
  current_ = 0, speed_ = 0;
  phase_ = Phase::Idle;
  is_finished_ = false;
  jumps_.clear();
}

bool MissionFlight::set_current(std::size_t index) {
  if (index >= plan_.size()) return false;
  current_ = index;
  is_finished_ = false;
  if (phase_ != Phase::Idle) phase_ = Phase::Begin;
  return true;
}

void MissionFlight::start() {
  if (is_finished_) current_ = 0, jumps_.clear();
  is_finished_ = false;
  after_take_off_ = false;
  phase_ = Phase::Begin;
}

std::vector<std::uint16_t> MissionFlight::take_reached() { return std::exchange(reached_, {}); }

void MissionFlight::step(Pilot& pilot) {
  for (int k = 0; k < kMostPerTick && phase_ != Phase::Idle && phase_ != Phase::Return; ++k) {
    const Phase before = phase_;
    const std::size_t at = current_;
    switch (phase_) {
      case Phase::Begin: begin(pilot); break;
      case Phase::TakingOff:
        if (pilot.state().mode != Mode::TakeOff && pilot.is_airborne()) after_take_off_ = true, phase_ = Phase::Begin;
        break;
      case Phase::Going:
        if (is_there(pilot)) arrive(pilot);
        break;
      case Phase::Waiting:
        if (pilot.state().time >= wait_until_) reach();
        break;
      case Phase::Landing:
        if (pilot.state().mode == Mode::Disarmed) reach();
        break;
      default: break;
    }
    if (phase_ == before && current_ == at && phase_ != Phase::Begin) return;
    if (phase_ == Phase::TakingOff || phase_ == Phase::Landing || phase_ == Phase::Going) return;  // orders act at the next tick
  }
}

void MissionFlight::begin(Pilot& pilot) {
  const ItemKind kind = kind_of(item());
  const VehicleState& s = pilot.state();
  pilot.limit_speed(speed_ > 0 ? speed_ : parameters_.cruise_speed());
  switch (kind) {
    case ItemKind::TakeOff:
    case ItemKind::Waypoint:
    case ItemKind::LoiterForever:
    case ItemKind::LoiterTime: {
      const Vec place = position_of(item(), place_, facts_.home_W, s.position_W);
      const double height = kind == ItemKind::TakeOff ? place[2] - s.position_W[2] : parameters_["MIS_TAKEOFF_ALT"];
      if (!pilot.is_airborne() && !after_take_off_) return begin_take_off(pilot, height);
      after_take_off_ = false;
      return go(pilot, place);
    }
    case ItemKind::Land: {
      Vec place = position_of(item(), place_, facts_.home_W, s.position_W);
      place[2] = s.position_W[2];
      return go(pilot, place);
    }
    case ItemKind::Return:  // from here on it is not the mission that flies
      reached_.push_back(static_cast<std::uint16_t>(current_));
      is_finished_ = current_ + 1 == plan_.size();
      phase_ = Phase::Return;
      return;
    case ItemKind::Delay:
      wait_until_ = s.time + std::max(0.0, static_cast<double>(item().param1));
      phase_ = Phase::Waiting;
      return;
    case ItemKind::Jump: return jump(item());
    case ItemKind::ChangeSpeed:
      if (item().param2 > 0) speed_ = item().param2;
      return reach();
    default: return reach();
  }
}

void MissionFlight::begin_take_off(Pilot& pilot, double height) {
  pilot.take_off(std::max(height, 0.5));
  phase_ = Phase::TakingOff;
}

// along the way it looks where it goes, unless the item says otherwise
void MissionFlight::go(Pilot& pilot, const Vec& position_W) {
  const VehicleState& s = pilot.state();
  const double east = position_W[0] - s.position_W[0], north = position_W[1] - s.position_W[1];
  double yaw = yaw_of(s.attitude);
  if (std::isfinite(item().param4) && kind_of(item()) == ItemKind::Waypoint)
    yaw = yaw_from_compass(item().param4 * kRadians);
  else if (east * east + north * north > 1)
    yaw = math::atan2(north, east);
  target_W_ = position_W;
  pilot.go_to(position_W, yaw);
  phase_ = Phase::Going;
}

bool MissionFlight::is_there(const Pilot& pilot) const {
  const ItemKind kind = kind_of(item());
  const double own = kind == ItemKind::Waypoint ? static_cast<double>(item().param2) : 0;
  const double radius = own > 0 && !facts_.cannot_stop ? own : parameters_["NAV_ACC_RAD"], up = parameters_["NAV_MC_ALT_RAD"];
  const Vec& p = pilot.state().position_W;
  const double x = p[0] - target_W_[0], y = p[1] - target_W_[1], z = p[2] - target_W_[2];
  return x * x + y * y <= radius * radius && z * z <= up * up;
}

void MissionFlight::arrive(Pilot& pilot) {
  const ItemKind kind = kind_of(item());
  if (kind == ItemKind::Land) {
    pilot.land();
    phase_ = Phase::Landing;
    return;
  }
  const bool has_time = kind == ItemKind::Waypoint || kind == ItemKind::LoiterTime;
  const double wait = kind == ItemKind::LoiterForever ? kForever : has_time && item().param1 > 0 ? static_cast<double>(item().param1) : 0;
  wait_until_ = pilot.state().time + wait;
  phase_ = Phase::Waiting;
}

void MissionFlight::reach() {
  reached_.push_back(static_cast<std::uint16_t>(current_));
  if (current_ + 1 < plan_.size()) {
    ++current_;
    phase_ = Phase::Begin;
  } else {
    phase_ = Phase::Idle;
    is_finished_ = true;
  }
}

void MissionFlight::jump(const MissionItem& to) {
  const int most = to.param2 < 0 ? -1 : static_cast<int>(std::min(to.param2, 1e6f));
  int& made = jumps_[current_];
  if (most >= 0 && made >= most) return reach();
  ++made;
  reached_.push_back(static_cast<std::uint16_t>(current_));
  current_ = static_cast<std::size_t>(to.param1);
  phase_ = Phase::Begin;
}

}  // namespace volary::autopilot
