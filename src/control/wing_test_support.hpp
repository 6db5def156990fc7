// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A small aeroplane to try control laws on: a point mass with lift, drag and thrust, roll and pitch rates that answer to surfaces, turns
// without sideslip. Not the model of vehicles/: just enough that a law that flies it is sound.
#pragma once

#include <cmath>

#include "control/wing.hpp"
#include "control/wing_design.hpp"

namespace volary::test {

using control::WingGains;
using control::WingMemory;
using control::WingState;
using control::WingTarget;
using math::Vec3;

// what the plant is made of is also what its gains are derived from
inline control::WingAirframe small_airframe() {
  control::WingAirframe a;
  a.cruise_airspeed = 20, a.stall_airspeed = 11, a.max_airspeed = 30;
  a.throttle_trim = 0.4, a.sink_idle = 2, a.climb_full = 3;  // thrust over weight 0.25: 0.4 of it is the drag at cruise, 2 / 20
  a.surface_lag = 0.05;
  return a;
}

struct SmallAeroplane {
  control::WingAirframe a = small_airframe();
  Vec3<double> wind_W{0, 0, 0};
  double dt = 0.0025;

  Vec3<double> position{0, 0, 100};
  double speed = 20, climb_angle = 0, track = 0;  // through the air; track from east towards north
  double roll = 0, pitch = 0.05, p = 0, q = 0, thrust = 0.4;
  Vec3<double> surface{0, 0, 0};
  WingMemory<double> memory{};

  double yaw_rate() const { return 9.80665 * std::sin(roll) / speed; }  // of the body, in a level turn
  Vec3<double> air() const {
    return {speed * std::cos(climb_angle) * std::cos(track), speed * std::cos(climb_angle) * std::sin(track), speed * std::sin(climb_angle)};
  }
  WingState<double> state() const {
    WingState<double> x{};
    x.roll = roll, x.pitch = pitch, x.heading = track, x.p = p, x.q = q, x.r = yaw_rate();
    x.airspeed = speed, x.density = 1.225, x.air_W = air(), x.velocity_W = x.air_W + wind_W;
    x.position_W = {position, {0, 0, 0}}, x.above_ground = position.z;
    return x;
  }

  // one substep
  void move(const Vec3<double>& surfaces, double throttle) {
    const double g = a.gravity, v = speed / a.cruise_airspeed, q_ratio = v * v;
    surface = surface + (dt / a.surface_lag) * (surfaces - surface);
    thrust += dt / 0.3 * (throttle - thrust);
    p += dt * (a.roll.effect * q_ratio * surface.x - a.roll.damping * v * p);
    // pitch holds an angle of attack: no static stability beyond damping about the turning of the flight path
    const double turn = g * std::tan(std::fmin(std::fmax(roll, -1.4), 1.4)) / speed;
    q += dt * (a.pitch.effect * q_ratio * (surface.y - 0.05) - a.pitch.damping * v * (q - turn * std::sin(roll)));
    const double pitch_dot = q * std::cos(roll) - yaw_rate() * std::sin(roll);
    roll += dt * p, pitch += dt * pitch_dot;

    // the angle of attack in the plane of symmetry: what pitch has beyond the flight path, seen from the banked wing
    const double alpha = (pitch - climb_angle) / std::fmax(std::cos(roll), 0.2);
    const double cl = std::fmin(std::fmax((alpha - a.zero_lift_angle) / (a.cruise_angle - a.zero_lift_angle), -1), 3.0);
    const double lift = g * q_ratio * cl, drag = 0.1 * g * q_ratio * (0.6 + 0.4 * cl * cl);  // glides 1 : 10 at cruise
    const double pull = 0.25 * g * thrust;
    speed += dt * (pull - drag - g * std::sin(climb_angle));
    climb_angle += dt * (lift * std::cos(roll) - g * std::cos(climb_angle)) / speed;
    track -= dt * lift * std::sin(roll) / (speed * std::cos(climb_angle));
    position = position + dt * (air() + wind_W);
  }
};

// flies one tick of `substeps` under the laws
inline WingTarget<double> fly_tick(SmallAeroplane& plane, const control::Reference<double>& sp, const WingGains<double>& g, int substeps = 4) {
  const WingTarget<double> t = control::wing_guidance(sp, plane.state(), g, plane.memory);
  for (int k = 0; k < substeps; ++k) plane.move(control::wing_attitude(t, plane.state(), g, plane.dt, plane.memory), t.throttle);
  return t;
}

}  // namespace volary::test
