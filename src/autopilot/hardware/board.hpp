// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A flight controller with PX4 in HIL mode (SYS_HITL 1) at the other end of a line, as a state machine without device, clock and thread: bytes and the time go in, frames
// come out. A board has a clock of its own and waits for nothing; its newest outputs are flown, for as long as they are new enough. `now` is s of the wall.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "autopilot/hardware/spread.hpp"
#include "autopilot/link_traffic.hpp"
#include "autopilot/lockstep/px4_protocol.hpp"
#include "autopilot/mavlink/frame.hpp"
#include "autopilot/status_texts.hpp"
#include "runner/autopilots.hpp"

namespace volary::autopilot {

struct BoardLimits {
  double held = 0.020;  // s: outputs that are older count as late, and are held
  double silent = 0.5;  // s: then the rotors stop
  double unheard = 5;  // s without any output at first, after which people are told
  double quiet = 10;  // s between two messages to people about the same trouble
};

enum class BoardState {
  Waiting,  // no output has come yet
  Flying,
  Held,  // the last outputs are late, and flown
  Silent  // no outputs for too long: none are flown
};
const char* name_of(BoardState state);

struct BoardFigures {
  std::string vehicle, device;
  BoardState state = BoardState::Waiting;
  bool is_open = false;
  Spread round_trip;  // from TIMESYNC to its answer
  Spread answer;  // from HIL_SENSOR to the HIL_ACTUATOR_CONTROLS that carries its time; of boards that send it back
  Spread between_outputs;  // s between two that arrive
  Spread between_sensors;  // s between two that are sent
  Spread age;  // of outputs when they are flown
  std::uint64_t outputs = 0, sensors = 0;  // messages
  std::uint64_t ticks = 0;  // since the first output
  std::uint64_t ticks_without_new = 0, ticks_held = 0, ticks_silent = 0;
  std::uint64_t silences = 0, times_opened = 0;
  std::uint64_t dropped = 0;  // messages that the line did not take
  std::uint64_t bytes = 0;  // received
  std::uint64_t bad_frames = 0, skipped = 0;  // frames with a wrong checksum, bytes outside of frames
};

class Board {
 public:
  using Send = std::function<bool(std::span<const std::byte>)>;  // one frame; false: the line did not take it

  // `who` is how people are told of it; `sensor_period` is s of simulated time between two readings
  Board(std::string who, double sensor_period, BoardLimits limits = {}) : who_(std::move(who)), period_(sensor_period), limits_(limits) {}

  void opened(double now);
  void closed(double now);
  void received(std::span<const std::byte> bytes, double now);
  // what goes by the wall: heartbeats, questions for the time, the wish for a rate; as often as there is time
  void beat(double now, const Send& send);
  // the sensors of a moment, which is later than all before
  void feed(const Measured& measured, std::uint64_t time_us, double now, const Send& send);
  // The outputs for a tick that begins now. The time that it goes by passes only while ticks are flown: a run that was paused has lost nothing.
  Command command(double now);

  BoardFigures figures() const;  // without names
  runner::AutopilotReport report() const;
  FrameCounts frames() const;  // since it was made, on whatever line
  std::vector<std::string> take_news();  // for people, each once

 private:
  // small trouble that comes often: people are told its number now and then
  struct Trouble {
    std::uint64_t untold = 0;
    double since = 0, told_at = -1e9;  // s

    void add(std::uint64_t n, double now);
    std::uint64_t take(double now, double quiet);  // 0: there is nothing to tell yet
  };
  // a message that an answer may name; 0: none, or it has been answered
  struct Sent {
    std::uint64_t stamp = 0;
    double at = 0;
  };
  template <class M> bool put(const M& message, double now, const Send& send);
  void take_heartbeat(const mavlink::Frame& frame);
  void take_time(const mavlink::Timesync& message, double now);
  void take_outputs(const mavlink::HilActuatorControls& message, double now);
  void look(double now);
  void wait_for_first();
  std::string trouble() const;  // empty: its outputs are flown
  void enter(BoardState next, double now);
  void tell(const std::string& text) { news_.push_back(who_ + ": " + text); }

  static constexpr std::size_t kRemembered = 64;  // messages that an answer may belong to

  std::string who_;
  double period_;
  BoardLimits limits_;
  mavlink::Parser parser_;
  mavlink::Writer writer_{1, 200};  // the simulator is component 200
  mavlink::Bytes buffer_;
  std::vector<std::string> news_;

  // the line
  bool is_open_ = false;
  bool is_heard_ = false, is_hil_ = false;  // a heartbeat has come, and says that the board is in HIL mode
  bool has_told_mode_ = false, has_told_unheard_ = false;
  bool has_wish_ = false;  // for a rate of outputs, not said yet
  std::uint8_t system_ = 0;  // of the board
  std::uint32_t mode_ = 0;  // of its last heartbeat
  StatusTexts texts_;
  double simulated_ = 0;  // s, of the last sensors
  mavlink::GapCounter gaps_;
  std::uint64_t n_sent_ = 0;  // frames
  double heartbeat_due_ = 0, time_due_ = 0;  // s
  std::array<Sent, kRemembered> sensors_{}, requests_{};  // sent last
  std::uint64_t n_sensors_ = 0, n_requests_ = 0;
  double sensors_sent_ = 0;  // s
  bool has_sent_sensors_ = false;

  // the outputs
  BoardState state_ = BoardState::Waiting;
  Command command_;
  double arrived_ = 0, looked_ = 0;  // s
  double waited_ = 0;  // s of ticks since outputs came, or since the line was opened
  bool is_new_ = false, has_looked_ = false;
  std::uint64_t late_ticks_ = 0;  // of the spell that lasts
  Trouble late_, dropping_;
  BoardFigures figures_;
};

}  // namespace volary::autopilot
