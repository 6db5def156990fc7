// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/warnings.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "vehicles/multirotor_def.hpp"

namespace volary::scenario {

namespace {

// behaviours that need no other vehicle; of scripts and plugins it is not known
constexpr std::string_view kAlone[] = {"hold", "land", "take_off", "go_to", "follow_path", "return_home", "announce", "script", "plugin"};

bool needs_others(const BehaviourDef& b) { return std::find(std::begin(kAlone), std::end(kAlone), b.kind) == std::end(kAlone); }

std::size_t n_vehicles(const WorldDef& def) {
  std::size_t n = 0;
  for (const FlockDef& f : def.flocks) n += f.vehicles.size();
  return n;
}

// a flock whose behaviours react to other vehicles, of which it learns nothing
void warn_of_silence(const WorldDef& def, std::vector<std::string>& out) {
  const auto is_heard_by = [](const FlockDef& listener) {
    return [&](const FlockDef& f) { return f.node.state_rate > 0 && f.node.radio_channel == listener.node.radio_channel; };
  };
  for (const FlockDef& f : def.flocks) {
    const bool hears = f.node.receives && std::any_of(def.flocks.begin(), def.flocks.end(), is_heard_by(f));
    if (hears || f.node.detection.range > 0) continue;
    const auto lonely = std::find_if(f.node.behaviours.begin(), f.node.behaviours.end(), needs_others);
    if (lonely == f.node.behaviours.end()) continue;
    const char* why = f.node.receives ? "no flock on its radio channel sends its state" : "the flock does not receive";
    out.push_back(fmt::format("flocks.{}.behaviours: {} reacts to other vehicles, but {} and the flock detects nothing; set node.state_rate or node.detection.range",
                              f.name, lonely->kind, why));
  }
}

void warn_of_contact(const WorldDef& def, std::vector<std::string>& out) {
  if (n_vehicles(def) < 2) return;
  std::string names;
  for (const FlockDef& f : def.flocks)
    if (f.node.contact.policy == ContactPolicy::Ignore && !f.vehicles.empty()) names += (names.empty() ? "" : ", ") + f.name;
  if (!names.empty())
    out.push_back(fmt::format("flocks.node.contact.policy: is `ignore` for {}: vehicles pass through each other, and collisions end no flight; set node: {{contact: {{policy: crash}}}}", names));
}

void warn_of_drag(const WorldDef& def, std::vector<std::string>& out) {
  for (const FlockDef& f : def.flocks) {
    if (f.airframe.model != "multirotor" || f.airframe.definition == nullptr) continue;
    const auto& d = *static_cast<const airframe::MultirotorDef*>(f.airframe.definition.get());
    const auto is_zero = [](const auto& v) { return std::all_of(v.begin(), v.end(), [](double x) { return x == 0; }); };
    if (d.motor.drag == 0 && is_zero(d.linear_drag) && is_zero(d.quadratic_drag))
      out.push_back(fmt::format("flocks.{}.airframe: {} has no drag, so nothing limits its speed; set motor.drag, linear_drag or quadratic_drag", f.name, f.airframe.name));
  }
}

}  // namespace

std::vector<std::string> warnings_of(const WorldDef& def) {
  std::vector<std::string> list;
  warn_of_silence(def, list);
  warn_of_contact(def, list);
  warn_of_drag(def, list);
  return list;
}

}  // namespace volary::scenario
