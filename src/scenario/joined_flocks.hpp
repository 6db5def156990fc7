// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocks whose bodies MuJoCo moves, and flocks that dock: what their vehicles can be and carry, and what belongs together. Loads on cables are in slung_loads.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// The vehicles always fly so: they have end effectors, or joints other than plain ball joints.
bool has_joined_bodies(const Airframe& airframe);
bool is_joined(const FlockDef& flock, const WorldDef& world);
// the flocks that a flock names to share scenes with: the one to dock with, or those that carry its load with it
std::vector<std::string> partners_of(const FlockDef& flock);
// whether vehicles of other flocks are in the scenes of those of this one
bool has_partners(const FlockDef& flock, const WorldDef& world);
// the node of the federation that a flock is given to, by name; empty: none
std::string node_of(const ScenarioFile& file, const std::string& flock);

// names and numbers of flocks that dock; of two flocks, one names the other
core::Status check_docking(const ScenarioFile& file);
// whether the vehicles of flocks[index] can be moved by MuJoCo, where anything asks for it
core::Status check_joined(const ScenarioFile& file, std::size_t index, const Airframe& airframe);
// Flocks that dock have a cone and a cylinder for each other. The flocks are those of the file, in its order.
core::Status check_latches(const WorldDef& world);
// Agents that learn dock and touch where terms of their task are about that. The flocks are those of the file, in its order.
core::Status check_contact_terms(const LearningDef& task, const WorldDef& world);
// a flock that is released docks; `field` is that of its name
core::Status check_release(const ScenarioFile& file, const std::string& flock, const std::string& field);

}  // namespace volary::scenario
