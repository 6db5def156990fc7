// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A satellite receiver. Its position error is mostly a slow wandering (orbits, clocks, the ionosphere), a Gauss-Markov process, and a little white noise.
// Obstacles that hide a part of the sky dilute the geometry and reflect signals: the first scales the error, the second adds a faster wandering of its own.
#pragma once

#include "sensors/chain.hpp"
#include "sensors/timing.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct Gnss {
  static constexpr const char* name = "gnss";
  static constexpr const char* doc = "satellite receiver: position, velocity and their accuracy";
  static constexpr Purpose kPurpose = Purpose::Gnss;
  using Def = GnssDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.gnss; }

  static constexpr int kOutages = static_cast<int>(kMostOutages);
  static constexpr std::uint32_t kLossDraw = 200;  // of the windows: no other draw has it

  template <class T> struct Params {
    T horizontal, vertical, white, velocity, multipath;  // m, m/s
    T keep, kick;  // of the slow error, for a variance of one
    T multipath_keep, multipath_kick;
    T sky_needed, satellites, drop_out;
    T loss, window;  // share of time, ticks
    T outage_from[kOutages], outage_until[kOutages];  // ticks; none: from is after until
  };
  template <class T> struct Memory {
    Vec3<T> wander, reflected;  // of variance one

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"gnss.wander", "-", "W", "slow error of the position over its standard deviation"}, s.wander);
      f(Field{"gnss.reflected", "-", "W", "error by reflected signals over its standard deviation"}, s.reflected);
    }
  };
  template <class T> struct Scene {
    T sky;  // 0 to 1: share of the sky that is free

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"gnss.sky", "-", "-", "share of the sky that is free"}, s.sky);
    }
  };
  template <class T> struct Reading {
    Vec3<T> position_W, velocity_W;
    T accuracy_h, accuracy_v, satellites;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"gnss.position", "m", "W", "position as the receiver has it"}, s.position_W);
      f(Field{"gnss.velocity", "m/s", "W", "velocity as the receiver has it"}, s.velocity_W);
      f(Field{"gnss.accuracy_h", "m", "-", "standard deviation of the position on each horizontal axis as the receiver reports it"}, s.accuracy_h);
      f(Field{"gnss.accuracy_v", "m", "-", "standard deviation of the height as the receiver reports it"}, s.accuracy_v);
      f(Field{"gnss.satellites", "-", "-", "number of satellites in use"}, s.satellites);
      f(Field{"gnss.valid", "-", "-", "1: there is a fix; 0: the last reading goes on"}, s.valid);
      f(Field{"gnss.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) {
    const double period = period_of(d.time, tick);
    const auto kick = [](double keep) { return math::sqrt(1 - keep * keep); };
    const double keep = math::exp(-period / d.correlation), reflected = math::exp(-period / d.multipath_correlation);
    Params<double> p{d.horizontal,
                     d.vertical,
                     d.white,
                     d.velocity,
                     d.multipath,
                     keep,
                     kick(keep),
                     reflected,
                     kick(reflected),
                     d.sky_needed,
                     static_cast<double>(d.satellites),
                     d.time.drop_out,
                     d.loss,
                     math::max(1.0, math::round(d.loss_window / tick)),
                     {},
                     {}};
    for (std::size_t i = 0; i < kMostOutages; ++i) {
      const bool is_given = i < d.outages.size();
      p.outage_from[i] = is_given ? math::round(d.outages[i][0] / tick) : 1;
      p.outage_until[i] = is_given ? math::round(d.outages[i][1] / tick) : 0;
    }
    return p;
  }
  template <class T> VOLARY_HD static Scene<T> clear() { return {splat<T>(1)}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>&, const Draws<T>& draws) {
    const Normals8<T> n = draws.once(kPurpose, 0);
    return {three(n, 0), three(n, 3)};
  }

  // whether neither a planned nor a drawn outage is on
  template <class T> VOLARY_HD static Mask<T> is_on(const Params<T>& p, const Draws<T>& draws) {
    const T now = splat<T>(static_cast<double>(draws.tick));
    Mask<T> out = now < splat<T>(0);
    for (int i = 0; i < kOutages; ++i) out = out | ((now >= p.outage_from[i]) & (now < p.outage_until[i]));
    if (any(p.loss > splat<T>(0))) {
      const Draws<T> window{draws.who, draws.tick / static_cast<std::uint64_t>(first_lane(p.window))};
      out = out | (window.uniform(kPurpose, kLossDraw) < p.loss);
    }
    return !out;
  }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>&, const Scene<T>& scene, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    const Normals8<T> a = draws.normals(kPurpose, 0), b = draws.normals(kPurpose, 1);
    memory.wander = fma(p.keep, memory.wander, p.kick * three(a, 0));
    memory.reflected = fma(p.multipath_keep, memory.reflected, p.multipath_kick * three(b, 0));

    const T hidden = splat<T>(1) - scene.sky, dilution = splat<T>(1) / max(scene.sky, splat<T>(0.1));
    const T reflection = p.multipath * hidden;
    const Vec3<T> slow = dilution * Vec3<T>{p.horizontal * memory.wander.x, p.horizontal * memory.wander.y, p.vertical * memory.wander.z};
    const Vec3<T> error = slow + ((dilution * p.white) * three(a, 3) + reflection * memory.reflected);
    const auto accuracy = [&](T slow_part) { return sqrt(fma(dilution * dilution, fma(slow_part, slow_part, p.white * p.white), reflection * reflection)); };

    Reading<T> now;
    now.position_W = with_fault(truth.position_W.value + (truth.position_W.remainder + error), fault, kPurpose, draws);
    now.velocity_W = fma(dilution * p.velocity, three(b, 3), truth.velocity_W);
    now.accuracy_h = accuracy(p.horizontal), now.accuracy_v = accuracy(p.vertical);
    now.satellites = round(p.satellites * scene.sky);
    const Mask<T> valid = is_on(p, draws) & (scene.sky >= p.sky_needed) & is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
