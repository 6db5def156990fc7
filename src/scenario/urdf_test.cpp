// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// URDF as plain data: what is read, what is told, and where faults are. And sums of links that move as one body.
#include "scenario/urdf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenario/urdf_bodies.hpp"
#include "scenario/urdf_test_support.hpp"

namespace volary::scenario {
namespace {

using test::inertial;
using test::joint;
using test::link;
using test::robot;

Urdf read(const std::string& text) {
  const core::Result<Urdf> urdf = parse_urdf(text, "rig.urdf");
  EXPECT_TRUE(urdf) << (urdf ? "" : urdf.error().text());
  return urdf ? urdf.value() : Urdf{};
}
void expect_fault(const std::string& text, const std::string& words) {
  core::Result<Urdf> urdf = parse_urdf(text, "rig.urdf");
  std::string got = urdf ? "" : urdf.error().text();
  if (urdf)
    if (const auto tree = tree_of(urdf.value()); !tree) got = tree.error().text();
  EXPECT_EQ(got, words);
}
void expect_near(const airframe::Triple& got, const airframe::Triple& wanted) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(got[k], wanted[k], 1e-12) << "component " << k;
}
bool is_told(const Urdf& urdf, const std::string& words) {
  return std::any_of(urdf.remarks.begin(), urdf.remarks.end(), [&](const UrdfRemark& r) { return text_of(r, urdf.file) == words; });
}

// ---------------------------------------------------------------- what is read

TEST(urdf, links_and_joints_are_read_with_their_lines) {
  const Urdf urdf = read(test::star());
  EXPECT_EQ(urdf.name, "rig");
  ASSERT_EQ(urdf.links.size(), 4u);
  EXPECT_EQ(urdf.links[1].name, "quad1");
  EXPECT_EQ(urdf.links[1].line, 3);
  EXPECT_EQ(urdf.links[1].inertial->mass, 1.6);
  EXPECT_EQ(urdf.links[1].inertial->inertia.diagonal, (airframe::Triple{0.0126, 0.0136, 0.0237}));
  ASSERT_EQ(urdf.joints.size(), 3u);
  EXPECT_EQ(urdf.joints[2].name, "ball3");
  EXPECT_EQ(urdf.joints[2].line, 8);
  EXPECT_EQ(urdf.joints[2].kind, UrdfJointKind::Spherical);
  EXPECT_EQ(urdf.joints[2].parent, 0u);
  EXPECT_EQ(urdf.joints[2].child, 3u);
  EXPECT_EQ(urdf.joints[2].origin.position.y, -0.4156922);
  EXPECT_EQ(urdf.joints[2].damping, 0.005);
  EXPECT_TRUE(urdf.remarks.empty());
}

TEST(urdf, roll_pitch_and_yaw_turn_about_fixed_axes_in_this_order) {
  const Urdf urdf = read(robot(link("a") + link("b") + joint("j", "fixed", "a", "b", "rpy=\"0.3 -0.5 0.7\" xyz=\"1 2 3\"")));
  const math::Vec3<double> got = urdf.joints[0].origin * math::Vec3<double>{0.1, 0.2, -0.4};
  // R = Rz(0.7) Ry(-0.5) Rx(0.3), one after the other
  const double y1 = 0.2 * std::cos(0.3) + 0.4 * std::sin(0.3), z1 = 0.2 * std::sin(0.3) - 0.4 * std::cos(0.3);
  const double x2 = 0.1 * std::cos(0.5) - z1 * std::sin(0.5), z2 = 0.1 * std::sin(0.5) + z1 * std::cos(0.5);
  EXPECT_NEAR(got.x, 1 + x2 * std::cos(0.7) - y1 * std::sin(0.7), 1e-12);
  EXPECT_NEAR(got.y, 2 + x2 * std::sin(0.7) + y1 * std::cos(0.7), 1e-12);
  EXPECT_NEAR(got.z, 3 + z2, 1e-12);
}

TEST(urdf, a_quaternion_turns_as_its_angles_do) {
  const double s = std::sin(0.35), c = std::cos(0.35);
  const std::string turn = "quat_xyzw=\"0 0 " + std::to_string(2 * s) + " " + std::to_string(2 * c) + "\"";
  const Urdf urdf = read(robot(link("a") + link("b") + joint("j", "fixed", "a", "b", turn)));
  const math::Vec3<double> got = urdf.joints[0].origin * math::Vec3<double>{1, 0, 0};
  EXPECT_NEAR(got.x, std::cos(0.7), 1e-6);
  EXPECT_NEAR(got.y, std::sin(0.7), 1e-6);
}

TEST(urdf, both_spellings_of_a_ball_joint_are_one_kind) {
  const Urdf urdf = read(robot(link("a") + link("b") + link("c") + joint("j", "ball", "a", "b", "0 0 0") + joint("k", "spherical", "a", "c", "0 0 0")));
  EXPECT_EQ(urdf.joints[0].kind, urdf.joints[1].kind);
}

TEST(urdf, axis_limits_and_friction_of_a_hinge_are_read) {
  const std::string rest = "<axis xyz=\"0 3 4\"/><limit lower=\"-0.4\" upper=\"0.5\"/><dynamics damping=\"0.1\" friction=\"0.2\"/>";
  const UrdfJoint hinge = read(robot(link("a") + link("b") + joint("j", "revolute", "a", "b", "0 0 0", rest))).joints[0];
  EXPECT_NEAR(hinge.axis.y, 0.6, 1e-12);
  EXPECT_NEAR(hinge.axis.z, 0.8, 1e-12);
  EXPECT_EQ(hinge.limit->lower, -0.4);
  EXPECT_EQ(hinge.limit->upper, 0.5);
  EXPECT_EQ(hinge.damping, 0.1);
  EXPECT_EQ(hinge.friction, 0.2);
}

TEST(urdf, friction_of_a_link_is_read_as_bullet_and_gazebo_write_it) {
  EXPECT_EQ(read(robot(link("a", "<contact><lateral_friction value=\"0.9\"/></contact>"))).links[0].friction, 0.9);
  const Urdf gazebo = read(robot(link("a") + "<gazebo reference=\"a\"><mu1>0.7</mu1><mu2>0.3</mu2><kp>1e6</kp></gazebo>\n"));
  EXPECT_EQ(gazebo.links[0].friction, 0.7);
  EXPECT_TRUE(is_told(gazebo, "rig.urdf:3: element 'mu2' of 'gazebo' is not carried over: mu1 counts in all directions"));
  EXPECT_TRUE(is_told(gazebo, "rig.urdf:3: element 'kp' of 'gazebo' is not carried over"));
  EXPECT_FALSE(read(robot(link("a") + "<gazebo reference=\"b\"><mu1>0.7</mu1></gazebo>\n")).links[0].friction);
}

// ---------------------------------------------------------------- what is told

TEST(urdf, nothing_that_is_not_read_goes_without_a_word) {
  const Urdf urdf = read(
      robot(link("a", "<sensor/>") + "<transmission name=\"t\"/>\n" + link("b", "<inertial><mass value=\"0.1\"/></inertial>") + "<transmission name=\"u\"/>\n" +
            joint("j", "revolute", "a", "b", "0 0 0", "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"30\"/><mimic joint=\"k\"/>")));
  EXPECT_TRUE(is_told(urdf, "rig.urdf:2: element 'sensor' of 'link' is not carried over"));
  EXPECT_TRUE(is_told(urdf, "rig.urdf:3: element 'transmission' of 'robot' is not carried over (also in line 5)"));
  EXPECT_TRUE(is_told(urdf, "rig.urdf:4: link[b] has no inertia: it counts as a point mass"));
  EXPECT_TRUE(is_told(urdf, "rig.urdf:6: attribute 'effort' of 'limit' is not carried over"));
  EXPECT_TRUE(is_told(urdf, "rig.urdf:6: element 'mimic' of 'joint' is not carried over"));
  EXPECT_EQ(urdf.remarks.size(), 5u);
}

TEST(urdf, a_remark_with_many_lines_names_the_first_five) {
  EXPECT_EQ(text_of({"words", {3, 4, 5, 6, 7, 8, 9}}, "a.urdf"), "a.urdf:3: words (also in lines 4, 5, 6, 7 and 2 more)");
}

// ---------------------------------------------------------------- what is refused

TEST(urdf, a_file_of_another_kind_is_no_urdf) {
  expect_fault("<mujoco model=\"m\"/>", "rig.urdf:1: the root is 'mujoco', not 'robot' (is this a URDF file? MJCF and SDF are not read)");
  expect_fault("model: platform\n", "rig.urdf:2: is not well-formed XML: No document element found");
  expect_fault("<robot name=\"rig\">\n<link name=\"a\">\n</robot>\n", "rig.urdf:3: is not well-formed XML: Start-end tags mismatch");
  expect_fault("<robot name=\"rig\"/>", "rig.urdf:1: robot: has no link (a link for the central body and one for each aircraft)");
}

TEST(urdf, a_fault_names_file_line_element_and_attribute) {
  const std::string ab = link("a") + link("b");
  expect_fault(robot(ab + joint("j", "sperical", "a", "b", "0 0 0")), "rig.urdf:4: joint[j].type: 'sperical' is no type of joint (did you mean 'spherical'?)");
  expect_fault(robot(link("hub") + joint("j", "fixed", "hub", "hbu", "0 0 0")),
               "rig.urdf:3: joint[j].child.link: no link is called 'hbu' (did you mean 'hub'?)");
  expect_fault(robot(ab + joint("j", "fixed", "a", "b", "0 0")), "rig.urdf:4: joint[j].origin.xyz: has 2 numbers: expected three");
  expect_fault(robot(ab + joint("j", "fixed", "a", "b", "0 0,5 0")),
               "rig.urdf:4: joint[j].origin.xyz: '0,5' is not a number (numbers have decimal points and blanks between them)");
  expect_fault(robot(ab + joint("j", "fixed", "a", "b", "0 nan 0")), "rig.urdf:4: joint[j].origin.xyz: 'nan' is not a number");
  expect_fault(robot(ab + joint("j", "fixed", "a", "b", "rpy=\"0 0 90\"")),
               "rig.urdf:4: joint[j].origin.rpy: 90 is no angle in radians (roll, pitch and yaw are in radians, not in degrees)");
  expect_fault(robot(ab + joint("j", "revolute", "a", "b", "0 0 0")),
               "rig.urdf:4: joint[j].limit: is missing (lower and upper in rad; a joint without limits is continuous)");
  expect_fault(robot(ab + joint("j", "continuous", "a", "b", "0 0 0", "<axis xyz=\"0 0 0\"/>")),
               "rig.urdf:4: joint[j].axis.xyz: points nowhere (\"1 0 0\" turns about x)");
  expect_fault(robot(ab + joint("j", "spherical", "a", "b", "0 0 0", "<dynamics damping=\"-1\"/>")), "rig.urdf:4: joint[j].dynamics.damping: -1 is negative");
  expect_fault(robot(link("a", inertial("-1", "ixx=\"1\" iyy=\"1\" izz=\"1\""))), "rig.urdf:2: link[a].inertial.mass.value: -1 kg is negative");
  expect_fault(robot(link("a", inertial("1", "ixx=\"1\" iyy=\"1\""))), "rig.urdf:2: link[a].inertial.inertia.izz: is missing");
  expect_fault(robot(link("a", inertial("1e300", "ixx=\"1\" iyy=\"1\" izz=\"1\""))),
               "rig.urdf:2: link[a].inertial.mass.value: 1e+300 is out of range (-1e+09 to 1e+09)");
  expect_fault(robot(link("a", "<collision><geometry><sphere radius=\"0\"/></geometry></collision>")),
               "rig.urdf:2: link[a].collision.sphere.radius: 0 is not positive");
  expect_fault(robot(link("a", "<collision/>")), "rig.urdf:2: link[a].collision.geometry: has 0 shapes (exactly one of box, cylinder, capsule, sphere, mesh)");
  expect_fault(robot(link("a") + link("a")), "rig.urdf:3: link[a].name: is the name of two links (a name of its own for each link)");
}

TEST(urdf, a_misspelt_element_or_attribute_is_no_remark_because_it_could_carry_a_mass) {
  expect_fault(robot(link("a", "<inertal><mass value=\"1\"/></inertal>")), "rig.urdf:2: element 'inertal' of 'link' is not known (did you mean 'inertial'?)");
  expect_fault(robot(link("a", inertial("1", "ixx=\"1\" iyy=\"1\" izz=\"1\" ixyy=\"1\""))),
               "rig.urdf:2: attribute 'ixyy' of 'inertia' is not known (did you mean 'ixy'?)");
  expect_fault(robot(link("a", "<inertial><mass value=\"1\"/><mass value=\"2\"/></inertial>")),
               "rig.urdf:2: 'mass' is given twice inside 'inertial' (keep one of the two)");
}

TEST(urdf, a_file_of_xacro_has_to_be_expanded) {
  expect_fault(robot(link("a") + "<xacro:arm/>\n"), "rig.urdf:3: 'xacro:arm' is a macro of xacro (expand the file first: xacro FILE.xacro > FILE.urdf)");
  expect_fault(robot(link("${name}")), "rig.urdf:2: '${name}' is an expression of xacro (expand the file first: xacro FILE.xacro > FILE.urdf)");
}

TEST(urdf, all_faults_are_told_at_once) {
  const core::Result<Urdf> urdf =
      parse_urdf(robot(link("a", inertial("x", "ixx=\"1\" iyy=\"1\" izz=\"1\"")) + joint("j", "fixd", "a", "a", "0 0 0")), "rig.urdf");
  ASSERT_FALSE(urdf);
  EXPECT_EQ(urdf.error().text(),
            "rig.urdf:2: link[a].inertial.mass.value: 'x' is not a number\nrig.urdf:3: joint[j].type: 'fixd' is no type of joint (did you mean 'fixed'?)");
}

TEST(urdf, links_are_a_tree) {
  const std::string abc = link("a") + link("b") + link("c");
  expect_fault(robot(abc + joint("j", "fixed", "a", "b", "0 0 0")),
               "rig.urdf:4: link[c]: no joint joins it to 'a' (one link has no parent, and all others are joined to it)");
  expect_fault(robot(abc + joint("j", "fixed", "a", "b", "0 0 0") + joint("k", "fixed", "c", "b", "0 0 0")),
               "rig.urdf:6: joint[k].child.link: 'b' is the child of joint 'j' already (a link has one parent)");
  expect_fault(robot(abc + joint("j", "fixed", "a", "b", "0 0 0") + joint("k", "fixed", "b", "c", "0 0 0") + joint("l", "fixed", "c", "a", "0 0 0")),
               "rig.urdf:7: joint[l]: closes a loop of links: a > b > c > a (the links of a URDF file are a tree)");
  expect_fault(robot(abc + joint("j", "fixed", "b", "c", "0 0 0") + joint("k", "fixed", "c", "b", "0 0 0")),
               "rig.urdf:5: joint[j]: closes a loop of links: c > b > c (the links of a URDF file are a tree)");
  expect_fault(robot(link("a") + joint("j", "fixed", "a", "a", "0 0 0")),
               "rig.urdf:3: joint[j]: closes a loop of links: a > a (the links of a URDF file are a tree)");
}

// A file that ends anywhere is an error or a robot, and no crash.
TEST(urdf, every_beginning_of_a_file_gives_an_error_or_a_robot) {
  const std::string whole = test::star(test::kHub + test::cylinder("0.02", "1", "xyz=\"0.5 0 0\" rpy=\"0 1.5708 0\""), test::kQuad,
                                       "<gazebo reference=\"hub\"><mu1>1</mu1></gazebo>\n");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const core::Result<Urdf> urdf = parse_urdf(whole.substr(0, size), "cut.urdf");
    if (size + 3 < whole.size()) {
      ASSERT_FALSE(urdf) << size;
    }
    if (!urdf) {
      ASSERT_GE(urdf.error().line, 1) << size;
    }
  }
  EXPECT_TRUE(parse_urdf(whole, "cut.urdf"));
}

TEST(urdf, a_chain_of_a_hundred_thousand_links_does_not_exhaust_the_stack) {
  std::string body = link("l0");
  for (int k = 1; k < 100'000; ++k)
    body += link("l" + std::to_string(k)) + joint("j" + std::to_string(k), "fixed", "l" + std::to_string(k - 1), "l" + std::to_string(k), "0 0 0");
  EXPECT_TRUE(tree_of(read(robot(body))));
}

// ---------------------------------------------------------------- links that move as one body

TEST(urdf, links_that_are_fixed_to_each_other_add_up_by_the_parallel_axis_theorem) {
  // 2 kg at x = 0.1 m and 3 kg at x = 0.5 m: their centre of mass is at 0.34 m, 0.24 and 0.16 m from them
  const Urdf urdf = read(robot(link("a", inertial("2", "ixx=\"0.01\" iyy=\"0.02\" izz=\"0.025\"", "xyz=\"0.1 0 0\"")) +
                               link("b", inertial("3", "ixx=\"0.03\" iyy=\"0.04\" izz=\"0.05\"")) + joint("j", "fixed", "a", "b", "0.5 0 0")));
  const RigidSum sum = sum_of(urdf, {{0, {}}, {1, urdf.joints[0].origin}});
  EXPECT_DOUBLE_EQ(sum.mass(), 5);
  EXPECT_NEAR(sum.centre().x, 0.34, 1e-15);
  const airframe::Symmetric3 j = sum.central();
  EXPECT_NEAR(j.diagonal[0], 0.04, 1e-15);
  EXPECT_NEAR(j.diagonal[1], 0.06 + 2 * 0.24 * 0.24 + 3 * 0.16 * 0.16, 1e-14);
  EXPECT_NEAR(j.diagonal[2], 0.075 + 2 * 0.24 * 0.24 + 3 * 0.16 * 0.16, 1e-14);
  for (const double product : j.products) EXPECT_NEAR(product, 0, 1e-15);
}

TEST(urdf, two_masses_off_the_axes_have_a_product_of_inertia) {
  const Urdf urdf = read(robot(link("a", inertial("1", "ixx=\"0\" iyy=\"0\" izz=\"0\"", "xyz=\"0.3 0.2 0\"")) +
                               link("b", inertial("1", "ixx=\"0\" iyy=\"0\" izz=\"0\"", "xyz=\"-0.3 -0.2 0\"")) + joint("j", "fixed", "a", "b", "0 0 0")));
  const airframe::Symmetric3 j = sum_of(urdf, {{0, {}}, {1, {}}}).central();
  EXPECT_NEAR(j.products[0], -2 * 0.3 * 0.2, 1e-15);
  EXPECT_NEAR(j.diagonal[2], 2 * (0.09 + 0.04), 1e-15);
}

TEST(urdf, a_turned_inertial_frame_turns_its_moments_of_inertia) {
  // a quarter turn about z swaps x and y, one about x swaps y and z
  const std::string moments = "ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\"0.1\" ixz=\"0.2\" iyz=\"0.3\"";
  const Urdf about_z = read(robot(link("a", inertial("1", moments, "rpy=\"0 0 1.5707963267948966\""))));
  const airframe::Symmetric3 z = sum_of(about_z, {{0, {}}}).central();
  // new x is old -y, new y is old x
  expect_near(z.diagonal, {2, 1, 2.5});
  expect_near(z.products, {-0.1, -0.3, 0.2});
  // and the turn of a link that carries it does the same
  const Urdf plain = read(robot(link("a", inertial("1", moments)) + link("b") + joint("j", "fixed", "b", "a", "rpy=\"0 0 1.5707963267948966\"")));
  const airframe::Symmetric3 carried = sum_of(plain, {{0, plain.joints[0].origin}}).central();
  expect_near(carried.diagonal, z.diagonal);
  expect_near(carried.products, z.products);
}

TEST(urdf, impossible_moments_of_inertia_are_found_in_any_axes) {
  EXPECT_TRUE(is_possible({{1, 1, 2}, {0, 0, 0}})) << "a flat plate";
  EXPECT_TRUE(is_possible({{0, 0, 0}, {0, 0, 0}})) << "a point";
  EXPECT_FALSE(is_possible({{0.02, 0.02, 0.045}, {0, 0, 0}}));
  EXPECT_FALSE(is_possible({{-0.1, 1, 1}, {0, 0, 0}}));
  EXPECT_FALSE(is_possible({{1, 1, 1}, {2, 0, 0}})) << "products above moments";
  EXPECT_FALSE(is_possible({{1, 1, 1}, {0.8, 0, 0}})) << "principal moments of 0.2, 1 and 1.8";
}

}  // namespace
}  // namespace volary::scenario
