// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a virtual autopilot tells of its vehicle: one list of messages, each with its usual rate in simulated time, and the functions that fill them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "autopilot/modes.hpp"
#include "autopilot/outbox.hpp"
#include "autopilot/parameters.hpp"
#include "autopilot/pilot.hpp"
#include "autopilot/place.hpp"

namespace volary::autopilot {

// all that messages are made of
struct Report {
  const VehicleFacts& facts;
  const VehicleState& state;
  const Place& place;
  const std::optional<SetSetpoint>& target;
  FlightMode mode = FlightMode::Hold;
  bool is_armed = false, is_airborne = false, is_ready = true;  // ready: it may be armed
  std::uint16_t mission_current = 0, mission_total = 0;
  mavlink::MissionState mission_state = mavlink::MissionState::NoMission;
  bool fence_is_broken = false;
  std::uint16_t fence_breaches = 0;
};

mavlink::Heartbeat heartbeat(const Report& report);
mavlink::AutopilotVersion autopilot_version(const Report& report, std::uint8_t system);
mavlink::AvailableModes available_mode(std::uint8_t index);  // from 1
mavlink::HomePosition home_position(const Report& report);
mavlink::MissionCurrent mission_current(const Report& report);

// sends the message with this id once; false: it has no such message
bool send_once(std::uint32_t id, const Report& report, std::uint8_t system, Outbox& outbox, std::optional<ChannelId> to);

class Streams {
 public:
  Streams();

  // -1: off, 0: the usual interval. False: there is no such stream.
  bool set_interval(std::uint32_t id, double microseconds);
  std::optional<double> interval_of(std::uint32_t id) const;  // us, -1: off; nothing: there is no such stream
  void set_usual_rate(double hertz);                          // of all streams that are on
  void send_due(const Report& report, std::uint8_t system, Outbox& outbox);

 private:
  struct Stream {
    std::uint32_t id = 0;
    double usual = 0, interval = 0;  // s; 0: off
    double due = 0;                  // s, simulated
  };
  std::vector<Stream> streams_;
};

}  // namespace volary::autopilot
