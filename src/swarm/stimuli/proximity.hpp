// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The collision stimulus of Cybulski VIII (C-44), S_1 in R^3 x {true, false}: where the nearest solid thing is, and whether there is one within reach. What terrain, an
// obstacle and another one are together is the nearest of them, so the addition is a minimum: it has no order, adding the same twice changes nothing, and nothing near is
// its neutral element. Of two equally near ones the way that is smaller in x, y, z counts, so that neither order nor place in memory decides.
#pragma once

#include <tuple>

#include "swarm/sense.hpp"

namespace volary::swarm {

inline constexpr Feel kNothingNear{};  // e_1

inline bool is_nearer(const Feel& a, const Feel& b) {
  return std::tuple(!a.near, a.distance, a.way.x, a.way.y, a.way.z) < std::tuple(!b.near, b.distance, b.way.x, b.way.y, b.way.z);
}
// +_1
inline Feel operator+(const Feel& a, const Feel& b) { return is_nearer(b, a) ? b : a; }

// P_1: a surface at a signed distance, with a unit normal out of the solid, as a sensor of some range senses it
inline Feel feel_surface(double distance, const V3& normal, double reach) {
  if (!(distance < reach)) return kNothingNear;
  return {true, -distance * normal, distance};
}

}  // namespace volary::swarm
