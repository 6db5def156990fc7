// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that are simulated elsewhere: by another process of a live federation, or because they are real. What is known of them comes in inputs, so a recording has it and a replay
// needs nobody else. Between two reports they move straight on. They have mass, are detected, heard and touched like all others; what a contact makes of them is for
// whoever simulates them to say.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "volary/input.hpp"

namespace volary::engine {

struct Data;

struct Elsewhere {
  static constexpr std::uint32_t kMember = 1;  // owner of all of them, where this process is member 0

  // the vehicles of a flock from a place on
  struct Part {
    std::uint64_t flock = 0, first_place = 1, here = 0;
  };
  // what is known of one vehicle
  struct Report {
    std::uint64_t id = 0;       // value of the id
    std::int64_t as_of = 0;     // ns of the world's time
    std::int64_t straight = 0;  // ns for which it is moved straight on
    std::array<double, 3> position{}, velocity{};
    std::array<double, 4> attitude{};
    std::uint64_t status = 0;   // as in the status row
  };

  std::vector<Part> parts;      // by flock, the lowest place first
  std::vector<Report> reports;  // in the order of ids
  std::vector<Input> said;      // by vehicles of this process in the last tick; not state

  bool has(std::size_t flock, std::uint64_t place) const;
  Report* find(VehicleId id);
  template <class F> void each_state(F& f) { f(parts), f(reports); }
  bool fits(std::size_t flocks) const;  // after it was read
};

// the inputs
void assign(Data& d, const Assign& p);
bool say(Data& d, VehicleId from, const Say& p);
// columns of Many::Report for vehicles of a flock; the places in the list of those that are simulated here
std::vector<std::size_t> take_reports(Data& d, std::size_t flock, std::span<const std::uint32_t> slots, std::span<const double> values);

void follow_elsewhere(Data& d);  // after the parts changed or were put back
void begin_elsewhere(Data& d);   // one of which nothing was reported yet stays where it is
void carry_elsewhere(Data& d);   // to the end of the tick
std::uint64_t hash_elsewhere(const Data& d);

// what other worlds are to be told of the vehicles of this process after a tick: states, messages, removals
std::vector<Input> report(const Data& d, double straight);

}  // namespace volary::engine
