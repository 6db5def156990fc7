// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scenario files -> checked, flat WorldDef: includes, overrides, reading, placing, planning.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/airframe.hpp"
#include "scenario/scenario_def.hpp"
#include "volary/def.hpp"

namespace volary::scenario {

// `overrides` are "path=value", such as "environment.wind=[1, 0, 0]"
core::Result<WorldDef> load_scenario(const std::string& path, const Paths& paths, const std::vector<std::string>& overrides = {});

// the same from text; includes and airframe files are looked for beside `virtual_name`
core::Result<WorldDef> load_scenario_text(const std::string& text, const std::string& virtual_name, const Paths& paths,
                                          const std::vector<std::string>& overrides = {});

// the same, and everything that was read as a bundle
core::Result<WorldDef> load_scenario(const std::string& path, const Paths& paths, const std::vector<std::string>& overrides, Bundle& bundle);

// the same with the files that `files` gives, which writes them into `bundle`
core::Result<WorldDef> load_scenario(const std::string& path, const Paths& paths, const std::vector<std::string>& overrides, Bundle& bundle,
                                     const Files& files);

// the same with the files that `files` gives; the scenario's own text is `text`, and `virtual_name` says where it would lie
core::Result<WorldDef> load_scenario_text(const std::string& text, const std::string& virtual_name, const Paths& paths,
                                          const std::vector<std::string>& overrides, const Files& files);

// from a bundle alone: no file of this machine is looked at, and none of its plugins runs that `may_run` does not let
core::Result<WorldDef> load_bundle(const Bundle& bundle, std::int64_t max_vehicles = Paths{}.max_vehicles, const MayRun& may_run = nullptr);

}  // namespace volary::scenario
