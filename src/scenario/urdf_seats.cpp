// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/urdf_seats.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::scenario {

namespace {

using airframe::LinkKind;
using Vec = math::Vec3<double>;

constexpr double kSamePlace = 1e-3;      // m, of hinges that are a ball joint together
constexpr double kPerpendicular = 1e-3;  // cosine of the angle between their axes
constexpr double kLevel = 2e-3;          // rad, of the axis of a hinge: what rounded angles leave
constexpr double kSameLimit = 1e-6;      // rad
constexpr const char* kWorld = "world";  // the link that Gazebo, RaiSim and MuJoCo hold still

std::string of_link(const UrdfLink& link) { return "link[" + shown(link.name) + "]"; }
std::string of_joint(const UrdfJoint& joint, const char* rest = "") { return "joint[" + shown(joint.name) + "]" + rest; }
bool is_hinge(const UrdfJoint& joint) { return joint.kind == UrdfJointKind::Revolute || joint.kind == UrdfJointKind::Continuous; }
Vec turned(const UrdfPose& pose, const Vec& v) { return math::rotation_matrix(pose.rotation) * v; }

class SeatFinder {
 public:
  SeatFinder(const Urdf& urdf, UrdfTree tree, UrdfRemarks& remarks) : urdf_(urdf), tree_(std::move(tree)), remarks_(remarks) {}

  core::Result<UrdfSeats> find(const std::vector<std::string>& fixed_parts) {
    const core::Result<std::size_t> base = base_of();
    if (!base) return base.error();
    for (const std::string& name : fixed_parts)
      if (const core::Status named = name_part(name, base.value()); !named) return named.error();
    if (const core::Status walked = walk(base.value()); !walked) return walked.error();
    for (const std::size_t link : named_)
      if (std::none_of(out_.aircraft.begin(), out_.aircraft.end(), [&](const UrdfSeat& s) { return s.link == link; }))
        return urdf_.error(urdf_.links[link].line, of_link(urdf_.links[link]), "is named with --part, and no fixed joint joins it to the central body",
                           "leave it out of --part: links on ball joints and hinges are aircraft anyway");
    if (const core::Status counted = check_count(); !counted) return counted.error();
    return std::move(out_);
  }

 private:
  core::Error refuse(const UrdfJoint& joint, const char* rest, std::string message, std::string suggestion) const {
    return urdf_.error(joint.line, of_joint(joint, rest), std::move(message), std::move(suggestion));
  }

  core::Status name_part(const std::string& name, std::size_t base) {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < urdf_.links.size(); ++k) {
      if (k != base) known.push_back(urdf_.links[k].name);
      if (k == base || urdf_.links[k].name != name) continue;
      named_.insert(k);
      return core::ok();
    }
    if (urdf_.links[base].name == name)
      return urdf_.error(urdf_.links[base].line, of_link(urdf_.links[base]), "is the central body, and is named with --part", "");
    return urdf_.error(urdf_.line, "--part", "no link is called '" + shown(name) + "'", core::did_you_mean(name, known));
  }

  // the root, or what a floating joint lets fly away from it
  core::Result<std::size_t> base_of() {
    const UrdfLink& root = urdf_.links[tree_.root];
    const std::vector<std::size_t>& below = tree_.below[tree_.root];
    const auto floating = std::find_if(below.begin(), below.end(), [&](std::size_t k) { return urdf_.joints[k].kind == UrdfJointKind::Floating; });
    if (floating == below.end() && root.name != kWorld) return tree_.root;
    if (root.inertial && root.inertial->mass > 0)
      return floating == below.end()
                 ? urdf_.error(root.line, of_link(root), "has a mass, and stands for the surroundings", "no inertial, or another name")
                 : refuse(urdf_.joints[*floating], ".type", "floats away from '" + shown(root.name) + "', which has a mass: only a whole platform floats",
                          "spherical for an aircraft, or a root link without mass");
    if (below.empty()) return urdf_.error(root.line, of_link(root), "stands for the surroundings, and no link is joined to it", "a link for the central body");
    const UrdfJoint& joint = urdf_.joints[below[0]];
    if (below.size() > 1)
      return refuse(urdf_.joints[below[1]], "", "joins a second link to '" + shown(root.name) + "': a platform is one body with its aircraft",
                    "leave out what stands in the surroundings");
    if (joint.kind != UrdfJointKind::Floating && joint.kind != UrdfJointKind::Fixed) return refuse(joint, ".type", "a platform flies freely", "floating");
    if (joint.kind == UrdfJointKind::Fixed) remarks_.tell("joint '" + shown(joint.name) + "' is not carried over: a platform flies freely", joint.line);
    if (math::norm(joint.origin.position) > 0 || joint.origin.rotation.w < 1)
      remarks_.tell("origin of joint '" + shown(joint.name) + "' is not carried over: a scenario places its vehicles", joint.line);
    for (const UrdfShape& shape : root.collision) remarks_.tell("shapes of '" + shown(root.name) + "' are not carried over", shape.line);
    if (root.friction) remarks_.tell("friction of '" + shown(root.name) + "' is not carried over", root.line);
    return joint.child;
  }

  core::Status walk(std::size_t base) {
    std::vector<PlacedLink> open = {{base, {}}};
    while (!open.empty()) {
      const PlacedLink at = open.back();
      open.pop_back();
      out_.centre.push_back(at);
      for (const std::size_t k : tree_.below[at.link]) {
        const UrdfJoint& joint = urdf_.joints[k];
        if (joint.kind == UrdfJointKind::Fixed && !named_.contains(joint.child))
          open.push_back({joint.child, at.pose * joint.origin});
        else if (const core::Status seated = seat(k, at.pose * joint.origin); !seated)
          return seated;
      }
    }
    std::sort(out_.aircraft.begin(), out_.aircraft.end(), [](const UrdfSeat& a, const UrdfSeat& b) { return a.joint < b.joint; });
    return core::ok();
  }

  core::Status seat(std::size_t k, const UrdfPose& frame) {
    const UrdfJoint& joint = urdf_.joints[k];
    UrdfSeat seat{.joint = k, .link = joint.child, .frame = frame, .def = {}, .links = {{joint.child, frame}}};
    std::set<std::size_t> held;  // joints that are part of the one it hangs in
    core::Status made = core::ok();
    if (joint.kind == UrdfJointKind::Spherical) {
      made = set_limit(joint, seat.def);
    } else if (is_hinge(joint)) {
      made = set_hinges(seat, held);
    } else if (joint.kind == UrdfJointKind::Fixed) {
      seat.def.kind = LinkKind::Fixed;
    } else {
      return refuse(joint, ".type",
                    joint.kind == UrdfJointKind::Floating ? "only a whole platform floats" : "aircraft of a platform turn in their joints, and do not slide",
                    "spherical, revolute, continuous or fixed");
    }
    if (!made) return made;
    seat.def.damping = joint.damping, seat.def.friction = joint.friction;
    if (const core::Status gathered = gather(seat, held); !gathered) return gathered;
    out_.aircraft.push_back(std::move(seat));
    return core::ok();
  }

  // Three hinges in one place, each across the others, are how formats without ball joints write one.
  core::Status set_hinges(UrdfSeat& seat, std::set<std::size_t>& held) {
    const UrdfJoint& first = urdf_.joints[seat.joint];
    std::vector<Vec> axes = {turned(seat.frame, first.axis)};
    UrdfPose frame = seat.frame;
    std::size_t link = first.child;
    while (tree_.below[link].size() == 1) {
      const std::size_t k = tree_.below[link].front();
      const UrdfJoint& next = urdf_.joints[k];
      if (!is_hinge(next) || math::norm(next.origin.position) > kSamePlace) break;
      held.insert(k);
      frame = frame * next.origin, link = next.child;
      axes.push_back(turned(frame, next.axis));
      if (next.damping != first.damping || next.friction != first.friction)
        return refuse(next, ".dynamics", "damping and friction are not those of '" + shown(first.name) + "', with which it is a ball joint",
                      "the same for all three");
    }
    if (axes.size() == 1) {
      seat.def.kind = LinkKind::Hinge;
      seat.def.axis = {axes[0].x, axes[0].y, math::abs(axes[0].z) < kLevel ? 0 : axes[0].z};
      return set_limit(first, seat.def);
    }
    const auto across = [&](std::size_t i, std::size_t j) { return math::abs(math::dot(axes[i], axes[j])) < kPerpendicular; };
    if (axes.size() != 3 || !across(0, 1) || !across(1, 2) || !across(0, 2))
      return refuse(first, "", fmt::format("{} hinges lie in one place: that is no joint of a platform", axes.size()),
                    "one hinge, three at right angles, or a spherical joint");
    remarks_.tell("three hinges from joint '" + shown(first.name) + "' on are a ball joint without limits", first.line);
    seat.frame = frame, seat.link = link;
    return core::ok();
  }

  // one angle for both directions
  core::Status set_limit(const UrdfJoint& joint, airframe::LinkDef& def) {
    if (!joint.limit) return core::ok();
    const auto [lower, upper] = *joint.limit;
    const std::string words = fmt::format("limits of {:.4g} and {:.4g} rad", lower, upper);
    if (joint.kind == UrdfJointKind::Continuous)
      return remarks_.tell("limits of joint '" + shown(joint.name) + "' are not carried over: it is continuous", joint.line), core::ok();
    // a ball joint has one angle, which some write as the upper limit alone
    const bool is_cone = joint.kind == UrdfJointKind::Spherical && lower == 0;
    const double least = is_cone ? upper : std::min(-lower, upper), most = std::max(-lower, upper);
    if (least < airframe::kSmallestLimit)
      return refuse(joint, ".limit", words + " do not let the aircraft turn both ways", "a lower limit below 0 and an upper one above, or a fixed joint");
    if (least > airframe::kGreatestLimit)
      return remarks_.tell(words + " of joint '" + shown(joint.name) + "' are left out: it turns all round", joint.line), core::ok();
    if (most - least > kSameLimit && !is_cone)
      remarks_.tell(fmt::format("{} of joint '{}' become {:.4g} rad both ways", words, shown(joint.name), least), joint.line);
    def.limit = least;
    return core::ok();
  }

  // all links below are one body with the first: what turns there are rotors
  core::Status gather(UrdfSeat& seat, const std::set<std::size_t>& held) {
    for (std::size_t at = 0; at < seat.links.size(); ++at)
      for (const std::size_t k : tree_.below[seat.links[at].link]) {
        const UrdfJoint& joint = urdf_.joints[k];
        if (joint.kind == UrdfJointKind::Continuous && !held.contains(k))
          remarks_.tell("continuous joints inside an aircraft are held: its rotors are those of its airframe", joint.line);
        else if (joint.kind != UrdfJointKind::Fixed && !held.contains(k))
          return refuse(joint, ".type",
                        fmt::format("'{}' moves in the aircraft '{}': an aircraft of a platform is one body", shown(urdf_.links[joint.child].name),
                                    shown(urdf_.links[seat.link].name)),
                        "fixed");
        const UrdfPose pose = seat.links[at].pose * joint.origin;
        seat.links.push_back({joint.child, pose});
      }
    return core::ok();
  }

  core::Status check_count() const {
    const std::size_t n = out_.aircraft.size();
    if (n >= airframe::kFewestParts && n <= airframe::kMostParts) return core::ok();
    std::string fixed;
    for (std::size_t k = 1; k < out_.centre.size() && k < 6; ++k) fixed += (k == 1 ? "" : ", ") + shown(urdf_.links[out_.centre[k].link].name);
    std::string hint = "links on spherical joints and hinges are aircraft";
    if (n < airframe::kFewestParts && !fixed.empty()) hint += "; --part LINK makes one of a fixed link: " + fixed;
    return urdf_.error(urdf_.line, "robot", fmt::format("has {} aircraft, and a platform has {} to {}", n, airframe::kFewestParts, airframe::kMostParts), hint);
  }

  const Urdf& urdf_;
  const UrdfTree tree_;
  UrdfRemarks& remarks_;
  std::set<std::size_t> named_;
  UrdfSeats out_;
};

}  // namespace

core::Result<UrdfSeats> seats_of(const Urdf& urdf, const std::vector<std::string>& fixed_parts, UrdfRemarks& remarks) {
  core::Result<UrdfTree> tree = tree_of(urdf);
  if (!tree) return tree.error();
  return SeatFinder(urdf, std::move(tree).value(), remarks).find(fixed_parts);
}

}  // namespace volary::scenario
