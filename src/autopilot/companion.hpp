// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A companion computer of one vehicle: it brings what behaviours ask for (GuidanceCommand) to the autopilot that flies the vehicle, in the words of MAVLink. The same
// one steers a PX4 or ArduPilot in lock-step, a real vehicle, and another simulator. A state machine without sockets, threads and clocks: messages and the time go
// in, frames come out. At each moment it looks at what is asked for and at what the autopilot says, and takes the next step from one to the other. It sends one
// command at a time, waits for the answer, and asks ever more seldom after a refusal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autopilot/autopilot_state.hpp"
#include "autopilot/outbox.hpp"
#include "volary/input.hpp"
#include "volary/world.hpp"

namespace volary::autopilot {

struct CompanionOptions {
  std::uint8_t system = 1;         // of the vehicle; the companion is another component of it
  std::string name;                // of the vehicle, as people are told it
  double take_off_height = 1.5;    // m
  Vec home_W = {0, 0, 0};          // m: origin of the autopilot's local positions
  std::optional<Place> place = {};  // its positions are latitudes and longitudes of this world; none: local positions
};

class Companion {
 public:
  Companion(CompanionOptions options, Outbox& outbox) : options_(std::move(options)), outbox_(outbox) {}

  // the wire; times in seconds of one clock, whichever it is
  void hear(const mavlink::Frame& frame, ChannelId from, double now);
  void closed(ChannelId channel);
  void beat(double now);  // what is due by now
  void leave();           // the last words: a vehicle that it flies stays where it is

  // the world
  void want(const GuidanceCommand& wanted);
  void want_hold();  // instead of moving on; landings and all that happens on the ground go on
  std::optional<SetState> take_motion();  // of the vehicle, where something new was heard of it
  const AutopilotState& state() const { return state_; }
  bool is_heard() const { return is_heard_; }

  std::string status() const;                // what it does, in words
  std::vector<std::string> take_reports();  // what people should know, each once

 private:
  // what is to be done next; the table in companion.cpp says how long each may take
  enum class Step { Nothing, WaitUntilReady, Guide, Arm, TakeOff, Land, Disarm };
  static constexpr std::uint8_t kAutopilot = mavlink::number_of(mavlink::Component::Autopilot1), kOwn = mavlink::number_of(mavlink::Component::OnboardComputer);
  struct Pending {
    mavlink::CommandLong command;
    double sent = 0;
  };

  const Dialect* dialect() const { return find_dialect(state_.kind); }
  std::optional<Vec> position_W() const;
  bool is_guided() const;
  bool is_streaming() const;
  Step next_step(double now) const;
  Step launch_step() const;

  void watch_link(double now);
  void watch_mode();
  void stream(double now);
  void command(double now);
  void begin(Step step, double now);
  void take_step(double now);
  void set_mode(ModeNumber mode, double now);
  void send(mavlink::CommandLong command, double now);
  void answered(const mavlink::CommandAck& ack, double now);
  void refused(const std::string& why, double now);
  template <class M> void send(const M& message) {
    if (channel_)
      outbox_.send(*channel_, options_.system, message);
    else
      outbox_.send_all(options_.system, message);  // some autopilots speak only after they were spoken to
  }
  template <class M> void fill_target(M& message) const;
  bool send_target();
  void report(const std::string& text) { reports_.push_back(options_.name + ": " + text); }

  CompanionOptions options_;
  Outbox& outbox_;
  std::optional<ChannelId> channel_;
  AutopilotState state_;
  GuidanceCommand wanted_;
  bool is_heard_ = false, was_heard_ = false;
  bool has_asked_ = false;      // behaviours have asked for something at least once
  bool is_let_go_ = false;      // somebody else flies it
  bool has_ordered_land_ = false;
  std::size_t n_requested_ = 0;  // telemetry
  std::uint64_t n_taken_ = 0;   // positions

  Step step_ = Step::Nothing;
  double step_since_ = 0, retry_at_ = 0, backoff_ = 0, silent_since_ = -1, streaming_since_ = -1, landed_since_ = -1;
  double beat_due_ = 0, stream_due_ = 0;
  int n_tries_ = 0;
  bool is_reported_ = false;    // that the step takes too long
  std::string reason_;          // of the last refusal
  std::optional<Pending> pending_;
  std::optional<Vec> anchor_W_;  // where it stays
  std::optional<Vec> ground_W_;  // where it was armed
  std::optional<double> yaw_;   // rad, that it keeps
  std::vector<std::string> reports_;
};

}  // namespace volary::autopilot
