// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges to anchors at known places, some of them at a time and all of them in turn.
#pragma once

#include <algorithm>
#include <span>

#include "sensors/uwb.hpp"
#include "sensors/vibration.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct UwbAnchors {
  static constexpr const char* name = "uwb_anchors";
  static constexpr const char* doc = "ultra-wideband radio: distances to anchors";
  static constexpr Purpose kPurpose = Purpose::UwbAnchors;
  using Def = UwbDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.uwb_anchors; }

  static constexpr int kRanges = 4, kAnchors = static_cast<int>(kMostAnchors);

  template <class T> struct Params {
    UwbParams<T> uwb;
    T period, phase;             // ticks
    T per_reading, count;        // ranges of a reading, anchors of the world
    Vec3<T> anchor_W[kAnchors];  // m
  };
  template <class T> using Memory = ScalarErrors<T>;
  template <class T> struct Scene {
    Bits<T> blocked;  // bit i: something is between the vehicle and anchor i

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"uwb_anchors.out_of_sight", "-", "-", "one bit for each anchor that something hides"}, s.blocked);
    }
  };
  template <class T> struct Reading {
    Bits<T> first;
    T range[kRanges];
    Bits<T> blocked, valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"uwb_anchors.first", "-", "-", "number of the first anchor of the reading; the others follow, after the last anchor the first"}, s.first);
      f(Field{"uwb_anchors.range", "m", "-", "distances as the radio measured them"}, s.range);
      f(Field{"uwb_anchors.blocked", "-", "-", "one bit for each range that was obstructed"}, s.blocked);
      f(Field{"uwb_anchors.valid", "-", "-", "one bit for each range that is new; 0: the last reading goes on"}, s.valid);
      f(Field{"uwb_anchors.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive_from(const Def& d, std::span<const AnchorDef> anchors, double tick) {
    const Timing timing = make_timing(d.time, tick);
    const auto count = static_cast<double>(std::min(anchors.size(), kMostAnchors));
    Params<double> p{};
    p.uwb = uwb_params(d, tick);
    p.period = static_cast<double>(timing.period), p.phase = static_cast<double>(timing.phase);
    p.per_reading = math::min(static_cast<double>(std::min(d.per_reading, kRanges)), count), p.count = count;
    for (std::size_t i = 0; i < anchors.size() && i < kMostAnchors; ++i) p.anchor_W[i] = vector_of(anchors[i].position_W);
    return p;
  }
  static Params<double> derive(const Def& d, const EnvironmentDef& environment, double tick) { return derive_from(d, environment.anchors, tick); }
  template <class T> VOLARY_HD static Scene<T> clear() { return {bit_constant<T>(0, 0)}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) { return begin_scalar(kPurpose, p.uwb.error, draws); }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>&, const Scene<T>& scene, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    const auto count = static_cast<std::uint64_t>(first_lane(p.count)), ranges = static_cast<std::uint64_t>(first_lane(p.per_reading));
    const std::uint64_t number = reading_number(draws.tick, static_cast<std::uint64_t>(first_lane(p.phase)), static_cast<std::uint64_t>(first_lane(p.period)));
    const std::uint64_t first = count > 0 ? number * ranges % count : 0;
    const Normals8<T> n = draws.normals(kPurpose, 0), noise = draws.normals(kPurpose, 1);
    const Words4<Bits<T>> words = draws.who.draw(kPurpose, draws.tick, 2);
    const T bias = next_uwb_bias(memory, n, p.uwb.error);
    const Bits<T> none = bit_constant<T>(0, 0), one = bit_constant<T>(1, 1);

    Reading<T> now;
    now.first = bit_constant<T>(first, first);
    now.blocked = now.valid = none;
    for (int k = 0; k < kRanges; ++k) {
      now.range[k] = splat<T>(0);
      if (static_cast<std::uint64_t>(k) >= ranges) continue;
      const auto i = static_cast<int>((first + static_cast<std::uint64_t>(k)) % count);
      const T distance = norm((truth.position_W.value - p.anchor_W[i]) + truth.position_W.remainder);
      const Bits<T> hidden = (scene.blocked >> i) & one;
      now.range[k] = uwb_range(distance, is_set<T>(hidden), memory, bias, noise.n[k], environment::uniform<T>(words.w[k]), p.uwb);
      now.blocked = now.blocked | (hidden << k);
      now.valid = now.valid | (flag<T>(distance <= p.uwb.reach) << k);
    }
    // a fault of the radio is in all of its ranges
    const T wrong = with_fault(splat<T>(0), fault, kPurpose, draws);
    for (int k = 0; k < kRanges; ++k) now.range[k] = fma(fault.scale, now.range[k], wrong);
    const Mask<T> valid = is_set<T>(now.valid) & is_delivered(kPurpose, p.uwb.drop_out, fault, draws);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
