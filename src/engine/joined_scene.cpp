// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/joined_scene.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/platform_scene.hpp"
#include "math/functions.hpp"
#include "vehicles/slung_load.hpp"

namespace volary::engine {

namespace {

using airframe::EffectorDef;
using airframe::EffectorKind;
using multibody::BodyDef;
using multibody::GeomDef;
using multibody::Pose;
using multibody::Quat;
using multibody::Shape;
using multibody::SurfaceDef;
using multibody::Vec;

constexpr double kQuarterTurn = 1.5707963267948966;  // rad
constexpr double kUpright = 1e-9;                    // level part of a direction that has no heading
constexpr const char* kStructures = "structures";
constexpr const char* kGround = "ground";
constexpr const char* kLoad = "load";
constexpr std::array<const char*, kMostMembers> kMembers = {"vehicle", "partner", "third", "fourth"};
constexpr int kConePlates = 12;
constexpr double kConeThickness = 0.01;  // m
constexpr double kHullFriction = 0.6;    // an estimate: plastics and carbon fibre
constexpr double kHullBelow = 0.02;      // m that a frame reaches below the lowest of its rotors and its centre of mass
constexpr double kSoftness = 0.02;       // s, of hulls, ground and latches, unless substeps are too long for it
constexpr double kLeastSteps = 2;        // substeps that a contact takes
constexpr double kFastestSpring = 0.5;   // rad per substep: swings of a wall on its spring
constexpr double kRounding = 1e-9;
constexpr std::size_t kMemory = 512 * 1024;  // bytes per instance: some hundred contacts

core::Error refuse(std::string field, std::string message, std::string suggestion) {
  core::Error e;
  e.field = std::move(field), e.message = std::move(message), e.suggestion = std::move(suggestion);
  return e;
}
core::Error in(std::string path, core::Error e) {
  e.field = path + e.field;
  return e;
}

// ---------------------------------------------------------------- frames

Quat about_y(double angle) {
  double s, c;
  math::sincos(0.5 * angle, s, c);
  return {c, 0, s, 0};
}
// z points along a direction, y is level
Quat pointing(double yaw, double pitch) { return about_z(yaw) * about_y(kQuarterTurn - pitch); }
Quat pointing(const Vec& d) {
  const double level = math::sqrt(d.x * d.x + d.y * d.y);
  return pointing(level > kUpright * math::abs(d.z) ? math::atan2(d.y, d.x) : 0, math::atan2(d.z, level));
}

Pose along(const Pose& frame, const Pose& of) { return {frame.position + math::rotation_matrix(frame.rotation) * of.position, frame.rotation * of.rotation}; }
Pose along(const Pose& frame, double z) { return along(frame, Pose{{0, 0, z}, {1, 0, 0, 0}}); }

// root of an end effector, z towards its tip
Pose root_of(const EffectorDef& e) { return {to_vec(e.position), pointing(to_vec(e.direction))}; }

// ---------------------------------------------------------------- shapes

GeomDef box(const Vec& half, const Pose& pose) {
  GeomDef g;
  g.shape = Shape::Box, g.size = half, g.pose = pose;
  return g;
}
// a rod from the origin of the frame to z = length, where it ends round
GeomDef rod(double radius, double length, const Pose& frame) {
  GeomDef g;
  g.shape = Shape::Capsule, g.size = {radius, 0.5 * (length - radius), 0}, g.pose = along(frame, 0.5 * (length - radius));
  return g;
}
void add(std::vector<GeomDef>& to, std::vector<GeomDef> more, const Pose& frame) {
  for (GeomDef& g : more) {
    g.pose = along(frame, g.pose);
    to.push_back(std::move(g));
  }
}

// in the frame of the body that carries it
std::vector<GeomDef> shapes_of(const EffectorDef& e) {
  const Pose root = root_of(e);
  if (e.kind == EffectorKind::Pole || e.kind == EffectorKind::Cylinder) return {rod(e.radius, e.length, root)};
  if (e.kind == EffectorKind::Plate) return {box({e.radius, e.radius, 0.5 * e.length}, along(root, 0.5 * e.length))};
  // a cone, with a bottom that the tip of a cylinder comes to stand on
  const double edge = e.radius + kConeThickness;
  std::vector<GeomDef> all = {box({edge, edge, 0.5 * kConeThickness}, along(root, -0.5 * kConeThickness))};
  add(all, frustum_plates(e.radius, e.mouth, e.length, kConeThickness, kConePlates), root);
  return all;
}

// around rotors, hubs and frame of an aircraft; what is below is the business of its feet
GeomDef hull_of(const airframe::MultirotorDef& aircraft) {
  const double radius = airframe::propeller_radius(aircraft.motor);
  Vec low{0, 0, 0}, high{0, 0, aircraft.hull_top};
  for (const airframe::RotorDef& r : aircraft.rotors) {
    const Vec at = to_vec(r.position);
    low = {std::min(low.x, at.x - radius), std::min(low.y, at.y - radius), std::min(low.z, at.z)};
    high = {std::max(high.x, at.x + radius), std::max(high.y, at.y + radius), std::max(high.z, at.z)};
  }
  low.z -= kHullBelow;
  return box(0.5 * (high - low), {0.5 * (high + low), {1, 0, 0, 0}});
}
GeomDef hull_of(const airframe::CentreDef& centre) { return box(0.5 * to_vec(centre.size), {}); }

std::vector<GeomDef> shapes_of(const FunnelDef& f) {
  const Pose mouth = {{f.mouth_W[0], f.mouth_W[1], f.mouth_W[2]}, pointing(f.yaw, f.pitch)};
  std::vector<GeomDef> all;
  add(all, frustum_plates(f.bore_radius, f.mouth_radius, f.taper, f.thickness, f.plates), along(mouth, -f.taper));
  add(all, frustum_plates(f.bore_radius, f.bore_radius, f.bore, f.thickness, f.plates), along(mouth, -f.taper - f.bore));
  return all;
}

// with its front face at the origin of the frame, and z out of it
GeomDef plate_of(const WallDef& w) { return box({0.5 * w.height, 0.5 * w.width, 0.5 * w.thickness}, {{0, 0, -0.5 * w.thickness}, {1, 0, 0, 0}}); }

// Its weight presses on the spring of a wall that leans.
BodyDef sprung(const WallDef& w, const Pose& front, std::string name) {
  BodyDef body;
  body.name = std::move(name);
  body.pose = front;
  body.mass = w.mass;
  body.centre_of_mass = {0, 0, -0.5 * w.thickness};
  const double x = w.height * w.height, y = w.width * w.width, z = w.thickness * w.thickness;
  body.moments = (w.mass / 12) * Vec{y + z, x + z, x + y};
  body.joint.kind = multibody::JointKind::Slide;
  body.joint.stiffness = w.stiffness, body.joint.damping = w.damping;
  return body;
}

// ---------------------------------------------------------------- what a vehicle is made of

// a body of it, without name and parent of the scene, and what it carries
struct Made {
  BodyDef body;
  GeomDef hull;
  std::span<const EffectorDef> effectors;
};

core::Result<std::vector<Made>> bodies_of(const Airframe& airframe) {
  std::vector<Made> all;
  if (airframe.model == "multirotor" && airframe.definition != nullptr) {
    const auto& def = *static_cast<const airframe::MultirotorDef*>(airframe.definition.get());
    all.push_back({free_aircraft(def), hull_of(def), def.effectors});
  } else if (airframe.model == "platform" && airframe.definition != nullptr) {
    const auto& def = *static_cast<const airframe::PlatformDef*>(airframe.definition.get());
    all.push_back({centre_body(def), hull_of(def.centre), def.effectors});
    for (std::size_t k = 0; k < def.parts.size(); ++k) all.push_back({aircraft_body(def, k), hull_of(def.aircraft[k]), def.aircraft[k].effectors});
  } else {
    return refuse("airframe", fmt::format("vehicles of joined bodies are platforms or multirotors; '{}' is neither", airframe.name),
                  "an airframe such as three_star or f450");
  }
  for (const Made& m : all)
    if (const core::Status s = airframe::check_effectors(m.effectors); !s) return in("airframe.", s.error());
  return all;
}

class Maker {
 public:
  Maker(std::span<const Airframe* const> members, const EnvironmentDef& environment, const multibody::OptionsDef& options, const LoadDef* load)
      : airframes_(members), environment_(environment), load_(load) {
    out_.scene.options = options;
    out_.scene.options.memory = std::max(options.memory, kMemory);
  }

  core::Result<JoinedScene> make() {
    for (const Airframe* a : airframes_) {
      auto made = bodies_of(*a);
      if (!made) return of_member(made_.size(), made.error());
      made_.push_back(std::move(made).value());
    }
    if (load_ != nullptr)
      if (const core::Status s = airframe::check_load(*load_, airframes_, environment_); !s) return of_load(s.error());
    groups();
    for (std::size_t m = 0; m < made_.size(); ++m)
      if (const core::Status s = member(m); !s) return of_member(m, s.error());
    if (const core::Status s = load(); !s) return of_load(s.error());
    if (const core::Status s = structures(); !s) return s.error();
    ground();
    if (const core::Status s = latches(); !s) return s.error();
    if (const core::Status s = limits(); !s) return s.error();
    find_numbers();
    return std::move(out_);
  }

 private:
  // faults of another vehicle are faults of docking, or carrying a load, with it
  core::Error of_member(std::size_t m, core::Error e) const {
    if (m == 0) return e;
    e.message = fmt::format("'{}', {}: {}", airframes_[m]->name, e.field, e.message);
    e.field = load_ != nullptr ? "load.with" : "docking.with";
    return e;
  }
  static core::Error of_load(core::Error e) {
    e.field = e.field.empty() ? "load" : "load." + e.field;
    return e;
  }

  double shortest() const { return kLeastSteps * out_.scene.options.time_step; }
  SurfaceDef surface(double friction, double time_constant = kSoftness) const {
    SurfaceDef s;
    s.friction = friction, s.time_constant = std::max(time_constant, shortest());
    return s;
  }
  // what somebody wrote is not made softer without a word
  core::Status check_softness(const ContactSurfaceDef& s, const std::string& path) const {
    if (s.time_constant >= shortest() * (1 - kRounding)) return core::ok();
    return refuse(path + "surface.time_constant", fmt::format("{:g} s is too short for substeps of {:g} s", s.time_constant, out_.scene.options.time_step),
                  fmt::format("at least {:g} s, or more substeps", shortest()));
  }

  bool has_effectors() const {
    const auto has_some = [](const Made& m) { return !m.effectors.empty(); };
    return std::any_of(made_.begin(), made_.end(), [&](const std::vector<Made>& bodies) { return std::any_of(bodies.begin(), bodies.end(), has_some); });
  }
  bool docks() const { return made_.size() > 1 && load_ == nullptr; }
  bool has_ground() const { return environment_.ground && environment_.terrain == nullptr && (has_effectors() || load_ != nullptr); }
  bool has_others() const { return docks() || !environment_.structures.empty(); }

  void groups() {
    auto& all = out_.scene.groups;
    auto& touching = out_.scene.touching;
    for (std::size_t m = 0; m < made_.size(); ++m) all.push_back(kMembers[m]);
    all.push_back(kStructures), all.push_back(kGround);
    for (std::size_t m = 0; m < made_.size(); ++m) {
      all.push_back(hull_group(m));
      touching.push_back({kMembers[m], kStructures}), touching.push_back({hull_group(m), kStructures});
      touching.push_back({kMembers[m], kGround});
    }
    if (load_ != nullptr) {
      all.push_back(kLoad);
      touching.push_back({kLoad, kStructures}), touching.push_back({kLoad, kGround});
    }
    if (!docks()) return;
    for (const std::string& mine : {std::string(kMembers[0]), hull_group(0)})
      for (const std::string& other : {std::string(kMembers[1]), hull_group(1)}) touching.push_back({mine, other});
  }
  static std::string hull_group(std::size_t m) { return fmt::format("{} hull", kMembers[m]); }
  static std::string named(std::size_t m, const std::string& name) { return fmt::format("{}/{}", kMembers[m], name); }
  static std::string site_name(std::size_t m, const std::string& body, const std::string& name) { return fmt::format("{}/{}/{}", kMembers[m], body, name); }

  core::Status member(std::size_t m) {
    for (const Made& made : made_[m]) {
      BodyDef body = made.body;
      body.sites.push_back({named(m, made.body.name), {}, multibody::Drive::Wrench});
      for (std::size_t k = 0; k < made.effectors.size(); ++k) {
        const EffectorDef& e = made.effectors[k];
        if (const core::Status s = check_softness(e.surface, fmt::format("airframe.effectors[{}].", k)); !s) return s;
        effector(m, body, made.body.name, e);
      }
      // shapes that nothing can touch are left out
      if (has_others()) {
        body.geoms.push_back(made.hull);
        body.geoms.back().group = hull_group(m), body.geoms.back().surface = surface(kHullFriction);
      }
      if (load_ != nullptr) hang_up(m, body);
      body.name = named(m, made.body.name);
      if (!body.parent.empty()) body.parent = named(m, body.parent);
      out_.scene.bodies.push_back(std::move(body));
    }
    return core::ok();
  }

  void effector(std::size_t m, BodyDef& body, const std::string& body_name, const EffectorDef& e) {
    if (has_others() || has_ground())
      for (GeomDef& g : shapes_of(e)) {
        g.group = kMembers[m], g.surface = surface(e.surface.friction, e.surface.time_constant);
        body.geoms.push_back(std::move(g));
      }
    const std::string name = site_name(m, body_name, e.name);
    const Pose root = root_of(e);
    // in a cone, the tip of a cylinder is at its bottom, and both point out of it
    if (e.kind == EffectorKind::Cone) body.sites.push_back({name, root, multibody::Drive::None});
    if (e.kind == EffectorKind::Cylinder)
      body.sites.push_back({name, {along(root, e.length).position, pointing(-to_vec(e.direction))}, multibody::Drive::None});
  }

  // ---------------------------------------------------------------- load

  static std::string cable_name(std::size_t m) { return fmt::format("{}/cable", kMembers[m]); }
  static std::string hook_name(std::size_t m) { return fmt::format("{}/{}", kLoad, kMembers[m]); }
  Vec attach() const { return {load_->cable.attach_B[0], load_->cable.attach_B[1], load_->cable.attach_B[2]}; }
  // where its cable has no length, until it is placed
  void hang_up(std::size_t m, BodyDef& body) const {
    body.sites.push_back({cable_name(m), {attach(), {1, 0, 0, 0}}, multibody::Drive::None});
    body.pose.position = airframe::hooks_of(*load_)[m] - attach();
  }

  core::Status load() {
    if (load_ == nullptr) return core::ok();
    if (const core::Status s = check_softness(load_->surface, ""); !s) return s;
    const double step = out_.scene.options.time_step, soft = load_->cable.time_constant;
    if (!(soft >= shortest() * (1 - kRounding)))
      return refuse("cable.time_constant", fmt::format("{:g} s is too short for substeps of {:g} s", soft, step),
                    fmt::format("at least {:g} s, or more substeps", shortest()));
    BodyDef body;
    body.name = kLoad;
    body.mass = load_->mass, body.moments = airframe::moments_of(*load_);
    body.joint.kind = multibody::JointKind::Free;
    if (has_ground() || has_others()) {
      body.geoms.push_back(box(0.5 * Vec{load_->size[0], load_->size[1], load_->size[2]}, {}));
      body.geoms.back().group = kLoad, body.geoms.back().surface = surface(load_->surface.friction, load_->surface.time_constant);
    }
    const std::vector<Vec> hooks = airframe::hooks_of(*load_);
    for (std::size_t m = 0; m < made_.size(); ++m) {
      body.sites.push_back({hook_name(m), {hooks[m], {1, 0, 0, 0}}, multibody::Drive::None});
      out_.scene.cables.push_back({cable_name(m), {cable_name(m), hook_name(m)}, load_->cable.length, std::max(soft, shortest())});
    }
    out_.scene.bodies.push_back(std::move(body));
    return core::ok();
  }

  // ---------------------------------------------------------------- structures and ground

  core::Status structures() {
    const auto& all = environment_.structures;
    if (all.size() > kMostStructures)
      return refuse("environment.structures", fmt::format("{} structures", all.size()), fmt::format("at most {}", kMostStructures));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string path = fmt::format("environment.structures[{}].", k);
      if (const core::Status s = airframe::check_structure(all[k]); !s) return in(path, s.error());
      if (const auto* w = std::get_if<WallDef>(&all[k].shape)) {
        if (const core::Status s = wall(*w, k, path + "wall."); !s) return s;
      } else {
        const auto& f = std::get<FunnelDef>(all[k].shape);
        if (const core::Status s = check_softness(f.surface, path + "funnel."); !s) return s;
        for (GeomDef& g : shapes_of(f)) add_static(std::move(g), f.surface);
      }
    }
    return core::ok();
  }
  core::Status wall(const WallDef& w, std::size_t k, const std::string& path) {
    if (const core::Status s = check_softness(w.surface, path); !s) return s;
    const Pose front = {{w.centre_W[0], w.centre_W[1], w.centre_W[2]}, pointing(w.yaw, w.pitch)};
    GeomDef plate = plate_of(w);
    if (w.stiffness == 0) {
      plate.pose = along(front, plate.pose);
      add_static(std::move(plate), w.surface);
      return core::ok();
    }
    const double step = out_.scene.options.time_step, most = kFastestSpring * kFastestSpring * w.mass / (step * step);
    if (w.stiffness > most * (1 + kRounding))
      return refuse(path + "stiffness", fmt::format("{:g} N/m are too stiff for a wall of {:g} kg and substeps of {:g} s", w.stiffness, w.mass, step),
                    fmt::format("at most {:.3g} N/m, a heavier wall, or 0 for one that stands fast", most));
    BodyDef body = sprung(w, front, fmt::format("{}/{}", kStructures, k));
    plate.group = kStructures, plate.surface = surface(w.surface.friction, w.surface.time_constant);
    body.geoms.push_back(std::move(plate));
    out_.scene.bodies.push_back(std::move(body));
    return core::ok();
  }
  void add_static(GeomDef g, const ContactSurfaceDef& s) {
    g.group = kStructures, g.surface = surface(s.friction, s.time_constant);
    out_.scene.statics.push_back(std::move(g));
  }

  void ground() {
    if (!has_ground()) return;
    GeomDef plane;
    plane.shape = Shape::Plane, plane.pose.position = {0, 0, environment_.ground_height};
    plane.group = kGround, plane.surface = surface(environment_.ground_friction);
    out_.scene.statics.push_back(std::move(plane));
  }

  core::Status latches() {
    if (!docks()) return core::ok();
    for (const std::size_t m : {0, 1})
      for (const Made& with_cone : made_[m])
        for (const EffectorDef& cone : with_cone.effectors)
          for (const Made& with_cylinder : made_[1 - m])
            for (const EffectorDef& cylinder : with_cylinder.effectors) {
              if (cone.kind != EffectorKind::Cone || cylinder.kind != EffectorKind::Cylinder) continue;
              if (!airframe::reaches_bottom(cylinder, cone))
                return refuse("docking.with",
                              fmt::format("'{}' of '{}' does not reach the bottom of '{}' of '{}': a radius of {:g} m, there {:g} m", cylinder.name,
                                          airframes_[1 - m]->name, cone.name, airframes_[m]->name, cylinder.radius, cone.radius),
                              "a thinner cylinder, or a cone with a wider bottom");
              latch(m, site_name(m, with_cone.body.name, cone.name), site_name(1 - m, with_cylinder.body.name, cylinder.name), cone);
            }
    if (out_.latches.empty())
      return refuse("docking.with", fmt::format("neither '{}' nor '{}' has a cone for a cylinder of the other", airframes_[0]->name, airframes_[1]->name),
                    "airframes such as docking_cone and docking_cylinder");
    return core::ok();
  }
  void latch(std::size_t cone_member, const std::string& cone_site, const std::string& cylinder_site, const EffectorDef& cone) {
    multibody::WeldDef weld;
    weld.name = fmt::format("latch {}", out_.latches.size());
    weld.sites = {cone_site, cylinder_site};
    weld.time_constant = std::max(kSoftness, shortest());
    out_.scene.welds.push_back(weld);
    out_.latches.push_back({.weld = out_.latches.size(), .cone_site = 0, .cylinder_site = 0, .cone_member = cone_member, .cone = cone});
  }

  core::Status limits() const {
    const multibody::SceneDef& s = out_.scene;
    std::size_t of_bodies = 0;
    for (const BodyDef& b : s.bodies) of_bodies += b.geoms.size();
    if (of_bodies + s.statics.size() > multibody::kMostGeoms)
      return refuse("environment.structures", fmt::format("vehicles and structures consist of {} shapes", of_bodies + s.statics.size()),
                    fmt::format("at most {}: fewer funnels, or funnels of fewer plates", multibody::kMostGeoms));
    if (s.welds.size() > multibody::kMostWelds)
      return refuse("docking.with", fmt::format("{} pairs of cones and cylinders", s.welds.size()), fmt::format("at most {}", multibody::kMostWelds));
    return core::ok();
  }

  void find_numbers() {
    const multibody::SceneDef& s = out_.scene;
    for (std::size_t m = 0; m < made_.size(); ++m) {
      JoinedMember member;
      member.name = kMembers[m];
      member.hull = *multibody::find_group(s, hull_group(m));
      for (const Made& made : made_[m]) {
        member.bodies.push_back(*multibody::find_body(s, named(m, made.body.name)));
        member.sites.push_back(*multibody::find_site(s, named(m, made.body.name)));
      }
      out_.members.push_back(std::move(member));
    }
    for (std::size_t m = 0; m < s.cables.size(); ++m)
      out_.cables.push_back({m, *multibody::find_site(s, s.cables[m].sites[0]), *multibody::find_site(s, s.cables[m].sites[1])});
    if (load_ != nullptr) out_.load = *multibody::find_body(s, kLoad);
    for (JoinedScene::Latch& l : out_.latches)
      l.cone_site = *multibody::find_site(s, s.welds[l.weld].sites[0]), l.cylinder_site = *multibody::find_site(s, s.welds[l.weld].sites[1]);
  }

  std::span<const Airframe* const> airframes_;
  const EnvironmentDef& environment_;
  const LoadDef* load_;
  std::vector<std::vector<Made>> made_;  // per member
  JoinedScene out_;
};

}  // namespace

std::vector<GeomDef> frustum_plates(double bottom, double top, double length, double thickness, int plates) {
  // In the plane of the axis and the middle of a plate: the slope of its inner face, along which z of the plate points; x points away from the axis. The inner
  // faces touch the frustum along their middles. What is inside of all of them is convex, so no plate reaches into it, however wide: as wide as the wider end asks.
  const double slope = math::atan2(top - bottom, length), half = 0.5 * math::sqrt((top - bottom) * (top - bottom) + length * length);
  double s, c;
  math::sincos(slope, s, c);
  const double width = (std::max(bottom, top) + thickness) * math::tan(2 * kQuarterTurn / plates);
  const Vec middle = {0.5 * (bottom + top) + 0.5 * thickness * c, 0, 0.5 * length - 0.5 * thickness * s};
  std::vector<GeomDef> all;
  for (int k = 0; k < plates; ++k) {
    const Pose around = {{0, 0, 0}, about_z(4 * kQuarterTurn * k / plates)};
    all.push_back(box({0.5 * thickness, width, half}, along(around, Pose{middle, about_y(slope)})));
  }
  return all;
}

core::Result<JoinedScene> joined_scene(std::span<const Airframe* const> members, const EnvironmentDef& environment, const multibody::OptionsDef& options,
                                       const LoadDef* load) {
  core::require(!members.empty() && members.size() <= kMembers.size(), "a scene has one to four members");
  return Maker(members, environment, options, load).make();
}

bool flies_joined(const Airframe& airframe) {
  if (airframe.definition == nullptr) return false;
  if (airframe.model == "multirotor") return !static_cast<const airframe::MultirotorDef*>(airframe.definition.get())->effectors.empty();
  if (airframe.model != "platform") return false;
  const auto& def = *static_cast<const airframe::PlatformDef*>(airframe.definition.get());
  const auto is_more = [](const airframe::PartDef& p) {
    return p.link.kind != airframe::LinkKind::Spherical || p.link.limit > 0 || p.link.friction > 0 || p.link.damping > 0;
  };
  return !def.effectors.empty() || std::any_of(def.parts.begin(), def.parts.end(), is_more) ||
         std::any_of(def.aircraft.begin(), def.aircraft.end(), [](const airframe::MultirotorDef& a) { return !a.effectors.empty(); });
}

}  // namespace volary::engine
