// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/stimulus_fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "server/swarm_box.hpp"

namespace volary::server {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostNodes = 49, kFewestNodes = 13;  // a side
constexpr std::size_t kMostLooks = 150'000;                // nodes times sources: a few ten milliseconds
constexpr double kDecades = 6;                             // below the strongest that are still told apart

// two digits each: 00 is nothing, 01 to ff the decades from low to high
std::string digits_of(const std::vector<double>& values, double low) {
  std::string digits;
  for (const double v : values) {
    const double part = v > low ? math::log(v / low) / (kDecades * 2.302585092994046) : -1;
    digits += fmt::format("{:02x}", part < 0 ? 0u : static_cast<unsigned>(1 + std::min(254.0, 254 * part)));
  }
  return digits;
}

Json field_of(const World& world, const StimulusKind& kind, const Places& places) {
  const SwarmBox box = SwarmBox::about(world);  // the sources are vehicles too
  std::size_t side = kMostNodes;
  while (side > kFewestNodes && side * side * kind.sources.size() > kMostLooks) side -= 4;
  const double step[2] = {(box.high[0] - box.low[0]) / static_cast<double>(side - 1), (box.high[1] - box.low[1]) / static_cast<double>(side - 1)};
  std::vector<double> values;
  for (std::size_t r = 0; r < side; ++r)
    for (std::size_t c = 0; c < side; ++c) {
      const double east = box.low[0] + step[0] * static_cast<double>(c), north = box.low[1] + step[1] * static_cast<double>(r);
      values.push_back(world.stimulus_at(kind.name, {east, north, ground_at(world.def().environment, east, north) + kFieldHeight}));
    }
  const double high = *std::max_element(values.begin(), values.end()), low = high * 1e-6;
  Json sources = Json::array();
  for (const VehicleId id : kind.sources)
    if (const auto it = places.find(id.value); it != places.end()) sources.push_back(it->second);
  return {{"kind", kind.name},
          {"unit", kind.unit},
          {"sources", std::move(sources)},
          {"up", kFieldHeight},
          {"columns", side},
          {"rows", side},
          {"east", box.low[0]},
          {"north", box.low[1]},
          {"step_east", step[0]},
          {"step_north", step[1]},
          {"low", low},
          {"high", high},
          {"levels", digits_of(values, low)}};
}

}  // namespace

Json stimuli_of(const World& world, const Places& places) {
  Json list = Json::array();
  for (const StimulusKind& kind : world.stimuli()) list.push_back(field_of(world, kind, places));
  return list;
}

}  // namespace volary::server
