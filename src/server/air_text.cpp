// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/air_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/set_field.hpp"
#include "math/scalar.hpp"
#include "server/swarm_box.hpp"

namespace volary::server {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostSide = 40, kMostHeights = 8;
constexpr double kFar = 1e6;  // m

core::Error wrong(const char* field, std::string message) { return core::Error{.message = std::move(message), .field = field}; }

// "10,50,150"
core::Result<std::vector<double>> numbers_of(std::string_view text, const char* field, std::size_t most) {
  std::vector<double> list;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    double x = 0;
    if (!core::parse_number(text.substr(0, comma), x) || !(math::abs(x) <= kFar))
      return wrong(field, "must be numbers of at most a million, with commas between");
    list.push_back(x);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (list.empty() || list.size() > most) return wrong(field, fmt::format("must be 1 to {} numbers", most));
  return list;
}

Json of_middle(const AirSample& s) {
  return {{"wind", s.wind_W}, {"density", s.density}, {"temperature", s.temperature}, {"pressure", s.pressure}, {"magnetic", s.magnetic_W}};
}

}  // namespace

core::Result<AirQuery> parse_air_query(const Target& target) {
  AirQuery query;
  if (const std::string_view text = target.value("box"); !text.empty()) {
    const core::Result<std::vector<double>> list = numbers_of(text, "box", 4);
    if (!list) return list.error();
    const std::vector<double>& b = list.value();
    if (b.size() != 4 || !(b[0] < b[2]) || !(b[1] < b[3])) return wrong("box", "must be west,south,east,north");
    query.box = {b[0], b[1], b[2], b[3]};
  }
  if (const std::string_view text = target.value("heights"); !text.empty()) {
    core::Result<std::vector<double>> list = numbers_of(text, "heights", kMostHeights);
    if (!list) return list.error();
    query.heights = std::move(list).value();
  }
  for (const char* field : {"side", "world"}) {
    const std::string_view text = target.value(field);
    if (text.empty()) continue;
    const core::Result<std::vector<double>> list = numbers_of(text, field, 1);
    if (!list) return list.error();
    const double x = list.value()[0];
    const bool is_side = std::string_view(field) == "side";
    if (x != math::floor(x) || x < (is_side ? 2 : 0) || (is_side && x > static_cast<double>(kMostSide)))
      return wrong(field, is_side ? fmt::format("must be a whole number from 2 to {}", kMostSide) : "must be a whole number");
    if (is_side)
      query.side = static_cast<std::size_t>(x);
    else
      query.world = static_cast<std::uint32_t>(x);
  }
  return query;
}

std::string air_text(const World& world, const AirQuery& q) {
  const EnvironmentDef& e = world.environment();
  SwarmBox box = SwarmBox::about(world);
  if (q.box) box.low[0] = (*q.box)[0], box.low[1] = (*q.box)[1], box.high[0] = (*q.box)[2], box.high[1] = (*q.box)[3];
  const double steps = static_cast<double>(q.side - 1);
  Json wind = Json::array();
  for (const double height : q.heights)
    for (std::size_t r = 0; r < q.side; ++r)
      for (std::size_t c = 0; c < q.side; ++c) {
        const double east = box.low[0] + (box.high[0] - box.low[0]) * static_cast<double>(c) / steps;
        const double north = box.low[1] + (box.high[1] - box.low[1]) * static_cast<double>(r) / steps;
        const double up = ground_at(e, east, north) + height;
        const Vec w = world.air_at({east, north, up}, q.world).wind_W;
        wind.push_back({east, north, up, w[0], w[1], w[2]});
      }
  const double east = 0.5 * (box.low[0] + box.high[0]), north = 0.5 * (box.low[1] + box.high[1]);
  Json air = {{"time", world.time()},
              {"wind", std::move(wind)},
              {"middle", of_middle(world.air_at({east, north, ground_at(e, east, north) + q.heights[0]}, q.world))},
              {"year", e.weather.year},
              {"time_of_day", e.weather.time_of_day}};
  if (e.weather.origin)
    air["origin"] = {{"latitude", e.weather.origin->latitude}, {"longitude", e.weather.origin->longitude}, {"height", e.weather.origin->height}};
  return air.dump();
}

}  // namespace volary::server
