// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A platform as its airframe file describes it: several quadrotors joined to one central body by ball joints (IAP: Integrated Aerial Platforms), and the
// figures that follow. The paper writes NED and FRD; here, as everywhere, the world is ENU and bodies are FLU: y and z change sign, x does not.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/result.hpp"
#include "vehicles/multirotor_derive.hpp"
#include "vehicles/multirotor_report.hpp"

namespace volary::airframe {

inline constexpr std::size_t kFewestParts = 2, kMostParts = 4;

// the body that the aircraft are joined to; its frame is that of the platform, and its origin is what flies along a mission
struct CentreDef {
  double mass = 0;                      // kg
  Triple inertia = {0, 0, 0};           // Jxx Jyy Jzz about its centre of mass, kg m2
  Triple centre_of_mass = {0, 0, 0};    // m, in its frame
  Triple size = {0, 0, 0};              // m, edges of the box that is drawn and collides
  Triple linear_drag = {0, 0, 0};       // N s/m
  Triple quadratic_drag = {0, 0, 0};    // N s2/m2
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, CentreDef>
void describe(D& d, V& v) {
  v.field("mass", d.mass, {.unit = "kg", .min = 1e-4, .max = 1e4, .required = true, .doc = "mass of the central body"});
  v.field("inertia", d.inertia,
          {.unit = "kg m2", .min = 1e-10, .max = 1e6, .required = true, .doc = "moments of inertia Jxx Jyy Jzz of the central body about its centre of mass"});
  v.field("centre_of_mass", d.centre_of_mass, {.unit = "m", .min = -10, .max = 10, .doc = "centre of mass of the central body, from the origin of its frame"});
  v.field("size", d.size, {.unit = "m", .min = 0.01, .max = 20, .required = true, .doc = "edges of the box about the origin that is drawn and collides"});
  v.field("linear_drag", d.linear_drag, {.unit = "N s/m", .min = 0, .max = 1e3, .doc = "drag of the central body per air speed, body axes"});
  v.field("quadratic_drag", d.quadratic_drag, {.unit = "N s2/m2", .min = 0, .max = 1e3, .doc = "drag of the central body per air speed squared, body axes"});
}

// one aircraft of a platform
struct PartDef {
  std::string airframe;         // name of a multirotor airframe, or its file beside this one
  Triple joint = {0, 0, 0};     // m, of the ball joint, at the aircraft's centre of mass
  double yaw = 0;               // rad, from the heading of the platform
  double mass = 0;              // kg, 0: as its airframe says
  LinkDef link = {};            // what the joint lets it do
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, PartDef>
void describe(D& d, V& v) {
  v.field("airframe", d.airframe, {.required = true, .is_path = true, .doc = "name of a multirotor with four rotors, or the path of its file, relative to this one"});
  v.field("joint", d.joint,
          {.unit = "m",
           .min = -10,
           .max = 10,
           .required = true,
           .doc = "ball joint in the frame of the central body; the centre of mass of the aircraft lies in it"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -7, .max = 7, .doc = "yaw that the aircraft keeps, from the heading of the platform"});
  v.field("mass", d.mass,
          {.unit = "kg", .min = 0, .max = 1e4, .doc = "mass of the aircraft; its moments of inertia change in proportion. 0: the mass of its airframe"});
  v.field("link", d.link, {.doc = "kind of the joint, its limit, friction and damping"});
}

// Gains of the platform's own controllers: forces and torques of the whole platform per error, as in Tables II, IV and V of the paper
struct PlatformControlDef {
  Triple position_p = {8, 8, 8}, position_i = {1, 1, 1}, position_d = {10, 10, 5};     // N/m, N/(m s), N s/m
  Triple attitude_p = {8, 5, 6}, attitude_i = {1, 1, 1}, attitude_d = {10, 10, 15};    // N m, N m/s, N m s
  Triple integral_force = {10, 10, 10};   // N
  Triple integral_torque = {2, 2, 2};     // N m
  Triple admittance_mass = {2, 2, 2}, admittance_inertia = {0.5, 0.5, 0.5};            // kg, kg m2
  Triple admittance_damping = {20, 20, 20}, admittance_rotation_damping = {5, 5, 5};   // N s/m, N m s
  Triple admittance_stiffness = {20, 20, 20}, admittance_rotation_stiffness = {5, 5, 5};  // N/m, N m
  Triple force_p = {0.2, 0.2, 0.2}, force_i = {0.5, 0.5, 0.5}, force_d = {0, 0, 0};  // -, 1/s, s: with 0.5 aircraft that are 0.1 s late lose a wall of 300 N/m
  Triple torque_p = {0.2, 0.2, 0.2}, torque_i = {0.5, 0.5, 0.5}, torque_d = {0, 0, 0};  // -, 1/s, s
  double wrench_frequency = 10;  // rad/s
  double wrench_damping = 1.414;  // -
  double observer = 20;  // 1/s
  bool compensate = true;  // the estimated external wrench, where the pose is kept
  bool react_to_estimate = false;  // instead of the measured wrench
  double max_tilt = 0.6;  // rad, of the aircraft
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, PlatformControlDef>
void describe(D& d, V& v) {
  v.field("position_p", d.position_p, {.unit = "N/m", .min = 0, .max = 1e4, .doc = "force per position error, body axes (k^P of eq. 10)"});
  v.field("position_i", d.position_i, {.unit = "N/(m s)", .min = 0, .max = 1e4, .doc = "growth of the force per position error (k^I)"});
  v.field("position_d", d.position_d, {.unit = "N s/m", .min = 0, .max = 1e4, .doc = "force per velocity error (k^D)"});
  v.field("attitude_p", d.attitude_p, {.unit = "N m", .min = 0, .max = 1e4, .doc = "torque per attitude error (k^P of eq. 10)"});
  v.field("attitude_i", d.attitude_i, {.unit = "N m/s", .min = 0, .max = 1e4, .doc = "growth of the torque per attitude error (k^I)"});
  v.field("attitude_d", d.attitude_d, {.unit = "N m s", .min = 0, .max = 1e4, .doc = "torque per error of the angular velocity (k^D)"});
  v.field("integral_force", d.integral_force, {.unit = "N", .min = 0, .max = 1e4, .doc = "greatest force of the integral term"});
  v.field("integral_torque", d.integral_torque, {.unit = "N m", .min = 0, .max = 1e4, .doc = "greatest torque of the integral term"});
  v.field("admittance_mass", d.admittance_mass, {.unit = "kg", .min = 1e-3, .max = 1e4, .doc = "mass that the platform shows to a push (M_e of eq. 19)"});
  v.field("admittance_inertia", d.admittance_inertia,
          {.unit = "kg m2", .min = 1e-4, .max = 1e4, .doc = "moment of inertia that the platform shows to a torque (M_e of eq. 19)"});
  v.field("admittance_damping", d.admittance_damping, {.unit = "N s/m", .min = 0, .max = 1e5, .doc = "damping that the platform shows to a push (D_e)"});
  v.field("admittance_rotation_damping", d.admittance_rotation_damping,
          {.unit = "N m s", .min = 0, .max = 1e5, .doc = "damping that the platform shows to a torque (D_e)"});
  v.field("admittance_stiffness", d.admittance_stiffness, {.unit = "N/m", .min = 0, .max = 1e5, .doc = "stiffness that the platform shows to a push (K_e)"});
  v.field("admittance_rotation_stiffness", d.admittance_rotation_stiffness,
          {.unit = "N m", .min = 0, .max = 1e5, .doc = "stiffness that the platform shows to a torque (K_e)"});
  v.field("force_p", d.force_p, {.min = 0, .max = 100, .doc = "force per force error (k_w^P of eq. 21)"});
  v.field("force_i", d.force_i, {.unit = "1/s", .min = 0, .max = 100, .doc = "growth of the force per force error (k_w^I)"});
  v.field("force_d", d.force_d, {.unit = "s", .min = 0, .max = 100, .doc = "force per change of the force error (k_w^D)"});
  v.field("torque_p", d.torque_p, {.min = 0, .max = 100, .doc = "torque per torque error (k_w^P of eq. 21)"});
  v.field("torque_i", d.torque_i, {.unit = "1/s", .min = 0, .max = 100, .doc = "growth of the torque per torque error (k_w^I)"});
  v.field("torque_d", d.torque_d, {.unit = "s", .min = 0, .max = 100, .doc = "torque per change of the torque error (k_w^D)"});
  v.field("wrench_frequency", d.wrench_frequency,
          {.unit = "rad/s", .min = 0.1, .max = 1000, .doc = "natural frequency of the second-order filter of the contact wrench"});
  v.field("wrench_damping", d.wrench_damping, {.min = 0.1, .max = 10, .doc = "damping ratio of that filter"});
  v.field("observer", d.observer, {.unit = "1/s", .min = 0, .max = 1000, .doc = "bandwidth of the momentum observer that estimates the external wrench"});
  v.field("compensate", d.compensate, {.doc = "whether pose control compensates the estimated external wrench (F_e of eq. 10)"});
  v.field("react_to_estimate", d.react_to_estimate,
          {.doc = "whether admittance and wrench control take the estimated external wrench; false: the measured one"});
  v.field("max_tilt", d.max_tilt, {.unit = "rad", .min = 0.05, .max = 1.4, .doc = "greatest tilt of an aircraft that the allocation asks for"});
}

struct PlatformDef {
  std::string name;
  CentreDef centre;
  std::vector<PartDef> parts;
  double joint_damping = 0;  // N m s, of every joint that turns
  std::vector<Triple> feet;  // m; empty: under the outer feet of the aircraft
  PlatformControlDef control;
  std::vector<EffectorDef> effectors;  // of the central body
  std::vector<MultirotorDef> aircraft;  // of the parts, read from their files; with the mass of the part
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, PlatformDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "display name of the platform"});
  v.field("centre", d.centre, {.required = true, .doc = "the central body"});
  v.field("parts", d.parts, {.min = kFewestParts, .max = kMostParts, .required = true, .doc = "two to four quadrotors on ball joints"});
  v.field("joint_damping", d.joint_damping, {.unit = "N m s", .min = 0, .max = 100, .doc = "torque against the turning of each joint, per angular velocity"});
  v.field("feet", d.feet,
          {.unit = "m", .min = 0, .max = 4, .doc = "three or four contact points of the platform; empty: under the aircraft farthest from its centre"});
  v.field("control", d.control, {.doc = "gains of pose, admittance and wrench control"});
  v.field("effectors", d.effectors, {.min = 0, .max = 8, .doc = "poles, plates, cylinders and cones of the central body"});
}

// ---------------------------------------------------------------- figures (IAP eqs. 1 to 8)

// What the platform weighs as one body: with joints at the centres of mass of the aircraft, their rotation does not change it. The moments of inertia of the
// aircraft themselves count where hinges and fixed joints turn them with the platform.
struct Composite {
  double mass = 0;
  Triple centre{};  // m, d_0: its centre of mass, from the origin of the central body
  Symmetric3 inertia;  // kg m2, J about the origin (below eq. 3)
  Symmetric3 central;  // kg m2, about the centre of mass
};
Composite composite(const PlatformDef& def);

using Six = std::array<double, 6>;  // a force and a torque about the origin, or a velocity and an angular velocity of it; body axes

// What the thrust vectors of the aircraft do to the platform (eqs. 5 to 8), and how to get a wrench of as little thrust as possible. An aircraft on a ball joint
// pulls in any direction, one on a hinge across its axis, a fixed one along the z axis.
struct Actuation {
  int rank = 0;  // 6 fully actuated, 5 when all joints lie on one line
  std::vector<std::array<Six, 3>> map;  // B: per aircraft, what each axis of its thrust does, as far as its joint lets it pull there
  std::vector<std::array<Six, 3>> allocation;  // B^+ with the projection onto what can be done: per aircraft and axis, a row over the wrench
  Six missing{};  // with rank 5: the motion that no thrust drives, as a unit twist; else zero
  Triple line{}, through{};  // with rank 5: direction of the line of joints, and a point of it; zero where hinges and fixed joints are what is missing
};
Actuation actuation(const PlatformDef& def);
bool has_line(const Actuation& a);
std::string name_missing(const Actuation& a);  // "torque about the line of joints, ..."; empty: nothing is missing

// thrust of each aircraft, N, that holds the platform level at rest
std::vector<double> hover_forces(const PlatformDef& def, double gravity);

// the whole as one rigid body with the rotors of all aircraft, for contact with the ground, size and checks
MultirotorDef as_one_body(const PlatformDef& def);
Triple extent(const PlatformDef& def);

// refuses what cannot exist or fly: joints in one place, a line of joints under the centre of mass, aircraft that overlap, too little thrust to hover, inertia
// against the triangle inequality, aircraft without four rotors in a plane
core::Status check_platform(const PlatformDef& def);

// for `volary vehicle check`
std::vector<ReportRow> report_platform(const PlatformDef& def);

}  // namespace volary::airframe
