// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A platform (vehicles/platform_def.hpp) as a scene of joined bodies (multibody/scene.hpp): the central body free, its aircraft on ball joints, and a site with a
// thruster at every rotor. Forces of rotors act there and nowhere else.
#pragma once

#include <string>

#include "multibody/scene.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::engine {

// names in the scene; aircraft and rotors count from 1, as columns do
inline constexpr const char* kCentreBody = "centre";
std::string part_body(std::size_t part);
std::string rotor_site(std::size_t part, std::size_t rotor);

multibody::SceneDef platform_scene(const airframe::PlatformDef& def, const multibody::OptionsDef& options);

}  // namespace volary::engine
