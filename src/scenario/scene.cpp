// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/scene.hpp"

#include <cmath>

#include "scenario/look.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

namespace {

using Json = nlohmann::json;

template <class E> const char* word(E e) { return names(e)[static_cast<std::size_t>(e)]; }

Json region_of(const RegionDef& r) {
  Json region = {{"name", r.name}, {"rule", word(r.rule)}, {"centre", r.centre}, {"radius", r.corners.empty() ? r.radius : 0.0}, {"corners", r.corners}};
  if (std::isfinite(r.floor)) region["floor"] = r.floor;
  if (std::isfinite(r.ceiling)) region["ceiling"] = r.ceiling;
  return region;
}

}  // namespace

Json scene_of(const WorldDef& def) {
  Json flocks = Json::array();
  for (const FlockDef& f : def.flocks) {
    const Look look = look_of(f.airframe);
    flocks.push_back({{"name", f.name},
                      {"airframe", f.airframe.name},
                      {"model", f.airframe.model},
                      {"controller", word(f.controller.kind)},
                      {"rotors", look.rotors},
                      {"size_m", look.size}});
  }
  Json regions = Json::array();
  for (const RegionDef& r : def.regions) regions.push_back(region_of(r));
  const EnvironmentDef& e = def.environment;
  return {{"flocks", std::move(flocks)}, {"ground", e.ground_height},    {"has_ground", e.ground}, {"wind", e.wind_W},
          {"gust_sigma", e.gust_sigma},  {"regions", std::move(regions)}};
}

}  // namespace volary::scenario
