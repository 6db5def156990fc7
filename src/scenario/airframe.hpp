// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Airframe files: `model: multirotor` and the fields of that model's Def struct.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "volary/def.hpp"

namespace volary::scenario {

// its own type, not volary::ScenarioPaths: calls here must not find the functions of volary/scenario.hpp
struct Paths {
  std::string assets;                      // folder with vehicles/*.yaml
  std::int64_t max_vehicles = 10'000'000;  // in all worlds together
};

// `overrides` are "path=value", such as "mass=0.03"
core::Result<Airframe> load_airframe(const std::string& path, const Files& files, const std::vector<std::string>& overrides = {});
core::Result<Airframe> load_airframe(const std::string& path);  // from the disk
// without tables, and with the tables beside `file_name` that `files` gives
core::Result<Airframe> load_airframe_text(const std::string& text, const std::string& file_name);
core::Result<Airframe> load_airframe_text(const std::string& text, const std::string& file_name, const Files& files, const std::vector<std::string>& overrides);

// `crazyflie` is <assets>/vehicles/crazyflie.yaml; a name that ends in .yaml is a path relative to `folder`
core::Result<std::string> find_airframe(const std::string& name, const std::string& folder, const Paths& paths, const Files& files);

}  // namespace volary::scenario
