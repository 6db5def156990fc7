// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who touches whom and what (touch.cpp), and who sees whom (sight.cpp) (P-08..P-10). Vehicles are spheres for each other, and ellipsoids with the measures
// of their airframe for what is solid. Both are followed along the way of the tick, so that nobody passes through another between two ticks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/candidates.hpp"
#include "engine/neighbours.hpp"
#include "engine/sight.hpp"

namespace volary::engine {

struct Data;

struct Pair {
  std::uint64_t a = 0, b = 0;  // id numbers, a < b
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

// out of control: moved straight on before a tick of its world, and then at rest
struct Detached {
  std::uint64_t id = 0, until = 0;  // value of the id
  friend auto operator<=>(const Detached&, const Detached&) = default;
};

struct Interaction {
  bool touches = false, detects = false;  // whether anybody does
  bool docks = false;                     // some vehicles can dock with each other: how they touch is worked out in scenes of joined bodies
  // state
  std::vector<Pair> touching;             // now, in order
  std::vector<std::uint64_t> crashed;     // values of the ids of all that ever crashed, in order
  std::vector<Detached> detached;         // in the order of ids
  std::vector<LookFrame> look_frames;     // one for every rate of looking
  // derived
  Neighbours near;  // for detection
  Candidates candidates;
  std::vector<double> radius;             // m, by place in the frame; -1: it touches nobody
  std::vector<std::uint8_t> looks;        // by place in the frame: whose turn it is to look
  std::vector<LookFrame> next_frames;     // while somebody looks
  std::vector<Seen> next_seen;            // the same, by flock
  double nearest = 0;                     // m between the two that came nearest in the last tick; infinite where none are candidates

  bool has_crashed(VehicleId id) const;
  bool is_detached(VehicleId id) const;
  template <class F> void each_state(F& f) { f(touching), f(crashed), f(detached), f(look_frames); }
};

// the nearest of ground, terrain and obstacles
struct Surface {
  double distance;  // m, negative below
  Vec normal;
  std::string what;
};
Surface surface_near(const EnvironmentDef& e, const Vec& at, double within);

bool note_crash(std::vector<std::uint64_t>& crashed, VehicleId id);  // false: it is a wreck already
void prepare_interaction(Data& d);
void touch(Data& d);   // vehicle with vehicle, terrain, obstacle: events in the order of ids, and what the policy says
void detect(Data& d);  // who notices whom
std::string place_text(const Vec& p);
bool line_of_sight(const EnvironmentDef& e, const Vec& from, const Vec& to);

}  // namespace volary::engine
