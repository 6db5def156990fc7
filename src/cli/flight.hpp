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

#include "cli/pace.hpp"
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

struct Flight {
  std::uint64_t ticks = 0, planned = 0;
  double simulated = 0, wall = 0, factor = 0;  // s, s, -
  std::uint64_t overruns = 0;
  TrackingError error;
  std::map<std::string, std::uint64_t> events;  // how often, by kind
  std::vector<std::string> diverged;            // by name
  bool interrupted = false;
};

// called now and then with how far the flight is, 0 to 1, and the pace; returning false ends the flight
using Progress = std::function<bool(double done, const Pace& pace)>;

std::uint64_t planned_ticks(const WorldDef& def);
Flight fly(World& world, double speed, const Progress& progress);

}  // namespace volary::cli
