// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/platform_scene.hpp"

#include <fmt/format.h>

#include "math/functions.hpp"

namespace volary::engine {

namespace {

using airframe::Triple;

multibody::Vec vec(const Triple& t) { return {t[0], t[1], t[2]}; }
multibody::Quat about_z(double angle) {
  double s, c;
  math::sincos(0.5 * angle, s, c);
  return {c, 0, 0, s};
}

multibody::BodyDef centre_of(const airframe::CentreDef& def) {
  multibody::BodyDef body;
  body.name = kCentreBody;
  body.mass = def.mass;
  body.moments = vec(def.inertia);
  body.centre_of_mass = vec(def.centre_of_mass);
  body.joint.kind = multibody::JointKind::Free;
  return body;
}

multibody::BodyDef part_of(const airframe::PlatformDef& def, std::size_t k) {
  const airframe::MultirotorDef& aircraft = def.aircraft[k];
  multibody::BodyDef body;
  body.name = part_body(k);
  body.parent = kCentreBody;
  body.pose = {vec(def.parts[k].joint), about_z(def.parts[k].yaw)};
  body.mass = aircraft.mass;
  body.moments = vec(aircraft.inertia), body.products = vec(aircraft.inertia_products);
  body.joint.kind = multibody::JointKind::Ball;
  body.joint.damping = def.joint_damping;
  for (std::size_t r = 0; r < aircraft.rotors.size(); ++r)
    body.sites.push_back({rotor_site(k, r), {vec(aircraft.rotors[r].position), {1, 0, 0, 0}}, multibody::Drive::Thrust});
  return body;
}

}  // namespace

std::string part_body(std::size_t part) { return fmt::format("part{}", part + 1); }
std::string rotor_site(std::size_t part, std::size_t rotor) { return fmt::format("part{}/rotor{}", part + 1, rotor + 1); }

multibody::SceneDef platform_scene(const airframe::PlatformDef& def, const multibody::OptionsDef& options) {
  multibody::SceneDef scene;
  scene.options = options;
  scene.bodies.push_back(centre_of(def.centre));
  for (std::size_t k = 0; k < def.parts.size(); ++k) scene.bodies.push_back(part_of(def, k));
  return scene;
}

}  // namespace volary::engine
