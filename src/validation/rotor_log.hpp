// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flights of a Crazyflie recorded at 1 kHz: what its sensors saw and what its four motors were told. Files are known by their columns, flying
// time is found in the data.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "math/vec.hpp"
#include "validation/samples.hpp"

namespace volary::validation {

inline constexpr double kLogStep = 0.001;       // s, after resampling
inline constexpr double kCompareCutoff = 20;    // Hz: both sides of a comparison are smoothed at this frequency, forwards and backwards
inline constexpr double kGravity = 9.80665;     // m/s2, the unit g of the recordings

// what is compared: vertical specific force (m/s2) and angular acceleration (rad/s2), body axes x forward, y left, z up
inline constexpr std::size_t kAxesCompared = 4;
struct AxisInfo {
  const char *name, *title, *unit;
};
inline constexpr AxisInfo kAxisInfo[kAxesCompared] = {{"vertical_force", "vertical specific force", "m/s2"},
                                                      {"roll", "roll acceleration", "rad/s2"},
                                                      {"pitch", "pitch acceleration", "rad/s2"},
                                                      {"yaw", "yaw acceleration", "rad/s2"}};
using AxisSamples = std::array<Samples, kAxesCompared>;

struct Flown {
  double lift_off = 0;  // s: first moment off the ground, or of the recording
  Span airborne;        // s: out of the ground's influence, until shortly before landing, impact or the end
};

struct RotorLog {
  std::string file, name;  // name: of the file, without folder and ending
  double start = 0;        // s
  std::vector<math::Vec3<double>> specific_force;  // m/s2
  std::vector<math::Vec3<double>> rate;            // rad/s, without the bias seen at rest
  std::vector<std::array<double, 4>> command;      // 0 to 1: front right, rear right, rear left, front left
  AxisSamples measured;                            // smoothed
  std::vector<Flown> flown;

  std::size_t size() const { return command.size(); }
  double time(std::size_t row) const { return start + static_cast<double>(row) * kLogStep; }
  std::size_t row(double t) const;  // the nearest, within the recording
};

// the columns that make a file a recording of this kind
const std::vector<std::string>& rotor_log_columns();
core::Result<RotorLog> read_rotor_log(const std::string& path);

// finds bias, flying time and the smoothed measurements of a log whose recorded rows are filled in
void prepare(RotorLog& log);

// Windows of two seconds by turns, the first for fitting: the scored ones keep 0.1 s from those that were fitted. With `chosen`, that span is
// scored and the rest is fitted.
struct Windows {
  std::vector<Span> fit, score;
};
Windows plan_windows(const RotorLog& log, const std::optional<Span>& chosen);

}  // namespace volary::validation
