// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a page needs to draw an airframe, taken from the describe lists: a new model with rotors, a wing, wheels or end effectors is drawn without a line
// here. Platforms have bodies of their own. Beside them, the walls and funnels of a world.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "vehicles/effector_def.hpp"
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

  // an aircraft of a platform
  struct Part {
    std::array<double, 3> joint = {0, 0, 0};  // m, in the frame of the central body
    double yaw = 0;                           // rad, from that of the central body
    airframe::LinkDef link;
    std::vector<Rotor> rotors;                // in its own frame
    double size = 0.3;                        // m, across
    std::vector<airframe::EffectorDef> effectors;
  };
  std::array<double, 3> centre = {0, 0, 0};   // m, edges of the central body of a platform; 0: it has none
  std::vector<Part> parts;
  std::vector<airframe::EffectorDef> effectors;  // of the central body or of the multirotor
};
Look look_of(const Airframe& airframe);
// {centre, parts: [{joint, yaw, link, axis, size_m, rotors, effectors}], effectors: [{kind, position, direction, length, radius, mouth}]}; empty: it is
// one body without end effectors
nlohmann::json body_of(const Look& look);
// [[x, y, z, spin, and where its radius is known the axis x, y, z, and the radius]]
nlohmann::json rotors_of(const std::vector<Look::Rotor>& rotors);
// as obstacles of the kind mesh; walls on springs as they stand at rest
nlohmann::json structures_of(const std::vector<StructureDef>& structures);

}  // namespace volary::scenario
