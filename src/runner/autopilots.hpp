// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Autopilots that fly vehicles of a run, as others see them and ask them. Whoever speaks with autopilots implements this, and whoever shows a run to people needs
// to know no more: a page shows modes and messages, and hands over orders. An order changes the world only by inputs, which the source of the autopilots gives, so
// that the run replays without them. All of it is called on the runner's thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "volary/def.hpp"
#include "volary/ids.hpp"

namespace volary::runner {

// what somebody wants of a vehicle
struct FlightOrder {
  enum class Kind : std::uint8_t { Arm, Disarm, TakeOff, Hold, GoTo, Mission, Return, Land, Terminate, Steer };

  Kind kind = Kind::Hold;
  Vec position_W = {0, 0, 0};  // m, of GoTo
  Vec velocity_W = {0, 0, 0};  // m/s, of Steer, which is given again and again
  double yaw_rate = 0;  // rad/s, of Steer
};

// by number, as MAVLink and syslog have them
inline constexpr std::array<const char*, 8> kSeverities = {"emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"};

struct AutopilotMessage {
  double time = 0;  // s, simulated
  std::uint8_t severity = 6;
  std::string text;
};

struct AutopilotReport {
  std::string kind;  // "Volary", "PX4", "ArduPilot"; empty: not known
  int system = 0;  // its MAVLink system id
  std::string mode;  // as ground stations call it; empty: not known
  bool is_armed = false;
  std::string trouble;  // why it does not fly its vehicle, or why nobody knows; empty: it flies
  std::string companion;  // what the run does as the companion computer of the vehicle; empty: it is none
  std::vector<AutopilotMessage> messages;  // the last ones, the oldest first
};

// a link on which clients meet vehicles
struct LinkReport {
  std::string address;
  std::string state;  // "connected", "no answer", "listening", "connecting"
  std::vector<std::string> peers;  // that were heard lately
  std::uint64_t received = 0, sent = 0;  // frames
  double received_rate = 0, sent_rate = 0;  // frames per second of the wall
  std::uint64_t lost = 0;  // frames that are missing in the count of their sender
  std::uint64_t bad = 0, refused = 0;  // frames with a wrong checksum; frames without a valid signature, or in the name of a vehicle
  std::uint64_t dropped = 0;  // frames that the line did not take
  bool is_signed = false;
};

// autopilots of one kind that the run waits for
struct LockstepReport {
  std::string kind;
  std::size_t vehicles = 0, gone = 0;
  double rate = 0;  // exchanges per second of the wall
  double factor = 0;  // simulated seconds per second of the wall
  double wait = 0;  // s, mean, until all have answered
  std::string slowest;  // the vehicle whose answers come last; empty: not known yet
  double slowest_wait = 0;  // s, mean
  std::vector<std::string> waiting_for;  // vehicles that hold the run now
};

class Autopilots {
 public:
  virtual ~Autopilots() = default;

  virtual bool is_used() const = 0;  // in the run that has begun
  virtual bool flies(VehicleId id) const = 0;
  virtual AutopilotReport report_of(VehicleId id) const = 0;  // of one that it flies
  virtual std::vector<LinkReport> link_reports() const { return {}; }
  virtual std::vector<LockstepReport> lockstep_reports() const { return {}; }

  // Of a vehicle that it flies. An error is the autopilot's refusal in words; ok where the answer is still to come.
  virtual core::Status order(VehicleId id, const FlightOrder& order) = 0;
  // refusals that came later, each once
  struct Refusal {
    VehicleId id = {};
    std::string text;
  };
  virtual std::vector<Refusal> take_refusals() { return {}; }
};

}  // namespace volary::runner
