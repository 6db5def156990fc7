// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A vehicle of the simulation as clients of MAVLink see it: it answers like PX4 and flies with Volary's own control. A state machine without clock, socket or
// thread: messages and states go in, orders for the engine and frames come out. `now` is wall time in seconds, for what depends on clients; all else goes by the
// simulated time of the state.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "autopilot/fence.hpp"
#include "autopilot/mission_flight.hpp"
#include "autopilot/mission_protocol.hpp"
#include "autopilot/parameters.hpp"
#include "autopilot/pilot.hpp"
#include "autopilot/telemetry.hpp"

namespace volary::autopilot {

class VirtualAutopilot {
 public:
  VirtualAutopilot(const VehicleFacts& facts, std::uint8_t system, const Place& place, Outbox& outbox);
  VirtualAutopilot(const VirtualAutopilot&) = delete;
  VirtualAutopilot& operator=(const VirtualAutopilot&) = delete;

  void see(const VehicleState& state);  // after every tick
  void hear(const mavlink::Frame& frame, const Sender& sender, double now);
  void beat(double now);  // ten times a second or more often
  std::vector<Payload> take_orders() { return pilot_.take_orders(); }

  std::uint8_t system() const { return system_; }
  const VehicleFacts& facts() const { return facts_; }
  FlightMode mode() const;
  bool is_armed() const { return pilot_.is_armed(); }

  // a status text; those kept are the last ones, and all that there ever were are counted
  struct Said {
    double time = 0;  // s, simulated
    mavlink::Severity severity = {};
    std::string text;
  };
  static constexpr std::size_t kMostSaid = 20;
  const std::deque<Said>& said() const { return said_; }
  std::uint64_t n_said() const { return n_said_; }
  // the answer to the last command; nothing: there was none
  std::optional<mavlink::CommandResult> answered() const { return last_ ? std::optional(last_->result) : std::nullopt; }

 private:
  using Result = mavlink::CommandResult;
  // who steers: the engine's own modes, or this autopilot with setpoints
  enum class Steering { Engine, GoTo, Mission, Return, Manual, Offboard };
  enum class ReturnPhase { Climb, Home, Land };

  // commands (virtual_commands.cpp)
  struct Order {
    mavlink::Command command = {};
    std::array<double, 8> param{};  // from 1 on; 5 and 6 are degrees where they are a place
    std::uint8_t frame = 0;
    bool is_repeat = false;  // the client says so
  };
  struct LastCommand {
    mavlink::Command command = {};
    Sender sender;
    Result result = Result::Accepted;
  };
  void hear_command(const mavlink::CommandLong& m, const Sender& sender);
  void hear_command(const mavlink::CommandInt& m, const Sender& sender);
  void obey(const Order& order, const Sender& sender);
  Result obeyed(const Order& order, const Sender& sender);
  Result arm(const Order& order);
  Result take_off(const Order& order);
  Result reposition(const Order& order);
  Result change_mode(FlightMode mode);
  Result set_mode_by_number(std::uint8_t main, std::uint8_t sub);
  Result set_home(const Order& order);
  Result request_message(const Order& order, const Sender& sender);
  std::string why_not_armed() const;

  // setpoints of clients (virtual_setpoints.cpp)
  void hear_setpoint(const mavlink::SetPositionTargetLocalNed& m);
  void hear_setpoint(const mavlink::SetPositionTargetGlobalInt& m);
  void hear_setpoint(const mavlink::SetAttitudeTarget& m);
  void hear_sticks(const mavlink::ManualControl& m);
  void take_setpoint(const SetSetpoint& setpoint);
  double turned_yaw(bool has_yaw, double compass, bool has_rate, double rate);

  // other messages
  void hear_parameters(const mavlink::Frame& frame, const Sender& sender);
  void set_parameter(const mavlink::ParamSet& m);
  void hear_timesync(const mavlink::Timesync& m, const Sender& sender);
  void hear_set_current(std::size_t index, const Sender& sender);

  void fly_home();
  void watch_fence();
  void fly_mission();
  void disarm_idle();
  void tell_change();
  void end_steering();  // the engine's modes decide again
  bool steers_itself() const { return steering_ == Steering::GoTo || steering_ == Steering::Mission || steering_ == Steering::Return; }
  void begin_chosen();  // after arming: the mode that was chosen on the ground
  bool has_fresh_setpoint() const { return offboard_ && now_ - offboard_heard_ <= parameters_["COM_OF_LOSS_T"]; }
  void say(mavlink::Severity severity, std::string text);
  Report report() const;

  VehicleFacts facts_;
  std::uint8_t system_;
  const Place& place_;
  Outbox& outbox_;
  Parameters parameters_;
  Pilot pilot_;
  MissionProtocol missions_;
  MissionFlight flight_;
  Fence fence_;
  Streams streams_;

  std::optional<LastCommand> last_;
  Steering steering_ = Steering::Engine;
  FlightMode chosen_ = FlightMode::Hold;  // on the ground: the mode that a client chose
  ReturnPhase return_ = ReturnPhase::Climb;
  std::optional<SetSetpoint> offboard_;  // the last setpoint of a client
  double offboard_heard_ = -1e9, sticks_heard_ = -1e9, beaten_ = -1e9, now_ = 0;  // s, wall
  double armed_since_ = 0;  // s, simulated
  double yaw_ = 0, yaw_time_ = 0;  // rad, s: of setpoints with a yaw rate
  bool was_armed_ = false, fence_is_broken_ = false;
  std::uint16_t fence_breaches_ = 0;
  std::uint32_t shown_ = 0;  // mode and arming of the last heartbeat
  std::size_t parameters_told_ = ~std::size_t{0};  // of a list that is being sent
  ChannelId parameters_to_ = 0;
  std::deque<Said> said_;
  std::uint64_t n_said_ = 0;
};

}  // namespace volary::autopilot
