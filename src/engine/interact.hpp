// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who touches whom and what, and who sees whom (P-08..P-10). Vehicles are spheres for each other. Candidates for contact are kept for as
// long as nobody can have come closer unnoticed, so that most ticks only look at a short list of pairs; the answer is the same as looking
// at all pairs in every tick.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/near_pairs.hpp"
#include "engine/neighbours.hpp"

namespace volary::engine {

struct Data;

struct Pair {
  std::uint64_t a = 0, b = 0;  // id numbers, a < b
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

struct Interaction {
  bool touches = false, detects = false;  // whether anybody does
  // state
  std::vector<Pair> touching;             // now, in order
  std::vector<std::uint64_t> crashed;     // values of the ids of all that ever crashed, in order
  // derived: candidates since the places in `since` were taken
  Neighbours near;  // for detection
  NearPairs pairs;
  std::vector<Vec> since;
  std::vector<Vec> before;                // m/s: velocities at the start of the tick
  std::vector<std::uint8_t> looks;        // by place in the frame: whose turn it is to look
  std::vector<std::pair<std::uint32_t, std::uint32_t>> candidates;  // places in the frame
  std::uint64_t roster = ~std::uint64_t{0};
  double nearest = 0;                     // m between the two nearest vehicles of the last tick; infinite where none are candidates

  bool has_crashed(VehicleId id) const;
  template <class F> void each_state(F& f) { f(touching), f(crashed); }
};

// the nearest of ground, terrain and obstacles
struct Surface {
  double distance;  // m, negative below
  Vec normal;
  std::string what;
};
Surface surface_near(const EnvironmentDef& e, const Vec& at, double within);

void prepare_interaction(Data& d);
void touch(Data& d);   // vehicle with vehicle, terrain, obstacle: events in the order of ids, and what the policy says
void detect(Data& d);  // who notices whom
bool line_of_sight(const EnvironmentDef& e, const Vec& from, const Vec& to);

}  // namespace volary::engine
