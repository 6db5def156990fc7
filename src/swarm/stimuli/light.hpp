// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Light of a small lamp: illuminance at a place that faces it, the luminous intensity over the square of the distance, thinned by haze on the way
// (Bouguer and Lambert; Koschmieder: with a visibility V the extinction is 3.912 / V). Nothing solid lets it through.
// Left out: the colour, the sun, reflections, and the way a sensor looks.
#pragma once

#include "swarm/stimuli/stimulus.hpp"

namespace volary::swarm {

struct Light {
  static constexpr const char* name = "light";
  static constexpr const char* doc = "illuminance by lamps";
  static constexpr const char* unit = "lx";
  static constexpr double kUnit = 1e-9;
  struct Emission {
    double intensity = 10;       // cd
    double visibility = 20000;   // m
  };

  static double perceive(const Place& at, const Source<Emission>& s) {
    if (!at.in_sight) return 0;
    const V3 way = s.position - at.position;
    const double d2 = math::max(math::dot(way, way), 0.01);
    return s.emission.intensity / d2 * math::exp(-3.912 * math::sqrt(d2) / s.emission.visibility);
  }
  static double reach(const Emission& e) { return math::sqrt(e.intensity / kUnit); }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Light::Emission>
void describe(D& d, V& v) {
  v.field("intensity", d.intensity,
          {.unit = "cd", .min = 0, .max = 1e9, .doc = "luminous intensity, the same in all directions; 100 for a torch, 20 for an anti-collision light"});
  v.field("visibility", d.visibility, {.unit = "m", .min = 1, .max = 1e6, .doc = "meteorological visibility of the air; 1000 and less in fog"});
}

}  // namespace volary::swarm
