// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sound of a point source in still air: the intensity falls with the square of the distance, and the air absorbs some of it on the way
// (ISO 9613-1 and -2: divergence 20 log10(d / 1 m) + 11 dB for a source of known power, and alpha d). What stands between costs `barrier` dB: a thin wall
// of ISO 9613-2 takes at most 20. Sources are not in phase with each other, so that intensities add.
// Left out: refraction by wind and temperature, echoes, directivity.
#pragma once

#include "swarm/stimuli/stimulus.hpp"

namespace volary::swarm {

struct Sound {
  static constexpr const char* name = "sound";
  static constexpr const char* doc = "intensity of sound";
  static constexpr const char* unit = "W/m2";
  static constexpr double kUnit = 1e-16;  // a ten thousandth of the threshold of hearing, 1e-12 W/m2
  struct Emission {
    double level = 90;         // dB of power over 1e-12 W
    double absorption = 5;     // dB/km
    double barrier = 20;       // dB
  };

  static double power(const Emission& e) { return 1e-12 * math::exp(0.23025850929940458 * e.level); }  // W
  static double perceive(const Place& at, const Source<Emission>& s) {
    const V3 way = s.position - at.position;
    const double d2 = math::max(math::dot(way, way), 0.01), d = math::sqrt(d2);  // nobody's ear is nearer than 10 cm
    const double lost = s.emission.absorption * d / 1000 + (at.in_sight ? 0 : s.emission.barrier);
    return power(s.emission) / (12.566370614359172 * d2) * math::exp(-0.23025850929940458 * lost);
  }
  // without absorption: never less than it is
  static double reach(const Emission& e) { return math::sqrt(power(e) / (12.566370614359172 * kUnit)); }
  static double decibels(double intensity) { return 4.342944819032518 * math::log(math::max(intensity, 1e-30) / 1e-12); }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Sound::Emission>
void describe(D& d, V& v) {
  v.field("level", d.level, {.unit = "dB", .min = 0, .max = 180, .doc = "sound power level over 1e-12 W; 90 for a shout, 80 for a small quadrotor"});
  v.field("absorption", d.absorption,
          {.unit = "dB/km", .min = 0, .max = 1000, .doc = "absorption of sound by the air: 5 at 1 kHz and 33 at 4 kHz, at 20 degrees and 70 % humidity"});
  v.field("barrier", d.barrier, {.unit = "dB", .min = 0, .max = 200, .doc = "attenuation behind a solid obstacle or terrain"});
}

}  // namespace volary::swarm
