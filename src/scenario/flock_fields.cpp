// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/flock_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults.hpp"
#include "scenario/field_error.hpp"
#include "vehicles/aircraft_def.hpp"

namespace volary::scenario {

namespace {

// what a model reads of a flock
struct Uses {
  const char* what;                      // the vehicle, in words
  std::vector<const char*> controller;   // fields of the flock's controller
  bool full_physics;
};

Uses uses_of(const Airframe& airframe) {
  if (airframe.model == "car") return {"a car", {"position_p", "velocity_p", "velocity_i", "max_speed"}, true};
  if (airframe.model == "platform") return {"a platform", {}, false};
  if (airframe.model != "aircraft") return {airframe.model == "balloon" ? "a balloon" : "a walker", {}, false};
  const auto& def = *static_cast<const airframe::AircraftDef*>(airframe.definition.get());
  if (def.rotors.size() < 2) return {"an aircraft that only wings carry", {}, false};
  // the multirotor it is in hover; set_hover_control() in vehicles/aircraft_control.hpp has its own tilt
  return {"an aircraft with lift rotors",
          {"position_p", "velocity_p", "velocity_i", "velocity_d", "attitude_p", "rate_p", "rate_i", "rate_d", "max_speed", "max_climb", "max_rate"},
          false};
}

// where an aircraft has what is asked for
std::string instead_of(std::string_view name, const Airframe& airframe) {
  if (airframe.model == "platform" && name != "full_physics") return "control of the airframe has its gains";
  if (airframe.model != "aircraft") return "leave it out";
  if (name == "max_speed") return "speeds.max of the airframe is its greatest airspeed, or set the speed of the mission";
  if (name == "max_climb") return "speeds.climb of the airframe";
  if (name.starts_with("max_tilt")) return "handling.max_bank of the airframe";
  if (name == "position_p" || name == "velocity_p") return "handling.period of the airframe is how fast it comes back onto a path";
  return "leave it out: its gains come from its airframe, see handling and speeds there";
}

void check_flock(const Node& flock, const Airframe& airframe, const std::string& field, core::Faults& faults) {
  const Uses uses = uses_of(airframe);
  const auto refuse = [&](const std::string& name, std::string_view key) {
    const std::string used = uses.controller.empty() ? "" : fmt::format("; of a controller it has {}", fmt::join(uses.controller, ", "));
    return error_at(field + name, fmt::format("means nothing to '{}': {} does not use it", airframe.name, uses.what), instead_of(key, airframe) + used);
  };
  if (!uses.full_physics && flock.find("full_physics") != nullptr) faults.add(refuse("full_physics", "full_physics"));
  const Node* controller = flock.find("controller");
  if (controller == nullptr) return;
  for (const Key& key : controller->keys) {
    const auto same = [&](const char* name) { return key.name == name; };
    if (std::none_of(uses.controller.begin(), uses.controller.end(), same)) faults.add(refuse("controller." + key.name, key.name));
  }
}

}  // namespace

core::Status check_flock_fields(const Tree& tree, const WorldDef& world) {
  const Node* flocks = tree.root.find("flocks");
  core::Faults faults;
  for (std::size_t i = 0; flocks != nullptr && i < flocks->items.size(); ++i) {
    const Airframe& airframe = world.flocks[i].airframe;
    if (airframe.model == "multirotor") continue;
    check_flock(flocks->items[i], airframe, fmt::format("flocks[{}].", i), faults);
  }
  return faults.status();
}

}  // namespace volary::scenario
