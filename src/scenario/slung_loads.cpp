// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/slung_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "scenario/field_error.hpp"
#include "scenario/joined_flocks.hpp"
#include "scenario/placement.hpp"
#include "scenario/structure_file.hpp"
#include "vehicles/slung_load.hpp"

namespace volary::scenario {

namespace {

constexpr double kReach = 1e-6;  // relative: rounding of a cable that is just taut

bool docks(const ScenarioFile& file, const FlockFile& flock) {
  return !flock.docking.with.empty() || std::any_of(file.flocks.begin(), file.flocks.end(), [&](const FlockFile& f) { return f.docking.with == flock.name; });
}
bool names_it(const FlockFile& f, const std::string& name) { return f.load && std::find(f.load->with.begin(), f.load->with.end(), name) != f.load->with.end(); }

// one of the other flocks that carry the loads of flocks[index]
core::Status check_carrier(const ScenarioFile& file, std::size_t index, std::size_t number, const std::string& field) {
  const FlockFile& own = file.flocks[index];
  const std::vector<std::string>& with = own.load->with;
  const std::string& name = with[number];
  std::vector<std::string> known;
  for (const FlockFile& f : file.flocks)
    if (f.name != own.name) known.push_back(f.name);
  if (name == own.name) return error_at(field, "the flock that has the load carries it anyway", known.empty() ? "leave it out" : core::did_you_mean("", known));
  if (std::find(with.begin(), with.begin() + static_cast<std::ptrdiff_t>(number), name) != with.begin() + static_cast<std::ptrdiff_t>(number))
    return error_at(field, fmt::format("'{}' is named twice", name), "each flock once");
  const auto other = std::find_if(file.flocks.begin(), file.flocks.end(), [&](const FlockFile& f) { return f.name == name; });
  if (other == file.flocks.end()) return error_at(field, "no flock is called '" + name.substr(0, 60) + "'", core::did_you_mean(name, known));
  if (other->load)
    return error_at(field, fmt::format("'{}' has a load of its own: of the flocks that carry a load, one has it", name), "leave it out of one of them");
  if (docks(file, *other))
    return error_at(field, fmt::format("'{}' docks with another flock, and vehicles that dock carry no load", name), "a flock of its own");
  for (std::size_t k = 0; k < index; ++k)
    if (names_it(file.flocks[k], name))
      return error_at(field, fmt::format("'{}' carries the load of flocks[{}] already, and no flock carries two", name, k), "a flock of its own to carry it");
  const std::int64_t n = placement_count(own.vehicles), m = placement_count(other->vehicles);
  if (n != m)
    return error_at(field,
                    fmt::format("'{}' has {} vehicles and '{}' has {}: vehicle k of one carries a load with vehicle k of the other", own.name, n, name, m),
                    "as many vehicles in both");
  if (node_of(file, own.name) != node_of(file, name))
    return error_at(field, fmt::format("'{}' and '{}' are not given to the same node of the federation", own.name, name),
                    "all of them in the flocks of one node");
  return core::ok();
}

core::Status check_flock(const ScenarioFile& file, std::size_t index) {
  const FlockFile& flock = file.flocks[index];
  const std::string field = fmt::format("flocks[{}].load", index);
  if (docks(file, flock))
    return error_at(field, fmt::format("'{}' docks with another flock, and vehicles that dock carry no load", flock.name), "leave it out");
  const LoadDef& load = *flock.load;
  core::Faults faults;
  for (std::size_t k = 0; k < load.with.size(); ++k) faults.add(check_carrier(file, index, k, fmt::format("{}.with[{}]", field, k)));
  faults.add(check_softness(load.surface, file.tick / file.substeps, field + ".surface.time_constant"));
  faults.add(check_softness({.time_constant = load.cable.time_constant}, file.tick / file.substeps, field + ".cable.time_constant"));
  return faults.status();
}

// ---------------------------------------------------------------- in the world

// the upper end of the cable of a vehicle that stands or flies level
airframe::Place upper_end(const CableDef& cable, const VehicleDef& v) {
  double s, c;
  math::sincos(v.yaw, s, c);
  const Vec &p = v.position_W, &a = cable.attach_B;
  return {p[0] + c * a[0] - s * a[1], p[1] + s * a[0] + c * a[1], p[2] + a[2]};
}

// every load hangs at first where all of its cables reach it, wherever a spread puts its carriers
core::Status check_reach(const LoadDef& load, const std::vector<const FlockDef*>& carriers, const EnvironmentDef& environment, const std::string& field) {
  const std::vector<airframe::Place> hooks = airframe::hooks_of(load);
  double astray = 0;
  for (const FlockDef* f : carriers) {
    const Vec& s = f->spread.position_W;
    astray = std::max(astray, 2 * math::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]));
  }
  LoadDef shorter = load;
  shorter.cable.length -= carriers.size() > 1 ? astray : 0;
  for (std::size_t k = 0; k < carriers[0]->vehicles.size(); ++k) {
    std::vector<airframe::CableEnds> ends;
    for (std::size_t m = 0; m < carriers.size(); ++m) ends.push_back({upper_end(load.cable, carriers[m]->vehicles[k]), hooks[m]});
    const airframe::Hanging h = airframe::hang(shorter, ends, carriers[0]->vehicles[k].yaw, airframe::floor_of(environment));
    const double room = shorter.cable.length;
    if (h.apart <= room * (1 + kReach)) continue;
    return error_at(field + ".cable.length",
                    fmt::format("a cable of {:.6g} m does not reach: vehicle {} of '{}' starts {:.3g} m from its hook on the load{}", load.cable.length, k,
                                carriers[h.farthest]->name, h.apart, astray > 0 ? fmt::format(", and the spread adds up to {:.3g} m", astray) : ""),
                    fmt::format("a longer cable, or vehicles that start closer to each other; at least {:.3g} m here", h.apart + load.cable.length - room));
  }
  return core::ok();
}

}  // namespace

core::Status check_carriers(const ScenarioFile& file) {
  core::Faults faults;
  for (std::size_t i = 0; i < file.flocks.size(); ++i)
    if (file.flocks[i].load) faults.add(check_flock(file, i));
  return faults.status();
}

core::Status check_loads(const WorldDef& world) {
  core::Faults faults;
  for (std::size_t i = 0; i < world.flocks.size(); ++i) {
    if (!world.flocks[i].load) continue;
    const LoadDef& load = *world.flocks[i].load;
    const std::string field = fmt::format("flocks[{}].load", i);
    std::vector<const FlockDef*> carriers = {&world.flocks[i]};
    std::vector<const Airframe*> airframes = {&world.flocks[i].airframe};
    for (const std::string& name : load.with)
      for (const FlockDef& other : world.flocks)
        if (other.name == name) carriers.push_back(&other), airframes.push_back(&other.airframe);
    if (core::Status can = airframe::check_load(load, airframes, world.environment); !can) {
      core::Error error = can.error();
      error.field = error.field.empty() ? field : field + "." + error.field;
      faults.add(std::move(error));
    } else {
      faults.add(check_reach(load, carriers, world.environment, field));
    }
  }
  return faults.status();
}

}  // namespace volary::scenario
