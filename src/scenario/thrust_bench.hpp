// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A motor and its propeller on a test stand: thrust and perhaps torque over speed, from the CSV that the stand writes. Columns are recognised by their
// names and the units in them ("Thrust (gf)", "Motor Optical Speed (RPM)", "thrust_N", "mean_rpm"). Sensors of a stand take turns: a row may hold a
// thrust, a torque, both or only a speed, so that each is kept as a series of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

struct BenchSample {
  double time = 0;   // s, where the file has one
  double speed = 0;  // rad/s
  double value = 0;  // what else the row measured
};
struct ThrustBench {
  bool timed = false;
  std::vector<BenchSample> thrust;  // N of one rotor, of rows with speed and thrust
  std::vector<BenchSample> torque;  // N m with the sign of the stand, of rows with speed and torque
  std::vector<BenchSample> speed;   // of every row with a speed
  std::string speed_column, thrust_column, torque_column;  // what they were read from; the last may be empty
};

// `rotors` share a thrust that is called total
core::Result<ThrustBench> read_thrust_bench(std::string_view text, const std::string& file, int rotors = 4);

// whether the first line of a file names a speed and a thrust
bool is_thrust_bench(std::string_view text);

}  // namespace volary::scenario
