// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/senses_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "server/action.hpp"
#include "server/brief.hpp"
#include "vehicles/components.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

// a value and the remainder that rounding took from it
Json place_at(const View& view, std::size_t slot) {
  Json list = Json::array();
  for (std::size_t k = 0; k < 3; ++k) list.push_back(brief(view.at(slot, k) + (view.shape[2] == 6 ? view.at(slot, 3 + k) : 0.0), kPlaceDigits));
  return list;
}

}  // namespace

SenseViews::SenseViews(const World& world, std::size_t flock) : world_(&world) {
  const FlockDef& def = world.def().flocks[flock];
  const auto find = [&](const std::string& column) { return world.find_view(def.name, column); };
  std::vector<std::string> known;
  for (const ColumnDoc& c : world.columns(def.name)) known.push_back(c.name);
  // one of them has it: a sensor is a column `valid`, but for the IMU, whose readings are never lost
  if (def.sensors.imu) sensors_.push_back({"imu", {}, {}, {}, {}});
  for (const std::string& column : known)
    if (column.ends_with(".valid")) {
      const std::string name = column.substr(0, column.size() - 6);
      sensors_.push_back({name, find(name + ".tick"), find(column), find(name + ".nis"), find(name + ".refused")});
    }
  is_estimated_ = def.estimator.kind != EstimatorKind::None;
  if (!is_estimated_) return;
  position_ = find("estimate.position"), velocity_ = find("estimate.velocity"), attitude_ = find("estimate.attitude");
  covariance_ = find("filter.covariance"), deviation_ = find("estimate.position_std"), health_ = find("filter.health");
}

// Of the position: xx, xy, xz, yy, yz, zz. The filter's states 6 to 8; its upper triangle is stored row by row.
Json SenseViews::covariance_at(std::size_t slot) const {
  Json list = Json::array();
  if (covariance_) {
    std::size_t n = 0;
    while (n * (n + 1) / 2 < covariance_->shape[2]) ++n;
    for (std::size_t i = 6; i < 9; ++i)
      for (std::size_t j = i; j < 9; ++j) list.push_back(brief(covariance_->at(slot, i * n - i * (i - 1) / 2 + j - i)));
    return list;
  }
  // another source tells standard deviations alone
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) list.push_back(i == j ? brief(deviation_->at(slot, i) * deviation_->at(slot, i)) : 0.0);
  return list;
}

Json SenseViews::state_of(const Sensor& s, std::size_t slot, std::uint32_t world) const {
  Json one = {{"name", s.name}, {"valid", !s.valid || s.valid->at(slot) != 0}};
  if (s.tick) {
    // the low half of the tick is kept
    const auto tick = static_cast<std::uint32_t>(static_cast<std::uint64_t>(s.tick->at(slot)));
    const std::uint32_t past = static_cast<std::uint32_t>(world_->tick_of_world(world)) - tick;
    one["tick"] = tick;
    one["age"] = brief(static_cast<double>(past) * static_cast<double>(world_->def().tick_ns) * 1e-9);
  }
  if (s.nis) one["nis"] = brief(s.nis->at(slot));
  if (s.refused) one["refused"] = brief(s.refused->at(slot));
  return one;
}

Json SenseViews::of(VehicleId id, std::size_t slot) const {
  const std::vector<std::string> carried = world_->sensors_of(id);
  Json sensors = Json::array();
  for (const Sensor& s : sensors_)
    if (std::find(carried.begin(), carried.end(), s.name) != carried.end()) sensors.push_back(state_of(s, slot, world_->world_of(id)));
  Json one = {{"id", id_text(id)}, {"sensors", std::move(sensors)}};
  if (!position_ || !velocity_ || !attitude_) return one;
  one["position"] = place_at(*position_, slot);
  one["velocity"] = list_at(*velocity_, slot, 3);
  one["attitude"] = list_at(*attitude_, slot, 4);
  if (covariance_ || deviation_) one["covariance"] = covariance_at(slot);
  if (health_) one["health"] = static_cast<std::int64_t>(health_->at(slot));
  return one;
}

// ---------------------------------------------------------------- faults and conditions

Json fault_json(const SetFault& p) {
  return {{"component", p.component}, {"kind", names(p.kind)[static_cast<std::size_t>(p.kind)]}, {"amount", p.amount},     {"probability", p.probability},
          {"mean_on", p.mean_on},     {"mean_off", p.mean_off},                                  {"duration", p.duration}};
}

Json component_json(const ComponentDoc& c) {
  Json kinds = Json::array();
  for (const FaultKind k : c.kinds) kinds.push_back(names(k)[static_cast<std::size_t>(k)]);
  return {{"name", c.name}, {"unit", c.unit}, {"kinds", std::move(kinds)}};
}

const char* name_of(Condition c) {
  constexpr const char* kNames[] = {"fine", "tipped_over", "upside_down", "stuck", "crashed"};
  return kNames[static_cast<std::size_t>(c)];
}
const char* name_of(FailsafeAction a) {
  constexpr const char* kNames[] = {"none", "hold", "return", "land", "stop"};
  return kNames[static_cast<std::size_t>(a)];
}

}  // namespace volary::server
