// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One row of the benchmark: a flock of hovering quadrotors, how it is run, and how fast that went.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"
#include "volary/def.hpp"

namespace volary::cli {

struct BenchCase {
  std::string control = "rate";    // rate, position
  std::string features = "basic";  // basic, full, tilted
  int lanes = 16;
  std::int64_t agents = 10'000;
  int threads = 1;
  int fused = 1;  // substeps in a tick
  bool hash = false;

  std::string name() const;       // multirotor/control=rate/features=basic/lanes=16/...
  std::string yardstick() const;  // the row of the yardstick with the same lanes, agents, threads and fused
};

struct Measured {
  double rate = 0;             // agent-steps (substeps) per second of CPU time, all threads together
  double wall_rate = 0;        // the same by the clock on the wall
  double bytes_per_agent = 0;  // of all columns
  double traffic = 0;          // bytes an agent reads and writes in a tick
  double bytes = 0;            // of the world
};

// `airframe` is a quadrotor with basic features when physics is not full; best of `runs` short runs
core::Result<Measured> measure(const BenchCase& c, const Airframe& airframe, int runs, double substep = 1e-3);

}  // namespace volary::cli
