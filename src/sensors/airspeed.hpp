// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A pitot tube along the nose: the dynamic pressure of the air that comes from ahead. Its airspeed is the true one, because the density is taken as known.
#pragma once

#include "sensors/chain.hpp"
#include "sensors/timing.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct Airspeed {
  static constexpr const char* name = "airspeed";
  static constexpr const char* doc = "pitot tube: differential pressure and the airspeed that follows from it";
  static constexpr Purpose kPurpose = Purpose::Airspeed;
  using Def = AirspeedDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.airspeed; }

  template <class T> struct Params {
    ErrorParams<T> error;  // Pa
    T drop_out;
  };
  template <class T> using Memory = ScalarErrors<T>;
  template <class T> struct Scene {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Reading {
    T pressure, airspeed;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"airspeed.pressure", "Pa", "-", "differential pressure as the pitot tube measured it"}, s.pressure);
      f(Field{"airspeed.airspeed", "m/s", "-", "true airspeed along the nose that follows from the measured pressure"}, s.airspeed);
      f(Field{"airspeed.valid", "-", "-", "1: the reading is new; 0: it was lost and the last one goes on"}, s.valid);
      f(Field{"airspeed.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) { return {error_params(d.error, period_of(d.time, tick)), d.time.drop_out}; }
  template <class T> VOLARY_HD static Scene<T> clear() { return {}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) { return begin_scalar(kPurpose, p.error, draws); }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>&, const Scene<T>&, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    // air from behind does not enter the tube
    const T zero = splat<T>(0), half = splat<T>(0.5);
    const T ahead = max(transpose_times(rotation_matrix(truth.q_WB), truth.velocity_W - truth.wind_W).x, zero);
    const Normals8<T> n = draws.normals(kPurpose, 0);

    Reading<T> now;
    now.pressure = with_fault(measure_scalar(half * truth.density * ahead * ahead, memory, three(n, 0), p.error.noise, p.error), fault, kPurpose, draws);
    now.airspeed = sqrt(max(now.pressure, zero) / (half * truth.density));
    const Mask<T> valid = is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
