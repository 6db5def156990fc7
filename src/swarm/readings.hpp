// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What scripts and plugins read of the sensors and the estimator of their vehicle: names, and where the numbers of each lie in a row of numbers. The list is that of a
// flock; the rows are published with the frame.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volary::swarm {

// the first words of names: of what an estimator says, and of sensors that are not in sensors/all.hpp
inline constexpr std::string_view kEstimatePrefix = "estimate.", kOwnPrefix = "own.";

struct Reading {
  std::string name;         // "gnss.position"
  std::size_t first = 0;    // number in the row
  std::size_t count = 0;
  std::uint64_t needs = 0;  // bit of the sensor that measures it; 0: every vehicle of the flock has it
};

// The first number of a row says what the vehicle carries, a bit for each sensor.
class ReadingList {
 public:
  void add(std::string name, std::size_t count, std::uint64_t needs) {
    all_.push_back({std::move(name), width_, count, needs});
    width_ += count;
  }
  std::span<const Reading> all() const { return all_; }
  std::size_t width() const { return width_; }
  const Reading* find(std::string_view name) const;

 private:
  std::vector<Reading> all_;
  std::size_t width_ = 1;
};

// the numbers of a reading of a vehicle; none: it does not carry the sensor
inline const double* numbers_of(const Reading& r, const double* row) {
  return r.needs != 0 && (static_cast<std::uint64_t>(row[0]) & r.needs) == 0 ? nullptr : row + r.first;
}

// Whether a vehicle could have a reading of this name, whatever this one carries: own sensors may have any name.
bool is_reading(std::string_view name);
// the names of sensors that come with Volary, and of estimates
std::vector<std::string> known_readings();

}  // namespace volary::swarm
