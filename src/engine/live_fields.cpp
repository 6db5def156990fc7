// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/live_fields.hpp"

#include <algorithm>

#include "core/list_fields.hpp"
#include "engine/data.hpp"
#include "environment/weather.hpp"
#include "math/hash.hpp"
#include "swarm/change_field.hpp"

namespace volary::engine {

namespace {

constexpr std::string_view kRadio = "radio.", kEnvironment = "environment.";

// everything that can be changed
struct Definitions {
  RadioDef radio;
  EnvironmentDef environment;
  std::vector<NodeDef> nodes;
};
Definitions of_start(const Data& d) {
  Definitions all{d.def.radio, d.def.environment, {}};
  for (const FlockDef& f : d.def.flocks) all.nodes.push_back(f.node);
  return all;
}
core::Status change(const Data& d, Definitions& all, const LiveField& field) {
  if (field.flock == LiveField::kMedium) {
    if (d.air.medium == nullptr) return core::Error{.message = "no vehicle in this world has a radio", .field = "radio"};
    return swarm::change_radio(all.radio, field.path, field.value);
  }
  if (field.flock == LiveField::kEnvironment) {
    core::Status done = weather::change(all.environment, field.path, field.value);
    if (done) return done;
    core::Error error = done.error();
    error.field = std::string(kEnvironment) + error.field;
    return error;
  }
  if (field.flock >= all.nodes.size()) return core::Error{.message = "there is no such flock"};
  const core::Result<std::string> done = swarm::change_node(all.nodes[field.flock], field.path, field.value);
  return done ? core::ok() : core::Status(done.error());
}

void use(Data& d, std::size_t flock, NodeDef node) {
  d.flocks[flock].def.node = std::move(node);
  read_rates(d.flocks[flock], d.societies[flock]);
}
void use(Data& d, const RadioDef& radio) {
  d.air.rules = radio;
  d.air.medium->reconfigure(medium_rules(d, radio));
}

// one that is changed again and again, as with a slider, is remembered once
void remember(Data& d, LiveField field) {
  if (!d.live.empty() && d.live.back().flock == field.flock && d.live.back().path == field.path) d.live.pop_back();
  d.live.push_back(std::move(field));
}

core::Status set_radio(Data& d, const std::string& path, const std::string& value) {
  LiveField field{LiveField::kMedium, path, value};
  Definitions all{d.air.rules, {}, {}};
  if (const core::Status done = change(d, all, field); !done) return done;
  use(d, all.radio);
  remember(d, std::move(field));
  return core::ok();
}

core::Status set_environment(Data& d, const std::string& path, const std::string& value) {
  LiveField field{LiveField::kEnvironment, path, value};
  Definitions all{{}, d.weather.rules, {}};
  if (const core::Status done = change(d, all, field); !done) return done;
  const bool was_on = d.weather.is_on;
  use_environment(d, all.environment);
  if (path == "wind" || was_on) tell_plain_air(d);
  if (path == "gust_sigma" && all.environment.gust_sigma == 0) still_gusts(d);
  remember(d, std::move(field));
  return core::ok();
}

core::Status set_node(Data& d, std::size_t flock, const SetField& p) {
  NodeDef node = d.flocks[flock].def.node;
  const core::Result<std::string> path = swarm::change_node(node, p.path, p.value);
  if (!path) return path.error();
  use(d, flock, std::move(node));
  remember(d, {static_cast<std::uint32_t>(flock), path.value(), p.value});
  // a weight is every vehicle's own: from now on this one, as for those that join later
  ++d.traits_version;
  Society& s = d.societies[flock];
  const std::size_t kinds = s.library.size();
  for (std::size_t k = 0; k < kinds; ++k)
    if (path.value() == "behaviours[" + std::to_string(k) + "].weight")
      for (std::size_t at = k; at < s.weights.size(); at += kinds) s.weights[at] = d.flocks[flock].def.node.behaviours[k].weight;
  return core::ok();
}

// of two flocks that refuse, the one that had more of the path says why, or the last
bool knows_more(const core::Error& a, const core::Error& b) { return a.field.size() >= b.field.size(); }

// of the target's flock; without a target of every flock that has it
core::Status set_nodes(Data& d, VehicleId target, const SetField& p) {
  if (target) {
    const Location* l = locate(d, target);
    return l == nullptr ? core::Status(core::Error{.message = "for a vehicle that does not exist", .field = p.path}) : set_node(d, l->flock, p);
  }
  core::Error refused{.message = "there is no flock that has it"};
  bool any = false;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const core::Status done = set_node(d, k, p);
    any = any || static_cast<bool>(done);
    if (!done && knows_more(done.error(), refused)) refused = done.error();
  }
  return any ? core::ok() : core::Status(refused);
}

}  // namespace

void set_wind(Data& d, const Vec& wind_W) {
  std::string text;
  for (const double x : wind_W) text += (text.empty() ? "[" : ", ") + core::in_shortest(x);
  if (const core::Status done = set_environment(d, "wind", text + "]"); !done) add_event(d, {}, "", "refused: " + done.error().text());
}

void set_live(Data& d, VehicleId target, const SetField& p) {
  const bool of_radio = p.path.starts_with(kRadio), of_environment = p.path.starts_with(kEnvironment);
  const core::Status done = of_radio         ? set_radio(d, p.path.substr(kRadio.size()), p.value)
                            : of_environment ? set_environment(d, p.path.substr(kEnvironment.size()), p.value)
                                             : set_nodes(d, target, p);
  const Location* l = of_radio || of_environment || !target ? nullptr : locate(d, target);
  const VehicleId whose = l == nullptr ? VehicleId{} : target;
  const std::string name = l == nullptr ? "" : d.flocks[l->flock].names[l->slot];
  add_event(d, whose, name, done ? "set: " + p.path + " to " + p.value : "refused: " + done.error().text());
}

std::string why_not(const Data& d, VehicleId target, const SetField& p) {
  const bool of_radio = p.path.starts_with(kRadio);
  if (of_radio || p.path.starts_with(kEnvironment)) {
    Definitions all{d.air.rules, d.weather.rules, {}};
    const std::string path = p.path.substr((of_radio ? kRadio : kEnvironment).size());
    const core::Status done = change(d, all, {of_radio ? LiveField::kMedium : LiveField::kEnvironment, path, p.value});
    return done ? "" : done.error().text();
  }
  const Location* l = locate(d, target);
  if (target && l == nullptr) return p.path + ": for a vehicle that does not exist";
  core::Error refused{.message = "there is no flock that has it"};
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    if (l != nullptr && l->flock != k) continue;
    NodeDef node = d.flocks[k].def.node;
    const core::Result<std::string> done = swarm::change_node(node, p.path, p.value);
    if (done) return "";
    if (knows_more(done.error(), refused)) refused = done.error();
  }
  return refused.text();
}

bool live_fits(const Data& d, std::span<const LiveField> fields) {
  Definitions all = of_start(d);
  return std::all_of(fields.begin(), fields.end(), [&](const LiveField& f) { return static_cast<bool>(change(d, all, f)); });
}

void restore_live(Data& d, std::vector<LiveField> fields) {
  if (d.live == fields) return;
  Definitions all = of_start(d);
  for (const LiveField& f : fields) core::require(static_cast<bool>(change(d, all, f)), "a snapshot with changes that do not fit this world");
  for (std::size_t k = 0; k < all.nodes.size(); ++k) use(d, k, std::move(all.nodes[k]));
  if (d.air.medium != nullptr) use(d, all.radio);
  use_environment(d, all.environment);
  d.live = std::move(fields);
}

std::uint64_t hash_live(const Data& d) {
  std::uint64_t h = 0;
  const auto add = [&](const std::string& text) {
    for (const char c : text) h = math::mix64(h ^ static_cast<unsigned char>(c));
    h = math::mix64(h ^ (text.size() + 0x9e3779b97f4a7c15ull));
  };
  for (const LiveField& f : d.live) {
    h = math::mix64(h ^ (f.flock + 1ull));
    add(f.path), add(f.value);
  }
  return h;
}

}  // namespace volary::engine
