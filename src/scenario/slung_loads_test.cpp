// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/slung_loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/scratch_folder.hpp"
#include "scenario/joined_flocks.hpp"
#include "scenario/load.hpp"
#include "scenario/warnings.hpp"

namespace volary::scenario {
namespace {

const std::string kAssets = VOLARY_SOURCE_DIR "/assets";

class SlungLoads : public testing::Test {
 protected:
  static std::string flock(const std::string& name, double x, const std::string& rest = "", const std::string& airframe = "x500", int n = 1) {
    return fmt::format("  - {{name: {}, airframe: {}, vehicles: {{grid: {{count: {}, spacing: 20, origin: [{}, 0, 5]}}}}, start: hold{}}}\n", name, airframe, n,
                       x, rest);
  }
  static std::string load(const std::string& fields) { return ", load: {mass: 0.6, size: [0.4, 0.2, 0.1]" + fields + "}"; }
  static std::string cable(double length) { return fmt::format(", cable: {{length: {}}}", length); }

  core::Result<WorldDef> read(const std::string& flocks, const std::string& rest = "") {
    return load_scenario_text("flocks:\n" + flocks + rest, scratch_.file("t.yaml"), {kAssets});
  }
  void expect_refused(const std::string& flocks, const std::string& field, int line, const std::string& words, const std::string& suggestion,
                      const std::string& rest = "") {
    const auto def = read(flocks, rest);
    ASSERT_FALSE(def) << "accepted: " << field;
    const core::Error& error = def.error();
    EXPECT_EQ(error.field, field) << error.text();
    EXPECT_EQ(error.line, line) << error.text();
    EXPECT_NE(error.message.find(words), std::string::npos) << error.text();
    EXPECT_NE(error.suggestion.find(suggestion), std::string::npos) << error.text();
    EXPECT_TRUE(error.others.empty()) << error.text();
  }

  const core::ScratchFolder scratch_;
};

TEST_F(SlungLoads, a_load_is_read_with_its_cable_and_its_carriers) {
  const auto def = read(flock("a", 0.5, load(", inertia: [0.01, 0.02, 0.025], surface: {friction: 1}, cable: {length: 1.5, attach: [0, 0, -0.1], time_constant: 0.03}, "
                                             "hooks: [[0.2, 0, 0], [-0.2, 0, 0]], with: [b]")) +
                        flock("b", -0.5) + flock("c", 9, load(cable(1))));
  ASSERT_TRUE(def) << def.error().text();
  const std::vector<FlockDef>& flocks = def.value().flocks;
  ASSERT_TRUE(flocks[0].load);
  const LoadDef& load = *flocks[0].load;
  EXPECT_EQ(load.mass, 0.6);
  EXPECT_EQ(load.size, (Vec{0.4, 0.2, 0.1}));
  EXPECT_EQ(load.moments, (Vec{0.01, 0.02, 0.025}));
  EXPECT_EQ(load.surface.friction, 1);
  EXPECT_EQ(load.cable.length, 1.5);
  EXPECT_EQ(load.cable.attach_B, (Vec{0, 0, -0.1}));
  EXPECT_EQ(load.cable.time_constant, 0.03);
  EXPECT_EQ(load.hooks, (std::vector<Vec>{{0.2, 0, 0}, {-0.2, 0, 0}}));
  EXPECT_EQ(load.with, std::vector<std::string>{"b"});
  EXPECT_FALSE(flocks[1].load);
  EXPECT_TRUE(flocks[2].load->hooks.empty());
  for (const FlockDef& f : flocks) EXPECT_TRUE(is_joined(f, def.value())) << f.name;
  EXPECT_TRUE(has_partners(flocks[0], def.value()));
  EXPECT_TRUE(has_partners(flocks[1], def.value()));
  EXPECT_FALSE(has_partners(flocks[2], def.value()));
}

TEST_F(SlungLoads, mass_size_and_the_length_of_the_cable_are_required) {
  expect_refused(flock("a", 0, ", load: {size: [1, 1, 1], cable: {length: 1}}"), "flocks[0].load.mass", 2, "is missing", "");
  expect_refused(flock("a", 0, ", load: {mass: 1, cable: {length: 1}}"), "flocks[0].load.size", 2, "is missing", "");
  expect_refused(flock("a", 0, load("")), "flocks[0].load.cable", 2, "is missing", "");
  expect_refused(flock("a", 0, load(", cable: {}")), "flocks[0].load.cable.length", 2, "is missing", "");
  expect_refused(flock("a", 0, load(cable(1) + ", hook: []")), "flocks[0].load.hook", 2, "", "did you mean 'hooks'?");
}

TEST_F(SlungLoads, those_that_carry_together_are_other_flocks_of_as_many_vehicles_with_nothing_else_to_carry) {
  const std::string a = flock("a", 0.5, load(cable(2) + ", with: [bee]")), bee = flock("bee", -0.5);
  EXPECT_TRUE(read(a + bee));
  EXPECT_TRUE(read(bee + a));
  expect_refused(a + flock("bees", -0.5), "flocks[0].load.with[0]", 2, "no flock is called 'bee'", "did you mean 'bees'?");
  expect_refused(flock("a", 0.5, load(cable(2) + ", with: [a]")) + bee, "flocks[0].load.with[0]", 2, "carries it anyway", "");
  expect_refused(flock("a", 0.5, load(cable(2) + ", with: [bee, bee]")) + bee, "flocks[0].load.with[1]", 2, "'bee' is named twice", "each flock once");
  expect_refused(a + flock("bee", -0.5, load(cable(2))), "flocks[0].load.with[0]", 2, "'bee' has a load of its own", "leave it out");
  expect_refused(a + bee + flock("c", 0, load(cable(2) + ", with: [bee]")), "flocks[2].load.with[0]", 4, "'bee' carries the load of flocks[0] already",
                 "of its own");
  expect_refused(a + flock("bee", -0.5, "", "x500", 2), "flocks[0].load.with[0]", 2, "'a' has 1 vehicles and 'bee' has 2", "as many vehicles in both");
  expect_refused(flock("a", 0, load(cable(2) + ", with: [b, c, d, e]")) + flock("b", 0) + flock("c", 0) + flock("d", 0) + flock("e", 0),
                 "flocks[0].load.with", 2, "has 4 entries: must have between 0 and 3", "");
  const std::string nodes = "federation: {nodes: [{name: x, flocks: [a]}, {name: y, flocks: [bee]}]}\n";
  expect_refused(a + bee, "flocks[0].load.with[0]", 2, "not given to the same node", "one node", nodes);
}

TEST_F(SlungLoads, vehicles_that_dock_carry_nothing) {
  const std::string cone = flock("cones", 3, "", "docking_cone");
  expect_refused(flock("a", 0, load(cable(1)) + ", docking: {with: cones}", "docking_cylinder") + cone, "flocks[0].load", 2,
                 "vehicles that dock carry no load", "leave it out");
  expect_refused(flock("a", 0, ", docking: {with: cones}", "docking_cylinder") + cone + flock("b", 3, load(cable(1) + ", with: [cones]")),
                 "flocks[2].load.with[0]", 4, "'cones' docks with another flock", "of its own");
}

TEST_F(SlungLoads, only_multirotors_that_can_lift_their_part_carry_loads) {
  expect_refused(flock("a", 0, load(cable(1)), "three_star"), "flocks[0].load", 2, "only multirotors carry loads", "x500");
  expect_refused(flock("a", 0, load(cable(1)), "car"), "flocks[0].load", 2, "is of the model car", "leave it out");
  expect_refused(flock("a", 0, ", load: {mass: 1.5, size: [1, 1, 1], cable: {length: 1}}"), "flocks[0].load.mass", 2,
                 "hovering with 1.5 kg of load takes 34.3 N of 'Holybro X500 class', which has 34.2 N", "a load of 0.789 kg or less");
  EXPECT_TRUE(read(flock("a", 0.5, ", load: {mass: 1.5, size: [1, 1, 1], cable: {length: 1}, with: [b]}") + flock("b", -0.5))) << "two can";
  expect_refused(flock("a", 0, load(cable(1)) + ", controller: {level: rates}"), "flocks[0].controller.level", 2,
                 "(its load): such vehicles have all control levels", "");
  expect_refused(flock("a", 0.5, load(cable(1) + ", with: [b]")) + flock("b", -0.5, ", full_physics: false"), "flocks[1].full_physics", 3,
                 "(the load of 'a')", "");
}

TEST_F(SlungLoads, boxes_hooks_and_cables_that_cannot_be_are_refused) {
  expect_refused(flock("a", 0, load(cable(1) + ", inertia: [1, 1, 3]")), "flocks[0].load.inertia", 2, "no body has moments of inertia of 1, 1 and 3",
                 "sum of the other two");
  expect_refused(flock("a", 0, load(cable(1) + ", hooks: [[0, 0, 0], [0, 0, 0.1]]")), "flocks[0].load.hooks", 2, "2 hooks and 1 carriers", "one hook for each");
  expect_refused(flock("a", 0, load(", cable: {length: 1, time_constant: 0.004}")), "flocks[0].load.cable.time_constant", 2,
                 "less than two integration steps", "0.005 s");
  expect_refused(flock("a", 0, load(cable(1) + ", surface: {time_constant: 0.004}")), "flocks[0].load.surface.time_constant", 2,
                 "less than two integration steps", "0.005 s");
}

TEST_F(SlungLoads, cables_reach_from_where_their_vehicles_start) {
  const auto pair = [](double apart, double length, const std::string& spread = "") {
    return flock("a", 0.5 * apart, load(cable(length) + ", with: [b]") + spread) + flock("b", -0.5 * apart);
  };
  // hooks at the ends of 0.4 m
  EXPECT_TRUE(read(pair(2.3, 1)));
  expect_refused(pair(3, 1), "flocks[0].load.cable.length", 2, "starts 1.3 m from its hook", "at least 1.3 m");
  expect_refused(pair(2.3, 1, ", spread: {position: [0.1, 0, 0]}"), "flocks[0].load.cable.length", 2, "the spread adds up to 0.2 m", "longer cable");
  expect_refused(flock("a", 0.5, load(cable(1) + ", with: [b]")) +
                     "  - {name: b, airframe: x500, vehicles: {list: [{position: [-0.5, 0, 9]}]}, start: hold}\n",
                 "flocks[0].load.cable.length", 2, "vehicle 0 of 'a' starts", "closer to each other");
}

TEST_F(SlungLoads, carriers_that_sag_are_warned_of) {
  const auto warnings = [&](const std::string& flocks) {
    const auto def = read(flocks);
    EXPECT_TRUE(def) << def.error().text();
    return warnings_of(def.value());
  };
  EXPECT_TRUE(warnings(flock("a", 0, load(cable(1)), "hexacopter")).empty());
  const auto heavy = warnings(flock("a", 0, ", load: {mass: 1.5, size: [0.4, 0.4, 0.4], cable: {length: 1}}", "hexacopter"));
  ASSERT_EQ(heavy.size(), 1u);
  EXPECT_NE(heavy[0].find("each vehicle of 'a' lifts 1.5 kg; the integral of its controller lifts 1 kg"), std::string::npos) << heavy[0];
  const auto geometric = warnings(flock("a", 0, load(cable(1)) + ", controller: {kind: geometric}"));
  ASSERT_EQ(geometric.size(), 1u);
  EXPECT_NE(geometric[0].find("the geometric controller of 'a' has no integral"), std::string::npos) << geometric[0];
}

}  // namespace
}  // namespace volary::scenario
