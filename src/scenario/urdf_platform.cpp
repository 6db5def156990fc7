// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/urdf_platform.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "scenario/urdf_grammar.hpp"
#include "scenario/urdf_seats.hpp"
#include "scenario/urdf_shapes.hpp"

namespace volary::scenario {

namespace {

using airframe::Triple;
using Vec = math::Vec3<double>;

constexpr double kNearJoint = 1e-3;      // m, of the centre of mass of an aircraft
constexpr double kToldOffset = 1e-6;     // m
constexpr double kLevel = 1e-3;          // rad, of an aircraft that its joint holds
constexpr double kMostTilt = 0.1;        // rad, of one that turns freely
constexpr double kNoise = 1e-7;          // of positions and angles: what is left of turns there and back
constexpr double kNoProduct = 1e-6;      // share of the least moment of inertia

double tidy(double x) { return math::abs(x) < kNoise ? 0 : x; }
Triple tidy(const Vec& v) { return {tidy(v.x), tidy(v.y), tidy(v.z)}; }
std::string of_link(const UrdfLink& link, const char* rest = "") { return "link[" + shown(link.name) + "]" + rest; }
std::string of_joint(const UrdfJoint& joint, const char* rest = "") { return "joint[" + shown(joint.name) + "]" + rest; }

class PlatformMaker {
 public:
  PlatformMaker(const Urdf& urdf, const UrdfOptions& options) : urdf_(urdf), options_(options), remarks_(out_.remarks) {
    out_.file = urdf.file;
    out_.remarks = urdf.remarks;
    out_.def.name = urdf.name;
  }

  core::Result<UrdfPlatform> make() {
    core::Result<UrdfSeats> seats = seats_of(urdf_, options_.fixed_parts, remarks_);
    if (!seats) return seats.error();
    seats_ = std::move(seats).value();
    add_centre();
    for (const UrdfSeat& seat : seats_.aircraft) add_part(seat);
    add_damping();
    add_shapes();
    if (!faults_.empty()) return faults_.error();
    return std::move(out_);
  }

 private:
  void fault(int line, std::string field, std::string message, std::string suggestion) {
    faults_.add(urdf_.error(line, std::move(field), std::move(message), std::move(suggestion)));
  }

  // ---------------------------------------------------------------- the central body
  void add_centre() {
    const UrdfLink& base = urdf_.links[seats_.centre.front().link];
    for (const PlacedLink& placed : seats_.centre) {
      const UrdfLink& link = urdf_.links[placed.link];
      if (link.inertial && !is_possible(link.inertial->inertia))
        fault(link.line, of_link(link, ".inertial.inertia"), "no body has these moments of inertia",
              "each principal moment is at most the sum of the other two");
    }
    const RigidSum sum = sum_of(urdf_, seats_.centre);
    const airframe::Symmetric3 j = sum.central();
    airframe::CentreDef& centre = out_.def.centre;
    centre.mass = sum.mass();
    centre.inertia = j.diagonal;
    centre.centre_of_mass = tidy(sum.centre());
    if (!(sum.mass() > 0)) return fault(base.line, of_link(base), "the central body has no mass", "an <inertial> with a mass");
    const double least = std::min({j.diagonal[0], j.diagonal[1], j.diagonal[2]});
    if (!(least > 0)) return fault(base.line, of_link(base), "the central body has no moments of inertia", "an <inertia> with ixx, iyy and izz");
    const double product = std::max({math::abs(j.products[0]), math::abs(j.products[1]), math::abs(j.products[2])});
    if (product > kNoProduct * least)
      remarks_.tell(
          fmt::format(
              "products of inertia of the central body are not carried over: Jxy {:.4g}, Jxz {:.4g}, Jyz {:.4g} kg m2, at most {:.2g} % of its least moment",
              j.products[0], j.products[1], j.products[2], 100 * product / least),
          base.line);
    const std::size_t more = seats_.centre.size() - 1;
    const std::string fixed = more == 0 ? "" : fmt::format(" and {} link{} fixed to it", more, more == 1 ? "" : "s");
    out_.sources.push_back({"centre", "link '" + shown(base.name) + "'" + fixed, base.line});
  }

  // ---------------------------------------------------------------- aircraft
  void add_part(const UrdfSeat& seat) {
    const UrdfJoint& joint = urdf_.joints[seat.joint];
    const UrdfLink& link = urdf_.links[seat.link];
    const RigidSum sum = sum_of(urdf_, seat.links);
    airframe::PartDef part;
    part.airframe = options_.aircraft;
    part.mass = sum.mass();
    part.link = seat.def;
    for (double& x : part.link.axis) x = tidy(x);
    if (!(sum.mass() > 0)) return fault(link.line, of_link(link), "the aircraft has no mass", "an <inertial> with a mass");
    add_place(seat, sum.centre(), part);
    tell_inertia(seat);
    out_.sources.push_back(
        {fmt::format("parts[{}]", out_.def.parts.size()), fmt::format("link '{}' on joint '{}'", shown(link.name), shown(joint.name)), joint.line});
    out_.def.parts.push_back(std::move(part));
  }

  // The centre of mass of an aircraft lies in its joint. A fixed aircraft does not turn, and one on a hinge turns about a line: their joints can be moved to it.
  void add_place(const UrdfSeat& seat, const Vec& centre, airframe::PartDef& part) {
    const UrdfLink& link = urdf_.links[seat.link];
    const Vec offset = centre - seat.frame.position, axis = {seat.def.axis[0], seat.def.axis[1], seat.def.axis[2]};
    Vec along = {0, 0, 0};
    if (seat.def.kind == airframe::LinkKind::Fixed) along = offset;
    if (seat.def.kind == airframe::LinkKind::Hinge) along = math::dot(offset, axis) * axis;
    part.joint = tidy(seat.frame.position + along);
    const Vec off = offset - along;
    const std::string where =
        fmt::format("{:.3g} mm from the joint, at ({:.4g}, {:.4g}, {:.4g}) m", 1000 * math::norm(off), tidy(off.x), tidy(off.y), tidy(off.z));
    if (math::norm(off) > kNearJoint)
      fault(link.line, of_link(link, ".inertial"),
            "the centre of mass of the aircraft lies " + where + ": aircraft of a platform turn about their centres of mass", "a joint in the centre of mass");
    else if (math::norm(off) > kToldOffset)
      remarks_.tell("the centre of mass of '" + shown(link.name) + "' is moved into its joint: it lies " + where, link.line);
    add_heading(seat, part);
  }

  void add_heading(const UrdfSeat& seat, airframe::PartDef& part) {
    const UrdfJoint& joint = urdf_.joints[seat.joint];
    const math::Mat3<double> r = math::rotation_matrix(seat.frame.rotation);
    const double aside = math::sqrt(r.row0.z * r.row0.z + r.row1.z * r.row1.z), tilt = math::atan2(aside, r.row2.z);
    part.yaw = tidy(math::atan2(r.row1.x, r.row0.x));
    const bool is_free = seat.def.kind == airframe::LinkKind::Spherical && seat.def.limit == 0;
    if (tilt > (is_free ? kMostTilt : kLevel))
      fault(joint.line, of_joint(joint, ".origin.rpy"),
            fmt::format("at rest, the aircraft is tilted by {:.3g} rad: aircraft of a platform have a yaw, but no roll and no pitch", tilt),
            "rpy=\"0 0 YAW\", with z along the axes of the rotors");
    else if (tilt > kLevel)
      remarks_.tell(
          fmt::format("the tilt of '{}' at rest, {:.3g} rad, is not carried over: it turns freely in its joint", shown(urdf_.links[seat.link].name), tilt),
          joint.line);
  }

  void tell_inertia(const UrdfSeat& seat) {
    for (const PlacedLink& placed : seat.links) {
      const UrdfLink& link = urdf_.links[placed.link];
      if (!link.inertial) continue;
      if (!is_possible(link.inertial->inertia)) remarks_.tell(of_link(link, ".inertial.inertia") + ": no body has these moments of inertia, which are not used", link.line);
      remarks_.tell("moments of inertia of aircraft are not carried over: those of the airframe count, in proportion to the mass", link.line);
    }
  }

  // what all joints have in common is the damping of the platform: with ball joints that are alike, it needs no MuJoCo
  void add_damping() {
    std::optional<double> least;
    for (const UrdfSeat& seat : seats_.aircraft)
      if (seat.def.kind != airframe::LinkKind::Fixed) least = std::min(least.value_or(seat.def.damping), seat.def.damping);
    out_.def.joint_damping = least.value_or(0);
    for (airframe::PartDef& part : out_.def.parts)
      if (part.link.kind != airframe::LinkKind::Fixed) part.link.damping = tidy(part.link.damping - out_.def.joint_damping);
  }

  // ---------------------------------------------------------------- shapes
  void add_shapes() {
    const char* hulls = "collision shapes of aircraft are not carried over: the hull of an aircraft is that of its airframe";
    for (const UrdfSeat& seat : seats_.aircraft)
      for (const PlacedLink& placed : seat.links) {
        for (const UrdfShape& shape : urdf_.links[placed.link].collision) remarks_.tell(hulls, shape.line);
        tell_friction(urdf_.links[placed.link]);
      }
    for (const PlacedLink& placed : seats_.centre) {
      const UrdfLink& link = urdf_.links[placed.link];
      const std::size_t poles = out_.def.effectors.size();
      for (const UrdfShape& shape : link.collision) add_shape({&shape, &link, placed.pose * shape.pose});
      if (out_.def.effectors.size() == poles) tell_friction(link);
    }
    if (out_.def.centre.size[0] == 0) guess_size();
    for (const UrdfLink& link : urdf_.links)
      for (const UrdfShape& shape : link.visual)
        remarks_.tell("visual shapes are not drawn: Volary draws the size of the central body, aircraft and end effectors", shape.line);
    if (out_.def.effectors.size() > airframe::kMostEffectors)
      fault(out_.sources.back().line, "effectors",
            fmt::format("the central body has {} cylinders and capsules of slender form: a platform has at most {} end effectors", out_.def.effectors.size(),
                        airframe::kMostEffectors),
            "remove the collision shapes of parts that touch nothing");
  }

  void tell_friction(const UrdfLink& link) {
    if (link.friction) remarks_.tell("friction of '" + shown(link.name) + "' is not carried over: it has no end effector", link.line);
  }

  void add_shape(const PlacedShape& shape) {
    const std::string of = " of '" + shown(shape.link->name) + "'";
    if (shape.shape->kind == UrdfShapeKind::Mesh) return remarks_.tell("collision mesh" + of + " is not read", shape.shape->line);
    if (!is_rod(*shape.shape)) return add_to_size(shape, "collision shape" + of);
    airframe::EffectorDef pole = pole_of(shape);
    const std::string name = pole.name;
    const auto is_taken = [&](const airframe::EffectorDef& e) { return e.name == pole.name; };
    for (int n = 2; std::any_of(out_.def.effectors.begin(), out_.def.effectors.end(), is_taken); ++n) pole.name = fmt::format("{}-{}", name, n);
    for (auto* v : {&pole.position, &pole.direction})
      for (double& x : *v) x = tidy(x);
    out_.sources.push_back({fmt::format("effectors[{}]", out_.def.effectors.size()), "collision shape" + of, shape.shape->line});
    out_.def.effectors.push_back(std::move(pole));
  }

  void add_to_size(const PlacedShape& shape, const std::string& name) {
    const std::optional<Triple> box = box_about(shape);
    if (!box) return remarks_.tell(name + " is not carried over: it does not surround the origin of the central body", shape.shape->line);
    Triple& size = out_.def.centre.size;
    for (std::size_t k = 0; k < 3; ++k) size[k] = std::max({size[k], tidy((*box)[k]), 0.01});
    const Triple& own = shape.shape->size;
    for (std::size_t k = 0; k < 3; ++k)
      if (math::abs((*box)[k] - own[k]) > kToldOffset)
        return remarks_.tell(name + " becomes a box about the origin of the central body that holds it", shape.shape->line);
  }

  // without a collision shape about the origin: from the visual shapes, or from the moments of inertia
  void guess_size() {
    for (const PlacedLink& placed : seats_.centre)
      for (const UrdfShape& shape : urdf_.links[placed.link].visual)
        if (const PlacedShape at{&shape, &urdf_.links[placed.link], placed.pose * shape.pose}; box_about(at))
          add_to_size(at, "visual shape of '" + shown(at.link->name) + "'");
    const UrdfLink& base = urdf_.links[seats_.centre.front().link];
    const char* none = "no collision shape surrounds the origin of the central body: its size is that of ";
    if (out_.def.centre.size[0] > 0) return remarks_.tell(std::string(none) + "its visual shapes", base.line);
    if (!faults_.empty()) return;
    out_.def.centre.size = box_of_inertia(out_.def.centre.mass, out_.def.centre.inertia);
    remarks_.tell(std::string(none) + "a box of even density with its mass and its moments of inertia", base.line);
  }

  const Urdf& urdf_;
  const UrdfOptions& options_;
  UrdfPlatform out_;
  UrdfRemarks remarks_;
  UrdfSeats seats_;
  core::Faults faults_;
};

}  // namespace

const UrdfPlatform::Source* UrdfPlatform::source_of(const std::string& field) const {
  for (const Source& source : sources)
    if (field == source.field || field.starts_with(source.field + ".")) return &source;
  return nullptr;
}

core::Result<UrdfPlatform> platform_of(const Urdf& urdf, const UrdfOptions& options) { return PlatformMaker(urdf, options).make(); }

core::Error in_urdf(core::Error error, const UrdfPlatform& platform) {
  return core::each_fault(std::move(error), [&](core::Error e) {
    const UrdfPlatform::Source* source = platform.source_of(e.field);
    e.file = platform.file, e.column = 0;
    e.line = source == nullptr ? 0 : source->line;
    return e;
  });
}

}  // namespace volary::scenario
