// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/scene.hpp"

namespace volary::multibody {

std::optional<std::size_t> find_body(const SceneDef& scene, std::string_view name) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].name == name) return i;
  return std::nullopt;
}

std::optional<std::size_t> find_site(const SceneDef& scene, std::string_view name) {
  std::size_t number = 0;
  for (const BodyDef& body : scene.bodies)
    for (const SiteDef& site : body.sites) {
      if (site.name == name) return number;
      ++number;
    }
  return std::nullopt;
}

std::optional<std::size_t> find_weld(const SceneDef& scene, std::string_view name) {
  for (std::size_t i = 0; i < scene.welds.size(); ++i)
    if (scene.welds[i].name == name) return i;
  return std::nullopt;
}

std::optional<std::size_t> find_cable(const SceneDef& scene, std::string_view name) {
  for (std::size_t i = 0; i < scene.cables.size(); ++i)
    if (scene.cables[i].name == name) return i;
  return std::nullopt;
}

std::optional<std::size_t> find_group(const SceneDef& scene, std::string_view name) {
  for (std::size_t i = 0; i < scene.groups.size(); ++i)
    if (scene.groups[i] == name) return i;
  return std::nullopt;
}

}  // namespace volary::multibody
