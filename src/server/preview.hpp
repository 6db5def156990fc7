// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A scenario before anything has moved, for the editor of the page: where every vehicle starts and what it would fly.
#pragma once

#include <nlohmann/json.hpp>

#include "volary/def.hpp"

namespace volary::server {

inline constexpr std::size_t kMostPreviewed = 20'000;  // vehicles of one world whose places are told

// what scenario::scene_of tells, and name, seed, duration; each flock has also {count, starts: [[e, n, u, yaw]],
// centres: [[e, n, u]], curve: [[e, n, u]] about a centre, empty for a hold}
nlohmann::json preview_of(const WorldDef& def);

}  // namespace volary::server
