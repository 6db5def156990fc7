// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How autopilots are started: command line, environment and files of one instance. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autopilot/place.hpp"
#include "scenario/autopilot_def.hpp"

namespace volary::autopilot {

const char* name_of(AutopilotKind kind);  // "PX4"

// what is told to the one instance that flies a vehicle
struct Instance {
  int number = 0;            // ports and system numbers follow from it
  LatLon home = {};             // where the vehicle stands
  double heading = 0;        // deg, from north towards east
  double sensor_period = 0;  // s between two readings of the sensors
  std::string folder = {};      // in which it runs
};

struct Launch {
  std::vector<std::string> command, environment;
  std::vector<std::pair<std::string, std::string>> files;  // name in the folder, text
};

// `data` is PX4's folder `etc`
Launch px4_launch(const std::string& program, const std::string& data, const AutopilotDef& def, const Instance& instance);
Launch ardupilot_launch(const std::string& program, const AutopilotDef& def, const Instance& instance);

// of the MAVLink link to companions, which is PX4's fifth: the others are for ground stations, programs, a camera and a gimbal
struct CompanionPorts {
  int px4, ours;
};
CompanionPorts px4_companion_ports(int instance);
int simulator_port(AutopilotKind kind, int instance);  // of this side
int most_instances(AutopilotKind kind);                // by system numbers, which have 8 bits

}  // namespace volary::autopilot
