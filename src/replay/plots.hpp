// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers that behaviours plotted (docs/scripts.md), on their way into a recording and out of it. A block names what it holds, so that a
// block that is lost takes nothing but its own ticks along.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::replay {

struct PlotSample {
  std::uint32_t vehicle = 0;  // index in the roster
  std::uint64_t tick = 0;     // of the decision that plotted it; the world has it from the next tick on
  double value = 0;
};

// what the vehicles of one flock plotted under one name
struct PlotSeries {
  std::uint32_t flock = 0;  // index in the head
  std::string name;
  std::vector<PlotSample> samples;  // by vehicle, then by tick

  // what the column of the world holds at a tick: the last number before it, or nothing
  std::optional<double> at(std::uint32_t vehicle, std::uint64_t tick) const;
};

// samples on their way into a block
class PlotBatch {
 public:
  void add(std::uint32_t flock, const std::string& name, const PlotSample& sample);
  bool empty() const { return samples_.empty(); }
  std::size_t bytes() const { return samples_.size() * sizeof(Entry); }
  std::vector<std::byte> payload(std::uint64_t first_tick) const;

 private:
  struct Name {
    std::uint32_t flock;
    std::string name;
  };
  struct Entry {
    PlotSample sample;
    std::uint16_t name;
  };
  std::vector<Name> names_;
  std::vector<Entry> samples_;
};

// adds what a block holds to the series
core::Status read_plots(std::span<const std::byte> payload, std::uint64_t first_tick, std::vector<PlotSeries>& series);
void sort_plots(std::vector<PlotSeries>& series);  // after the last block

}  // namespace volary::replay
