// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Files in, plain definitions out: the YAML scenarios and airframes of this repository, or yours.
// Nothing here throws; a fault in a file comes back as one line with file, line, column, field and advice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "volary/def.hpp"

namespace volary {

struct ScenarioPaths {
  std::string assets;                      // folder with vehicles/*.yaml
  std::int64_t max_vehicles = 10'000'000;  // in all worlds together; more is an error
};

// a value, or why there is none
template <class T> struct Loaded {
  std::optional<T> value;
  std::string error;

  explicit operator bool() const { return value.has_value(); }
};

// `overrides` are "path=value", such as "flocks[0].vehicles.grid.count=200"
Loaded<WorldDef> load_scenario(const std::string& path, const ScenarioPaths& paths, const std::vector<std::string>& overrides = {});

// a path to a YAML file, or a name such as "crazyflie"
Loaded<Airframe> load_airframe(const std::string& name_or_path, const ScenarioPaths& paths);

}  // namespace volary
