// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The flight of one vehicle out of its log: position, velocity, attitude and body rates over time, flight modes, and what people should read.
// East, north, up about the origin of the log, body axes forward, left, up, as everywhere here. Numbers are rounded to 32 bits, so that the bytes of a flight
// (flight_bytes.cpp), which a recording keeps instead of the log, give the same flight again, bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "logs/log.hpp"
#include "volary/def.hpp"

namespace volary::logs {

// a place on the Earth as people write it
struct Place {
  double latitude = 0, longitude = 0;  // deg
  double height = 0;                   // m
};
// false also where a number is not finite
constexpr bool is_near_the_ground(const Place& p) {
  return p.latitude >= -90 && p.latitude <= 90 && p.longitude >= -180 && p.longitude <= 180 && p.height > -1e5 && p.height < 1e5;
}

// times are microseconds since the first position
struct Fix {
  std::int64_t time_us = 0;
  std::array<float, 3> position{}, velocity{};  // m, m/s
};
struct Turn {
  std::int64_t time_us = 0;
  std::array<float, 4> attitude = {1, 0, 0, 0};  // w x y z, body to east north up
};
struct Rate {
  std::int64_t time_us = 0;
  std::array<float, 3> omega{};  // rad/s, body
};
struct ModeChange {
  std::int64_t time_us = 0;
  Mode mode = Mode::Disarmed;
};
struct Note {
  std::int64_t time_us = 0;
  std::string text;
};
// commands to the motors, as the log has them: 0 to 1, or the length of a pulse in microseconds
struct Outputs {
  std::int64_t time_us = 0;
  std::vector<float> values;
};

struct Flight {
  std::string vehicle, firmware;
  std::string sources;            // names of the messages that it is made of
  std::optional<Place> origin;    // of position 0
  std::optional<double> utc;      // s since 1970, at time 0
  std::vector<Fix> fixes;         // each list in the order of time
  std::vector<Turn> turns;
  std::vector<Rate> rates;
  std::vector<ModeChange> modes;
  std::vector<Note> notes;
  std::vector<std::string> warnings;  // what was damaged in the log, for people
  std::vector<Outputs> outputs;   // not kept in the bytes of a flight
  std::size_t gaps = 0;           // longer than kLongestGap
  double longest_gap = 0;         // s

  double duration() const { return fixes.empty() ? 0 : static_cast<double>(fixes.back().time_us) * 1e-6; }
};

// A vehicle stands still while no position is known for longer than this, and an event reports it.
inline constexpr double kLongestGap = 2;      // s
inline constexpr double kMostSamples = 100;   // per second and quantity: what comes more often is thinned out

// Positions come from the estimator where it has them and from the receiver for satellites last; docs/logs.md has the order. An error when there are none.
core::Result<Flight> flight_of(const Log& log);

// as a recording keeps it
std::string flight_bytes(const Flight& flight);
bool is_flight(std::string_view bytes);
core::Result<Flight> read_flight(std::string_view bytes, const std::string& file);
// from the bytes of a log, or of a flight
core::Result<Flight> load_flight(std::string_view bytes, const std::string& file);

}  // namespace volary::logs
