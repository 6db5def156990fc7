// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/autopilot_file.hpp"

#include <gtest/gtest.h>

#include "core/scratch_folder.hpp"
#include "scenario/load.hpp"

namespace volary::scenario {
namespace {

std::string text_with(const std::string& flock, const std::string& top = "tick: 0.004\nsubsteps: 1\n") {
  return top + "flocks:\n  - name: quad\n    airframe: x500\n    vehicles: {grid: {count: 2}}\n" + flock;
}
std::string error_of(const std::string& flock, const std::string& top = "tick: 0.004\nsubsteps: 1\n") {
  const auto world = load_scenario_text(text_with(flock, top), "test.yaml", {.assets = "assets"}, {});
  return world ? "" : world.error().text();
}
constexpr const char* kGood = "    start: disarmed\n    autopilot: {kind: px4}\n";

TEST(autopilot_file, a_flock_can_have_an_autopilot) { EXPECT_EQ(error_of(kGood), ""); }

TEST(autopilot_file, errors_have_line_and_suggestion) {
  EXPECT_NE(error_of("    start: disarmed\n    autopilot: {kind: px5}\n").find("px4"), std::string::npos);
  const std::string tick = error_of(kGood, "tick: 0.01\n");
  EXPECT_NE(tick.find("test.yaml:1"), std::string::npos) << tick;
  EXPECT_NE(tick.find("at most 0.004 s"), std::string::npos) << tick;
  EXPECT_NE(error_of("    start: disarmed\n    autopilot: {kind: ardupilot}\n").find("at most 0.002 s"), std::string::npos);
  const std::string start = error_of("    start: hold\n    autopilot: {kind: px4}\n");
  EXPECT_NE(start.find("test.yaml:7"), std::string::npos) << start;
  EXPECT_NE(start.find("start: disarmed"), std::string::npos) << start;
}

TEST(autopilot_file, the_program_is_never_part_of_a_scenario) {
  EXPECT_NE(error_of("    start: disarmed\n    autopilot: {kind: px4, program: /bin/sh}\n").find("program"), std::string::npos);
}

TEST(autopilot_file, motors_name_every_rotor_once) {
  const auto with = [](const std::string& motors) { return error_of("    start: disarmed\n    autopilot: {kind: px4, motors: " + motors + "}\n"); };
  EXPECT_EQ(with("[3, 2, 1, 0]"), "");
  EXPECT_NE(with("[0, 1]").find("4 rotors"), std::string::npos);
  EXPECT_NE(with("[0, 1, 2, 4]").find("motors[3]"), std::string::npos);
  EXPECT_NE(with("[0, 1, 2, 2]").find("twice"), std::string::npos);
}

TEST(autopilot_file, parameters_are_read_in_the_forms_that_people_have) {
  const auto list = read_autopilot_parameters("# comment\nMPC_XY_VEL_MAX 8\nFRAME_CLASS,1  # quad\n1\t1\tMPC_Z_P\t1.5\t9\r\n\n");
  ASSERT_TRUE(list);
  EXPECT_EQ(list.value(), (std::vector<AutopilotParameter>{{"MPC_XY_VEL_MAX", 8}, {"FRAME_CLASS", 1}, {"MPC_Z_P", 1.5}}));
  for (const char* bad : {"LD_PRELOAD=/x 1", "lower 1", "A;B 1", "NAME nan", "NAME", "A_NAME_OF_SEVENTEEN 1"})
    EXPECT_FALSE(read_autopilot_parameters(bad)) << bad;
}

TEST(autopilot_file, a_bundle_has_the_autopilots_with_their_parameter_file) {
  const core::ScratchFolder folder;
  folder.write("fast.params", "MPC_XY_VEL_MAX 8\n");
  const std::string path = folder.write("a.yaml", text_with("    start: disarmed\n    autopilot: {kind: px4, parameters: fast.params, autostart: 4001}\n"));
  Bundle bundle;
  const auto world = load_scenario(path, {.assets = "assets"}, {}, bundle);
  ASSERT_TRUE(world) << world.error().text();
  const auto list = load_autopilots(bundle, world.value());
  ASSERT_TRUE(list) << list.error().text();
  ASSERT_EQ(list.value().size(), 1u);
  EXPECT_EQ(list.value()[0].flock, "quad");
  EXPECT_EQ(list.value()[0].def.autostart, 4001);
  EXPECT_EQ(list.value()[0].def.parameters, (std::vector<AutopilotParameter>{{"MPC_XY_VEL_MAX", 8}}));
}

}  // namespace
}  // namespace volary::scenario
