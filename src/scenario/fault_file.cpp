// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/fault_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "scenario/field_error.hpp"
#include "scenario/placement.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

namespace {

core::Status check_flock(const ScenarioFile& file, const std::string& name, const std::string& field) {
  std::vector<std::string> known;
  for (const FlockFile& flock : file.flocks) known.push_back(flock.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return core::ok();
  return error_at(field, "no flock is called '" + name.substr(0, 60) + "'", core::did_you_mean(name, known));
}

core::Status check_vehicle(const ScenarioFile& file, const FaultDef& fault, const std::string& field) {
  if (fault.vehicle < 0) return core::ok();
  if (fault.flock.empty()) return error_at(field + "vehicle", "a number needs a flock to count in", "add flock: name");
  for (const FlockFile& flock : file.flocks)
    if (const std::int64_t n = placement_count(flock.vehicles); flock.name == fault.flock && fault.vehicle >= n)
      return error_at(field + "vehicle", fmt::format("{} does not exist: the flock has {} vehicles, numbered from 0", fault.vehicle, n));
  return core::ok();
}

core::Status at_field(const core::Status& status, const std::string& before) {
  if (status) return status;
  core::Error error = status.error();
  error.field = before + error.field;
  return error;
}

}  // namespace

core::Status check_planned_fault(const ScenarioFile& file, std::size_t index) {
  const FaultDef& fault = file.faults.planned[index];
  const std::string field = fmt::format("faults.planned[{}].", index);
  if (fault.time > file.duration) return error_at(field + "time", fmt::format("{} s is after the end, {} s", fault.time, file.duration), "make the duration longer");
  if (!fault.flock.empty())
    if (const core::Status known = check_flock(file, fault.flock, field + "flock"); !known) return known;
  if (const core::Status there = check_vehicle(file, fault, field); !there) return there;
  return at_field(engine::check_fault(fault.fault, file.tick), field);
}

core::Status check_random_faults(const ScenarioFile& file) {
  const RandomFaultsDef& random = file.faults.random;
  core::Faults faults;
  for (std::size_t k = 0; k < random.flocks.size(); ++k) faults.add(check_flock(file, random.flocks[k], fmt::format("faults.random.flocks[{}]", k)));
  for (std::size_t k = 0; k < random.components.size(); ++k)
    if (const auto c = engine::parse_component(random.components[k]); !c)
      faults.add(error_at(fmt::format("faults.random.components[{}]", k), c.error().message, c.error().suggestion));
  for (std::size_t k = 0; k < random.kinds.size(); ++k)
    if (random.kinds[k] == FaultKind::None) faults.add(error_at(fmt::format("faults.random.kinds[{}]", k), "is no fault", "leave it out"));
  if (random.per_vehicle > 0 && random.components.empty()) faults.add(error_at("faults.random.components", "the list of components that can fail is missing", "such as components: [rotor[0], link]"));
  if (random.per_vehicle > 0 && random.kinds.empty()) faults.add(error_at("faults.random.kinds", "the list of kinds of faults is missing", "such as kinds: [off, scale]"));
  if (random.severity[0] > random.severity[1]) faults.add(error_at("faults.random.severity", "the first number is the least, and is the greater one"));
  if (const double until = random.until > 0 ? random.until : file.duration; random.from > until)
    faults.add(error_at("faults.random.from", fmt::format("{} s is after the latest time, {} s", random.from, until)));
  return faults.status();
}

core::Status check_failsafe(const FailsafeDef& failsafe, const std::string& field) {
  const FailsafeAction tipped = failsafe.tipped.action;
  if (tipped != FailsafeAction::None && tipped != FailsafeAction::Stop)
    return error_at(field + ".tipped.action", "a vehicle that lies on the ground can only be stopped", "use stop or none");
  return core::ok();
}

}  // namespace volary::scenario
