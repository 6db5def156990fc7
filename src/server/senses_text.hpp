// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the sensors of vehicles say and what their estimators make of it, as `Estimate` of schema/wire.json.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "volary/world.hpp"

namespace volary::server {

// The columns of one flock, found once for all of its vehicles.
class SenseViews {
 public:
  SenseViews(const World& world, std::size_t flock);  // index in World::flocks()
  bool has_any() const { return !sensors_.empty() || is_estimated_; }
  nlohmann::json of(VehicleId id, std::size_t slot) const;

 private:
  struct Sensor {
    std::string name;
    std::optional<View> tick, valid, nis, refused;
  };
  nlohmann::json state_of(const Sensor& sensor, std::size_t slot, std::uint32_t world) const;
  nlohmann::json covariance_at(std::size_t slot) const;

  const World* world_;
  bool is_estimated_ = false;
  std::vector<Sensor> sensors_;
  std::optional<View> position_, velocity_, attitude_, covariance_, deviation_, health_;
};

nlohmann::json fault_json(const SetFault& fault);
nlohmann::json component_json(const ComponentDoc& component);
const char* name_of(Condition condition);
const char* name_of(FailsafeAction action);

}  // namespace volary::server
