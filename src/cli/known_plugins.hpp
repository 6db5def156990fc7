// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The plugins that `volary plugin build` made for this user: a copy of each lies in a folder of theirs. Native code from elsewhere, in a
// recording or named over the network, runs without being asked for only when it equals one of them byte for byte.
#pragma once

#include <string>

#include "core/result.hpp"

namespace volary::cli {

std::string plugins_folder();  // VOLARY_DATA/plugins, or beside the library of runs

core::Status remember_plugin(const std::string& bytes);
bool built_here(const std::string& bytes);

}  // namespace volary::cli
