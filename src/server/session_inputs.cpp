// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plain inputs of the engine, as clients give them: setpoints of every level, trajectories, states, parameters, forces, failures.
#include <algorithm>

#include <fmt/format.h>

#include "core/suggest.hpp"
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

// whether who is flown by hand or on the way to a goal is so no more
bool Session::steers(const Payload& payload) {
  if (const auto* bulk = std::get_if<SetMany>(&payload)) return bulk->what <= Many::State;
  return std::holds_alternative<SetMode>(payload) || std::holds_alternative<SetSetpoint>(payload) || std::holds_alternative<SetPose>(payload) ||
         std::holds_alternative<SetState>(payload) || std::holds_alternative<Remove>(payload) || std::holds_alternative<Detach>(payload);
}

// Whether an input can be given to these vehicles now.
core::Status Session::check_payload(const Payload& payload, const std::vector<VehicleId>& ids) const {
  const auto* spawned = std::get_if<Spawn>(&payload);
  const bool for_all = std::holds_alternative<SetMany>(payload) || std::holds_alternative<SetWind>(payload) || std::holds_alternative<SetField>(payload) ||
                       std::holds_alternative<Assign>(payload);
  if (std::holds_alternative<Assign>(payload) && !ids.empty()) return refuse("assign names vehicles by flock and place and takes no ids");
  if (spawned != nullptr && !ids.empty()) return refuse("spawn makes a new vehicle and takes no ids");
  if (spawned == nullptr && !for_all && ids.empty()) return refuse("ids: is missing", "name the vehicles it is for");
  if (spawned != nullptr)
    if (const core::Status good = check_new(spawned->vehicle.name); !good) return good;
  for (const VehicleId id : targets_of(payload, ids))
    if (const std::string why = world_->why_not({.target = id, .payload = payload}); !why.empty()) return refuse(why);
  return core::ok();
}

// A component that one of the vehicles does not have would fail in silence.
core::Status Session::set_fault(std::uint32_t client, const Action& a) {
  const auto& fault = std::get<SetFault>(a.payload);
  for (const VehicleId id : a.ids) {
    std::vector<std::string> known;
    for (const ComponentDoc& c : world_->components_of(id)) known.push_back(c.name);
    if (std::find(known.begin(), known.end(), fault.component) != known.end()) continue;
    return refuse(fmt::format("{} has no component '{}'", find(id)->name, fault.component), core::did_you_mean(fault.component, known));
  }
  return give_input(client, a, a.payload);
}

core::Status Session::check_steered(std::uint32_t client, const std::vector<VehicleId>& ids) const {
  for (const VehicleId id : ids)
    if (const auto lease = leases_.find(id); lease != leases_.end() && lease->second.client != client)
      return refuse(find(id)->name + " is flown by hand by another client");
  return core::ok();
}

// One input for each vehicle, a bulk payload for all of them; a series at several ticks. First all checks, then all effects.
core::Status Session::give_input(std::uint32_t client, const Action& a, Payload payload) {
  if (a.tick != 0 && a.tick < world_->tick()) return refuse(fmt::format("tick {} has passed: the next one is {}", a.tick, world_->tick()));
  const std::uint64_t now = std::max(a.tick, world_->tick());
  const double tick_s = static_cast<double>(world_->def().tick_ns) * 1e-9;
  std::vector<std::pair<std::uint64_t, Payload>> given;
  if (a.series.empty()) given.push_back({now, std::move(payload)});
  for (const Action::Moment& m : a.series) given.push_back({now + static_cast<std::uint64_t>(math::round(m.after / tick_s)), m.payload});
  std::vector<VehicleId> steered;
  for (auto& [tick, each] : given) {
    auto* bulk = std::get_if<SetMany>(&each);
    if (bulk != nullptr) bulk->ids = a.ids;
    if (!a.series.empty() && std::holds_alternative<Spawn>(each)) return refuse("spawn makes one vehicle and takes no series");
    if (const core::Status good = check_payload(each, a.ids); !good) return good;
    if (!steers(each)) continue;
    // without ids a bulk payload is for the whole flock, also for those that another client flies
    const std::vector<VehicleId> these = bulk != nullptr && a.ids.empty() ? world_->vehicles(bulk->flock) : a.ids;
    if (const core::Status free = check_steered(client, these); !free) return free;
    if (steered != these) steered.insert(steered.end(), these.begin(), these.end());
  }
  for (const VehicleId id : steered) {
    if (leases_.contains(id)) end_lease(id, false);
    forget_plans(id);
  }
  if (const auto* spawned = std::get_if<Spawn>(&given.front().second)) return submit_new(client, *spawned, now), core::ok();
  for (const auto& [tick, each] : given)
    for (const VehicleId id : targets_of(each, a.ids)) submit(client, id, each, tick);
  return core::ok();
}

}  // namespace volary::server
