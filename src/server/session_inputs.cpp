// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plain inputs of the engine, as clients give them: setpoints of every level, trajectories, states, parameters, forces, failures.
#include <algorithm>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "server/session.hpp"

namespace volary::server {

namespace {

core::Error refuse(std::string message, std::string suggestion = "") { return core::Error{.message = std::move(message), .suggestion = std::move(suggestion)}; }

// a bulk payload names its vehicles itself, and what is for everything has no target
std::vector<VehicleId> targets_of(const Payload& payload, const std::vector<VehicleId>& ids) {
  return std::holds_alternative<SetMany>(payload) || ids.empty() ? std::vector<VehicleId>(1) : ids;
}

}  // namespace

// Whether an input can be given to these vehicles now.
core::Status Session::check_payload(const Payload& payload, const std::vector<VehicleId>& ids) const {
  const auto* spawned = std::get_if<Spawn>(&payload);
  const bool for_all = std::holds_alternative<SetMany>(payload) || std::holds_alternative<SetWind>(payload) || std::holds_alternative<SetField>(payload);
  if (spawned != nullptr && !ids.empty()) return refuse("spawn makes a new vehicle and takes no ids");
  if (spawned == nullptr && !for_all && ids.empty()) return refuse("ids: is missing", "name the vehicles it is for");
  if (spawned != nullptr)
    if (const core::Status good = check_new(spawned->vehicle.name); !good) return good;
  Input in;
  in.payload = payload;
  for (const VehicleId id : targets_of(payload, ids)) {
    in.target = id;
    if (const std::string why = world_->why_not(in); !why.empty()) return refuse(why);
  }
  return core::ok();
}

// One input for each vehicle, a bulk payload for all of them; a series at several ticks. First all checks, then all effects.
core::Status Session::give_input(std::uint32_t client, const Action& a) {
  const std::uint64_t now = std::max(a.tick, world_->tick());
  if (a.tick != 0 && a.tick < world_->tick()) return refuse(fmt::format("tick {} has passed: the next one is {}", a.tick, world_->tick()));
  const double tick_s = static_cast<double>(world_->def().tick_ns) * 1e-9;
  std::vector<std::pair<std::uint64_t, Payload>> given;
  if (a.series.empty()) given.push_back({now, a.payload});
  for (const Action::Moment& m : a.series) given.push_back({now + static_cast<std::uint64_t>(math::round(m.after / tick_s)), m.payload});
  for (auto& [tick, payload] : given) {
    if (auto* bulk = std::get_if<SetMany>(&payload)) bulk->ids = a.ids;
    if (!a.series.empty() && std::holds_alternative<Spawn>(payload)) return refuse("spawn makes one vehicle and takes no series");
    if (const core::Status good = check_payload(payload, a.ids); !good) return good;
  }
  const Payload& first = given.front().second;
  if (const auto* spawned = std::get_if<Spawn>(&first)) return submit_new(client, *spawned, now), core::ok();
  const bool moves = std::holds_alternative<SetMany>(first) || std::holds_alternative<SetMode>(first) || std::holds_alternative<SetSetpoint>(first) ||
                     std::holds_alternative<SetState>(first) || std::holds_alternative<Remove>(first);
  for (const VehicleId id : a.ids) {
    if (!moves) continue;
    if (leases_.contains(id)) end_lease(id, false);
    forget_plans(id);
  }
  for (const auto& [tick, payload] : given)
    for (const VehicleId id : targets_of(payload, a.ids)) submit(client, id, payload, tick);
  return core::ok();
}

}  // namespace volary::server
