// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The vehicles and tasks of the live world as JSON, for programs that poll instead of listening to the stream.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"
#include "server/body_text.hpp"
#include "server/senses_text.hpp"
#include "server/session.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

// a position is a value and the remainder that rounding took from it: clients get their sum
bool has_remainder(const std::string& column, std::size_t components) { return components == 6 && (column == "position" || column.ends_with(".position")); }

// the values of a column at a slot; of a single number, that number
Json value_at(const View& view, const std::string& column, std::size_t slot) {
  const std::size_t rows = view.shape[2], n = has_remainder(column, rows) ? 3 : rows;
  if (n == 1) return view.at(slot);
  Json list = Json::array();
  for (std::size_t k = 0; k < n; ++k) list.push_back(view.at(slot, k) + (n < rows ? view.at(slot, n + k) : 0.0));
  return list;
}

Json vec_at(const World& world, const std::string& flock, const char* column, std::size_t slot) {
  const std::optional<View> view = world.find_view(flock, column);
  return view ? value_at(*view, column, slot) : Json({0.0, 0.0, 0.0});
}

Json columns_text(const std::vector<ColumnDoc>& columns) {
  Json list = Json::array();
  for (const ColumnDoc& c : columns)
    list.push_back({{"name", c.name}, {"unit", c.unit}, {"frame", c.frame}, {"components", has_remainder(c.name, static_cast<std::size_t>(c.components)) ? 3 : c.components}, {"description", c.doc}});
  return list;
}

Json parameters_text(const std::vector<ColumnDoc>& parameters) {
  Json list = Json::array();
  for (const ColumnDoc& p : parameters) list.push_back({{"name", p.name}, {"unit", p.unit}, {"components", p.components}, {"description", p.doc}});
  return list;
}

}  // namespace

// the entries of the roster that a query means, in its order
core::Result<std::vector<std::size_t>> Session::places_of(const VehicleQuery& q) const {
  std::vector<std::size_t> places;
  if (!q.flock.empty()) {
    std::vector<std::string> known;
    for (const FlockFacts& f : flocks_) known.push_back(f.name);
    if (std::find(known.begin(), known.end(), q.flock) == known.end())
      return core::Error{.message = "no flock is called '" + q.flock.substr(0, 60) + "'", .suggestion = core::did_you_mean(q.flock, known)};
  }
  const core::Result<std::vector<VehicleId>> ids = look_up(q.who);
  if (!ids) return ids.error();
  for (const VehicleId id : ids.value()) places.push_back(places_.at(id.value));
  if (q.who.empty())
    for (std::size_t k = 0; k < roster_.entries.size(); ++k) places.push_back(k);
  if (!q.flock.empty()) std::erase_if(places, [&](std::size_t k) { return flocks_[roster_.entries[k].flock].name != q.flock; });
  return places;
}

// each column must be known to one of the flocks at least
core::Status Session::check_columns(const VehicleQuery& q, const std::vector<std::size_t>& places) const {
  std::set<std::uint32_t> of;
  if (const core::Status shared = check_shared_columns(q); !shared) return shared;
  for (const std::size_t k : places) of.insert(roster_.entries[k].flock);
  for (const std::string& column : q.columns) {
    std::vector<std::string> known;
    for (const std::uint32_t f : of)
      for (const ColumnDoc& c : world_->columns(flocks_[f].name)) known.push_back(c.name);
    if (!places.empty() && std::find(known.begin(), known.end(), column) == known.end())
      return core::Error{.message = "no such column '" + column.substr(0, 60) + "'", .field = "columns", .suggestion = core::did_you_mean(column, known)};
  }
  return core::ok();
}

Json Session::vehicle_text(std::size_t place, const std::vector<std::string>& columns) const {
  const RosterEntry& e = roster_.entries[place];
  const std::string& flock = flocks_[e.flock].name;
  const char* const state = e.diverged || !world_->is_alive(e.id) ? "diverged" : world_->has_crashed(e.id) ? "crashed" : "active";
  Json v = {{"id", e.id.number()},
            {"name", e.name},
            {"flock", flock},
            {"world", world_->world_of(e.id)},
            {"state", state},
            {"mode", wire::kModes[static_cast<std::size_t>(world_->mode_of(e.id))]},
            {"position", vec_at(*world_, flock, "position", e.slot)},
            {"velocity", vec_at(*world_, flock, "velocity", e.slot)},
            {"manual", leases_.contains(e.id)}};
  if (const auto goal = goals_.find(e.id); goal != goals_.end()) v["goal"] = goal->second;
  if (columns.empty()) return v;
  Json values = Json::object();
  for (const std::string& name : columns)
    if (const std::optional<View> view = world_->find_view(flock, name)) values[name] = value_at(*view, name, e.slot);
  v["columns"] = std::move(values);
  return v;
}

core::Result<std::string> Session::vehicles_text(const VehicleQuery& q) const {
  const core::Result<std::vector<std::size_t>> found = places_of(q);
  if (!found) return found.error();
  const std::vector<std::size_t>& places = found.value();
  if (const core::Status known = check_columns(q, places); !known) return known.error();
  Json list = Json::array();
  for (std::size_t k = q.offset; k < places.size() && list.size() < q.limit; ++k) list.push_back(vehicle_text(places[k], q.columns));
  Json answer = {{"tick", world_->tick()}, {"time", world_->time()}, {"total", places.size()}, {"vehicles", std::move(list)}};
  if (!q.columns.empty()) return dump(answer);
  Json flocks = Json::array();
  for (const FlockFacts& f : flocks_)
    if (q.flock.empty() || f.name == q.flock)
      flocks.push_back({{"name", f.name}, {"model", f.model}, {"columns", columns_text(world_->columns(f.name))}, {"parameters", parameters_text(world_->parameters(f.name))}});
  answer["flocks"] = std::move(flocks);
  return dump(answer);
}

core::Result<std::string> Session::senses_text(const std::string& who) const {
  const core::Result<std::vector<VehicleId>> ids = look_up({who});
  if (!ids) return ids.error();
  const VehicleId id = ids.value().front();
  const RosterEntry& e = roster_.entries[places_.at(id.value)];
  if (e.diverged || !world_->is_alive(id)) return core::Error{.message = e.name + " diverged and is out of the run"};
  Json answer = is_federation() ? Json{{"id", id_text(id)}, {"sensors", Json::array()}} : SenseViews(*world_, e.flock).of(id, e.slot);
  answer["id"] = id.number();
  answer["tick"] = world_->tick();
  answer["time"] = world_->time();
  answer["name"] = e.name;
  answer["condition"] = name_of(world_->condition_of(id));
  answer["failsafe"] = "none";
  for (const Trouble& t : world_->troubles())
    if (t.vehicle == id) answer["failsafe"] = name_of(t.failsafe);
  Json faults = Json::array(), components = Json::array();
  for (const SetFault& f : world_->faults_of(id)) faults.push_back(fault_json(f));
  for (const ComponentDoc& c : world_->components_of(id)) components.push_back(component_json(c));
  answer["faults"] = std::move(faults);
  answer["components"] = std::move(components);
  return dump(answer);
}

core::Result<std::string> Session::contacts_text(const std::string& who) const {
  const core::Result<std::vector<VehicleId>> ids = look_up({who});
  if (!ids) return ids.error();
  const VehicleId id = ids.value().front();
  const RosterEntry& e = roster_.entries[places_.at(id.value)];
  if (e.diverged || !world_->is_alive(id)) return core::Error{.message = e.name + " diverged and is out of the run"};
  Json answer = {{"id", id.number()}, {"tick", world_->tick()}, {"time", world_->time()}, {"name", e.name}, {"contacts", contacts_json(world_->contacts_of(id))}};
  if (const VehicleId holder = world_->held_by(id)) answer["held_by"] = holder.number();
  return dump(answer);
}

std::string Session::tasks_text() const {
  return dump(Json{{"tick", world_->tick()}, {"time", world_->time()}, {"tasks", tasks_json(world_->standings())}});
}

}  // namespace volary::server
