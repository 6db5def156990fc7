// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Platforms from URDF: what becomes of links, joints and shapes, what is refused at which line, and airframe files that load.
#include "scenario/urdf_platform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenario/airframe.hpp"
#include "scenario/joined_flocks.hpp"
#include "scenario/urdf_test_support.hpp"

namespace volary::scenario {
namespace {

using airframe::LinkKind;
using airframe::PlatformDef;
using airframe::Triple;
using test::inertial;
using test::joint;
using test::kHub;
using test::kQuad;
using test::link;
using test::robot;
using test::star;

const std::string kAssets = VOLARY_SOURCE_DIR "/assets";

core::Result<UrdfPlatform> imported(const std::string& text, const std::vector<std::string>& fixed_parts = {}) {
  const core::Result<Urdf> urdf = parse_urdf(text, "rig.urdf");
  if (!urdf) return urdf.error();
  return platform_of(urdf.value(), {"f450", fixed_parts});
}
UrdfPlatform platform(const std::string& text, const std::vector<std::string>& fixed_parts = {}) {
  core::Result<UrdfPlatform> p = imported(text, fixed_parts);
  EXPECT_TRUE(p) << (p ? "" : p.error().text());
  return p ? std::move(p).value() : UrdfPlatform{};
}
void expect_refused(const std::string& text, const std::string& words, const std::vector<std::string>& fixed_parts = {}) {
  const core::Result<UrdfPlatform> p = imported(text, fixed_parts);
  EXPECT_EQ(p ? "" : p.error().text(), words);
}
std::vector<std::string> remarks(const UrdfPlatform& p) {
  std::vector<std::string> all;
  for (const UrdfRemark& r : p.remarks) all.push_back(text_of(r, p.file));
  return all;
}
bool is_told(const UrdfPlatform& p, const std::string& words) {
  const std::vector<std::string> all = remarks(p);
  return std::find(all.begin(), all.end(), words) != all.end();
}

// the airframe file read as any other, from a folder without airframes
core::Result<Airframe> load(const std::string& yaml) { return load_airframe_text(yaml, "/nowhere/rig.yaml", Files("", kAssets, nullptr), {}); }
core::Result<Airframe> load(const UrdfPlatform& p) { return load(yaml_of(p)); }
const PlatformDef& def_of(const Airframe& a) { return *static_cast<const PlatformDef*>(a.definition.get()); }
void expect_near(const Triple& got, const Triple& wanted, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(got[k], wanted[k], tolerance) << "component " << k;
}

// ---------------------------------------------------------------- round trip

TEST(urdf_platform, three_star_in_urdf_is_the_body_of_its_airframe_file) {
  const core::Result<Airframe> from_urdf = load(platform(star())), shipped = load_airframe(kAssets + "/vehicles/three_star.yaml");
  ASSERT_TRUE(from_urdf) << from_urdf.error().text();
  ASSERT_TRUE(shipped) << shipped.error().text();
  const PlatformDef &got = def_of(from_urdf.value()), &wanted = def_of(shipped.value());
  const airframe::Composite a = airframe::composite(got), b = airframe::composite(wanted);
  EXPECT_NEAR(a.mass, b.mass, 1e-12);
  expect_near(a.centre, b.centre, 1e-12);
  expect_near(a.inertia.diagonal, b.inertia.diagonal, 1e-12);
  expect_near(a.inertia.products, b.inertia.products, 1e-12);
  EXPECT_EQ(got.centre.size, wanted.centre.size);
  EXPECT_EQ(got.joint_damping, wanted.joint_damping);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(got.parts[k].joint, wanted.parts[k].joint);
    EXPECT_EQ(got.parts[k].mass, wanted.parts[k].mass);
    EXPECT_EQ(got.aircraft[k].inertia, wanted.aircraft[k].inertia);
  }
  EXPECT_FALSE(has_joined_bodies(from_urdf.value())) << "ball joints that are alike need no MuJoCo";
}

TEST(urdf_platform, the_file_names_where_its_values_come_from) {
  const std::string yaml = yaml_of(platform(star()));
  for (const char* text :
       {"# Made by volary vehicle import from rig.urdf.\n", "name: rig\n",
        "centre:  # source: rig.urdf:2, link 'hub'\n  mass: 1.1\n  inertia: [0.0532, 0.0532, 0.1039]\n",
        "  - {airframe: f450, mass: 1.6, joint: [0.48, 0, 0.07]}  # source: rig.urdf:6, link 'quad1' on joint 'ball1'\n", "joint_damping: 0.005\n",
        "# rig.urdf:3: moments of inertia of aircraft are not carried over: those of the airframe count, in proportion to the mass (also in lines 4, 5)\n"})
    EXPECT_NE(yaml.find(text), std::string::npos) << text << yaml;
}

TEST(urdf_platform, names_that_yaml_could_read_otherwise_are_quoted) {
  for (const std::string name : {"three-star", "true", "1.5", "a: b", "x #y", "it's [5]", "line\nmodel: car", "\xc3\xa4\xf0\x9f\x9a\x81"}) {
    UrdfPlatform p = platform(star());
    p.def.name = name, p.file = "a\nb.urdf";
    const core::Result<Airframe> loaded = load(p);
    ASSERT_TRUE(loaded) << loaded.error().text() << yaml_of(p);
    EXPECT_EQ(loaded.value().name, name);
  }
}

// ---------------------------------------------------------------- the central body

TEST(urdf_platform, links_that_are_fixed_to_the_root_are_part_of_the_central_body) {
  const std::string more = link("plate", inertial("0.4", "ixx=\"0.001\" iyy=\"0.001\" izz=\"0.001\"")) + joint("holds", "fixed", "hub", "plate", "0 0 -0.1");
  const UrdfPlatform p = platform(star(kHub, kQuad, more));
  EXPECT_DOUBLE_EQ(p.def.centre.mass, 1.5);
  expect_near(p.def.centre.centre_of_mass, {0, 0, -0.1 * 0.4 / 1.5}, 1e-12);
  const double apart = 1.1 * 0.4 / 1.5 * 0.1 * 0.1;
  expect_near(p.def.centre.inertia, {0.0542 + apart, 0.0542 + apart, 0.1049}, 1e-12);
  EXPECT_NE(yaml_of(p).find("link 'hub' and 1 link fixed to it"), std::string::npos);
}

TEST(urdf_platform, a_root_without_mass_that_the_body_floats_in_is_the_world) {
  const std::string whole = star(), inside = whole.substr(whole.find("<link"), whole.find("</robot>") - whole.find("<link"));
  for (const char* type : {"floating", "fixed"}) {
    const UrdfPlatform p = platform(robot(link("world") + joint("free", type, "world", "hub", "0 0 2") + inside));
    EXPECT_EQ(p.def.parts.size(), 3u) << type;
    expect_near(p.def.parts[0].joint, {0.48, 0, 0.07}, 1e-12);
    EXPECT_TRUE(is_told(p, "rig.urdf:3: origin of joint 'free' is not carried over: a scenario places its vehicles"));
    EXPECT_EQ(is_told(p, "rig.urdf:3: joint 'free' is not carried over: a platform flies freely"), std::string(type) == "fixed");
  }
  expect_refused(robot(link("world") + joint("turns", "continuous", "world", "hub", "0 0 2") + inside),
                 "rig.urdf:3: joint[turns].type: a platform flies freely (floating)");
  expect_refused(
      robot(link("world") + joint("free", "floating", "world", "hub", "0 0 2") + inside + link("wall") + joint("stands", "fixed", "world", "wall", "1 0 0")),
      "rig.urdf:12: joint[stands]: joins a second link to 'world': a platform is one body with its aircraft (leave out what stands in the surroundings)");
}

TEST(urdf_platform, products_of_inertia_that_are_left_out_are_told_with_their_size) {
  const UrdfPlatform p = platform(star(inertial("1.1", "ixx=\"0.05\" iyy=\"0.05\" izz=\"0.1\" ixy=\"0.001\"") + test::box("0.3 0.3 0.06")));
  EXPECT_TRUE(
      is_told(p, "rig.urdf:2: products of inertia of the central body are not carried over: Jxy 0.001, Jxz 0, Jyz 0 kg m2, at most 2 % of its least moment"));
}

TEST(urdf_platform, size_is_that_of_the_shapes_about_the_origin_of_the_frame) {
  const std::string body = inertial("1.1", "ixx=\"0.0532\" iyy=\"0.0532\" izz=\"0.1039\"");
  EXPECT_EQ(platform(star(body + test::box("0.4 0.2 0.1"))).def.centre.size, (Triple{0.4, 0.2, 0.1}));
  // a box beside the middle, which is held by a larger one about it
  const UrdfPlatform beside = platform(star(body + test::box("0.4 0.2 0.1", "xyz=\"0.05 0 0\"")));
  expect_near(beside.def.centre.size, {0.5, 0.2, 0.1}, 1e-12);
  EXPECT_TRUE(is_told(beside, "rig.urdf:2: collision shape of 'hub' becomes a box about the origin of the central body that holds it"));
  // turned by a right angle
  expect_near(platform(star(body + test::box("0.4 0.2 0.1", "rpy=\"0 0 1.5707963267948966\""))).def.centre.size, {0.2, 0.4, 0.1}, 1e-9);
  // a ball, and a disc
  expect_near(platform(star(body + "<collision><geometry><sphere radius=\"0.2\"/></geometry></collision>")).def.centre.size, {0.4, 0.4, 0.4}, 1e-12);
  expect_near(platform(star(body + test::cylinder("0.2", "0.1", "xyz=\"0 0 0\""))).def.centre.size, {0.4, 0.4, 0.1}, 1e-12);
}

TEST(urdf_platform, without_a_collision_shape_the_size_is_that_of_visual_shapes_or_of_the_inertia) {
  const std::string body = inertial("1.2", "ixx=\"0.05\" iyy=\"0.02\" izz=\"0.05\"");
  const UrdfPlatform seen = platform(star(body + "<visual><geometry><box size=\"2.1 0.05 0.05\"/></geometry></visual>"));
  EXPECT_EQ(seen.def.centre.size, (Triple{2.1, 0.05, 0.05}));
  EXPECT_TRUE(is_told(seen, "rig.urdf:2: no collision shape surrounds the origin of the central body: its size is that of its visual shapes"));
  // 1.2/12 (b2 + c2) = 0.05 and so on: edges of sqrt(0.1), sqrt(0.4) and sqrt(0.1)
  expect_near(platform(star(body)).def.centre.size, {std::sqrt(0.1), std::sqrt(0.4), std::sqrt(0.1)}, 1e-12);
}

TEST(urdf_platform, a_mesh_and_a_shape_beside_the_origin_are_told) {
  const std::string mesh = "<collision><geometry><mesh filename=\"hub.stl\"/></geometry></collision>";
  const UrdfPlatform p = platform(star(kHub + mesh + test::box("0.1 0.1 0.1", "xyz=\"0.3 0 0\"")));
  EXPECT_TRUE(is_told(p, "rig.urdf:2: collision mesh of 'hub' is not read"));
  EXPECT_TRUE(is_told(p, "rig.urdf:2: collision shape of 'hub' is not carried over: it does not surround the origin of the central body"));
  EXPECT_EQ(p.def.centre.size, (Triple{0.3, 0.3, 0.06}));
}

// ---------------------------------------------------------------- end effectors

TEST(urdf_platform, a_long_cylinder_of_the_central_body_is_a_pole_that_points_away_from_it) {
  const std::string rod =
      link("rod", inertial("0.1", "ixx=\"0.0001\" iyy=\"0.008\" izz=\"0.008\"", "xyz=\"-0.5 0 0\"") +
                      test::cylinder("0.02", "1", "xyz=\"-0.5 0 0\" rpy=\"0 1.57079632679 0\"") + "<contact><lateral_friction value=\"3\"/></contact>") +
      joint("holds", "fixed", "hub", "rod", "0 0 0");
  const UrdfPlatform p = platform(star(kHub, kQuad, rod));
  ASSERT_EQ(p.def.effectors.size(), 1u);
  const airframe::EffectorDef& pole = p.def.effectors[0];
  EXPECT_EQ(pole.name, "rod");
  EXPECT_EQ(pole.kind, airframe::EffectorKind::Pole);
  expect_near(pole.position, {0, 0, 0}, 1e-9);
  expect_near(pole.direction, {-1, 0, 0}, 1e-9);
  EXPECT_EQ(pole.length, 1);
  EXPECT_EQ(pole.radius, 0.02);
  EXPECT_EQ(pole.surface.friction, 3);
  const core::Result<Airframe> loaded = load(p);
  ASSERT_TRUE(loaded) << loaded.error().text() << yaml_of(p);
  EXPECT_TRUE(has_joined_bodies(loaded.value()));
  EXPECT_EQ(def_of(loaded.value()).effectors[0].surface.friction, 3);
}

TEST(urdf_platform, a_capsule_reaches_as_far_as_its_round_end_and_two_rods_have_two_names) {
  const std::string capsule =
      "<collision><origin xyz=\"0.4 0 0\" rpy=\"0 1.5707963267948966 0\"/><geometry><capsule radius=\"0.05\" length=\"0.6\"/></geometry></collision>";
  const UrdfPlatform p = platform(star(kHub + capsule + test::cylinder("0.02", "0.5", "xyz=\"0 0.4 0\" rpy=\"1.5707963267948966 0 0\"")));
  ASSERT_EQ(p.def.effectors.size(), 2u);
  EXPECT_EQ(p.def.effectors[0].name, "hub");
  expect_near(p.def.effectors[0].position, {0.1, 0, 0}, 1e-9);
  EXPECT_DOUBLE_EQ(p.def.effectors[0].length, 0.65);
  EXPECT_EQ(p.def.effectors[1].name, "hub-2");
  expect_near(p.def.effectors[1].direction, {0, 1, 0}, 1e-9);
  ASSERT_TRUE(load(p)) << load(p).error().text();
}

TEST(urdf_platform, more_than_eight_rods_are_refused) {
  std::string rods;
  for (int k = 0; k < 9; ++k) rods += test::cylinder("0.01", "0.5", "xyz=\"0 0 " + std::to_string(k) + "\"");
  expect_refused(star(kHub + rods),
                 "rig.urdf:2: effectors: the central body has 9 cylinders and capsules of slender form: a platform has at most 8 end effectors (remove the "
                 "collision shapes of parts that touch nothing)");
}

// ---------------------------------------------------------------- aircraft

TEST(urdf_platform, yaw_of_an_aircraft_comes_from_its_joint_also_through_fixed_links) {
  const std::string more = link("arm") + joint("holds", "fixed", "hub", "arm", "xyz=\"0 0 0.1\" rpy=\"0 0 1\"") + link("quad4", kQuad) +
                           joint("ball4", "spherical", "arm", "quad4", "xyz=\"1 0 0\" rpy=\"0 0 0.5\"");
  const UrdfPlatform p = platform(star(kHub, kQuad, more));
  ASSERT_EQ(p.def.parts.size(), 4u);
  EXPECT_NEAR(p.def.parts[3].yaw, 1.5, 1e-12);
  expect_near(p.def.parts[3].joint, {std::cos(1), std::sin(1), 0.1}, 1e-12);
  EXPECT_NEAR(def_of(load(p).value()).parts[3].yaw, 1.5, 1e-8);
}

TEST(urdf_platform, links_and_rotors_of_an_aircraft_are_part_of_its_mass) {
  const std::string more = link("battery", inertial("0.2", "ixx=\"0\" iyy=\"0\" izz=\"0\"")) + joint("holds", "fixed", "quad1", "battery", "0 0 0") +
                           link("rotor", inertial("0.1", "ixx=\"0\" iyy=\"0\" izz=\"0\"")) +
                           joint("spins", "continuous", "battery", "rotor", "0 0 0", "<axis xyz=\"0 0 1\"/>");
  const UrdfPlatform p = platform(star(kHub, kQuad, more));
  ASSERT_EQ(p.def.parts.size(), 3u);
  EXPECT_NEAR(p.def.parts[0].mass, 1.9, 1e-12);
  EXPECT_TRUE(is_told(p, "rig.urdf:12: continuous joints inside an aircraft are held: its rotors are those of its airframe"));
  expect_refused(star(kHub, kQuad, link("arm") + joint("elbow", "spherical", "quad1", "arm", "0 0 0")),
                 "rig.urdf:10: joint[elbow].type: 'arm' moves in the aircraft 'quad1': an aircraft of a platform is one body (fixed)");
}

TEST(urdf_platform, a_centre_of_mass_beside_its_joint_is_refused_beyond_a_millimetre) {
  const auto at = [](const std::string& z) { return star(kHub, inertial("1.6", "ixx=\"0.01\" iyy=\"0.01\" izz=\"0.02\"", "xyz=\"0 0 " + z + "\"")); };
  const UrdfPlatform near = platform(at("0.0004"));
  expect_near(near.def.parts[0].joint, {0.48, 0, 0.07}, 1e-12);
  EXPECT_TRUE(is_told(near, "rig.urdf:3: the centre of mass of 'quad1' is moved into its joint: it lies 0.4 mm from the joint, at (0, 0, 0.0004) m"));
  const core::Result<UrdfPlatform> far = imported(at("-0.012"));
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().message,
            "the centre of mass of the aircraft lies 12 mm from the joint, at (0, 0, -0.012) m: aircraft of a platform turn about their centres of mass");
  EXPECT_EQ(far.error().field, "link[quad1].inertial");
  EXPECT_EQ(far.error().line, 3);
  EXPECT_EQ(far.error().others.size(), 2u) << "of the other two aircraft";
}

TEST(urdf_platform, joints_of_fixed_and_hinged_aircraft_lie_where_their_centres_of_mass_are) {
  const std::string hub = link("hub", kHub), off = inertial("1.6", "ixx=\"0.01\" iyy=\"0.01\" izz=\"0.02\"", "xyz=\"0 0.05 0\"");
  const std::string turns = "<axis xyz=\"0 1 0\"/>";
  const UrdfPlatform p = platform(robot(hub + link("a", off) + link("b", off) + link("c", kQuad) + link("d", kQuad) +
                                        joint("ja", "fixed", "hub", "a", "0.5 0 0") + joint("jb", "continuous", "hub", "b", "-0.5 0 0", turns) +
                                        joint("jc", "spherical", "hub", "c", "0 0.6 0") + joint("jd", "spherical", "hub", "d", "0 -0.6 0")),
                                  {"a"});
  EXPECT_EQ(p.def.parts[0].link.kind, LinkKind::Fixed);
  expect_near(p.def.parts[0].joint, {0.5, 0.05, 0}, 1e-12);
  EXPECT_EQ(p.def.parts[1].link.kind, LinkKind::Hinge);
  expect_near(p.def.parts[1].joint, {-0.5, 0.05, 0}, 1e-12);
  ASSERT_TRUE(load(p)) << load(p).error().text();
}

TEST(urdf_platform, an_aircraft_on_a_ball_joint_may_lean_a_little_at_rest_and_one_that_is_held_may_not) {
  const auto leaning = [](const char* type, const std::string& roll) {
    return star(kHub, kQuad, link("quad4", kQuad) + joint("j4", type, "hub", "quad4", "xyz=\"0 0 1\" rpy=\"" + roll + " 0 0.3\"", "<axis xyz=\"1 0 0\"/>"));
  };
  const UrdfPlatform p = platform(leaning("spherical", "0.03"));
  EXPECT_NEAR(p.def.parts[3].yaw, 0.3, 1e-12);
  EXPECT_TRUE(is_told(p, "rig.urdf:10: the tilt of 'quad4' at rest, 0.03 rad, is not carried over: it turns freely in its joint"));
  const std::string words = " rad: aircraft of a platform have a yaw, but no roll and no pitch (rpy=\"0 0 YAW\", with z along the axes of the rotors)";
  expect_refused(leaning("spherical", "0.2"), "rig.urdf:10: joint[j4].origin.rpy: at rest, the aircraft is tilted by 0.2" + words);
  expect_refused(leaning("continuous", "0.03"), "rig.urdf:10: joint[j4].origin.rpy: at rest, the aircraft is tilted by 0.03" + words);
}

TEST(urdf_platform, impossible_moments_of_inertia_are_refused_in_the_central_body_and_told_of_aircraft) {
  expect_refused(star(inertial("1.1", "ixx=\"0.02\" iyy=\"0.02\" izz=\"0.045\"")),
                 "rig.urdf:2: link[hub].inertial.inertia: no body has these moments of inertia (each principal moment is at most the sum of the other two)");
  const UrdfPlatform p = platform(star(kHub, inertial("2.0", "ixx=\"0.02\" iyy=\"0.02\" izz=\"0.045\"")));
  EXPECT_TRUE(is_told(p, "rig.urdf:3: link[quad1].inertial.inertia: no body has these moments of inertia, which are not used"));
  expect_refused(star(test::box("0.3 0.3 0.06")), "rig.urdf:2: link[hub]: the central body has no mass (an <inertial> with a mass)");
  expect_refused(star("<inertial><mass value=\"1\"/></inertial>"),
                 "rig.urdf:2: link[hub]: the central body has no moments of inertia (an <inertia> with ixx, iyy and izz)");
}

TEST(urdf_platform, two_to_four_aircraft_make_a_platform) {
  const std::string one = robot(link("hub", kHub) + link("a", kQuad) + link("b", kQuad) + joint("ja", "spherical", "hub", "a", "1 0 0") +
                                joint("jb", "fixed", "hub", "b", "-1 0 0"));
  expect_refused(one,
                 "rig.urdf:1: robot: has 1 aircraft, and a platform has 2 to 4 (links on spherical joints and hinges are aircraft; --part LINK makes one of a "
                 "fixed link: b)");
  EXPECT_EQ(platform(one, {"b"}).def.parts.size(), 2u);
  expect_refused(one, "rig.urdf:1: --part: no link is called 'c' (known: a, b)", {"c"});
  expect_refused(one, "rig.urdf:2: link[hub]: is the central body, and is named with --part", {"hub"});
  std::string more;
  for (const char* n : {"4", "5"})
    more += link(std::string("q") + n, kQuad) + joint(std::string("j") + n, "ball", "hub", std::string("q") + n, std::string("0 0 ") + n);
  expect_refused(star(kHub, kQuad, more), "rig.urdf:1: robot: has 5 aircraft, and a platform has 2 to 4 (links on spherical joints and hinges are aircraft)");
}

TEST(urdf_platform, joints_that_slide_or_float_are_refused) {
  const auto with = [](const char* type) { return star(kHub, kQuad, link("quad4", kQuad) + joint("j4", type, "hub", "quad4", "0 0 1")); };
  const std::string known = " (spherical, revolute, continuous or fixed)";
  expect_refused(with("prismatic"), "rig.urdf:10: joint[j4].type: aircraft of a platform turn in their joints, and do not slide" + known);
  expect_refused(with("floating"),
                 "rig.urdf:10: joint[j4].type: floats away from 'hub', which has a mass: only a whole platform floats (spherical for an aircraft, or a root "
                 "link without mass)");
  expect_refused(
      star(kHub, kQuad, link("arm") + link("quad4", kQuad) + joint("holds", "fixed", "hub", "arm", "0 0 0") + joint("j4", "floating", "arm", "quad4", "0 0 1")),
      "rig.urdf:12: joint[j4].type: only a whole platform floats" + known);
}

// ---------------------------------------------------------------- joints

UrdfPlatform with_hinge(const std::string& rest, const char* type = "revolute") {
  return platform(star(kHub, kQuad, link("quad4", kQuad) + joint("j4", type, "hub", "quad4", "0 0 1", rest)));
}

TEST(urdf_platform, a_revolute_joint_is_a_hinge_with_axis_limit_friction_and_damping) {
  const UrdfPlatform p = with_hinge("<axis xyz=\"0 2 0\"/><limit lower=\"-0.6\" upper=\"0.6\"/><dynamics damping=\"0.02\" friction=\"0.1\"/>");
  const airframe::LinkDef& hinge = p.def.parts[3].link;
  EXPECT_EQ(hinge.kind, LinkKind::Hinge);
  expect_near(hinge.axis, {0, 1, 0}, 1e-12);
  EXPECT_EQ(hinge.limit, 0.6);
  EXPECT_EQ(hinge.friction, 0.1);
  EXPECT_EQ(p.def.joint_damping, 0.005) << "what all have in common";
  EXPECT_NEAR(hinge.damping, 0.015, 1e-12) << "the rest";
  EXPECT_EQ(p.def.parts[0].link.damping, 0);
  const core::Result<Airframe> loaded = load(p);
  ASSERT_TRUE(loaded) << loaded.error().text();
  const airframe::LinkDef& read = def_of(loaded.value()).parts[3].link;
  EXPECT_EQ(read.kind, LinkKind::Hinge);
  EXPECT_EQ(read.limit, 0.6);
  EXPECT_EQ(read.friction, 0.1);
}

TEST(urdf_platform, an_axis_that_rounded_angles_lift_a_little_is_level) {
  const UrdfPlatform p = with_hinge("<axis xyz=\"1 0 0.0005\"/>", "continuous");
  EXPECT_EQ(p.def.parts[3].link.axis[2], 0);
  ASSERT_TRUE(load(p)) << load(p).error().text();
  const UrdfPlatform upright = with_hinge("<axis xyz=\"0 0 1\"/>", "continuous");
  EXPECT_EQ(in_urdf(load(upright).error(), upright).text(),
            "rig.urdf:10: parts[3].link.axis: the hinge of an aircraft lies across its thrust ([1, 0, 0], [0, 1, 0] or what lies between)");
}

TEST(urdf_platform, limits_are_one_angle_for_both_directions) {
  const UrdfPlatform uneven = with_hinge("<axis xyz=\"1 0 0\"/><limit lower=\"-0.4\" upper=\"0.6\"/>");
  EXPECT_EQ(uneven.def.parts[3].link.limit, 0.4);
  EXPECT_TRUE(is_told(uneven, "rig.urdf:10: limits of -0.4 and 0.6 rad of joint 'j4' become 0.4 rad both ways"));
  const UrdfPlatform wide = with_hinge("<axis xyz=\"1 0 0\"/><limit lower=\"-3.14159\" upper=\"3.14159\"/>");
  EXPECT_EQ(wide.def.parts[3].link.limit, 0);
  EXPECT_TRUE(is_told(wide, "rig.urdf:10: limits of -3.142 and 3.142 rad of joint 'j4' are left out: it turns all round"));
  EXPECT_EQ(with_hinge("<limit lower=\"0\" upper=\"0.5\"/>", "spherical").def.parts[3].link.limit, 0.5) << "a ball joint has a cone";
  expect_refused(
      star(kHub, kQuad, link("quad4", kQuad) + joint("j4", "revolute", "hub", "quad4", "0 0 1", "<axis xyz=\"1 0 0\"/><limit lower=\"0\" upper=\"0.6\"/>")),
      "rig.urdf:10: joint[j4].limit: limits of 0 and 0.6 rad do not let the aircraft turn both ways (a lower limit below 0 and an upper one above, or a fixed "
      "joint)");
}

// Gazebo has no ball joint
TEST(urdf_platform, three_hinges_at_right_angles_in_one_place_are_a_ball_joint) {
  const auto chain = [](const char* second) {
    const std::string small = inertial("0.01", "ixx=\"0\" iyy=\"0\" izz=\"0\"");
    return star(kHub, kQuad,
                link("yoke", small) + link("cross", small) + link("quad4", kQuad) +
                    joint("roll", "continuous", "hub", "yoke", "0 0 1", "<axis xyz=\"1 0 0\"/>" + test::kGreased) +
                    joint("pitch", "continuous", "yoke", "cross", "0 0 0", std::string("<axis xyz=\"") + second + "\"/>" + test::kGreased) +
                    joint("yaw", "continuous", "cross", "quad4", "rpy=\"0 0 0.2\"", "<axis xyz=\"0 0 1\"/>" + test::kGreased));
  };
  const UrdfPlatform p = platform(chain("0 1 0"));
  ASSERT_EQ(p.def.parts.size(), 4u);
  EXPECT_EQ(p.def.parts[3].link.kind, LinkKind::Spherical);
  EXPECT_NEAR(p.def.parts[3].mass, 1.62, 1e-12);
  EXPECT_NEAR(p.def.parts[3].yaw, 0.2, 1e-12);
  EXPECT_EQ(p.def.joint_damping, 0.005);
  EXPECT_TRUE(is_told(p, "rig.urdf:12: three hinges from joint 'roll' on are a ball joint without limits"));
  expect_refused(
      chain("0 1 1"),
      "rig.urdf:12: joint[roll]: 3 hinges lie in one place: that is no joint of a platform (one hinge, three at right angles, or a spherical joint)");
}

// ---------------------------------------------------------------- what the airframe's own check refuses

TEST(urdf_platform, a_fault_of_the_platform_is_told_at_the_line_of_the_robot) {
  const auto refused = [](const UrdfPlatform& p) {
    const core::Result<Airframe> loaded = load(p);
    return loaded ? "" : in_urdf(loaded.error(), p).text();
  };
  const UrdfPlatform heavy = platform(star(inertial("9", "ixx=\"0.05\" iyy=\"0.05\" izz=\"0.1\"")));
  EXPECT_EQ(refused(heavy).substr(0, 44), "rig.urdf:6: parts[0]: hovering takes 45.1 N ") << refused(heavy);
  const std::string crowded =
      robot(link("hub", kHub) + link("a", kQuad) + link("b", kQuad) + joint("ja", "ball", "hub", "a", "0.2 0 0") + joint("jb", "ball", "hub", "b", "-0.2 0 0"));
  EXPECT_EQ(refused(platform(crowded)).substr(0, 64), "rig.urdf:6: parts[1].joint: its aircraft overlaps that of parts[") << refused(platform(crowded));
  UrdfPlatform unknown = platform(star());
  for (auto& part : unknown.def.parts) part.airframe = "f45";
  EXPECT_EQ(refused(unknown).substr(0, 99), "rig.urdf:6: parts[0].airframe: no airframe is called 'f45' (did you mean 'f450'?)\nrig.urdf:7: parts")
      << refused(unknown);
}

TEST(urdf_platform, every_beginning_of_a_file_gives_an_error_or_a_platform) {
  const std::string whole = star(kHub + test::cylinder("0.02", "1", "xyz=\"0.5 0 0\" rpy=\"0 1.5708 0\""));
  for (std::size_t size = 0; size <= whole.size(); size += 3) {
    const core::Result<UrdfPlatform> p = imported(whole.substr(0, size));
    if (!p) {
      ASSERT_FALSE(p.error().message.empty()) << size;
    }
  }
}

// Numbers and words that are swapped for others at random: an error, or a platform whose file is read or refused in words.
TEST(urdf_platform, damaged_files_are_refused_or_give_a_file_that_is_read) {
  const std::string whole = star(kHub + test::cylinder("0.02", "1", "xyz=\"0.5 0 0\" rpy=\"0 1.5708 0\""), kQuad,
                                 link("plate", kQuad) + joint("holds", "fixed", "hub", "plate", "0 0 0"));
  const std::string pieces[] = {"0",     "-1",    "1e308", "1e-300",   "nan",        "\"",       "<", ">",     "/",    "hub",
                                "quad1", "ball1", "fixed", "revolute", "continuous", "floating", " ", "&#10;", "mass", "link"};
  std::uint64_t state = 1;
  const auto draw = [&](std::size_t n) { return static_cast<std::size_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % n; };
  int read = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = whole;
    for (std::size_t n = 1 + draw(3); n > 0; --n) text.replace(draw(text.size()), draw(4), pieces[draw(std::size(pieces))]);
    const core::Result<UrdfPlatform> p = imported(text);
    if (!p) continue;
    const core::Result<Airframe> loaded = load(p.value());
    if (!loaded) {
      ASSERT_FALSE(loaded.error().message.empty());
    }
    if (!loaded) {
      ASSERT_EQ(loaded.error().message.find("not valid YAML"), std::string::npos) << yaml_of(p.value());
    }
    read += loaded ? 1 : 0;
  }
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace volary::scenario
