// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The car as an entry of the list of models: its two programs, and how a definition becomes parameters and a first state. It stays on the ground: its
// attitude is that of the ground's plane, which the engine fills in once per tick (engine/ground.cpp), and what pulls it along the slope is gravity.
// Of what pushes it from outside the wheels take what is across them, and the ground what would tip it over.
#pragma once

#include "control/car.hpp"
#include "vehicles/actuator_faults.hpp"
#include "vehicles/car.hpp"
#include "vehicles/car_def.hpp"
#include "vehicles/model.hpp"
#include "vehicles/tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// what a car is told: the ladder's reference, and for the lowest level the wheels themselves
template <class T> struct CarSetpoint : control::Reference<T> {
  T wheels[3];

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    control::Reference<T>::fields(s, f);
    f(Field{"setpoint.motor_speed", "-", "-", "commanded steering angle in rad (to the left), share of the drive (-1 backwards) and share of the brakes"},
      s.wheels);
  }
};

// the plane under a car, as axes in the world: x along the nose
template <class T> struct CarPlane {
  Vec3<T> x, y, up;
};

struct PlainCar {
  static constexpr bool kSensed = false;
};
struct SensedCar {
  static constexpr bool kSensed = true;
};

template <bool Slips, bool S = false> struct CarProgram {
  using V = std::conditional_t<S, SensedCar, PlainCar>;
  static constexpr bool kSensed = S;
  static constexpr const char* name = S ? "dynamic/imu" : Slips ? "dynamic" : "kinematic";
  static constexpr bool kSlips = Slips, kGuided = true, kGroundForce = false;
  static constexpr int kGustFromEnd = 0;
  template <class T> using Params = ParamsOf<V, CarParams<T>, T>;
  template <class T> using Plan = control::Plan<T>;
  template <class T> struct Agent : SensedPart<V, T, 1> {
    Bits<T> status;
    RigidBody<T> body;
    T steer;  // rad
    control::CarMemory<T> driver;
    CarSetpoint<T> setpoint;
    Push<T> outside;

    template <class Self, class F> VOLARY_HD static constexpr void state(Self& s, F& f) {
      f(Field{"status", "-", "-", "flight mode and status bits. Bits 0-3: mode; 4-7: mode after take-off; 8: alive; 9: diverged"}, s.status);
      RigidBody<T>::fields(s.body, f);
      f(Field{"steer", "rad", "B", "angle of the front wheels, to the left"}, s.steer);
      control::CarMemory<T>::fields(s.driver, f);
      if constexpr (S) Sensed<T, 1>::state(s.sensed, f);
    }
    template <class Self, class F> VOLARY_HD static constexpr void input(Self& s, F& f) {
      CarSetpoint<T>::fields(s.setpoint, f);
      if constexpr (S) Sensed<T, 1>::input(s.sensed, f);
      Push<T>::fields(s.outside, f);
    }
  };

  template <class T> VOLARY_HD static const control::GuideParams<T>& guide_params(const CarParams<T>& p) { return p.guide; }
  template <class T> VOLARY_HD static Ground<T>& ground(CarParams<T>& p) { return p.ground; }
  template <class T> VOLARY_HD static Mask<T> is_sound(const Agent<T>& a) { return vehicles::is_sound(a.body) & (abs(a.steer) < splat<T>(10)); }

  // steeper than this is a wall: 60 degrees
  template <class T> VOLARY_HD static Mask<T> is_wall(const CarParams<T>& p) { return p.ground.normal_W.z < splat<T>(0.5); }

  // the ground's plane under the car, its nose turned into it; before a wall it stays in the plane that it is in
  template <class T> VOLARY_HD static CarPlane<T> plane_under(const Agent<T>& a, const Params<T>& p) {
    const Mat3<T> R_WB = rotation_matrix(a.body.q_WB);
    const Vec3<T> nose = {R_WB.row0.x, R_WB.row1.x, R_WB.row2.x};
    CarPlane<T> plane;
    plane.up = select(is_wall(p), column_z(R_WB), p.ground.normal_W);
    const Vec3<T> x = fma(-dot(nose, plane.up), plane.up, nose);
    plane.x = (splat<T>(1) / max(norm(x), splat<T>(1e-6))) * x;
    plane.y = cross(plane.up, plane.x);
    return plane;
  }

  // where the driver takes the car to be, and how it moves
  template <class T> VOLARY_HD static control::CarView<T> view_of(const Agent<T>& a, const CarPlane<T>& plane, const CarMotion<T>& m, const TickInfo& info, const Params<T>& p) {
    const auto ahead = [](const Vec3<T>& x) VOLARY_INLINE_LAMBDA { return splat<T>(1) / max(sqrt(fma(x.x, x.x, x.y * x.y)), splat<T>(1e-6)); };
    if constexpr (S)
      if (!info.by_truth) {
        const RigidBody<T>& e = a.sensed.estimate;
        const Mat3<T> R_WB = rotation_matrix(e.q_WB);
        const Vec3<T> nose = {R_WB.row0.x, R_WB.row1.x, R_WB.row2.x}, v_B = transpose_times(R_WB, e.velocity_W);
        const T inv = ahead(nose);
        return {e.position_W, nose.x * inv, nose.y * inv, v_B.x, v_B.y, p.gravity * plane.x.z};
      }
    const T inv = ahead(plane.x);
    return {a.body.position_W, plane.x.x * inv, plane.x.y * inv, m.u, m.v, p.gravity * plane.x.z};
  }

  // what the driver does: nothing but brake in the modes that stand, the wheels themselves on the lowest level, else the ladder
  template <class T>
  VOLARY_HD static control::CarCommand<T> command(Agent<T>& a, const CarPlane<T>& plane, const CarMotion<T>& m, const TickInfo& info, const Params<T>& p) {
    using control::Flight;
    const T zero = splat<T>(0), one = splat<T>(1);
    const control::CarView<T> view = view_of(a, plane, m, info, p);
    const Mask<T> off = control::has_mode<T>(a.status, Flight::Disarmed) | control::has_mode<T>(a.status, Flight::EmergencyStop);
    const Mask<T> stands = off | control::has_mode<T>(a.status, Flight::Hold);
    control::Reference<T> sp = a.setpoint;
    sp.level = select(stands, control::bits_of<T>(1), sp.level);  // a level without a course: the driver stops the car
    control::CarCommand<T> c = control::drive_car(sp, view, p.gains, a.driver);
    const Mask<T> direct = sp.level == control::bits_of<T>(0);
    c.steer = select(direct, a.setpoint.wheels[0], select(stands, a.steer, c.steer));
    c.drive = select(direct, a.setpoint.wheels[1], c.drive);
    c.brake = select(direct, clamp(a.setpoint.wheels[2], zero, one), select(off, one, c.brake));
    return c;
  }

  // what steering (0) and drive (1) make of their commands where some of the flock have faults
  template <class T> VOLARY_COLD static void apply_faults(control::CarCommand<T>& c, const TickInfo& info, const Params<T>& p) {
    const ActuatorFaults<T> faults = actuator_faults<T>(info);
    const control::CarCommand<T> wanted = c;
    c.steer = faults.apply(0, wanted.steer, -p.max_steer, p.max_steer);
    c.drive = faults.apply(1, wanted.drive, splat<T>(-1), splat<T>(1));
    faults.keep(0, wanted.steer);
    faults.keep(1, wanted.drive);
  }

  // A wall that some corner is in: the car loses what it drives into it, and is pushed out.
  template <class T> VOLARY_COLD static void meet_wall(RigidBody<T>& body, const Params<T>& p) {
    const T zero = splat<T>(0);
    const Mat3<T> R_WB = rotation_matrix(body.q_WB);
    const Position<T>& at = body.position_W;
    const Vec3<T>& normal = p.ground.normal_W;
    const T middle = height_above(body, p.ground);
    T deepest = zero;
    for (int i = 0; i < 4; ++i) deepest = max(-(middle + dot(normal, R_WB * p.corner[i])), deepest);
    const Mask<T> inside = is_wall(p) & (deepest > zero);
    // across the ground only: a wall that leans does not lift the car
    const Vec3<T> up = column_z(R_WB);
    const Vec3<T> out = fma(-dot(normal, up), up, normal);
    const T away = dot(out, body.velocity_W) / max(dot(out, out), splat<T>(1e-6));
    body.velocity_W = select(inside, fma(-min(away, zero), out, body.velocity_W), body.velocity_W);
    body.omega_B = select(inside, zero3<T>(), body.omega_B);
    const Vec3<T> push = min(p.stiffness * p.guide.tick, splat<T>(1)) * deepest * out;
    const Position<T> pushed = math::advance(body.position_W, push);
    body.position_W = {select(inside, pushed.value, at.value), select(inside, pushed.remainder, at.remainder)};
  }

  // puts the car where it drove to, onto the plane
  template <class T> VOLARY_HD static void settle(RigidBody<T>& body, const CarPlane<T>& plane, const CarMotion<T>& m, const Params<T>& p) {
    T s, c;
    sincos(m.heading, s, c);
    const Vec3<T> nose = fma(c, plane.x, s * plane.y), left = cross(plane.up, nose);
    body.q_WB = quat_from_matrix(Mat3<T>{{nose.x, left.x, plane.up.x}, {nose.y, left.y, plane.up.y}, {nose.z, left.z, plane.up.z}});
    body.velocity_W = fma(m.u, nose, m.v * left);
    body.omega_B = {splat<T>(0), splat<T>(0), m.r};
    body.position_W = math::advance(body.position_W, fma(m.x, plane.x, m.y * plane.y));
    const T above = height_above(body, p.ground);
    const T rise = select(is_wall(p), splat<T>(0), (p.height - above) / max(p.ground.normal_W.z, splat<T>(0.5)));
    body.position_W = math::advance(body.position_W, Vec3<T>{splat<T>(0), splat<T>(0), rise});
  }

  template <class T> VOLARY_HD static void advance(Agent<T>& a, const TickInfo& info, const Params<T>& p) {
    if (any(is_wall(p))) {
      RigidBody<T> copy = a.body;
      meet_wall(copy, p);
      a.body = copy;
    }
    const Mat3<T> R_WB = rotation_matrix(a.body.q_WB);
    const Vec3<T> v_B = transpose_times(R_WB, a.body.velocity_W);
    CarMotion<T> m{splat<T>(0), splat<T>(0), splat<T>(0), v_B.x, v_B.y, a.body.omega_B.z};
    const CarPlane<T> plane = plane_under(a, p);
    const Vec3<T> push = p.inv_mass * a.outside.force_W;
    const CarPull<T> pull = {dot(push, plane.x) - p.gravity * plane.x.z, dot(push, plane.y) - p.gravity * plane.y.z,
                             dot(push, plane.up) - p.gravity * plane.up.z, p.inv_mass * a.outside.torque_B.z};
    control::CarCommand<T> c = command(a, plane, m, info, p);
    if (info.faults != nullptr) apply_faults(c, info, p);
    if constexpr (S) {
      const T still[1] = {splat<T>(0)};  // it has no rotor that shakes it
      Sampling<T, 1> imu = begin_sampling<T, 1>(a.sensed, a.body, still, p.imu, info);
      for (int k = 0; k < info.substeps; ++k) {
        car_substep<Slips, T>(m, a.steer, c, pull, p);
        RigidBody<T> now = a.body;
        settle(now, plane, m, p);
        sample_step<T, 1>(imu, a.sensed, k, now.velocity_W, now.q_WB, now.omega_B, still, p.imu, info);
      }
      settle(a.body, plane, m, p);
      end_sampling<T, 1>(imu, a.sensed, a.body, info);
    } else {
      for (int k = 0; k < info.substeps; ++k) car_substep<Slips>(m, a.steer, c, pull, p);
      settle(a.body, plane, m, p);
    }
  }
};

struct Car {
  static constexpr const char* name = "car";
  static constexpr engine::Starts kStarts = engine::Starts::Rolling;
  using Def = airframe::CarDef;
  using Programs = core::TypeList<CarProgram<true>, CarProgram<false>, CarProgram<true, true>>;

  static core::Status check(const Def& def) { return airframe::check_car(def); }
  static Vec extent(const Def& def) { return airframe::extent(def); }
  // without full physics nothing slips
  static int choose(const Def&, const engine::FlockSetup& setup) { return setup.imu ? 2 : setup.full_physics ? 0 : 1; }
  template <class P> static core::Result<typename P::template Params<double>> derive(const Def& def, const engine::FlockSetup& setup) {
    const core::Result<CarParams<double>> p = parameters(def, setup, P::kSlips);
    if (!p) return p.error();
    return with_imu<P>(p.value(), setup);
  }

  template <class P, class S>
  static void initialise(typename P::template Agent<S>& a, control::Plan<S>& plan, const VehicleDef& v, const Def& def, const engine::FlockSetup& setup,
                         const typename P::template Params<S>&) {
    Vec where = v.position_W;
    where[2] = setup.environment.ground_height + def.height;
    double s, c;
    math::sincos(0.5 * v.yaw, s, c);
    // it begins without slip: what it is to move sideways is left out
    double nose_x, nose_y;
    math::sincos(v.yaw, nose_y, nose_x);
    const double speed = v.velocity_W[0] * nose_x + v.velocity_W[1] * nose_y;
    a.body = {to_position<S>(where), to_vec<S>(Vec{speed * nose_x, speed * nose_y, 0}), {static_cast<S>(c), S(0), S(0), static_cast<S>(s)}, zero3<S>()};
    a.status = control::kAlive;
    a.setpoint.level = static_cast<Bits<S>>(ControlLevel::Position);
    a.setpoint.position_W = a.body.position_W;
    a.setpoint.yaw = static_cast<S>(v.yaw);
    set_curve(plan, v);
    if constexpr (P::kSensed) begin_sensed(a);
  }

  // it is always ready: there is nothing to take off from, and a landing is a stop
  template <class P, class S>
  static void enter_mode(typename P::template Agent<S>& a, control::Plan<S>& plan, Mode mode, const typename P::template Params<S>& p, const control::PathTable<S>& table) {
    using control::Flight;
    Flight now = static_cast<Flight>(mode);
    if (now == Flight::TakeOff || now == Flight::Land) now = Flight::Hold;
    a.status = static_cast<Bits<S>>((a.status & (control::kAlive | control::kDiverged)) | static_cast<std::uint32_t>(now));
    const RigidBody<S>& body = known_now<typename P::V>(a, p);
    set_anchor(plan, body);
    a.driver.speed_integral = S(0);
    if (now != Flight::Mission) return;
    // the way to the start of the curve is along the ground, whatever heights the curve has
    Position<S> from_W = body.position_W;
    from_W.value.z = plan.centre_W.value.z + control::curve_point(table, plan, S(0)).position.z;
    from_W.remainder.z = plan.centre_W.remainder.z;
    control::plan_blend(plan, from_W, true, p.guide, table);
  }

 private:
  static core::Result<CarParams<double>> parameters(const Def& def, const engine::FlockSetup& setup, bool slips);
};

}  // namespace volary::inline VOLARY_ISA::vehicles
