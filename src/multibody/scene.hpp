// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Several bodies joined to each other, and what they touch, as plain data: what a scene of MuJoCo is made of (model.hpp). World axes are those of its user; all
// poses are given at rest, with every joint at zero. Bodies, sites, welds and cables are named; whoever uses a scene finds their numbers once and keeps to them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "math/vec.hpp"

namespace volary::multibody {

using Vec = math::Vec3<double>;
using Quat = math::Quat<double>;

inline constexpr std::size_t kMostBodies = 64, kMostGeoms = 1024, kMostSites = 256, kMostWelds = 32, kMostCables = 32, kMostGroups = 30;

// of one frame in another
struct Pose {
  Vec position{0, 0, 0};     // m
  Quat rotation{1, 0, 0, 0};  // a unit quaternion; turns coordinates of this frame into those of the other
};

enum class JointKind { Fixed, Free, Ball, Hinge, Slide };

// how a body moves relative to its parent
struct JointDef {
  JointKind kind = JointKind::Fixed;
  Vec anchor{0, 0, 0};       // m, in the frame of the body; not of a free joint
  Vec axis{0, 0, 1};         // in the frame of the body: hinge and slide; any length
  bool is_limited = false;
  double lower = 0, upper = 0;  // rad or m; of a ball `upper` alone, the greatest angle from its pose at rest
  double damping = 0;        // N m s or N s/m
  double friction_loss = 0;  // N m or N: what it takes to move the joint at all; of a ball, about each axis
  double stiffness = 0;      // N m or N/m: a spring towards the pose at rest
};

enum class Shape { Box, Cylinder, Capsule, Sphere, Plane };

// What happens where two shapes touch. Friction, margin and number of friction axes are the greater ones of the two, softness is the mean of both; with a
// higher priority one of them decides all of it.
struct SurfaceDef {
  double friction = 1;             // tangential force per normal force
  double spin_friction = 0;        // m: torque about the normal per normal force
  double roll_friction = 0;        // m: torque about the tangents per normal force
  double time_constant = 0.02;     // s, in which the shapes are pushed out of each other; at least two time steps
  double damping_ratio = 1;        // 1: without bouncing
  // with a stiffness, the two above do not count; both are per mass that is moved
  double stiffness = 0;            // 1/s2
  double damping = 0;              // 1/s
  double least_impedance = 0.9, greatest_impedance = 0.95;  // how much of the motion into each other is resisted: at first, and from `width` on; 0 to 1
  double width = 0.001;            // m
  double margin = 0;               // m: contact begins this far before they touch
  int priority = 0;
};

// a shape that can be touched; it has no mass
struct GeomDef {
  std::string name;
  Shape shape = Shape::Box;
  Vec size{0, 0, 0};   // m. Box: half of its edges. Sphere: radius. Cylinder and capsule: radius, half of its length along z. Plane: none, z points out of it
  Pose pose;           // in the frame of the body, or of the world
  std::string group;   // decides what it touches; empty: nothing
  SurfaceDef surface;
};

// Which components of a wrench are commanded at a site: they act there and along its axes, wherever the body turns.
enum class Drive { None, Thrust, Wrench };  // Thrust: the force along z and the torque about z, as of a rotor

struct SiteDef {
  std::string name;
  Pose pose;  // in the frame of the body
  Drive drive = Drive::None;
};

struct BodyDef {
  std::string name;
  std::string parent;           // empty: the world
  Pose pose;                    // in the frame of the parent
  double mass = 0;              // kg
  Vec centre_of_mass{0, 0, 0};  // m, in its frame
  Vec moments{0, 0, 0};         // kg m2, Jxx Jyy Jzz about the centre of mass, axes of its frame
  Vec products{0, 0, 0};        // kg m2, Jxy Jxz Jyz: elements of the tensor, not integrals
  JointDef joint;
  std::vector<GeomDef> geoms;
  std::vector<SiteDef> sites;
};

// Two sites of different bodies that a latch holds together, frame on frame, while it is closed.
struct WeldDef {
  std::string name;
  std::array<std::string, 2> sites;
  bool is_closed = false;         // at the start
  double time_constant = 0.02;    // s, in which it pulls them together
};

// A cable between two sites of different bodies, straight and without mass. It keeps them from going farther apart than its length and never pushes them.
struct CableDef {
  std::string name;
  std::array<std::string, 2> sites;
  double length = 1;            // m
  double time_constant = 0.02;  // s, in which it pulls them back to its length: the smaller, the stiffer
};

enum class Integrator { Euler, Implicit, RungeKutta4 };  // Euler is semi-implicit; Implicit is also implicit in damping (MuJoCo's implicitfast)

struct OptionsDef {
  double time_step = 0.001;  // s
  Integrator integrator = Integrator::Euler;
  Vec gravity{0, 0, -9.80665};  // m/s2
  double friction_stiffness = 1;  // how much stiffer contacts are along the surface than across it: more of it, less slow creep
  double tolerance = 1e-8;        // at which the solver of contacts stops
  int iterations = 100;           // or after so many
  std::size_t memory = 256 * 1024;  // bytes of working memory per instance, for contacts and their equations
};

struct SceneDef {
  std::vector<BodyDef> bodies;
  std::vector<GeomDef> statics;                         // shapes of the world: floors, walls, plates that make a funnel
  std::vector<std::string> groups;                      // names of contact groups
  std::vector<std::array<std::string, 2>> touching;     // pairs of groups whose shapes touch; a group may touch itself
  std::vector<WeldDef> welds;
  std::vector<CableDef> cables;
  OptionsDef options;
};

// Refuses what cannot be: loops, parents that are not there, inertia that no body has, cables that do not reach, duplicate names.
core::Status check(const SceneDef& scene);

// Numbers of things by name; none: there is no such thing. Sites are counted over all bodies in order, geoms too, those of the world after them.
std::optional<std::size_t> find_body(const SceneDef& scene, std::string_view name);
std::optional<std::size_t> find_site(const SceneDef& scene, std::string_view name);
std::optional<std::size_t> find_weld(const SceneDef& scene, std::string_view name);
std::optional<std::size_t> find_cable(const SceneDef& scene, std::string_view name);
std::optional<std::size_t> find_group(const SceneDef& scene, std::string_view name);

}  // namespace volary::multibody
