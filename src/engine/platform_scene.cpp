// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/platform_scene.hpp"

#include <utility>

#include <fmt/format.h>

#include "math/functions.hpp"

namespace volary::engine {

namespace {

using airframe::LinkKind;

multibody::JointDef joint_of(const airframe::PartDef& part, double damping) {
  const airframe::LinkDef& link = part.link;
  multibody::JointDef joint;
  if (link.kind == LinkKind::Fixed) return joint;
  joint.kind = link.kind == LinkKind::Hinge ? multibody::JointKind::Hinge : multibody::JointKind::Ball;
  // from the frame of the central body to that of the aircraft
  if (link.kind == LinkKind::Hinge) joint.axis = math::transpose_times(math::rotation_matrix(about_z(part.yaw)), to_vec(link.axis));
  joint.is_limited = link.limit > 0;
  joint.lower = -link.limit, joint.upper = link.limit;
  joint.damping = damping + link.damping;
  joint.friction_loss = link.friction;
  return joint;
}

multibody::BodyDef body_of(const airframe::MultirotorDef& aircraft) {
  multibody::BodyDef body;
  body.mass = aircraft.mass;
  body.moments = to_vec(aircraft.inertia), body.products = to_vec(aircraft.inertia_products);
  return body;
}

}  // namespace

multibody::Quat about_z(double angle) {
  double s, c;
  math::sincos(0.5 * angle, s, c);
  return {c, 0, 0, s};
}

multibody::BodyDef centre_body(const airframe::PlatformDef& def) {
  multibody::BodyDef body;
  body.name = kCentreBody;
  body.mass = def.centre.mass;
  body.moments = to_vec(def.centre.inertia);
  body.centre_of_mass = to_vec(def.centre.centre_of_mass);
  body.joint.kind = multibody::JointKind::Free;
  return body;
}

multibody::BodyDef aircraft_body(const airframe::PlatformDef& def, std::size_t k) {
  multibody::BodyDef body = body_of(def.aircraft[k]);
  body.name = part_body(k);
  body.parent = kCentreBody;
  body.pose = {to_vec(def.parts[k].joint), about_z(def.parts[k].yaw)};
  body.joint = joint_of(def.parts[k], def.joint_damping);
  return body;
}

multibody::BodyDef free_aircraft(const airframe::MultirotorDef& def) {
  multibody::BodyDef body = body_of(def);
  body.name = kCentreBody;
  body.joint.kind = multibody::JointKind::Free;
  return body;
}

std::string part_body(std::size_t part) { return fmt::format("part{}", part + 1); }
std::string rotor_site(std::size_t part, std::size_t rotor) { return fmt::format("part{}/rotor{}", part + 1, rotor + 1); }

multibody::SceneDef platform_scene(const airframe::PlatformDef& def, const multibody::OptionsDef& options) {
  multibody::SceneDef scene;
  scene.options = options;
  scene.bodies.push_back(centre_body(def));
  for (std::size_t k = 0; k < def.parts.size(); ++k) {
    multibody::BodyDef body = aircraft_body(def, k);
    for (std::size_t r = 0; r < def.aircraft[k].rotors.size(); ++r)
      body.sites.push_back({rotor_site(k, r), {to_vec(def.aircraft[k].rotors[r].position), {1, 0, 0, 0}}, multibody::Drive::Thrust});
    scene.bodies.push_back(std::move(body));
  }
  return scene;
}

}  // namespace volary::engine
