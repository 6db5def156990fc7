// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/environment_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "environment/weather.hpp"
#include "scenario/field_error.hpp"
#include "scenario/places.hpp"
#include "scenario/wind_field_file.hpp"

namespace volary::scenario {

namespace {

constexpr double kRadiansPerDegree = 0.017453292519943295;

// a map that knows where it lies lies where the world does
core::Status check_map(const TerrainFile& terrain, const OriginDef& origin) {
  const auto differs = [&](const char* kind, double latitude, double longitude) -> core::Status {
    if (math::abs(latitude - origin.latitude) < 1e-6 && math::abs(longitude - origin.longitude) < 1e-6) return core::ok();
    return error_at(fmt::format("terrain.{}.latitude", kind),
                    fmt::format("{}, {} is not where environment.origin is, {}, {}", latitude, longitude, origin.latitude, origin.longitude),
                    "write the same origin twice");
  };
  if (terrain.srtm) return differs("srtm", terrain.srtm->latitude, terrain.srtm->longitude);
  if (terrain.geotiff && terrain.geotiff->latitude && terrain.geotiff->longitude)
    return differs("geotiff", *terrain.geotiff->latitude, *terrain.geotiff->longitude);
  return core::ok();
}

}  // namespace

void choose_gravity(EnvironmentDef& e, bool is_given) {
  if (!is_given && e.weather.origin) e.gravity = environment::normal_gravity(e.weather.origin->latitude * kRadiansPerDegree, e.weather.origin->height);
}

core::Result<EnvironmentDef> make_environment(const ScenarioFile& file, const std::string& folder, const std::string& assets, const Files& files) {
  EnvironmentDef e = file.environment;
  if (!e.weather.wind_field.empty()) {
    const core::Result<Places::Found> found = Places{folder, assets, "wind", files}.read(e.weather.wind_field, "environment.wind_field");
    if (!found) return found.error();
    core::Result<std::shared_ptr<const wind_field::Grid>> grid = read_wind_field(found.value().bytes, found.value().path);
    // what is wrong with all of a file is told where the scenario names it
    if (!grid && grid.error().line == 0) {
      const core::Error& error = grid.error();
      return error_in_file("environment.wind_field", found.value().path + ": " + (error.field.empty() ? "" : error.field + ": ") + error.message,
                           error.suggestion);
    }
    if (!grid) return grid.error();
    e.weather.grid = std::move(grid).value();
  }
  if (const core::Status sound = weather::check(e); !sound) {
    core::Error error = sound.error();
    error.field = "environment." + error.field;
    return error;
  }
  if (file.terrain && e.weather.origin)
    if (const core::Status same = check_map(*file.terrain, *e.weather.origin); !same) return same.error();
  return e;
}

}  // namespace volary::scenario
