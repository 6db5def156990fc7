// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which links of a URDF file are the central body of a platform, which are its aircraft, and what their joints let them do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/urdf_bodies.hpp"
#include "scenario/urdf_grammar.hpp"
#include "vehicles/effector_def.hpp"

namespace volary::scenario {

// an aircraft; poses are in the frame of the central body
struct UrdfSeat {
  std::size_t joint = 0, link = 0;  // that it hangs in, and that is named after it
  UrdfPose frame;                   // of the aircraft at rest
  airframe::LinkDef def;            // its damping is the whole damping of the joint
  std::vector<PlacedLink> links;
};

struct UrdfSeats {
  std::vector<PlacedLink> centre;  // the first one gives the frame
  std::vector<UrdfSeat> aircraft;  // in the order of their joints in the file
};

core::Result<UrdfSeats> seats_of(const Urdf& urdf, const std::vector<std::string>& fixed_parts, UrdfRemarks& remarks);

}  // namespace volary::scenario
