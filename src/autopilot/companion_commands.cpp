// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of a companion: which one comes next, and what becomes of its answer.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "autopilot/companion.hpp"

namespace volary::autopilot {

using namespace mavlink;
using Kind = GuidanceCommand::Kind;

namespace {

constexpr double kLead = 1;  // s of setpoints before the mode that follows them
constexpr double kAnswer = 1;  // s that an answer may take
constexpr int kTries = 3;  // without an answer
constexpr double kEffect = 3;  // s until heartbeats must show what was accepted
constexpr double kFirstBackoff = 1, kMostBackoff = 8;  // s after a refusal
constexpr double kLanded = 3;  // s on the ground, after which an autopilot is told to disarm

// telemetry that it asks for; the last one is the position
struct Request {
  std::uint32_t message;
  double interval;  // s
};
constexpr Request kRequests[] = {{ExtendedSysState::kId, 0.2}, {SysStatus::kId, 1}, {AttitudeQuaternion::kId, 0.1}, {LocalPositionNed::kId, 0.05}};

// in the order of the enumeration
struct StepInfo {
  const char* doing;
  double limit;  // s, after which people are told
};
constexpr StepInfo kSteps[] = {{"", 1e300},
                               {"waits until its autopilot is ready to arm", 60},
                               {"asks for the mode that follows setpoints", 15},
                               {"asks to arm", 15},
                               {"asks to take off", 15},
                               {"asks for the mode that lands", 15},
                               {"asks to disarm", 15}};

const char* words_of(CommandResult result) {
  switch (result) {
    case CommandResult::TemporarilyRejected: return "temporarily rejected";
    case CommandResult::Denied: return "denied";
    case CommandResult::Unsupported: return "not supported";
    case CommandResult::Failed: return "failed";
    case CommandResult::Cancelled: return "cancelled";
    default: return "refused";
  }
}

}  // namespace

// from what is asked for and what the autopilot says
Companion::Step Companion::next_step(double now) const {
  const Dialect* d = dialect();
  if (d == nullptr || is_let_go_) return Step::Nothing;
  switch (wanted_.kind) {
    case Kind::None: return Step::Nothing;
    case Kind::Disarm: return state_.is_armed ? Step::Disarm : Step::Nothing;
    case Kind::Land:
      if (!state_.is_armed) return Step::Nothing;
      if (!state_.is_in(d->land)) return Step::Land;
      return landed_since_ >= 0 && now - landed_since_ > kLanded ? Step::Disarm : Step::Nothing;
    case Kind::TakeOff:
      if (!state_.is_airborne()) return launch_step();
      [[fallthrough]];
    default: return state_.is_armed && !is_guided() ? Step::Guide : Step::Nothing;
  }
}

Companion::Step Companion::launch_step() const {
  // PX4 is never ready in the mode in which it has landed
  const bool is_ready = state_.is_ready || state_.is_in(dialect()->land);
  if (!state_.is_armed && (!is_ready || !position_W())) return Step::WaitUntilReady;
  if (!is_guided()) return Step::Guide;
  if (!state_.is_armed) return Step::Arm;
  return dialect()->streams_first ? Step::Nothing : Step::TakeOff;
}

void Companion::command(double now) {
  if (pending_) {
    if (now - pending_->sent < kAnswer) return;
    if (++n_tries_ >= kTries) return refused("it does not answer", now);
    pending_->command.confirmation = static_cast<std::uint8_t>(n_tries_);
    pending_->sent = now;
    return send(pending_->command);
  }
  if (n_requested_ < std::size(kRequests)) {
    const Request& r = kRequests[n_requested_];
    CommandLong m;
    m.command = number_of(mavlink::Command::SetMessageInterval);
    m.param1 = static_cast<float>(r.message == LocalPositionNed::kId && options_.place ? GlobalPositionInt::kId : r.message);
    m.param2 = static_cast<float>(r.interval * 1e6);
    return send(m, now);
  }
  if (const Step step = next_step(now); step != step_) begin(step, now);
  const StepInfo& info = kSteps[static_cast<std::size_t>(step_)];
  if (now - step_since_ > info.limit && !std::exchange(is_reported_, true))
    report(fmt::format("{}, for {:g} s now{}{}", info.doing, info.limit, reason_.empty() ? "" : "; " + reason_,
                       state_.text.empty() ? "" : "; its autopilot said: " + state_.text));
  if (now >= retry_at_) take_step(now);
}

void Companion::begin(Step step, double now) {
  step_ = step;
  step_since_ = retry_at_ = now;
  backoff_ = 0;
  is_reported_ = false;
  reason_.clear();
}

void Companion::take_step(double now) {
  const Dialect& d = *dialect();
  CommandLong m;
  m.command = number_of(mavlink::Command::ComponentArmDisarm);
  switch (step_) {
    case Step::Nothing:
    case Step::WaitUntilReady: return;
    case Step::Guide:
      if (d.streams_first && (streaming_since_ < 0 || now - streaming_since_ < kLead)) return;
      return set_mode(d.guided, now);
    case Step::Land:
      has_ordered_land_ = true;
      return set_mode(d.land, now);
    case Step::Arm: m.param1 = 1; break;
    case Step::Disarm: break;
    case Step::TakeOff:
      m.command = number_of(mavlink::Command::NavTakeoff);
      m.param7 = static_cast<float>(options_.take_off_height);  // above the home of the autopilot
      break;
  }
  send(m, now);
}

void Companion::set_mode(ModeNumber mode, double now) {
  CommandLong m;
  m.command = number_of(mavlink::Command::DoSetMode);
  m.param1 = number_of(ModeFlag::CustomModeEnabled), m.param2 = mode.main, m.param3 = mode.sub;
  send(m, now);
}

void Companion::send(CommandLong m, double now) {
  m.target_system = options_.system, m.target_component = kAutopilot;
  n_tries_ = 0;
  pending_ = Pending{m, now};
  send(m);
}

void Companion::answered(const CommandAck& ack, double now) {
  const bool is_for_us = ack.target_system == 0 || (ack.target_system == options_.system && ack.target_component == kOwn);
  if (!pending_ || ack.command != pending_->command.command || !is_for_us) return;
  const auto result = static_cast<CommandResult>(ack.result);
  if (result == CommandResult::InProgress) {
    pending_->sent = now;
    return;
  }
  if (result != CommandResult::Accepted) return refused(fmt::format("its autopilot answered '{}'", words_of(result)), now);
  const bool is_request = pending_->command.command == number_of(mavlink::Command::SetMessageInterval);
  pending_.reset();
  if (is_request)
    ++n_requested_;
  else
    retry_at_ = now + kEffect;
}

void Companion::refused(const std::string& why, double now) {
  const bool is_request = pending_->command.command == number_of(mavlink::Command::SetMessageInterval);
  pending_.reset();
  if (is_request) {
    ++n_requested_;  // it goes without
    return;
  }
  reason_ = why;
  backoff_ = std::clamp(2 * backoff_, kFirstBackoff, kMostBackoff);
  retry_at_ = now + backoff_;
}

std::string Companion::status() const {
  if (!is_heard_) return "not heard";
  if (is_let_go_) return "flown by a person or a failsafe";
  if (step_ != Step::Nothing) return kSteps[static_cast<std::size_t>(step_)].doing;
  if (!state_.is_armed) return "disarmed";
  return !state_.is_airborne() ? "armed" : !has_asked_ ? "in the air" : has_ordered_land_ ? "lands" : "follows its behaviours";
}

}  // namespace volary::autopilot
