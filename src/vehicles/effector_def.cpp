// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/effector_def.hpp"

#include <utility>

#include <fmt/format.h>

#include "math/functions.hpp"

namespace volary::airframe {

std::span<const char* const> names(EffectorKind) {
  static constexpr const char* kNames[] = {"pole", "plate", "cylinder", "cone"};
  return kNames;
}
std::span<const char* const> names(LinkKind) {
  static constexpr const char* kNames[] = {"spherical", "hinge", "fixed"};
  return kNames;
}

namespace {

constexpr double kFarthest = 1e6;   // m
constexpr double kGreatest = 1e9;   // of masses, springs and dampers
constexpr double kShortest = 1e-6;  // of a direction
constexpr double kThinnest = 1e-4;  // m
constexpr double kMostFriction = 10, kLeastTime = 0.001, kMostTime = 1;  // -, s

core::Error refuse(std::string field, std::string message, std::string suggestion) {
  core::Error e;
  e.field = std::move(field), e.message = std::move(message), e.suggestion = std::move(suggestion);
  return e;
}

// also false for NaN
bool is_within(double x, double least, double most) { return x >= least && x <= most; }
bool is_direction(const std::array<double, 3>& v) {
  const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  return is_within(square, kShortest * kShortest, kFarthest * kFarthest);
}
core::Status check_place(const std::array<double, 3>& v, const std::string& field) {
  for (const double x : v)
    if (!is_within(x, -kFarthest, kFarthest)) return refuse(field, "is not a place", fmt::format("numbers up to {:g} m", kFarthest));
  return core::ok();
}

// single numbers of a definition, one after the other: the first that is out of its range
class Ranges {
 public:
  explicit Ranges(std::string path) : path_(std::move(path)) {}
  Ranges& in(const char* field, double x, double least, double most, const char* unit) {
    if (status_ && !is_within(x, least, most))
      status_ = refuse(path_ + field, fmt::format("{:g}{}{} cannot be", x, *unit == 0 ? "" : " ", unit), fmt::format("{:g} to {:g}", least, most));
    return *this;
  }
  Ranges& length(const char* field, double x) { return in(field, x, kThinnest, kFarthest, "m"); }
  Ranges& surface(const ContactSurfaceDef& s) {
    return in("surface.friction", s.friction, 0, kMostFriction, "").in("surface.time_constant", s.time_constant, kLeastTime, kMostTime, "s");
  }
  const core::Status& status() const { return status_; }

 private:
  std::string path_;
  core::Status status_ = core::ok();
};

core::Status check_cone(const EffectorDef& e, const std::string& path) {
  if (!(e.mouth > e.radius))
    return refuse(path + "mouth", fmt::format("the mouth of '{}' is not wider than its bottom: {:g} m and {:g} m", e.name, e.mouth, e.radius),
                  "mouth and radius are both radii; the mouth is the greater one");
  return Ranges(path)
      .in("mouth", e.mouth, kThinnest, kFarthest, "m")
      .in("latch_radius", e.latch_radius, 0, kFarthest, "m")
      .in("latch_depth", e.latch_depth, 0, kFarthest, "m")
      .in("latch_angle", e.latch_angle, 0, 3.2, "rad")
      .in("latch_speed", e.latch_speed, 0, kFarthest, "m/s")
      .status();
}

core::Status check_effector(const EffectorDef& e, const std::string& path) {
  if (e.name.empty()) return refuse(path + "name", "has no name", "a name such as pole");
  if (const core::Status s = check_place(e.position, path + "position"); !s) return s;
  if (!is_direction(e.direction)) return refuse(path + "direction", fmt::format("'{}' points nowhere", e.name), "[1, 0, 0] points forward");
  if (const core::Status s = Ranges(path).length("length", e.length).length("radius", e.radius).surface(e.surface).status(); !s) return s;
  const bool is_rod = e.kind == EffectorKind::Pole || e.kind == EffectorKind::Cylinder;
  if (is_rod && !(e.length > e.radius))
    return refuse(path + "length", fmt::format("'{}' is not longer than its round tip: {:g} m, and a radius of {:g} m", e.name, e.length, e.radius),
                  "a longer or a thinner rod");
  return e.kind == EffectorKind::Cone ? check_cone(e, path) : core::ok();
}

core::Status check_wall(const WallDef& w) {
  if (const core::Status s = check_place(w.centre_W, "wall.centre"); !s) return s;
  if (const core::Status s = Ranges("wall.")
                                 .in("yaw", w.yaw, -kFarthest, kFarthest, "rad")
                                 .in("pitch", w.pitch, -kFarthest, kFarthest, "rad")
                                 .length("width", w.width)
                                 .length("height", w.height)
                                 .length("thickness", w.thickness)
                                 .in("stiffness", w.stiffness, 0, kGreatest, "N/m")
                                 .in("damping", w.damping, 0, kGreatest, "N s/m")
                                 .surface(w.surface)
                                 .status();
      !s)
    return s;
  if (w.stiffness > 0) return Ranges("wall.").in("mass", w.mass, 1e-3, kGreatest, "kg").status();
  return core::ok();
}

core::Status check_funnel(const FunnelDef& f) {
  if (const core::Status s = check_place(f.mouth_W, "funnel.mouth"); !s) return s;
  if (!(f.mouth_radius > f.bore_radius))
    return refuse("funnel.mouth_radius", fmt::format("the mouth is not wider than the bore: {:g} m and {:g} m", f.mouth_radius, f.bore_radius),
                  "a greater mouth_radius or a smaller bore_radius");
  if (f.plates < kFewestPlates || f.plates > kMostPlates)
    return refuse("funnel.plates", fmt::format("{} plates make no funnel", f.plates), fmt::format("{} to {}", kFewestPlates, kMostPlates));
  return Ranges("funnel.")
      .in("yaw", f.yaw, -kFarthest, kFarthest, "rad")
      .in("pitch", f.pitch, -kFarthest, kFarthest, "rad")
      .length("mouth_radius", f.mouth_radius)
      .length("bore_radius", f.bore_radius)
      .length("taper", f.taper)
      .length("bore", f.bore)
      .length("thickness", f.thickness)
      .surface(f.surface)
      .status();
}

}  // namespace

core::Status check_effectors(std::span<const EffectorDef> effectors) {
  if (effectors.size() > kMostEffectors)
    return refuse("effectors", fmt::format("{} end effectors", effectors.size()), fmt::format("at most {}", kMostEffectors));
  for (std::size_t i = 0; i < effectors.size(); ++i) {
    const std::string path = fmt::format("effectors[{}].", i);
    if (const core::Status s = check_effector(effectors[i], path); !s) return s;
    for (std::size_t k = 0; k < i; ++k)
      if (effectors[k].name == effectors[i].name)
        return refuse(path + "name", fmt::format("effectors[{}] is called '{}', too", k, effectors[i].name), "a name of its own");
  }
  return core::ok();
}

core::Status check_link(const LinkDef& link) {
  if (link.kind == LinkKind::Hinge && !is_direction(link.axis)) return refuse("axis", "the hinge has no axis", "[0, 1, 0] lets the aircraft pitch");
  if (link.kind == LinkKind::Fixed)
    for (const auto& [field, x] : {std::pair{"limit", link.limit}, {"friction", link.friction}, {"damping", link.damping}})
      if (x != 0) return refuse(field, "a fixed joint does not turn", "leave it out, or kind: spherical or hinge");
  if (link.limit != 0 && !is_within(link.limit, kSmallestLimit, kGreatestLimit))
    return refuse("limit", fmt::format("{:g} rad cannot limit a joint", link.limit),
                  fmt::format("{:g} to {:g} rad; 0: no limit", kSmallestLimit, kGreatestLimit));
  return Ranges("").in("friction", link.friction, 0, kGreatest, "N m").in("damping", link.damping, 0, kGreatest, "N m s").status();
}

core::Status check_structure(const StructureDef& structure) {
  if (const auto* wall = std::get_if<WallDef>(&structure.shape)) return check_wall(*wall);
  return check_funnel(std::get<FunnelDef>(structure.shape));
}

// a ball that stands on the bottom, and the side of the cone, which is no nearer to its centre than its radius
bool reaches_bottom(const EffectorDef& cylinder, const EffectorDef& cone) {
  const double widens = cone.mouth - cone.radius, side = math::sqrt(widens * widens + cone.length * cone.length);
  return cone.radius * cone.length + cylinder.radius * widens >= cylinder.radius * side;
}

}  // namespace volary::airframe
