// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that behaviours plotted last, for clients that ask for some vehicles: a client that comes late is told what is still kept.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "volary/world.hpp"

namespace volary::server {

class PlotHistory {
 public:
  static constexpr std::size_t kMost = 200'000;        // samples of all vehicles
  static constexpr std::size_t kMostTold = 20'000;     // samples of one message

  void note(const World& world);  // after every tick
  void clear();
  // numbers of samples over the whole run; those before first() are forgotten
  std::uint64_t first() const { return end() - samples_.size(); }
  std::uint64_t end() const { return end_; }
  // the message with the samples of these vehicles from `next` on, which is moved behind them; none: there is no news
  std::optional<std::string> text(const std::vector<VehicleId>& vehicles, std::uint64_t& next) const;

 private:
  struct Sample {
    VehicleId vehicle;
    std::uint32_t name;
    std::uint64_t tick;
    double value;
  };
  std::vector<std::string> names_;
  std::deque<Sample> samples_;
  std::uint64_t end_ = 0;
};

}  // namespace volary::server
