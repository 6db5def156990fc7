// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flight code of another project that flies the vehicles of a flock, one process for each vehicle. It changes the world only by inputs, so a WorldDef does not have
// it. Which program runs is never for a scenario to say, because scenarios come over the network: whoever starts a run says so.
#pragma once

#include <string>
#include <vector>

namespace volary {

// The project whose flight code it is.
enum class AutopilotKind { Px4, Ardupilot };

// A parameter of an autopilot and its value.
struct AutopilotParameter {
  std::string name;  // capital letters, digits and underscores
  double value = 0;

  friend bool operator==(const AutopilotParameter&, const AutopilotParameter&) = default;
};

// The outputs of an autopilot, counted from 1 as autopilots count them, that drive an aircraft. A negative one drives its surface in reverse; 0: none does.
struct AircraftOutputs {
  std::vector<int> rotors = {};  // of each rotor of the airframe
  int aileron = 0, elevator = 0, rudder = 0;
};

// The autopilot of each vehicle of a flock.
struct AutopilotDef {
  AutopilotKind kind = AutopilotKind::Px4;
  std::vector<AutopilotParameter> parameters;  // set before the start; all others have the defaults of the autopilot
  int autostart = 10016;  // number of the airframe of PX4
  std::vector<int> motors;  // rotor of a multirotor, from 0, that each output drives; empty: each output drives the rotor of its number
  AircraftOutputs outputs = {};  // of an aircraft
};

// A flock with its autopilot.
struct FlockAutopilot {
  std::string flock;
  AutopilotDef def;
};

}  // namespace volary
