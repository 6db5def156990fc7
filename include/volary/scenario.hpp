// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that read YAML files of scenarios and airframes and return plain definitions.
// No function here throws. A fault in a file is returned as one line with file, line, column, field and advice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "volary/def.hpp"

namespace volary {

// Folders and limits for reading files.
struct ScenarioPaths {
  std::string assets;                      // folder that contains vehicles/*.yaml
  std::int64_t max_vehicles = 10'000'000;  // greatest number of vehicles in all worlds together; more is an error
};

// A value, or the error that prevented it.
template <class T> struct Loaded {
  std::optional<T> value;
  std::string error;

  explicit operator bool() const { return value.has_value(); }
};

// Reads a scenario file. Each of `overrides` is "path=value", such as "flocks[0].vehicles.grid.count=200".
Loaded<WorldDef> load_scenario(const std::string& path, const ScenarioPaths& paths, const std::vector<std::string>& overrides = {});

// Reads an airframe, given by the path of a YAML file or by a name such as "crazyflie".
Loaded<Airframe> load_airframe(const std::string& name_or_path, const ScenarioPaths& paths);

}  // namespace volary
