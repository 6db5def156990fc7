// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "volary/scenario.hpp"

#include <utility>

#include "scenario/airframe.hpp"
#include "scenario/load.hpp"

namespace volary {

namespace {

template <class T> Loaded<T> to_public(core::Result<T> result) {
  if (!result) return {std::nullopt, result.error().text()};
  return {std::move(result).value(), ""};
}

scenario::Paths to_private(const ScenarioPaths& paths) { return {paths.assets, paths.max_vehicles}; }

}  // namespace

Loaded<WorldDef> load_scenario(const std::string& path, const ScenarioPaths& paths, const std::vector<std::string>& overrides) {
  return to_public(scenario::load_scenario(path, to_private(paths), overrides));
}

Loaded<Airframe> load_airframe(const std::string& name_or_path, const ScenarioPaths& paths) {
  core::Result<std::string> path = scenario::find_airframe(name_or_path, "", to_private(paths), scenario::Files("", paths.assets, nullptr));
  if (!path) return {std::nullopt, path.error().text()};
  return to_public(scenario::load_airframe(path.value()));
}

}  // namespace volary
