// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How near two vehicles came in a run, and how often two were nearer than the sum of their radii, whatever the contact policy. Pairs that the engine checks for
// contact are checked in every tick (SwarmReport); all others ten times in every simulated second, here. Parked and crashed vehicles do not count.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "volary/world.hpp"

namespace volary::cli {

// motors that are off: such a vehicle is no partner of a pair
bool is_parked(Mode mode);

class ClosestPair {
 public:
  void begin(const World& world);
  void after_tick(const World& world);

  // with what the engine saw; without a distance there never were two vehicles
  struct Result {
    double distance = std::numeric_limits<double>::infinity();  // m, between the centres
    double time = 0;                                            // s
    std::string names;                                          // of the two, where they are known
    std::uint64_t passes = 0;                                   // nearer than the sum of the radii; each time that two come so near counts once
    bool in_every_tick = false;                                 // all pairs were checked in every tick
  };
  Result result(const SwarmReport& swarm) const;

 private:
  struct Place {
    double x, y, z, radius;  // m
    VehicleId id;
    bool touches;  // the engine checks it for contact
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  void look_at(const World& world, std::vector<Place>& places, std::set<Pair>& near);

  std::uint64_t every_ = 1;               // ticks
  std::map<std::string, double> radius_;  // m, by flock
  Result seen_;
  std::vector<std::set<Pair>> near_;  // by world: pairs that were nearer than the sum of their radii at the last look
};

}  // namespace volary::cli
