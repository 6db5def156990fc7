// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that read scenarios, airframes, behaviours, emissions and tasks, from YAML files or from texts in the same form, and return plain definitions.
// No function here throws. A fault is returned as one line with file, line, column, field and advice; several faults are several lines.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volary/api.hpp"
#include "volary/def.hpp"

namespace volary::scenario {
struct Bundle;  // scenario/files.hpp
}

namespace volary {

// The folder of the files that come with Volary, such as assets/ and scenarios/. The environment variable VOLARY_HOME names it. Without that variable, it is
// share/volary of the installation that the library or program belongs to, else the source tree of the build.
VOLARY_API std::string home_folder();

// Folders and limits for reading files.
struct ScenarioPaths {
  std::string assets = {};                 // folder that contains vehicles/*.yaml; empty: assets/ of home_folder()
  std::int64_t max_vehicles = 10'000'000;  // greatest number of vehicles in all worlds together; more is an error
  std::string folder = {};                 // for texts only: folder in which the files are searched that the text names; empty: the current folder
};

// A value, or the error that prevented it.
template <class T> struct Loaded {
  std::optional<T> value;
  std::string error;

  explicit operator bool() const { return value.has_value(); }
};

// The content of every file that a scenario was made of. A recording keeps it, and can therefore be flown again when the files have changed.
struct ScenarioFiles {
  std::shared_ptr<const scenario::Bundle> bundle;  // empty: the world was made by a program
};

// Reads a scenario file. Each of `overrides` is "path=value", such as "flocks[0].vehicles.grid.count=200". `files` receives what was read.
VOLARY_API Loaded<WorldDef> load_scenario(const std::string& path, const ScenarioPaths& paths = {}, const std::vector<std::string>& overrides = {},
                                          ScenarioFiles* files = nullptr);
// The same for a scenario that is given as a text.
VOLARY_API Loaded<WorldDef> load_scenario_text(const std::string& text, const ScenarioPaths& paths = {}, const std::vector<std::string>& overrides = {},
                                               ScenarioFiles* files = nullptr);

// Reads an airframe, given by the path of a YAML file or by a name such as "crazyflie". Overrides are written as for scenarios, such as "mass=0.03".
VOLARY_API Loaded<Airframe> load_airframe(const std::string& name_or_path, const ScenarioPaths& paths = {}, const std::vector<std::string>& overrides = {});
// The same for an airframe that is given as a text.
VOLARY_API Loaded<Airframe> load_airframe_text(const std::string& text, const ScenarioPaths& paths = {}, const std::vector<std::string>& overrides = {});

// Reads behaviours as written under `behaviours` of a flock: one, such as "reynolds: {range: 9}", or a list. `node` is the node they are for: no behaviour can
// be evaluated more often than its decision_rate.
VOLARY_API Loaded<std::vector<BehaviourDef>> load_behaviours(const std::string& text, const NodeDef& node = {}, const ScenarioPaths& paths = {});

// Reads emissions as written under `emits` of a flock: one, such as "sound: {level: 90}", or a list.
VOLARY_API Loaded<std::vector<EmissionDef>> load_emissions(const std::string& text);

// Reads tasks as written under `tasks` of a scenario: one or a list. `world` already has the flocks and regions that the tasks name, and keeps their order.
VOLARY_API Loaded<std::vector<TaskDef>> load_tasks(const std::string& text, const WorldDef& world, const ScenarioPaths& paths = {});

}  // namespace volary
