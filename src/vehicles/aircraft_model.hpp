// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The aircraft as an entry of the list of models: its programs, and how a definition becomes parameters and a first state.
#pragma once

#include "environment/terrain.hpp"
#include "vehicles/aircraft_control.hpp"
#include "vehicles/aircraft_tick.hpp"
#include "vehicles/model.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

template <int N, AeroForm F, bool S = false> struct AircraftProgram {
  using V = std::conditional_t<S, SensedAircraftVariant<N, F>, AircraftVariant<N, F>>;
  template <class T> using Agent = AircraftAgent<V, T>;
  template <class T> using Params = ParamsOf<V, AircraftParams<T, N>, T>;
  template <class T> using Plan = control::Plan<T>;
  static constexpr bool kGuided = true, kGroundForce = true;
  static constexpr int kGustFromEnd = 4;
  static constexpr int kRotors = N;
  static constexpr AeroForm kForm = F;
  static constexpr bool kSensed = S;
  static constexpr const char* name = S ? (N > 1 ? "hovers=yes/imu" : "hovers=no/imu")
                                        : N > 1 ? (F == AeroForm::Linear ? "hovers=yes/air=linear" : "hovers=yes/air=tables")
                                            : (F == AeroForm::Linear ? "hovers=no/air=linear" : "hovers=no/air=tables");

  template <class T> VOLARY_HD static void advance(Agent<T>& a, const TickInfo& info, const Params<T>& p) { advance_aircraft<V, T, N>(a, info, p); }
  template <class T> VOLARY_HD static Mask<T> is_sound(const Agent<T>& a) { return vehicles::is_sound(a.body); }
  template <class T> VOLARY_HD static const control::GuideParams<T>& guide_params(const AircraftParams<T, N>& p) { return p.guide; }
  template <class T> VOLARY_HD static Ground<T>& ground(AircraftParams<T, N>& p) { return p.contact.ground; }
};

struct Aircraft {
  static constexpr const char* name = "aircraft";
  using Def = airframe::AircraftDef;
  using Programs = core::TypeList<AircraftProgram<1, AeroForm::Linear>, AircraftProgram<1, AeroForm::Tables>, AircraftProgram<5, AeroForm::Linear>,
                                  AircraftProgram<5, AeroForm::Tables>, AircraftProgram<1, AeroForm::Tables, true>, AircraftProgram<5, AeroForm::Tables, true>>;

  static Vec extent(const Def& def) { return airframe::extent(def); }
  static core::Status check(const Def& def) {
    if (const core::Status possible = airframe::check_aircraft(def); !possible) return possible;
    return airframe::check_trim(def);
  }
  static std::vector<double> tables(const Def& def, int rotors) { return airframe::tables_of(def, rotors); }

  // with an IMU it flies a program with tables, whether it has some or not
  static int choose(const Def& def, const engine::FlockSetup& setup) {
    const bool hovers = def.rotors.size() > 1;
    bool measured = !def.table_blob.empty();
    for (const airframe::AircraftRotorDef& r : def.rotors) measured = measured || !r.table_blob.empty();
    const bool sensed = setup.imu.has_value();
    int index = 0, found = -1;
    core::for_each_type(Programs{}, [&]<class P>() {
      if (P::V::kHovers == hovers && P::V::kTables == (measured || sensed) && P::kSensed == sensed) found = index;
      ++index;
    });
    return found;
  }

  template <class P> static core::Result<typename P::template Params<double>> derive(const Def& def, const engine::FlockSetup& setup) {
    auto derived = airframe::derive_aircraft<P::kRotors>(def, setup.environment, setup.tick / setup.substeps, setup.failed);
    if (!derived) return derived.error();
    auto p = derived.value();
    // a rotor that failed does not change how the rest was trimmed
    auto whole = p;
    whole.rotor = airframe::rotor_params_of<P::kRotors>(def, setup.tick / setup.substeps, {});
    std::vector<double> tables = airframe::tables_of(def, P::kRotors);
    if (P::kSensed && tables.empty()) tables.assign(engine::kNoTables, 0.0);
    if (const core::Status s = set_wing_control<typename P::V>(whole, def, setup, tables.data()); !s) return s.error();
    if constexpr (P::V::kHovers)
      if (const core::Status s = set_hover_control<typename P::V>(whole, def, setup); !s) return s.error();
    whole.rotor = p.rotor;
    whole.guide = guide_of(whole.wing, whole.mass, setup, P::V::kHovers);
    whole.gust = gust_params(setup);
    return with_imu<P>(whole, setup);
  }

  // away from the ground below a place; upwards on flat ground and on a roof
  static Vec normal_at(const EnvironmentDef& e, const Vec& where) {
    if (e.terrain == nullptr || e.terrain->height(where[0], where[1]) != e.ground_height) return {0, 0, 1};
    return e.terrain->normal(where[0], where[1]);
  }

  // In the air it begins at its cruise airspeed along its yaw, trimmed, unless it is given a velocity.
  template <class P, class S>
  static void initialise(typename P::template Agent<S>& a, typename P::template Plan<S>& plan, const VehicleDef& v, const Def& def,
                         const engine::FlockSetup& setup, const typename P::template Params<S>& p) {
    const double above = airframe::rest_height(airframe::hovering_part(def), setup.environment.gravity, setup.tick / setup.substeps);
    const double rest = setup.environment.ground_height + above;
    Vec where = v.position_W, velocity = v.velocity_W, up = {0, 0, 1};
    const bool grounded = setup.environment.ground && where[2] <= rest + 0.05;
    if (grounded) {
      up = normal_at(setup.environment, where);
      where[2] = setup.environment.ground_height + above / up[2];
    }
    double s, c, pitch = 0;
    math::sincos(v.yaw, s, c);
    const bool given = velocity[0] != 0 || velocity[1] != 0 || velocity[2] != 0;
    const bool flies = !grounded && !P::V::kHovers && v.mode != Mode::Disarmed;
    if (flies) {
      const double speed = static_cast<double>(p.wing.airspeed_cruise);
      const Vec& wind = setup.environment.wind_W;
      if (!given) velocity = {speed * c + wind[0], speed * s + wind[1], wind[2]};
      pitch = static_cast<double>(p.wing.pitch_zero_lift + p.wing.pitch_lift);
      a.rotor_speed[P::kRotors - 1] = p.rotor.speed_max[P::kRotors - 1] * math::sqrt(p.wing.throttle_trim);
      a.throttle = p.wing.throttle_trim;
      for (int i = 0; i < kSurfaces; ++i) a.servo[i] = p.surface.servo_of[i].y * p.elevator_trim;
    }
    double hs, hc, ps, pc;
    math::sincos(0.5 * v.yaw, hs, hc);
    math::sincos(-0.5 * pitch, ps, pc);
    a.body = {to_position<S>(where), to_vec<S>(velocity), {S(hc * pc), S(-hs * ps), S(hc * ps), S(hs * pc)}, zero3<S>()};
    if (up[2] < 1) {
      // along the slope: level, a wheel or skid would begin in the ground, which throws the aircraft off
      const double length = math::sqrt((1 + up[2]) * (1 + up[2]) + up[0] * up[0] + up[1] * up[1]);
      const double w = (1 + up[2]) / length, x = -up[1] / length, y = up[0] / length;
      a.body.q_WB = {S(w * hc), S(x * hc + y * hs), S(y * hc - x * hs), S(w * hs)};
    }
    a.status = control::kAlive;
    a.setpoint.level = static_cast<Bits<S>>(setup.controller.level == ControlLevel::Trajectory ? ControlLevel::Position : setup.controller.level);
    a.setpoint.position_W = a.body.position_W;
    a.setpoint.q_WB = a.body.q_WB;
    a.setpoint.yaw = static_cast<S>(v.yaw);
    a.setpoint.thrust = p.wing.throttle_trim * p.thrust_max;
    a.outside.wind_W = to_vec<S>(setup.environment.wind_W);
    a.outside.density = static_cast<S>(setup.air_density);
    if constexpr (P::V::kHovers) {
      a.ladder.previous_velocity_W = a.body.velocity_W;
      const bool turning = !grounded && v.mode != Mode::Disarmed && v.mode != Mode::EmergencyStop;
      for (int i = 0; i < P::kRotors - 1; ++i) a.rotor_speed[i] = turning ? math::sqrt(p.mixer.thrust[i] * p.mass * p.gravity / p.rotor.thrust2[i]) : S(0);
    }
    set_curve(plan, v);
    if constexpr (P::kSensed) begin_sensed(a);
  }

  // A command from outside. A mission or a hold of an aircraft on the ground begins with a take-off; one that is launched gets its speed now.
  template <class P, class S>
  static void enter_mode(typename P::template Agent<S>& a, typename P::template Plan<S>& plan, Mode mode, const typename P::template Params<S>& p,
                         const control::PathTable<S>& table) {
    using control::Flight;
    const bool resting = static_cast<std::uint32_t>(a.status & control::kModeMask) <= static_cast<std::uint32_t>(Flight::Armed);
    const bool grounded = resting && height_above(a.body, p.contact.ground) < p.contact.reach && norm(a.body.velocity_W) < p.rotate_speed;
    Flight now = static_cast<Flight>(mode), next = Flight::Hold;
    if (grounded && (now == Flight::Mission || now == Flight::Hold)) {
      next = now;
      now = Flight::TakeOff;
    }
    const auto life = a.status & (control::kAlive | control::kDiverged);
    a.status = static_cast<Bits<S>>(life | static_cast<std::uint32_t>(now) | (static_cast<std::uint32_t>(next) << control::kNextShift));
    const RigidBody<S>& body = known_now<typename P::V>(a, p);
    set_anchor(plan, body);
    if (now == Flight::Mission) control::plan_blend(plan, body.position_W, true, p.guide, table);
    if (now == Flight::TakeOff && grounded && p.launch_speed > S(0)) {
      S s, c;
      math::sincos(plan.anchor_yaw, s, c);
      a.body.velocity_W = {p.launch_speed * c * S(0.966), p.launch_speed * s * S(0.966), p.launch_speed * S(0.259)};  // 15 degrees upwards
    }
    a.wing = {};
    if constexpr (P::V::kHovers) {
      if (now == Flight::Land) anchor_landing(plan, a.setpoint, height_above(a.body, p.contact.ground));
      a.ladder.integral_W = a.rate.integral = zero3<S>();
    }
  }
};

}  // namespace volary::inline VOLARY_ISA::vehicles
