// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/spread.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "math/scalar.hpp"

namespace volary::engine {

namespace {

constexpr double kTurn = 3.14159265358979323846;  // rad, half of one

std::string metres(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g m", x);
  return text;
}

// ---------------------------------------------------------------- what a model does with a start

// Asks the model where it puts a vehicle: whatever stands on the ground has a height of its own.
class Probe {
 public:
  Probe(const FlockDef& flock, const WorldDef& world) : definition_(flock.airframe.definition.get()), setup_(setup_of(flock, world)) {
    const ModelHost* model = definition_ == nullptr ? nullptr : find_model(flock.airframe.model);
    const int index = model == nullptr ? -1 : model->choose(definition_, setup_);
    if (index < 0) return;
    const ProgramHost& program = model->programs[static_cast<std::size_t>(index)];
    auto params = program.derive(definition_, setup_);
    const auto position = std::find_if(program.hot.begin(), program.hot.end(), [](const ColumnInfo& c) { return c.name == "position"; });
    if (!params || position == program.hot.end()) return;
    program_ = &program;
    params_ = std::move(params).value();
    row_ = static_cast<std::size_t>(position->row);
    hot_.resize(rows_of(program.hot) * kLane);
    plan_.resize(rows_of(program.plan) * kLane);
  }
  explicit operator bool() const { return program_ != nullptr; }

  // m: the height at which it begins where its definition says z, over level ground
  double height(VehicleDef v, double z, double ground) {
    v.position_W[2] = z;
    setup_.environment.ground_height = ground;
    program_->initialise(8, hot_.data(), program_->guided ? plan_.data() : nullptr, v, definition_, setup_, params_.data());
    return hot_[(row_ + 2) * kLane] + hot_[(row_ + 5) * kLane];
  }
  bool stands(const VehicleDef& v, double ground) {
    const double z = v.position_W[2];
    return height(v, z, ground) == height(v, std::min(z, ground) - 1000, ground);
  }

 private:
  static constexpr std::size_t kLane = 16;  // scalars between two rows of a lane, as engine/kernel.hpp has them
  static std::size_t rows_of(const std::vector<ColumnInfo>& columns) {
    return columns.empty() ? 0 : static_cast<std::size_t>(columns.back().row + columns.back().rows);
  }

  const void* definition_;
  FlockSetup setup_;
  const ProgramHost* program_ = nullptr;
  std::vector<double> params_, hot_, plan_;
  std::size_t row_ = 0;
};

// ---------------------------------------------------------------- what is below a start

// places along one axis at which a bilinear surface can be highest: the ends, and the nodes between them
std::vector<double> corners_between(double from, double to, double first, double step, std::size_t nodes) {
  std::vector<double> list = {from, to};
  for (std::size_t k = 0; k < nodes; ++k)
    if (const double x = first + step * static_cast<double>(k); x > from && x < to) list.push_back(x);
  return list;
}

// m, the highest ground that a vehicle can start over
double highest_ground(const EnvironmentDef& e, const Vec& at, const SpreadDef& s) {
  const terrain::Terrain* terrain = e.ground ? e.terrain.get() : nullptr;
  if (terrain == nullptr) return e.ground_height;
  const terrain::Heights& h = terrain->heights();
  double highest = terrain->height(at[0], at[1]);
  const std::vector<double> norths = corners_between(at[1] - s.position_W[1], at[1] + s.position_W[1], h.north, h.step_north, h.rows);
  for (const double east : corners_between(at[0] - s.position_W[0], at[0] + s.position_W[0], h.east, h.step_east, h.columns))
    for (const double north : norths) highest = std::max(highest, terrain->height(east, north));
  return highest;
}

bool is_flat(const EnvironmentDef& e) { return e.obstacles == nullptr && (e.terrain == nullptr || !e.ground); }

// ---------------------------------------------------------------- checks

struct Fault {
  std::string field, message, suggestion;
};
using Verdict = std::optional<Fault>;

bool moves(const Vec& v) { return v != Vec{0, 0, 0}; }

Verdict check_numbers(const SpreadDef& s) {
  const auto bad = [](double x, double most) { return !(x >= 0 && x <= most); };
  const auto any_bad = [&](const Vec& v, double most) { return bad(v[0], most) || bad(v[1], most) || bad(v[2], most); };
  if (any_bad(s.position_W, 1e5)) return Fault{"position", "must be from 0 to 1e5 m on each axis", ""};
  if (any_bad(s.velocity_W, 1e3)) return Fault{"velocity", "must be from 0 to 1000 m/s on each axis", ""};
  if (bad(s.yaw, kTurn)) return Fault{"yaw", "must be from 0 to pi rad", ""};
  if (bad(s.tilt, kTurn)) return Fault{"tilt", "must be from 0 to pi rad", ""};
  if (any_bad(s.rate_B, 100)) return Fault{"rates", "must be from 0 to 100 rad/s on each axis", ""};
  return std::nullopt;
}

// what the model has no state for
Verdict check_model(const SpreadDef& s, const FlockDef& flock, Starts starts) {
  const std::string whose = "'" + flock.airframe.name + "' is a " + flock.airframe.model;
  if (flock.mirror || starts == Starts::Reported) return Fault{"", "a mirror starts where its source puts it", "leave spread out"};
  if (starts == Starts::Free) return std::nullopt;
  if (s.tilt > 0) return Fault{"tilt", whose + ", which starts upright", "leave tilt out"};
  if (moves(s.rate_B)) return Fault{"rates", whose + ", whose body rates are set by its model", "leave rates out"};
  return std::nullopt;
}

// a vehicle that stands where it starts
Verdict check_standing(const SpreadDef& s, const EnvironmentDef& e, Starts starts, const std::string& who) {
  const std::string where = who + " starts on the ground";
  if (s.position_W[2] > 0) return Fault{"position", where + ": its height cannot be drawn", "0 on the third axis"};
  if (s.velocity_W[2] > 0) return Fault{"velocity", where + ": its vertical velocity cannot be drawn", "0 on the third axis"};
  if (starts != Starts::Free) return std::nullopt;
  if (moves(s.velocity_W)) return Fault{"velocity", where + " at rest: its velocity cannot be drawn", "leave velocity out"};
  if (s.tilt > 0) return Fault{"tilt", where + ": its tilt cannot be drawn", "leave tilt out"};
  if (moves(s.rate_B)) return Fault{"rates", where + " at rest: its body rates cannot be drawn", "leave rates out"};
  if (moves(s.position_W) && !is_flat(e)) return Fault{"position", where + ", which is not flat: its place cannot be drawn", "a start in the air"};
  return std::nullopt;
}

// a vehicle that starts in the air stays there, wherever it is put
Verdict check_flying(Probe& probe, const SpreadDef& s, const EnvironmentDef& e, const VehicleDef& v, double radius, const std::string& who) {
  if (!e.ground) return std::nullopt;
  const double ground = highest_ground(e, v.position_W, s), z = v.position_W[2], lowest = z - s.position_W[2];
  const std::string from = who + ", at " + metres(z) + ", ", room = "ground is at up to " + metres(ground) + " there";
  if (z >= ground && lowest < ground) return Fault{"position", from + "would start below the ground", room};
  if (z < ground && moves(s.position_W)) return Fault{"position", from + "would start below the ground", room};
  if (math::abs(probe.height(v, lowest, ground) - lowest) > 1e-9) return Fault{"position", from + "would start touching the ground", room};
  if (s.tilt > 0 && lowest - ground < radius)
    return Fault{"tilt", from + "would start touching the ground when it is tilted",
                 room + "; the vehicle reaches " + metres(radius) + " from its centre of mass"};
  return std::nullopt;
}

Verdict check_obstacles(const SpreadDef& s, const EnvironmentDef& e, const VehicleDef& v, const std::string& who) {
  if (e.obstacles == nullptr || !moves(s.position_W)) return std::nullopt;
  const Vec& p = s.position_W;
  const double reach = math::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  const obstacles::Nearest n = e.obstacles->nearest(v.position_W, reach);
  if (!n) return std::nullopt;
  return Fault{"position", who + " could start in the obstacle '" + e.obstacles->name(n) + "', " + metres(std::max(0.0, n.distance)) + " away",
               "a spread whose corners are nearer than that"};
}

Verdict check_vehicle(Probe& probe, const FlockDef& flock, const WorldDef& world, const ModelHost& model, const VehicleDef& v, const std::string& who) {
  const SpreadDef& s = flock.spread;
  const EnvironmentDef& e = world.environment;
  if (Verdict fault = check_obstacles(s, e, v, who)) return fault;
  const double ground = highest_ground(e, v.position_W, {});
  if (probe.stands(v, ground)) return check_standing(s, e, model.starts, who);
  const Vec half = model.extent(flock.airframe.definition.get());
  return check_flying(probe, s, e, v, math::sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]), who);
}

Verdict check_flock(const FlockDef& flock, const WorldDef& world) {
  const SpreadDef& s = flock.spread;
  if (Verdict fault = check_numbers(s)) return fault;
  const ModelHost* model = find_model(flock.airframe.model);
  if (model == nullptr) return std::nullopt;
  if (Verdict fault = check_model(s, flock, model->starts)) return fault;
  Probe probe(flock, world);
  if (!probe) return std::nullopt;
  for (std::size_t k = 0; k < flock.vehicles.size(); ++k) {
    const VehicleDef& v = flock.vehicles[k];
    const std::string who = v.name.empty() ? flock.name + "[" + std::to_string(k) + "]" : v.name;
    if (Verdict fault = check_vehicle(probe, flock, world, *model, v, who)) return fault;
  }
  return std::nullopt;
}

}  // namespace

core::Status check_spread(const FlockDef& flock, const WorldDef& world, const std::string& flock_field) {
  if (!is_spread(flock.spread)) return core::ok();
  const Verdict fault = check_flock(flock, world);
  if (!fault) return core::ok();
  core::Error error;
  error.field = flock_field + ".spread" + (fault->field.empty() ? "" : "." + fault->field);
  error.message = fault->message;
  error.suggestion = fault->suggestion;
  return error;
}

std::vector<bool> find_standing(const FlockDef& flock, const WorldDef& world) {
  std::vector<bool> list;
  Probe probe(flock, world);
  for (const VehicleDef& v : flock.vehicles) list.push_back(probe && probe.stands(v, highest_ground(world.environment, v.position_W, {})));
  return list;
}

}  // namespace volary::engine
