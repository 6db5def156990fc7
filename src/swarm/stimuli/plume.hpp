// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A plume: gas, smoke or heat from a steady source, carried along by the wind and spread across it (the Gaussian plume; Hanna, Briggs and Hosker, "Handbook on Atmospheric
// Diffusion", 1982, with Briggs' open-country widths for neutral air, class D: sigma_y = 0.08 x / sqrt(1 + 0.0001 x), sigma_z = 0.06 x / sqrt(1 + 0.0015 x)). The ground
// reflects it. Below `calm` m/s the wind counts as that fast: the formula has no answer for still air.
// Left out: meandering, buoyant rise, deposition, buildings; it is the mean over ten minutes, where a nose meets puffs.
#pragma once

#include "swarm/stimuli/stimulus.hpp"

namespace volary::swarm {

struct Plume {
  static constexpr const char* name = "plume";
  static constexpr const char* doc = "concentration of a substance that a source releases into the wind";
  static constexpr const char* unit = "kg/m3";
  static constexpr double kUnit = 1e-18;
  static constexpr double kCalm = 0.5;  // m/s
  struct Emission {
    double rate = 1e-3;  // kg/s
    double ground = 0;  // m
    double farthest = 2000;  // m
  };

  static double perceive(const Place& at, const Source<Emission>& s) {
    const V3 way = at.position - s.position;
    const double speed = math::sqrt(at.wind.x * at.wind.x + at.wind.y * at.wind.y);
    const double u = math::max(speed, kCalm);
    const double ex = speed > 1e-9 ? at.wind.x / speed : 1, ey = speed > 1e-9 ? at.wind.y / speed : 0;
    const double x = way.x * ex + way.y * ey, y = way.y * ex - way.x * ey;
    if (x <= 0.1) return 0;  // upwind of it, or in it
    const double sy = 0.08 * x / math::sqrt(1 + 1e-4 * x), sz = 0.06 * x / math::sqrt(1 + 1.5e-3 * x);
    const double up = at.position.z - s.position.z, mirrored = at.position.z + s.position.z - 2 * s.emission.ground;
    const double across = math::exp(-0.5 * (y / sy) * (y / sy));
    const double above = math::exp(-0.5 * (up / sz) * (up / sz)) + math::exp(-0.5 * (mirrored / sz) * (mirrored / sz));
    return s.emission.rate / (6.283185307179586 * u * sy * sz) * across * above;
  }
  static double reach(const Emission& e) { return e.farthest; }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Plume::Emission>
void describe(D& d, V& v) {
  v.field("rate", d.rate, {.unit = "kg/s", .min = 0, .max = 1e6, .doc = "mass rate at which the source emits"});
  v.field("ground", d.ground, {.unit = "m", .min = -1e5, .max = 1e5, .doc = "height of the ground that reflects the plume"});
  v.field("farthest", d.farthest, {.unit = "m", .min = 1, .max = 1e5, .doc = "distance beyond which the concentration counts as zero"});
}

}  // namespace volary::swarm
