// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a scenario from a text of their own, for programs that build a WorldDef by hand: read by the same lists as in a file. A text is one entry
// or a list of them, and errors name fields as they would in a file: behaviours[0].reynolds.range.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "swarm/tasks/make_task.hpp"
#include "volary/def.hpp"

namespace volary::scenario {

// where the files are that a text names
struct FragmentPlaces {
  std::string folder, assets;
  const Files& files;
};

core::Result<std::vector<BehaviourDef>> behaviours_of_text(const std::string& text, const NodeDef& node, const FragmentPlaces& places);
core::Result<std::vector<EmissionDef>> emissions_of_text(const std::string& text);
core::Result<std::vector<TaskDef>> tasks_of_text(const std::string& text, const WorldDef& world, const FragmentPlaces& places);

// what the tasks of a world may name; `places` must outlive it, because it finds the texts of scripts there
swarm::TaskNames task_names(const WorldDef& world, const FragmentPlaces& places);

}  // namespace volary::scenario
