// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One substep of a multirotor: rotors towards their commands, forces, RK4.
#pragma once

#include "vehicles/contact.hpp"
#include "vehicles/multirotor.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

template <class V, class T, int N>
VOLARY_HD void substep_basic(RigidBody<T>& body, Rotors<T, N>& rotors, const Rotors<T, N>& command, const MultirotorParams<T, N>& p, bool euler = false) {
  const RotorTrack<T, N> t = track_rotors<V>(rotors, command, p.rotor);
  const Wrench<T> start = rotor_wrench_basic(t.start, p.rotor);
  const Wrench<T> middle = rotor_wrench_basic(t.middle, p.rotor);
  const Wrench<T> end = rotor_wrench_basic(t.end, p.rotor);
  const auto rate = [&](int stage, const Motion<T>& x) VOLARY_INLINE_LAMBDA { return derivative_basic(x, stage == 0 ? start : stage == 3 ? end : middle, p); };
  const Motion<T> before = begin_motion(body);
  body = end_motion(body, euler ? semi_implicit_euler(before, p.step, rate) : rk4(before, p.step, rate));
  rotors = t.end;
}

// returns the sum of the normal forces of the ground, zero in the air
template <class V, class T, int N>
VOLARY_HD T substep_full(RigidBody<T>& body, Rotors<T, N>& rotors, const Rotors<T, N>& command, Surroundings<T> e,
                         const MultirotorParams<T, N>& p, bool euler = false) {
  const RotorTrack<T, N> t = track_rotors<V>(rotors, command, p.rotor);
  const RotorLoads<T, N> start = rotor_loads<V>(t.start, t.start_rate, p.rotor);
  const RotorLoads<T, N> middle = rotor_loads<V>(t.middle, t.middle_rate, p.rotor);
  const RotorLoads<T, N> end = rotor_loads<V>(t.end, t.end_rate, p.rotor);
  T pressed = splat<T>(0);

  // the ground, held over the substep; blocks in the air skip it, lanes in the air are left as they are
  const Mask<T> low = near_ground(body, p.contact);
  if (any(low)) {
    const Motion<T> free = derivative_full<V>(begin_motion(body), start, e, p);
    const ContactForce<T> c = contact_force(body, free, p.mass, p.contact);
    const Mask<T> touching = low & (c.pressed > splat<T>(0));
    e.acceleration_W = select(touching, fma(p.inv_mass, c.force_W, e.acceleration_W), e.acceleration_W);
    e.torque_B = select(touching, e.torque_B + c.torque_B, e.torque_B);
    pressed = select(touching, c.pressed, pressed);
  }

  const auto rate = [&](int stage, const Motion<T>& x) VOLARY_INLINE_LAMBDA { return derivative_full<V>(x, stage == 0 ? start : stage == 3 ? end : middle, e, p); };
  const Motion<T> before = begin_motion(body);
  body = end_motion(body, euler ? semi_implicit_euler(before, p.step, rate) : rk4(before, p.step, rate));
  rotors = t.end;
  return pressed;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
