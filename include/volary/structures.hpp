// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies to push against and to plug into: walls and funnels. Vehicles whose bodies are joined (platforms, and others with end effectors) touch them; other vehicles
// do not feel them. And what joins such vehicles: latches and slung loads.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "volary/swarm.hpp"

namespace volary {

// Where two surfaces touch, the greater friction of both counts and the mean of the time constants.
struct ContactSurfaceDef {
  double friction = 0.6;        // Coulomb coefficient
  double time_constant = 0.02;  // s, in which surfaces are pushed out of each other
};

// A plate. With a stiffness it stands on a spring along its normal, in the scene of each vehicle for itself.
struct WallDef {
  Vec centre_W = {0, 0, 0};     // m, of its front face
  double yaw = 0, pitch = 0;    // rad, of the normal of the front face: from east towards north, and upwards
  double width = 2, height = 2, thickness = 0.1;  // m
  double stiffness = 0;         // N/m along the normal; 0: it stands fast
  double damping = 0;           // N s/m
  double mass = 1;              // kg, of a wall on a spring
  ContactSurfaceDef surface;
};

// A funnel with a bore behind it, of convex plates around an axis.
struct FunnelDef {
  Vec mouth_W = {0, 0, 0};      // m, centre of the mouth
  double yaw = 0, pitch = 0;    // rad, of the axis, which points out of the mouth
  double mouth_radius = 0.14, bore_radius = 0.045;  // m
  double taper = 0.24, bore = 0.48;                 // m, lengths
  double thickness = 0.01;      // m
  int plates = 12;
  ContactSurfaceDef surface;
};

struct StructureDef {
  std::string name;
  std::variant<WallDef, FunnelDef> shape;
};
inline constexpr std::size_t kMostStructures = 32;

// How two vehicles can be joined in flight: vehicle k of a flock with vehicle k of the other one.
struct DockingDef {
  std::string with;  // name of the other flock; empty: none
};

// A cable between a multirotor and its load. It pulls and never pushes; shorter than its length it is slack.
struct CableDef {
  double length = 1;            // m
  Vec attach_B = {0, 0, 0};     // m, its upper end, on the aircraft
  double time_constant = 0.02;  // s, in which a cable that is stretched beyond its length becomes shorter
};
inline constexpr std::size_t kMostCarriers = 4;

// A load on cables below a multirotor of this flock. With `with`, vehicle k of this flock carries it together with vehicle k of each named flock.
struct LoadDef {
  double mass = 1;              // kg
  Vec size = {0.2, 0.2, 0.2};   // m, edges of a box
  Vec moments = {0, 0, 0};      // kg m2, about its centre; 0: of a box that is the same throughout
  ContactSurfaceDef surface = {};
  CableDef cable = {};          // of each carrier
  std::vector<Vec> hooks = {};  // m, lower end of each cable, from the centre of the load, in the order of the carriers. Empty: on its top
  std::vector<std::string> with = {};  // names of the other flocks that carry it, at most kMostCarriers - 1
};

// a place where a vehicle touches something
struct ContactPoint {
  Vec point_W = {0, 0, 0};  // m
  Vec force_W = {0, 0, 0};  // N, on the vehicle
};

}  // namespace volary
