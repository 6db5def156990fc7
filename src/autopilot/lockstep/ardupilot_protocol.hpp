// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON interface of ArduPilot's SITL (UDP): ArduPilot sends a packet with servo outputs and waits for one JSON text with the motion of the vehicle.
#pragma once

#include <array>
#include <optional>

#include "autopilot/lockstep/protocol.hpp"

namespace volary::autopilot {

struct ServoPacket {
  std::uint16_t frame_rate = 0;   // Hz that ArduPilot would like
  std::uint32_t frame_count = 0;  // of frames that it has worked on; the same again is a repetition
  std::array<std::uint16_t, 32> pwm{};  // us; 16 or 32 are sent
};
// nothing: these bytes are no such packet
std::optional<ServoPacket> read_servo_packet(std::span<const std::byte> bytes);

// The reader of ArduPilot searches for words from the beginning: no key may be part of an earlier one, and there are no blanks.
std::string motion_json(const Measured& m, std::uint64_t time_us);

class ArdupilotProtocol final : public Protocol {
 public:
  explicit ArdupilotProtocol(const Wiring& wiring) : wiring_(wiring) {}

  void feed(const Measured& measured, std::uint64_t time_us) override;
  void received(std::span<const std::byte> bytes) override;
  void take_sends(mavlink::Bytes& out) override;
  bool has_answered() const override { return has_answered_; }
  bool is_booting() const override { return false; }  // it asks from its first moment on
  Command command() const override { return command_; }
  std::string fault() const override { return fault_; }

 private:
  void take_outputs(const ServoPacket& packet);

  Wiring wiring_;
  std::string text_;           // of the last feed
  bool is_told_ = true;        // the text was sent
  bool is_asked_ = false;      // a packet waits for its answer
  bool has_answered_ = false;
  std::optional<std::uint32_t> frame_;  // the last one
  Command command_;
  std::string fault_;
};

}  // namespace volary::autopilot
