// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the project's own files are (core/home.hpp). Scenarios can be named as in `volary run rpt_circle`.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "volary/scenario.hpp"

namespace volary::cli {

std::string home_folder();
std::string this_program();    // the running executable
std::string program_folder();  // its folder
ScenarioPaths scenario_paths();
std::string page_folder();  // of the built page

// every scenarios/*.yaml, sorted
std::vector<std::string> all_scenarios();

// a file as it is, or a bare name in scenarios/
core::Result<std::string> find_scenario(const std::string& name);

std::string stem_of(const std::string& path);

}  // namespace volary::cli
