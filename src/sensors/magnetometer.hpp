// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A magnetometer in the field of the World Magnetic Model. Iron that is magnetic itself adds a field that turns with the vehicle (hard iron), iron that is not
// distorts the one around it (soft iron, a symmetric matrix), and supply currents add a field that grows with the load of the rotors.
#pragma once

#include "sensors/chain.hpp"
#include "sensors/timing.hpp"
#include "sensors/vibration.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct Magnetometer {
  static constexpr const char* name = "magnetometer";
  static constexpr const char* doc = "magnetometer: magnetic field on three axes";
  static constexpr Purpose kPurpose = Purpose::Magnetometer;
  using Def = MagnetometerDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.magnetometer; }

  template <class T> struct Params {
    ErrorParams<T> error;  // T
    T soft_iron;
    Vec3<T> current_B;     // T at full load
    T drop_out;
  };
  template <class T> using Memory = VectorErrors<T>;
  template <class T> struct Scene {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Reading {
    Vec3<T> field_B;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"magnetometer.field", "T", "B", "magnetic field as the magnetometer measured it"}, s.field_B);
      f(Field{"magnetometer.valid", "-", "-", "1: the reading is new; 0: it was lost and the last one goes on"}, s.valid);
      f(Field{"magnetometer.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  // hard iron is a constant bias like that of turn-on: variances add
  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) {
    Params<double> p{error_params(d.error, period_of(d.time, tick)), d.soft_iron, vector_of(d.current_B), d.time.drop_out};
    p.error.turn_on = math::sqrt(d.error.turn_on * d.error.turn_on + d.hard_iron * d.hard_iron);
    return p;
  }
  template <class T> VOLARY_HD static Scene<T> clear() { return {}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) {
    Memory<T> m = begin_vector(kPurpose, p.error, draws);
    const Normals8<T> n = draws.once(kPurpose, 2);
    const Vec3<T> diagonal = p.soft_iron * three(n, 0), off = p.soft_iron * three(n, 3);
    m.matrix = {m.matrix.row0 + Vec3<T>{diagonal.x, off.x, off.y}, m.matrix.row1 + Vec3<T>{off.x, diagonal.y, off.z},
                m.matrix.row2 + Vec3<T>{off.y, off.z, diagonal.z}};
    return m;
  }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>& site, const Scene<T>&, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    const Vec3<T> field_W = splat<T>(1e-9) * environment::magnetic_at<T>(site.magnetic, truth.position_W.value);
    const Vec3<T> field_B = fma(truth.rotor_load, p.current_B, transpose_times(rotation_matrix(truth.q_WB), field_W));
    const Normals8<T> a = draws.normals(kPurpose, 0), b = draws.normals(kPurpose, 1);

    Reading<T> now;
    now.field_B = with_fault(measure_vector(field_B, memory, three(a, 0), three(a, 3), three(b, 0), p.error), fault, kPurpose, draws);
    const Mask<T> valid = is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
