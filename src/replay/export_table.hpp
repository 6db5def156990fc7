// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an export holds of the vehicles: for each flock a list of columns with unit, frame, error bound and description, and the
// numbers of one moment after the other. Where they come from (export_source.hpp) and how they are written (export_writer.hpp) is not known here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "replay/recording.hpp"
#include "volary/world.hpp"

namespace volary::replay {

enum class Number : std::uint8_t { F4, F8, U1, U4, U8 };
std::size_t size_of(Number number);

struct ExportColumn {
  enum class Kind : std::uint8_t {
    Plain,          // as the world has it
    Sum,            // a position: its value and remainder as one number of 64 bits
    Parts,          // a position: value and remainder as the world has them
    Mode,           // number of the flight mode
    TrackingError,  // distance from the path
    Plot,           // number that a behaviour plots; the world has it from its first use on
  };
  std::string name, unit, frame, doc;
  Kind kind = Kind::Plain;
  std::string source = {};              // column of the world
  Number number = Number::F8;
  std::vector<std::string> parts = {};  // names of its numbers, such as x y z; empty: one number
  double bound = 0;                     // of the error of each number

  std::size_t count() const { return parts.empty() ? 1 : parts.size(); }
  std::size_t bytes() const { return count() * size_of(number); }  // of one vehicle
  // "position.x"
  std::string label(std::size_t part) const { return parts.empty() ? name : name + "." + parts[part]; }
  // "m, ENU, error 0"; empty for a flight mode
  std::string units() const;
};

struct FlockTable {
  std::string flock;
  std::uint32_t index = 0;  // in the head of the recording
  std::vector<ExportColumn> columns;
};

// Every column that can be named for a flock: those of the world, and `mode`, `tracking_error` and the parts of positions. `plots` names what its
// behaviours plot in the run: the world of its first tick does not know that yet.
std::vector<ExportColumn> known_columns(const World& world, const std::string& flock, const std::vector<std::string>& plots);
// The chosen columns of each flock that has one of them; no names: a default set; "all": every column of the world. A name that no flock has is an error.
core::Result<std::vector<FlockTable>> choose_columns(const World& world, const std::vector<PlotSeries>& plots, const std::vector<std::string>& names);
// the same of the view layer, which has position, velocity, attitude and mode, each with its error bound
core::Result<std::vector<FlockTable>> choose_view_columns(const Recording& recording, const std::vector<std::string>& names);

// position x y z in m, attitude w x y z
using ExportPose = std::array<double, 7>;

// The vehicles of one flock at a moment; `columns` are in the order of the table, each vehicle by vehicle with all its numbers.
struct FlockMoment {
  std::vector<std::uint32_t> vehicles;  // indices in the roster, ascending
  std::vector<std::vector<std::byte>> columns;
  std::vector<ExportPose> poses;
};
struct Moment {
  double tick = 0, time = 0;  // time in s
  std::vector<FlockMoment> flocks;
};

// calls `f` with a number of the given type at `at`
template <class F> void with_number(Number number, const std::byte* at, F&& f) {
  const auto as = [&](auto x) {
    std::memcpy(&x, at, sizeof x);
    f(x);
  };
  switch (number) {
    case Number::F4: return as(float{});
    case Number::F8: return as(double{});
    case Number::U1: return as(std::uint8_t{});
    case Number::U4: return as(std::uint32_t{});
    case Number::U8: return as(std::uint64_t{});
  }
}

}  // namespace volary::replay
