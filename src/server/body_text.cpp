// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/body_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control/names.hpp"
#include "server/action.hpp"
#include "server/brief.hpp"
#include "math/vec.hpp"
#include "vehicles/slung_load.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostContacts = 64;  // of one vehicle in one message

// a place in the frame of a body, in the world
math::Vec3<double> in_world(const View& position, const View& attitude, std::size_t slot, const math::Vec3<double>& place) {
  const math::Quat<double> q{attitude.at(slot, 0), attitude.at(slot, 1), attitude.at(slot, 2), attitude.at(slot, 3)};
  return math::Vec3<double>{position.at(slot, 0), position.at(slot, 1), position.at(slot, 2)} + math::rotation_matrix(q) * place;
}

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
  if (const FlockDef& f = world.def().flocks[flock]; f.load) find_load(name, *f.load);
}

void BodyViews::find_load(const std::string& flock, const LoadDef& def) {
  const World& w = *world_;
  load_ = Load{def.cable.attach_B, w.view(flock, "load.position"), w.view(flock, "load.attitude"), {}};
  std::vector<std::string> carriers = {flock};
  carriers.insert(carriers.end(), def.with.begin(), def.with.end());
  const std::vector<airframe::Place> hooks = airframe::hooks_of(def);
  for (std::size_t k = 0; k < carriers.size(); ++k) {
    const std::string& name = carriers[k];
    load_->cables.push_back({{hooks[k].x, hooks[k].y, hooks[k].z}, w.view(name, "position"), w.view(name, "attitude"), w.view(name, "cable.tension")});
  }
}

void BodyViews::add_load(Json& one, std::size_t slot) const {
  Json &pose = one["load"] = Json::array(), &cables = one["cables"] = Json::array();
  for (std::size_t k = 0; k < 3; ++k) pose.push_back(brief(load_->position.at(slot, k), kPlaceDigits));
  for (std::size_t k = 0; k < 4; ++k) pose.push_back(brief(load_->attitude.at(slot, k)));
  const Vec& a = load_->attach_B;
  for (const Cable& c : load_->cables) {
    const math::Vec3<double> upper = in_world(c.position, c.attitude, slot, {a[0], a[1], a[2]});
    const math::Vec3<double> hook = in_world(load_->position, load_->attitude, slot, {c.hook_L[0], c.hook_L[1], c.hook_L[2]});
    for (const double x : {upper.x, upper.y, upper.z, hook.x, hook.y, hook.z}) cables.push_back(brief(x, kPlaceDigits));
    cables.push_back(brief(c.tension.at(slot, 0)));
  }
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
  if (load_) add_load(one, slot);
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
