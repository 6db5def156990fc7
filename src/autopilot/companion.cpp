// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/companion.hpp"

#include <utility>

#include <fmt/format.h>

#include "math/frames.hpp"

namespace volary::autopilot {

using namespace mavlink;
using Kind = GuidanceCommand::Kind;

namespace {

constexpr double kHeartbeat = 1;                 // s
constexpr double kSilence = 3, kFirstWord = 30;  // s without a heartbeat; without any since the start, until people are told

math::Vec3<double> vec3(const Vec& v) { return {v[0], v[1], v[2]}; }
Vec vec(const math::Vec3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

// ---------------------------------------------------------------- the wire

void Companion::hear(const Frame& frame, ChannelId from, double now) {
  if (frame.component != kAutopilot) return;
  if (frame.id == CommandAck::kId) return answered(decode<CommandAck>(frame), now);
  state_.hear(frame, now);
  if (frame.id == Heartbeat::kId) channel_ = from;
  if (state_.landed != LandedState::OnGround)
    landed_since_ = -1;
  else if (landed_since_ < 0)
    landed_since_ = now;
}

void Companion::closed(ChannelId channel) {
  if (channel_ == channel) channel_.reset();
}

void Companion::beat(double now) {
  if (now >= beat_due_) {
    beat_due_ = now + kHeartbeat;
    Heartbeat m;
    m.type = number_of(VehicleType::OnboardController);
    m.autopilot = number_of(mavlink::AutopilotKind::Invalid);
    m.system_status = number_of(SystemState::Active);
    send(m);
    m.type = number_of(VehicleType::Gcs);
    if (options_.is_station) send(m);
  }
  state_.texts.beat(now);
  watch_link(now);
  if (!is_heard_) return;
  // heartbeats say late that it is armed
  if (!state_.is_armed && !state_.is_airborne() && step_ != Step::Arm) ground_W_ = position_W();
  watch_claim();
  watch_mode();
  watch_steering(now);
  stream(now);
  command(now);
}

void Companion::watch_link(double now) {
  if (silent_since_ < 0) silent_since_ = now;
  if (now - state_.heartbeat <= kSilence) {
    if (!is_heard_ && was_heard_) report("its autopilot is heard again");
    is_heard_ = was_heard_ = true;
  } else if (is_heard_) {
    is_heard_ = false;
    pending_.reset();
    if (order_ && order_->refusal.empty()) order_->refusal = fmt::format("was not heard for {:g} s", kSilence);
    if (order_) tell_refusal(now);
    steer_.reset();
    n_requested_ = 0;
    streaming_since_ = -1;
    report(fmt::format("nothing was heard of its autopilot for {:g} s", kSilence));
  } else if (!was_heard_ && now - silent_since_ > kFirstWord) {
    silent_since_ = 1e300;
    report(fmt::format("nothing was heard of its autopilot (system {}) so far", options_.system));
  }
}

// Whoever changes the mode takes over: a person with a ground station or a transmitter, or a failsafe. It is given back by the mode that follows setpoints.
void Companion::watch_mode() {
  if (!has_asked_) return;
  const Dialect* d = dialect();
  if (d == nullptr) {
    if (!std::exchange(is_let_go_, true)) report("its autopilot is neither PX4 nor ArduPilot; behaviours cannot steer it");
    return;
  }
  if (!state_.is_armed) {
    has_ordered_land_ = false;
    // one that somebody has landed does not take off again for the take-off that it was asked for before
    if (wanted_.kind != Kind::TakeOff && !is_claimed_) is_let_go_ = false;
    return;
  }
  if (is_claimed_ || !is_settled()) return;
  const bool is_ours = is_guided() || (has_ordered_land_ && state_.is_in(d->land));
  if (is_guided() && wanted_.kind != Kind::Land) has_ordered_land_ = false;
  if (is_ours != is_let_go_) return;
  is_let_go_ = !is_ours;
  report(is_ours ? "behaviours steer it again"
                 : fmt::format("a person or a failsafe flies it (mode {}); behaviours steer it again when its mode is {}", state_.mode_text(), d->guided_name));
}

void Companion::watch_claim() {
  if (std::exchange(was_armed_, state_.is_armed) && !state_.is_armed) is_claimed_ = false;
  if (!is_claimed_ || !is_settled() || is_guided()) return;
  is_claimed_ = false;
  if (!steer_) return;
  if (!is_steering_over_) {
    is_steering_refused_ = true;
    refusals_.push_back(fmt::format("it is steered no longer: its mode is {} now", state_.mode_text()));
  }
  steer_.reset();
}

void Companion::leave() {
  const Dialect* d = dialect();
  const bool is_ours = steer_ || (has_asked_ && !is_let_go_);
  if (d == nullptr || !is_heard_ || !is_ours || !state_.is_armed || !state_.is_airborne() || !is_guided()) return;
  CommandLong m = mode_command(d->stay);
  m.target_system = options_.system, m.target_component = kAutopilot;
  send(m);
}

// ---------------------------------------------------------------- the world

void Companion::want(const GuidanceCommand& wanted) {
  if (wanted.kind != wanted_.kind) anchor_W_.reset();
  wanted_ = wanted;
  if (wanted.turns) yaw_ = wanted.yaw;
  has_asked_ = has_asked_ || wanted.kind != Kind::None;
}

void Companion::want_hold() {
  if (wanted_.kind == Kind::Velocity || wanted_.kind == Kind::Position) want({.kind = Kind::Hold});
}

std::optional<Vec> Companion::position_W() const {
  if (options_.place) return state_.place ? std::optional(options_.place->in_world(*state_.place)) : std::nullopt;
  return state_.local_N ? std::optional(vec(vec3(options_.home_W) + math::enu_from_ned(*state_.local_N))) : std::nullopt;
}

std::optional<SetState> Companion::take_motion() {
  const std::uint64_t n = options_.place ? state_.n_places : state_.n_local;
  if (n == std::exchange(n_taken_, n)) return std::nullopt;
  SetState s;
  s.position_W = *position_W();
  s.velocity_W = vec(math::enu_from_ned(options_.place ? state_.place_velocity_N : state_.local_velocity_N));
  if (!state_.attitude_N) return s;
  const math::Quat<double> q = math::enu_flu_from_ned_frd(*state_.attitude_N);
  s.attitude = {q.w, q.x, q.y, q.z};
  s.omega_B = vec(math::flu_from_frd(state_.rate_F));
  return s;
}

std::vector<std::string> Companion::take_reports() { return std::exchange(reports_, {}); }
std::vector<std::string> Companion::take_refusals() { return std::exchange(refusals_, {}); }

}  // namespace volary::autopilot
