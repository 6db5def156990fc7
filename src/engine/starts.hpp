// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Starts that are drawn for each vehicle of the definition in each episode (SpreadDef). A vehicle is made as its definition says, and what says where it is,
// how it moves and what it holds on to is moved by the draw. What its model has derived from the start, such as the speed of its rotors, stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "math/random.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Data;
struct Flock;

struct DrawnStarts {
  bool is_on = false;
  bool rolls = false;  // its vehicles move along their heading only
  bool turns = false;  // the velocity of its vehicles turns with their heading
  bool flies_on_wings = false;  // and is one through the air
  bool follows_ground = false;  // its vehicles stand on ground that is not flat
  double cruise = 0;  // m/s, at which vehicles fly to the start of their mission
  std::vector<bool> standing;  // by vehicle of the definition, where the flock flies on wings
  // rows of the hot record; -1: the vehicles have none
  int position = -1, velocity = -1, attitude = -1, omega = -1, previous_velocity = -1;
  int setpoint_position = -1, setpoint_attitude = -1, setpoint_yaw = -1;
  // and of the plan
  int anchor = -1, anchor_yaw = -1, blend = -1, blend_time = -1;
};

// after the flocks were made; an error names the field
core::Status prepare_starts(Data& d);
// For slots [first, last) of one world, which are as the definition says: its vehicles from `number` on.
void draw_starts(const Data& d, Flock& f, std::size_t first, std::size_t last, std::size_t number, const math::RandomKey<std::uint32_t>& key_of_world);

}  // namespace volary::engine
