// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What shapes of a central body become: rods are end effectors, and what surrounds the origin gives the size.
#pragma once

#include <optional>
#include <vector>

#include "scenario/urdf.hpp"
#include "vehicles/effector_def.hpp"

namespace volary::scenario {

struct PlacedShape {
  const UrdfShape* shape = nullptr;
  const UrdfLink* link = nullptr;
  UrdfPose pose;  // of the shape in the frame of the central body
};

// a cylinder or a capsule that is at least twice as long as it is thick
bool is_rod(const UrdfShape& shape);

// from the end nearer to the origin to the other; where both are equally near, the tip points along the shape's z axis
airframe::EffectorDef pole_of(const PlacedShape& rod);

// edges of the least box about the origin that holds the shape; nothing where the shape does not surround the origin
std::optional<airframe::Triple> box_about(const PlacedShape& shape);

// edges of the box with these moments of inertia and the same density everywhere
airframe::Triple box_of_inertia(double mass, const airframe::Triple& inertia);

}  // namespace volary::scenario
