// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/parameters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "autopilot/mavlink/frame.hpp"

namespace volary::autopilot {

namespace {

constexpr double kMost = 2147483647;  // of an int32

// a parameter of the vehicle's model that can be changed in flight; left out where the model has none
void add_model_parameter(std::vector<Parameter>& list, const char* name, const char* of_model, const std::optional<double>& value, double max) {
  if (value) list.push_back({name, false, *value, 0.1, std::max(max, *value), false, of_model});
}

std::vector<Parameter> make_list(const VehicleFacts& facts, std::uint8_t system) {
  std::vector<Parameter> list = {
      {"BAT1_N_CELLS", true, 0, 0, 0, true},
      {"CAL_ACC0_ID", true, 1310988, 0, 0, true},
      {"CAL_GYRO0_ID", true, 1310988, 0, 0, true},
      {"CAL_MAG0_ID", true, 197388, 0, 0, true},
      {"COM_DISARM_PRFLT", false, 10, -1, 60},      // s on the ground without a take-off after which it disarms; below 0: never
      {"COM_OF_LOSS_T", false, 1, 0, 60},           // s without setpoints after which offboard ends in hold
      {"COM_RC_IN_MODE", true, 1, 0, 0, true},
      {"GF_ACTION", true, 2, 0, 5},                 // 0 none, 1 warn, 2 hold, 3 return, 4 stop all rotors, 5 land
      {"GF_MAX_HOR_DIST", false, 0, 0, 10000},      // m from home; 0: no limit
      {"GF_MAX_VER_DIST", false, 0, 0, 10000},      // m above home; 0: no limit
      {"MAV_SYS_ID", true, static_cast<double>(system), 0, 0, true},
      {"MIS_TAKEOFF_ALT", false, 2.5, 0, 80},       // m above home
      {"MPC_VEL_MANUAL", false, 5, 0.1, 20},        // m/s at full stick
      {"MPC_XY_CRUISE", false, std::min(5.0, facts.max_speed.value_or(5)), 0.1, 50},  // m/s in missions, returns and on the way to a place
      {"NAV_ACC_RAD", false, facts.cannot_stop ? 60.0 : 2.0, 0.05, 200},              // m: a waypoint counts as reached
      {"NAV_DLL_ACT", true, 0, 0, 0, true},
      {"NAV_MC_ALT_RAD", false, facts.cannot_stop ? 10.0 : 0.8, 0.05, 200},           // m
      {"NAV_RCL_ACT", true, 0, 0, 0, true},
      {"RTL_MIN_DIST", false, 10, 0.5, 100},        // m from home: nearer than this a return keeps its height
      {"RTL_RETURN_ALT", false, 30, 0, 150},        // m above home
      {"SYS_AUTOCONFIG", true, 0, 0, 0, true},
      {"SYS_AUTOSTART", true, 4001, 0, 0, true},
  };
  add_model_parameter(list, "MPC_LAND_SPEED", "guide.descend", facts.descend, 10);
  add_model_parameter(list, "MPC_TKO_SPEED", "guide.climb", facts.climb, 10);
  add_model_parameter(list, "MPC_XY_VEL_MAX", "ladder.max_speed", facts.max_speed, 50);
  add_model_parameter(list, "MPC_Z_VEL_MAX_UP", "ladder.max_climb", facts.max_climb, 20);
  std::sort(list.begin(), list.end(), [](const Parameter& a, const Parameter& b) { return std::string_view(a.name) < b.name; });
  return list;
}

}  // namespace

Parameters::Parameters(const VehicleFacts& facts, std::uint8_t system) : list_(make_list(facts, system)) {}

int Parameters::index_of(std::string_view name) const {
  for (std::size_t k = 0; k < list_.size(); ++k)
    if (name == list_[k].name) return static_cast<int>(k);
  return -1;
}

double Parameters::operator[](std::string_view name) const {
  const int k = index_of(name);
  return k < 0 ? 0 : list_[static_cast<std::size_t>(k)].value;
}

double Parameters::cruise_speed() const {
  const double cruise = (*this)["MPC_XY_CRUISE"];
  return index_of("MPC_XY_VEL_MAX") < 0 ? cruise : std::min(cruise, (*this)["MPC_XY_VEL_MAX"]);
}

bool Parameters::set(int index, const mavlink::ParamSet& m) {
  Parameter& p = list_[static_cast<std::size_t>(index)];
  const bool is_integer = m.param_type == static_cast<std::uint8_t>(mavlink::ParamType::Int32);
  const bool is_real = m.param_type == static_cast<std::uint8_t>(mavlink::ParamType::Real32);
  if (p.is_fixed || (p.is_integer ? !is_integer : !is_real)) return false;
  const double value = p.is_integer ? static_cast<double>(std::bit_cast<std::int32_t>(m.param_value)) : static_cast<double>(m.param_value);
  if (!std::isfinite(value) || std::abs(value) > kMost || value < p.min || value > p.max) return false;
  const bool is_new = p.value != value;
  p.value = value;
  return is_new;
}

float encode_value(const Parameter& p) { return p.is_integer ? std::bit_cast<float>(static_cast<std::int32_t>(p.value)) : static_cast<float>(p.value); }

mavlink::ParamValue Parameters::message(int index) const {
  const Parameter& p = list_[static_cast<std::size_t>(index)];
  mavlink::ParamValue m;
  m.param_value = encode_value(p);
  m.param_count = static_cast<std::uint16_t>(list_.size());
  m.param_index = static_cast<std::uint16_t>(index);
  m.param_id = mavlink::fixed_text<16>(p.name);
  m.param_type = static_cast<std::uint8_t>(p.is_integer ? mavlink::ParamType::Int32 : mavlink::ParamType::Real32);
  return m;
}

}  // namespace volary::autopilot
