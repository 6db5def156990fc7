// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people see of vehicles that are several bodies, touch things or carry loads, as `BodyState` of schema/wire.json: the attitudes of the aircraft, the push from
// outside as it is measured, filtered, estimated and commanded, the reaction to it, the contacts, who holds the vehicle, and the load with its cables.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "volary/world.hpp"

namespace volary::server {

// The columns of one flock, found once for all of its vehicles.
class BodyViews {
 public:
  BodyViews(const World& world, std::size_t flock);  // index in World::flocks()
  bool has_any() const { return !parts_.empty() || !wrenches_.empty() || load_.has_value(); }
  nlohmann::json of(VehicleId id, std::size_t slot) const;

 private:
  struct Cable {
    Vec hook_L;  // m
    View position, attitude, tension;  // of its carrier
  };
  struct Load {
    Vec attach_B;  // m
    View position, attitude;
    std::vector<Cable> cables;
  };
  void find_load(const std::string& flock, const LoadDef& def);
  void add_load(nlohmann::json& one, std::size_t slot) const;

  const World* world_;
  std::vector<View> parts_;  // attitudes
  std::vector<std::pair<const char*, View>> wrenches_;
  std::optional<Load> load_;  // of the flock that has it
  std::optional<View> reaction_;
};

// [{point, force}]: where a vehicle touches something, in m and N
nlohmann::json contacts_json(const std::vector<ContactPoint>& contacts);
// flocks whose vehicles a latch can join with another one, in the order of World::flocks()
std::vector<bool> docking_flocks(const WorldDef& def);

}  // namespace volary::server
