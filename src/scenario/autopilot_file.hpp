// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The autopilot of a flock: its parameter file, and whether world, airframe and autopilot fit together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "scenario/places.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// Lines of "NAME VALUE" or "NAME,VALUE", as ArduPilot has them, or of the five columns that ground stations save: system, component, name, value, type.
// '#' begins a comment. Names have capital letters, digits and underscores only, because they become part of an environment.
core::Result<std::vector<AutopilotParameter>> read_autopilot_parameters(std::string_view text);

// the outputs of an aircraft with one rotor, or with four that lift and one that pulls, as the autopilots have them without further settings
AircraftOutputs default_outputs(AutopilotKind kind, std::size_t rotors);

// `field` is that of the flock, with its dot
core::Result<AutopilotDef> make_autopilot(const ScenarioFile& file, std::size_t index, const Airframe& airframe, const Places& places,
                                          const std::string& field);

// of a scenario that was loaded into a bundle without an error
core::Result<std::vector<FlockAutopilot>> load_autopilots(const Bundle& bundle, const WorldDef& world);

}  // namespace volary::scenario
