// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges between vehicles. Who ranges with whom is worked out between vehicles, in the settle half of a step; the partner sends where it believes to be, and
// how sure it is of that.
#pragma once

#include "sensors/uwb.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct UwbPeers {
  static constexpr const char* name = "uwb_peers";
  static constexpr const char* doc = "ultra-wideband radio: distance to another vehicle, with the position that it reports";
  static constexpr Purpose kPurpose = Purpose::UwbPeers;
  using Def = UwbDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.uwb_peers; }

  template <class T> using Params = UwbParams<T>;
  template <class T> using Memory = ScalarErrors<T>;
  template <class T> struct Scene {
    Bits<T> partner_low, partner_high;  // words of the partner's id
    T distance;  // m, true; negative: nobody is near
    T blocked;  // 1: something is in between
    Vec3<T> partner_W;  // m, as the partner believes
    T partner_sigma;  // m, of that on each axis

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"uwb_peers.scene_low", "-", "-", "low word of the partner's id"}, s.partner_low);
      f(Field{"uwb_peers.scene_high", "-", "-", "high word of the partner's id"}, s.partner_high);
      f(Field{"uwb_peers.scene_distance", "m", "-", "true distance to the partner; negative: none"}, s.distance);
      f(Field{"uwb_peers.scene_blocked", "-", "-", "1: something is between the two"}, s.blocked);
      f(Field{"uwb_peers.scene_position", "m", "W", "position that the partner reports"}, s.partner_W);
      f(Field{"uwb_peers.scene_sigma", "m", "-", "standard deviation that the partner reports"}, s.partner_sigma);
    }
  };
  template <class T> struct Reading {
    Bits<T> partner_low, partner_high;
    T range;
    Vec3<T> partner_W;
    T partner_sigma;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"uwb_peers.partner_low", "-", "-", "low word of the id of the other vehicle"}, s.partner_low);
      f(Field{"uwb_peers.partner_high", "-", "-", "high word of the id of the other vehicle"}, s.partner_high);
      f(Field{"uwb_peers.range", "m", "-", "distance as the radio measured it"}, s.range);
      f(Field{"uwb_peers.partner_position", "m", "W", "position that the other vehicle reported"}, s.partner_W);
      f(Field{"uwb_peers.partner_sigma", "m", "-", "standard deviation on each axis that the other vehicle reported"}, s.partner_sigma);
      f(Field{"uwb_peers.valid", "-", "-", "1: the reading is new; 0: no vehicle answered and the last one goes on"}, s.valid);
      f(Field{"uwb_peers.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) { return uwb_params(d, tick); }
  template <class T> VOLARY_HD static Scene<T> clear() {
    return {bit_constant<T>(0, 0), bit_constant<T>(0, 0), splat<T>(-1), splat<T>(0), zero3<T>(), splat<T>(0)};
  }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) { return begin_scalar(kPurpose, p.error, draws); }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>&, const Site<Scalar<T>>&, const Scene<T>& scene, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    const T zero = splat<T>(0);
    const Normals8<T> n = draws.normals(kPurpose, 0);
    const T bias = next_uwb_bias(memory, n, p.error), u = draws.uniform(kPurpose, 2);
    Reading<T> now;
    now.partner_low = scene.partner_low, now.partner_high = scene.partner_high;
    now.range = with_fault(uwb_range(scene.distance, scene.blocked > zero, memory, bias, n.n[2], u, p), fault, kPurpose, draws);
    now.partner_W = scene.partner_W, now.partner_sigma = scene.partner_sigma;
    const Mask<T> valid = (scene.distance >= zero) & (scene.distance <= p.reach) & is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
