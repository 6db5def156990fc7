// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Cameras of a hall that see a vehicle's position and attitude while it is inside their volume.
#pragma once

#include "sensors/imu.hpp"
#include "sensors/timing.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct MotionCapture {
  static constexpr const char* name = "motion_capture";
  static constexpr const char* doc = "motion capture: position and attitude seen from outside";
  static constexpr Purpose kPurpose = Purpose::MotionCapture;
  using Def = MotionCaptureDef;
  static const std::optional<Def>& of(const SensorsDef& s) { return s.motion_capture; }

  template <class T> struct Params {
    T position, attitude;  // m, rad
    Vec3<T> min_W, max_W;  // m
    T drop_out;
  };
  template <class T> struct Memory {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Scene {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Reading {
    Vec3<T> position_W;
    Quat<T> q_WB;
    Bits<T> valid, tick;

    template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
      f(Field{"motion_capture.position", "m", "W", "position as the cameras see it"}, s.position_W);
      f(Field{"motion_capture.attitude", "-", "WB", "attitude as the cameras see it, a unit quaternion w x y z, body to world"}, s.q_WB);
      f(Field{"motion_capture.valid", "-", "-", "1: the reading is new; 0: the vehicle is out of sight and the last one goes on"}, s.valid);
      f(Field{"motion_capture.tick", "-", "-", "tick of the state that was measured"}, s.tick);
    }
  };

  static Params<double> derive(const Def& d, const EnvironmentDef&, double) {
    return {d.position, d.attitude, vector_of(d.min_W), vector_of(d.max_W), d.time.drop_out};
  }
  template <class T> VOLARY_HD static Scene<T> clear() { return {}; }
  template <class T> VOLARY_HD static Memory<T> begin(const Params<T>&, const Draws<T>&) { return {}; }

  template <class T>
  VOLARY_HD static Reading<T> measure(const Truth<T>& truth, const Site<Scalar<T>>&, const Scene<T>&, Memory<T>&, const Reading<T>& last, const Params<T>& p,
                                      const FaultTerms<T>& fault, const Draws<T>& draws) {
    const Normals8<T> n = draws.normals(kPurpose, 0);
    const Vec3<T>& at = truth.position_W.value;
    const Mask<T> inside = (at.x >= p.min_W.x) & (at.y >= p.min_W.y) & (at.z >= p.min_W.z) & (at.x <= p.max_W.x) & (at.y <= p.max_W.y) & (at.z <= p.max_W.z);
    Reading<T> now;
    now.position_W = with_fault(at + (truth.position_W.remainder + p.position * three(n, 0)), fault, kPurpose, draws);
    now.q_WB = normalize(truth.q_WB * quat_from_small(p.attitude * three(n, 3)));
    const Mask<T> valid = inside & is_delivered(kPurpose, p.drop_out, fault, draws);
    now.valid = flag<T>(valid);
    return deliver<T>(now, last, valid, fault, draws);
  }
};

}  // namespace volary::inline VOLARY_ISA::sensors
