// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/urdf_bodies.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace volary::scenario {

namespace {

using airframe::Symmetric3;
using Vec = math::Vec3<double>;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr double kSlack = 1e-9;  // relative: flat bodies meet the triangle inequality with equality

std::string of_joint(const UrdfJoint& joint, const char* rest = "") { return "joint[" + shown(joint.name) + "]" + rest; }

// from a link whose parents lead back to it
core::Error loop_through(const Urdf& urdf, const std::vector<std::size_t>& above, std::size_t link) {
  // after as many steps as there are links, the walk upwards is inside the loop
  for (std::size_t k = 0; k < urdf.links.size(); ++k) link = urdf.joints[above[link]].parent;
  const UrdfJoint& joint = urdf.joints[above[link]];
  std::string words = shown(urdf.links[link].name);
  std::size_t at = joint.parent;
  for (int k = 0; k < 4 && at != link; ++k, at = urdf.joints[above[at]].parent) words = shown(urdf.links[at].name) + " > " + words;
  words = (at == link ? shown(urdf.links[link].name) : "...") + " > " + words;
  return urdf.error(joint.line, of_joint(joint), "closes a loop of links: " + words, "the links of a URDF file are a tree");
}

void add_point(Symmetric3& to, double mass, const Vec& r) {
  to.diagonal[0] += mass * (r.y * r.y + r.z * r.z);
  to.diagonal[1] += mass * (r.x * r.x + r.z * r.z);
  to.diagonal[2] += mass * (r.x * r.x + r.y * r.y);
  to.products[0] -= mass * r.x * r.y, to.products[1] -= mass * r.x * r.z, to.products[2] -= mass * r.y * r.z;
}

Vec times(const Symmetric3& j, const Vec& v) {
  const auto& [xx, yy, zz] = j.diagonal;
  const auto& [xy, xz, yz] = j.products;
  return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
}

// R J R^T
Symmetric3 turned(const Symmetric3& j, const math::Quat<double>& rotation) {
  const math::Mat3<double> r = math::rotation_matrix(rotation);
  const Vec x = r * times(j, r.row0), y = r * times(j, r.row1), z = r * times(j, r.row2);
  return {{x.x, y.y, z.z}, {y.x, z.x, z.y}};
}

}  // namespace

core::Result<UrdfTree> tree_of(const Urdf& urdf) {
  UrdfTree tree;
  tree.below.resize(urdf.links.size());
  std::vector<std::size_t> above(urdf.links.size(), kNone);
  for (std::size_t k = 0; k < urdf.joints.size(); ++k) {
    const UrdfJoint& joint = urdf.joints[k];
    if (above[joint.child] != kNone)
      return urdf.error(
          joint.line, of_joint(joint, ".child.link"),
          fmt::format("'{}' is the child of joint '{}' already", shown(urdf.links[joint.child].name), shown(urdf.joints[above[joint.child]].name)),
          "a link has one parent");
    above[joint.child] = k;
    tree.below[joint.parent].push_back(k);
  }

  tree.root = kNone;
  for (std::size_t k = 0; k < urdf.links.size(); ++k) {
    if (above[k] != kNone) continue;
    const std::string name = shown(urdf.links[k].name);
    if (tree.root != kNone)
      return urdf.error(urdf.links[k].line, "link[" + name + "]", fmt::format("no joint joins it to '{}'", shown(urdf.links[tree.root].name)),
                        "one link has no parent, and all others are joined to it");
    tree.root = k;
  }
  if (tree.root == kNone) return loop_through(urdf, above, 0);

  std::vector<std::size_t> open = {tree.root};
  std::vector<bool> reached(urdf.links.size(), false);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    reached[at] = true;
    for (const std::size_t joint : tree.below[at]) open.push_back(urdf.joints[joint].child);
  }
  const auto lost = std::find(reached.begin(), reached.end(), false);
  if (lost != reached.end()) return loop_through(urdf, above, static_cast<std::size_t>(lost - reached.begin()));
  return tree;
}

void RigidSum::add(const UrdfInertial& inertial, const UrdfPose& link) {
  const UrdfPose pose = link * inertial.pose;
  const Symmetric3 own = turned(inertial.inertia, pose.rotation);
  for (std::size_t k = 0; k < 3; ++k) about_origin_.diagonal[k] += own.diagonal[k], about_origin_.products[k] += own.products[k];
  add_point(about_origin_, inertial.mass, pose.position);
  mass_ += inertial.mass;
  moment_ = moment_ + inertial.mass * pose.position;
}

Vec RigidSum::centre() const { return mass_ > 0 ? 1 / mass_ * moment_ : Vec{0, 0, 0}; }

Symmetric3 RigidSum::central() const {
  Symmetric3 central = about_origin_;
  add_point(central, -mass_, centre());
  return central;
}

RigidSum sum_of(const Urdf& urdf, const std::vector<PlacedLink>& links) {
  RigidSum sum;
  for (const PlacedLink& placed : links)
    if (const auto& inertial = urdf.links[placed.link].inertial) sum.add(*inertial, placed.pose);
  return sum;
}

bool is_possible(const Symmetric3& inertia) {
  const airframe::Triple e = airframe::eigenvalues(inertia);
  return e[0] >= -kSlack * e[2] && e[2] <= (e[0] + e[1]) * (1 + kSlack);
}

}  // namespace volary::scenario
