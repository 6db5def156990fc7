// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tree that the joints of a URDF file make of its links, and links that move as one body.
#pragma once

#include <cstddef>
#include <vector>

#include "scenario/urdf.hpp"

namespace volary::scenario {

struct UrdfTree {
  std::size_t root = 0;
  std::vector<std::vector<std::size_t>> below;  // of each link: the joints that it is the parent of, in the order of the file
};
// refuses loops, links with two parents and links that nothing joins to the others
core::Result<UrdfTree> tree_of(const Urdf& urdf);

struct PlacedLink {
  std::size_t link = 0;
  UrdfPose pose;  // in the frame of the body
};

// Mass, centre of mass and moments of inertia of links that are fixed to each other, by the parallel axis theorem.
class RigidSum {
 public:
  void add(const UrdfInertial& inertial, const UrdfPose& link);
  double mass() const { return mass_; }
  math::Vec3<double> centre() const;      // m, in the frame of the body; its origin without a mass
  airframe::Symmetric3 central() const;   // kg m2, about the centre of mass, axes of the frame

 private:
  double mass_ = 0;
  math::Vec3<double> moment_ = {0, 0, 0};
  airframe::Symmetric3 about_origin_;
};
RigidSum sum_of(const Urdf& urdf, const std::vector<PlacedLink>& links);

// whether some body has these moments and products of inertia
bool is_possible(const airframe::Symmetric3& inertia);

}  // namespace volary::scenario
