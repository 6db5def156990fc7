// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A platform (vehicles/platform_def.hpp) as a scene of joined bodies (multibody/scene.hpp): the central body free, its aircraft on their joints, and a site with a
// thruster at every rotor. Forces of rotors act there and nowhere else. Scenes of flocks (joined_scene.hpp) are made of the same bodies.
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

// its bodies, without sites and shapes, and a multirotor as the one body that it is
multibody::BodyDef centre_body(const airframe::PlatformDef& def);
multibody::BodyDef aircraft_body(const airframe::PlatformDef& def, std::size_t part);
multibody::BodyDef free_aircraft(const airframe::MultirotorDef& def);

inline multibody::Vec to_vec(const airframe::Triple& t) { return {t[0], t[1], t[2]}; }
multibody::Quat about_z(double angle);

}  // namespace volary::engine
