// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/type_list.hpp"
#include "environment/terrain.hpp"
#include "environment/weather.hpp"
#include "scenario/look.hpp"
#include "scenario/obstacle_scene.hpp"
#include "scenario/scenario_def.hpp"
#include "vehicles/all.hpp"

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

// Heights as four hexadecimal digits each, from low to high; a row from west to east, the southern one first.
Json terrain_of(const terrain::Terrain& t) {
  constexpr std::size_t kMostNodes = 129;  // a side: what a page draws, not what vehicles land on
  const terrain::Heights& h = t.heights();
  const std::size_t columns = std::min(h.columns, kMostNodes), rows = std::min(h.rows, kMostNodes);
  const double width = h.step_east * static_cast<double>(h.columns - 1), depth = h.step_north * static_cast<double>(h.rows - 1);
  const double step_east = width / static_cast<double>(columns - 1), step_north = depth / static_cast<double>(rows - 1);
  const double range = std::max(t.highest() - t.lowest(), 1e-9);
  std::string digits;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      const double up = t.height(h.east + step_east * static_cast<double>(c), h.north + step_north * static_cast<double>(r));
      digits += fmt::format("{:04x}", static_cast<unsigned>((up - t.lowest()) / range * 65535 + 0.5));
    }
  return {{"columns", columns}, {"rows", rows},           {"east", h.east},
          {"north", h.north},   {"step_east", step_east}, {"step_north", step_north},
          {"low", t.lowest()},  {"high", t.highest()},    {"heights", std::move(digits)}};
}

}  // namespace

Json shape_of(const Airframe& airframe) {
  const Look look = look_of(airframe);
  Json shape = {{"rotors", rotors_of(look.rotors)}, {"size_m", look.size}};
  if (Json body = body_of(look); !body.empty()) shape["body"] = std::move(body);
  if (look.kind.empty()) return shape;
  Json& told = shape["look"] = {{"kind", look.kind}};
  if (look.v_tail) told["tail"] = "v";
  if (!look.wheels.empty()) told["wheels"] = look.wheels;
  const std::pair<const char*, double> measures[] = {{"span", look.span},     {"chord", look.chord}, {"wheelbase", look.wheelbase}, {"to_front", look.to_front},
                                                     {"length", look.length}, {"width", look.width}, {"height", look.height}};
  for (const auto& [name, metres] : measures)
    if (metres > 0) told[name] = metres;
  return shape;
}

namespace {

// m, of the sphere that others touch: as the engine has it
double radius_of(const FlockDef& f) {
  if (f.node.contact.radius > 0) return f.node.contact.radius;
  double radius = 0;
  core::for_each_type(vehicles::AllVehicles{}, [&]<class M>() {
    if (f.airframe.model != M::name || f.airframe.definition == nullptr) return;
    const Vec half = M::extent(*static_cast<const typename M::Def*>(f.airframe.definition.get()));
    radius = std::max({half[0], half[1], half[2]});
  });
  return radius;
}

Json tasks_of(const WorldDef& def) {
  Json tasks = Json::array();
  for (const TaskDef& t : def.tasks) tasks.push_back({{"name", t.name}, {"required", t.required}});
  return tasks;
}

}  // namespace

Json scene_of(const WorldDef& def) {
  Json flocks = Json::array();
  for (const FlockDef& f : def.flocks) {
    Json flock = {{"name", f.name}, {"airframe", f.airframe.name}, {"model", f.airframe.model}, {"controller", word(f.controller.kind)}};
    flock.update(shape_of(f.airframe));
    if (f.load) flock["body"]["load"] = f.load->size;
    if (const double radius = radius_of(f); radius > 0) flock["radius_m"] = radius;
    flocks.push_back(std::move(flock));
  }
  Json regions = Json::array();
  for (const RegionDef& r : def.regions) regions.push_back(region_of(r));
  const EnvironmentDef& e = def.environment;
  // of the first world, which is the one that is shown
  const Vec wind_W = weather::wind_of_world(e, math::world_key(def.seed, static_cast<std::uint32_t>(def.first_world), def.episode));
  Json scene = {{"flocks", std::move(flocks)}, {"ground", e.ground_height},     {"has_ground", e.ground}, {"wind", wind_W},
                {"gust_sigma", e.gust_sigma},  {"regions", std::move(regions)}, {"year", e.weather.year}};
  // noon is what nobody asked for: then the theme of the page decides how bright it is
  if (e.weather.time_of_day != WeatherDef{}.time_of_day) scene["time_of_day"] = e.weather.time_of_day;
  if (const auto& o = e.weather.origin) scene["origin"] = {{"latitude", o->latitude}, {"longitude", o->longitude}, {"height", o->height}};
  if (!def.tasks.empty()) scene["tasks"] = tasks_of(def);
  if (e.terrain != nullptr) scene["terrain"] = terrain_of(*e.terrain);
  if (e.obstacles != nullptr) scene["obstacles"] = obstacles_of(*e.obstacles);
  if (!e.structures.empty()) scene["structures"] = structures_of(e.structures);
  return scene;
}

}  // namespace volary::scenario
