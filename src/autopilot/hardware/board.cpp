// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/hardware/board.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "autopilot/hardware/line_load.hpp"
#include "autopilot/lockstep/flown_vehicle.hpp"
#include "autopilot/lockstep/launch.hpp"
#include "autopilot/mode_names.hpp"

namespace volary::autopilot {

namespace {

constexpr std::uint8_t kAutopilotComponent = 1;
constexpr std::uint8_t kHilEnabled = 0x20;        // of HEARTBEAT.base_mode
constexpr std::uint8_t kOnboardController = 18, kNoAutopilot = 8, kActive = 4;  // MAV_TYPE, MAV_AUTOPILOT, MAV_STATE
constexpr std::uint16_t kSetMessageInterval = 511;  // MAV_CMD
constexpr double kPause = 0.5;    // s without sensors: the run was paused, and the gap says nothing about the line
constexpr double kLongestTick = 0.05;  // s of the wall that one tick counts for: while this process stood still, nothing could be heard
constexpr double kCollect = 1;    // s in which a trouble is counted before people are told

}  // namespace

const char* name_of(BoardState state) {
  switch (state) {
    case BoardState::Waiting: return "waiting";
    case BoardState::Flying: return "flying";
    case BoardState::Held: return "held";
    case BoardState::Silent: return "silent";
  }
  return "";
}

void Board::Trouble::add(std::uint64_t n, double now) {
  if (untold == 0) since = now;
  untold += n;
}

std::uint64_t Board::Trouble::take(double now, double quiet) {
  if (untold == 0 || now - since < kCollect || now - told_at < quiet) return 0;
  told_at = now;
  return std::exchange(untold, 0);
}

// ---------------------------------------------------------------- the line

void Board::opened(double now) {
  is_open_ = true;
  is_heard_ = has_sent_sensors_ = false;
  parser_.forget();
  heartbeat_due_ = time_due_ = now;
  if (++figures_.times_opened > 1) tell("the device is back");
}

void Board::closed(double) {
  is_open_ = false;
  tell("the device is gone; it is opened again when it is back");
}

template <class M> bool Board::put(const M& message, double now, const Send& send) {
  buffer_.clear();
  writer_.append(message, buffer_);
  if (send(buffer_)) return ++n_sent_, true;
  ++figures_.dropped;
  dropping_.add(1, now);
  return false;
}

void Board::beat(double now, const Send& send) {
  if (!is_open_) return;
  // USB of PX4 speaks MAVLink only to those who have sent heartbeats
  if (now >= heartbeat_due_) {
    put(mavlink::Heartbeat{.type = kOnboardController, .autopilot = kNoAutopilot, .system_status = kActive}, now, send);
    heartbeat_due_ = now + 1 / kHeartbeats;
  }
  if (now >= time_due_) {
    time_due_ = now + 1 / kTimeRequests;
    const auto stamp = static_cast<std::uint64_t>(now * 1e9);
    if (put(mavlink::Timesync{.tc1 = 0, .ts1 = static_cast<std::int64_t>(stamp)}, now, send)) requests_[n_requests_++ % kRemembered] = {stamp, now};
  }
  // outputs as often as sensors; a board that does not know the wish has a rate of its own, which is 200 Hz
  if (has_wish_)
    has_wish_ = !put(mavlink::CommandLong{.param1 = static_cast<float>(mavlink::HilActuatorControls::kId),
                                          .param2 = static_cast<float>(period_ * 1e6),
                                          .command = kSetMessageInterval,
                                          .target_system = system_,
                                          .target_component = kAutopilotComponent},
                     now, send);
}

void Board::feed(const Measured& measured, std::uint64_t time_us, double now, const Send& send) {
  simulated_ = 1e-6 * static_cast<double>(time_us - std::min(time_us, kFirstMoment));
  texts_.beat(simulated_);
  if (!is_open_) return;
  if (measured.has_place) put(gps_message(measured, time_us), now, send);
  if (measured.has_distance) put(distance_message(measured, time_us), now, send);
  if (!put(sensor_message(measured, time_us), now, send)) return;
  ++figures_.sensors;
  if (has_sent_sensors_ && now - sensors_sent_ < kPause) figures_.between_sensors.add(now - sensors_sent_);
  sensors_sent_ = now;
  has_sent_sensors_ = true;
  sensors_[n_sensors_++ % kRemembered] = {time_us, now};
}

void Board::received(std::span<const std::byte> bytes, double now) {
  figures_.bytes += bytes.size();
  parser_.feed(bytes, [&](const mavlink::Frame& frame) {
    gaps_.count(frame);
    if (!frame.is_known) return;
    if (frame.id == mavlink::HilActuatorControls::kId) take_outputs(mavlink::decode<mavlink::HilActuatorControls>(frame), now);
    if (frame.id == mavlink::Timesync::kId) take_time(mavlink::decode<mavlink::Timesync>(frame), now);
    if (frame.id == mavlink::Statustext::kId) texts_.hear(mavlink::decode<mavlink::Statustext>(frame), simulated_);
    if (frame.id == mavlink::Heartbeat::kId && frame.component == kAutopilotComponent) take_heartbeat(frame);
  });
}

void Board::take_heartbeat(const mavlink::Frame& frame) {
  system_ = frame.system;
  if (!std::exchange(is_heard_, true)) has_wish_ = true;
  const auto heartbeat = mavlink::decode<mavlink::Heartbeat>(frame);
  mode_ = heartbeat.custom_mode;
  is_hil_ = (heartbeat.base_mode & kHilEnabled) != 0;
  if (!is_hil_ && !std::exchange(has_told_mode_, true)) tell("it is not in HIL mode: set its parameter SYS_HITL to 1 and restart it");
}

void Board::take_time(const mavlink::Timesync& message, double now) {
  if (message.tc1 == 0) return;  // its own question
  for (Sent& request : requests_)
    if (request.stamp != 0 && static_cast<std::int64_t>(request.stamp) == message.ts1) {
      figures_.round_trip.add(now - request.at);
      request = {};
    }
}

// The flags are not looked at: some versions of PX4 list their motors there.
void Board::take_outputs(const mavlink::HilActuatorControls& message, double now) {
  const double gap = now - arrived_;
  if (figures_.outputs > 0 && gap < limits_.silent) figures_.between_outputs.add(gap);
  ++figures_.outputs;
  command_ = command_of(message);
  arrived_ = now;
  waited_ = 0;
  is_new_ = true;
  for (Sent& sensor : sensors_)
    if (sensor.stamp != 0 && sensor.stamp == message.time_usec) {
      figures_.answer.add(now - sensor.at);
      sensor = {};
    }
}

// ---------------------------------------------------------------- a tick

Command Board::command(double now) {
  look(now);
  return state_ == BoardState::Flying || state_ == BoardState::Held ? command_ : Command{};
}

void Board::look(double now) {
  if (has_looked_) waited_ += std::clamp(now - looked_, 0.0, kLongestTick);
  looked_ = now;
  has_looked_ = true;
  if (const std::uint64_t n = dropping_.take(now, limits_.quiet); n > 0)
    tell(fmt::format("the device did not take {} messages, which were dropped: the board does not read", n));
  if (const std::uint64_t n = late_.take(now, limits_.quiet); n > 0)
    tell(fmt::format("its outputs come late: {} ticks flew with outputs that were older than {:g} ms", n, 1000 * limits_.held));
  if (figures_.outputs == 0) return wait_for_first();

  ++figures_.ticks;
  if (!std::exchange(is_new_, false)) ++figures_.ticks_without_new;
  const double late = std::min(now - arrived_, waited_);
  enter(late >= limits_.silent ? BoardState::Silent : late >= limits_.held ? BoardState::Held : BoardState::Flying, now);
  if (state_ != BoardState::Silent) figures_.age.add(now - arrived_);
}

void Board::wait_for_first() {
  if (waited_ < limits_.unheard || std::exchange(has_told_unheard_, true)) return;
  const char* why = !is_open_    ? "the device is gone"
                    : !is_heard_ ? "it sends no heartbeats: check device, cable and baud rate"
                    : !is_hil_   ? "it is not in HIL mode"
                                 : "it sends them only over links of more than 5000 bytes/s: set MAV_0_RATE or that of the port";
  tell(fmt::format("no outputs (HIL_ACTUATOR_CONTROLS) for {:g} s; {}", limits_.unheard, why));
}

void Board::enter(BoardState next, double now) {
  const BoardState before = std::exchange(state_, next);
  if (next == BoardState::Held) ++figures_.ticks_held, ++late_ticks_;
  if (next == BoardState::Silent) ++figures_.ticks_silent;
  // a silence is told of as such
  if (next != BoardState::Held)
    if (const std::uint64_t n = std::exchange(late_ticks_, 0); n > 0 && next == BoardState::Flying) late_.add(n, now);
  if (next == BoardState::Silent && before != BoardState::Silent) {
    ++figures_.silences;
    tell(fmt::format("no outputs for {:g} s; its vehicle is disarmed, and the rotors stop", limits_.silent));
  }
  if (before == BoardState::Silent && next != BoardState::Silent) {
    has_wish_ = is_heard_;  // it may have begun anew
    tell("it answers again");
  }
}

// ---------------------------------------------------------------- for people

BoardFigures Board::figures() const {
  BoardFigures out = figures_;
  out.state = state_;
  out.is_open = is_open_;
  out.bad_frames = parser_.counts().bad_checksum;
  out.skipped = parser_.counts().skipped;
  // a clock that happens to show a time of ours once is not an answer
  if (10 * out.answer.count() < 9 * out.outputs) out.answer = {};
  return out;
}

std::string Board::trouble() const {
  if (state_ == BoardState::Flying || state_ == BoardState::Held) return "";
  if (!is_open_) return "its device is gone";
  if (!is_heard_) return "it sends no heartbeats";
  if (!is_hil_) return "it is not in HIL mode";
  return state_ == BoardState::Waiting ? "it has sent no outputs yet" : fmt::format("it has sent no outputs for {:g} s", limits_.silent);
}

runner::AutopilotReport Board::report() const {
  runner::AutopilotReport state;
  state.kind = name_of(AutopilotKind::Px4);
  state.system = system_;
  if (is_heard_) state.mode = mode_name(mavlink::AutopilotKind::Px4, mavlink::VehicleType::Generic, mode_);
  state.messages = texts_.list();
  state.trouble = trouble();
  state.is_armed = state.trouble.empty() && command_.armed;
  return state;
}

FrameCounts Board::frames() const {
  const mavlink::Parser::Counts& c = parser_.counts();
  return {.received = c.frames, .sent = n_sent_, .lost = gaps_.lost(), .bad = c.bad_checksum + c.bad_flags, .dropped = figures_.dropped};
}

std::vector<std::string> Board::take_news() { return std::exchange(news_, {}); }

}  // namespace volary::autopilot
