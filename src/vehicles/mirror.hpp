// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A vehicle without physics: a source outside tells where it is (a real drone, motion capture, another simulator, a log). Between two reports it goes on
// as it last moved, with the age of what is known, and stands still once that is too old. Everything else treats it like any other vehicle.
#pragma once

#include "vehicles/model.hpp"
#include "vehicles/tick.hpp"

namespace volary::airframe {

struct MirrorDef {
  std::string name = "mirror";
  double radius = 0.3;        // m
  double extrapolate = 1;     // s
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, MirrorDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "display name of the vehicle"});
  v.field("radius", d.radius, {.unit = "m", .min = 1e-3, .max = 1e3, .doc = "radius of the sphere that is drawn and that touches others"});
  v.field("extrapolate", d.extrapolate,
          {.unit = "s", .min = 0, .max = 3600, .doc = "age of the last report up to which the motion is extrapolated; beyond it the vehicle stands still"});
}

}  // namespace volary::airframe

namespace volary::inline VOLARY_ISA::vehicles {

template <class T> struct MirrorParams {
  T tick, extrapolate;  // s

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"tick", "s", "-", "simulated time of one tick"}, s.tick);
    f(Field{"extrapolate", "s", "-", "age of the last report up to which the motion is extrapolated"}, s.extrapolate);
  }
};

struct MirrorProgram {
  static constexpr const char* name = "extrapolated";
  static constexpr bool kGuided = false, kGroundForce = false;
  static constexpr int kGustFromEnd = 0;
  template <class T> using Params = MirrorParams<T>;
  template <class T> struct Plan {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Agent {
    Bits<T> status;
    RigidBody<T> body;   // now
    RigidBody<T> known;  // as it was last reported
    T age;               // s, of the report

    template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
      f(Field{"status", "-", "-", "flight mode and status bits. Bits 0-3: mode; 4-7: mode after take-off; 8: alive; 9: diverged"}, s.status);
      RigidBody<T>::fields(s.body, f);
      f(Field{"known.position", "m", "W", "position in the last report"}, s.known.position_W);
      f(Field{"known.velocity", "m/s", "W", "velocity in the last report"}, s.known.velocity_W);
      f(Field{"known.attitude", "-", "WB", "attitude in the last report"}, s.known.q_WB);
      f(Field{"known.omega", "rad/s", "B", "angular velocity in the last report"}, s.known.omega_B);
      f(Field{"age", "s", "-", "time since the last report"}, s.age);
    }
    template <class Self, class F> VOLARY_HD static constexpr void input(Self&, F&) {}
  };

  // as it was reported, moved on at its velocities for a time
  template <class T> VOLARY_HD static RigidBody<T> moved(const RigidBody<T>& k, T seconds) {
    const Vec3<T> half = (splat<T>(0.5) * seconds) * k.omega_B;
    const T angle = norm(half), scale = select(angle > splat<T>(1e-6), sin(angle) / max(angle, splat<T>(1e-6)), splat<T>(1));
    const Quat<T> turn = {cos(angle), scale * half.x, scale * half.y, scale * half.z};
    return {math::advance(k.position_W, seconds * k.velocity_W), k.velocity_W, normalize(k.q_WB * turn), k.omega_B};
  }
  template <class T> VOLARY_HD static void advance(Agent<T>& a, const TickInfo&, const Params<T>& p) {
    a.age = a.age + p.tick;
    const Mask<T> fresh = !(a.age > p.extrapolate);
    a.body = moved(a.known, min(a.age, p.extrapolate));
    a.body.velocity_W = select(fresh, a.body.velocity_W, zero3<T>());
    a.body.omega_B = select(fresh, a.body.omega_B, zero3<T>());
  }
  template <class T> VOLARY_HD static Mask<T> is_sound(const Agent<T>& a) { return vehicles::is_sound(a.body); }
};

struct Mirror {
  static constexpr const char* name = "mirror";
  static constexpr engine::Starts kStarts = engine::Starts::Reported;
  using Def = airframe::MirrorDef;
  using Programs = core::TypeList<MirrorProgram>;

  static Vec extent(const Def& def) { return {def.radius, def.radius, def.radius}; }
  static core::Status check(const Def&) { return core::ok(); }
  static int choose(const Def&, const engine::FlockSetup&) { return 0; }
  template <class P> static core::Result<MirrorParams<double>> derive(const Def& def, const engine::FlockSetup& setup) {
    return MirrorParams<double>{setup.tick, def.extrapolate};
  }
  template <class P, class S>
  static void initialise(MirrorProgram::Agent<S>& a, MirrorProgram::Plan<S>&, const VehicleDef& v, const Def&, const engine::FlockSetup&, const MirrorParams<S>&) {
    a.status = control::kAlive;
    const S half = static_cast<S>(0.5 * v.yaw);
    a.known = {to_position<S>(v.position_W), to_vec<S>(v.velocity_W), {math::cos(half), S(0), S(0), math::sin(half)}, zero3<S>()};
    a.body = a.known;
  }
  template <class P, class S>
  static void enter_mode(MirrorProgram::Agent<S>& a, MirrorProgram::Plan<S>&, Mode mode, const MirrorParams<S>&, const control::PathTable<S>&) {
    a.status = static_cast<Bits<S>>((a.status & (control::kAlive | control::kDiverged)) | static_cast<std::uint32_t>(mode));
  }
};

}  // namespace volary::inline VOLARY_ISA::vehicles
