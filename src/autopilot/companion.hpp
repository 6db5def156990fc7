// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A companion computer of one vehicle: it brings what behaviours ask for (GuidanceCommand) and what people order (FlightOrder) to the autopilot that flies the
// vehicle, in the words of MAVLink. The same one steers a PX4 or ArduPilot in lock-step, a real vehicle, and another simulator. A state machine without sockets,
// threads and clocks: messages and the time go in, frames come out. It sends one command at a time and waits for the answer.
// For behaviours it looks at each moment at what is asked for and at what the autopilot says, takes the next step from one to the other, and asks ever more seldom
// after a refusal. An order of people is what a ground station would send for it, is asked for once, and lets behaviours go until the order Mission.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "autopilot/autopilot_state.hpp"
#include "autopilot/outbox.hpp"
#include "core/result.hpp"
#include "runner/autopilots.hpp"
#include "volary/input.hpp"
#include "volary/world.hpp"

namespace volary::autopilot {

struct CompanionOptions {
  std::uint8_t system = 1;         // of the vehicle; the companion is another component of it
  std::string name;                // of the vehicle, as people are told it
  double take_off_height = 1.5;    // m
  Vec home_W = {0, 0, 0};          // m: origin of the autopilot's local positions
  std::optional<Place> place = {};  // its positions are latitudes and longitudes of this world; none: local positions
  std::optional<Place> site = {};   // where the world lies, for places that people order; none: `place`
  bool is_station = false;          // it is a ground station, too: PX4 sends its texts to nobody else
  bool has_behaviours = true;       // the order Mission gives it back to them; otherwise the autopilot flies its own mission
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
  std::uint8_t system() const { return options_.system; }
  bool is_heard() const { return is_heard_; }

  // People. An error where it cannot be; ok where the autopilot is asked: what it refuses comes later.
  core::Status order(const runner::FlightOrder& order, double now);
  std::vector<std::string> take_refusals();  // each once

  std::string status() const;                // what it does, in words
  std::vector<std::string> take_reports();  // what people should know, each once

 private:
  // what is to be done next; the table in companion.cpp says how long each may take
  enum class Step { Nothing, WaitUntilReady, Guide, Arm, TakeOff, Land, Disarm };
  static constexpr std::uint8_t kAutopilot = mavlink::number_of(mavlink::Component::Autopilot1), kOwn = mavlink::number_of(mavlink::Component::OnboardComputer);
  using Command = std::variant<mavlink::CommandLong, mavlink::CommandInt>;
  enum class For { Telemetry, Behaviours, People, Nobody };  // Nobody: another order came meanwhile
  struct Pending {
    Command command;
    For whom;
    double sent = 0;
  };
  struct Order {
    const char* what;               // "to land"
    std::vector<Command> commands;  // in this order
    double since = 0;               // s
    bool needs_setpoints = false;   // its first command is refused without
    std::size_t n_done = 0;
    std::string refusal = {};       // "answered 'denied'"
    double refused_at = 0;          // s
  };

  const Dialect* dialect() const { return find_dialect(state_.kind, state_.type); }
  const GuidanceCommand& wanted() const { return steer_ ? *steer_ : wanted_; }
  std::optional<Vec> position_W() const;
  bool is_guided() const;
  bool is_streaming() const;
  Step next_step(double now) const;
  Step launch_step() const;

  void watch_link(double now);
  void watch_mode();
  void watch_claim();
  void stream(double now);
  void command(double now);
  void begin(Step step, double now);
  void take_step(double now);
  bool has_lead(double now) const;  // of setpoints, before the mode that follows them
  void wait_for_answer(double now);
  void send(Command command, For whom, double now);
  void answered(const mavlink::CommandAck& ack, double now);
  void refused(const std::string& why, double now);

  core::Status check(const runner::FlightOrder& order) const;
  core::Status resume_behaviours(double now);
  core::Status steer(const runner::FlightOrder& order, double now);
  void begin_order(Order order, bool is_claimed, double now);
  void watch_steering(double now);
  void take_order(double now);
  void end_order(double now);
  void tell_refusal(double now);
  bool is_settled() const;  // its mode is one that was told after the last order
  std::vector<Command> launch_commands() const;
  std::vector<Command> mission_commands() const;
  Command go_to(const Vec& position_W) const;
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

  std::optional<Order> order_;
  bool is_claimed_ = false;  // the mode that follows setpoints is a person's until it is left, and no sign that the vehicle was given to its behaviours
  std::optional<GuidanceCommand> steer_;  // by a person's hands, instead of what behaviours ask for
  double steer_yaw_rate_ = 0, steered_at_ = 0;  // rad/s; s
  bool is_steering_over_ = false;  // it stands still until another mode is there
  bool is_steering_refused_ = false;  // until the hands rest
  double settled_at_ = -1;  // s
  bool was_armed_ = false;
  std::vector<std::string> refusals_;
};

// commands as messages, without their target
mavlink::CommandLong mode_command(ModeNumber mode);
mavlink::CommandLong arm_command(bool is_armed);

}  // namespace volary::autopilot
