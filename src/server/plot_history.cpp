// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/plot_history.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "server/action.hpp"
#include "server/wire.hpp"

namespace volary::server {

using Json = nlohmann::json;

void PlotHistory::note(const World& world) {
  for (const Plotted& p : world.plotted()) {
    const auto at = static_cast<std::uint32_t>(std::find(names_.begin(), names_.end(), p.name) - names_.begin());
    if (at == names_.size()) names_.push_back(p.name);
    samples_.push_back({p.vehicle, at, world.tick() - 1, p.value});
    ++end_;
  }
  while (samples_.size() > kMost) samples_.pop_front();
}

void PlotHistory::clear() {
  names_.clear();
  samples_.clear();
}

std::optional<std::string> PlotHistory::text(const std::vector<VehicleId>& vehicles, std::uint64_t& next) const {
  struct Series {
    Json ticks = Json::array(), values = Json::array();
  };
  std::map<std::pair<VehicleId, std::uint32_t>, Series> found;
  std::size_t told = 0;
  for (next = std::max(next, first()); next < end() && told < kMostTold; ++next) {
    const Sample& s = samples_[static_cast<std::size_t>(next - first())];
    if (std::find(vehicles.begin(), vehicles.end(), s.vehicle) == vehicles.end()) continue;
    Series& series = found[{s.vehicle, s.name}];
    series.ticks.push_back(s.tick);
    series.values.push_back(s.value);
    ++told;
  }
  if (found.empty()) return std::nullopt;
  Json list = Json::array();
  for (auto& [key, series] : found)
    list.push_back({{"id", id_text(key.first)}, {"name", names_[key.second]}, {"ticks", std::move(series.ticks)}, {"values", std::move(series.values)}});
  return dump(Json{{"type", wire::kPlots}, {"series", std::move(list)}});
}

}  // namespace volary::server
