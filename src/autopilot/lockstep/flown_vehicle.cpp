// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/flown_vehicle.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace volary::autopilot {

namespace {

constexpr std::int64_t kPx4Period = 4'000'000;  // ns between two readings of the sensors, at most

Vec3d vec3(const Vec& v) { return {v[0], v[1], v[2]}; }
double seconds_of_tick(const World& world) { return static_cast<double>(world.def().tick_ns) * 1e-9; }

}  // namespace

const FlockDef* find_flock(const World& world, const std::string& name) {
  const auto& defs = world.def().flocks;
  const auto found = std::find_if(defs.begin(), defs.end(), [&](const FlockDef& f) { return f.name == name; });
  return found == defs.end() ? nullptr : &*found;
}

std::vector<FlownVehicle> flown_vehicles(const World& world, const std::string& flock) {
  std::vector<FlownVehicle> list;
  for (const VehicleId id : world.vehicles(flock)) {
    FlownVehicle v;
    v.id = id;
    v.name = world.name_of(id);
    v.flock = flock;
    v.start = truth_of(world, flock, id);
    list.push_back(std::move(v));
  }
  return list;
}

Truth truth_of(const World& world, const std::string& flock, VehicleId id) {
  Truth t;
  t.position_W = vec3(world.position_of(id));
  t.velocity_W = vec3(world.velocity_of(id));
  const std::size_t slot = world.slot_of(id);
  if (const auto q = world.find_view(flock, "attitude")) t.attitude = {q->at(slot, 0), q->at(slot, 1), q->at(slot, 2), q->at(slot, 3)};
  if (const auto w = world.find_view(flock, "omega")) t.omega_B = {w->at(slot, 0), w->at(slot, 1), w->at(slot, 2)};
  return t;
}

core::Status check_senses(const World& world, const std::string& flock) {
  const FlockDef* def = find_flock(world, flock);
  if (def == nullptr || def->sensors.imu) return core::ok();
  return core::Error{
      .message = fmt::format("flock '{}' has no IMU, and an autopilot flies by one", flock),
      .suggestion = "sensors: {imu: {preset: px4_sitl}, gnss: {preset: px4_sitl}, barometer: {preset: px4_sitl}, magnetometer: {preset: px4_sitl}}"};
}

void gather_readings(FlownVehicle& vehicle, const World& world, const SensorColumns& columns) {
  if (world.tick() > 0) vehicle.sensors.gather(columns, world.slot_of(vehicle.id), seconds_of_tick(world));
}

Measured read_sensors(FlownVehicle& vehicle, const World& world, const SensorColumns& columns, const SensorSite& site) {
  return vehicle.sensors.read(columns, world.slot_of(vehicle.id), site, truth_of(world, vehicle.flock, vehicle.id), vehicle.start.position_W,
                              seconds_of_tick(world));
}

std::uint64_t sensor_time_us(const World& world) { return kFirstMoment + world.tick() * static_cast<std::uint64_t>(world.def().tick_ns) / 1000; }

std::uint64_t ticks_between_px4_readings(std::int64_t tick_ns) { return static_cast<std::uint64_t>(std::max<std::int64_t>(1, kPx4Period / tick_ns)); }

void give_commands(const World& world, const std::string& flock, const ActuatorMap& actuators, const std::vector<Commanded>& list, std::uint32_t source,
                   std::vector<Input>& inputs) {
  SetMany many{.what = Many::MotorSpeeds, .flock = flock};
  std::vector<const FlownVehicle*> armed;
  bool is_new = false;
  for (const auto& [vehicle, command] : list) {
    FlownVehicle& v = *vehicle;
    if (!world.is_alive(v.id) || world.has_crashed(v.id)) continue;
    if (command.armed != v.is_armed) inputs.push_back({.source = source, .target = v.id, .payload = SetMode{command.armed ? Mode::Armed : Mode::Disarmed}});
    const auto setpoints = actuators.setpoints(command);
    is_new = is_new || (command.armed && (!v.is_armed || setpoints != v.setpoints));
    v.is_armed = command.armed;
    v.setpoints = setpoints;
    if (v.is_armed) armed.push_back(&v);
  }
  if (!is_new) return;
  for (const FlownVehicle* v : armed) many.ids.push_back(v->id);
  for (std::size_t r = 0; r < actuators.size(); ++r)
    for (const FlownVehicle* v : armed) many.values.push_back(v->setpoints[r]);
  inputs.push_back({.source = source, .payload = std::move(many)});
}

}  // namespace volary::autopilot
