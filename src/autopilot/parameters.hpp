// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a virtual autopilot, by the names and with the meaning that they have in PX4. Those that act are in one list (parameters.cpp);
// clients can only read the few others that ground stations ask for before they fly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autopilot/mavlink/messages.hpp"
#include "autopilot/vehicle_state.hpp"

namespace volary::autopilot {

struct Parameter {
  const char* name;
  bool is_integer = false;
  double value = 0, min = 0, max = 0;
  bool is_fixed = false;              // clients cannot change it
  const char* of_model = nullptr;     // the parameter of the vehicle's model that it sets
};

class Parameters {
 public:
  Parameters(const VehicleFacts& facts, std::uint8_t system);

  std::span<const Parameter> list() const { return list_; }
  int index_of(std::string_view name) const;  // -1: there is none
  double operator[](std::string_view name) const;
  double cruise_speed() const;  // m/s, of flights without a pilot
  // The value that the parameter has afterwards is the answer: a fixed one keeps its own, and a number out of bounds or of another type changes nothing.
  bool set(int index, const mavlink::ParamSet& message);
  mavlink::ParamValue message(int index) const;

 private:
  std::vector<Parameter> list_;
};

// Numbers travel as the bits of their own type in a float (MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_BYTEWISE).
float encode_value(const Parameter& parameter);

}  // namespace volary::autopilot
