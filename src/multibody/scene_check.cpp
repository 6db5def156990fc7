// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a scene must be like before MuJoCo sees it: its own messages name what it made of a scene, not what somebody wrote.
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "multibody/scene.hpp"

namespace volary::multibody {

namespace {

constexpr double kSlack = 1e-9;     // relative: flat bodies meet the triangle inequality with equality
constexpr double kUnit = 1e-6;      // how far from 1 the length of a quaternion may be
constexpr double kFarthest = 1e6;   // m
constexpr double kStiffest = 2;     // time steps that a contact takes at least
constexpr double kStretch = 1e-3;   // relative: how much longer than its length a cable may begin
constexpr std::size_t kLeastMemory = 16 * 1024, kMostMemory = std::size_t{1} << 30;

core::Error refuse(std::string field, std::string message, std::string suggestion = "") {
  core::Error e;
  e.field = std::move(field), e.message = std::move(message), e.suggestion = std::move(suggestion);
  return e;
}

// also false for NaN
bool is_within(double x, double least, double most) { return x >= least && x <= most; }
bool is_place(const Vec& v) { return is_within(v.x, -kFarthest, kFarthest) && is_within(v.y, -kFarthest, kFarthest) && is_within(v.z, -kFarthest, kFarthest); }

core::Status check_pose(const Pose& p, const std::string& path) {
  if (!is_place(p.position)) return refuse(path + ".position", "is not a place", fmt::format("numbers up to {:g} m", kFarthest));
  const Quat& q = p.rotation;
  if (!is_within(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1 - 2 * kUnit, 1 + 2 * kUnit))
    return refuse(path + ".rotation", "is not a unit quaternion", "w x y z with a length of 1; 1 0 0 0 turns nothing");
  return core::ok();
}

// Inertia is (tr S) I - S with S the second moments of the mass, which have no negative direction: three ordered minors of S + slack.
bool can_be_inertia(const Vec& d, const Vec& p) {
  const double trace = d.x + d.y + d.z, slack = kSlack * trace;
  if (!(d.x > 0 && d.y > 0 && d.z > 0 && std::isfinite(trace) && std::isfinite(p.x + p.y + p.z))) return false;
  const double xx = 0.5 * trace - d.x + slack, yy = 0.5 * trace - d.y + slack, zz = 0.5 * trace - d.z + slack;
  const double xy = -p.x, xz = -p.y, yz = -p.z;
  const double minor = xx * yy - xy * xy;
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx > 0 && minor > 0 && determinant > 0;
}

core::Status check_surface(const SurfaceDef& s, double time_step, const std::string& path) {
  const auto at = [&](const char* field) { return path + ".surface." + field; };
  for (const auto& [field, x] :
       {std::pair{"friction", s.friction}, {"spin_friction", s.spin_friction}, {"roll_friction", s.roll_friction}, {"margin", s.margin}})
    if (!is_within(x, 0, 1e3)) return refuse(at(field), fmt::format("{:g} cannot be", x), "0 to 1000");
  if (s.stiffness == 0 && !is_within(s.time_constant, kStiffest * time_step, 10))
    return refuse(at("time_constant"), fmt::format("{:g} s is too short for steps of {:g} s", s.time_constant, time_step),
                  "at least two time steps, at most 10 s");
  if (s.stiffness == 0 && !is_within(s.damping_ratio, 1e-3, 100))
    return refuse(at("damping_ratio"), fmt::format("{:g} cannot be", s.damping_ratio), "0.001 to 100");
  if (!is_within(s.stiffness, 0, 1e9)) return refuse(at("stiffness"), fmt::format("{:g} 1/s2 cannot be", s.stiffness), "0 to 1e9");
  if (s.stiffness > 0 && !is_within(s.damping, 1e-6, 1e6))
    return refuse(at("damping"), fmt::format("{:g} 1/s cannot be", s.damping), "1e-6 to 1e6, beside a stiffness");
  if (!is_within(s.least_impedance, 1e-4, 0.9999)) return refuse(at("least_impedance"), fmt::format("{:g} cannot be", s.least_impedance), "0.0001 to 0.9999");
  if (!is_within(s.greatest_impedance, s.least_impedance, 0.9999))
    return refuse(at("greatest_impedance"), fmt::format("{:g} cannot be", s.greatest_impedance), "from the least impedance to 0.9999");
  if (!is_within(s.width, 1e-9, 10)) return refuse(at("width"), fmt::format("{:g} m cannot be", s.width), "1e-9 to 10 m");
  return core::ok();
}

core::Status check_geom(const SceneDef& scene, const GeomDef& g, bool is_static, const std::string& path) {
  if (const core::Status s = check_pose(g.pose, path + ".pose"); !s) return s;
  if (g.shape == Shape::Plane && !is_static) return refuse(path + ".shape", "a plane has no end, so no body carries one", "a thin box");
  const bool has_length = g.shape == Shape::Cylinder || g.shape == Shape::Capsule || g.shape == Shape::Box;
  const bool is_sized = g.shape == Shape::Plane || (is_within(g.size.x, 1e-6, kFarthest) && (!has_length || is_within(g.size.y, 1e-6, kFarthest)) &&
                                                    (g.shape != Shape::Box || is_within(g.size.z, 1e-6, kFarthest)));
  if (!is_sized) return refuse(path + ".size", "has a length that is not positive", "half edges of a box; radius and half length of others, in m");
  if (!g.group.empty() && !find_group(scene, g.group))
    return refuse(path + ".group", fmt::format("there is no contact group '{}'", g.group), core::did_you_mean(g.group, scene.groups));
  return check_surface(g.surface, scene.options.time_step, path);
}

core::Status check_joint(const BodyDef& b, const std::string& path) {
  const JointDef& j = b.joint;
  const bool has_axis = j.kind == JointKind::Hinge || j.kind == JointKind::Slide;
  if (j.kind == JointKind::Free && !b.parent.empty())
    return refuse(path + ".joint.kind", fmt::format("a free joint has no parent, but '{}' is joined to '{}'", b.name, b.parent), "ball, hinge, slide or fixed");
  if (!is_place(j.anchor)) return refuse(path + ".joint.anchor", "is not a place", fmt::format("numbers up to {:g} m", kFarthest));
  if (has_axis && !(is_place(j.axis) && math::norm(j.axis) > 1e-6)) return refuse(path + ".joint.axis", "has no direction", "a vector such as 0 0 1");
  for (const auto& [field, x] : {std::pair{"damping", j.damping}, {"friction_loss", j.friction_loss}, {"stiffness", j.stiffness}})
    if (!is_within(x, 0, 1e9)) return refuse(path + ".joint." + field, fmt::format("{:g} cannot be", x), "0 or more");
  if (!j.is_limited) return core::ok();
  if (j.kind == JointKind::Fixed || j.kind == JointKind::Free)
    return refuse(path + ".joint.is_limited", "this kind of joint has no limits", "ball, hinge or slide");
  if (j.kind == JointKind::Ball && !is_within(j.upper, 1e-3, 3.14))
    return refuse(path + ".joint.upper", fmt::format("{:g} rad cannot limit a ball joint", j.upper), "0.001 to 3.14 rad");
  if (has_axis && !(j.lower < j.upper && is_within(j.lower, -kFarthest, kFarthest) && is_within(j.upper, -kFarthest, kFarthest)))
    return refuse(path + ".joint.lower", fmt::format("{:g} is not below the upper limit, {:g}", j.lower, j.upper));
  return core::ok();
}

// every body hangs, over its parents, on the world
core::Status check_tree(const SceneDef& scene) {
  std::vector<std::string> names;
  for (const BodyDef& b : scene.bodies) names.push_back(b.name);
  bool moves = false;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string path = fmt::format("bodies[{}].parent", i);
    std::size_t at = i;
    for (std::size_t steps = 0; !scene.bodies[at].parent.empty(); ++steps) {
      const auto parent = find_body(scene, scene.bodies[at].parent);
      if (!parent && at == i)
        return refuse(path, fmt::format("'{}' is joined to '{}', which is not a body", names[i], scene.bodies[i].parent),
                      core::did_you_mean(scene.bodies[i].parent, names) + "; empty: the world");
      if (!parent || steps > scene.bodies.size()) break;  // said of another body
      if (*parent == i)
        return refuse(path, fmt::format("'{}' is joined to itself in a loop, over '{}'", names[i], scene.bodies[i].parent),
                      "bodies form a tree; a weld between two sites closes a loop");
      at = *parent;
    }
    moves = moves || scene.bodies[i].joint.kind != JointKind::Fixed;
  }
  if (!moves) return refuse("bodies", "no body of the scene can move", "a free joint");
  return core::ok();
}

core::Status check_bodies(const SceneDef& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDef& b = scene.bodies[i];
    const std::string path = fmt::format("bodies[{}]", i);
    if (!is_within(b.mass, 1e-9, 1e9)) return refuse(path + ".mass", fmt::format("'{}' has a mass of {:g} kg", b.name, b.mass), "a positive number");
    if (!can_be_inertia(b.moments, b.products))
      return refuse(path + ".moments",
                    fmt::format("no body has moments of inertia of {:g}, {:g} and {:g} kg m2 with products of {:g}, {:g} and {:g}", b.moments.x, b.moments.y,
                                b.moments.z, b.products.x, b.products.y, b.products.z),
                    "about principal axes each moment is at most the sum of the other two");
    if (!is_place(b.centre_of_mass)) return refuse(path + ".centre_of_mass", "is not a place", fmt::format("numbers up to {:g} m", kFarthest));
    if (const core::Status s = check_pose(b.pose, path + ".pose"); !s) return s;
    if (const core::Status s = check_joint(b, path); !s) return s;
    for (std::size_t k = 0; k < b.geoms.size(); ++k)
      if (const core::Status s = check_geom(scene, b.geoms[k], false, fmt::format("{}.geoms[{}]", path, k)); !s) return s;
    for (std::size_t k = 0; k < b.sites.size(); ++k)
      if (const core::Status s = check_pose(b.sites[k].pose, fmt::format("{}.sites[{}].pose", path, k)); !s) return s;
  }
  return core::ok();
}

class Names {
 public:
  explicit Names(bool may_be_empty) : may_be_empty_(may_be_empty) {}
  core::Status add(const std::string& name, const std::string& path) {
    if (name.empty() && may_be_empty_) return core::ok();
    if (name.empty()) return refuse(path, "has no name");
    if (!seen_.insert(name).second) return refuse(path, fmt::format("there is another '{}'", name), "a name of its own");
    return core::ok();
  }

 private:
  bool may_be_empty_;
  std::set<std::string> seen_;
};

core::Status check_names(const SceneDef& scene) {
  Names bodies(false), sites(false), geoms(true), groups(false), welds(false), cables(false);
  core::Status s = core::ok();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDef& b = scene.bodies[i];
    if (s = bodies.add(b.name, fmt::format("bodies[{}].name", i)); !s) return s;
    for (std::size_t k = 0; k < b.sites.size(); ++k)
      if (s = sites.add(b.sites[k].name, fmt::format("bodies[{}].sites[{}].name", i, k)); !s) return s;
    for (std::size_t k = 0; k < b.geoms.size(); ++k)
      if (s = geoms.add(b.geoms[k].name, fmt::format("bodies[{}].geoms[{}].name", i, k)); !s) return s;
  }
  for (std::size_t k = 0; k < scene.statics.size(); ++k)
    if (s = geoms.add(scene.statics[k].name, fmt::format("statics[{}].name", k)); !s) return s;
  for (std::size_t k = 0; k < scene.groups.size(); ++k)
    if (s = groups.add(scene.groups[k], fmt::format("groups[{}]", k)); !s) return s;
  for (std::size_t k = 0; k < scene.welds.size(); ++k)
    if (s = welds.add(scene.welds[k].name, fmt::format("welds[{}].name", k)); !s) return s;
  for (std::size_t k = 0; k < scene.cables.size(); ++k)
    if (s = cables.add(scene.cables[k].name, fmt::format("cables[{}].name", k)); !s) return s;
  return core::ok();
}

core::Status check_counts(const SceneDef& scene) {
  std::size_t geoms = scene.statics.size(), sites = 0;
  for (const BodyDef& b : scene.bodies) geoms += b.geoms.size(), sites += b.sites.size();
  if (scene.bodies.empty()) return refuse("bodies", "the scene has no bodies");
  for (const auto& [field, count, most] : {std::tuple{"bodies", scene.bodies.size(), kMostBodies},
                                           {"geoms", geoms, kMostGeoms},
                                           {"sites", sites, kMostSites},
                                           {"welds", scene.welds.size(), kMostWelds},
                                           {"cables", scene.cables.size(), kMostCables},
                                           {"groups", scene.groups.size(), kMostGroups}})
    if (count > most) return refuse(field, fmt::format("the scene has {} {}", count, field), fmt::format("at most {}", most));
  return core::ok();
}

// what joins two sites: of different bodies, and not faster than contacts do
core::Status check_ends(const SceneDef& scene, const std::array<std::string, 2>& ends, double time_constant, const std::string& path) {
  std::vector<std::string> sites;
  std::vector<std::size_t> body_of;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    for (const SiteDef& site : scene.bodies[i].sites) sites.push_back(site.name), body_of.push_back(i);
  std::array<std::size_t, 2> body{};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto site = find_site(scene, ends[side]);
    if (!site) return refuse(fmt::format("{}.sites[{}]", path, side), fmt::format("there is no site '{}'", ends[side]), core::did_you_mean(ends[side], sites));
    body[side] = body_of[*site];
  }
  if (body[0] == body[1]) return refuse(path + ".sites", fmt::format("both sites are of the body '{}'", scene.bodies[body[0]].name), "sites of two bodies");
  if (!is_within(time_constant, kStiffest * scene.options.time_step, 10))
    return refuse(path + ".time_constant", fmt::format("{:g} s is too short for steps of {:g} s", time_constant, scene.options.time_step),
                  "at least two time steps, at most 10 s");
  return core::ok();
}

core::Status check_welds(const SceneDef& scene) {
  for (std::size_t k = 0; k < scene.welds.size(); ++k)
    if (const core::Status s = check_ends(scene, scene.welds[k].sites, scene.welds[k].time_constant, fmt::format("welds[{}]", k)); !s) return s;
  return core::ok();
}

// where a site is in the world at rest
Vec place_of(const SceneDef& scene, const std::string& name) {
  for (const BodyDef& body : scene.bodies)
    for (const SiteDef& site : body.sites) {
      if (site.name != name) continue;
      Vec place = site.pose.position;
      for (const BodyDef* at = &body; at != nullptr; at = at->parent.empty() ? nullptr : &scene.bodies[*find_body(scene, at->parent)])
        place = at->pose.position + math::rotation_matrix(at->pose.rotation) * place;
      return place;
    }
  return {};
}

core::Status check_cables(const SceneDef& scene) {
  for (std::size_t k = 0; k < scene.cables.size(); ++k) {
    const CableDef& c = scene.cables[k];
    const std::string path = fmt::format("cables[{}]", k);
    if (const core::Status s = check_ends(scene, c.sites, c.time_constant, path); !s) return s;
    if (!is_within(c.length, 1e-3, kFarthest))
      return refuse(path + ".length", fmt::format("{:g} m cannot be", c.length), fmt::format("0.001 to {:g} m", kFarthest));
    const double apart = math::norm(place_of(scene, c.sites[1]) - place_of(scene, c.sites[0]));
    if (!(apart <= c.length * (1 + kStretch)))
      return refuse(path + ".length",
                    fmt::format("{:g} m do not reach from '{}' to '{}', which are {:g} m apart at rest", c.length, c.sites[0], c.sites[1], apart),
                    "a longer cable, or bodies that begin nearer to each other");
  }
  return core::ok();
}

core::Status check_touching(const SceneDef& scene) {
  for (std::size_t k = 0; k < scene.touching.size(); ++k)
    for (std::size_t side = 0; side < 2; ++side)
      if (const std::string& name = scene.touching[k][side]; !find_group(scene, name))
        return refuse(fmt::format("touching[{}][{}]", k, side), fmt::format("there is no contact group '{}'", name), core::did_you_mean(name, scene.groups));
  return core::ok();
}

core::Status check_options(const OptionsDef& o) {
  if (!is_within(o.time_step, 1e-6, 0.1)) return refuse("options.time_step", fmt::format("{:g} s cannot be", o.time_step), "1e-6 to 0.1 s");
  if (!is_place(o.gravity)) return refuse("options.gravity", "is not an acceleration", "m/s2, such as 0 0 -9.80665");
  if (!is_within(o.friction_stiffness, 1e-3, 1e6))
    return refuse("options.friction_stiffness", fmt::format("{:g} cannot be", o.friction_stiffness), "0.001 to 1e6");
  if (!is_within(o.tolerance, 0, 1)) return refuse("options.tolerance", fmt::format("{:g} cannot be", o.tolerance), "0 to 1");
  if (o.iterations < 1 || o.iterations > 10000) return refuse("options.iterations", fmt::format("{} cannot be", o.iterations), "1 to 10000");
  if (o.memory < kLeastMemory || o.memory > kMostMemory)
    return refuse("options.memory", fmt::format("{} bytes cannot be", o.memory), fmt::format("{} to {}", kLeastMemory, kMostMemory));
  return core::ok();
}

}  // namespace

core::Status check(const SceneDef& scene) {
  if (const core::Status s = check_options(scene.options); !s) return s;
  for (const auto look : {check_counts, check_names, check_tree, check_bodies, check_touching, check_welds, check_cables})
    if (const core::Status s = look(scene); !s) return s;
  for (std::size_t k = 0; k < scene.statics.size(); ++k)
    if (const core::Status s = check_geom(scene, scene.statics[k], true, fmt::format("statics[{}]", k)); !s) return s;
  return core::ok();
}

}  // namespace volary::multibody
