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

TEST(autopilot_file, a_flock_that_names_no_sensors_carries_those_that_its_autopilot_needs) {
  const auto sensors_of = [](const std::string& rest) {
    const auto world = load_scenario_text(text_with(rest), "test.yaml", {.assets = "assets"}, {});
    EXPECT_TRUE(world) << (world ? "" : world.error().text());
    return world ? world.value().flocks.front().sensors : SensorsDef{};
  };
  const SensorsDef px4 = sensors_of(kGood);
  ASSERT_TRUE(px4.imu && px4.gnss && px4.barometer && px4.magnetometer && px4.airspeed);
  EXPECT_EQ(px4.imu->preset, "px4_sitl");
  EXPECT_GT(px4.barometer->error.noise, 0) << "PX4 takes a sensor that repeats itself for a broken one";
  const SensorsDef own = sensors_of(std::string(kGood) + "    sensors: {imu: {preset: icm42688p}}\n");
  EXPECT_EQ(own.imu->preset, "icm42688p");
  EXPECT_FALSE(own.gnss) << "who names some carries no others";
}

TEST(autopilot_file, sensors_without_an_imu_are_refused) {
  const std::string error = error_of(std::string(kGood) + "    sensors: {gnss: {preset: px4_sitl}}\n");
  EXPECT_NE(error.find("an autopilot flies by an IMU"), std::string::npos) << error;
  EXPECT_NE(error.find("px4_sitl"), std::string::npos) << error;
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

// ---------------------------------------------------------------- aircraft

std::string error_of_aircraft(const std::string& airframe, const std::string& fields, const std::string& kind = "px4") {
  const std::string text = "tick: 0.002\nsubsteps: 1\nflocks:\n  - name: wing\n    airframe: " + airframe +
                           "\n    vehicles: {grid: {count: 1}}\n    start: disarmed\n    autopilot: {kind: " + kind + fields + "}\n";
  const auto world = load_scenario_text(text, "test.yaml", {.assets = "assets"}, {});
  return world ? "" : world.error().text();
}

TEST(autopilot_file, wings_and_quadplanes_have_autopilots_and_balloons_do_not) {
  for (const char* kind : {"px4", "ardupilot"})
    for (const char* airframe : {"talon", "ultra_stick", "aerosonde", "flying_wing", "quadplane"}) EXPECT_EQ(error_of_aircraft(airframe, "", kind), "") << airframe;
  EXPECT_NE(error_of_aircraft("balloon", "").find("neither a multirotor nor an aircraft"), std::string::npos) << error_of_aircraft("balloon", "");
}

TEST(autopilot_file, each_output_drives_one_thing) {
  EXPECT_EQ(error_of_aircraft("quadplane", ", outputs: {rotors: [5, 6, 7, 8, 3], aileron: 1, elevator: -2, rudder: 4}"), "");
  EXPECT_EQ(error_of_aircraft("quadplane", ", outputs: {rudder: 9}"), "") << "all others as by default";
  EXPECT_EQ(error_of_aircraft("talon", ", outputs: {rudder: 0, aileron: -3}"), "") << "the output of the rudder is free then";
  const std::string twice = error_of_aircraft("talon", ", outputs: {elevator: 5}");
  EXPECT_NE(twice.find("output 5 drives rotors[0] already"), std::string::npos) << twice;
  EXPECT_NE(twice.find("test.yaml:8"), std::string::npos) << twice;
  const std::string few = error_of_aircraft("quadplane", ", outputs: {rotors: [1, 2, 3, 4]}");
  EXPECT_NE(few.find("has 4 entries, and 'quadplane"), std::string::npos) << few;
  EXPECT_NE(error_of_aircraft("talon", ", outputs: {rotors: [-3]}").find("one way only"), std::string::npos);
  EXPECT_NE(error_of_aircraft("talon", ", outputs: {rotors: [0]}").find("outputs 1 to 16"), std::string::npos);
  EXPECT_NE(error_of_aircraft("talon", ", outputs: {rotors: [1.5]}").find("outputs 1 to 16"), std::string::npos);
  EXPECT_NE(error_of_aircraft("talon", ", outputs: {aileron: 17}").find("aileron"), std::string::npos);
}

TEST(autopilot_file, motors_are_for_multirotors_and_outputs_for_aircraft) {
  const std::string motors = error_of_aircraft("talon", ", motors: [0]");
  EXPECT_NE(motors.find("outputs.rotors"), std::string::npos) << motors;
  const std::string outputs = error_of("    start: disarmed\n    autopilot: {kind: px4, outputs: {aileron: 1}}\n");
  EXPECT_NE(outputs.find("these are the outputs of an aircraft"), std::string::npos) << outputs;
}

core::Result<std::vector<FlockAutopilot>> autopilots_of(const std::string& flocks) {
  const core::ScratchFolder folder;
  const std::string path = folder.write("a.yaml", "tick: 0.002\nsubsteps: 1\nflocks:\n" + flocks);
  Bundle bundle;
  const auto world = load_scenario(path, {.assets = "assets"}, {}, bundle);
  if (!world) return world.error();
  return load_autopilots(bundle, world.value());
}
std::string flock(const std::string& name, const std::string& airframe, const std::string& autopilot) {
  return "  - {name: " + name + ", airframe: " + airframe + ", vehicles: {grid: {count: 1}}, start: disarmed, autopilot: {" + autopilot + "}}\n";
}

TEST(autopilot_file, the_airframe_and_the_outputs_of_the_autopilot_follow_from_the_vehicle) {
  const auto list = autopilots_of(flock("a", "x500", "kind: px4") + flock("b", "talon", "kind: px4") + flock("c", "quadplane", "kind: px4, outputs: {rudder: -9}") +
                                  flock("d", "quadplane", "kind: px4, autostart: 4004") + flock("e", "quadplane", "kind: ardupilot"));
  ASSERT_TRUE(list) << list.error().text();
  const auto def = [&](std::size_t k) { return list.value()[k].def; };
  EXPECT_EQ(def(0).autostart, 10016);
  EXPECT_EQ(def(1).autostart, 1030);
  EXPECT_EQ(def(1).outputs.rotors, (std::vector<int>{5}));
  EXPECT_EQ(def(2).autostart, 1040);
  EXPECT_EQ(def(2).outputs.rotors, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(def(2).outputs.aileron, 7);
  EXPECT_EQ(def(2).outputs.rudder, -9);
  EXPECT_EQ(def(3).autostart, 4004);
  EXPECT_EQ(def(4).outputs.rotors, (std::vector<int>{5, 6, 7, 8, 3}));
  EXPECT_EQ(def(4).outputs.rudder, 4);
}

TEST(autopilot_file, one_program_of_ardupilot_does_not_fly_copters_and_planes) {
  EXPECT_TRUE(autopilots_of(flock("a", "talon", "kind: ardupilot") + flock("b", "quadplane", "kind: ardupilot")));
  EXPECT_TRUE(autopilots_of(flock("a", "talon", "kind: ardupilot") + flock("b", "x500", "kind: px4")));
  const auto both = autopilots_of(flock("a", "talon", "kind: ardupilot") + flock("b", "x500", "kind: ardupilot"));
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().text().find("'a' and 'b' need two programs"), std::string::npos) << both.error().text();
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
