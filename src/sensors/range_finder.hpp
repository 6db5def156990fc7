// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A range finder that looks along one direction of the body. Flat ground is found here; in any other world the engine follows the ray and gives the distance.
// A beam with a width sees the nearest ground in it: a tilt of less than half of it goes unnoticed.
#pragma once

#include "sensors/chain.hpp"
#include "sensors/timing.hpp"
#include "sensors/vibration.hpp"

namespace volary::inline VOLARY_ISA::sensors {

inline constexpr double kNoHit = 1e9;  // m: there is nothing in the way

// What the engine saw along a ray of the body. Negative: it did not look, because the ground is flat and there is nothing else.
template <class T> struct RayScene {
  T distance;  // m

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"distance", "m", "-", "distance along the ray; negative: not looked at"}, s.distance);
  }
};

// how far flat ground is along a direction that makes an angle of this cosine with straight down
template <class T> VOLARY_HD T flat_distance(const Truth<T>& truth, const Site<Scalar<T>>& site, T cosine) {
  const T height = (truth.position_W.value.z - T(site.ground_height)) + truth.position_W.remainder.z;
  const T least = splat<T>(1e-3);
  return select(cosine > least, max(height, splat<T>(0)) / max(cosine, least), splat<T>(kNoHit));
}

struct RangeFinder {
  static constexpr const char* name = "range_finder";
  static constexpr const char* doc = "range finder: distance to the ground or an obstacle along a direction of the body";
  static constexpr Purpose kPurpose = Purpose::RangeFinder;
  using Def = RangeFinderDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.range_finder; }

  template <class T> struct Params {
    ErrorParams<T> error;  // m
    T relative_noise;
    Vec3<T> direction_B;   // of length one
    T beam_cos, beam_sin;  // of half the angle of the beam
    T min, max, drop_out;
  };
  template <class T> using Memory = ScalarErrors<T>;
  template <class T> using Scene = RayScene<T>;
  template <class T> struct Reading {
    T distance;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"range_finder.distance", "m", "-", "distance as the range finder measured it"}, s.distance);
      f(Field{"range_finder.valid", "-", "-", "1: something is in range; 0: the last reading goes on"}, s.valid);
      f(Field{"range_finder.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) {
    const Vec3<double> v = vector_of(d.direction_B);
    return {error_params(d.error, period_of(d.time, tick)),
            d.relative_noise,
            (1 / norm(v)) * v,
            math::cos(d.field_of_view / 2),
            math::sin(d.field_of_view / 2),
            d.min,
            d.max,
            d.time.drop_out};
  }
  template <class T> VOLARY_HD static Scene<T> clear() { return {splat<T>(-1)}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) { return begin_scalar(kPurpose, p.error, draws); }

  // the cosine of the angle from straight down to the part of the beam that is nearest to it
  template <class T> VOLARY_HD static T steepest(const Truth<T>& truth, const Params<T>& p) {
    const T c = -(rotation_matrix(truth.q_WB) * p.direction_B).z;
    const T s = sqrt(max(fma(-c, c, splat<T>(1)), splat<T>(0)));
    return select(c >= p.beam_cos, splat<T>(1), fma(c, p.beam_cos, s * p.beam_sin));
  }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>& site, const Scene<T>& scene, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    const T flat = flat_distance(truth, site, steepest(truth, p));
    const T distance = select(scene.distance < splat<T>(0), flat, scene.distance);
    const Mask<T> in_range = (distance >= p.min) & (distance <= p.max);
    const T share = p.relative_noise * distance;
    const Normals8<T> n = draws.normals(kPurpose, 0);

    Reading<T> now;
    now.distance =
        with_fault(measure_scalar(distance, memory, three(n, 0), sqrt(fma(share, share, p.error.noise * p.error.noise)), p.error), fault, kPurpose, draws);
    const Mask<T> valid = in_range & is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
