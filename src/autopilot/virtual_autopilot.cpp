// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/virtual_autopilot.hpp"

#include <utility>

#include <fmt/format.h>

#include "math/functions.hpp"

namespace volary::autopilot {

using namespace mavlink;
using mavlink::Severity;

namespace {

constexpr double kHeartbeat = 1;             // s
constexpr double kSticksLost = 0.5;          // s without sticks after which it holds
constexpr std::size_t kParametersAtOnce = 16;  // of a list, per beat
constexpr double kHomeReached = 1;           // m

}  // namespace

VirtualAutopilot::VirtualAutopilot(const VehicleFacts& facts, std::uint8_t system, const Place& place, Outbox& outbox)
    : facts_(facts),
      system_(system),
      place_(place),
      outbox_(outbox),
      parameters_(facts_, system),
      pilot_(facts_),
      missions_(system, outbox),
      flight_(facts_, place, parameters_) {}

FlightMode VirtualAutopilot::mode() const {
  switch (steering_) {
    case Steering::GoTo: return FlightMode::Hold;
    case Steering::Mission: return pilot_.state().mode == Mode::TakeOff ? FlightMode::TakeOff : FlightMode::Mission;
    case Steering::Return: return FlightMode::Return;
    case Steering::Manual: return FlightMode::Position;
    case Steering::Offboard: return FlightMode::Offboard;
    case Steering::Engine: break;
  }
  switch (pilot_.state().mode) {
    case Mode::TakeOff: return FlightMode::TakeOff;
    case Mode::Hold: return FlightMode::Hold;
    case Mode::Mission: return FlightMode::Mission;
    case Mode::Land: return FlightMode::Land;
    default: return chosen_;
  }
}

Report VirtualAutopilot::report() const {
  Report r{facts_, pilot_.state(), place_, pilot_.target()};
  r.mode = mode();
  r.is_armed = pilot_.is_armed();
  r.is_airborne = pilot_.is_airborne();
  r.is_ready = why_not_armed().empty();
  r.mission_current = static_cast<std::uint16_t>(flight_.current());
  r.mission_total = static_cast<std::uint16_t>(flight_.plan().size());
  const bool flies = steering_ == Steering::Mission;
  r.mission_state = flight_.plan().empty()  ? MissionState::NoMission
                    : flight_.is_finished() ? MissionState::Complete
                    : flies                 ? MissionState::Active
                    : flight_.current() > 0 ? MissionState::Paused
                                            : MissionState::NotStarted;
  r.fence_is_broken = fence_is_broken_;
  r.fence_breaches = fence_breaches_;
  return r;
}

// ---------------------------------------------------------------- after a tick

void VirtualAutopilot::see(const VehicleState& state) {
  pilot_.see(state);
  if (pilot_.take_taken_over() && steering_ != Steering::Engine) {
    end_steering();
    say(Severity::Notice, "Another controller took over");
  }
  if (std::exchange(was_armed_, pilot_.is_armed()) != pilot_.is_armed()) {
    armed_since_ = state.time;
    say(Severity::Info, pilot_.is_armed() ? "Armed" : "Disarmed");
    if (pilot_.is_armed())
      begin_chosen();
    else if (steering_ != Steering::Mission)  // which notices by itself that it has landed
      end_steering(), chosen_ = FlightMode::Hold;
  }
  if (steering_ == Steering::Mission) fly_mission();
  if (steering_ == Steering::Return) fly_home();
  if (steering_ == Steering::Engine) disarm_idle();
  watch_fence();
  tell_change();
  if (outbox_.has_channels()) streams_.send_due(report(), system_, outbox_);
}

// clients need not wait for the next heartbeat to see it armed or in another mode
void VirtualAutopilot::tell_change() {
  const Heartbeat m = heartbeat(report());
  const std::uint32_t shown = m.custom_mode ^ m.base_mode;
  if (std::exchange(shown_, shown) != shown) outbox_.send_all(system_, m);
}

void VirtualAutopilot::end_steering() {
  if (steering_ == Steering::Mission) flight_.pause();
  steering_ = Steering::Engine;
}

void VirtualAutopilot::begin_chosen() {
  if (pilot_.is_airborne() || steering_ != Steering::Engine || chosen_ == FlightMode::Hold) return;
  const FlightMode mode = std::exchange(chosen_, FlightMode::Hold);
  const bool can_begin = mode == FlightMode::Mission || mode == FlightMode::Position || (mode == FlightMode::Offboard && has_fresh_setpoint());
  if (can_begin) change_mode(mode);
}

// armed on the ground and then forgotten
void VirtualAutopilot::disarm_idle() {
  const double patience = parameters_["COM_DISARM_PRFLT"];
  if (patience < 0 || pilot_.state().mode != Mode::Armed || pilot_.is_airborne() || pilot_.state().time - armed_since_ < patience) return;
  armed_since_ = pilot_.state().time;
  pilot_.disarm();
  say(Severity::Info, "Disarmed by auto preflight disarming");
}

void VirtualAutopilot::fly_mission() {
  const std::size_t before = flight_.current();
  flight_.step(pilot_);
  for (const std::uint16_t seq : flight_.take_reached()) {
    MissionItemReached m;
    m.seq = seq;
    outbox_.send_all(system_, m);
  }
  if (flight_.current() != before || flight_.is_finished()) outbox_.send_all(system_, mission_current(report()));
  if (flight_.wants_return()) {
    end_steering();
    change_mode(FlightMode::Return);
  } else if (flight_.is_finished()) {
    say(Severity::Info, "Mission finished");
    const bool flies = pilot_.is_airborne();
    steering_ = flies ? Steering::GoTo : Steering::Engine;  // it stays at the last place
    outbox_.send_all(system_, mission_current(report()));
  }
}

// Up to the height of returns unless it is near, home, and down.
void VirtualAutopilot::fly_home() {
  const VehicleState& s = pilot_.state();
  const Vec& home = facts_.home_W;
  const double east = home[0] - s.position_W[0], north = home[1] - s.position_W[1], distance = math::sqrt(east * east + north * north);
  const double wanted = distance < parameters_["RTL_MIN_DIST"] ? s.position_W[2] : std::max(s.position_W[2], home[2] + parameters_["RTL_RETURN_ALT"]);
  const double yaw = distance > 1 ? math::atan2(north, east) : yaw_of(s.attitude);
  switch (return_) {
    case ReturnPhase::Climb:
      if (!pilot_.target()) pilot_.go_to({s.position_W[0], s.position_W[1], wanted}, yaw);
      if (math::abs(pilot_.target()->position_W[2] - s.position_W[2]) > parameters_["NAV_MC_ALT_RAD"]) return;
      pilot_.go_to({home[0], home[1], pilot_.target()->position_W[2]}, yaw);
      return_ = ReturnPhase::Home;
      return;
    case ReturnPhase::Home:
      if (distance > (facts_.cannot_stop ? parameters_["NAV_ACC_RAD"] : kHomeReached)) return;
      pilot_.land();
      return_ = ReturnPhase::Land;
      return;
    case ReturnPhase::Land: return;
  }
}

void VirtualAutopilot::watch_fence() {
  if (!pilot_.is_airborne()) {
    fence_is_broken_ = false;
    return;
  }
  const std::string breach = fence_.breach_at(pilot_.state().position_W, facts_.home_W, parameters_["GF_MAX_HOR_DIST"], parameters_["GF_MAX_VER_DIST"]);
  const bool was = std::exchange(fence_is_broken_, !breach.empty());
  if (breach.empty() || was) return;
  ++fence_breaches_;
  const int action = static_cast<int>(parameters_["GF_ACTION"]);
  if (action == 0) return;
  say(Severity::Critical, "Geofence violated: " + breach);
  send_once(FenceStatus::kId, report(), system_, outbox_, std::nullopt);
  switch (action) {
    case 2: change_mode(FlightMode::Hold); break;
    case 3: change_mode(FlightMode::Return); break;
    case 4: end_steering(), pilot_.stop_rotors(); break;
    case 5: change_mode(FlightMode::Land); break;
    default: break;
  }
}

// ---------------------------------------------------------------- by the wall

void VirtualAutopilot::beat(double now) {
  now_ = now;
  if (now - beaten_ >= kHeartbeat) {
    beaten_ = now;
    outbox_.send_all(system_, heartbeat(report()));
  }
  missions_.beat(now);
  for (std::size_t k = 0; k < kParametersAtOnce && parameters_told_ < parameters_.list().size(); ++k)
    outbox_.send(parameters_to_, system_, parameters_.message(static_cast<int>(parameters_told_++)));
  if (steering_ == Steering::Offboard && now - offboard_heard_ > parameters_["COM_OF_LOSS_T"]) {
    say(Severity::Warning, "Offboard control lost, holding");
    change_mode(FlightMode::Hold);
  }
  if (steering_ == Steering::Manual && now - sticks_heard_ > kSticksLost && pilot_.target() && pilot_.target()->level == ControlLevel::Velocity) {
    pilot_.hold();  // and on with the next movement of a stick
  }
}

void VirtualAutopilot::say(Severity severity, std::string text) {
  Statustext m;
  m.severity = number_of(severity);
  m.text = fixed_text<50>(text);
  outbox_.send_all(system_, m);
  said_.push_back({pilot_.state().time, severity, std::move(text)});
  if (said_.size() > kMostSaid) said_.pop_front();
  ++n_said_;
}

// ---------------------------------------------------------------- messages

void VirtualAutopilot::hear(const Frame& frame, const Sender& sender, double now) {
  now_ = now;
  if (missions_.hear(frame, sender, now)) {
    while (const auto changed = missions_.take_changed()) {
      if (*changed == MissionType::Fence) fence_ = Fence(missions_.plan(*changed), place_);
      if (*changed != MissionType::Mission) continue;
      const bool flew = steering_ == Steering::Mission;
      flight_.load(missions_.plan(*changed));
      if (flew) change_mode(FlightMode::Hold);  // a plan that is replaced in flight is not begun by itself
    }
    return;
  }
  switch (frame.id) {
    case CommandLong::kId: return hear_command(decode<CommandLong>(frame), sender);
    case CommandInt::kId: return hear_command(decode<CommandInt>(frame), sender);
    case mavlink::SetMode::kId: {
      const auto custom = decode<mavlink::SetMode>(frame).custom_mode;
      set_mode_by_number(static_cast<std::uint8_t>(custom >> 16), static_cast<std::uint8_t>(custom >> 24));
      return;
    }
    case SetPositionTargetLocalNed::kId: return hear_setpoint(decode<SetPositionTargetLocalNed>(frame));
    case SetPositionTargetGlobalInt::kId: return hear_setpoint(decode<SetPositionTargetGlobalInt>(frame));
    case SetAttitudeTarget::kId: return hear_setpoint(decode<SetAttitudeTarget>(frame));
    case ManualControl::kId: return hear_sticks(decode<ManualControl>(frame));
    case MissionSetCurrent::kId: return hear_set_current(decode<MissionSetCurrent>(frame).seq, sender);
    case ParamRequestList::kId:
    case ParamRequestRead::kId:
    case ParamSet::kId: return hear_parameters(frame, sender);
    case Timesync::kId: return hear_timesync(decode<Timesync>(frame), sender);
    case Ping::kId: {
      Ping m = decode<Ping>(frame);
      if (m.target_system != 0) return;  // an answer to somebody's own
      m.target_system = sender.system, m.target_component = sender.component;
      return outbox_.send(sender.channel, system_, m);
    }
    case RequestDataStream::kId: {
      const auto m = decode<RequestDataStream>(frame);
      return streams_.set_usual_rate(m.start_stop != 0 ? m.req_message_rate : 0);
    }
    default: return;
  }
}

void VirtualAutopilot::hear_timesync(const Timesync& asked, const Sender& sender) {
  if (asked.tc1 != 0) return;
  Timesync m;
  m.tc1 = static_cast<std::int64_t>(pilot_.state().time * 1e9);
  m.ts1 = asked.ts1;
  m.target_system = sender.system, m.target_component = sender.component;
  outbox_.send(sender.channel, system_, m);
}

void VirtualAutopilot::hear_parameters(const Frame& frame, const Sender& sender) {
  if (frame.id == ParamRequestList::kId) {
    parameters_told_ = 0, parameters_to_ = sender.channel;  // a few with every beat
    return;
  }
  if (frame.id == ParamSet::kId) return set_parameter(decode<ParamSet>(frame));
  const auto m = decode<ParamRequestRead>(frame);
  const int index = m.param_index >= 0 ? m.param_index : parameters_.index_of(text_of(m.param_id));
  if (index >= 0 && index < static_cast<int>(parameters_.list().size())) outbox_.send(sender.channel, system_, parameters_.message(index));
}

// everybody learns of the new value
void VirtualAutopilot::set_parameter(const ParamSet& m) {
  const int index = parameters_.index_of(text_of(m.param_id));
  if (index < 0) return;
  const Parameter& p = parameters_.list()[static_cast<std::size_t>(index)];
  if (parameters_.set(index, m) && p.of_model != nullptr) {
    const bool is_speed = p.of_model == std::string_view("ladder.max_speed");
    is_speed ? pilot_.limit_speed(steers_itself() ? parameters_.cruise_speed() : p.value) : pilot_.set_parameter(p.of_model, p.value);
  }
  outbox_.send_all(system_, parameters_.message(index));
}

void VirtualAutopilot::hear_set_current(std::size_t index, const Sender&) {
  if (!flight_.set_current(index)) say(Severity::Warning, fmt::format("The mission has no item {}", index));
  outbox_.send_all(system_, mission_current(report()));
}

}  // namespace volary::autopilot
