// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What ranges by ultra-wideband radio share, to anchors and between vehicles: errors of the radio that last, white noise, and what an obstruction does. A
// signal that goes through or around something comes late: its error is never negative and has a long tail, here an exponential distribution.
#pragma once

#include "sensors/chain.hpp"
#include "sensors/timing.hpp"

namespace volary::inline VOLARY_ISA::sensors {

template <class T> struct UwbParams {
  ErrorParams<T> error;  // m
  T reach, blocked_bias, blocked_noise, drop_out;
};

inline UwbParams<double> uwb_params(const UwbDef& d, double tick) {
  return {error_params(d.error, period_of(d.time, tick)), d.reach, d.blocked_bias, d.blocked_noise > 0 ? d.blocked_noise : d.error.noise, d.time.drop_out};
}

// the bias of the radio in this reading
template <class T> VOLARY_HD T next_uwb_bias(ScalarErrors<T>& e, const Normals8<T>& n, const ErrorParams<T>& p) {
  e.drift = next_drift(e.drift, n.n[0], p);
  e.walk = fma(p.walk, n.n[1], e.walk);
  return (e.turn_on + e.drift) + e.walk;
}

// one range; `n` is a normal number, `u` a uniform one
template <class T> VOLARY_HD T uwb_range(T distance, Mask<T> blocked, const ScalarErrors<T>& e, T bias, T n, T u, const UwbParams<T>& p) {
  const T noise = select(blocked, p.blocked_noise, p.error.noise);
  const T detour = select(blocked, -p.blocked_bias * log(u), splat<T>(0));
  return digitise(fma(noise, n, fma(e.factor, distance, bias)) + detour, p.error);
}

}  // namespace volary::inline VOLARY_ISA::sensors
