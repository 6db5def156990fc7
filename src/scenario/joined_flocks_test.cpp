// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/joined_flocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/scratch_folder.hpp"
#include "scenario/airframe.hpp"
#include "scenario/files.hpp"
#include "scenario/load.hpp"
#include "scenario/node.hpp"
#include "scenario/variants.hpp"
#include "vehicles/multirotor_def.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::scenario {
namespace {

const std::string kAssets = VOLARY_SOURCE_DIR "/assets";

// scenarios whose airframes lie beside them: an f450 with a cone, one with a cylinder, and platforms of f450
class JoinedFlocks : public testing::Test {
 protected:
  JoinedFlocks() {
    f450_ = read_file(kAssets + "/vehicles/f450.yaml").value();
    scratch_.write("f450.yaml", f450_);
    scratch_.write("cone.yaml",
                   f450_ + "effectors: [{name: mouth, kind: cone, position: [0, -0.3, 0], direction: [0, -1, 0], length: 0.15, radius: 0.03, mouth: 0.1}]\n");
    scratch_.write("cylinder.yaml",
                   f450_ + "effectors: [{name: rod, kind: cylinder, position: [0, 0.3, 0], direction: [0, 1, 0], length: 0.3, radius: 0.02}]\n");
    write_platform("pole.yaml", "", "effectors: [{name: pole, kind: pole, direction: [-1, 0, 0], length: 1, radius: 0.03}]\n");
    write_platform("hinged.yaml", ", link: {kind: hinge, axis: [0, 1, 0], limit_deg: 40, friction: 0.1, damping: 0.02}", "");
  }
  void write_platform(const std::string& name, const std::string& link, const std::string& effectors) {
    const std::string centre = "centre: {mass: 1.1, inertia: [0.0532, 0.0532, 0.1039], size: [0.3, 0.3, 0.06]}\n";
    const std::string aircraft = "  - {airframe: f450, mass: 1.6, joint: ";
    scratch_.write(name, "model: platform\nname: rig\n" + centre + "parts:\n" + aircraft + "[0.48, 0, 0.07]" + link + "}\n" + aircraft +
                             "[-0.24, 0.4156922, 0.07]}\n" + aircraft + "[-0.24, -0.4156922, 0.07]}\n" + effectors);
  }
  core::Result<Airframe> airframe(const std::string& name) { return load_airframe(scratch_.file(name)); }

  static std::string flock(const std::string& name, const std::string& airframe, const std::string& rest = "", int count = 2) {
    const std::string places = "{grid: {count: " + std::to_string(count) + ", spacing: 3, origin: [0, 0, 5]}}";
    return "  - {name: " + name + ", airframe: " + airframe + ", vehicles: " + places + rest + "}\n";
  }
  // flocks[0] stands on the second line, flocks[1] on the third
  core::Result<WorldDef> load(const std::string& flocks, const std::string& rest = "") {
    return load_scenario_text("flocks:\n" + flocks + rest, scratch_.file("t.yaml"), {kAssets});
  }
  core::Error fault(const std::string& flocks, const std::string& rest = "") {
    const auto def = load(flocks, rest);
    return def ? core::Error{} : def.error();
  }
  // the only fault, with its line
  void expect_refused(const core::Error& error, const std::string& field, int line, const std::string& words, const std::string& suggestion) {
    EXPECT_EQ(error.field, field) << error.text();
    EXPECT_EQ(error.line, line) << error.text();
    EXPECT_NE(error.message.find(words), std::string::npos) << error.text();
    EXPECT_NE(error.suggestion.find(suggestion), std::string::npos) << error.text();
    EXPECT_TRUE(error.others.empty()) << error.text();
  }

  const core::ScratchFolder scratch_;
  std::string f450_;
};

// ---------------------------------------------------------------- airframes

TEST_F(JoinedFlocks, end_effectors_are_read_from_a_list_of_an_airframe) {
  scratch_.write("two.yaml", f450_ +
                                 "effectors:\n"
                                 "  - {name: pole, kind: pole, position: [0.1, 0, 0], direction: [1, 0, 1], length: 0.8, radius: 0.03,\n"
                                 "     surface: {friction: 3}}\n"
                                 "  - {name: mouth, kind: cone, length: 0.15, radius: 0.03, mouth: 0.12,\n"
                                 "     latch_radius: 0.01, latch_depth: 0.02, latch_angle_deg: 10, latch_speed: 0.3}\n");
  const auto loaded = airframe("two.yaml");
  ASSERT_TRUE(loaded) << loaded.error().text();
  const auto& list = static_cast<const airframe::MultirotorDef*>(loaded.value().definition.get())->effectors;
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "pole");
  EXPECT_EQ(list[0].kind, airframe::EffectorKind::Pole);
  EXPECT_EQ(list[0].position[0], 0.1);
  EXPECT_EQ(list[0].direction[2], 1);
  EXPECT_EQ(list[0].surface.friction, 3);
  EXPECT_EQ(list[0].surface.time_constant, ContactSurfaceDef{}.time_constant);
  EXPECT_EQ(list[1].kind, airframe::EffectorKind::Cone);
  EXPECT_EQ(list[1].mouth, 0.12);
  EXPECT_NEAR(list[1].latch_angle, 0.17453292519943295, 1e-15);
  EXPECT_EQ(list[1].latch_speed, 0.3);
  EXPECT_TRUE(has_joined_bodies(loaded.value()));
  EXPECT_FALSE(has_joined_bodies(airframe("f450.yaml").value()));
}

TEST_F(JoinedFlocks, joints_are_read_with_each_aircraft_of_a_platform) {
  const auto loaded = airframe("hinged.yaml");
  ASSERT_TRUE(loaded) << loaded.error().text();
  const auto& parts = static_cast<const airframe::PlatformDef*>(loaded.value().definition.get())->parts;
  EXPECT_EQ(parts[0].link.kind, airframe::LinkKind::Hinge);
  EXPECT_EQ(parts[0].link.axis[1], 1);
  EXPECT_NEAR(parts[0].link.limit, 0.6981317007977318, 1e-15);
  EXPECT_EQ(parts[0].link.friction, 0.1);
  EXPECT_EQ(parts[0].link.damping, 0.02);
  EXPECT_EQ(parts[1].link.kind, airframe::LinkKind::Spherical);
  EXPECT_TRUE(has_joined_bodies(loaded.value()));
  EXPECT_TRUE(has_joined_bodies(airframe("pole.yaml").value()));
  write_platform("plain.yaml", "", "");
  EXPECT_FALSE(has_joined_bodies(airframe("plain.yaml").value()));
}

TEST_F(JoinedFlocks, an_aircraft_of_a_platform_is_searched_beside_it_and_then_among_the_assets) {
  write_platform("alone/rig.yaml", "", "");
  const std::string path = scratch_.file("alone/rig.yaml");
  const Files files("", kAssets, nullptr);
  const auto first_aircraft = [&] {
    const auto loaded = load_airframe(path, files);
    EXPECT_TRUE(loaded) << loaded.error().text();
    return loaded ? static_cast<const airframe::PlatformDef*>(loaded.value().definition.get())->aircraft[0] : airframe::MultirotorDef{};
  };
  EXPECT_EQ(first_aircraft().rotors.size(), 4u);
  scratch_.write("alone/f450.yaml", std::string(f450_).replace(f450_.find("\nname: "), 7, "\nname: my "));
  EXPECT_EQ(first_aircraft().name.substr(0, 3), "my ") << "that of the user goes before";
  write_platform("other/rig.yaml", "", "");
  const auto nowhere = load_airframe(scratch_.file("other/rig.yaml"));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().field, "parts[0].airframe");
  EXPECT_EQ(nowhere.error().message, "no airframe is called 'f450'");
}

TEST_F(JoinedFlocks, a_slip_in_an_end_effector_or_a_joint_is_named) {
  const auto refused = [&](const std::string& effector) {
    scratch_.write("bad.yaml", f450_ + "effectors: [" + effector + "]\n");
    return airframe("bad.yaml").error();
  };
  EXPECT_EQ(refused("{name: a, kind: cylindre, length: 1, radius: 0.1}").field, "effectors[0].kind");
  EXPECT_EQ(refused("{name: a, kind: cylindre, length: 1, radius: 0.1}").suggestion, "did you mean 'cylinder'?");
  EXPECT_EQ(refused("{name: a, kind: pole, radius: 0.1}").field, "effectors[0].length");
  EXPECT_EQ(refused("{name: a, kind: pole, length: 1, radius: 0}").field, "effectors[0].radius");
  EXPECT_EQ(refused("{name: a, kind: pole, length: 1, radius: 0.1, surface: {fricton: 1}}").suggestion, "did you mean 'friction'?");
  write_platform("bad.yaml", ", link: {kind: ball}", "");
  EXPECT_EQ(airframe("bad.yaml").error().field, "parts[0].link.kind");
  EXPECT_EQ(airframe("bad.yaml").error().suggestion, "known: spherical, hinge, fixed");
}

TEST_F(JoinedFlocks, figures_of_end_effectors_can_be_spread_among_variants_by_name) {
  const std::vector<std::string> numbers = numbers_of(airframe("pole.yaml").value());
  for (const char* name : {"effectors.length", "effectors.surface.friction", "parts.link.damping"})
    EXPECT_NE(std::find(numbers.begin(), numbers.end(), name), numbers.end()) << name;
}

// ---------------------------------------------------------------- flocks

TEST_F(JoinedFlocks, a_flock_says_that_mujoco_moves_its_bodies_and_whom_it_docks_with) {
  const auto def = load(flock("a", "cylinder.yaml", ", docking: {with: b}") + flock("b", "cone.yaml") + flock("c", "f450", ", joined: true") + flock("d",
                                                                                                                                                     "f450") +
                        flock("e", "hinged.yaml"));
  ASSERT_TRUE(def) << def.error().text();
  const std::vector<FlockDef>& flocks = def.value().flocks;
  EXPECT_EQ(flocks[0].docking.with, "b");
  EXPECT_FALSE(flocks[0].joined);
  EXPECT_TRUE(flocks[1].docking.with.empty());
  EXPECT_TRUE(flocks[2].joined);
  const bool joined[] = {true, true, true, false, true};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(is_joined(flocks[i], def.value()), joined[i]) << flocks[i].name;
}

TEST_F(JoinedFlocks, a_flock_that_is_docked_with_is_joined_though_it_says_nothing) {
  WorldDef world;
  world.flocks.resize(2);
  world.flocks[0].name = "a", world.flocks[1].name = "b";
  EXPECT_FALSE(is_joined(world.flocks[1], world));
  world.flocks[0].docking.with = "b";
  EXPECT_TRUE(is_joined(world.flocks[1], world));
  world.flocks[1].mirror = true;
  EXPECT_FALSE(is_joined(world.flocks[1], world));
}

TEST_F(JoinedFlocks, docking_needs_another_flock_of_as_many_vehicles_with_nobody_else) {
  const std::string a = flock("a", "cylinder.yaml", ", docking: {with: bee}"), bee = flock("bee", "cone.yaml");
  EXPECT_TRUE(load(a + bee));
  EXPECT_TRUE(load(bee + a));
  expect_refused(fault(a + flock("bees", "cone.yaml")), "flocks[0].docking.with", 2, "no flock is called 'bee'", "did you mean 'bees'?");
  expect_refused(fault(flock("a", "cylinder.yaml", ", docking: {with: a}") + bee), "flocks[0].docking.with", 2, "a flock does not dock with itself", "bee");
  expect_refused(fault(a + flock("bee", "cone.yaml", "", 3)), "flocks[0].docking.with", 2, "'a' has 2 vehicles and 'bee' has 3", "as many vehicles in both");
  expect_refused(fault(a + flock("bee", "cone.yaml", ", docking: {with: c}") + flock("c", "cylinder.yaml")), "flocks[0].docking.with", 2,
                 "'bee' has docking of its own", "leave it out");
  expect_refused(fault(a + flock("bee", "cone.yaml", ", docking: {with: a}")), "flocks[1].docking.with", 3, "'a' has docking of its own", "leave it out");
  expect_refused(fault(a + bee + flock("c", "cylinder.yaml", ", docking: {with: bee}")), "flocks[2].docking.with", 4, "'bee' docks with flocks[0] already",
                 "of its own");
  expect_refused(fault(flock("a", "cylinder.yaml", ", docking: {}") + bee), "flocks[0].docking.with", 2, "is missing", "");
  expect_refused(fault(flock("a", "cylinder.yaml", ", docking: bee") + bee), "flocks[0].docking", 2, "expected a map of fields", "");
}

TEST_F(JoinedFlocks, docking_needs_a_cone_and_a_cylinder) {
  const auto refused = [&](const std::string& a, const std::string& b) { return fault(flock("a", a, ", docking: {with: b}") + flock("b", b)); };
  expect_refused(refused("cone.yaml", "cone.yaml"), "flocks[0].docking.with", 2, "have no cone and cylinder for each other",
                 "docking_cone and docking_cylinder");
  expect_refused(refused("cylinder.yaml", "pole.yaml"), "flocks[0].docking.with", 2, "'F450 class' and 'rig' have no cone and cylinder", "");
  EXPECT_TRUE(load(flock("a", "cone.yaml", ", docking: {with: b}") + flock("b", "cylinder.yaml")));
  scratch_.write("thick.yaml", f450_ + "effectors: [{name: log, kind: cylinder, position: [0, 0.3, 0], direction: [0, 1, 0], length: 0.3, radius: 0.06}]\n");
  expect_refused(refused("cone.yaml", "thick.yaml"), "flocks[0].docking.with", 2,
                 "'log' of 'F450 class', with a radius of 0.06 m, does not go down to the bottom of 'mouth'", "a thinner cylinder");
}

TEST_F(JoinedFlocks, vehicles_that_dock_are_simulated_by_one_node_of_a_federation) {
  const std::string flocks = flock("a", "cylinder.yaml", ", docking: {with: b}") + flock("b", "cone.yaml");
  EXPECT_TRUE(load(flocks, "federation: {nodes: [{name: x, flocks: [a, b]}, {name: y}]}\n"));
  expect_refused(fault(flocks, "federation: {nodes: [{name: x, flocks: [a]}, {name: y, flocks: [b]}]}\n"), "flocks[0].docking.with", 2,
                 "'a' and 'b' are not given to the same node", "both in the flocks of one node");
  EXPECT_FALSE(load(flocks, "federation: {nodes: [{name: x, flocks: [a]}]}\n"));
}

TEST_F(JoinedFlocks, mujoco_moves_platforms_and_multirotors_only) {
  expect_refused(fault(flock("a", "car", ", joined: true")), "flocks[0].joined", 2,
                 "is of the model car: MuJoCo moves the bodies of platforms and multirotors only", "leave it out");
  expect_refused(fault(flock("a", "talon", ", joined: true, start: disarmed")), "flocks[0].joined", 2, "is of the model aircraft", "leave it out");
  expect_refused(fault("  - {name: a, mirror: true, joined: true, vehicles: {grid: {count: 1}}}\n"), "flocks[0].joined", 2, "'a' is a mirror", "leave it out");
  // the fault of a flock that is docked with lies where it is named
  expect_refused(fault(flock("a", "cone.yaml", ", docking: {with: b}") + flock("b", "car")), "flocks[0].docking.with", 2, "is of the model car",
                 "leave it out");
  EXPECT_TRUE(load(flock("a", "three_star", ", joined: true")));
  EXPECT_TRUE(load(flock("a", "hexacopter", ", joined: true, controller: {level: rates}"))) << "with six rotors it has all levels anyway";
  EXPECT_TRUE(load("  - {name: a, airframe: cone.yaml, mirror: true, vehicles: {grid: {count: 1}}}\n")) << "only its size counts";
}

TEST_F(JoinedFlocks, what_vehicles_of_joined_bodies_cannot_have_is_refused_with_the_reason) {
  const auto refused = [&](const std::string& airframe, const std::string& rest) { return fault(flock("a", airframe, rest)); };
  expect_refused(refused("x500", ", joined: true, full_physics: false"), "flocks[0].full_physics", 2, "such vehicles have the full model",
                 "full_physics: true");
  expect_refused(refused("x500", ", joined: true, controller: {level: rates}"), "flocks[0].controller.level", 2, "such vehicles have all control levels",
                 "trajectory");
  expect_refused(refused("x500", ", joined: true, variants: {count: 4, spread: {mass: 0.1}}"), "flocks[0].variants", 2, "fly one airframe", "leave it out");
  expect_refused(refused("cone.yaml", ", controller: {level: rates}"), "flocks[0].controller.level", 2, "(end effectors of 'F450 class')", "");
  expect_refused(refused("hinged.yaml", ", variants: {count: 4, spread: {centre.mass: 0.1}}"), "flocks[0].variants", 2, "(joints of 'rig')", "");
  const std::string autopilot = refused("x500", ", joined: true, autopilot: {kind: px4}").text();
  EXPECT_NE(autopilot.find("flocks[0].autopilot: MuJoCo moves the bodies of 'a' (joined: true): such vehicles fly by the controllers of Volary only"),
            std::string::npos)
      << autopilot;
  for (const char* carrier : {"x500", "three_star", "cone.yaml", "hinged.yaml"})
    EXPECT_TRUE(load(flock("a", carrier, ", joined: true, sensors: {imu: {preset: icm42688p}, gnss: {preset: neo_m8}}, estimator: {kind: ekf}"))) << carrier;
  // both sides of a pair
  const core::Error docked = fault(flock("a", "cone.yaml", ", docking: {with: b}") + flock("b", "cylinder.yaml", ", controller: {level: rates}"));
  expect_refused(docked, "flocks[1].controller.level", 3, "(docking of 'a')", "");
  EXPECT_NE(fault(flock("a", "cone.yaml", ", docking: {with: b}, full_physics: false") + flock("b", "cylinder.yaml")).message.find("(docking with 'b')"),
            std::string::npos);
}

TEST_F(JoinedFlocks, a_platform_is_called_a_platform_where_a_field_means_nothing_to_it) {
  const core::Error error = fault(flock("a", "three_star", ", controller: {max_speed: 3}"));
  EXPECT_NE(error.message.find("a platform does not use it"), std::string::npos) << error.text();
  EXPECT_EQ(error.suggestion, "control of the airframe has its gains") << error.text();
}

TEST_F(JoinedFlocks, end_effectors_are_soft_enough_for_the_integration_steps) {
  scratch_.write("hard.yaml", f450_ + "effectors: [{name: pole, kind: pole, length: 1, radius: 0.03, surface: {time_constant: 0.004}}]\n");
  expect_refused(fault(flock("a", "hard.yaml")), "flocks[0].airframe", 2,
                 "surface.time_constant of 'pole': 0.004 s is less than two integration steps of 0.0025 s",
                 "at least 0.005 s, or more substeps");
  EXPECT_TRUE(load(flock("a", "hard.yaml"), "tick: 0.005\nsubsteps: 5\n"));
}

// ---------------------------------------------------------------- events

TEST_F(JoinedFlocks, a_release_names_a_flock_that_docks_and_may_name_a_vehicle) {
  const std::string pair = flock("a", "cylinder.yaml", ", docking: {with: b}") + flock("b", "cone.yaml") + flock("c", "f450");
  const auto def = load(pair, "events: [{time: 2, what: release, flock: a, vehicle: 1}, {time: 3, what: release, flock: b}]\n");
  ASSERT_TRUE(def) << def.error().text();
  EXPECT_EQ(def.value().events[0].what, "release");
  EXPECT_EQ(def.value().events[0].vehicle, 1);
  EXPECT_EQ(def.value().events[1].flock, "b");
  const auto refused = [&](const std::string& event) { return fault(pair, "events: [{time: 2, what: release" + event + "}]\n"); };
  expect_refused(refused(""), "events[0].flock", 5, "is missing: the flock whose vehicles are released", "known: a, b");
  expect_refused(refused(", flock: c"), "events[0].flock", 5, "'c' does not dock", "known: a, b");
  expect_refused(refused(", flock: d"), "events[0].flock", 5, "no flock is called 'd'", "");
  expect_refused(refused(", flock: a, vehicle: 2"), "events[0].vehicle", 5, "2 does not exist", "");
  expect_refused(refused(", flock: a, position: [0, 0, 1]"), "events[0].position", 5, "only a pose has a position", "");
  expect_refused(fault(flock("c", "f450"), "events: [{time: 2, what: release, flock: c}]\n"), "events[0].flock", 3, "no flock docks", "docking: {with: FLOCK}");
}

TEST_F(JoinedFlocks, a_task_can_wait_for_a_latch) {
  const std::string pair = flock("a", "cylinder.yaml", ", docking: {with: b}") + flock("b", "cone.yaml");
  const auto def = load(pair, "tasks: [{name: docked, event: latched}, {name: free again, event: released}]\n");
  EXPECT_TRUE(def) << def.error().text();
}

}  // namespace
}  // namespace volary::scenario
