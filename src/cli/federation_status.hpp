// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a federation does, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace volary::cli {

// `status` as cluster::health_json gives it
void print_status(const nlohmann::json& status, bool json);

}  // namespace volary::cli
