// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A free balloon: buoyancy, weight and drag in moving air; a valve changes its lift. For soundings, drift studies
// and as the smallest complete vehicle model: CONTRIBUTING.md walks through this file.
#pragma once

#include "vehicles/model.hpp"
#include "vehicles/tick.hpp"

namespace volary::airframe {

struct BalloonDef {
  std::string name;
  double mass = 1;           // kg, envelope, gas and load
  double added_mass = 0.5;   // kg, of the air that moves with it
  double lift = 0;           // N, buoyancy with the valve shut, in air of 1.225 kg/m3
  double drag = 0.2;         // N s2/m2, 1/2 rho c A
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, BalloonDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "display name of the balloon"});
  v.field("mass", d.mass, {.unit = "kg", .min = 1e-3, .max = 1e4, .required = true, .doc = "mass of envelope, gas and load"});
  v.field("added_mass", d.added_mass,
          {.unit = "kg", .min = 0, .max = 1e4, .doc = "mass of the air that moves with the balloon; half of the displaced air for a sphere"});
  v.field("lift", d.lift, {.unit = "N", .min = 0, .max = 1e5, .required = true, .doc = "buoyancy with the valve shut, in air of 1.225 kg/m3"});
  v.field("drag", d.drag, {.unit = "N s2/m2", .min = 1e-6, .max = 1e4, .required = true, .doc = "drag force per air speed squared, in air of 1.225 kg/m3"});
}

}  // namespace volary::airframe

namespace volary::inline VOLARY_ISA::vehicles {

template <class T> struct BalloonParams {
  T mass, inv_inertia_mass, gravity, lift, drag;  // kg, 1/kg, m/s2, N, N s2/m2
  T inv_inertia;                                  // 1/(kg m2)
  StepSize<T> step;
  environment::GustParams<T> gust;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"mass", "kg", "-", "mass of envelope, gas and load"}, s.mass);
    f(Field{"inv_inertia_mass", "1/kg", "-", "reciprocal of the sum of mass and added mass"}, s.inv_inertia_mass);
    f(Field{"gravity", "m/s2", "-", "gravitational acceleration, downwards"}, s.gravity);
    f(Field{"lift", "N", "-", "buoyancy with the valve shut"}, s.lift);
    f(Field{"drag", "N s2/m2", "-", "drag force per air speed squared"}, s.drag);
    f(Field{"inv_inertia", "1/(kg m2)", "B", "reciprocal of the moment of inertia about any axis"}, s.inv_inertia);
    f(Field{"step", "s", "-", "simulated time of one substep"}, s.step.h);
    f(Field{"step_half", "s", "-", "half of a substep"}, s.step.half);
    f(Field{"step_third", "s", "-", "third of a substep"}, s.step.third);
    f(Field{"step_sixth", "s", "-", "sixth of a substep"}, s.step.sixth);
    environment::GustParams<T>::fields(s.gust, f);
  }
};

struct BalloonProgram {
  static constexpr const char* name = "free";
  static constexpr bool kGuided = false, kGroundForce = false;
  static constexpr int kGustFromEnd = 3;
  template <class T> using Params = BalloonParams<T>;
  template <class T> struct Plan {
    template <class Self, class F> VOLARY_HD static constexpr void fields(Self&, F&) {}
  };
  template <class T> struct Agent {
    Bits<T> status;
    RigidBody<T> body;
    Vec3<T> gust_W;
    T valve;  // 0 shut ... 1 open: share of the lift that is let out
    Outside<T> outside;

    template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
      f(Field{"status", "-", "-", "flight mode and status bits. Bits 0-3: mode; 4-7: mode after take-off; 8: alive; 9: diverged"}, s.status);
      RigidBody<T>::fields(s.body, f);
      f(Field{"gust", "m/s", "W", "velocity of the random gust at this vehicle"}, s.gust_W);
    }
    template <class Self, class F> VOLARY_HD static constexpr void input(Self& s, F& f) {
      f(Field{"setpoint.valve", "-", "-", "commanded valve position, from 0 (shut) to 1 (open)"}, s.valve);
      Outside<T>::fields(s.outside, f);
    }
  };

  // an envelope that keeps its size displaces less in thin air, and meets less
  template <class T> VOLARY_HD static void in_air(Params<T>& p, const Params<T>& from, T ratio) {
    p.lift = ratio * from.lift;
    p.drag = ratio * from.drag;
  }
  // (m + m_added) dv/dt = lift - weight - drag |v - wind| (v - wind) + push
  template <class T> VOLARY_HD static Motion<T> derivative(const Motion<T>& x, const Vec3<T>& wind_W, T lift, const Push<T>& push, const Params<T>& p) {
    const Vec3<T> air = x.velocity_W - wind_W;
    Vec3<T> force = -(p.drag * norm(air)) * air;
    force.z = force.z + fma(-p.mass, p.gravity, lift);
    return {x.velocity_W, p.inv_inertia_mass * (force + push.force_W), quat_rate(x.q_WB, x.omega_B), p.inv_inertia * push.torque_B};
  }
  template <class T> VOLARY_HD static void advance(Agent<T>& a, const TickInfo& info, const Params<T>& p) {
    const Vec3<T> wind = a.outside.wind_W + a.gust_W;
    const T lift = p.lift * (splat<T>(1) - clamp(a.valve, splat<T>(0), splat<T>(1)));
    const auto rate = [&](int, const Motion<T>& x) VOLARY_INLINE_LAMBDA { return derivative<T>(x, wind, lift, a.outside, p); };
    for (int k = 0; k < info.substeps; ++k) a.body = end_motion(a.body, rk4(begin_motion(a.body), p.step, rate));
  }
  template <class T> VOLARY_HD static Mask<T> is_sound(const Agent<T>& a) { return vehicles::is_sound(a.body); }
};

struct Balloon {
  static constexpr const char* name = "balloon";
  using Def = airframe::BalloonDef;
  using Programs = core::TypeList<BalloonProgram>;

  // a sphere that displaces the air which carries it
  static Vec extent(const Def& def) {
    const double volume = def.lift / (9.80665 * environment::kSeaLevelDensity), radius = math::exp(math::log(0.238732414637843 * volume) / 3);
    return {radius, radius, radius};
  }
  static core::Status check(const Def& def) {
    if (def.lift <= 0) return core::Error{.message = "a balloon without lift", .field = "lift"};
    return core::ok();
  }
  static int choose(const Def&, const engine::FlockSetup&) { return 0; }
  template <class P> static core::Result<BalloonParams<double>> derive(const Def& def, const engine::FlockSetup& setup) {
    // a ball of even density that displaces what lifts it: 2/5 m r^2. A smooth one turns without the air around it.
    const double gravity = setup.environment.gravity, volume = def.lift / (environment::kSeaLevelDensity * environment::kStandardGravity);
    const double radius = math::pow(volume * 0.75 / 3.14159265358979323846, 1.0 / 3), inertia = 0.4 * def.mass * radius * radius;
    return BalloonParams<double>{def.mass, 1 / (def.mass + def.added_mass),
                                 gravity,  def.lift,
                                 def.drag, 1 / inertia,
                                 step_size<double>(setup.tick / setup.substeps), gust_params(setup)};
  }
  template <class P, class S>
  static void initialise(BalloonProgram::Agent<S>& a, BalloonProgram::Plan<S>&, const VehicleDef& v, const Def&, const engine::FlockSetup& setup,
                         const BalloonParams<S>&) {
    a.status = control::kAlive;
    a.body = {to_position<S>(v.position_W), to_vec<S>(v.velocity_W), identity_quat<S>(), zero3<S>()};
    a.outside.wind_W = to_vec<S>(setup.environment.wind_W);
    a.outside.density = static_cast<S>(setup.air_density);
  }
  template <class P, class S>
  static void enter_mode(BalloonProgram::Agent<S>& a, BalloonProgram::Plan<S>&, Mode mode, const BalloonParams<S>&, const control::PathTable<S>&) {
    a.status = static_cast<Bits<S>>((a.status & (control::kAlive | control::kDiverged)) | static_cast<std::uint32_t>(mode));
  }
};

}  // namespace volary::inline VOLARY_ISA::vehicles
