// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The platform as an entry of the list of models: two to four quadrotors on ball joints of a central body.
#pragma once

#include "vehicles/model.hpp"
#include "vehicles/platform_def.hpp"
#include "vehicles/platform_tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

constexpr const char* platform_name(int aircraft, bool sensed) {
  constexpr const char* kNames[3][2] = {{"aircraft=2/joints=ball", "aircraft=2/joints=ball/imu"},
                                        {"aircraft=3/joints=ball", "aircraft=3/joints=ball/imu"},
                                        {"aircraft=4/joints=ball", "aircraft=4/joints=ball/imu"}};
  return kNames[aircraft - 2][sensed ? 1 : 0];
}

template <int N, bool S = false> struct PlatformProgram {
  using V = PlatformVariant<N, S>;
  static constexpr const char* name = platform_name(N, S);
  static constexpr bool kGuided = true, kGroundForce = true, kSensed = S;
  static constexpr bool kSharesCode = true;  // with the program without an IMU: engine/kernels.cpp compiles both in one unit
  static constexpr int kGustFromEnd = 4, kAircraft = N;
  template <class T> using Agent = PlatformCraft<V, T>;
  template <class T> using Params = ParamsOf<V, PlatformParams<T, N>, T>;
  template <class T> using Plan = PlatformPlan<T>;

  template <class T> VOLARY_HD static void advance(Agent<T>& a, const TickInfo& info, const Params<T>& p) { advance_platform<V, T, N>(a, info, p); }
  // the same where somebody else moves the bodies
  static constexpr int kBodies = N + 1;
  template <class T> using Targets = PlatformTargets<T, N>;
  template <class T> VOLARY_HD static Targets<T> begin(Agent<T>& a, const TickInfo& info, const Params<T>& p) {
    return begin_platform_tick<T, N>(a, known<V>(a, info), p);
  }
  template <class T>
  VOLARY_HD static void drive(Agent<T>& a, const Targets<T>& target, bool, const TickInfo& info, const Params<T>& p, Wrench<T> (&loads)[kBodies]) {
    drive_platform<T, N>(a, target, info, p, loads);
  }
  // with an IMU
  template <class T> using Samples = Sampling<T, 4 * N>;
  template <class T> VOLARY_HD static Samples<T> begin_samples(Agent<T>& a, const TickInfo& info, const Params<T>& p) {
    return begin_platform_samples<T, N>(a.sensed, a, info, p.imu);
  }
  template <class T> VOLARY_HD static void sample(Agent<T>& a, Samples<T>& now, int substep, bool is_last, const TickInfo& info, const Params<T>& p) {
    sample_platform<T, N>(now, a.sensed, a, substep, is_last, info, p.imu);
  }
  // before guidance, which moves the clock on
  template <class T>
  VOLARY_HD static void guide_beside(Agent<T>& a, Plan<T>& plan, const control::GuideParams<T>& g, const control::PathTable<Scalar<T>>& table) {
    a.pose.angles = commanded_angles(a);
    control::guide_angles(a.status, plan, plan.angles, a.pose.angles, g, table);
  }
  template <class T> VOLARY_HD static Mask<T> is_sound(const Agent<T>& a) {
    Mask<T> sound = vehicles::is_sound(a.body);
    for (int i = 0; i < N; ++i) {
      const Vec3<T>& w = a.part[i].omega_B;
      sound = sound & (abs(w.x) + (abs(w.y) + abs(w.z)) < splat<T>(1e5));
    }
    return sound;
  }
  template <class T> VOLARY_HD static const control::GuideParams<T>& guide_params(const PlatformParams<T, N>& p) { return p.guide; }
  template <class T> VOLARY_HD static Ground<T>& ground(PlatformParams<T, N>& p) { return p.contact.ground; }
  template <class T> VOLARY_HD static void in_air(Params<T>& p, const Params<T>& from, T ratio) { scale_to_air<T, N>(p, from, ratio); }
};

// roll, pitch and yaw of a mission, about its heading at the start
template <class S> void set_turning(control::AnglePlan<S>& plan, const VehicleDef& v) {
  const Turning& t = v.turning;
  plan.centre = to_vec<S>({t.offset[0], t.offset[1], t.offset[2] + v.yaw});
  plan.amplitude = to_vec<S>(t.amplitude), plan.rate = to_vec<S>(t.rate), plan.phase = to_vec<S>(t.phase);
  plan.path = static_cast<Bits<S>>(t.path + 1);
}

struct Platform {
  static constexpr const char* name = "platform";
  using Def = airframe::PlatformDef;
  using Programs = core::TypeList<PlatformProgram<2>, PlatformProgram<3>, PlatformProgram<4>,  //
                                  PlatformProgram<2, true>, PlatformProgram<3, true>, PlatformProgram<4, true>>;
  static constexpr engine::Starts kStarts = engine::Starts::Upright;

  static core::Status check(const Def& def) { return airframe::check_platform(def); }
  static Vec extent(const Def& def) { return airframe::extent(def); }
  static int choose(const Def& def, const engine::FlockSetup& setup) { return static_cast<int>(def.parts.size()) - 2 + (setup.imu ? 3 : 0); }

  template <class P> static core::Result<typename P::template Params<double>> derive(const Def& def, const engine::FlockSetup& setup) {
    const auto derived = derive_platform<P::kAircraft>(def, setup);
    if (!derived) return derived.error();
    return with_imu<P>(derived.value(), setup);
  }

  template <class P, class S>
  static void initialise(typename P::template Agent<S>& a, typename P::template Plan<S>& plan, const VehicleDef& v, const Def& def,
                         const engine::FlockSetup& setup, const typename P::template Params<S>& p) {
    Vec where = v.position_W;
    const double rest =
        setup.environment.ground_height + airframe::rest_height(airframe::as_one_body(def), setup.environment.gravity, setup.tick / setup.substeps);
    const bool grounded = setup.environment.ground && where[2] <= rest + 0.02;
    if (grounded) where[2] = rest;
    const auto upright = [](double yaw) {
      double s, c;
      math::sincos(0.5 * yaw, s, c);
      return Quat<S>{static_cast<S>(c), S(0), S(0), static_cast<S>(s)};
    };
    a.body = {to_position<S>(where), to_vec<S>(v.velocity_W), upright(v.yaw), zero3<S>()};
    a.status = control::kAlive;
    const control::Screw<S> twist = {transpose_times(rotation_matrix(a.body.q_WB), a.body.velocity_W), zero3<S>()};
    a.memory.predicted = control::times_inertia(p.body, twist);

    typename P::template Params<S> local = p;
    if (setup.air_density != environment::kSeaLevelDensity) P::in_air(local, p, static_cast<S>(setup.air_density / environment::kSeaLevelDensity));
    const bool turning = !grounded && v.mode != Mode::Disarmed && v.mode != Mode::EmergencyStop;
    const std::vector<double> hover = airframe::hover_forces(def, setup.environment.gravity);
    for (int i = 0; i < P::kAircraft; ++i) {
      const PartParams<S>& q = local.part[i];
      const auto k = static_cast<std::size_t>(i);
      a.part[i].q_WB = upright(v.yaw + def.parts[k].yaw);
      for (int r = 0; r < 4; ++r) {
        const S thrust = q.mixer.thrust[r] * static_cast<S>(hover[k]);
        a.part[i].rotors.speed[r] = turning ? speed_for_thrust<PartVariant>(clamp(thrust, q.mixer.lo[r], q.mixer.hi[r]), r, q.rotor) : S(0);
      }
    }
    set_curve(plan, v);
    set_turning(plan.angles, v);
    a.setpoint.q_WB = a.body.q_WB;
    a.setpoint.level = static_cast<Bits<S>>(setup.controller.level);
    a.setpoint.position_W = a.body.position_W;
    a.setpoint.yaw = static_cast<S>(v.yaw);
    a.pose.angles.angle.z = static_cast<S>(v.yaw);
    a.setpoint.thrust = p.body.mass * p.gravity;
    a.outside.wind_W = to_vec<S>(setup.environment.wind_W);
    a.outside.density = static_cast<S>(setup.air_density);
    if constexpr (P::kSensed) begin_sensed(a);
  }

  // A command from outside. A mission or a hold of a platform on the ground begins with a take-off.
  template <class P, class S>
  static void enter_mode(typename P::template Agent<S>& a, typename P::template Plan<S>& plan, Mode mode, const typename P::template Params<S>& p,
                         const control::PathTable<S>& table) {
    using control::Flight;
    const S height = a.body.position_W.value.z - p.contact.ground.height;
    const bool grounded = begin_mode(a.status, mode, height < p.contact.reach);
    const Flight now = flight_of(a.status);
    const RigidBody<S>& body = known_now<typename P::V>(a, p);
    set_anchor(plan, body);
    if (now == Flight::Mission) control::plan_blend(plan, body.position_W, true, p.guide, table);
    if (now == Flight::Land) anchor_landing(plan, a.setpoint, height);
    if (grounded) {
      a.memory.integral = control::zero_screw<S>();
      for (Part<S>& part : a.part) part.rate.integral = zero3<S>();
    }
    if (now == Flight::Armed && grounded) {
      a.setpoint.level = static_cast<Bits<S>>(ControlLevel::Rates);
      a.setpoint.thrust = S(0);
      a.setpoint.rate_B = zero3<S>();
    }
  }

 private:
  template <int N> static core::Result<PlatformParams<double, N>> derive_platform(const Def& def, const engine::FlockSetup& setup);
};

extern template core::Result<PlatformParams<double, 2>> Platform::derive_platform<2>(const Def&, const engine::FlockSetup&);
extern template core::Result<PlatformParams<double, 3>> Platform::derive_platform<3>(const Def&, const engine::FlockSetup&);
extern template core::Result<PlatformParams<double, 4>> Platform::derive_platform<4>(const Def&, const engine::FlockSetup&);

}  // namespace volary::inline VOLARY_ISA::vehicles
