// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures over the network: what a scenario's terrain is made of, kept beside it in the user's folder as NAME.png.
#pragma once

#include <cstddef>
#include <string>

#include "core/result.hpp"
#include "server/scenarios.hpp"

namespace volary::server {

inline constexpr std::size_t kMostPictureBytes = 32u << 20;

// Only a whole PNG that the reader of scenarios takes is written. One that is there already stays unless `replace`. JSON: {file, width, height, bytes}
core::Result<std::string> save_picture(const ScenarioFolders& folders, const std::string& name, const std::string& png, bool replace);

}  // namespace volary::server
