// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a page needs to draw an airframe, taken from the describe lists: a new model with rotors, a wing or wheels is drawn without a line here.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "volary/def.hpp"

namespace volary::scenario {

struct Look {
  struct Rotor {
    std::array<double, 3> hub = {0, 0, 0}, axis = {0, 0, 1};  // m, body; direction of its thrust
    double spin = 1;                                          // direction of turning
    double radius = 0;                                        // m, 0: not told
  };
  std::vector<Rotor> rotors;
  double size = 0.3;                           // m, across
  std::string kind;                            // aeroplane, flying_wing, quadplane, car; empty: rotors on arms, or a plain body
  bool v_tail = false;
  double span = 0, chord = 0;                  // m, of the wing
  double wheelbase = 0, to_front = 0;          // m, of a car: between the axles; from its reference point to the front one
  double length = 0, width = 0, height = 0;    // m, of a car; 0: not told; its reference point above the ground
  std::vector<std::array<double, 3>> wheels;   // m, body: where those of an aircraft meet the ground
};
Look look_of(const Airframe& airframe);

}  // namespace volary::scenario
