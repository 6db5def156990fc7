// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From the environment of a definition to the Earth that vehicles fly in; what is wrong with one; how one of its fields is changed or listed while a
// world runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/list_fields.hpp"
#include "core/result.hpp"
#include "environment/earth.hpp"
#include "math/random.hpp"
#include "volary/def.hpp"

namespace volary::weather {

// whether the air thins with height
bool has_atmosphere(const WeatherDef& weather);
// whether wind or density depend on place or time; in a plain world they are one number for everybody, for ever
bool is_plain(const WeatherDef& weather);

environment::EarthDef earth_def(const EnvironmentDef& e);
environment::WindFading fading_of(const WeatherDef& weather);
// the mean wind of a world in one of its episodes: that of all, and what is drawn for it
Vec wind_of_world(const EnvironmentDef& e, const math::RandomKey<std::uint32_t>& key_of_world);
// fields are named as in a file: "turbulence.length"
core::Status check(const EnvironmentDef& e);

// sets one field from a text as a file would have it: "wind", "turbulence.intensity", "gusts[0].amplitude"; the environment is as it was when it fails
core::Status change(EnvironmentDef& e, std::string_view path, const std::string& value);
// those that can be changed, with "environment." before their paths
std::vector<core::ListedField> list(const EnvironmentDef& e);

// where the local axes stand; only of a world that has an origin
environment::LocalFrame<double> frame_of(const OriginDef& origin);

}  // namespace volary::weather
