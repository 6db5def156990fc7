// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Stimulus fields for people to look at: how strong sound, light and plumes are a little above the ground, where the swarm is.
#pragma once

#include <nlohmann/json.hpp>

#include "server/frame.hpp"
#include "server/swarm_text.hpp"
#include "volary/world.hpp"

namespace volary::server {

inline constexpr double kFieldHeight = 2;  // m above the ground

// one for every kind that somebody gives off now, as type Field of schema/wire.json
nlohmann::json stimuli_of(const World& world, const Places& places);

}  // namespace volary::server
