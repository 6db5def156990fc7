// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the control laws of aircraft with wings (wing.hpp) know, want, and remember. They speak the convention of aviation: roll to
// the right, pitch up and yaw to the right are positive, with body rates p, q, r about forward, right and down. Whoever holds a body
// in FLU axes converts once: p = omega.x, q = -omega.y, r = -omega.z.
#pragma once

#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::control {

using namespace math;

template <class T> struct WingState {
  T roll, pitch, heading;  // rad: to the right, nose up, of the nose from east towards north
  T p, q, r;               // rad/s, FRD: roll right, pitch up, yaw right
  T airspeed;              // m/s, true
  T density;               // kg/m3
  Vec3<T> velocity_W;      // m/s over ground, ENU
  Vec3<T> air_W;           // m/s through the air, ENU
  Position<T> position_W;  // m
  T above_ground;          // m
};

template <class T> struct WingTarget {
  T roll, pitch, throttle;  // rad, rad, 0..1
};

// Surfaces are counted in shares of their travel, -1..1. Airspeeds are equivalent airspeeds: what a wing feels at sea level.
template <class T> struct WingGains {
  T tick, gravity;                              // s, m/s2
  T airspeed_min, airspeed_cruise, airspeed_max;  // m/s

  // attitude and rates
  T roll_time, pitch_time;                      // s
  T roll_rate, pitch_rate_up, pitch_rate_down;  // rad/s
  Vec3<T> rate_p, rate_i, rate_ff;              // s, -, s: share per rad/s, per rad, per rad/s; roll, pitch, yaw
  Vec3<T> integral_limit;                       // share
  T scaling_speed;                              // m/s
  T turn_pitch, turn_yaw;                       // -
  T yaw_washout;                                // 1/s
  T rudder_mix;                                 // -

  // paths
  T period, damping;                            // s, -
  T loiter_radius;                              // m
  T max_bank, bank_height;                      // rad, m

  // energy
  T climb_max, sink_max, sink_idle;             // m/s
  T height_time, speed_time;                    // s
  T throttle_trim, throttle_min, throttle_max;  // -
  T throttle_damping, throttle_integral;        // -, 1/s
  T pitch_damping, pitch_integral;              // -, 1/s
  T pitch_min, pitch_max;                       // rad
  T pitch_zero_lift, pitch_lift;                // rad
  T speed_weight;                               // -
  T bank_power;                                 // W/kg

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"wing.tick", "s", "-", "time between two calls of guidance"}, s.tick);
    f(Field{"wing.gravity", "m/s2", "-", "gravity the controller believes in"}, s.gravity);
    f(Field{"wing.airspeed_min", "m/s", "-", "least equivalent airspeed that is asked for"}, s.airspeed_min);
    f(Field{"wing.airspeed_cruise", "m/s", "-", "where a loiter is flown, and where trim throttle and pitch hold"}, s.airspeed_cruise);
    f(Field{"wing.airspeed_max", "m/s", "-", "greatest equivalent airspeed that is asked for"}, s.airspeed_max);
    f(Field{"wing.roll_time", "s", "-", "roll error to roll rate: error over this time"}, s.roll_time);
    f(Field{"wing.pitch_time", "s", "-", "pitch error to pitch rate: error over this time"}, s.pitch_time);
    f(Field{"wing.roll_rate", "rad/s", "B", "greatest roll rate asked for"}, s.roll_rate);
    f(Field{"wing.pitch_rate_up", "rad/s", "B", "greatest pitch rate asked for, upwards"}, s.pitch_rate_up);
    f(Field{"wing.pitch_rate_down", "rad/s", "B", "greatest pitch rate asked for, downwards"}, s.pitch_rate_down);
    f(Field{"wing.rate_p", "s", "B", "rate error to share of travel, at the scaling speed: roll, pitch, yaw"}, s.rate_p);
    f(Field{"wing.rate_i", "-", "B", "integral of the rate error to share of travel"}, s.rate_i);
    f(Field{"wing.rate_ff", "s", "B", "wanted rate to share of travel"}, s.rate_ff);
    f(Field{"wing.integral_limit", "-", "B", "bound of what the integrals move, share of travel"}, s.integral_limit);
    f(Field{"wing.scaling_speed", "m/s", "-", "equivalent airspeed at which the rate gains hold"}, s.scaling_speed);
    f(Field{"wing.turn_pitch", "-", "-", "share of the pitch rate of a level turn that is fed forward"}, s.turn_pitch);
    f(Field{"wing.turn_yaw", "-", "-", "share of the yaw rate of a level turn that the yaw damper leaves alone"}, s.turn_yaw);
    f(Field{"wing.yaw_washout", "1/s", "-", "how quickly the yaw damper forgets a steady rate"}, s.yaw_washout);
    f(Field{"wing.rudder_mix", "-", "-", "rudder that goes with aileron"}, s.rudder_mix);
    f(Field{"wing.period", "s", "-", "period of the way back onto a path"}, s.period);
    f(Field{"wing.damping", "-", "-", "damping ratio of the way back onto a path"}, s.damping);
    f(Field{"wing.loiter_radius", "m", "-", "circle flown about a position: to the right, negative: to the left"}, s.loiter_radius);
    f(Field{"wing.max_bank", "rad", "-", "greatest roll angle asked for"}, s.max_bank);
    f(Field{"wing.bank_height", "m", "-", "nearer to the ground than this less bank is allowed, in proportion"}, s.bank_height);
    f(Field{"wing.climb_max", "m/s", "-", "climb at cruise airspeed and full throttle"}, s.climb_max);
    f(Field{"wing.sink_max", "m/s", "-", "fastest sink that is asked for"}, s.sink_max);
    f(Field{"wing.sink_idle", "m/s", "-", "sink at cruise airspeed and least throttle"}, s.sink_idle);
    f(Field{"wing.height_time", "s", "-", "height error to climb rate: error over this time"}, s.height_time);
    f(Field{"wing.speed_time", "s", "-", "airspeed error to acceleration: error over this time"}, s.speed_time);
    f(Field{"wing.throttle_trim", "-", "-", "throttle of level flight at cruise airspeed"}, s.throttle_trim);
    f(Field{"wing.throttle_min", "-", "-", "least throttle"}, s.throttle_min);
    f(Field{"wing.throttle_max", "-", "-", "greatest throttle"}, s.throttle_max);
    f(Field{"wing.throttle_damping", "-", "-", "error of the energy rate to throttle, 1: what the trim points say"}, s.throttle_damping);
    f(Field{"wing.throttle_integral", "1/s", "-", "integral of the error of the energy rate to throttle"}, s.throttle_integral);
    f(Field{"wing.pitch_damping", "-", "-", "error of the energy balance to pitch, 1: as a flight-path angle"}, s.pitch_damping);
    f(Field{"wing.pitch_integral", "1/s", "-", "integral of the error of the energy balance to pitch"}, s.pitch_integral);
    f(Field{"wing.pitch_min", "rad", "-", "least pitch angle asked for"}, s.pitch_min);
    f(Field{"wing.pitch_max", "rad", "-", "greatest pitch angle asked for"}, s.pitch_max);
    f(Field{"wing.pitch_zero_lift", "rad", "-", "angle of attack without lift"}, s.pitch_zero_lift);
    f(Field{"wing.pitch_lift", "rad", "-", "angle of attack beyond that in level flight at cruise airspeed"}, s.pitch_lift);
    f(Field{"wing.speed_weight", "-", "-", "what pitch looks after: 0 height, 1 both, 2 airspeed"}, s.speed_weight);
    f(Field{"wing.bank_power", "W/kg", "-", "power for induced drag at cruise airspeed, what banking multiplies"}, s.bank_power);
  }
};

template <class T> struct WingMemory {
  Vec3<T> integral;     // share of travel: aileron, elevator, rudder
  T steady_yaw;         // rad/s
  T slow_airspeed;      // m/s
  T throttle_integral;  // -
  T pitch_integral;     // rad

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"wing_integral", "-", "B", "share of travel that the integrals of the rate loops hold: aileron, elevator, rudder"}, s.integral);
    f(Field{"wing_steady_yaw", "rad/s", "B", "yaw rate beyond that of a level turn, low-passed: what the yaw damper forgets"}, s.steady_yaw);
    f(Field{"wing_slow_airspeed", "m/s", "-", "airspeed, low-passed, for its rate; 0: none yet"}, s.slow_airspeed);
    f(Field{"wing_throttle_integral", "-", "-", "throttle that the integral of the energy rate holds"}, s.throttle_integral);
    f(Field{"wing_pitch_integral", "rad", "-", "pitch that the integral of the energy balance holds"}, s.pitch_integral);
  }
};

}  // namespace volary::inline VOLARY_ISA::control
