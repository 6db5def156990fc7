// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Total energy control of an aircraft with wings (Lambregts, Vertical flight path and speed control autopilot design using total
// energy principles, AIAA 83-2239; the form that PX4 and ArduPlane fly). Throttle answers for the rate of the sum of height and
// speed energy, pitch for how it is shared between the two.
#pragma once

#include "control/wing_gains.hpp"
#include "math/functions.hpp"

namespace volary::inline VOLARY_ISA::control {

inline constexpr double kSeaLevelDensity = 1.225;  // kg/m3, US Standard Atmosphere 1976

// true over equivalent airspeed
template <class T> VOLARY_HD T true_over_equivalent(T density) { return sqrt(splat<T>(kSeaLevelDensity) / max(density, splat<T>(0.01))); }

// adds `step` to an integral, unless that drives an output that is at its end further
template <class T> VOLARY_HD T integrate_inside(T integral, T step, T output, T low, T high, T limit) {
  const T zero = splat<T>(0);
  const Mask<T> outward = ((output > high) & (step > zero)) | ((output < low) & (step < zero));
  return clamp(integral + select(outward, zero, step), -limit, limit);
}

// Rates of specific energy, W/kg. Airspeed and climb are those wanted, m/s; vertical speed is over ground, because height is.
template <class T> struct EnergyRates {
  T speed;                     // m/s, the airspeed that divides
  T climb_wanted, climb;       // of height energy
  T hurry_wanted, hurry;       // of speed energy
  T underspeed;                // 0: fast enough, 1: 15 % below the least airspeed
};
template <class T> VOLARY_HD EnergyRates<T> energy_rates(T airspeed, T climb, const WingState<T>& x, const WingGains<T>& g, WingMemory<T>& m) {
  const T one = splat<T>(1), zero = splat<T>(0);
  const T stretch = true_over_equivalent(x.density), slowest = g.airspeed_min * stretch;
  const T speed = max(x.airspeed, max(splat<T>(0.5) * slowest, one));

  // the rate of the airspeed behind a first-order lag: one row does for both; the lag starts at the first airspeed seen
  const T lag = splat<T>(0.8), slow = select(m.slow_airspeed > zero, m.slow_airspeed, x.airspeed);
  const T rate = (x.airspeed - slow) / max(lag, g.tick);
  m.slow_airspeed = fma(g.tick, rate, slow);

  const T wanted = clamp(airspeed, slowest, g.airspeed_max * stretch);
  const T faster = g.gravity * g.climb_max / speed, slower = g.gravity * g.sink_idle / speed;
  EnergyRates<T> e;
  e.speed = speed;
  e.climb_wanted = g.gravity * clamp(climb, -g.sink_max, g.climb_max);
  e.climb = g.gravity * x.velocity_W.z;
  e.hurry_wanted = speed * clamp((wanted - x.airspeed) / g.speed_time, -slower, faster);
  e.hurry = speed * rate;
  e.underspeed = clamp((slowest - x.airspeed) / max(splat<T>(0.15) * slowest, splat<T>(0.1)), zero, one);
  return e;
}

template <class T> VOLARY_HD T energy_throttle(const EnergyRates<T>& e, T cos_roll, const WingGains<T>& g, WingMemory<T>& m) {
  const T one = splat<T>(1), up = g.gravity * g.climb_max, down = g.gravity * g.sink_idle;

  // two straight lines through idle, trim and full throttle; in a bank, lift and with it induced drag grow
  const T load = one / max(cos_roll * cos_roll, splat<T>(0.25));
  const T wanted = clamp(fma(g.bank_power, load - one, e.climb_wanted + e.hurry_wanted), -down, up);
  const T ahead =
      fma(wanted, select(wanted > splat<T>(0), (g.throttle_max - g.throttle_trim) / up, (g.throttle_trim - g.throttle_min) / down), g.throttle_trim);

  const T error = clamp(e.climb_wanted + e.hurry_wanted, -down, up) - (e.climb + e.hurry);
  const T range = g.throttle_max - g.throttle_min, per_power = range / (up + down);
  const T raw = fma(per_power * g.throttle_damping, error, ahead + m.throttle_integral);
  m.throttle_integral = integrate_inside(m.throttle_integral, g.tick * g.throttle_integral * per_power * error, raw, g.throttle_min, g.throttle_max, range);
  return clamp(fma(e.underspeed, g.throttle_max - raw, raw), g.throttle_min, g.throttle_max);
}

template <class T> VOLARY_HD T energy_pitch(const EnergyRates<T>& e, T cos_roll, T airspeed, T density, const WingGains<T>& g, WingMemory<T>& m) {
  const T one = splat<T>(1), two = splat<T>(2);
  // too slow: pitch looks after speed alone
  const T weight = fma(e.underspeed, two - g.speed_weight, g.speed_weight);
  const T of_height = clamp(two - weight, splat<T>(0), one), of_speed = clamp(weight, splat<T>(0), one);
  const T error = of_height * (e.climb_wanted - e.climb) - of_speed * (e.hurry_wanted - e.hurry);
  const T per_power = one / (g.gravity * e.speed);  // a rate of energy as a flight-path angle

  // Fed forward is the path alone: speed is the throttle's to give, and only where it cannot does the balance err.
  // The angle of attack that carries the weight: in a bank the lift grows by 1 / cos(roll), and pitch sees cos(roll) of the angle.
  const T slow = max(g.airspeed_min * splat<T>(0.8), one), equivalent = max(airspeed / true_over_equivalent(density), slow);
  const T ratio = g.airspeed_cruise / equivalent;
  const T trim = fma(g.pitch_lift * ratio, ratio, g.pitch_zero_lift * max(cos_roll, splat<T>(0)));
  const T raw = fma(per_power, fma(g.pitch_damping, error, of_height * e.climb_wanted), trim + m.pitch_integral);
  m.pitch_integral = integrate_inside(m.pitch_integral, g.tick * g.pitch_integral * per_power * error, raw, g.pitch_min, g.pitch_max, splat<T>(0.35));
  return clamp(raw, g.pitch_min, g.pitch_max);
}

}  // namespace volary::inline VOLARY_ISA::control
