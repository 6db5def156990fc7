// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// End effectors, and the joints of aircraft in a platform, as airframe files describe them. Vehicles that have any fly as joined bodies (engine/joined.hpp), and
// touch the structures of their world.
#pragma once

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/result.hpp"
#include "volary/structures.hpp"

namespace volary {

// in the namespace of its struct, where visitors find it
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ContactSurfaceDef>
void describe(D& d, V& v) {
  v.field("friction", d.friction, {.min = 0, .max = 10, .doc = "Coulomb coefficient; of two surfaces the greater one counts"});
  v.field("time_constant", d.time_constant,
          {.unit = "s", .min = 0.001, .max = 1, .doc = "time in which surfaces are pushed out of each other; of two surfaces the mean counts"});
}

}  // namespace volary

namespace volary::airframe {

// Pole: a rod with a round tip. Plate: a rough plate across `direction`. Cylinder: a rod that goes into a cone. Cone: an open funnel of convex plates, which holds the
// cylinder of another vehicle once that is near enough to its axis and its bottom.
enum class EffectorKind { Pole, Plate, Cylinder, Cone };
std::span<const char* const> names(EffectorKind);

struct EffectorDef {
  std::string name;
  EffectorKind kind = EffectorKind::Pole;
  std::array<double, 3> position = {0, 0, 0};   // m, of its root, in the frame of the central body or of the multirotor
  std::array<double, 3> direction = {1, 0, 0};  // from the root to the tip; out of the mouth of a cone; any length
  double length = 0.5;     // m; of a plate its thickness
  double radius = 0.02;    // m; of a plate half of its edges; of a cone that of its bottom
  double mouth = 0.1;      // m, radius of the mouth of a cone
  ContactSurfaceDef surface = {};
  double latch_radius = 0.02;  // m, off the axis of the cone
  double latch_depth = 0.03;   // m, from its bottom
  double latch_angle = 0.2;    // rad, between the axes
  double latch_speed = 0.5;    // m/s
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, EffectorDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the end effector"});
  v.field("kind", d.kind, {.required = true,
                           .doc = "kind of the end effector. pole: a rod with a round tip. plate: a rough plate across the direction. cylinder: a rod that a cone can "
                                  "hold. cone: an open funnel that holds the cylinder of another vehicle"});
  v.field("position", d.position, {.unit = "m", .min = -10, .max = 10, .doc = "root of the end effector in the frame of the vehicle"});
  v.field("direction", d.direction, {.min = -1, .max = 1, .doc = "vector of any length from the root to the tip; of a cone out of its mouth"});
  v.field("length", d.length, {.unit = "m", .min = 0.001, .max = 10, .required = true, .doc = "length along the direction"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.001, .max = 5, .required = true, .doc = "radius; of a plate half of its edges; of a cone that of its bottom"});
  v.field("mouth", d.mouth, {.unit = "m", .min = 0.001, .max = 5, .doc = "radius of the mouth of a cone"});
  v.field("surface", d.surface, {.doc = "friction and softness of its surface"});
  v.field("latch_radius", d.latch_radius, {.unit = "m", .min = 0, .max = 1, .doc = "a cone holds a cylinder whose tip is not farther than this from its axis"});
  v.field("latch_depth", d.latch_depth, {.unit = "m", .min = 0, .max = 1, .doc = "a cone holds a cylinder whose tip is not farther than this from its bottom"});
  v.field("latch_angle", d.latch_angle, {.unit = "rad", .min = 0, .max = 3, .doc = "a cone holds a cylinder whose axis is not more than this off its own"});
  v.field("latch_speed", d.latch_speed, {.unit = "m/s", .min = 0, .max = 10, .doc = "a cone holds a cylinder that does not move faster than this in it"});
}

enum class LinkKind { Spherical, Hinge, Fixed };
std::span<const char* const> names(LinkKind);

// how an aircraft is joined to the central body
struct LinkDef {
  LinkKind kind = LinkKind::Spherical;
  std::array<double, 3> axis = {1, 0, 0};  // of a hinge, in the frame of the central body; any length
  double limit = 0;     // rad, the greatest angle from rest; 0: none
  double friction = 0;  // N m, what it takes to move the joint at all
  double damping = 0;   // N m s, beside joint_damping
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, LinkDef>
void describe(D& d, V& v) {
  v.field("kind", d.kind, {.doc = "spherical: the aircraft turns freely; hinge: about one axis; fixed: not at all"});
  v.field("axis", d.axis, {.min = -1, .max = 1, .doc = "axis of a hinge in the frame of the central body; any length"});
  v.field("limit", d.limit, {.unit = "rad", .min = 0, .max = 3.1, .doc = "greatest angle of the joint from rest; 0: no limit"});
  v.field("friction", d.friction, {.unit = "N m", .min = 0, .max = 100, .doc = "torque that it takes to move the joint at all"});
  v.field("damping", d.damping, {.unit = "N m s", .min = 0, .max = 100, .doc = "torque against the turning of the joint per angular velocity, beside joint_damping"});
}

inline constexpr std::size_t kMostEffectors = 8;
inline constexpr double kSmallestLimit = 0.001, kGreatestLimit = 3.1;  // rad
inline constexpr int kFewestPlates = 4, kMostPlates = 48;              // of a funnel

// Refuse what cannot be; ranges of single numbers are in the describe lists, and here for definitions that come from no file. Fields are named from the list, the
// joint or the structure on: effectors[0].mouth, axis, wall.width.
core::Status check_effectors(std::span<const EffectorDef> effectors);
core::Status check_link(const LinkDef& link);
core::Status check_structure(const StructureDef& structure);

// whether the round tip of a cylinder goes down to the bottom of a cone, where the latch is
bool reaches_bottom(const EffectorDef& cylinder, const EffectorDef& cone);

}  // namespace volary::airframe
