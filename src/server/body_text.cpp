// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/body_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control/names.hpp"
#include "server/action.hpp"
#include "server/brief.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostContacts = 64;  // of one vehicle in one message

Json vec_json(const Vec& v, int digits) { return {brief(v[0], digits), brief(v[1], digits), brief(v[2], digits)}; }

}  // namespace

BodyViews::BodyViews(const World& world, std::size_t flock) : world_(&world) {
  const std::string& name = world.def().flocks[flock].name;
  for (int k = 1; const std::optional<View> part = world.find_view(name, fmt::format("part{}.attitude", k)); ++k) parts_.push_back(*part);
  const std::pair<const char*, const char*> columns[] = {
      {"wrench", "wrench"}, {"felt", "wrench_felt"}, {"estimated", "wrench_estimate"}, {"commanded", "setpoint.wrench"}};
  for (const auto& [field, column] : columns)
    if (const std::optional<View> view = world.find_view(name, column)) wrenches_.emplace_back(field, *view);
  reaction_ = world.find_view(name, "setpoint.reaction");
}

Json BodyViews::of(VehicleId id, std::size_t slot) const {
  Json one = {{"id", id_text(id)}};
  if (!parts_.empty()) {
    Json& all = one["parts"] = Json::array();
    for (const View& part : parts_)
      for (std::size_t k = 0; k < 4; ++k) all.push_back(brief(part.at(slot, k)));
  }
  for (const auto& [field, view] : wrenches_) one[field] = list_at(view, slot, 6);
  if (reaction_) one["reaction"] = names(Reaction{})[static_cast<std::size_t>(reaction_->at(slot))];
  if (const std::vector<ContactPoint> contacts = world_->contacts_of(id); !contacts.empty()) {
    Json& all = one["contacts"] = Json::array();
    for (std::size_t c = 0; c < std::min(contacts.size(), kMostContacts); ++c)
      for (std::size_t k = 0; k < 6; ++k) all.push_back(k < 3 ? brief(contacts[c].point_W[k], kPlaceDigits) : brief(contacts[c].force_W[k - 3]));
  }
  if (const VehicleId holder = world_->held_by(id)) one["held_by"] = id_text(holder);
  return one;
}

Json contacts_json(const std::vector<ContactPoint>& contacts) {
  Json list = Json::array();
  for (const ContactPoint& c : contacts) list.push_back({{"point", vec_json(c.point_W, kPlaceDigits)}, {"force", vec_json(c.force_W, kDigits)}});
  return list;
}

std::vector<bool> docking_flocks(const WorldDef& def) {
  const auto docks = [&](const FlockDef& f) {
    const auto names_it = [&](const FlockDef& other) { return !f.name.empty() && other.docking.with == f.name; };
    return !f.docking.with.empty() || std::any_of(def.flocks.begin(), def.flocks.end(), names_it);
  };
  std::vector<bool> all;
  for (const FlockDef& f : def.flocks) all.push_back(docks(f));
  return all;
}

}  // namespace volary::server
