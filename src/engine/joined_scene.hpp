// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A vehicle that is flown as joined bodies (joined.hpp), or two that dock, or up to four that carry a load, as one scene of multibody: their bodies on their joints, their
// hulls and end effectors, the structures of the world that they touch, latches, and the load with its cables. World axes are those of the simulation; vehicles and loads
// are placed before they are stepped.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "multibody/scene.hpp"
#include "vehicles/effector_def.hpp"
#include "volary/def.hpp"

namespace volary::engine {

inline constexpr std::size_t kMostMembers = kMostCarriers;

// one of the vehicles of a scene
struct JoinedMember {
  std::string name;  // of its contact group, and before the names of its bodies
  // numbers in the scene: the central body or the multirotor first, then its aircraft; a site of Drive::Wrench at the origin of each
  std::vector<std::size_t> bodies, sites;
  std::size_t hull = 0;  // contact group of the hulls of its bodies
};

struct JoinedScene {
  // Contact groups: one per member, in their order, for its end effectors; "structures"; "ground"; then, per member, one for the hulls of its bodies, which do not
  // touch the ground (vehicles/contact.hpp does that); then "load". A member touches neither itself nor its load, and other members where they can dock.
  multibody::SceneDef scene;
  std::vector<JoinedMember> members;  // at most kMostMembers
  struct Latch {
    std::size_t weld = 0, cone_site = 0, cylinder_site = 0, cone_member = 0;
    airframe::EffectorDef cone;
  };
  std::vector<Latch> latches;  // each cone of a member with each cylinder of the other
  struct Cable {
    std::size_t number = 0, upper_site = 0, hook_site = 0;
  };
  std::vector<Cable> cables;  // one for each member, if they carry a load
  std::size_t load = 0;       // its body
};

// Members dock with each other, or carry a load if there is one. Errors name their field as the first member's flock and the world have it:
// airframe.effectors[0].length, docking.with, load.mass, environment.structures[1].wall.width.
core::Result<JoinedScene> joined_scene(std::span<const Airframe* const> members, const EnvironmentDef& environment, const multibody::OptionsDef& options,
                                       const LoadDef* load = nullptr);

// it has end effectors, or joints that are more than ball joints
bool flies_joined(const Airframe& airframe);

// Plates around the z axis that make a frustum, or a tube, open at both ends. What is free inside has the radius `bottom` at z = 0 and `top` at z = `length`.
std::vector<multibody::GeomDef> frustum_plates(double bottom, double top, double length, double thickness, int plates);

}  // namespace volary::engine
