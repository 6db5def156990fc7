// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes of vehicles, end effectors and structures: what they are made of, and how they push, plug in and dock once MuJoCo moves them.
#include "engine/joined_scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "engine/platform_scene.hpp"
#include "environment/terrain.hpp"
#include "multibody/model.hpp"
#include "scenario/airframe.hpp"
#include "vehicles/platform_test_support.hpp"

namespace volary::engine {
namespace {

using airframe::EffectorDef;
using airframe::EffectorKind;
using airframe::LinkKind;
using airframe::MultirotorDef;
using airframe::PlatformDef;
using multibody::GeomDef;
using multibody::Instance;
using multibody::Motion;
using multibody::Quat;
using multibody::Vec;
using multibody::Wrench;

constexpr double kHalfTurn = 3.14159265358979323846;

Airframe as_airframe(const MultirotorDef& def) { return {"multirotor", def.name, std::make_shared<MultirotorDef>(def)}; }
Airframe as_airframe(const PlatformDef& def) { return {"platform", def.name, std::make_shared<PlatformDef>(def)}; }
Airframe shipped(const std::string& name) {
  const auto loaded = scenario::load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml");
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().text());
  return loaded.value();
}

EffectorDef effector(EffectorKind kind, const airframe::Triple& position, const airframe::Triple& direction, double length, double radius) {
  EffectorDef e;
  e.name = airframe::names(EffectorKind{})[static_cast<std::size_t>(kind)];
  e.kind = kind, e.position = position, e.direction = direction, e.length = length, e.radius = radius;
  return e;
}
MultirotorDef f450_with(const EffectorDef& e) {
  MultirotorDef d = test::f450();
  d.effectors = {e};
  return d;
}
// a pole of 1 m
MultirotorDef with_pole(const airframe::Triple& direction, double radius = 0.03) {
  return f450_with(effector(EffectorKind::Pole, {0, 0, 0}, direction, 1, radius));
}

EnvironmentDef empty_world() {
  EnvironmentDef e;
  e.ground = false;
  return e;
}
EnvironmentDef world_with(const std::variant<WallDef, FunnelDef>& shape) {
  EnvironmentDef e = empty_world();
  e.structures = {{"structure", shape}};
  return e;
}
multibody::OptionsDef weightless() {
  multibody::OptionsDef o;
  o.gravity = {0, 0, 0};
  return o;
}

core::Result<JoinedScene> try_scene(const std::vector<Airframe>& airframes, const EnvironmentDef& e = empty_world(), const multibody::OptionsDef& o = {}) {
  std::vector<const Airframe*> members;
  for (const Airframe& a : airframes) members.push_back(&a);
  return joined_scene(members, e, o);
}
JoinedScene scene_of(const std::vector<Airframe>& airframes, const EnvironmentDef& e = empty_world(), const multibody::OptionsDef& o = {}) {
  auto made = try_scene(airframes, e, o);
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(made).value();
}
std::unique_ptr<Instance> instance_of(const JoinedScene& j) {
  const auto model = multibody::make_model(j.scene);
  EXPECT_TRUE(model) << (model ? "" : model.error().text());
  return std::move(model.value()->make_instance()).value();
}
void fly(Instance& instance, int substeps) {
  const core::Status s = instance.step(substeps);
  ASSERT_TRUE(s) << s.error().text();
}
Vec at(const Motion& m, const Vec& place_B) { return m.position_W + math::rotation_matrix(m.q_WB) * place_B; }
Vec z_of(const Motion& m) { return math::column_z(math::rotation_matrix(m.q_WB)); }
std::vector<multibody::Contact> contacts(const Instance& instance, std::size_t a, std::size_t b) {
  std::vector<multibody::Contact> found;
  instance.contacts(a, b, found);
  return found;
}
std::size_t n_geoms(const JoinedScene& j) {
  std::size_t n = j.scene.statics.size();
  for (const auto& b : j.scene.bodies) n += b.geoms.size();
  return n;
}

// ---------------------------------------------------------------- what a scene is made of

TEST(joined_scene, a_platform_is_its_central_body_and_its_aircraft_with_a_wrench_on_each) {
  const JoinedScene j = scene_of({as_airframe(test::three_star())});
  ASSERT_EQ(j.members.size(), 1u);
  EXPECT_EQ(j.members[0].bodies, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(j.members[0].sites, (std::vector<std::size_t>{0, 1, 2, 3}));
  for (const auto& b : j.scene.bodies) {
    ASSERT_EQ(b.sites.size(), 1u);
    EXPECT_EQ(b.sites[0].drive, multibody::Drive::Wrench);
    EXPECT_EQ(math::norm(b.sites[0].pose.position), 0);
  }
  EXPECT_EQ(j.scene.groups, (std::vector<std::string>{"vehicle", "structures", "ground", "vehicle hull"}));
  EXPECT_EQ(n_geoms(j), 0u) << "nothing can touch it";
  EXPECT_TRUE(multibody::check(j.scene));
}

TEST(joined_scene, has_the_bodies_and_joints_of_the_scene_with_rotors) {
  PlatformDef def = test::three_star();
  def.joint_damping = 0.02;
  const JoinedScene j = scene_of({as_airframe(def)});
  const multibody::SceneDef with_rotors = platform_scene(def, {});
  ASSERT_EQ(j.scene.bodies.size(), with_rotors.bodies.size());
  for (std::size_t i = 0; i < j.scene.bodies.size(); ++i) {
    const auto &a = j.scene.bodies[i], &b = with_rotors.bodies[i];
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(math::norm(a.moments - b.moments), 0);
    EXPECT_EQ(math::norm(a.pose.position - b.pose.position), 0);
    EXPECT_EQ(a.joint.kind, b.joint.kind);
    EXPECT_EQ(a.joint.damping, b.joint.damping);
  }
  EXPECT_EQ(j.scene.bodies[2].joint.damping, 0.02);
}

TEST(joined_scene, two_members_have_groups_names_and_numbers_of_their_own) {
  PlatformDef star = test::three_star();
  star.effectors = {effector(EffectorKind::Cone, {-0.5, 0, 0}, {-1, 0, 0}, 0.15, 0.025)};
  const JoinedScene j = scene_of({as_airframe(star), as_airframe(f450_with(effector(EffectorKind::Cylinder, {0, 0, 0}, {1, 0, 0}, 0.4, 0.02)))});
  ASSERT_EQ(j.members.size(), 2u);
  EXPECT_EQ(j.scene.groups, (std::vector<std::string>{"vehicle", "partner", "structures", "ground", "vehicle hull", "partner hull"}));
  EXPECT_EQ(j.scene.groups[j.members[1].hull], "partner hull");
  EXPECT_EQ(j.members[0].bodies, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(j.members[1].bodies, (std::vector<std::size_t>{4}));
  EXPECT_EQ(j.members[0].sites, (std::vector<std::size_t>{0, 2, 3, 4})) << "site 1 is the cone";
  EXPECT_EQ(j.members[1].sites, (std::vector<std::size_t>{5}));
  ASSERT_EQ(j.latches.size(), 1u);
  EXPECT_EQ(j.latches[0].cone_site, 1u);
  EXPECT_EQ(j.latches[0].cylinder_site, 6u);
  EXPECT_EQ(j.latches[0].cone_member, 0u);
  EXPECT_EQ(j.latches[0].cone.name, "cone");
  EXPECT_FALSE(j.scene.welds[j.latches[0].weld].is_closed);
  for (const auto& [a, b] : j.scene.touching) EXPECT_NE(a.substr(0, 7), b.substr(0, 7)) << "no member touches itself: " << a << ", " << b;
}

TEST(joined_scene, vehicles_with_end_effectors_or_joints_that_hold_fly_joined) {
  EXPECT_FALSE(flies_joined({}));
  EXPECT_FALSE(flies_joined(as_airframe(test::f450())));
  EXPECT_TRUE(flies_joined(as_airframe(with_pole({1, 0, 0}))));
  EXPECT_FALSE(flies_joined(as_airframe(test::three_star())));
  const auto with = [](auto change) {
    PlatformDef d = test::three_star();
    change(d);
    return flies_joined(as_airframe(d));
  };
  EXPECT_FALSE(with([](PlatformDef& d) { d.joint_damping = 1, d.parts[0].yaw = 1; }));
  EXPECT_TRUE(with([](PlatformDef& d) { d.effectors = with_pole({1, 0, 0}).effectors; }));
  EXPECT_TRUE(with([](PlatformDef& d) { d.aircraft[2].effectors = with_pole({1, 0, 0}).effectors; }));
  EXPECT_TRUE(with([](PlatformDef& d) { d.parts[1].link.kind = LinkKind::Fixed; }));
  EXPECT_TRUE(with([](PlatformDef& d) { d.parts[1].link.kind = LinkKind::Hinge; }));
  EXPECT_TRUE(with([](PlatformDef& d) { d.parts[1].link.limit = 0.3; }));
  EXPECT_TRUE(with([](PlatformDef& d) { d.parts[1].link.friction = 0.1; }));
  EXPECT_TRUE(with([](PlatformDef& d) { d.parts[1].link.damping = 0.1; }));
}

// ---------------------------------------------------------------- joints

// a platform that is held by its weight alone: 1 tonne of centre
PlatformDef heavy() {
  PlatformDef d = test::three_star();
  d.centre.mass = 1000, d.centre.inertia = {1000, 1000, 1000};
  return d;
}
// how the first aircraft has turned, in the axes of the central body
Vec turned_by(const Instance& instance, double yaw) {
  const Quat q = math::conjugate(instance.motion(0).q_WB) * instance.motion(1).q_WB * math::conjugate(about_z(yaw));
  return 2 * Vec{q.x, q.y, q.z};
}

TEST(joined_scene, an_aircraft_on_a_hinge_turns_about_its_axis_in_the_frame_of_the_central_body) {
  PlatformDef d = heavy();
  d.parts[0].yaw = 0.7;
  d.parts[0].link.kind = LinkKind::Hinge, d.parts[0].link.axis = {0, 5, 0};
  const JoinedScene j = scene_of({as_airframe(d)}, empty_world(), weightless());
  const auto instance = instance_of(j);
  instance->command(j.members[0].sites[1], Wrench{{}, {0.1, 0.1, 0.1}});
  fly(*instance, 100);
  // the torque is in the axes of the aircraft, in which the hinge is (sin 0.7, cos 0.7, 0)
  const double torque = 0.1 * (std::cos(0.7) + std::sin(0.7));
  const Vec turn = turned_by(*instance, 0.7);
  const double inertia = d.aircraft[0].inertia[0] * std::pow(std::sin(0.7), 2) + d.aircraft[0].inertia[1] * std::pow(std::cos(0.7), 2);
  EXPECT_NEAR(turn.y, 0.5 * torque / inertia * 0.01, 0.02 * turn.y);
  EXPECT_LT(std::hypot(turn.x, turn.z), 1e-6);
}

TEST(joined_scene, a_fixed_aircraft_turns_not_at_all_and_a_limit_and_friction_hold) {
  PlatformDef d = heavy();
  const auto end = [&](const airframe::LinkDef& link, double torque) {
    d.parts[0].link = link;
    const JoinedScene j = scene_of({as_airframe(d)}, empty_world(), weightless());
    const auto instance = instance_of(j);
    instance->command(j.members[0].sites[1], Wrench{{}, {0, torque, 0}});
    fly(*instance, 500);
    return turned_by(*instance, 0).y;
  };
  EXPECT_NEAR(end({.kind = LinkKind::Fixed}, 0.5), 0, 1e-9);
  EXPECT_GT(end({.kind = LinkKind::Spherical, .damping = 0.2}, 0.5), 0.8) << "that turns";
  EXPECT_NEAR(end({.kind = LinkKind::Spherical, .limit = 0.3}, 0.5), 0.3, 0.03);
  EXPECT_NEAR(end({.kind = LinkKind::Hinge, .axis = {0, 1, 0}, .limit = 0.3}, 0.5), 0.3, 0.03);
  EXPECT_NEAR(end({.kind = LinkKind::Hinge, .axis = {0, 1, 0}, .limit = 0.3}, -0.5), -0.3, 0.03);
  EXPECT_NEAR(end({.kind = LinkKind::Spherical, .friction = 0.2}, 0.1), 0, 0.02);
  EXPECT_GT(end({.kind = LinkKind::Spherical, .friction = 0.2, .damping = 0.2}, 0.4), 0.3);
}

// ---------------------------------------------------------------- walls

// where the normal of a wall comes from: its front face is at `distance` from the origin, towards which it looks
WallDef wall_at(double yaw, double pitch, double distance) {
  WallDef w;
  w.yaw = yaw, w.pitch = pitch;
  const Vec n = {std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw), std::sin(pitch)};
  w.centre_W = {-distance * n.x, -distance * n.y, -distance * n.z};
  return w;
}

TEST(joined_scene, a_pole_meets_the_front_face_of_a_wall_wherever_that_looks) {
  for (const auto& [yaw, pitch] : {std::pair{0.0, 0.0}, {0.7, 0.0}, {kHalfTurn, 0.0}, {-1.5, 0.4}, {0.3, -1.2}, {0.0, 0.5 * kHalfTurn}}) {
    const Vec n = {std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw), std::sin(pitch)};
    const JoinedScene j = scene_of({as_airframe(with_pole({-n.x, -n.y, -n.z}))}, world_with(wall_at(yaw, pitch, 1.02)), weightless());
    const auto instance = instance_of(j);
    const Vec push = -2 * n;
    instance->command(j.members[0].sites[0], Wrench{push, {}});
    fly(*instance, 400);
    const auto found = contacts(*instance, 0, 1);
    ASSERT_EQ(found.size(), 1u) << yaw << " " << pitch;
    EXPECT_EQ(instance->n_contacts(), 1u);
    EXPECT_NEAR(math::dot(found[0].point_W, n), -1.02, 1e-3) << yaw << " " << pitch;
    EXPECT_LT(math::norm(math::cross(found[0].point_W, n)), 1e-3) << "its tip";
    EXPECT_NEAR(math::dot(instance->motion(0).position_W, n), -0.02, 1e-3) << "the pole is 1 m long";
    EXPECT_NEAR(math::dot(found[0].force_W, n), -2, 0.1);
  }
}

TEST(joined_scene, a_wall_ends_where_its_width_and_height_end) {
  for (const bool is_level : {true, false}) {
    WallDef w = wall_at(0, 0, 1.02);
    w.width = is_level ? 3 : 1, w.height = is_level ? 1 : 3;
    const JoinedScene j = scene_of({as_airframe(with_pole({-1, 0, 0}))}, world_with(w), weightless());
    for (const bool aside : {true, false}) {
      const auto instance = instance_of(j);
      instance->place(j.members[0].bodies[0], {.position_W = {-0.03, aside ? 1.2 : 0, aside ? 0 : 1.2}});
      fly(*instance, 1);
      EXPECT_EQ(instance->n_contacts() > 0, aside == is_level) << "the width is level";
    }
  }
}

TEST(joined_scene, a_wall_on_a_spring_gives_way_by_force_over_stiffness) {
  for (const double stiffness : {30.0, 300.0, 1000.0}) {
    WallDef w = wall_at(0, 0, 1.01);
    w.stiffness = stiffness, w.damping = 2 * std::sqrt(stiffness), w.mass = 1;
    const JoinedScene j = scene_of({as_airframe(with_pole({-1, 0, 0}))}, world_with(w), weightless());
    ASSERT_EQ(j.scene.bodies.size(), 2u);
    const auto instance = instance_of(j);
    instance->command(0, Wrench{{-1.5, 0, 0}, {}});
    // the vehicle brakes in the air, so that it comes to rest
    for (int k = 0; k < 8000; ++k) {
      instance->command(0, Wrench{{-1.5 - 8 * instance->motion(0).velocity_W.x, 0, 0}, {}});
      fly(*instance, 1);
    }
    EXPECT_NEAR(instance->motion(0).position_W.x, -0.01 - 1.5 / stiffness, 0.03 * 1.5 / stiffness + 2e-4) << stiffness;
    EXPECT_NEAR(instance->joint_value(1), -1.5 / stiffness, 0.01 * 1.5 / stiffness) << "away from where it looks";
  }
}

// the target of experiment F: 1.5 N across a wall and 4 N along it slip below a friction of 2.67
TEST(joined_scene, a_rough_tip_holds_on_a_wall_and_a_smooth_one_slides) {
  const auto slip = [](double of_pole, double of_wall) {
    MultirotorDef d = with_pole({-1, 0, 0}, 0.02);
    d.effectors[0].surface.friction = of_pole;
    WallDef w = wall_at(0, 0, 1);
    w.surface.friction = of_wall;
    const JoinedScene j = scene_of({as_airframe(d)}, world_with(w), weightless());
    const auto instance = instance_of(j);
    instance->command(0, Wrench{{-1.5, -4, 0}, {0, 0, 4}});
    fly(*instance, 300);
    return std::abs(at(instance->motion(0), {-1, 0, 0}).y);
  };
  EXPECT_LT(slip(3, 0.5), 0.01);
  EXPECT_NEAR(slip(0.5, 3), slip(3, 0.5), 1e-9) << "the greater friction counts";
  EXPECT_GT(slip(0.5, 0.5), 0.05);
}

// ---------------------------------------------------------------- funnels and cones

Vec in_frame(const multibody::Pose& frame, const Vec& place) { return math::transpose_times(math::rotation_matrix(frame.rotation), place - frame.position); }
bool is_in(const GeomDef& box, const Vec& place, double margin = 0) {
  const Vec p = in_frame(box.pose, place);
  return std::abs(p.x) <= box.size.x - margin && std::abs(p.y) <= box.size.y - margin && std::abs(p.z) <= box.size.z - margin;
}
bool is_in_any(const std::vector<GeomDef>& boxes, const Vec& place, double margin = 0) {
  return std::any_of(boxes.begin(), boxes.end(), [&](const GeomDef& g) { return is_in(g, place, margin); });
}

TEST(joined_scene, plates_leave_a_frustum_free_and_close_it_all_around) {
  std::mt19937 g(3);
  std::uniform_real_distribution<double> u(0, 1);
  for (const auto& [bottom, top, length, plates] :
       {std::tuple{0.045, 0.14, 0.24, 12}, {0.045, 0.045, 0.48, 12}, {0.025, 0.1, 0.15, 12}, {0.1, 0.5, 0.05, 4}, {0.03, 0.2, 0.4, 48}}) {
    const std::vector<GeomDef> all = frustum_plates(bottom, top, length, 0.01, plates);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(plates));
    for (int trial = 0; trial < 4000; ++trial) {
      const double z = (length - 0.01) * u(g), angle = 2 * kHalfTurn * u(g), radius = bottom + (top - bottom) * z / length;
      const auto place = [&](double r) { return Vec{r * std::cos(angle), r * std::sin(angle), z}; };
      ASSERT_FALSE(is_in_any(all, place(radius * u(g)), 1e-9)) << "inside";
      // from the axis outwards nobody gets out between the plates: the corners are at radius / cos(pi / plates)
      const double corner = radius / std::cos(kHalfTurn / plates);
      bool is_closed = false;
      for (double r = radius; r < corner + 0.02 && !is_closed; r += 0.0005) is_closed = is_in_any(all, place(r));
      ASSERT_TRUE(is_closed) << plates << " plates, z " << z << ", angle " << angle;
    }
  }
}

// from above into a funnel that looks up, `aside` of its axis: where the tip and the body are at the end
struct Dropped {
  Vec body, tip;
  double deepest;
};
Dropped drop(double radius, double aside, double pitch = 0.5 * kHalfTurn) {
  FunnelDef f;
  f.pitch = pitch, f.surface.friction = 0.1;
  MultirotorDef d = with_pole({0, 0, -1}, radius);
  d.effectors[0].surface.friction = 0.1;
  const JoinedScene j = scene_of({as_airframe(d)}, world_with(f));
  const auto instance = instance_of(j);
  instance->place(j.members[0].bodies[0], {.position_W = {aside, 0, 1.02}});
  Dropped end{{}, {}, 0};
  for (int k = 0; k < 1500; ++k) {
    fly(*instance, 1);
    end.body = instance->motion(0).position_W, end.tip = at(instance->motion(0), {0, 0, -1});
    end.deepest = std::min(end.deepest, end.tip.z);
  }
  EXPECT_LT(instance->used_memory(), j.scene.options.memory / 2);
  return end;
}

TEST(joined_scene, a_peg_that_falls_into_the_mouth_finds_the_bore_and_goes_in_up_to_the_hull) {
  for (const double aside : {0.0, 0.05, 0.09, -0.1}) {
    const Dropped end = drop(0.03, aside);
    EXPECT_LT(std::hypot(end.tip.x, end.tip.y), 0.045 - 0.03 + 0.005) << aside << ": it fits with 15 mm of play";
    EXPECT_LT(end.tip.z, -0.9) << aside;
    EXPECT_NEAR(end.body.z, 0.02, 0.02) << "the hull lies on the rim of the mouth";
  }
}

TEST(joined_scene, a_peg_that_is_thicker_than_the_bore_stays_in_the_taper) {
  EXPECT_LT(drop(0.044, 0.03).tip.z, -0.9);
  EXPECT_GT(drop(0.048, 0.03).deepest, -0.24 - 0.08) << "the bore begins at -0.24 m and ends at -0.72 m";
}

TEST(joined_scene, a_funnel_leads_where_its_axis_points) {
  // its mouth looks down to the west, 15 degrees below level, as that of experiment E does
  FunnelDef f;
  f.mouth_W = {1.2, 0, 0.05}, f.yaw = kHalfTurn, f.pitch = -15 * kHalfTurn / 180, f.surface.friction = 0.1;
  MultirotorDef d = with_pole({1, 0, 0});
  d.effectors[0].surface.friction = 0.1;
  const JoinedScene j = scene_of({as_airframe(d)}, world_with(f), weightless());
  const auto instance = instance_of(j);
  for (int k = 0; k < 6000; ++k) {
    // it is pushed forward, and brakes
    const Motion m = instance->motion(0);
    const Vec w_B = math::transpose_times(math::rotation_matrix(m.q_WB), m.omega_W), v_B = math::transpose_times(math::rotation_matrix(m.q_WB), m.velocity_W);
    instance->command(0, Wrench{Vec{3, 0, 0} - 6.0 * v_B, -0.3 * w_B});
    fly(*instance, 1);
  }
  const Vec tip = at(instance->motion(0), {1, 0, 0}), ahead = math::rotation_matrix(instance->motion(0).q_WB) * Vec{1, 0, 0};
  const double angle = std::asin(ahead.z) * 180 / kHalfTurn;
  EXPECT_NEAR(angle, 15, 4) << "the peg has followed the bore upwards";
  EXPECT_GT(tip.x, 1.2 + 0.24 + 0.2) << "and is in it";
}

// ---------------------------------------------------------------- docking

MultirotorDef cone_below() { return f450_with(effector(EffectorKind::Cone, {0, 0, -0.2}, {0, 0, -1}, 0.15, 0.015)); }
MultirotorDef cylinder_above() { return f450_with(effector(EffectorKind::Cylinder, {0, 0, 0.1}, {0, 0, 1}, 0.4, 0.02)); }

TEST(joined_scene, sites_of_cone_and_cylinder_meet_when_the_tip_is_at_the_bottom) {
  const struct {
    airframe::Triple cone, cylinder;
  } pairs[] = {{{0, 0, -1}, {0, 0, 1}}, {{0, 0, 1}, {0, 0, -1}},       {{0, -1, 0}, {0, 1, 0}},
               {{-1, 0, 0}, {1, 0, 0}}, {{0.6, 0, -0.8}, {-3, 0, 4}}, {{1, 1, 0}, {-1, -1, 0}}};
  for (const auto& p : pairs) {
    const JoinedScene j = scene_of({as_airframe(f450_with(effector(EffectorKind::Cone, {0.1, 0.2, 0}, p.cone, 0.15, 0.025))),
                                    as_airframe(f450_with(effector(EffectorKind::Cylinder, {0, 0.1, 0}, p.cylinder, 0.4, 0.02)))},
                                   empty_world(), weightless());
    const auto instance = instance_of(j);
    const double size = math::norm(to_vec(p.cone));
    // both are level and look ahead; the tip is at the bottom when one is the way of the cylinder from the other
    const Vec bottom = {0.1, 0.2, 0}, tip = Vec{0, 0.1, 0} - (0.4 / size) * to_vec(p.cone);
    instance->place(j.members[1].bodies[0], {.position_W = bottom - tip});
    const Motion cone = instance->site_motion(j.latches[0].cone_site), cylinder = instance->site_motion(j.latches[0].cylinder_site);
    EXPECT_LT(math::norm(cone.position_W - cylinder.position_W), 1e-9);
    EXPECT_LT(math::norm(z_of(cone) - (1 / size) * to_vec(p.cone)), 1e-9) << "out of the mouth";
    EXPECT_GT(std::abs(cone.q_WB.w * cylinder.q_WB.w + cone.q_WB.x * cylinder.q_WB.x + cone.q_WB.y * cylinder.q_WB.y + cone.q_WB.z * cylinder.q_WB.z), 1 - 1e-9)
        << "the latch turns neither of them";
  }
}

TEST(joined_scene, the_tip_of_a_cylinder_comes_to_stand_on_the_bottom_of_a_cone_and_the_latch_holds_it) {
  const JoinedScene j = scene_of({as_airframe(cone_below()), as_airframe(cylinder_above())}, empty_world(), weightless());
  const auto instance = instance_of(j);
  const std::size_t upper = j.members[0].sites[0], lower = j.members[1].sites[0];
  // they keep level, and brake in the air
  const auto brake = [&](std::size_t member, const Vec& push) {
    const Motion m = instance->motion(j.members[member].bodies[0]);
    const auto to_body = [&](const Vec& v) { return math::transpose_times(math::rotation_matrix(m.q_WB), v); };
    const Vec torque = to_body(-0.3 * m.omega_W) - 4.0 * Vec{m.q_WB.x, m.q_WB.y, m.q_WB.z};
    instance->command(member == 0 ? upper : lower, Wrench{to_body(push - 4.0 * m.velocity_W), torque});
  };
  // 6 cm aside, 20 cm below the mouth
  instance->place(j.members[1].bodies[0], {.position_W = {0.06, 0, -0.2 - 0.15 - 0.05 - 0.5}});
  for (int k = 0; k < 4000; ++k) {
    brake(0, {0, 0, -1.5}), brake(1, {0, 0, 1.5});
    fly(*instance, 1);
  }
  const Motion cone = instance->site_motion(j.latches[0].cone_site);
  const Vec tip = math::transpose_times(math::rotation_matrix(cone.q_WB), instance->site_motion(j.latches[0].cylinder_site).position_W - cone.position_W);
  EXPECT_NEAR(tip.z, 0, 0.002) << "at the bottom";
  EXPECT_LT(std::hypot(tip.x, tip.y), 0.006) << "with the play of its round tip";
  EXPECT_FALSE(contacts(*instance, 0, 1).empty());
  EXPECT_LT(instance->used_memory(), j.scene.options.memory / 2);

  instance->close(j.latches[0].weld, true);
  for (int k = 0; k < 2000; ++k) {
    brake(0, {0, 0, 3}), brake(1, {1, 0, -3});
    fly(*instance, 1);
  }
  const Motion a = instance->site_motion(j.latches[0].cone_site), b = instance->site_motion(j.latches[0].cylinder_site);
  EXPECT_LT(math::norm(a.position_W - b.position_W), 0.002);
  EXPECT_GT(math::dot(z_of(a), z_of(b)), 0.999);
  instance->close(j.latches[0].weld, false);
  for (int k = 0; k < 1000; ++k) {
    brake(0, {0, 0, 3}), brake(1, {0, 0, -3});
    fly(*instance, 1);
  }
  EXPECT_GT(math::norm(instance->site_motion(j.latches[0].cone_site).position_W - instance->site_motion(j.latches[0].cylinder_site).position_W), 0.05);
}

TEST(joined_scene, every_cone_can_hold_every_cylinder_of_the_other) {
  MultirotorDef a = cone_below(), b = cylinder_above();
  a.effectors.push_back(effector(EffectorKind::Cone, {0, 0, 0.2}, {0, 0, 1}, 0.15, 0.025)), a.effectors.back().name = "upper";
  a.effectors.push_back(cylinder_above().effectors[0]);
  b.effectors.push_back(cone_below().effectors[0]);
  b.effectors.push_back(effector(EffectorKind::Pole, {0, 0, 0}, {1, 0, 0}, 0.4, 0.02));
  const JoinedScene j = scene_of({as_airframe(a), as_airframe(b)});
  ASSERT_EQ(j.latches.size(), 3u);
  EXPECT_EQ(j.latches[0].cone_member, 0u);
  EXPECT_EQ(j.latches[1].cone.name, "upper");
  EXPECT_EQ(j.latches[2].cone_member, 1u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(j.latches[k].weld, k);
}

TEST(joined_scene, docking_airframes_meet_along_y_with_room_between_their_hulls) {
  const JoinedScene j = scene_of({shipped("docking_cone"), shipped("docking_cylinder")}, empty_world(), weightless());
  ASSERT_EQ(j.latches.size(), 1u);
  const auto instance = instance_of(j);
  instance->place(j.members[1].bodies[0], {.position_W = {0, -0.8, 0}});
  const Motion cone = instance->site_motion(j.latches[0].cone_site), tip = instance->site_motion(j.latches[0].cylinder_site);
  EXPECT_LT(math::norm(cone.position_W - tip.position_W), 1e-9) << "docked, they are 0.8 m apart";
  EXPECT_NEAR(z_of(cone).y, -1, 1e-9);
  instance->close(j.latches[0].weld, true);
  fly(*instance, 200);
  // neither the hulls nor the walls of the cone are in the way
  EXPECT_TRUE(contacts(*instance, j.members[0].hull, j.members[1].hull).empty());
  EXPECT_TRUE(contacts(*instance, 0, j.members[1].hull).empty());
  EXPECT_TRUE(contacts(*instance, 1, j.members[0].hull).empty());
  EXPECT_LT(math::norm(instance->motion(0).velocity_W), 1e-3);
  EXPECT_LT(math::norm(instance->motion(0).omega_W), 1e-2);
  // turned by 0.2 rad in the latch, they do not touch either
  instance->close(j.latches[0].weld, false);
  instance->place(j.members[1].bodies[0], {.position_W = {0.5 * std::sin(0.2), -0.3 - 0.5 * std::cos(0.2), 0}, .q_WB = about_z(0.2)});
  fly(*instance, 1);
  EXPECT_TRUE(contacts(*instance, 0, j.members[1].hull).empty());
  EXPECT_TRUE(contacts(*instance, 1, j.members[0].hull).empty());
}

// ---------------------------------------------------------------- hulls and ground

TEST(joined_scene, end_effectors_stand_on_the_ground_and_hulls_leave_it_to_the_feet) {
  EnvironmentDef e;
  e.ground_height = 2;
  const JoinedScene j = scene_of({as_airframe(f450_with(effector(EffectorKind::Pole, {0, 0, -0.3}, {0, 0, -1}, 0.7, 0.03)))}, e);
  const auto instance = instance_of(j);
  instance->place(0, {.position_W = {0, 0, 3.001}});
  fly(*instance, 100);
  EXPECT_EQ(contacts(*instance, 0, 2).size(), 1u);
  EXPECT_NEAR(instance->motion(0).position_W.z, 3, 0.002);
  // lying on its back, with the pole upwards, it falls through
  instance->place(0, {.position_W = {0, 0, 2.2}, .q_WB = {0, 1, 0, 0}});
  fly(*instance, 300);
  EXPECT_LT(instance->motion(0).position_W.z, 1.9);
  EXPECT_EQ(instance->n_contacts(), 0u);
}

TEST(joined_scene, there_is_no_flat_ground_without_ground_or_over_a_terrain) {
  EnvironmentDef flat;
  EXPECT_EQ(scene_of({as_airframe(with_pole({0, 0, -1}))}, flat).scene.statics.size(), 1u);
  EXPECT_EQ(n_geoms(scene_of({as_airframe(test::three_star())}, flat)), 0u) << "nor under a vehicle that cannot touch it";
  EXPECT_EQ(n_geoms(scene_of({as_airframe(with_pole({0, 0, -1}))}, empty_world())), 0u);
  EnvironmentDef hilly;
  hilly.terrain = std::make_shared<const terrain::Terrain>(terrain::Heights{2, 2, -50, -50, 100, 100, {0, 0, 1, 1}});
  EXPECT_EQ(n_geoms(scene_of({as_airframe(with_pole({0, 0, -1}))}, hilly)), 0u);
}

TEST(joined_scene, hulls_touch_walls_and_those_of_the_other) {
  WallDef table = wall_at(0, 0.5 * kHalfTurn, 0);
  const JoinedScene j = scene_of({as_airframe(test::three_star())}, world_with(table));
  const auto instance = instance_of(j);
  instance->place(0, {.position_W = {0, 0, 0.3}});
  for (std::size_t k = 1; k < 4; ++k) instance->place(k, {});
  fly(*instance, 1000);
  EXPECT_FALSE(contacts(*instance, j.members[0].hull, 1).empty());
  EXPECT_GT(instance->motion(0).position_W.z, 0.02) << "it lies on the table";

  const JoinedScene two = scene_of({as_airframe(cone_below()), as_airframe(cylinder_above())});
  const auto pair = instance_of(two);
  pair->place(two.members[1].bodies[0], {.position_W = {0.4, 0, 0.01}});
  fly(*pair, 1);
  EXPECT_FALSE(contacts(*pair, two.members[0].hull, two.members[1].hull).empty());
  EXPECT_TRUE(contacts(*pair, 0, two.members[0].hull).empty());
}

TEST(joined_scene, a_hull_reaches_to_the_tips_of_the_propellers) {
  const JoinedScene j = scene_of({as_airframe(test::f450())}, world_with(WallDef{}));
  const GeomDef& hull = j.scene.bodies[0].geoms.at(0);
  EXPECT_NEAR(hull.size.x, 0.1591 + 0.119, 1e-12);
  EXPECT_NEAR(hull.size.y, 0.1591 + 0.119, 1e-12);
  EXPECT_NEAR(hull.pose.position.z + hull.size.z, 0.06, 1e-12);
  EXPECT_NEAR(hull.pose.position.z - hull.size.z, -0.02, 1e-12);
}

// ---------------------------------------------------------------- shipped platforms

TEST(joined_scene, poles_of_the_shipped_platforms_end_a_metre_behind_their_centres) {
  for (const char* name : {"three_star_push", "three_star_peg"}) {
    const Airframe a = shipped(name);
    EXPECT_TRUE(flies_joined(a)) << name;
    const JoinedScene j = scene_of({a}, world_with(wall_at(0, 0, 1)), weightless());
    const auto instance = instance_of(j);
    instance->place(0, {.position_W = {0.001, 0, 0}});
    for (std::size_t k = 1; k < 4; ++k) instance->place(k, {});
    fly(*instance, 1);
    EXPECT_EQ(instance->n_contacts(), 0u) << name;
    instance->place(0, {.position_W = {-0.001, 0, 0}});
    fly(*instance, 1);
    EXPECT_EQ(contacts(*instance, 0, 1).size(), 1u) << name;
  }
}

// ---------------------------------------------------------------- loads

LoadDef crate(std::size_t others) {
  LoadDef load{.mass = 1, .size = {0.6, 0.4, 0.2}, .cable = {.length = 1, .attach_B = {0, 0, -0.1}}};
  for (std::size_t k = 0; k < others; ++k) load.with.push_back("other" + std::to_string(k));
  return load;
}
core::Result<JoinedScene> try_loaded(const LoadDef& load, const EnvironmentDef& e = empty_world(), const multibody::OptionsDef& o = {}) {
  const Airframe a = as_airframe(test::f450());
  const std::vector<const Airframe*> members(1 + load.with.size(), &a);
  return joined_scene(members, e, o, &load);
}
JoinedScene loaded(const LoadDef& load, const EnvironmentDef& e = empty_world(), const multibody::OptionsDef& o = {}) {
  auto made = try_loaded(load, e, o);
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(made).value();
}

TEST(joined_scene, a_load_is_a_free_body_with_a_cable_to_each_of_its_carriers) {
  for (std::size_t others = 0; others < 4; ++others) {
    const JoinedScene j = loaded(crate(others));
    ASSERT_EQ(j.members.size(), 1 + others);
    ASSERT_EQ(j.cables.size(), 1 + others);
    EXPECT_EQ(j.load, 1 + others) << "behind the bodies of its carriers";
    EXPECT_EQ(j.scene.bodies[j.load].joint.kind, multibody::JointKind::Free);
    EXPECT_NEAR(j.scene.bodies[j.load].moments.z, (0.36 + 0.16) / 12, 1e-12);
    EXPECT_TRUE(j.latches.empty());
    EXPECT_EQ(j.scene.groups.back(), "load");
    EXPECT_EQ(n_geoms(j), 0u) << "nothing can touch it";
    const auto instance = instance_of(j);
    for (const JoinedScene::Cable& c : j.cables) {
      EXPECT_EQ(j.scene.cables[c.number].length, 1);
      EXPECT_LT(instance->span(c.number), 1e-12) << "without a length until it is placed";
      EXPECT_NEAR(math::norm(instance->site_motion(c.upper_site).position_W - instance->site_motion(c.hook_site).position_W), 0, 1e-12);
    }
  }
}

TEST(joined_scene, a_load_touches_ground_and_structures_and_not_its_carriers) {
  EnvironmentDef e = world_with(wall_at(0, 0, 1));
  e.ground = true;
  const JoinedScene j = loaded(crate(1), e, weightless());
  const auto group_of = [&](const char* name) { return *multibody::find_group(j.scene, name); };
  const std::size_t group = group_of("load"), structures = group_of("structures"), ground = group_of("ground");
  const auto instance = instance_of(j);
  const auto put = [&](const Vec& load, const Vec& first) {
    instance->place(j.load, {.position_W = load});
    instance->place(0, {.position_W = first}), instance->place(1, {.position_W = first + Vec{0, 3, 0}});
    fly(*instance, 1);
  };
  put({0, 0, 2}, {0, 0, 2.05});
  EXPECT_EQ(instance->n_contacts(), 0u) << "its carrier is in the midst of it";
  put({-0.705, 0, 0.5}, {-0.7, 0, 1.3});
  EXPECT_FALSE(contacts(*instance, group, structures).empty());
  put({0, 0, 0.095}, {0, 0, 0.9});
  EXPECT_EQ(contacts(*instance, group, ground).size(), 4u);
}

TEST(joined_scene, loads_that_cannot_be_are_refused_with_their_field) {
  const auto refused = [](const auto& change, const char* field, const char* words, const EnvironmentDef& e = empty_world()) {
    LoadDef load = crate(1);
    change(load);
    const auto made = try_loaded(load, e);
    ASSERT_FALSE(made) << field;
    EXPECT_EQ(made.error().field, field);
    EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
    EXPECT_FALSE(made.error().suggestion.empty()) << field;
  };
  refused([](LoadDef& l) { l.mass = 0; }, "load.mass", "0 kg");
  refused([](LoadDef& l) { l.mass = 20; }, "load.mass", "hovering with 10 kg of load takes");
  refused([](LoadDef& l) { l.size[2] = -1; }, "load.size", "not positive");
  refused([](LoadDef& l) { l.moments = {0, 1, 1}; }, "load.inertia", "no body has");
  refused([](LoadDef& l) { l.hooks = {{0, 0, 0}}; }, "load.hooks", "1 hooks and 2 carriers");
  refused([](LoadDef& l) { l.cable.length = 0; }, "load.cable.length", "no length");
  refused([](LoadDef& l) { l.cable.time_constant = 0.001; }, "load.cable.time_constant", "too short");
  refused([](LoadDef& l) { l.surface.time_constant = 0.001; }, "load.surface.time_constant", "too short");
  EnvironmentDef hills = empty_world();
  hills.terrain = std::make_shared<const terrain::Terrain>(terrain::Heights{2, 2, -50, -50, 100, 100, {0, 0, 1, 1}});
  refused([](LoadDef&) {}, "load", "the terrain of this world", hills);
}

// ---------------------------------------------------------------- what is refused

void expect_refused(const core::Result<JoinedScene>& made, const std::string& field, const std::string& message) {
  ASSERT_FALSE(made) << field;
  EXPECT_EQ(made.error().field, field);
  EXPECT_NE(made.error().message.find(message), std::string::npos) << made.error().message;
  EXPECT_FALSE(made.error().suggestion.empty()) << field;
}

TEST(joined_scene, what_cannot_be_is_refused_with_its_field) {
  expect_refused(try_scene({{"car", "a car", std::make_shared<int>(0)}}), "airframe", "'a car' is neither");
  MultirotorDef nowhere = with_pole({0, 0, 0});
  expect_refused(try_scene({as_airframe(nowhere)}), "airframe.effectors[0].direction", "points nowhere");
  MultirotorDef hard = with_pole({1, 0, 0});
  hard.effectors[0].surface.time_constant = 0.0015;
  expect_refused(try_scene({as_airframe(hard)}), "airframe.effectors[0].surface.time_constant", "too short for substeps of 0.001 s");
  multibody::OptionsDef fine;
  fine.time_step = 0.0005;
  EXPECT_TRUE(try_scene({as_airframe(hard)}, empty_world(), fine));

  EnvironmentDef e = world_with(FunnelDef{});
  e.structures.push_back({"narrow", FunnelDef{}});
  std::get<FunnelDef>(e.structures[1].shape).mouth_radius = 0.04;
  expect_refused(try_scene({as_airframe(test::f450())}, e), "environment.structures[1].funnel.mouth_radius", "not wider than the bore");
  WallDef stiff;
  stiff.stiffness = 1e6, stiff.mass = 1;
  expect_refused(try_scene({as_airframe(test::f450())}, world_with(stiff)), "environment.structures[0].wall.stiffness", "too stiff for a wall of 1 kg");
  stiff.mass = 5;
  EXPECT_TRUE(try_scene({as_airframe(test::f450())}, world_with(stiff)));
  stiff.surface.time_constant = 0.001;
  expect_refused(try_scene({as_airframe(test::f450())}, world_with(stiff)), "environment.structures[0].wall.surface.time_constant", "too short");
  e.structures.assign(33, {"wall", WallDef{}});
  expect_refused(try_scene({as_airframe(test::f450())}, e), "environment.structures", "33 structures");
  FunnelDef fine_one;
  fine_one.plates = 48;
  e.structures.assign(11, {"funnel", fine_one});
  expect_refused(try_scene({as_airframe(test::f450())}, e), "environment.structures", "1057 shapes");
}

TEST(joined_scene, vehicles_that_cannot_dock_are_refused) {
  expect_refused(try_scene({as_airframe(test::f450()), as_airframe(test::three_star())}), "docking.with", "neither 'f450' nor 'three-star' has a cone");
  expect_refused(try_scene({as_airframe(cone_below()), as_airframe(cone_below())}), "docking.with", "has a cone for a cylinder");
  MultirotorDef thick = cylinder_above();
  thick.effectors[0].radius = 0.03;
  expect_refused(try_scene({as_airframe(cone_below()), as_airframe(thick)}), "docking.with", "does not reach the bottom");
  MultirotorDef wrong = cylinder_above();
  wrong.effectors[0].length = 0.01;
  expect_refused(try_scene({as_airframe(cone_below()), as_airframe(wrong)}), "docking.with", "airframe.effectors[0].length");
  MultirotorDef many = cone_below();
  for (int k = 0; k < 7; ++k) many.effectors.push_back(many.effectors[0]), many.effectors.back().name += std::to_string(k);
  MultirotorDef others = cylinder_above();
  for (int k = 0; k < 4; ++k) others.effectors.push_back(others.effectors[0]), others.effectors.back().name += std::to_string(k);
  expect_refused(try_scene({as_airframe(many), as_airframe(others)}), "docking.with", "40 pairs");
}

}  // namespace
}  // namespace volary::engine
