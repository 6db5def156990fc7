// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The pure form of a platform (vehicles/platform.hpp) beside MuJoCo, a general solver of joined bodies: the same bodies, the same held thrusts at the same rotors.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "engine/platform_scene.hpp"
#include "multibody/model.hpp"
#include "scenario/airframe.hpp"
#include "vehicles/platform_model.hpp"

namespace volary {
namespace {

using math::Quat;
using math::Vec3;
using vehicles::PlatformParams;
using vehicles::PlatformProgram;

constexpr double kStep = 0.001, kDegrees = 57.29577951308232;
constexpr int kSteps = 5000;

airframe::PlatformDef shipped(const char* name) {
  const auto loaded = scenario::load_airframe(std::string(VOLARY_SOURCE_DIR "/assets/vehicles/") + name + ".yaml");
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().text());
  return *static_cast<const airframe::PlatformDef*>(loaded.value().definition.get());
}

// A body that is thrown, with rotors that pull unevenly: everything turns. Speeds of rotors, rad/s.
double held_speed(std::size_t part, std::size_t rotor) { return 640 + 15 * std::sin(1.0 + 2.0 * static_cast<double>(part) + static_cast<double>(rotor)); }

// without air and without the angular momentum of rotors, which MuJoCo does not have
template <int N> PlatformParams<double, N> in_vacuum(PlatformParams<double, N> p) {
  for (auto* v : {&p.linear_drag, &p.quadratic_drag}) *v = math::zero3<double>();
  for (auto& part : p.part) {
    part.linear_drag = part.quadratic_drag = math::zero3<double>();
    part.rotor.drag = part.rotor.rolling = part.rotor.inertia = part.rotor.inv_stall_speed = part.rotor.sink_slope = 0;
    part.rotor.sink_limit = 1e9;
  }
  return p;
}

struct Gap {
  double position = 0, angle = 0;  // m, deg: the greatest of all bodies and times
  void take(const Vec3<double>& a, const Vec3<double>& b) { position = std::max(position, math::norm(a - b)); }
  void take(const Quat<double>& a, const Quat<double>& b) {
    const Quat<double> d = math::conjugate(a) * b;
    angle = std::max(angle, 2 * std::asin(std::min(1.0, std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z))) * kDegrees);
  }
};

template <int N> Gap compare(const airframe::PlatformDef& def) {
  engine::FlockSetup setup;
  setup.tick = kStep, setup.substeps = 1;
  const auto derived = vehicles::Platform::derive<PlatformProgram<N>>(def, setup);
  EXPECT_TRUE(derived) << (derived ? "" : derived.error().text());
  const PlatformParams<double, N> p = in_vacuum<N>(derived.value());

  multibody::OptionsDef options;
  options.time_step = kStep, options.integrator = multibody::Integrator::RungeKutta4, options.gravity = {0, 0, -p.gravity};
  const auto model = multibody::make_model(engine::platform_scene(def, options));
  EXPECT_TRUE(model) << (model ? "" : model.error().text());
  auto instance = std::move(model.value()->make_instance()).value();

  vehicles::RigidBody<double> body{{{0, 0, 0}, {0, 0, 0}}, {0.5, -0.3, 1}, math::normalize(Quat<double>{1, 0.1, -0.05, 0.2}), {0.4, -0.3, 0.6}};
  vehicles::Part<double> part[N];
  vehicles::PartCommands<double, N> command;
  instance->place(0, {{0, 0, 0}, body.q_WB, body.velocity_W, math::rotation_matrix(body.q_WB) * body.omega_B});
  for (int i = 0; i < N; ++i) {
    const auto k = static_cast<std::size_t>(i);
    part[i] = {};
    part[i].q_WB = body.q_WB * Quat<double>{std::cos(0.5 * def.parts[k].yaw), 0, 0, std::sin(0.5 * def.parts[k].yaw)};
    part[i].omega_B = {0.2 * i, 0.3, -0.2};
    instance->place(1 + k, {{}, part[i].q_WB, {}, math::rotation_matrix(part[i].q_WB) * part[i].omega_B});
    for (std::size_t r = 0; r < 4; ++r) {
      const double w = held_speed(k, r), spin = p.part[i].rotor.spin[r];
      part[i].rotors.speed[r] = command.part[i].speed[r] = w;
      const double thrust = vehicles::still_thrust(w, p.part[i].rotor);
      const double torque = -spin * ((p.part[i].rotor.torque2 * w + p.part[i].rotor.torque1) * w + p.part[i].rotor.torque0);
      instance->command(*multibody::find_site(model.value()->scene(), engine::rotor_site(k, r)), thrust, torque);
    }
  }

  const Vec3<double> none = math::zero3<double>();
  const vehicles::PlatformSurroundings<double> alone = {none, {none, none}, none};
  Gap gap;
  for (int k = 0; k < kSteps; ++k) {
    vehicles::platform_substep<double, N>(body, part, command, alone, p, false);
    EXPECT_TRUE(instance->step(1));
    const multibody::Motion centre = instance->motion(0);
    gap.take(body.position_W.value + body.position_W.remainder, centre.position_W);
    gap.take(body.q_WB, centre.q_WB);
    for (int i = 0; i < N; ++i) gap.take(part[i].q_WB, instance->motion(1 + static_cast<std::size_t>(i)).q_WB);
  }
  return gap;
}

TEST(platform_agreement, the_pure_form_flies_as_mujoco_does_within_a_hundredth_of_a_millimetre_for_five_seconds) {
  for (const char* name : {"three_star", "three_square", "two_line", "three_line"}) {
    const airframe::PlatformDef def = shipped(name);
    const Gap gap = def.parts.size() == 2 ? compare<2>(def) : compare<3>(def);
    std::printf("%s: %.3g mm, %.3g deg\n", name, gap.position * 1e3, gap.angle);
    EXPECT_LT(gap.position, 1e-5) << name;
    EXPECT_LT(gap.angle, 1e-3) << name;
  }
}

}  // namespace
}  // namespace volary
