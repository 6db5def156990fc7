// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The multirotor as an entry of the list of models: its definition, its programs, and how a definition
// becomes parameters and a first state.
#pragma once

#include "math/functions.hpp"
#include "vehicles/model.hpp"
#include "vehicles/multirotor_derive.hpp"
#include "vehicles/multirotor_gains.hpp"
#include "vehicles/multirotor_program.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

struct Multirotor {
  static constexpr const char* name = "multirotor";
  using Def = airframe::MultirotorDef;
  using Programs = MultirotorPrograms;

  static core::Status check(const Def& def) { return airframe::check_multirotor(def); }
  static Vec extent(const Def& def) { return airframe::extent(def); }

  // the cheapest program that has what the airframe and the flock need
  static int choose(const Def& def, const engine::FlockSetup& setup) {
    const int n = static_cast<int>(def.rotors.size());
    const int rotors = n <= 4 ? 4 : n <= 6 ? 6 : 8;
    Features features = airframe::needed_features(def);
    if (!setup.full_physics && rotors == 4 && features != Features::Tilted)
      features = Features::Basic;
    else if (features == Features::Basic)
      features = Features::Full;
    const bool sensed = setup.imu.has_value();
    const Control control = setup.controller.level == ControlLevel::Rates && rotors == 4 && !sensed ? Control::Rate : Control::Ladder;
    if (sensed && rotors > 4) features = Features::Tilted;
    int index = 0, found = -1;
    core::for_each_type(Programs{}, [&]<class P>() {
      if (P::kRotors == rotors && P::kFeatures == features && P::kControl == control && P::kSensed == sensed) found = index;
      ++index;
    });
    return found;
  }

  template <class P> static core::Result<typename P::template Params<double>> derive(const Def& def, const engine::FlockSetup& setup) {
    const double substep = setup.tick / setup.substeps;
    auto derived = airframe::derive<P::kRotors>(def, setup.environment, setup.controller, substep, setup.failed);
    if (!derived) return derived.error();
    auto p = derived.value();
    const ControllerDef c = airframe::resolve_gains(setup.controller, def, setup.environment.gravity, substep);
    p.ladder = ladder_params(c, def, setup);
    p.guide = guide_params(c, def, setup);
    p.gust = gust_params(setup);
    return with_imu<P>(p, setup);
  }

  template <class P, class S>
  static void initialise(typename P::template Agent<S>& a, typename P::template Plan<S>& plan, const VehicleDef& v, const Def& def,
                         const engine::FlockSetup& setup, const typename P::template Params<S>& p) {
    const double substep = setup.tick / setup.substeps;
    Vec where = v.position_W;
    const double rest = setup.environment.ground_height + airframe::rest_height(def, setup.environment.gravity, substep);
    const bool grounded = setup.environment.ground && setup.full_physics && where[2] <= rest + 0.02;
    if (grounded) where[2] = rest;
    double s, c;
    math::sincos(0.5 * v.yaw, s, c);
    a.body = {to_position<S>(where), to_vec<S>(v.velocity_W), {static_cast<S>(c), S(0), S(0), static_cast<S>(s)}, zero3<S>()};
    a.status = control::kAlive;

    // rotors as they turn in hover, unless the vehicle stands on the ground
    typename P::template Params<S> local = p;
    if constexpr (P::V::kFull)
      if (setup.air_density != environment::kSeaLevelDensity) P::in_air(local, p, static_cast<S>(setup.air_density / environment::kSeaLevelDensity));
    const bool turning = !grounded && v.mode != Mode::Disarmed && v.mode != Mode::EmergencyStop;
    const S share = p.mass * p.gravity;
    for (int i = 0; i < P::kRotors; ++i)
      a.rotors.speed[i] =
          turning ? vehicles::speed_for_thrust<typename P::V>(clamp(p.mixer.thrust[i] * share, local.mixer.lo[i], local.mixer.hi[i]), i, local.rotor) : S(0);
    set_curve(plan, v);
    if constexpr (P::kControl == Control::Ladder) {
      a.setpoint.q_WB = a.body.q_WB;
      a.setpoint.level = static_cast<Bits<S>>(setup.controller.level);
      a.setpoint.position_W = a.body.position_W;
      a.setpoint.yaw = static_cast<S>(v.yaw);
      a.setpoint.thrust = share;
      a.ladder.previous_velocity_W = a.body.velocity_W;
    } else {
      a.command.thrust = share;
    }
    if constexpr (P::V::kFull) {
      a.outside.wind_W = to_vec<S>(setup.environment.wind_W);
      a.outside.density = static_cast<S>(setup.air_density);
    }
    if constexpr (P::kSensed) begin_sensed(a);
  }

  // A command from outside. A mission or a hold of a vehicle on the ground begins with a take-off.
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
    if constexpr (P::kControl == Control::Ladder) {
      if (now == Flight::Land) anchor_landing(plan, a.setpoint, height);
      a.ladder.integral_W = zero3<S>();
      a.rate.integral = zero3<S>();
      if (now == Flight::Armed && grounded) {
        // rotors at idle: no thrust, level; in the air an armed vehicle follows the setpoint it has
        a.setpoint.level = static_cast<Bits<S>>(ControlLevel::Rates);
        a.setpoint.thrust = S(0);
        a.setpoint.rate_B = zero3<S>();
      }
    }
  }

 private:
  static control::LadderParams<double> ladder_params(const ControllerDef& c, const Def& def, const engine::FlockSetup& setup);
  static control::GuideParams<double> guide_params(const ControllerDef& c, const Def& def, const engine::FlockSetup& setup);
};

}  // namespace volary::inline VOLARY_ISA::vehicles
