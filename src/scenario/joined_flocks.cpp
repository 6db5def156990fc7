// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/joined_flocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "agents/task_check.hpp"
#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "scenario/field_error.hpp"
#include "scenario/placement.hpp"
#include "scenario/structure_file.hpp"
#include "vehicles/multirotor_def.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::scenario {

namespace {

using airframe::EffectorDef;
using airframe::EffectorKind;

std::string flock_field(std::size_t index, const char* rest) { return fmt::format("flocks[{}].{}", index, rest); }

const airframe::MultirotorDef* multirotor_of(const Airframe& a) {
  return a.model == "multirotor" && a.definition != nullptr ? static_cast<const airframe::MultirotorDef*>(a.definition.get()) : nullptr;
}
const airframe::PlatformDef* platform_of(const Airframe& a) {
  return a.model == "platform" && a.definition != nullptr ? static_cast<const airframe::PlatformDef*>(a.definition.get()) : nullptr;
}
std::vector<EffectorDef> effectors_of(const Airframe& a) {
  if (const auto* one = multirotor_of(a)) return one->effectors;
  const auto* platform = platform_of(a);
  if (platform == nullptr) return {};
  std::vector<EffectorDef> all = platform->effectors;
  for (const airframe::MultirotorDef& aircraft : platform->aircraft) all.insert(all.end(), aircraft.effectors.begin(), aircraft.effectors.end());
  return all;
}
bool is_plain(const airframe::LinkDef& link) {
  return link.kind == airframe::LinkKind::Spherical && link.limit == 0 && link.friction == 0 && link.damping == 0;
}
bool has_other_joints(const Airframe& a) {
  const auto* platform = platform_of(a);
  return platform != nullptr && std::any_of(platform->parts.begin(), platform->parts.end(), [](const auto& part) { return !is_plain(part.link); });
}

std::optional<std::size_t> find_flock(const ScenarioFile& file, const std::string& name) {
  for (std::size_t i = 0; i < file.flocks.size(); ++i)
    if (file.flocks[i].name == name) return i;
  return std::nullopt;
}

// ---------------------------------------------------------------- docking

core::Status check_pair(const ScenarioFile& file, std::size_t index, std::size_t other) {
  const FlockFile &own = file.flocks[index], &partner = file.flocks[other];
  const std::string field = flock_field(index, "docking.with");
  const std::string& next = partner.docking.with;
  const bool says_so_there = next == own.name && index < other;  // one fault for two flocks that name each other
  if (!next.empty() && !says_so_there)
    return error_at(field, fmt::format("'{}' has docking of its own: of two flocks that dock, one names the other, and no flock docks with two", partner.name),
                    "leave it out of one of them");
  for (std::size_t k = 0; k < index; ++k)
    if (k != other && file.flocks[k].docking.with == partner.name)
      return error_at(field, fmt::format("'{}' docks with flocks[{}] already, and no flock docks with two", partner.name, k),
                      "a flock of its own to dock with");
  const std::int64_t n = placement_count(own.vehicles), m = placement_count(partner.vehicles);
  if (n != m)
    return error_at(field,
                    fmt::format("'{}' has {} vehicles and '{}' has {}: vehicle k of one docks with vehicle k of the other", own.name, n, partner.name, m),
                    "as many vehicles in both");
  if (node_of(file, own.name) != node_of(file, partner.name))
    return error_at(field, fmt::format("'{}' and '{}' are not given to the same node of the federation", own.name, partner.name),
                    "both in the flocks of one node");
  return core::ok();
}

// every cone takes every cylinder of the other, and there is one of each
core::Status check_latch(const Airframe& a, const Airframe& b, const std::string& field) {
  bool can_latch = false;
  for (const auto& [with_cone, with_cylinder] : {std::pair{&a, &b}, std::pair{&b, &a}})
    for (const EffectorDef& cone : effectors_of(*with_cone))
      for (const EffectorDef& cylinder : effectors_of(*with_cylinder)) {
        if (cone.kind != EffectorKind::Cone || cylinder.kind != EffectorKind::Cylinder) continue;
        can_latch = true;
        if (!airframe::reaches_bottom(cylinder, cone))
          return error_at(field,
                          fmt::format("'{}' of '{}', with a radius of {:.6g} m, does not go down to the bottom of '{}' of '{}', with one of {:.6g} m",
                                      cylinder.name, with_cylinder->name, cylinder.radius, cone.name, with_cone->name, cone.radius),
                          "a thinner cylinder, or a cone with a wider bottom");
      }
  if (can_latch) return core::ok();
  return error_at(field, fmt::format("'{}' and '{}' have no cone and cylinder for each other", a.name, b.name),
                  "airframes such as docking_cone and docking_cylinder");
}

// ---------------------------------------------------------------- why MuJoCo moves the bodies of a flock

struct Cause {
  std::string words, field;
};
std::optional<Cause> cause_of(const ScenarioFile& file, std::size_t index, const Airframe& airframe) {
  const FlockFile& flock = file.flocks[index];
  if (flock.joined) return Cause{"joined: true", flock_field(index, "joined")};
  if (!flock.docking.with.empty()) return Cause{fmt::format("docking with '{}'", flock.docking.with), flock_field(index, "docking")};
  for (std::size_t k = 0; k < file.flocks.size(); ++k)
    if (k != index && file.flocks[k].docking.with == flock.name)
      return Cause{fmt::format("docking of '{}'", file.flocks[k].name), flock_field(k, "docking.with")};
  if (flock.load) return Cause{"its load", flock_field(index, "load")};
  for (std::size_t k = 0; k < file.flocks.size(); ++k)
    if (const auto& load = file.flocks[k].load; load && k != index && std::find(load->with.begin(), load->with.end(), flock.name) != load->with.end())
      return Cause{fmt::format("the load of '{}'", file.flocks[k].name), flock_field(k, "load.with")};
  if (!has_joined_bodies(airframe) || flock.mirror) return std::nullopt;  // of the airframe of a mirror only the size counts
  return Cause{fmt::format("{} of '{}'", has_other_joints(airframe) ? "joints" : "end effectors", airframe.name), flock_field(index, "airframe")};
}

}  // namespace

bool has_joined_bodies(const Airframe& airframe) { return !effectors_of(airframe).empty() || has_other_joints(airframe); }

bool is_joined(const FlockDef& flock, const WorldDef& world) {
  if (flock.mirror) return false;
  return flock.joined || flock.load || has_joined_bodies(flock.airframe) || has_partners(flock, world);
}

std::vector<std::string> partners_of(const FlockDef& flock) {
  if (!flock.docking.with.empty()) return {flock.docking.with};
  return flock.load ? flock.load->with : std::vector<std::string>();
}

bool has_partners(const FlockDef& flock, const WorldDef& world) {
  const auto names_it = [&](const FlockDef& f) {
    const std::vector<std::string> partners = partners_of(f);
    return &f != &flock && std::find(partners.begin(), partners.end(), flock.name) != partners.end();
  };
  return !partners_of(flock).empty() || std::any_of(world.flocks.begin(), world.flocks.end(), names_it);
}

std::string node_of(const ScenarioFile& file, const std::string& flock) {
  for (const FederationNodeFile& node : file.federation.nodes)
    if (std::find(node.flocks.begin(), node.flocks.end(), flock) != node.flocks.end()) return node.name;
  return "";
}

core::Status check_docking(const ScenarioFile& file) {
  core::Faults faults;
  for (std::size_t i = 0; i < file.flocks.size(); ++i) {
    const std::string& with = file.flocks[i].docking.with;
    if (with.empty()) continue;
    const std::optional<std::size_t> other = find_flock(file, with);
    std::vector<std::string> known;
    for (const FlockFile& f : file.flocks)
      if (f.name != file.flocks[i].name) known.push_back(f.name);
    if (!other)
      faults.add(error_at(flock_field(i, "docking.with"), "no flock is called '" + with.substr(0, 60) + "'", core::did_you_mean(with, known)));
    else if (*other == i)
      faults.add(error_at(flock_field(i, "docking.with"), "a flock does not dock with itself",
                          known.empty() ? "a second flock" : core::did_you_mean("", known)));
    else
      faults.add(check_pair(file, i, *other));
  }
  return faults.status();
}

core::Status check_joined(const ScenarioFile& file, std::size_t index, const Airframe& airframe) {
  const std::optional<Cause> cause = cause_of(file, index, airframe);
  if (!cause) return core::ok();
  const FlockFile& flock = file.flocks[index];
  if (flock.mirror) return error_at(cause->field, fmt::format("'{}' is a mirror, which has no bodies that MuJoCo could move", flock.name), "leave it out");
  if (airframe.model != "platform" && airframe.model != "multirotor")
    return error_at(cause->field,
                    fmt::format("'{}' is of the model {}: MuJoCo moves the bodies of platforms and multirotors only", airframe.name,
                                airframe.model), "leave it out");

  core::Faults faults;
  const auto refuse = [&](const char* field, const char* what, const char* suggestion) {
    faults.add(error_at(flock_field(index, field), fmt::format("MuJoCo moves the bodies of '{}' ({}): {}", flock.name, cause->words, what), suggestion));
  };
  if (flock.autopilot) refuse("autopilot", "such vehicles fly by the controllers of Volary only", "leave it out");
  if (!flock.full_physics) refuse("full_physics", "such vehicles have the full model", "full_physics: true");
  const auto* one = multirotor_of(airframe);
  if (one != nullptr && one->rotors.size() <= 4 && flock.controller.level == ControlLevel::Rates)
    refuse("controller.level", "such vehicles have all control levels", "another level, such as trajectory; body rates can be commanded at every level");
  for (const EffectorDef& e : effectors_of(airframe)) {
    core::Status soft = check_softness(e.surface, file.tick / file.substeps, flock_field(index, "airframe"));
    if (soft) continue;
    core::Error error = soft.error();
    error.message = fmt::format("surface.time_constant of '{}': ", e.name) + error.message;
    faults.add(std::move(error));
  }
  if (flock.variants) refuse("variants", "all such vehicles of a flock fly one airframe", "leave it out");
  return faults.status();
}

core::Status check_latches(const WorldDef& world) {
  core::Faults faults;
  for (std::size_t i = 0; i < world.flocks.size(); ++i)
    for (const FlockDef& other : world.flocks)
      if (world.flocks[i].docking.with == other.name) faults.add(check_latch(world.flocks[i].airframe, other.airframe, flock_field(i, "docking.with")));
  return faults.status();
}

core::Status check_contact_terms(const LearningDef& task, const WorldDef& world) {
  const auto& flocks = world.flocks;
  const auto at = std::find_if(flocks.begin(), flocks.end(), [&](const FlockDef& f) { return task.flock.empty() || f.name == task.flock; });
  if (at == flocks.end()) return core::ok();
  const bool docks = !at->docking.with.empty() || std::any_of(flocks.begin(), flocks.end(), [&](const FlockDef& f) { return f.docking.with == at->name; });
  const bool touches = is_joined(*at, world) || platform_of(at->airframe) != nullptr;
  core::Faults faults;
  const auto look = [&](const auto* term, const std::string& field) {
    if (term == nullptr) return;
    if ((term->needs & agents::kDocking) != 0 && !docks)
      faults.add(error_at(field, fmt::format("'{}' is for vehicles that dock, and those of '{}' do not", term->name, at->name),
                          "docking: {with: FLOCK} in one of two flocks with a cone and a cylinder for each other"));
    else if ((term->needs & agents::kContact) != 0 && !touches)
      faults.add(error_at(field, fmt::format("'{}' is for platforms and vehicles of joined bodies, and those of '{}' are neither", term->name, at->name),
                          "joined: true"));
  };
  for (std::size_t k = 0; k < task.observations.size(); ++k)
    look(agents::find_observation(task.observations[k]), fmt::format("learning.observations[{}]", k));
  for (std::size_t k = 0; k < task.rewards.size(); ++k) look(agents::find_reward(task.rewards[k].term), fmt::format("learning.rewards[{}].term", k));
  for (std::size_t k = 0; k < task.ends.size(); ++k) look(agents::find_end(task.ends[k].term), fmt::format("learning.ends[{}].term", k));
  return faults.status();
}

core::Status check_release(const ScenarioFile& file, const std::string& flock, const std::string& field) {
  std::vector<std::string> known;
  for (const FlockFile& f : file.flocks)
    if (!f.docking.with.empty()) known.push_back(f.name), known.push_back(f.docking.with);
  if (known.empty()) return error_at(field, "no flock docks, so nothing can be released", "docking: {with: FLOCK} in a flock");
  if (std::find(known.begin(), known.end(), flock) != known.end()) return core::ok();
  return error_at(field,
                  flock.empty() ? "is missing: the flock whose vehicles are released" : fmt::format("'{}' does not dock, so nothing can be released", flock),
                  core::did_you_mean(flock, known));
}

}  // namespace volary::scenario
