// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A camera that looks along the body's lower axis and measures how fast the ground passes. A point at distance d below the camera moves in the body frame with
// -v - omega x (0, 0, -d); with the sign turned around, so that flying ahead counts as positive,
//
//   rate = (v_x / d - omega_y,  v_y / d + omega_x)      rad/s, of the body
//
// An estimator adds the gyroscope's rates and has the velocity over the distance.
#pragma once

#include "sensors/range_finder.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct OpticalFlow {
  static constexpr const char* name = "optical_flow";
  static constexpr const char* doc = "optical flow: angular rate at which the ground passes below the vehicle";
  static constexpr Purpose kPurpose = Purpose::OpticalFlow;
  using Def = OpticalFlowDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.optical_flow; }

  template <class T> struct Params {
    ErrorParams<T> error;  // rad/s
    T min, max, max_rate, least_cosine, drop_out;
  };
  template <class T> using Memory = VectorErrors<T>;
  template <class T> using Scene = RayScene<T>;
  template <class T> struct Reading {
    T rate[2];
    T quality;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"optical_flow.rate", "rad/s", "B", "rate at which the ground passes, along the nose and to the left; turns of the body are part of it"}, s.rate);
      f(Field{"optical_flow.quality", "-", "-", "1: the ground stands still in the image; 0: it moves as fast as the sensor can follow"}, s.quality);
      f(Field{"optical_flow.valid", "-", "-", "1: the ground is in range and slow enough; 0: the last reading goes on"}, s.valid);
      f(Field{"optical_flow.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) {
    return {error_params(d.error, period_of(d.time, tick)), d.min, d.max, d.max_rate, math::cos(d.max_tilt), d.time.drop_out};
  }
  template <class T> VOLARY_HD static Scene<T> clear() { return {splat<T>(-1)}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) { return begin_vector(kPurpose, p.error, draws); }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>& site, const Scene<T>& scene, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    const T zero = splat<T>(0), one = splat<T>(1);
    const Mat3<T> R_WB = rotation_matrix(truth.q_WB);
    const T distance = select(scene.distance < zero, flat_distance(truth, site, R_WB.row2.z), scene.distance);
    const Vec3<T> velocity_B = transpose_times(R_WB, truth.velocity_W);
    const T per_distance = one / max(distance, splat<T>(1e-3));
    const Vec3<T> rate{fma(velocity_B.x, per_distance, -truth.omega_B.y), fma(velocity_B.y, per_distance, truth.omega_B.x), zero};
    const T speed = sqrt(fma(rate.x, rate.x, rate.y * rate.y));
    const Mask<T> sees = (distance >= p.min) & (distance <= p.max) & (speed <= p.max_rate) & (R_WB.row2.z >= p.least_cosine);

    const Normals8<T> a = draws.normals(kPurpose, 0), b = draws.normals(kPurpose, 1);
    const Vec3<T> measured = with_fault(measure_vector(rate, memory, three(a, 0), three(a, 3), three(b, 0), p.error), fault, kPurpose, draws);
    Reading<T> now;
    now.rate[0] = measured.x, now.rate[1] = measured.y;
    now.quality = max(one - speed / p.max_rate, zero);
    const Mask<T> valid = sees & is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
