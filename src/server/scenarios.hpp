// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scenario files over the network: list, read, check, save, load. Shipped ones are read only; what people save goes into a
// folder of their own. What a client loads reads files beside it and in the assets and nowhere else, and no answer tells what stands in a
// file that the client did not send.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "volary/def.hpp"

namespace volary::server {

struct ScenarioFolders {
  std::string assets;                     // with vehicles/*.yaml
  std::string shipped;                    // *.yaml, never written
  std::string user;                       // *.yaml, made when something is saved; empty: nothing can be saved
  std::int64_t max_vehicles = 1'000'000;  // of what clients check and start
  scenario::MayRun may_run = nullptr;     // plugins that the scenarios of clients may bring in; empty: none
};

std::string list_scenarios(const ScenarioFolders& folders);  // JSON: [{name, title, description, saved}]
core::Result<std::string> read_scenario(const ScenarioFolders& folders, const std::string& name);
// JSON: {ok, problems, vehicles}, and when it is good and asked for what preview_of tells
std::string check_scenario(const ScenarioFolders& folders, const std::string& yaml, bool with_preview = false);
// the same JSON; an error when it was not written
core::Result<std::string> save_scenario(const ScenarioFolders& folders, const std::string& name, const std::string& yaml);
// all that was read goes into the bundle, for whoever records
core::Result<WorldDef> load_named_scenario(const ScenarioFolders& folders, const std::string& name, const std::vector<std::string>& overrides,
                                           scenario::Bundle& bundle);

std::string list_airframes(const ScenarioFolders& folders);  // JSON: [{name, title, model, and its shape as scenario/scene.hpp has it}]
std::string all_schemas();                                    // JSON: {scenario, airframe, inputs by kind}

}  // namespace volary::server
