// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of a companion: which one comes next for its behaviours, and what becomes of the answer to any of them.
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
  if (pending_) return wait_for_answer(now);
  if (order_) return take_order(now);
  if (n_requested_ < std::size(kRequests)) {
    const Request& r = kRequests[n_requested_];
    CommandLong m;
    m.command = number_of(mavlink::Command::SetMessageInterval);
    m.param1 = static_cast<float>(r.message == LocalPositionNed::kId && options_.place ? GlobalPositionInt::kId : r.message);
    m.param2 = static_cast<float>(r.interval * 1e6);
    return send(m, For::Telemetry, now);
  }
  if (const Step step = next_step(now); step != step_) begin(step, now);
  const StepInfo& info = kSteps[static_cast<std::size_t>(step_)];
  if (now - step_since_ > info.limit && !std::exchange(is_reported_, true)) {
    const runner::AutopilotMessage* const said = state_.texts.last(mavlink::Severity::Warning, 0);
    report(fmt::format("{}, for {:g} s now{}{}", info.doing, info.limit, reason_.empty() ? "" : "; " + reason_,
                       said == nullptr ? "" : "; its autopilot said: " + said->text));
  }
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
  const Dialect* const d = dialect();  // none: nothing is known of the vehicle yet, and it is given no orders
  switch (step_) {
    case Step::Nothing:
    case Step::WaitUntilReady: return;
    case Step::Guide:
      if (d->streams_first && !has_lead(now)) return;
      return send(mode_command(d->guided), For::Behaviours, now);
    case Step::Land: has_ordered_land_ = true; return send(mode_command(d->land), For::Behaviours, now);
    case Step::Arm: return send(arm_command(true), For::Behaviours, now);
    case Step::Disarm: return send(arm_command(false), For::Behaviours, now);
    case Step::TakeOff: {
      CommandLong m;
      m.command = number_of(mavlink::Command::NavTakeoff);
      m.param7 = static_cast<float>(options_.take_off_height);  // above the home of the autopilot
      return send(m, For::Behaviours, now);
    }
  }
}

bool Companion::has_lead(double now) const { return streaming_since_ >= 0 && now - streaming_since_ >= kLead; }

CommandLong mode_command(ModeNumber mode) {
  CommandLong m;
  m.command = number_of(mavlink::Command::DoSetMode);
  m.param1 = number_of(ModeFlag::CustomModeEnabled), m.param2 = mode.main, m.param3 = mode.sub;
  return m;
}

CommandLong arm_command(bool is_armed) {
  CommandLong m;
  m.command = number_of(mavlink::Command::ComponentArmDisarm);
  m.param1 = is_armed ? 1 : 0;
  return m;
}

// ---------------------------------------------------------------- answers

void Companion::send(Command command, For whom, double now) {
  std::visit([this](auto& m) { m.target_system = options_.system, m.target_component = kAutopilot; }, command);
  n_tries_ = 0;
  std::visit([this](const auto& m) { send(m); }, command);
  pending_ = Pending{std::move(command), whom, now};
}

void Companion::wait_for_answer(double now) {
  if (now - pending_->sent < kAnswer) return;
  if (pending_->whom == For::Nobody) return pending_.reset();
  if (++n_tries_ >= kTries) return refused("does not answer", now);
  if (auto* m = std::get_if<CommandLong>(&pending_->command)) m->confirmation = static_cast<std::uint8_t>(n_tries_);
  pending_->sent = now;
  std::visit([this](const auto& m) { send(m); }, pending_->command);
}

void Companion::answered(const CommandAck& ack, double now) {
  const bool is_for_us = ack.target_system == 0 || (ack.target_system == options_.system && ack.target_component == kOwn);
  if (!pending_ || !is_for_us || ack.command != std::visit([](const auto& m) { return m.command; }, pending_->command)) return;
  const auto result = static_cast<CommandResult>(ack.result);
  if (result == CommandResult::InProgress) {
    pending_->sent = now;
    return;
  }
  if (result != CommandResult::Accepted) return refused(fmt::format("answered '{}'", words_of(result)), now);
  const For whom = pending_->whom;
  pending_.reset();
  if (whom == For::Telemetry) ++n_requested_;
  if (whom == For::Behaviours) retry_at_ = now + kEffect;
  if (whom == For::People && ++order_->n_done == order_->commands.size()) end_order(now);
}

void Companion::refused(const std::string& why, double now) {
  const For whom = pending_->whom;
  pending_.reset();
  if (whom == For::Telemetry) ++n_requested_;  // it goes without
  if (whom == For::People) order_->refusal = why, order_->refused_at = now;
  if (whom != For::Behaviours) return;
  reason_ = "its autopilot " + why;
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
