// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The components of vehicles that can fail, by name, and faults that are drawn for them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "math/random.hpp"
#include "volary/faults.hpp"

namespace volary {

// the words for enums, in the order of their values
inline std::span<const char* const> names(FaultKind) {
  static constexpr const char* kWords[] = {"none", "off", "stuck", "bias", "drift", "scale", "noise", "delay", "drop_out", "intermittent"};
  return kWords;
}

}  // namespace volary

namespace volary::engine {

// a number between 0 and 1, and the four words of a draw of a vehicle
double uniform_of(std::uint32_t word);
math::Words4<std::uint32_t> draw_for(const math::RandomKey<std::uint32_t>& key, std::uint64_t draws, math::Purpose purpose, std::uint64_t tick, std::uint32_t n);

// what can fail, in the order of their names
enum class Unit : std::uint32_t {
  Rotor, Surface, Steering, Drive,
  Gyro, Accelerometer, Gnss, Barometer, Magnetometer, Airspeed, RangeFinder, OpticalFlow, Uwb, MotionCapture, Odometry,
  Link, Estimator
};
struct Component {
  Unit part = Unit::Rotor;
  std::uint32_t index = 0;  // of rotors and surfaces

  std::uint32_t code() const { return static_cast<std::uint32_t>(part) << 8 | index; }
  bool is_actuator() const { return part <= Unit::Drive; }
  bool is_sensor() const { return part >= Unit::Gyro && part <= Unit::Odometry; }
};
Component component_of_code(std::uint32_t code);
std::string name_of(Component c);                              // "rotor[2]"
core::Result<Component> parse_component(const std::string& name);  // the error suggests a name
std::span<const char* const> component_names();                // without index
std::vector<Component> every_component();                      // with every index
const char* unit_of(Component c);                              // of the amounts of its faults; "1": a share of its greatest speed or angle
std::vector<FaultKind> kinds_of(Component c);                  // those that make a difference to it
// whether this kind of fault makes sense for a component, and its numbers; the error names the field
core::Status check_fault(const SetFault& p, double tick_seconds);
// s: for as long sensors keep their readings, so that a fault can delay them
double longest_delay(const FaultsDef& def);

// The random faults of one vehicle, in the order of time: a pure function of its world's key and of the number by which everything of it is drawn. `components` are
// those of RandomFaultsDef that the vehicle has.
std::vector<DrawnFault> draw_schedule(const RandomFaultsDef& def, std::span<const std::string> components, double duration,
                                      const math::RandomKey<std::uint32_t>& key, std::uint64_t draws);
// what a severity from 0 to 1 means for a kind and a component
SetFault fault_of_severity(const std::string& component, FaultKind kind, double severity);

}  // namespace volary::engine
