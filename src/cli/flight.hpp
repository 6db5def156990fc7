// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One flight of a scenario from beginning to end, and what it measured.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "server/pace.hpp"
#include "volary/world.hpp"

namespace volary::cli {

using server::make_pace;
using server::Pace;

// the distance between setpoint and position over a mission
struct TrackingError {
  double max = 0, sum_of_squares = 0;  // m, m2
  std::uint64_t samples = 0;
  std::uint64_t every = 1;  // ticks between two looks

  void add(const Tracking& now);
  double rms() const;
};

// what is worth knowing about a flight, gathered tick by tick
struct FlightLog {
  TrackingError error;
  std::map<std::string, std::uint64_t> events;  // how often, by kind
  std::map<std::string, std::string> first;     // what the first of each kind said, and who: "scout_3: flock.lua:14: ..."
  std::vector<std::string> diverged;            // by name
  // why vehicles stopped deciding, each different text once, in the order of their coming
  struct Stopped {
    std::string text;
    std::uint64_t vehicles = 0;
    std::string first;  // name of the first vehicle
    double time = 0;    // s, of the first
  };
  std::vector<Stopped> stopped;
  double tick = 0.01;  // s

  void begin(const World& world);
  void event(const Event& event);
  void after_tick(const World& world);
};

struct Flight {
  std::uint64_t ticks = 0, planned = 0;
  double simulated = 0, wall = 0, factor = 0;  // s, s, -
  std::uint64_t overruns = 0;
  FlightLog log;
  bool interrupted = false;
};

// called now and then with how far the flight is, 0 to 1, and the pace; returning false ends the flight
using Progress = std::function<bool(double done, const Pace& pace)>;

// "2", "0.5" or "max", which is 0; parts of a second are allowed, words are not
bool parse_speed(const std::string& text, double& speed);

// the recorder may be none
class RunRecorder;
Flight fly(World& world, double speed, const Progress& progress, RunRecorder* recorder = nullptr);

}  // namespace volary::cli
