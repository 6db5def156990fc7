// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The compile-time variants of the multirotor: what all_kernels.hpp instantiates for every lane width.
#pragma once

#include "core/type_list.hpp"
#include "vehicles/multirotor_tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// the path of a variant in reports: rotors=4/features=basic/control=rate
constexpr const char* sensed_name(int rotors, Features f) {
  if (rotors == 4) return f == Features::Full ? "rotors=4/features=full/control=ladder/imu" : "rotors=4/features=tilted/control=ladder/imu";
  return rotors == 6 ? "rotors=6/features=tilted/control=ladder/imu" : "rotors=8/features=tilted/control=ladder/imu";
}
constexpr const char* program_name(int rotors, Features f, Control c) {
  constexpr const char* kNames[3][3][2] = {{{"rotors=4/features=basic/control=rate", "rotors=4/features=basic/control=ladder"},
                                            {"rotors=4/features=full/control=rate", "rotors=4/features=full/control=ladder"},
                                            {"rotors=4/features=tilted/control=rate", "rotors=4/features=tilted/control=ladder"}},
                                           {{"rotors=6/features=basic/control=rate", "rotors=6/features=basic/control=ladder"},
                                            {"rotors=6/features=full/control=rate", "rotors=6/features=full/control=ladder"},
                                            {"rotors=6/features=tilted/control=rate", "rotors=6/features=tilted/control=ladder"}},
                                           {{"rotors=8/features=basic/control=rate", "rotors=8/features=basic/control=ladder"},
                                            {"rotors=8/features=full/control=rate", "rotors=8/features=full/control=ladder"},
                                            {"rotors=8/features=tilted/control=rate", "rotors=8/features=tilted/control=ladder"}}};
  return kNames[rotors / 2 - 2][static_cast<int>(f)][static_cast<int>(c)];
}

// A program: an agent, its parameters and plan, and one tick of it. This is the whole contract that the
// sweep asks of a vehicle (vehicles/balloon.hpp is the smallest example). One with kBodies also flies when somebody else moves its
// bodies (engine/joined_lanes.hpp).
template <int N, Features F, Control C, bool S = false> struct MultirotorProgram {
  using V = std::conditional_t<S, SensedVariant<N, F>, Variant<N, F>>;
  template <class T> using Agent = vehicles::Agent<V, C, T>;
  template <class T> using Params = ParamsOf<V, MultirotorParams<T, N>, T>;
  template <class T> using Plan = control::Plan<T>;
  static constexpr bool kGuided = C == Control::Ladder;  // flies curves and modes
  static constexpr int kRotors = N;
  static constexpr Features kFeatures = F;
  static constexpr Control kControl = C;
  static constexpr bool kSensed = S;
  static constexpr const char* name = S ? sensed_name(N, F) : program_name(N, F, C);

  template <class T> VOLARY_HD static void advance(Agent<T>& a, const TickInfo& info, const Params<T>& p) { advance_agent<V, C, T, N>(a, info, p); }
  template <class T> VOLARY_HD static Mask<T> is_sound(const Agent<T>& a) { return vehicles::is_sound(a.body); }
  template <class T> VOLARY_HD static const control::GuideParams<T>& guide_params(const MultirotorParams<T, N>& p) { return p.guide; }
  template <class T> VOLARY_HD static Ground<T>& ground(MultirotorParams<T, N>& p) { return p.contact.ground; }
  template <class T> VOLARY_HD static void in_air(Params<T>& p, const Params<T>& from, T ratio) { scale_to_air<T, N>(p, from, ratio); }

  static constexpr int kBodies = V::kFull && C == Control::Ladder ? 1 : 0;
  template <class T> using Targets = MultirotorTargets<T>;
  template <class T> VOLARY_HD static Targets<T> begin(Agent<T>& a, const TickInfo& info, const Params<T>& p) {
    return begin_multirotor<V, C, T, N>(a, info, p);
  }
  template <class T>
  VOLARY_HD static void drive(Agent<T>& a, const Targets<T>& target, bool is_last, const TickInfo& info, const Params<T>& p, Wrench<T> (&loads)[1]) {
    loads[0] = drive_multirotor<V, C, T, N>(a, target, is_last, info, p);
  }
  // with an IMU
  template <class T> using Samples = Sampling<T, N>;
  template <class T> VOLARY_HD static Samples<T> begin_samples(Agent<T>& a, const TickInfo& info, const Params<T>& p) {
    return begin_sampling<T, N>(a.sensed, a.body, a.rotors.speed, p.imu, info);
  }
  template <class T> VOLARY_HD static void sample(Agent<T>& a, Samples<T>& now, int substep, bool is_last, const TickInfo& info, const Params<T>& p) {
    sample_step<T, N>(now, a.sensed, substep, a.body.velocity_W, a.body.q_WB, a.body.omega_B, a.rotors.speed, p.imu, info);
    if (is_last) end_sampling<T, N>(now, a.sensed, a.body, info);
  }

  static constexpr bool kGroundForce = V::kFull;         // the last state row is the push of the ground
  static constexpr int kGustFromEnd = V::kFull ? 4 : 0;  // the gust begins this many rows before the end of the state
};

// Rotors x features x control; fewer rotors are padded. Six and eight rotors have no basic and no rate-only
// variant: the ladder flies their rates too, and the cold build matters more. With an IMU there are even fewer: what is simpler flies as its neighbour.
using MultirotorPrograms = core::TypeList<MultirotorProgram<4, Features::Basic, Control::Rate>, MultirotorProgram<4, Features::Basic, Control::Ladder>,
                                          MultirotorProgram<4, Features::Full, Control::Rate>, MultirotorProgram<4, Features::Full, Control::Ladder>,
                                          MultirotorProgram<4, Features::Tilted, Control::Rate>, MultirotorProgram<4, Features::Tilted, Control::Ladder>,
                                          MultirotorProgram<6, Features::Full, Control::Ladder>, MultirotorProgram<6, Features::Tilted, Control::Ladder>,
                                          MultirotorProgram<8, Features::Full, Control::Ladder>, MultirotorProgram<8, Features::Tilted, Control::Ladder>,
                                          MultirotorProgram<4, Features::Full, Control::Ladder, true>, MultirotorProgram<4, Features::Tilted, Control::Ladder, true>,
                                          MultirotorProgram<6, Features::Tilted, Control::Ladder, true>, MultirotorProgram<8, Features::Tilted, Control::Ladder, true>>;

}  // namespace volary::inline VOLARY_ISA::vehicles
