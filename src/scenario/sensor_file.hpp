// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sensors of a flock in a scenario: presets by name, and whether sensors, vehicle and world fit together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "scenario/node.hpp"
#include "scenario/places.hpp"
#include "scenario/sensor_fields.hpp"

namespace volary::scenario {

// Before the tree is read: a sensor of a flock that names a preset gets the preset's fields; those that it has itself stay. The fields keep their places, so
// that a fault in a preset is reported in its own file. Presets of uwb_anchors and uwb_peers lie in assets/sensors/uwb, those of every other sensor in a
// folder of its name.
core::Status expand_presets(Tree& tree, const std::string& assets, const Files& files);

// what sensors are checked against
struct SensorSetting {
  double tick = 0.01;  // s
  double horizon = 0;  // s, coupling.horizon
  std::string model;  // of the airframe: "multirotor"
  std::string airframe;  // its name, for reports
  bool full_physics = true;
  bool mirror = false;
  std::span<const AnchorDef> anchors;
};

// `field` is that of the flock, with its dot
core::Status check_sensors(const SensorsDef& sensors, const EstimatorDef& estimator, const SensorSetting& setting, const std::string& field);
// Opens the libraries of own sensors and of the estimator, and gives them their parameters and the sensors their sizes.
core::Status open_sensor_plugins(SensorsDef& sensors, EstimatorDef& estimator, const Places& places, const std::string& field);
// anchors at the same place tell nothing apart; `field` is that of the list
core::Status check_anchors(std::span<const AnchorDef> anchors, const std::string& field);

// What is allowed and probably not meant: vibration that is faster than half the rate of the integration steps, of `step` seconds, shows at another frequency.
std::vector<std::string> warnings_of_sensors(const SensorsDef& sensors, double step, const std::string& flock);

}  // namespace volary::scenario
