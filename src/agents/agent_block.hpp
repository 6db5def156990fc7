// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sixteen agents of a block after a tick, as the terms of a task see them: rows of 16 floats each, four of which are worked out at a time. Square roots come from the
// CPU, and nothing is fused, so the bits are the same wherever this is compiled.
#pragma once

#include <cstdint>

#include "control/guide.hpp"
#include "math/quad.hpp"
#include "math/rows.hpp"
#include "volary/def.hpp"

namespace volary::agents {

using math::kBlock;

// columns of a flock that a term reads, and whether it reads the action. kDocking: the flock docks with another one; kContact: it has the column `wrench`
enum Needs : unsigned { kNothing = 0, kVelocity = 1, kAttitude = 2, kOmega = 4, kGround = 8, kAction = 16, kDocking = 32, kContact = 64 };

struct AgentBlock {
  // of the vehicle; none: no term of the task needs it
  const float *velocity_W = nullptr, *attitude = nullptr, *omega_B = nullptr, *ground_force = nullptr;
  const float* height = nullptr;  // m, third number of the position
  const std::uint32_t* status = nullptr;  // control/guide.hpp
  // of the goal, worked out for this tick
  const float* to_goal_W = nullptr;  // m, three rows
  const float* distance = nullptr;  // m
  const float* goal_velocity_W = nullptr;  // m/s, three rows
  const float* goal_ahead_W = nullptr;  // m, three rows: from the goal to where it will be
  const float* to_next_W = nullptr;  // m, three rows: from the goal to the one after it
  const float* normal_W = nullptr;  // three rows: direction in which a gate is flown through
  const float* left = nullptr;  // waypoints or gates that are not reached yet
  const float* missed = nullptr;  // in this tick: 1 into the frame of a gate, 2 past it, 0 neither
  // of the step so far
  const float* progress = nullptr;  // m nearer to the goal
  const float* reached = nullptr;  // goals
  const float *effort = nullptr, *change = nullptr;  // mean squares of the action and of its change
  const float* action = nullptr;  // a row for each number
  const float* speed_before = nullptr;  // m/s, when the tick began
  // of docking and contact
  const float* dock_offset = nullptr;  // m, three rows: tip of the cylinder from the bottom of the cone, in the axes of the cone
  const float* dock_axis = nullptr;  // three rows: direction from the tip to the root of the cylinder, in the axes of the cone
  const float* dock_rate = nullptr;  // rad/s, three rows: angular velocity of the cylinder relative to the cone, in its axes
  const float* dock_force = nullptr;  // N, of contacts along the axis of the cone
  const float* contact_force = nullptr;  // N, of all contacts
  const float* held = nullptr;  // ticks for which a latch has joined the vehicle with its partner
  float cone_bottom = 0, cone_slope = 0;  // radius at the bottom of the cone (m), and its growth along the axis
  float tick = 0;  // s
};

// four agents of a block
struct Four {
  const AgentBlock& b;
  int lane;

  math::Quad row(const float* rows, int k = 0) const { return math::four_at(rows + k * kBlock + lane); }
  static math::Quad length(math::Quad x, math::Quad y, math::Quad z) { return math::root(x * x + y * y + z * z); }
  math::Quad length_of(const float* rows) const { return length(row(rows, 0), row(rows, 1), row(rows, 2)); }

  math::Quad distance() const { return row(b.distance); }
  math::Quad speed() const { return length_of(b.velocity_W); }
  math::Quad speed_error() const {
    return length(row(b.velocity_W, 0) - row(b.goal_velocity_W, 0), row(b.velocity_W, 1) - row(b.goal_velocity_W, 1),
                  row(b.velocity_W, 2) - row(b.goal_velocity_W, 2));
  }
  // the upright component of the body's upward axis
  math::Quad up() const {
    const math::Quad x = row(b.attitude, 1), y = row(b.attitude, 2), one = math::all_four(1);
    return one - (x * x + y * y) * math::all_four(2);
  }
  // the cosine of the angle between the body's forward axis and the direction to the goal; 1 at the goal
  math::Quad facing() const {
    const math::Quad w = row(b.attitude, 0), x = row(b.attitude, 1), y = row(b.attitude, 2), z = row(b.attitude, 3), one = math::all_four(1),
                     two = math::all_four(2);
    const math::Quad along =
        (one - two * (y * y + z * z)) * row(b.to_goal_W, 0) + two * (x * y + w * z) * row(b.to_goal_W, 1) + two * (x * z - w * y) * row(b.to_goal_W, 2);
    const math::Quad d = distance();
    return d > math::all_four(1e-6f) ? along / d : one;
  }
  // m, from the axis of the cone to the tip of the cylinder, and to the edge of the guiding area there, which the walls of the cone would be if they went on
  math::Quad radial() const {
    const math::Quad x = row(b.dock_offset, 0), y = row(b.dock_offset, 1);
    return math::root(x * x + y * y);
  }
  math::Quad axial() const { return row(b.dock_offset, 2); }
  math::Quad guiding_radius() const { return math::all_four(b.cone_bottom) + math::all_four(b.cone_slope) * axial(); }
  math::QuadMask is_held() const { return row(b.held) > math::all_four(0); }
  math::QuadMask has_mode(Mode mode) const {
    math::QuadMask s;
    __builtin_memcpy(&s, b.status + lane, sizeof s);
    const auto mask = static_cast<std::int32_t>(control::kModeMask), wanted = static_cast<std::int32_t>(mode);
    return (s & math::QuadMask{mask, mask, mask, mask}) == math::QuadMask{wanted, wanted, wanted, wanted};
  }
  math::QuadMask has_bit(std::uint32_t bit) const {
    math::QuadMask s;
    __builtin_memcpy(&s, b.status + lane, sizeof s);
    const auto wanted = static_cast<std::int32_t>(bit);
    return (s & math::QuadMask{wanted, wanted, wanted, wanted}) != math::QuadMask{0, 0, 0, 0};
  }
};

}  // namespace volary::agents
