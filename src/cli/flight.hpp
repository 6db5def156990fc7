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

#include "cli/closest_pair.hpp"
#include "runner/runner.hpp"
#include "volary/world.hpp"

namespace volary::cli {

// the distance between setpoint and position over a mission
struct TrackingError {
  double max = 0, sum_of_squares = 0;  // m, m2
  std::uint64_t samples = 0;
  std::uint64_t every = 1;  // ticks between two looks

  void add(const Tracking& now);
  double rms() const;
};

// the tracking errors of n vehicles are looked at every so many ticks
std::uint64_t ticks_between_errors(std::size_t n_vehicles);

// what is worth knowing about a flight, gathered tick by tick
struct FlightLog final : runner::Sink {
  TrackingError error;
  ClosestPair closest;
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
  // the first lines that behaviours logged; `events` counts them all
  struct Line {
    double time = 0;  // s
    std::string vehicle, text;
  };
  std::vector<Line> lines;
  double tick = 0.01;  // s

  void begin(World& world, bool again) override;
  void event(World& world, const Event& event) override;
  void after_tick(World& world) override;
  void restored(World& world) override { begin(world, true); }  // figures are of the future that is flown now
};

struct Flight {
  std::uint64_t ticks = 0, planned = 0;
  double simulated = 0, wall = 0, factor = 0;  // s, s, -
  std::uint64_t overruns = 0;
  FlightLog log;
  bool interrupted = false;
  std::string failure;  // why it ended early, when nobody asked it to

  void take_figures(const World& world, const runner::Runner& runner);
};

// "2", "0.5" or "max", which is 0; parts of a second are allowed, words are not
bool parse_speed(const std::string& text, double& speed);

// how a world is flown from now to the end of its scenario, and who looks on
struct FlightPlan {
  double speed = 0;
  std::function<bool()> is_interrupted = {};
  std::vector<runner::Sink*> sinks = {};
  std::vector<runner::Source*> sources = {};
  std::function<core::Status(World&)> fly_tick = {};  // none: the world steps by itself
  std::function<void(runner::Clock&)> lend_clock = {};  // to whoever wakes the run, before it begins
};
void fly(World& world, const FlightPlan& plan, Flight& flight);

}  // namespace volary::cli
