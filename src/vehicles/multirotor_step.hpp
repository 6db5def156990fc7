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

// In the air: nothing but air around the vehicle.
template <class V, class T, int N>
VOLARY_HD void substep_full(RigidBody<T>& body, Rotors<T, N>& rotors, const Rotors<T, N>& command, const Surroundings<T>& e, const MultirotorParams<T, N>& p,
                            bool euler = false) {
  const RotorTrack<T, N> t = track_rotors<V>(rotors, command, p.rotor);
  const RotorLoads<T, N> start = rotor_loads<V>(t.start, t.start_rate, p.rotor);
  const RotorLoads<T, N> middle = rotor_loads<V>(t.middle, t.middle_rate, p.rotor);
  const RotorLoads<T, N> end = rotor_loads<V>(t.end, t.end_rate, p.rotor);
  const auto rate = [&](int stage, const Motion<T>& x) VOLARY_INLINE_LAMBDA {
    return derivative_full<V>(x, stage == 0 ? start : stage == 3 ? end : middle, e, p);
  };
  const Motion<T> before = begin_motion(body);
  body = end_motion(body, euler ? semi_implicit_euler(before, p.step, rate) : rk4(before, p.step, rate));
  rotors = t.end;
}

// the push of the ground in the next substep, wherever the ground is
template <class V, class T, int N>
VOLARY_HD ContactForce<T> push_of_ground(const Surroundings<T>& e, const RigidBody<T>& body, const Rotors<T, N>& rotors, const Rotors<T, N>& command,
                                         const MultirotorParams<T, N>& p) {
  const RotorTrack<T, N> t = track_rotors<V>(rotors, command, p.rotor);
  const Motion<T> free = derivative_full<V>(begin_motion(body), rotor_loads<V>(t.start, t.start_rate, p.rotor), e, p);
  return contact_force(body, free, p.mass, p.inertia.z, p.contact);
}

// What the ground adds to the surroundings for one substep, in the lanes of `low`; lanes that do not touch are left as
// they are. Returns the sum of the normal forces, zero in the air.
template <class V, class T, int N>
VOLARY_HD T add_ground(Surroundings<T>& e, Mask<T> low, const RigidBody<T>& body, const Rotors<T, N>& rotors, const Rotors<T, N>& command,
                       const MultirotorParams<T, N>& p) {
  const ContactForce<T> c = push_of_ground<V>(e, body, rotors, command, p);
  const Mask<T> touching = low & (c.pressed > splat<T>(0));
  e.acceleration_W = select(touching, fma(p.inv_mass, c.force_W, e.acceleration_W), e.acceleration_W);
  e.torque_B = select(touching, e.torque_B + c.torque_B, e.torque_B);
  return select(touching, c.pressed, splat<T>(0));
}

// A substep that may touch the ground in the lanes of `low`; returns the push of the ground.
template <class V, class T, int N>
VOLARY_HD T substep_on_ground(RigidBody<T>& body, Rotors<T, N>& rotors, const Rotors<T, N>& command, Surroundings<T> e, Mask<T> low,
                              const MultirotorParams<T, N>& p, bool euler = false) {
  const T pressed = add_ground<V>(e, low, body, rotors, command, p);
  substep_full<V>(body, rotors, command, e, p, euler);
  return pressed;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
