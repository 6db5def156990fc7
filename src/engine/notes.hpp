// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What scripts and plugins tell the people who debug them: lines of log() become events, numbers of plot() become columns of the flock.
// It travels with snapshots, so that a branch and a replay tell the same, and is no part of the hash. Decisions are made on several
// threads; their notes are taken one after the other, in the order of ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "swarm/script/notes.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct Data;
struct Flock;

// how many lines of a vehicle became events in the present second
struct LogAllowance {
  std::uint64_t second = 0;
  std::uint32_t used = 0, dropped = 0;
};

// the numbers that the vehicles of a flock plot
struct PlotColumns {
  static constexpr std::size_t kMost = 16;
  std::vector<std::string> names;           // in the order of their first use
  std::vector<std::vector<double>> values;  // of each name by slot, as many as the flock has room for; NaN: never plotted
  std::uint32_t is_full = 0;                // 1: an event said that other names are not kept

  template <class F> void each_state(F& f) {
    f(names);
    f(values);
    f(is_full);
  }
  bool fits(std::size_t slots) const;
};

struct FlockNotes {
  bool is_on = false;                    // the flock has a script or a plugin
  std::vector<LogAllowance> allowances;  // by slot
  PlotColumns plots;

  template <class F> void each_state(F& f) {
    if (!is_on) return;
    f(allowances);
    f(plots);
  }
  bool fits(std::size_t slots) const { return !is_on || (allowances.size() == slots && plots.fits(slots)); }
  void settle(std::size_t slot, std::size_t slots, std::size_t capacity);  // a new vehicle has told nothing
};

// of one decision
struct Noted {
  VehicleId id;
  std::size_t flock = 0, slot = 0;
  std::string behaviour;
  swarm::Notes notes;
};

// a vehicle whose behaviour failed, or that notices something of itself (conditions.hpp)
struct Fault {
  VehicleId id;
  std::string what;
};
// what the decisions of this tick have to tell people; empty between ticks
struct Told {
  std::vector<Noted> noted;
  std::vector<Fault> faults;
};

// what the decisions of this tick told becomes events and columns
void tell(Data& d);

const PlotColumns& plots_of(const Data& d, const Flock& f);
std::optional<View> view_of_plot(const Data& d, const Flock& f, const std::string& name);

}  // namespace volary::engine
