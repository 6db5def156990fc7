// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The ground as a kernel is given it: a plane. In a flat world it is level and the same for all, a parameter of the flock; elsewhere it is an input of every
// vehicle, as wind and air density are: the engine fills it in once per tick (engine/ground.cpp) for programs that have `ground(Params&)`.
#pragma once

#include "vehicles/rigid_body.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

template <class T> struct Ground {
  T height;              // m, where the anchor is
  T anchor_x, anchor_y;  // m; anywhere on level ground
  Vec3<T> normal_W;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"ground.height", "m", "W", "height of the ground at the anchor point"}, s.height);
    f(Field{"ground.anchor_x", "m", "W", "east coordinate of the anchor point, at which the ground height holds"}, s.anchor_x);
    f(Field{"ground.anchor_y", "m", "W", "north coordinate of the anchor point, at which the ground height holds"}, s.anchor_y);
    f(Field{"ground.normal", "-", "W", "unit normal of the ground plane"}, s.normal_W);
  }
};

template <class S> Ground<S> level_ground(S height) { return {height, S(0), S(0), {S(0), S(0), S(1)}}; }

// m along the normal, from the ground to the centre of mass
template <class T> VOLARY_HD T height_above(const RigidBody<T>& b, const Ground<T>& g) {
  const Position<T>& p = b.position_W;
  const Vec3<T> from = {(p.value.x - g.anchor_x) + p.remainder.x, (p.value.y - g.anchor_y) + p.remainder.y, (p.value.z - g.height) + p.remainder.z};
  return dot(g.normal_W, from);
}

}  // namespace volary::inline VOLARY_ISA::vehicles
