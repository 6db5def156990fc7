// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/home.hpp"
#include "core/scratch_folder.hpp"
#include "scenario/files.hpp"
#include "swarm/behaviours/reynolds.hpp"
#include "vehicles/multirotor_def.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary {
namespace {

constexpr const char* kRing = "name: ring\nflocks: [{name: ring, airframe: crazyflie, vehicles: {ring: {count: 6, radius: 4}}}]\n";

double mass_of(const Airframe& a) { return static_cast<const airframe::MultirotorDef*>(a.definition.get())->mass; }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

WorldDef ring() { return *load_scenario_text(kRing).value; }

TEST(public_scenario, a_text_is_read_as_a_file_is_with_the_assets_that_come_with_the_library) {
  const auto def = load_scenario_text(kRing, {}, {"seed=7"});
  ASSERT_TRUE(def) << def.error;
  EXPECT_EQ(def.value->flocks.at(0).vehicles.size(), 6u);
  EXPECT_EQ(def.value->seed, 7u);
  std::string error;
  EXPECT_NE(World::create(*def.value, {}, &error), nullptr) << error;
}

TEST(public_scenario, an_error_in_a_text_has_line_column_field_and_advice) {
  const auto def = load_scenario_text("name: ring\nflocks: [{name: ring, airframe: crazyfly, vehicles: {ring: {count: 6, radius: 4}}}]\n");
  ASSERT_FALSE(def);
  EXPECT_TRUE(has(def.error, "text:2:")) << def.error;
  EXPECT_TRUE(has(def.error, "flocks[0].airframe")) << def.error;
  EXPECT_TRUE(has(def.error, "crazyflie")) << def.error;
}

TEST(public_scenario, the_files_of_a_text_are_kept_with_what_it_includes) {
  const core::ScratchFolder folder;
  folder.write("base.yaml", "seed: 5\n");
  ScenarioFiles files;
  const auto def = load_scenario_text(std::string("include: [base.yaml]\n") + kRing, {.folder = folder.path()}, {}, &files);
  ASSERT_TRUE(def) << def.error;
  EXPECT_EQ(def.value->seed, 5u);
  ASSERT_NE(files.bundle, nullptr);
  EXPECT_EQ(files.bundle->main, "scenario/text");
  EXPECT_TRUE(files.bundle->files.contains("scenario/base.yaml"));
  EXPECT_TRUE(files.bundle->files.contains("assets/vehicles/crazyflie.yaml"));
}

TEST(public_scenario, a_file_keeps_its_files_too) {
  const core::ScratchFolder folder;
  ScenarioFiles files;
  const auto def = load_scenario(folder.write("ring.yaml", kRing), {}, {}, &files);
  ASSERT_TRUE(def) << def.error;
  EXPECT_EQ(files.bundle->main, "scenario/ring.yaml");
  EXPECT_EQ(files.bundle->files.size(), 2u);
}

TEST(public_scenario, an_airframe_takes_overrides_and_is_read_from_a_text) {
  const auto heavy = load_airframe("crazyflie", {}, {"mass=0.04"});
  ASSERT_TRUE(heavy) << heavy.error;
  EXPECT_EQ(mass_of(*heavy.value), 0.04);
  EXPECT_EQ(mass_of(*load_airframe("crazyflie").value), 0.027);
  EXPECT_TRUE(has(load_airframe("crazyflie", {}, {"mas=0.04"}).error, "mass"));

  const auto own = load_airframe_text("model: multirotor\nname: own\nmass: 1\ninertia: [0.01, 0.01, 0.02]\n"
                                      "motor: {thrust2: 1.0e-5, torque_ratio: 0.01, speed_min: 100, speed_max: 1000, time_constant_up: 0.02, time_constant_down: 0.02}\n"
                                      "rotors: [{position: [0.1, -0.1, 0], spin: 1}, {position: [-0.1, 0.1, 0], spin: 1}, {position: [0.1, 0.1, 0], spin: -1}, "
                                      "{position: [-0.1, -0.1, 0], spin: -1}]\n");
  ASSERT_TRUE(own) << own.error;
  EXPECT_EQ(own.value->name, "own");
  EXPECT_EQ(mass_of(*own.value), 1);
  EXPECT_TRUE(has(load_airframe_text("model: multirotor\nmas: 1\n").error, "text:2:1"));
}

TEST(public_scenario, an_airframe_that_is_a_text_finds_its_tables_in_the_folder_that_is_given) {
  const std::string vehicles = core::home_folder() + "/assets/vehicles";
  std::string error = load_airframe("aerosonde").error;
  ASSERT_EQ(error, "");
  std::ifstream in(vehicles + "/aerosonde.yaml");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(load_airframe_text(text, {.folder = vehicles}).error, "");
}

TEST(public_scenario, one_behaviour_or_a_list_of_them_is_read_from_a_text) {
  const auto one = load_behaviours("reynolds: {range: 9}\nweight: 2");
  ASSERT_TRUE(one) << one.error;
  ASSERT_EQ(one.value->size(), 1u);
  EXPECT_EQ(one.value->at(0).kind, "reynolds");
  EXPECT_EQ(one.value->at(0).weight, 2);
  EXPECT_EQ(static_cast<const swarm::Reynolds::Params*>(one.value->at(0).params.get())->range, 9);
  const auto two = load_behaviours("- reynolds: {}\n- reynolds: {range: 9}\n  from: 3\n");
  ASSERT_TRUE(two) << two.error;
  EXPECT_EQ(two.value->at(1).from, 3);
}

TEST(public_scenario, faults_of_a_behaviour_are_those_of_a_file) {
  EXPECT_TRUE(has(load_behaviours("reynolds: {rang: 9}").error, "range")) << load_behaviours("reynolds: {rang: 9}").error;
  EXPECT_TRUE(has(load_behaviours("reynolds: {range: -9}").error, "text:1:19: behaviours[0].reynolds.range")) << load_behaviours("reynolds: {range: -9}").error;
  EXPECT_TRUE(has(load_behaviours("reynolds: {}\nrate: 50").error, "decision_rate")) << load_behaviours("reynolds: {}\nrate: 50").error;
  NodeDef quick;
  quick.decision_rate = 50;
  EXPECT_TRUE(load_behaviours("reynolds: {}\nrate: 50", quick));
  EXPECT_FALSE(load_behaviours(""));
  EXPECT_FALSE(load_behaviours("7"));
}

TEST(public_scenario, emissions_are_read_from_a_text) {
  const auto sound = load_emissions("sound: {level: 90}");
  ASSERT_TRUE(sound) << sound.error;
  EXPECT_EQ(sound.value->at(0).kind, "sound");
  EXPECT_TRUE(has(load_emissions("sond: {}").error, "sound"));
}

TEST(public_scenario, a_world_that_is_built_by_hand_gets_behaviours_and_tasks_from_texts_and_judges_them) {
  WorldDef def = ring();
  def.duration = 0.1;
  const auto behaviours = load_behaviours("reynolds: {range: 9}", def.flocks[0].node);
  ASSERT_TRUE(behaviours) << behaviours.error;
  def.flocks[0].node.behaviours = *behaviours.value;
  const auto tasks = load_tasks("- name: apart\n  always: {apart: {flock: ring, distance: 0.5}}\n", def);
  ASSERT_TRUE(tasks) << tasks.error;
  def.tasks = *tasks.value;
  std::string error;
  const auto world = World::create(def, {}, &error);
  ASSERT_NE(world, nullptr) << error;
  world->step(10);
  ASSERT_EQ(world->tasks().size(), 1u);
  EXPECT_EQ(world->tasks()[0].state, "done");
  EXPECT_TRUE(has(load_tasks("name: apart\nalways: {apart: {flock: rung, distance: 0.5}}\n", def).error, "ring"));
}

TEST(public_scenario, says_its_version_and_where_its_files_are) {
  EXPECT_STREQ(version(), core::program_version());
  EXPECT_EQ(home_folder(), core::home_folder());
}

}  // namespace
}  // namespace volary
