// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "volary/scenario.hpp"

#include <filesystem>
#include <utility>

#include "core/home.hpp"
#include "scenario/airframe.hpp"
#include "scenario/fragments.hpp"
#include "scenario/load.hpp"

namespace volary {

namespace {

namespace fs = std::filesystem;

template <class T> Loaded<T> to_public(core::Result<T> result) {
  if (!result) return {std::nullopt, result.error().text()};
  return {std::move(result).value(), ""};
}

scenario::Paths to_private(const ScenarioPaths& paths) {
  return {paths.assets.empty() ? (fs::path(core::home_folder()) / "assets").string() : paths.assets, paths.max_vehicles};
}

// where a text would lie
constexpr const char* kText = "text";
std::string place_of_text(const ScenarioPaths& paths) { return (fs::path(paths.folder) / kText).string(); }

}  // namespace

const char* version() { return core::program_version(); }
std::string home_folder() { return core::home_folder(); }

Loaded<WorldDef> load_scenario(const std::string& path, const ScenarioPaths& paths, const std::vector<std::string>& overrides, ScenarioFiles* files) {
  if (files == nullptr) return to_public(scenario::load_scenario(path, to_private(paths), overrides));
  auto bundle = std::make_shared<scenario::Bundle>();
  Loaded<WorldDef> loaded = to_public(scenario::load_scenario(path, to_private(paths), overrides, *bundle));
  files->bundle = std::move(bundle);
  return loaded;
}

Loaded<WorldDef> load_scenario_text(const std::string& text, const ScenarioPaths& paths, const std::vector<std::string>& overrides, ScenarioFiles* files) {
  const scenario::Paths own = to_private(paths);
  auto bundle = std::make_shared<scenario::Bundle>();
  bundle->main = std::string(scenario::kBundleScenario) + "/" + kText;
  bundle->files[bundle->main] = text;
  bundle->overrides = overrides;
  const scenario::Files source(paths.folder, own.assets, bundle.get());
  Loaded<WorldDef> loaded = to_public(scenario::load_scenario_text(text, place_of_text(paths), own, overrides, source));
  if (files != nullptr) files->bundle = std::move(bundle);
  return loaded;
}

Loaded<Airframe> load_airframe(const std::string& name_or_path, const ScenarioPaths& paths, const std::vector<std::string>& overrides) {
  const scenario::Paths own = to_private(paths);
  const scenario::Files files("", own.assets, nullptr);
  core::Result<std::string> path = scenario::find_airframe(name_or_path, "", own, files);
  if (!path) return {std::nullopt, path.error().text()};
  return to_public(scenario::load_airframe(path.value(), files, overrides));
}

Loaded<Airframe> load_airframe_text(const std::string& text, const ScenarioPaths& paths, const std::vector<std::string>& overrides) {
  const scenario::Files files(paths.folder, to_private(paths).assets, nullptr);
  return to_public(scenario::load_airframe_text(text, place_of_text(paths), files, overrides));
}

Loaded<std::vector<BehaviourDef>> load_behaviours(const std::string& text, const NodeDef& node, const ScenarioPaths& paths) {
  const std::string assets = to_private(paths).assets;
  const scenario::Files files(paths.folder, assets, nullptr);
  return to_public(scenario::behaviours_of_text(text, node, {paths.folder, assets, files}));
}

Loaded<std::vector<EmissionDef>> load_emissions(const std::string& text) { return to_public(scenario::emissions_of_text(text)); }

Loaded<std::vector<TaskDef>> load_tasks(const std::string& text, const WorldDef& world, const ScenarioPaths& paths) {
  const std::string assets = to_private(paths).assets;
  const scenario::Files files(paths.folder, assets, nullptr);
  return to_public(scenario::tasks_of_text(text, world, {paths.folder, assets, files}));
}

}  // namespace volary
