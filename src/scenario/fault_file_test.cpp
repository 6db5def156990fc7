// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/fault_file.hpp"

#include <gtest/gtest.h>

#include "scenario/load.hpp"
#include "volary/scenario.hpp"

namespace volary::scenario {
namespace {

const std::string kFlock = "flocks: [{name: drone, airframe: crazyflie, vehicles: {grid: {count: 2}}}]\n";

core::Result<WorldDef> load(const std::string& text) { return load_scenario_text(kFlock + text, "test.yaml", Paths{VOLARY_SOURCE_DIR "/tests/bad/assets"}); }

TEST(fault_file, planned_and_random_faults_are_read) {
  const auto w = load(
      "faults:\n"
      "  planned: [{time: 3, flock: drone, vehicle: 1, component: \"rotor[2]\", kind: scale, amount: [0.5, 0, 0], duration: 4}]\n"
      "  random: {per_vehicle: 0.5, components: [\"rotor[0]\", link], kinds: [\"off\", drop_out], severity: [0.2, 0.8]}\n");
  ASSERT_TRUE(w) << w.error().text();
  const FaultsDef& f = w.value().faults;
  ASSERT_EQ(f.planned.size(), 1u);
  EXPECT_EQ(f.planned[0].vehicle, 1);
  EXPECT_EQ(f.planned[0].fault.component, "rotor[2]");
  EXPECT_EQ(f.planned[0].fault.kind, FaultKind::Scale);
  EXPECT_EQ(f.planned[0].fault.duration, 4);
  EXPECT_EQ(f.random.kinds, (std::vector{FaultKind::Off, FaultKind::DropOut}));
  EXPECT_EQ(f.random.severity[1], 0.8);
}

struct Bad {
  const char *text, *field, *says;
};
TEST(fault_file, what_cannot_be_is_refused_with_its_line_and_field) {
  const Bad all[] = {
      {"faults: {planned: [{time: 3, component: \"roter[2]\", kind: \"off\"}]}", "faults.planned[0].component", "rotor"},
      {"faults: {planned: [{time: 3, component: rotor, kind: \"off\"}]}", "faults.planned[0].component", "rotor[0]"},
      {"faults: {planned: [{time: 3, component: \"rotor[9]\", kind: \"off\"}]}", "faults.planned[0].component", "from 0 to 7"},
      {"faults: {planned: [{time: 3, flock: drome, component: link, kind: \"off\"}]}", "faults.planned[0].flock", "drone"},
      {"faults: {planned: [{time: 3, flock: drone, vehicle: 2, component: link, kind: \"off\"}]}", "faults.planned[0].vehicle", "numbered from 0"},
      {"faults: {planned: [{time: 300, component: link, kind: \"off\"}]}", "faults.planned[0].time", "after the end"},
      {"faults: {planned: [{time: 3, component: link, kind: drop_out}]}", "faults.planned[0].probability", "missing"},
      {"faults: {planned: [{time: 3, component: \"rotor[0]\", kind: delay, amount: [1, 0, 0]}]}", "faults.planned[0].amount", "at most 16 ticks"},
      {"faults: {planned: [{time: 3, component: imu.gyro, kind: delay, amount: [1, 0, 0]}]}", "faults.planned[0].kind", "an IMU is read in the tick"},
      {"faults: {planned: [{time: 3, component: estimator, kind: scale, amount: [2, 0, 0]}]}", "faults.planned[0].kind", "neither late nor scaled"},
      {"faults: {sensor_delay: -1}", "faults.sensor_delay", "must be"},
      {"faults: {random: {per_vehicle: 1, kinds: [\"off\"]}}", "faults.random.components", "components that can fail"},
      {"faults: {random: {per_vehicle: 1, components: [link], kinds: [\"off\"], severity: [0.5, 0.1]}}", "faults.random.severity", "least"},
  };
  for (const Bad& b : all) {
    const auto w = load(b.text);
    ASSERT_FALSE(w) << b.text;
    const std::string text = w.error().text();
    EXPECT_NE(text.find(b.field), std::string::npos) << text;
    EXPECT_NE(text.find(b.says), std::string::npos) << text;
    EXPECT_NE(text.find("test.yaml:2"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace volary::scenario
