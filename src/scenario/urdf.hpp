// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A robot description in URDF as plain data: links, joints, and remarks about what is in the file and is not read. Besides URDF 1.2, the joint types
// `spherical` (RaiSim, MuJoCo) and `ball` are known, and friction as Bullet and Gazebo write it. A word that is nearly one of the format is an error, because it
// could carry a mass; all others are told. Faults are gathered, and each names its line, its element and its attribute: joint[ball1].origin.xyz.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "math/vec.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::scenario {

struct UrdfPose {
  math::Vec3<double> position = {0, 0, 0};  // m
  math::Quat<double> rotation = {1, 0, 0, 0};
};
// from the frame of `inner` to the one that `outer` is given in
UrdfPose operator*(const UrdfPose& outer, const UrdfPose& inner);
math::Vec3<double> operator*(const UrdfPose& pose, const math::Vec3<double>& point);

struct UrdfInertial {
  double mass = 0;  // kg
  UrdfPose pose;  // of the axes of `inertia` in the frame of the link; its position is the centre of mass
  airframe::Symmetric3 inertia;  // kg m2, about the centre of mass
};

enum class UrdfShapeKind { Box, Cylinder, Capsule, Sphere, Mesh };
struct UrdfShape {
  std::string name;  // may be empty
  UrdfShapeKind kind = UrdfShapeKind::Box;
  UrdfPose pose;  // in the frame of the link; rods lie along z
  airframe::Triple size{};  // m, of a box
  double radius = 0, length = 0;  // m; the length of a capsule is that between the centres of its ends
  int line = 0;
};

struct UrdfLink {
  std::string name;
  std::optional<UrdfInertial> inertial;
  std::vector<UrdfShape> collision, visual;
  std::optional<double> friction;  // Coulomb coefficient
  int line = 0;
};

enum class UrdfJointKind { Revolute, Continuous, Prismatic, Fixed, Floating, Planar, Spherical };
struct UrdfLimit {
  double lower = 0, upper = 0;  // rad or m
};
struct UrdfJoint {
  std::string name;
  UrdfJointKind kind = UrdfJointKind::Fixed;
  std::size_t parent = 0, child = 0;  // of Urdf::links
  UrdfPose origin;  // of the child's frame in that of the parent
  math::Vec3<double> axis = {1, 0, 0};  // unit vector in the frame of the child
  std::optional<UrdfLimit> limit;
  double damping = 0, friction = 0;  // of hinges and balls: N m s, N m
  int line = 0;
};

// what is told about a file: something that is in it and is not carried over
struct UrdfRemark {
  std::string text;
  std::vector<int> lines = {};
};
// "star.urdf:12: text", with further lines behind the text
std::string text_of(const UrdfRemark& remark, const std::string& file);

struct Urdf {
  std::string file, name;
  int line = 0;  // of the root element
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<UrdfRemark> remarks;

  core::Error error(int line, std::string field, std::string message, std::string suggestion) const;
};

core::Result<Urdf> parse_urdf(const std::string& text, const std::string& file_name);

// a name from a file, for a message or a comment: short, and in one line
std::string shown(std::string_view name);

}  // namespace volary::scenario
