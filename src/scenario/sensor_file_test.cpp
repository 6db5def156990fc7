// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/sensor_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/scratch_folder.hpp"
#include "scenario/tree.hpp"
#include "scenario/yaml_reader.hpp"

namespace volary::scenario {

// the part of a scenario that has sensors
struct SensedFlock {
  SensorsDef sensors;
  EstimatorDef estimator;
  FailsafeDef failsafe;
};
struct SensedWorld {
  std::vector<AnchorDef> anchors;
  std::vector<SensedFlock> flocks;
};
template <class D, class V> requires DescribesSensor<D, SensedFlock>
void describe(D& d, V& v) {
  v.field("sensors", d.sensors, {});
  v.field("estimator", d.estimator, {});
  v.field("failsafe", d.failsafe, {});
}
template <class D, class V> requires DescribesSensor<D, SensedWorld>
void describe(D& d, V& v) {
  v.field("anchors", d.anchors, {.min = 0, .max = static_cast<double>(kMostAnchors)});
  v.field("flocks", d.flocks, {});
}

namespace {

const std::string kAssets = VOLARY_SOURCE_DIR "/assets";

SensorSetting quadrotor() {
  SensorSetting s;
  s.model = "multirotor", s.airframe = "X500";
  return s;
}

core::Result<SensedWorld> load(const std::string& text, const SensorSetting& given = quadrotor()) {
  const Files files("", kAssets, nullptr);
  core::Result<Tree> tree = load_tree(text, "test.yaml", files);
  if (!tree) return tree.error();
  if (const core::Status done = expand_presets(tree.value(), kAssets, files); !done) return done.error();
  SensedWorld world;
  if (const core::Status read = YamlReader(tree.value()).read(world); !read) return read.error();
  if (const core::Status apart = check_anchors(world.anchors, "anchors"); !apart) return place(apart.error(), tree.value());
  SensorSetting setting = given;
  setting.anchors = world.anchors;
  for (std::size_t i = 0; i < world.flocks.size(); ++i)
    if (const core::Status fits = check_sensors(world.flocks[i].sensors, world.flocks[i].estimator, setting, "flocks[" + std::to_string(i) + "]."); !fits)
      return place(fits.error(), tree.value());
  return world;
}

TEST(sensor_file, a_preset_gives_what_is_absent_and_the_scenario_the_rest) {
  const auto world = load("flocks:\n  - sensors:\n      imu: {preset: icm42688p, gyro: {noise: 1.0e-3}}\n      gnss: {preset: neo_m8, time: {latency: 0}}\n");
  ASSERT_TRUE(world) << world.error().message;
  const SensorsDef& s = world.value().flocks[0].sensors;
  EXPECT_EQ(s.imu->preset, "icm42688p");
  EXPECT_EQ(s.imu->gyro.noise, 1e-3);
  EXPECT_NEAR(s.imu->gyro.range, 34.907, 1e-9);
  EXPECT_NEAR(s.imu->accelerometer.noise, 6.86e-4, 1e-12);
  EXPECT_EQ(s.gnss->time.rate, 10);
  EXPECT_EQ(s.gnss->time.latency, 0);
  EXPECT_FALSE(s.barometer);
}

TEST(sensor_file, a_sensor_without_a_preset_and_the_ideal_one_have_no_errors) {
  const auto world = load("flocks:\n  - sensors:\n      gnss:\n      imu: {preset: ideal}\n      barometer: {time: {rate: 20}}\n");
  ASSERT_TRUE(world) << world.error().message;
  const SensorsDef& s = world.value().flocks[0].sensors;
  EXPECT_EQ(s.gnss->horizontal, 0);
  EXPECT_EQ(s.imu->gyro.noise, 0);
  EXPECT_EQ(s.barometer->error.noise, 0);
}

TEST(sensor_file, angles_may_be_written_in_degrees) {
  const auto world = load("flocks:\n  - sensors: {range_finder: {preset: vl53l1x}}\n    estimator: {start: {yaw_deg: 5}}\n");
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_NEAR(world.value().flocks[0].sensors.range_finder->field_of_view, 27 * 0.017453292519943295, 1e-12);
  EXPECT_NEAR(world.value().flocks[0].estimator.start.yaw, 5 * 0.017453292519943295, 1e-12);
}

// every file of assets/sensors is read and fits a world with ticks of 10 ms; every figure names its source
TEST(sensor_file, every_preset_is_sound_and_says_where_its_figures_come_from) {
  namespace fs = std::filesystem;
  int presets = 0;
  for (const auto& folder : fs::directory_iterator(kAssets + "/sensors"))
    for (const auto& file : fs::directory_iterator(folder)) {
      const std::string kind = folder.path().filename().string(), sensor = kind == "uwb" ? "uwb_anchors" : kind;
      const auto world = load("anchors: [{position: [0, 0, 2]}]\nflocks:\n  - sensors:\n      " + sensor + ": {preset: " + file.path().stem().string() + "}\n");
      EXPECT_TRUE(world) << file.path() << ": " << world.error().message;
      ++presets;
      const core::Result<std::string> text = read_file(file.path().string());
      ASSERT_TRUE(text);
      std::string_view rest = text.value();
      while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::size_t colon = line.find(": ");
        const bool is_figure = !line.starts_with('#') && colon != std::string_view::npos && line.find_first_not_of(' ', colon + 1) != line.find('#', colon);
        if (is_figure) EXPECT_NE(line.find("source: "), std::string_view::npos) << file.path() << ": " << line;
      }
    }
  EXPECT_GE(presets, 19);
}

TEST(sensor_file, estimator_and_failsafe_are_read) {
  const auto world = load(
      "flocks:\n  - sensors: {imu: {}}\n    estimator: {kind: ekf, gates: {gnss: 4}, trust: {barometer: 2}}\n    failsafe: {gnss_lost: {after: 3, action: "
      "land}}\n");
  ASSERT_TRUE(world) << world.error().message;
  const SensedFlock& f = world.value().flocks[0];
  EXPECT_EQ(f.estimator.kind, EstimatorKind::Ekf);
  EXPECT_EQ(f.estimator.gates.gnss, 4);
  EXPECT_EQ(f.estimator.gates.magnetometer, 3);
  EXPECT_EQ(f.estimator.trust.barometer, 2);
  EXPECT_EQ(f.failsafe.gnss_lost.action, FailsafeAction::Land);
}

// ---------------------------------------------------------------- bad input

struct Bad {
  const char* sensors;     // the line of the flock, line 3 of the file
  const char* field;       // of the error, after the flock
  const char* words;       // in the message
  const char* suggestion;  // in the suggestion
};
const Bad kBad[] = {
    {"sensors: {imu: {preset: icm42688}}", "sensors.imu.preset", "no preset of imu is called 'icm42688'", "did you mean 'icm42688p'?"},
    {"sensors: {gnss: {preset: icm42688p}}", "sensors.gnss.preset", "no preset of gnss is called 'icm42688p'", "neo_m8"},
    {"sensors: {gnss: {preset: ../imu/iap}}", "sensors.gnss.preset", "no preset of gnss", ""},
    {"sensors: {barometr: {}}", "sensors.barometr", "unknown key", "did you mean 'barometer'?"},
    {"sensors: {gnss: {horizonal: 2}}", "sensors.gnss.horizonal", "unknown key", "did you mean 'horizontal'?"},
    {"sensors: {gnss: {time: {rate: 30}}}", "sensors.gnss.time.rate", "30 Hz is not a whole number of ticks of 0.01 s", "25 or 33.3333 is"},
    {"sensors: {gnss: {time: {rate: 200}}}", "sensors.gnss.time.rate", "more than one reading per tick", "at most 100"},
    {"sensors: {gnss: {time: {latency: 0.025}}}", "sensors.gnss.time.latency", "0.025 s is not a whole number of ticks", "0.02 or 0.03 is"},
    {"sensors: {gnss: {time: {phase: 0.001}}}", "sensors.gnss.time.phase", "not a whole number of ticks", "0 or 0.01 is"},
    {"sensors: {imu: {latency: 0.001}}", "sensors.imu.latency", "not a whole number of ticks", ""},
    {"sensors: {gnss: {outages: [[5, 3]]}}", "sensors.gnss.outages[0]", "from 5 s until 3 s", "[from, until]"},
    {"sensors: {gnss: {time: {drop_out: 2}}}", "sensors.gnss.time.drop_out", "between 0 and 1", ""},
    {"sensors: {uwb_anchors: {preset: dw1000}}", "sensors.uwb_anchors", "the environment has no anchors", "anchors"},
    {"sensors: {uwb_anchors: {per_reading: 5}}", "sensors.uwb_anchors.per_reading", "between 1 and 4", ""},
    {"sensors: {range_finder: {direction: [0, 0, 0]}}", "sensors.range_finder.direction", "has no length", "[0, 0, -1]"},
    {"sensors: {range_finder: {min: 5, max: 4}}", "sensors.range_finder.max", "not above min", ""},
    {"sensors: {motion_capture: {min: [0, 0, 0], max: [1, -1, 1]}}", "sensors.motion_capture.max[1]", "not above min", ""},
    {"estimator: {kind: ekf}", "estimator.kind", "ekf needs an IMU", "preset: icm42688p"},
    {"estimator: {kind: outside}", "estimator.kind", "outside needs an IMU", "preset: icm42688p"},
    {"sensors: {own: [{name: Soil}]}", "sensors.own[0].name", "'Soil' is not a name of 1 to 32 lower-case letters", "soil_moisture"},
    {"sensors: {own: [{name: soil}, {name: soil}]}", "sensors.own[1].name", "'soil' is the name of sensors.own[0] too", "a name of its own"},
    {"sensors: {own: [{name: soil, size: 17}]}", "sensors.own[0].size", "between 1 and 16", ""},
    {"estimator: {kind: kalman}", "estimator.kind", "unknown value 'kalman'", "ekf"},
    {"failsafe: {gnss_lost: {action: flee}}", "failsafe.gnss_lost.action", "unknown value 'flee'", "hold"},
};

TEST(sensor_file, own_sensors_are_read) {
  const auto world = load("flocks:\n  - sensors: {imu: {}, own: [{name: soil}, {name: gas_2, size: 4}]}\n    estimator: {kind: outside}\n");
  ASSERT_TRUE(world) << world.error().text();
  const std::vector<OwnSensorDef>& own = world.value().flocks[0].sensors.own;
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].name, "soil");
  EXPECT_EQ(own[0].size, 1);
  EXPECT_EQ(own[1].size, 4);
  EXPECT_EQ(world.value().flocks[0].estimator.kind, EstimatorKind::Outside);
}

TEST(sensor_file, what_is_wrong_is_refused_with_its_line_and_a_suggestion) {
  for (const Bad& bad : kBad) {
    const auto world = load(std::string("flocks:\n  -\n    ") + bad.sensors + "\n");
    ASSERT_FALSE(world) << bad.sensors;
    const core::Error& e = world.error();
    EXPECT_EQ(e.field, std::string("flocks[0].") + bad.field) << bad.sensors;
    EXPECT_NE(e.message.find(bad.words), std::string::npos) << bad.sensors << ": " << e.message;
    EXPECT_NE(e.suggestion.find(bad.suggestion), std::string::npos) << bad.sensors << ": " << e.suggestion;
    EXPECT_EQ(e.file, "test.yaml") << bad.sensors;
    EXPECT_EQ(e.line, 3) << bad.sensors;
  }
}

TEST(sensor_file, anchors_at_the_same_place_are_refused) {
  const auto world = load(
      "anchors:\n  - {name: north, position: [0, 5, 2]}\n  - {name: south, position: [0, -5, 2]}\n  - {name: mast, position: [0, 5.005, 2]}\nflocks: []\n");
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().field, "anchors[2].position");
  EXPECT_EQ(world.error().line, 4);
  EXPECT_NE(world.error().message.find("'mast' is where 'north' is"), std::string::npos) << world.error().message;
}

TEST(sensor_file, a_vehicle_carries_only_what_fits_it) {
  struct Case {
    const char *model, *sensors, *field, *words;
  };
  const Case cases[] = {
      {"balloon", "imu: {}", "sensors.imu", "is a balloon"},
      {"walker", "magnetometer: {}", "sensors.magnetometer", "is a walker"},
      {"car", "airspeed: {}", "sensors.airspeed", "feels no air"},
      {"balloon", "optical_flow: {}", "sensors.optical_flow", "no attitude"},
  };
  for (const Case& c : cases) {
    SensorSetting s = quadrotor();
    s.model = c.model;
    const auto world = load(std::string("flocks:\n  - sensors: {") + c.sensors + "}\n", s);
    ASSERT_FALSE(world) << c.sensors;
    EXPECT_EQ(world.error().field, std::string("flocks[0].") + c.field);
    EXPECT_NE(world.error().message.find(c.words), std::string::npos) << world.error().message;
  }
  SensorSetting platform = quadrotor();
  platform.model = "platform";
  const auto star = load(
      "anchors: [{position: [0, 0, 2]}]\nflocks:\n  - sensors: {imu: {}, gnss: {}, barometer: {}, magnetometer: {}, airspeed: {}, range_finder: {}, "
      "optical_flow: {}, uwb_anchors: {}, uwb_peers: {}, motion_capture: {}, odometry: {}}\n    estimator: {kind: ekf}\n",
      platform);
  EXPECT_TRUE(star) << star.error().message;
  SensorSetting tagged = quadrotor();
  tagged.model = "walker";
  EXPECT_TRUE(load("anchors: [{position: [0, 0, 2]}]\nflocks:\n  - sensors: {gnss: {}, uwb_anchors: {}, uwb_peers: {}, barometer: {}}\n", tagged));
  SensorSetting lean = quadrotor();
  lean.full_physics = false;
  EXPECT_FALSE(load("flocks:\n  - sensors: {imu: {}}\n", lean));
  SensorSetting late = quadrotor();
  late.horizon = 1;
  EXPECT_FALSE(load("flocks:\n  - sensors: {uwb_peers: {}}\n", late));
}

// 900 rad/s are 143 Hz, and blade passing is 286 Hz: steps of 2.5 ms see up to 200 Hz
TEST(sensor_file, vibration_that_aliases_is_warned_of) {
  SensorsDef s;
  s.imu.emplace();
  s.imu->vibration.reference_speed = 900;
  s.imu->vibration.harmonics = {{1, {}, {}}, {2, {}, {}}};
  const std::vector<std::string> list = warnings_of_sensors(s, 0.0025, "scouts");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(list[0].find("flocks.scouts.sensors.imu.vibration.harmonics[1]: 286 Hz"), std::string::npos) << list[0];
  EXPECT_TRUE(warnings_of_sensors(s, 0.001, "scouts").empty());
  EXPECT_TRUE(warnings_of_sensors(SensorsDef{}, 0.0025, "scouts").empty());
}

// a fault in a preset is reported where it stands
TEST(sensor_file, a_fault_in_a_preset_names_the_file_of_the_preset) {
  const core::ScratchFolder scratch;
  const std::string& assets = scratch.path();
  const std::string mine = scratch.write("sensors/gnss/mine.yaml", "time: {rate: 5}\nhorizntal: 3\n");
  const Files files("", assets, nullptr);
  core::Result<Tree> tree = load_tree("flocks:\n  - sensors: {gnss: {preset: mine}}\n", "test.yaml", files);
  ASSERT_TRUE(tree);
  ASSERT_TRUE(expand_presets(tree.value(), assets, files));
  SensedWorld world;
  const core::Status read = YamlReader(tree.value()).read(world);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().file, mine);
  EXPECT_EQ(read.error().line, 2);
  EXPECT_EQ(read.error().suggestion, "did you mean 'horizontal'?");
}

}  // namespace
}  // namespace volary::scenario
