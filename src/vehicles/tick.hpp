// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the ticks of all vehicle models share: rows from outside, who a lane is, what a flock has in common in a tick, and when a state is sound.
#pragma once

#include "control/guide.hpp"
#include "control/ladder.hpp"
#include "math/identity.hpp"
#include "vehicles/rigid_body.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// what a vehicle in gusty air and on the ground keeps beside its body
template <class T> struct Air {
  Vec3<T> gust_W;     // m/s
  T ground_force;     // N, sum of the normal forces in the last substep

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"gust", "m/s", "W", "velocity of the random gust at this vehicle"}, s.gust_W);
    f(Field{"ground_force", "N", "W", "sum of the normal forces of the ground"}, s.ground_force);
  }
};

// what pushes a vehicle from outside: every model has these rows, and inputs fill them in
template <class T> struct Push {
  Vec3<T> force_W;   // N
  Vec3<T> torque_B;  // N m

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"external_force", "N", "W", "external force at the centre of mass"}, s.force_W);
    f(Field{"external_torque", "N m", "B", "external torque on the body"}, s.torque_B);
  }
};

// the same for a vehicle in the air, with the air around it
template <class T> struct Outside : Push<T> {
  Vec3<T> wind_W;  // m/s, without the vehicle's own gust
  T density;       // kg/m3, of the air; 1.225 in a plain world

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"wind", "m/s", "W", "wind at the vehicle, without its own random gust"}, s.wind_W);
    Push<T>::fields(s, f);
    f(Field{"air_density", "kg/m3", "-", "density of the air at the vehicle"}, s.density);
  }
};

using math::Identity;

// what all agents of a flock share in one tick
struct TickInfo {
  std::uint64_t tick = 0;
  int substeps = 4;
  control::Law law = control::Law::Cascade;
  bool gusts = false;
  bool euler = false;  // semi-implicit Euler instead of RK4
  const void* tables = nullptr;  // of the airframe, as scalars
  double impact_speed = 0;       // m/s into the ground that is a crash; 0: none is
  // of vehicles with an IMU
  bool by_truth = true;          // controllers take the true state
  bool believes = false;         // somebody estimates the state: between two of his estimates the IMU carries it on
  // of these lanes
  void* faults = nullptr;        // of the actuators: actuator_faults.hpp; none: all of the flock's work
  const void* sense_faults = nullptr;  // of sensors and estimators: sensors::load_fault; none: all of the flock's work
  const void* who = nullptr;     // identity rows, for an IMU
  const void* ticks = nullptr;   // sensors::Draws::ticks, likewise
};

// A vehicle that presses on the ground and moves into it too fast has crashed: its status says so, with the speed of the first impact. `sinking` is the speed into
// the ground before this push. Adding a large power of two leaves a whole number in the low bits.
template <class T> VOLARY_HD Bits<T> note_impact(Bits<T> status, T pressed, T sinking, double limit) {
  const Mask<T> is_noted = (status & control::bits_of<T>(control::kImpact)) == control::bits_of<T>(control::kImpact);
  const Mask<T> hard = (pressed > splat<T>(0)) & (sinking > splat<T>(limit)) & !is_noted;
  if (!any(hard)) return status;
  const T whole = min(sinking * splat<T>(10), splat<T>(control::kImpactMost)) + splat<T>(sizeof(Scalar<T>) == 4 ? 0x1p23 : 0x1p52);
  const Bits<T> tenths = to_bits(whole) & control::bits_of<T>(control::kImpactMost);
  const Bits<T> told = (status & control::bits_of<T>(~control::kImpactBits)) | control::bits_of<T>(control::kImpact) | (tenths << control::kImpactShift);
  return select(hard, told, status);
}

// Numbers that no vehicle reaches, 100 km/s or 100,000 rad/s, and a sum that is no number when one of its terms is
// none: a comparison with it is false.
template <class T> VOLARY_HD Mask<T> is_sound(const RigidBody<T>& b) {
  const Vec3<T>&p = b.position_W.value, &v = b.velocity_W, &w = b.omega_B;
  const T moving = (abs(v.x) + abs(v.y)) + ((abs(v.z) + abs(w.x)) + (abs(w.y) + abs(w.z)));
  const T rest = ((p.x + p.y) + (p.z + b.q_WB.w)) + ((b.q_WB.x + b.q_WB.y) + b.q_WB.z);
  return (moving < splat<T>(1e5)) & (abs(rest) < splat<T>(1e9));
}

}  // namespace volary::inline VOLARY_ISA::vehicles
