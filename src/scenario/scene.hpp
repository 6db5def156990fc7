// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a page needs to draw a world before anything has moved: airframes, ground, wind, regions. The stream's greeting and the head of a
// recording carry the same.
#pragma once

#include <nlohmann/json.hpp>

#include "volary/def.hpp"

namespace volary::scenario {

// {rotors: [[x, y, z, spin, and where its radius is known the axis x, y, z, and the radius]], size_m, look: {kind, ...}}: look is there for what is more than its rotors
nlohmann::json shape_of(const Airframe& airframe);
// {flocks: [{name, airframe, model, controller, radius_m, and its shape}], ground, has_ground, wind, gust_sigma, regions: [...], tasks: [{name, required}],
// terrain, obstacles}
nlohmann::json scene_of(const WorldDef& def);

}  // namespace volary::scenario
