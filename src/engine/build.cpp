// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From a definition to a world that can be stepped.
#include <algorithm>

#include "engine/backend.hpp"
#include "engine/data.hpp"
#include "engine/payloads.hpp"
#include "math/scalar.hpp"

namespace volary::engine {

namespace {

void store_paths(PathStore& store, const std::vector<Path>& paths) {
  double first = 0;
  for (const Path& path : paths) {
    double total = 0;
    for (const PathPiece& piece : path.pieces) {
      total += piece.duration;
      store.pieces8.push_back(piece.duration);
      for (const auto& axis : piece.coefficient) store.pieces8.insert(store.pieces8.end(), axis.begin(), axis.end());
    }
    const double n = static_cast<double>(path.pieces.size());
    store.headers8.insert(store.headers8.end(), {first, n, path.loop ? 1.0 : 0.0, total});
    first += n;
  }
  auto narrow = [](double x) { return static_cast<float>(x); };
  std::transform(store.headers8.begin(), store.headers8.end(), std::back_inserter(store.headers4), narrow);
  std::transform(store.pieces8.begin(), store.pieces8.end(), std::back_inserter(store.pieces4), narrow);
}

core::Status check_def(const WorldDef& def) {
  auto bad = [](const char* field, std::string message) { return core::Status(core::Error{.message = std::move(message), .field = field}); };
  if (def.tick_ns <= 0) return bad("tick", "must be positive");
  if (def.substeps < 1 || def.substeps > 1000) return bad("substeps", "must be between 1 and 1000");
  if (def.worlds < 1) return bad("worlds", "must be at least 1");
  if (def.first_world < 0) return bad("first_world", "must be at least 0");
  const double horizon = def.coupling.horizon, ticks = horizon / (static_cast<double>(def.tick_ns) * 1e-9);
  if (!(horizon >= 0 && ticks <= static_cast<double>(kMostHorizon)))
    return bad("coupling.horizon", "must be from 0 to " + std::to_string(kMostHorizon) + " ticks");
  if (math::abs(ticks - math::round(ticks)) > 1e-6) return bad("coupling.horizon", "must be a whole number of ticks");
  std::uint64_t each = 0;  // vehicles of a world
  for (const FlockDef& f : def.flocks) each += f.vehicles.size();
  const auto last = static_cast<std::uint64_t>(def.first_world) + static_cast<std::uint64_t>(def.worlds);
  if (last > kMostVehicleNumber / kNumbersPerWorld)
    return bad("worlds", "there can be at most " + std::to_string(kMostVehicleNumber / kNumbersPerWorld) + " worlds in a batch");
  if (last > 1 && each >= kNumbersPerWorld)
    return bad("flocks", "a world of a batch can have at most " + std::to_string(kNumbersPerWorld - 1) + " vehicles");
  if (def.regions.size() > kMostRegions) return bad("regions", "there can be at most " + std::to_string(kMostRegions));
  for (const RegionDef& r : def.regions)
    if (!r.corners.empty() ? r.corners.size() < 3 : !(r.radius > 0)) return bad("regions", "'" + r.name + "' has neither three corners nor a radius");
  for (const FlockDef& f : def.flocks)
    for (const VehicleDef& v : f.vehicles)
      if (v.path >= static_cast<int>(def.paths.size())) return bad("flocks", "a vehicle of '" + f.name + "' names a path that does not exist");
  return core::ok();
}

// the vehicles of every world of the batch, flock by flock
core::Status spawn_all(Data& d) {
  for (std::size_t k = 0; k < d.def.flocks.size(); ++k) {
    const FlockDef& f = d.def.flocks[k];
    d.flocks[k].reserve(f.vehicles.size() * static_cast<std::size_t>(d.def.worlds));
  }
  for (int w = 0; w < d.def.worlds; ++w) {
    for (std::size_t k = 0; k < d.def.flocks.size(); ++k) {
      std::uint64_t place = 0;
      std::size_t number = 0;
      for (VehicleDef v : d.def.flocks[k].vehicles) {
        v.world = static_cast<std::uint32_t>(w);
        place = v.place != 0 ? v.place : place + 1;
        v.place = place;
        const auto id = spawn_drawn(d, k, v, number++);
        if (!id) return id.error();
      }
    }
  }
  return core::ok();
}

struct EventName {
  const char* name;
  Mode mode;
};
constexpr EventName kModeEvents[] = {{"arm", Mode::Armed},
                                     {"disarm", Mode::Disarmed},
                                     {"take_off", Mode::TakeOff},
                                     {"hold", Mode::Hold},
                                     {"mission", Mode::Mission},
                                     {"land", Mode::Land},
                                     {"emergency_stop", Mode::EmergencyStop}};

// a batch keeps them for every world to act at its own tick; those of a single world are inputs of source 0
core::Status schedule_one(Data& d, Input in) {
  if (d.def.worlds == 1) {
    in.seq = static_cast<std::uint32_t>(d.worlds.agenda.size()) + 1;
    d.worlds.agenda.push_back(in);
    const Submitted given = submit(d, std::move(in));
    return given ? core::ok() : core::Status(core::Error{.message = given.why, .field = "events"});
  }
  if (const core::Status sound = check_input(d, in); !sound) return core::Error{.message = name_of(in.payload) + ": " + sound.error().text(), .field = "events"};
  d.worlds.agenda.push_back(std::move(in));
  return core::ok();
}

// the planned faults of the scenario: of one vehicle, of a flock, or of all that have such a component
core::Status schedule_faults(Data& d) {
  const double tick = static_cast<double>(d.def.tick_ns) * 1e-9;
  for (std::size_t k = 0; k < d.def.faults.planned.size(); ++k) {
    const FaultDef& p = d.def.faults.planned[k];
    const auto component = parse_component(p.fault.component);
    if (!component) return core::Error{.message = component.error().message, .field = "faults.planned[" + std::to_string(k) + "].component"};
    Input in;
    in.tick = static_cast<std::uint64_t>(math::round(p.time / tick));
    in.payload = p.fault;
    bool is_given = false;
    for (const Flock& f : d.flocks) {
      if ((!p.flock.empty() && f.def.name != p.flock) || !has_component(f, component.value())) continue;
      for (std::size_t s = 0; s < f.slots; ++s) {
        if (f.worlds[s] != 0 || (p.vehicle >= 0 && f.place_of(s) != static_cast<std::uint64_t>(p.vehicle) + 1)) continue;
        in.target = f.ids[s];
        is_given = true;
        if (const core::Status given = schedule_one(d, in); !given) return given;
      }
    }
    if (!is_given)
      return core::Error{.message = (p.flock.empty() ? "no vehicle" : "no vehicle of flock '" + p.flock + "'") + std::string(" has '") + p.fault.component + "'",
                         .field = "faults.planned[" + std::to_string(k) + "].component"};
  }
  return core::ok();
}

// the events of the scenario
std::optional<Reaction> reaction_of(const std::string& what) {
  const auto words = names(Reaction{});
  const auto it = std::find(words.begin(), words.end(), what);
  if (it == words.end()) return std::nullopt;
  return static_cast<Reaction>(it - words.begin());
}

core::Status schedule(Data& d) {
  const double tick = static_cast<double>(d.def.tick_ns) * 1e-9;
  for (const EventDef& e : d.def.events) {
    Input in;
    in.tick = static_cast<std::uint64_t>(math::round(e.time / tick));
    bool known = true;
    if (e.what == "wind") {
      in.payload = SetWind{e.value};
    } else if (e.what == "remove") {
      in.payload = Remove{};
    } else if (e.what == "pose") {
      in.payload = SetPose{.position_W = e.position_W, .roll = e.angles[0], .pitch = e.angles[1], .yaw = e.angles[2]};
    } else if (e.what == "release") {
      in.payload = Release{};
    } else if (const auto kind = reaction_of(e.what)) {
      in.payload = SetReaction{*kind, e.force_B, e.torque_B};
    } else {
      const auto* m = std::find_if(std::begin(kModeEvents), std::end(kModeEvents), [&](const EventName& n) { return e.what == n.name; });
      known = m != std::end(kModeEvents);
      if (known) in.payload = SetMode{m->mode};
    }
    if (!known) return core::Error{.message = "unknown event '" + e.what + "'", .field = "events"};
    if (e.flock.empty() && e.vehicle < 0) {
      if (const core::Status s = schedule_one(d, in); !s) return s;
      continue;
    }
    for (const Flock& f : d.flocks) {
      if (!e.flock.empty() && f.def.name != e.flock) continue;
      for (std::size_t s = 0; s < f.slots; ++s) {
        if (f.worlds[s] != 0 || (e.vehicle >= 0 && f.place_of(s) != static_cast<std::uint64_t>(e.vehicle) + 1)) continue;
        in.target = f.ids[s];
        if (const core::Status given = schedule_one(d, in); !given) return given;
      }
    }
  }
  if (const core::Status planned = schedule_faults(d); !planned) return planned;
  std::stable_sort(d.worlds.agenda.begin(), d.worlds.agenda.end(), [](const Input& a, const Input& b) { return a.tick < b.tick; });
  return core::ok();
}

}  // namespace

core::Status build(Data& d, const WorldDef& def, const RunOptions& options) {
  if (const auto s = check_def(def); !s) return s;
  d.def = def;
  d.options = options;
  d.backend = find_backend(options.lanes, options.optimised);
  if (d.backend == nullptr) return core::Error{.message = "this CPU cannot run " + std::to_string(options.lanes) + " lanes"};
  d.pool = std::make_unique<Pool>(std::max(1, options.threads), options.force_split);
  prepare_worlds(d);
  d.coupling.horizon = horizon_ticks(def);
  store_paths(d.paths, def.paths);
  for (const FlockDef& f : def.flocks) {
    auto flock = make_flock(f, def, *d.backend);
    if (!flock) return flock.error();
    d.flocks.push_back(std::move(flock).value());
    d.flocks.back().index = d.flocks.size() - 1;
    d.flocks.back().patches.resize(static_cast<std::size_t>(d.pool->size()));
  }
  link_members(d);
  if (const auto s = prepare_weather(d); !s) return s;
  if (const auto s = prepare_starts(d); !s) return s;
  if (const auto s = make_societies(d); !s) return s;
  if (const auto s = spawn_all(d); !s) return s;
  for (Flock& f : d.flocks) show_starts(f, 0, f.slots);
  prepare_interaction(d);
  d.conditions.rest = d.def.learning != nullptr;
  d.conditions.of.resize(d.flocks.size());
  d.conditions.rotors.resize(d.flocks.size());
  prepare_judging(d);
  prepare_ranging(d);
  ask_frame(d);
  if (const auto s = schedule(d); !s) return s;
  std::fill(d.worlds.changed.begin(), d.worlds.changed.end(), std::uint8_t{0});
  d.keeps_submitted = true;  // what is given from now on is not in the definition: a recorder may ask for it
  return core::ok();
}

}  // namespace volary::engine
