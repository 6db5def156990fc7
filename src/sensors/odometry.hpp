// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for visual odometry: the body's velocity and yaw rate over the time since the last reading. Their errors are white, with a strength that makes the
// integrated position a random walk of a stated size: drift_distance sqrt(metres flown) and drift_time sqrt(seconds) on each axis.
#pragma once

#include "sensors/chain.hpp"
#include "sensors/timing.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct Odometry {
  static constexpr const char* name = "odometry";
  static constexpr const char* doc = "odometry: body velocity and yaw rate with a stated drift";
  static constexpr Purpose kPurpose = Purpose::Odometry;
  using Def = OdometryDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.odometry; }

  template <class T> struct Params {
    T by_distance, by_time;  // variances of a velocity, m/s per reading: (m/s)2 per m/s flown, (m/s)2
    T yaw;  // rad/s, standard deviation
    T scale, drop_out;
  };
  template <class T> struct Memory {
    T factor;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"odometry.scale", "-", "-", "scale factor of the velocity"}, s.factor);
    }
  };
  template <class T> struct Scene {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Reading {
    Vec3<T> velocity_B;
    T yaw_rate;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"odometry.velocity", "m/s", "B", "velocity as the odometry has it"}, s.velocity_B);
      f(Field{"odometry.yaw_rate", "rad/s", "B", "angular velocity about the body's upper axis as the odometry has it"}, s.yaw_rate);
      f(Field{"odometry.valid", "-", "-", "1: the reading is new; 0: it was lost and the last one goes on"}, s.valid);
      f(Field{"odometry.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  // a velocity error of variance s held for a period T walks by s T^2 per reading: s T per second, which is the square of the stated drift
  static Params<double> derive(const Def& d, const EnvironmentDef&, double tick) {
    const double per_period = 1 / period_of(d.time, tick);
    return {d.drift_distance * d.drift_distance * per_period, d.drift_time * d.drift_time * per_period, d.yaw_drift * math::sqrt(per_period), d.scale,
            d.time.drop_out};
  }
  template <class T> VOLARY_HD static Scene<T> clear() { return {}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>& p, const Draws<T>& draws) {
    return {fma(p.scale, draws.once(kPurpose, 0).n[0], splat<T>(1))};
  }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>&, const Scene<T>&, Memory<T>& memory, const Reading<T>& last,
                                      const Params<T>& p, const FaultTerms<T>& fault, const Draws<T>& draws) {
    const Normals8<T> n = draws.normals(kPurpose, 0);
    const Vec3<T> velocity_B = transpose_times(rotation_matrix(truth.q_WB), truth.velocity_W);
    const T sigma = sqrt(fma(p.by_distance, norm(velocity_B), p.by_time));
    Reading<T> now;
    now.velocity_B = with_fault(fma(sigma, three(n, 0), memory.factor * velocity_B), fault, kPurpose, draws);
    now.yaw_rate = fma(p.yaw, n.n[3], truth.omega_B.z);
    const Mask<T> valid = is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
