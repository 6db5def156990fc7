// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "autopilot/station.hpp"
#include "environment/terrain.hpp"

namespace volary::autopilot {

namespace {

using mavlink::VehicleType;

constexpr double kFeet = 1;  // m: nearer to the ground than this a vehicle stands on it

VehicleType type_of(const std::string& model, int rotors, bool cannot_stop) {
  if (model == "multirotor") {
    switch (rotors) {
      case 3: return VehicleType::Tricopter;
      case 6: return VehicleType::Hexarotor;
      case 8: return VehicleType::Octorotor;
      default: return VehicleType::Quadrotor;
    }
  }
  if (model == "aircraft") return cannot_stop ? VehicleType::FixedWing : VehicleType::VtolFixedrotor;
  if (model == "car") return VehicleType::GroundRover;
  return model == "balloon" ? VehicleType::FreeBalloon : VehicleType::Generic;
}

double ground_below(const EnvironmentDef& e, const Vec& p) {
  if (e.terrain) return e.terrain->height(p[0], p[1]);
  return e.ground ? e.ground_height : p[2];
}

int components(const std::vector<ColumnDoc>& docs, const char* name) {
  const auto it = std::find_if(docs.begin(), docs.end(), [&](const ColumnDoc& d) { return d.name == name; });
  return it == docs.end() ? 0 : it->components;
}

}  // namespace

VehicleFacts facts_of(const World& world, VehicleId id) {
  const std::string flock = world.flock_of(id);
  const auto& flocks = world.def().flocks;
  const auto def = std::find_if(flocks.begin(), flocks.end(), [&](const FlockDef& f) { return f.name == flock; });
  const std::vector<ColumnDoc> columns = world.columns(flock);
  const bool is_piloted = def != flocks.end() && (def->mirror || def->piloted);  // by somebody else, who takes the commands
  VehicleFacts f;
  f.id = id;
  f.name = world.name_of(id);
  if (def != flocks.end()) f.airframe = def->airframe.name;
  f.cannot_stop = world.parameter_of(id, "guide.cannot_stop").value_or(0) > 0;
  f.type = def == flocks.end() ? VehicleType::Generic : type_of(def->airframe.model, components(columns, "rotor_speed"), f.cannot_stop);
  f.take_off_height = world.parameter_of(id, "guide.take_off_height");
  f.is_guided = f.take_off_height.has_value() && !is_piloted;
  f.takes_setpoints = !is_piloted && components(columns, "setpoint.position") > 0 && components(columns, "setpoint.level") > 0;
  f.climb = world.parameter_of(id, "guide.climb");
  f.descend = world.parameter_of(id, "guide.descend");
  f.max_speed = world.parameter_of(id, "ladder.max_speed");
  f.max_climb = world.parameter_of(id, "ladder.max_climb");
  f.thrust_max = world.parameter_of(id, "ladder.thrust_max").value_or(0);
  f.home_W = world.position_of(id);
  const double ground = ground_below(world.environment(), f.home_W);
  if (f.home_W[2] - ground > kFeet) f.home_W[2] = ground;
  if (const auto q = world.find_view(flock, "attitude")) {
    const std::size_t slot = world.slot_of(id);
    f.home_yaw = yaw_of({q->at(slot, 0), q->at(slot, 1), q->at(slot, 2), q->at(slot, 3)});
  }
  return f;
}

}  // namespace volary::autopilot
