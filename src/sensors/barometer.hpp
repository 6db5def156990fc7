// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A barometer: the pressure of the air, with a part of the dynamic pressure where the static port does not keep it out. Its height is that of the standard
// atmosphere, counted from what it would show at the origin, as autopilots do when they are switched on: a pressure that is not the standard one moves no
// height, a temperature that is not stretches it.
#pragma once

#include "sensors/chain.hpp"
#include "sensors/timing.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct Barometer {
  static constexpr const char* name = "barometer";
  static constexpr const char* doc = "barometer: static pressure and the height that follows from it";
  static constexpr Purpose kPurpose = Purpose::Barometer;
  using Def = BarometerDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.barometer; }

  template <class T> struct Params {
    ErrorParams<T> error;  // Pa
    T position_error, drop_out;
  };
  template <class T> using Memory = ScalarErrors<T>;
  template <class T> struct Scene {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Reading {
    T pressure, height;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"barometer.pressure", "Pa", "-", "static pressure as the barometer measured it"}, s.pressure);
      f(Field{"barometer.height", "m", "-", "height above the origin of the world that follows from the measured pressure"}, s.height);
      f(Field{"barometer.valid", "-", "-", "1: the reading is new; 0: it was lost and the last one goes on"}, s.valid);
      f(Field{"barometer.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) {
    return {error_params(d.error, period_of(d.time, tick)), d.position_error, d.time.drop_out};
  }
  template <class T> VOLARY_HD static Scene<T> clear() { return {}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) { return begin_scalar(kPurpose, p.error, draws); }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>& site, const Scene<T>&, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    using namespace environment;
    const T up = truth.position_W.value.z + truth.position_W.remainder.z;
    const T pressure = air_at<T>(site.atmosphere, geopotential_from_geometric(T(site.origin_height) + up)).pressure;
    const T along = transpose_times(rotation_matrix(truth.q_WB), truth.velocity_W - truth.wind_W).x;
    const T dynamic = splat<T>(0.5) * truth.density * along * along;
    const Normals8<T> n = draws.normals(kPurpose, 0);

    Reading<T> now;
    now.pressure = with_fault(measure_scalar(fma(p.position_error, dynamic, pressure), memory, three(n, 0), p.error.noise, p.error), fault, kPurpose, draws);
    now.height = geometric_from_geopotential(pressure_height(now.pressure)) - T(site.origin_pressure_height);
    const Mask<T> valid = is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
