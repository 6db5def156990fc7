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
    f(Field{"wing.tick", "s", "-", "time between two steps of guidance"}, s.tick);
    f(Field{"wing.gravity", "m/s2", "-", "gravitational acceleration that the controller assumes"}, s.gravity);
    f(Field{"wing.airspeed_min", "m/s", "-", "least equivalent airspeed that guidance commands"}, s.airspeed_min);
    f(Field{"wing.airspeed_cruise", "m/s", "-", "equivalent airspeed of a loiter, for which trim throttle and trim pitch hold"}, s.airspeed_cruise);
    f(Field{"wing.airspeed_max", "m/s", "-", "greatest equivalent airspeed that guidance commands"}, s.airspeed_max);
    f(Field{"wing.roll_time", "s", "-", "time constant of the roll loop: commanded roll rate is roll error over this time"}, s.roll_time);
    f(Field{"wing.pitch_time", "s", "-", "time constant of the pitch loop: commanded pitch rate is pitch error over this time"}, s.pitch_time);
    f(Field{"wing.roll_rate", "rad/s", "B", "greatest roll rate that the controller commands"}, s.roll_rate);
    f(Field{"wing.pitch_rate_up", "rad/s", "B", "greatest upward pitch rate that the controller commands"}, s.pitch_rate_up);
    f(Field{"wing.pitch_rate_down", "rad/s", "B", "greatest downward pitch rate that the controller commands"}, s.pitch_rate_down);
    f(Field{"wing.rate_p", "s", "B", "proportional gain of the roll, pitch and yaw rate loops at the scaling speed: share of travel per rate error"}, s.rate_p);
    f(Field{"wing.rate_i", "-", "B", "integral gain of the roll, pitch and yaw rate loops: share of travel per integral of the rate error"}, s.rate_i);
    f(Field{"wing.rate_ff", "s", "B", "feed-forward gain of the roll, pitch and yaw rate loops: share of travel per commanded rate"}, s.rate_ff);
    f(Field{"wing.integral_limit", "-", "B", "bound of the deflection that the integrals command, as a share of travel"}, s.integral_limit);
    f(Field{"wing.scaling_speed", "m/s", "-", "equivalent airspeed at which the rate gains hold"}, s.scaling_speed);
    f(Field{"wing.turn_pitch", "-", "-", "share of the pitch rate of a level turn that is fed forward"}, s.turn_pitch);
    f(Field{"wing.turn_yaw", "-", "-", "share of the yaw rate of a level turn that the yaw damper does not oppose"}, s.turn_yaw);
    f(Field{"wing.yaw_washout", "1/s", "-", "rate at which the yaw damper stops opposing a steady yaw rate"}, s.yaw_washout);
    f(Field{"wing.rudder_mix", "-", "-", "rudder deflection per aileron deflection"}, s.rudder_mix);
    f(Field{"wing.period", "s", "-", "period of the return to a path"}, s.period);
    f(Field{"wing.damping", "-", "-", "damping ratio of the return to a path"}, s.damping);
    f(Field{"wing.loiter_radius", "m", "-", "radius of the circle that is flown about a position; positive: to the right, negative: to the left"},
      s.loiter_radius);
    f(Field{"wing.max_bank", "rad", "-", "greatest roll angle that guidance commands"}, s.max_bank);
    f(Field{"wing.bank_height", "m", "-", "height above ground below which the greatest roll angle decreases in proportion"}, s.bank_height);
    f(Field{"wing.climb_max", "m/s", "-", "climb speed at cruise airspeed and full throttle"}, s.climb_max);
    f(Field{"wing.sink_max", "m/s", "-", "fastest sink speed that guidance commands"}, s.sink_max);
    f(Field{"wing.sink_idle", "m/s", "-", "sink speed at cruise airspeed and least throttle"}, s.sink_idle);
    f(Field{"wing.height_time", "s", "-", "time constant of the height loop: commanded climb speed is height error over this time"}, s.height_time);
    f(Field{"wing.speed_time", "s", "-", "time constant of the airspeed loop: commanded acceleration is airspeed error over this time"}, s.speed_time);
    f(Field{"wing.throttle_trim", "-", "-", "throttle of level flight at cruise airspeed"}, s.throttle_trim);
    f(Field{"wing.throttle_min", "-", "-", "least throttle"}, s.throttle_min);
    f(Field{"wing.throttle_max", "-", "-", "greatest throttle"}, s.throttle_max);
    f(Field{"wing.throttle_damping", "-", "-", "throttle gain per error of the energy rate; 1: the slope between the trim points"}, s.throttle_damping);
    f(Field{"wing.throttle_integral", "1/s", "-", "throttle gain per integral of the error of the energy rate"}, s.throttle_integral);
    f(Field{"wing.pitch_damping", "-", "-", "pitch gain per error of the energy balance; 1: the error as a flight-path angle"}, s.pitch_damping);
    f(Field{"wing.pitch_integral", "1/s", "-", "pitch gain per integral of the error of the energy balance"}, s.pitch_integral);
    f(Field{"wing.pitch_min", "rad", "-", "least pitch angle that guidance commands"}, s.pitch_min);
    f(Field{"wing.pitch_max", "rad", "-", "greatest pitch angle that guidance commands"}, s.pitch_max);
    f(Field{"wing.pitch_zero_lift", "rad", "-", "angle of attack at zero lift"}, s.pitch_zero_lift);
    f(Field{"wing.pitch_lift", "rad", "-", "angle of attack of level flight at cruise airspeed, above that at zero lift"}, s.pitch_lift);
    f(Field{"wing.speed_weight", "-", "-", "weight of airspeed against height in the pitch loop: 0 height only, 1 both, 2 airspeed only"}, s.speed_weight);
    f(Field{"wing.bank_power", "W/kg", "-", "specific power for induced drag in level flight at cruise airspeed, which grows with the bank"}, s.bank_power);
  }
};

template <class T> struct WingMemory {
  Vec3<T> integral;     // share of travel: aileron, elevator, rudder
  T steady_yaw;         // rad/s
  T slow_airspeed;      // m/s
  T throttle_integral;  // -
  T pitch_integral;     // rad

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"wing_integral", "-", "B", "deflections that the integrals of the rate loops hold, as shares of travel: aileron, elevator, rudder"}, s.integral);
    f(Field{"wing_steady_yaw", "rad/s", "B", "low-pass-filtered yaw rate beyond that of a level turn, which the yaw damper does not oppose"}, s.steady_yaw);
    f(Field{"wing_slow_airspeed", "m/s", "-", "low-pass-filtered airspeed, from which its rate is computed; 0: not yet set"}, s.slow_airspeed);
    f(Field{"wing_throttle_integral", "-", "-", "throttle that the integral of the energy rate commands"}, s.throttle_integral);
    f(Field{"wing_pitch_integral", "rad", "-", "pitch that the integral of the energy balance commands"}, s.pitch_integral);
  }
};

}  // namespace volary::inline VOLARY_ISA::control
