// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A body that simply goes where it is told, with a greatest speed and acceleration: people, animals, beacons and base stations (speed 0),
// buoys, and simple agents for studies in which flight does not matter. On the ground it follows the terrain.
#pragma once

#include "vehicles/model.hpp"
#include "vehicles/ground.hpp"
#include "vehicles/tick.hpp"

namespace volary::airframe {

struct WalkerDef {
  std::string name;
  double max_speed = 1.5;         // m/s
  double max_acceleration = 1.5;  // m/s2
  bool on_ground = true;
  double height = 0;              // m, of its reference point above the ground
  double radius = 0.2;            // m
  double mass = 75;               // kg
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, WalkerDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "display name of the walker"});
  v.field("max_speed", d.max_speed, {.unit = "m/s", .min = 0, .max = 100, .required = true, .doc = "greatest speed; 0: the walker stays at its position"});
  v.field("max_acceleration", d.max_acceleration,
          {.unit = "m/s2", .min = 1e-3, .max = 1e3, .doc = "greatest acceleration of the walker, also when it brakes or turns"});
  v.field("on_ground", d.on_ground, {.doc = "whether the walker follows the ground; false: it moves freely in space"});
  v.field("height", d.height,
          {.unit = "m", .min = 0, .max = 1e3, .doc = "height of the reference point above the ground, such as the antenna of a mast; only with on_ground"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.001, .max = 1e3, .doc = "radius of the sphere about the reference point that touches others"});
  v.field("mass", d.mass,
          {.unit = "kg", .min = 1e-3, .max = 1e6, .doc = "mass on which external forces act; the walker resists them with its greatest acceleration"});
}

}  // namespace volary::airframe

namespace volary::inline VOLARY_ISA::vehicles {

template <class T> struct WalkerParams {
  T max_speed, max_change;          // m/s, m/s in a tick
  T approach;                       // 1/s: speed per distance that is left
  T on_ground, height;              // 1 or 0, m
  T mass, push_change;              // kg; m/s that a newton changes its velocity by in a tick
  Ground<T> ground;
  control::GuideParams<T> guide;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"ladder.max_speed", "m/s", "W", "greatest speed of the walker"}, s.max_speed);
    f(Field{"max_change", "m/s", "W", "greatest change of velocity in a tick"}, s.max_change);
    f(Field{"approach", "1/s", "-", "approach speed per remaining distance"}, s.approach);
    f(Field{"on_ground", "-", "-", "whether the vehicle follows the ground: 1 yes, 0 no"}, s.on_ground);
    f(Field{"height", "m", "-", "height of the reference point above the ground"}, s.height);
    f(Field{"mass", "kg", "-", "mass of the walker"}, s.mass);
    f(Field{"push_change", "m/(N s)", "-", "change of velocity per unit of external force in a tick"}, s.push_change);
    Ground<T>::fields(s.ground, f);
    control::GuideParams<T>::fields(s.guide, f);
  }
};

struct WalkerProgram {
  static constexpr const char* name = "walk";
  static constexpr bool kGuided = true, kGroundForce = false;
  static constexpr int kGustFromEnd = 0;
  template <class T> using Params = WalkerParams<T>;
  template <class T> using Plan = control::Plan<T>;
  template <class T> struct Agent {
    Bits<T> status;
    RigidBody<T> body;
    control::Reference<T> setpoint;
    Push<T> outside;  // of its torque it takes no notice: it keeps itself upright and turns as it is told

    template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
      f(Field{"status", "-", "-", "flight mode and status bits. Bits 0-3: mode; 4-7: mode after take-off; 8: alive; 9: diverged"}, s.status);
      RigidBody<T>::fields(s.body, f);
    }
    template <class Self, class F> VOLARY_HD static constexpr void input(Self& s, F& f) {
      control::Reference<T>::fields(s.setpoint, f);
      Push<T>::fields(s.outside, f);
    }
  };

  template <class T> VOLARY_HD static const control::GuideParams<T>& guide_params(const Params<T>& p) { return p.guide; }
  template <class T> VOLARY_HD static Ground<T>& ground(Params<T>& p) { return p.ground; }
  template <class T> VOLARY_HD static Mask<T> is_sound(const Agent<T>& a) { return vehicles::is_sound(a.body); }

  // the velocity it wants: the setpoint's, and towards the setpoint's place on the control levels that have one
  template <class T> VOLARY_HD static Vec3<T> wanted(const Agent<T>& a, const Params<T>& p) {
    const control::Reference<T>& sp = a.setpoint;
    const Mask<T> has_place = (sp.level == control::bits_of<T>(5)) | (sp.level == control::bits_of<T>(6));
    Vec3<T> v = sp.velocity_W;
    v = select(has_place, fma(p.approach, sp.position_W - a.body.position_W, v), v);
    const Mask<T> off = control::has_mode<T>(a.status, control::Flight::Disarmed) | control::has_mode<T>(a.status, control::Flight::EmergencyStop);
    const Mask<T> no_velocity = !(has_place | (sp.level == control::bits_of<T>(4)));
    v = select(off | no_velocity, zero3<T>(), v);
    v.z = select(p.on_ground > splat<T>(0.5), splat<T>(0), v.z);
    return limit_norm(v, p.max_speed);
  }
  // one tick at a time: there is nothing fast in it
  template <class T> VOLARY_HD static void advance(Agent<T>& a, const TickInfo&, const Params<T>& p) {
    // what pushes it comes first, and it stems itself against that; the ground takes what goes into it or off it
    const Mask<T> grounded = p.on_ground > splat<T>(0.5);
    Vec3<T> push = p.push_change * a.outside.force_W;
    push.z = select(grounded, splat<T>(0), push.z);
    const Vec3<T> before = a.body.velocity_W, pushed = before + push;
    a.body.velocity_W = pushed + limit_norm(wanted(a, p) - pushed, p.max_change);
    const T half = splat<T>(0.5) * p.guide.tick;
    a.body.position_W = math::advance(a.body.position_W, half * (before + a.body.velocity_W));
    const Position<T>& at = a.body.position_W;
    const Ground<T>& g = p.ground;
    const T dx = (at.value.x - g.anchor_x) + at.remainder.x, dy = (at.value.y - g.anchor_y) + at.remainder.y;
    const T up = g.height - fma(g.normal_W.x, dx, g.normal_W.y * dy) / g.normal_W.z + p.height;
    a.body.position_W.value.z = select(grounded, up, at.value.z);
    a.body.position_W.remainder.z = select(grounded, splat<T>(0), at.remainder.z);
    T s, c;
    sincos(splat<T>(0.5) * a.setpoint.yaw, s, c);
    a.body.q_WB = {c, splat<T>(0), splat<T>(0), s};
  }
};

struct Walker {
  static constexpr const char* name = "walker";
  static constexpr engine::Starts kStarts = engine::Starts::Upright;
  using Def = airframe::WalkerDef;
  using Programs = core::TypeList<WalkerProgram>;

  static core::Status check(const Def&) { return core::ok(); }
  static Vec extent(const Def& def) { return {def.radius, def.radius, def.radius}; }
  static int choose(const Def&, const engine::FlockSetup&) { return 0; }
  template <class P> static core::Result<WalkerParams<double>> derive(const Def& def, const engine::FlockSetup& setup) {
    const double speed = def.max_speed > 0 ? def.max_speed : 1e-3;
    WalkerParams<double> p{};
    p.max_speed = def.max_speed;
    p.max_change = def.max_acceleration * setup.tick;
    p.approach = 1;
    p.on_ground = def.on_ground && setup.environment.ground ? 1 : 0;
    p.height = def.height;
    p.mass = def.mass;
    p.push_change = setup.tick / def.mass;
    p.ground = level_ground(setup.environment.ground_height);
    p.guide = {setup.tick, setup.take_off_height, speed, speed, speed, 1e30, 1e30, 0, 0};
    return p;
  }
  template <class P, class S>
  static void initialise(WalkerProgram::Agent<S>& a, control::Plan<S>& plan, const VehicleDef& v, const Def&, const engine::FlockSetup& setup,
                         const WalkerParams<S>& p) {
    Vec where = v.position_W;
    if (p.on_ground > S(0.5)) where[2] = setup.environment.ground_height + static_cast<double>(p.height);
    double s, c;
    math::sincos(0.5 * v.yaw, s, c);
    a.body = {to_position<S>(where), to_vec<S>(v.velocity_W), {static_cast<S>(c), S(0), S(0), static_cast<S>(s)}, zero3<S>()};
    a.status = control::kAlive;
    a.setpoint.level = static_cast<Bits<S>>(ControlLevel::Position);
    a.setpoint.position_W = a.body.position_W;
    a.setpoint.yaw = static_cast<S>(v.yaw);
    set_curve(plan, v);
  }
  // it is always ready: there is nothing to take off from
  template <class P, class S>
  static void enter_mode(WalkerProgram::Agent<S>& a, control::Plan<S>& plan, Mode mode, const WalkerParams<S>& p, const control::PathTable<S>& table) {
    using control::Flight;
    Flight now = static_cast<Flight>(mode);
    if (now == Flight::TakeOff || now == Flight::Land) now = Flight::Hold;
    a.status = static_cast<Bits<S>>((a.status & (control::kAlive | control::kDiverged)) | static_cast<std::uint32_t>(now));
    set_anchor(plan, a.body);
    plan.anchor_yaw = a.setpoint.yaw;
    if (now == Flight::Mission) control::plan_blend(plan, a.body.position_W, true, p.guide, table);
  }
};

}  // namespace volary::inline VOLARY_ISA::vehicles
