// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A vehicle that flight code outside of this process flies: what it senses after a tick, and how the outputs of a flock become inputs. For all sources of this kind.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "autopilot/lockstep/measured.hpp"
#include "autopilot/lockstep/outputs.hpp"
#include "core/result.hpp"
#include "scenario/autopilot_def.hpp"
#include "volary/world.hpp"

namespace volary::autopilot {

inline constexpr std::uint64_t kFirstMoment = 1'000'000;  // us: clocks of autopilots do not begin at zero

struct FlownVehicle {
  VehicleId id = {};
  std::string name, flock;
  Truth start;
  SensorReader sensors;
  std::array<double, kMostActuators> setpoints{};  // as given last
  bool is_armed = false;  // as given last
};

// those of a flock, in its order, as they stand now
std::vector<FlownVehicle> flown_vehicles(const World& world, const std::string& flock);
const FlockDef* find_flock(const World& world, const std::string& name);

// the true motion of a vehicle now
Truth truth_of(const World& world, const std::string& flock, VehicleId id);

// An autopilot flies by an IMU at least: refuses flocks that have none.
core::Status check_senses(const World& world, const std::string& flock);
// what the sensors of a vehicle say now; they gather readings after every tick
Measured read_sensors(FlownVehicle& vehicle, const World& world, const SensorColumns& columns, const SensorSite& site);
void gather_readings(FlownVehicle& vehicle, const World& world, const SensorColumns& columns);

std::uint64_t sensor_time_us(const World& world);  // of the tick that begins now
// Ticks between two readings of PX4's sensors: 4 ms, or as near below as ticks allow.
std::uint64_t ticks_between_px4_readings(std::int64_t tick_ns);

// what the flight code of one vehicle commands
struct Commanded {
  FlownVehicle* vehicle = nullptr;
  Command command;
};
// Inputs for what has changed: modes one by one, setpoints of all armed vehicles in one input, which a recording keeps instead of one per vehicle.
void give_commands(const World& world, const std::string& flock, const ActuatorMap& actuators, const std::vector<Commanded>& list, std::uint32_t source,
                   std::vector<Input>& inputs);

}  // namespace volary::autopilot
