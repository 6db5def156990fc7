// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of sensors and estimators are given: where everything lies in the senses record of a flock. The record is laid out when the flock is made, of
// what its vehicles carry:
//   carried    one bit for each sensor that a vehicle has
//   sensor     what it remembers, what was looked up for it, its last readings as a ring, and the one that has arrived
//   filter     nominal state and covariance at the time of fusion, increments of the IMU since then, what is noted of each source, health
#pragma once

#include "engine/kernel.hpp"

namespace volary::engine {

inline constexpr int kSensors = 10;  // of sensors::AllSensors

struct SensePlace {
  int memory = -1, scene = -1, ring = -1, delivered = -1, watch = -1;  // first rows; -1: there are none
  int rows = 0;        // of a reading
  int entries = 1;     // of the ring
  int room = 0;        // readings by which a fault can delay it
  int params = 0;      // first of its parameters
  std::uint64_t period = 1, phase = 0, latency = 0;  // ticks
};

struct SenseLayout {
  int rows = 0;
  SensePlace sensors[kSensors];
  int ground = -1;     // m, height of the ground below; -1: it is that of the site
  int nominal = -1, covariance = -1, increments = -1, health = -1;
  int states = 0;      // of the filter: 15, 17 or none
  int horizon = 0;     // ticks between fusion and now
  int filter_params = 0;
};

// rows of the hot record; -1: the model has none
struct TrueRows {
  int position = -1, position_rows = 0, velocity = -1, attitude = -1, omega = -1, wind = -1, gust = -1, density = -1;
  int rotor_speed = -1, rotors = 0;      // of one aircraft; those of the next one lie `apart` rows on
  int aircraft = 1, apart = 0;
  double full_speed = 0;  // rad/s, of a rotor
  int imu = -1;           // first row of the IMU's state
  int gyro = -1, delta_angle = -1;
  int estimate = -1, seen_velocity = -1, turn_on = -1, bias = -1;
};

// What happens at a tick, one bit for each sensor: who measures, whose reading arrives, whose is fused. Divisions that all lanes share.
struct SensesDue {
  std::uint32_t measured, arrived, fused;  // without a constructor that instruction sets could share
};

struct SenseArgs {
  void* hot = nullptr;
  void* senses = nullptr;
  const void* identity = nullptr;
  const void* params = nullptr;  // of all sensors and the filter, broadcast to this width
  const void* site = nullptr;    // sensors::Site
  const void* faults = nullptr;  // blocks x sensors::kFaultRows x 16; none: everything works
  int hot_rows = 0;
  const SenseLayout* layout = nullptr;
  TrueRows at;
  std::size_t first = 0, last = 0;  // blocks
  std::uint64_t tick = 0;           // at which the tick began: what is measured is the state after it
  const WorldTicks* apart = nullptr;
  SensesDue due{0, 0, 0};           // after the tick, where all worlds are at the same
  void* spare = nullptr;            // rows of a block, of both records, for lanes that are not to change; none on a GPU
};

}  // namespace volary::engine
