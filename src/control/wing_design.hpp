// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Gains of the control laws of aircraft with wings, from what is known of the airframe: good for a first flight of anything, and what a
// vehicle file that says nothing about its control gets. In double, when a flock is made.
#pragma once

#include "control/wing_gains.hpp"

namespace volary::inline VOLARY_ISA::control {

// All at cruise airspeed and sea level unless said otherwise. One axis of rotation answers by rate' = effect share - damping rate, once the
// flow has settled; an axis without a surface has effect 0.
struct WingAxis {
  double effect = 0;   // rad/s2 per full travel
  double damping = 0;  // 1/s
};
struct WingAirframe {
  double gravity = 9.80665;                 // m/s2
  double tick = 0.01;                       // s
  double stall_airspeed = 10;               // m/s, equivalent
  double cruise_airspeed = 16;              // m/s, equivalent
  double max_airspeed = 25;                 // m/s, equivalent
  double throttle_trim = 0.5;               // level flight
  double climb_full = 5;                    // m/s at full throttle
  double sink_idle = 1.5;                   // m/s without thrust
  double zero_lift_angle = -0.05;           // rad, angle of attack
  double cruise_angle = 0.05;               // rad, angle of attack in level flight
  double induced_share = 0.4;               // of the drag in level flight
  WingAxis roll = {60, 10}, pitch = {40, 8}, yaw = {10, 2};
  double surface_lag = 0.05;                // s, of servos, as one first-order lag
};

namespace design {
constexpr double least(double a, double b) { return a < b ? a : b; }
constexpr double most(double a, double b) { return a > b ? a : b; }
constexpr double between(double x, double low, double high) { return least(most(x, low), high); }

struct AxisGains {
  double p, i, ff;   // share per rad/s, per rad, per rad/s
  double bandwidth;  // 1/s, of the closed rate loop
};
// The rate loop is a third as fast as the servo, at least as fast as the airframe alone. Feed-forward holds the wanted rate against damping, so
// that the integral has only trim to find, over two seconds.
constexpr AxisGains axis_gains(const WingAxis& axis, double lag) {
  if (!(axis.effect > 0)) return {0, 0, 0, most(axis.damping, 1)};
  const double bandwidth = most(1 / (3 * most(lag, 0.01)), axis.damping + 1);
  const double p = (bandwidth - axis.damping) / axis.effect, ff = axis.damping / axis.effect;
  return {p, 0.5 * (p + ff), ff, bandwidth};
}
}  // namespace design

constexpr WingGains<double> wing_gains_from(const WingAirframe& a) {
  using namespace design;
  const AxisGains roll = axis_gains(a.roll, a.surface_lag), pitch = axis_gains(a.pitch, a.surface_lag);
  WingGains<double> g{};
  g.tick = a.tick, g.gravity = a.gravity;
  g.airspeed_min = 1.2 * a.stall_airspeed, g.airspeed_cruise = a.cruise_airspeed, g.airspeed_max = a.max_airspeed;

  // roll half as fast as its rate, pitch a third; what a steady deflection of seven tenths reaches is the greatest rate asked for
  g.roll_time = between(2 / roll.bandwidth, 0.12, 0.8), g.pitch_time = between(3 / pitch.bandwidth, 0.4, 1.0);
  g.roll_rate = between(0.7 * a.roll.effect / most(a.roll.damping, 0.1), 0.3, 1.6);
  g.pitch_rate_up = g.pitch_rate_down = between(0.7 * a.pitch.effect / most(a.pitch.damping, 0.1), 0.2, 0.8);
  // yaw is only damped: rate feedback without feed-forward or integral, about two per second more than the fin gives
  g.rate_p = {roll.p, pitch.p, a.yaw.effect > 0 ? least(2 / a.yaw.effect, 1.0) : 0};
  g.rate_i = {roll.i, pitch.i, 0}, g.rate_ff = {roll.ff, pitch.ff, 0};
  g.integral_limit = {0.33, 0.5, 0.33};
  g.scaling_speed = a.cruise_airspeed, g.turn_pitch = 1, g.turn_yaw = 1, g.yaw_washout = 0.2, g.rudder_mix = 0;

  // the heading loop has the roll loop inside it: its gain times the lag of roll stays near one half
  g.damping = 0.8, g.period = most(4 * 3.14159265358979323846 * g.damping * (g.roll_time + 1 / roll.bandwidth) / 0.55, 5);
  g.max_bank = 0.8, g.bank_height = 5;
  g.loiter_radius = 1.3 * a.cruise_airspeed * a.cruise_airspeed / (a.gravity * 0.577);  // a bank of 24 degrees in calm air

  g.climb_max = a.climb_full, g.sink_idle = a.sink_idle, g.sink_max = 1.25 * a.sink_idle;
  g.height_time = 4, g.speed_time = 2;
  g.throttle_trim = a.throttle_trim, g.throttle_min = 0, g.throttle_max = 1;
  g.throttle_damping = 0.5, g.throttle_integral = 0.2, g.pitch_damping = 0.3, g.pitch_integral = 0.2;
  g.pitch_min = -0.35, g.pitch_max = 0.45;
  g.pitch_zero_lift = a.zero_lift_angle, g.pitch_lift = a.cruise_angle - a.zero_lift_angle;
  g.speed_weight = 1;
  g.bank_power = a.induced_share * a.gravity * a.sink_idle;
  return g;
}

}  // namespace volary::inline VOLARY_ISA::control
