// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A load on cables below one aircraft or several (LoadDef): its hooks, its inertia, where it hangs at first, and what can be carried. Its body and its cables are part of
// the scene of its carriers (engine/joined_scene.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "math/vec.hpp"
#include "volary/def.hpp"

namespace volary::airframe {

using Place = math::Vec3<double>;  // m

// lower ends of the cables, from the centre of the load: one for each carrier
std::vector<Place> hooks_of(const LoadDef& load);
math::Vec3<double> moments_of(const LoadDef& load);  // kg m2

// a carrier that the load hangs below: the upper end of its cable, and the hook of this cable
struct CableEnds {
  Place upper_W{0, 0, 0}, hook_L{0, 0, 0};
};
struct Hanging {
  Place position_W{0, 0, 0};  // of the load
  double yaw = 0;             // rad; it is level
  std::size_t farthest = 0;   // the carrier whose cable has to reach farthest
  double apart = 0;           // m, between the ends of this cable
};
// Below the mean of its carriers, with its hooks turned towards them, or by `yaw` where they do not say; as low as the shortest cable allows, and nowhere below `floor`.
Hanging hang(const LoadDef& load, std::span<const CableEnds> carriers, double yaw, double floor);

// the height of the ground that a load touches, in m; without any it is infinitely low
double floor_of(const EnvironmentDef& environment);

// Refuses what cannot be or cannot be carried. Fields are named from the load on: mass, cable.length; "" is the load itself.
core::Status check_load(const LoadDef& load, std::span<const Airframe* const> carriers, const EnvironmentDef& environment);

}  // namespace volary::airframe
