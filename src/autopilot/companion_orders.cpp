// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of people, as the commands that a ground station would send for them. Only steering by hand needs setpoints.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "autopilot/companion.hpp"

namespace volary::autopilot {

using namespace mavlink;
using runner::FlightOrder;
using Do = FlightOrder::Kind;

namespace {

constexpr double kHands = 1;  // s after which hands that steer are taken for gone
constexpr double kWords = 0.5;  // s that an autopilot may take to tell why it has refused
constexpr double kSetpoints = 5;  // s until setpoints flow
constexpr double kSettling = 0.1;  // s until heartbeats have what an answer has promised
constexpr float kEvenInFlight = 21196;  // the number that disarms in the air

const char* words_of(Do kind) {
  switch (kind) {
    case Do::Arm: return "to arm";
    case Do::Disarm: return "to disarm";
    case Do::TakeOff: return "to take off";
    case Do::Hold: return "to hold";
    case Do::GoTo: return "to go there";
    case Do::Mission: return "to fly its mission";
    case Do::Return: return "to return";
    case Do::Land: return "to land";
    case Do::Terminate: return "to stop its motors";
    case Do::Steer: return "to be steered";
  }
  return "";
}

}  // namespace

// what is known without asking
core::Status Companion::check(const FlightOrder& o) const {
  if (!is_heard_) return core::Error{.message = was_heard_ ? "its autopilot is silent on MAVLink" : "its autopilot was not heard on MAVLink yet"};
  if (dialect() == nullptr) return core::Error{.message = "its autopilot is neither PX4 nor ArduPilot"};
  const bool is_up = state_.is_armed && state_.is_airborne();
  if ((o.kind == Do::GoTo || o.kind == Do::Steer) && !is_up) return core::Error{.message = "it stands on the ground", .suggestion = "let it take off first"};
  if (o.kind == Do::TakeOff && is_up) return core::Error{.message = "it is in the air already"};
  return core::ok();
}

core::Status Companion::order(const FlightOrder& o, double now) {
  if (const core::Status can = check(o); !can) return can;
  if (o.kind == Do::Arm && state_.is_armed) return core::ok();
  if (o.kind == Do::Steer) return steer(o, now);
  if (o.kind == Do::Mission && options_.has_behaviours) return resume_behaviours(now);
  const Dialect& d = *dialect();
  Order order{.what = words_of(o.kind), .commands = {}, .since = now};
  switch (o.kind) {
    case Do::Arm: order.commands = {arm_command(true)}; break;
    case Do::Disarm: order.commands = {arm_command(false)}; break;
    case Do::Terminate: {
      CommandLong m = arm_command(false);
      m.param2 = kEvenInFlight;
      order.commands = {m};
      break;
    }
    case Do::Hold: order.commands = {mode_command(d.stay)}; break;
    case Do::Return: order.commands = {mode_command(d.home)}; break;
    case Do::Land: order.commands = {mode_command(d.land)}; break;
    case Do::Mission: order.commands = mission_commands(); break;
    case Do::TakeOff: order.commands = launch_commands(); break;
    default: order.commands = {go_to(o.position_W)}; break;
  }
  const bool is_taken = o.kind != Do::Arm;  // from its behaviours
  begin_order(std::move(order), is_claimed_ || is_taken, now);
  is_let_go_ = is_let_go_ || is_taken;
  return core::ok();
}

// ---------------------------------------------------------------- commands

// PX4 arms in the mode in which it takes off, and not in the one in which it has landed
std::vector<Companion::Command> Companion::launch_commands() const {
  CommandLong climb;
  climb.command = number_of(mavlink::Command::NavTakeoff);
  if (!dialect()->streams_first) {
    climb.param7 = static_cast<float>(options_.take_off_height);  // above the home of the autopilot
    return {mode_command(dialect()->guided), arm_command(true), climb};
  }
  const std::optional<Place>& site = options_.site ? options_.site : options_.place;
  Vec up_W = ground_W_ ? *ground_W_ : options_.home_W;
  up_W[2] += options_.take_off_height;
  climb.param4 = climb.param5 = climb.param6 = std::nanf("");  // here, with this heading
  climb.param7 = site ? static_cast<float>(site->on_earth(up_W).altitude) : std::nanf("");
  return {climb, arm_command(true)};
}

std::vector<Companion::Command> Companion::mission_commands() const {
  const Dialect& d = *dialect();
  if (d.streams_first)
    return state_.is_armed ? std::vector<Command>{mode_command(d.mission)} : std::vector<Command>{mode_command(d.mission), arm_command(true)};
  CommandLong start;
  start.command = number_of(mavlink::Command::MissionStart);
  if (state_.is_armed) return {start};
  return {mode_command(d.guided), arm_command(true), start};  // it does not arm in the mode of missions
}

Companion::Command Companion::go_to(const Vec& position_W) const {
  const Place site = options_.site ? *options_.site : options_.place ? *options_.place : Place(std::nullopt);
  const LatLon to = site.on_earth(position_W);
  CommandInt m;
  m.command = number_of(mavlink::Command::DoReposition);
  m.frame = number_of(CoordinateFrame::Global);
  m.param1 = -1;              // at the usual speed
  m.param2 = 1;               // in the mode for it, whatever its mode is
  m.param4 = std::nanf("");  // with the heading that the autopilot likes
  m.x = degrees_e7(to.latitude), m.y = degrees_e7(to.longitude), m.z = static_cast<float>(to.altitude);
  return m;
}

// ---------------------------------------------------------------- behaviours and hands

core::Status Companion::resume_behaviours(double now) {
  if (!has_asked_) return core::Error{.message = "its behaviours have asked for nothing yet"};
  anchor_W_.reset();  // it holds where it is, not where it was
  const Dialect& d = *dialect();
  Order order{.what = "to follow its behaviours", .commands = {}, .since = now, .needs_setpoints = d.streams_first};
  if (state_.is_armed)
    order.commands = {mode_command(d.guided)};  // that mode gives it back
  else
    is_let_go_ = false;
  begin_order(std::move(order), false, now);
  return core::ok();
}

core::Status Companion::steer(const FlightOrder& o, double now) {
  steered_at_ = now;
  if (is_steering_refused_) return core::ok();
  const Dialect& d = *dialect();
  if (!steer_ || is_steering_over_)
    begin_order({.what = words_of(Do::Steer), .commands = {mode_command(d.guided)}, .since = now, .needs_setpoints = d.streams_first}, true, now);
  is_let_go_ = true;
  is_steering_over_ = false;
  steer_ = GuidanceCommand{.kind = GuidanceCommand::Kind::Velocity, .velocity_W = o.velocity_W};
  steer_yaw_rate_ = o.yaw_rate;
  return core::ok();
}

void Companion::watch_steering(double now) {
  if (now - steered_at_ <= kHands) return;
  is_steering_refused_ = false;
  if (steer_ && !is_steering_over_) (void)order({.kind = Do::Hold}, now);
}

// ---------------------------------------------------------------- one order after another

void Companion::begin_order(Order order, bool is_claimed, double now) {
  if (order_ && !order_->refusal.empty()) tell_refusal(now);
  if (pending_ && pending_->whom != For::Telemetry) pending_->whom = For::Nobody;
  is_claimed_ = is_claimed;
  // a vehicle in the hands of a person stands still until the order acts: without setpoints its autopilot would take the link for lost
  if (steer_) steer_->velocity_W = {0, 0, 0}, steer_yaw_rate_ = 0, is_steering_over_ = true;
  is_steering_refused_ = false;
  order_ = std::move(order);
  begin(Step::Nothing, now);
  if (order_->commands.empty()) end_order(now);
}

void Companion::take_order(double now) {
  Order& o = *order_;
  if (!o.refusal.empty()) {
    if (now - o.refused_at >= kWords) tell_refusal(now);
    return;
  }
  if (o.needs_setpoints && o.n_done == 0 && !has_lead(now)) {
    if (now - o.since > kSetpoints) o.refusal = "does not know where it is", o.refused_at = now;
    return;
  }
  send(o.commands[o.n_done], For::People, now);
}

void Companion::end_order(double now) {
  settled_at_ = now + kSettling;
  if (is_steering_over_) steer_.reset(), is_steering_over_ = false;
  order_.reset();
}

bool Companion::is_settled() const { return !order_ && state_.heartbeat >= settled_at_; }

void Companion::tell_refusal(double now) {
  settled_at_ = now + kSettling;
  const runner::AutopilotMessage* const said = state_.texts.last(mavlink::Severity::Notice, order_->since);
  refusals_.push_back(
      fmt::format("{} was asked {} and {}{}", dialect()->name, order_->what, order_->refusal, said == nullptr ? "" : "; it said: " + said->text));
  order_.reset();
  // it goes on as before
  if (steer_ && !is_steering_over_) steer_.reset(), is_steering_refused_ = true;
  if (is_guided() && has_asked_ && !steer_) is_claimed_ = is_let_go_ = false;
}

}  // namespace volary::autopilot
