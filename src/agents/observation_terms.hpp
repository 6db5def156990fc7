// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an agent can observe: one line for each term, in the list at the end. A term is worked out from rows of one block and written agent by agent, where the next
// agent's numbers begin `stride` floats further on. Terms of the goal and of the action need a task (agent_block.hpp).
#pragma once

#include <cstddef>

#include "agents/agent_block.hpp"

namespace volary::agents {

// the first rows of the columns that a term names, of one block
template <class S> struct TermRows {
  const S* of[3];
  S at(int column, int row, int lane) const { return of[column][row * kBlock + lane]; }
};

struct Term {
  const char *name, *unit, *frame, *doc;
  int size;
  const char* columns[3];
  void (*fill4)(const TermRows<float>&, float* out, std::size_t stride);
  void (*fill8)(const TermRows<double>&, float* out, std::size_t stride);
  // of a task instead of columns; none: the term needs no task
  void (*fill_task)(const AgentBlock&, int size, float* out, std::size_t stride) = nullptr;
  unsigned needs = kNothing;  // of a term of columns: only what the others do not say
};
inline constexpr int kAsAction = 0;  // size of a term that has as many numbers as an action

namespace terms {

// numbers of a column as they are; a position without its remainder, which is less than a float can say
template <int kSize> struct Column {
  template <class S> static void fill(const TermRows<S>& in, float* out, std::size_t stride) {
    for (int lane = 0; lane < kBlock; ++lane, out += stride)
      for (int k = 0; k < kSize; ++k) out[k] = static_cast<float>(in.at(0, k, lane));
  }
};

// the rotation matrix of a unit quaternion, row by row
template <class S> struct Rotation {
  S m[9];
  Rotation(const TermRows<S>& in, int lane) {
    const S w = in.at(0, 0, lane), x = in.at(0, 1, lane), y = in.at(0, 2, lane), z = in.at(0, 3, lane), one = 1, two = 2;
    m[0] = one - two * (y * y + z * z), m[1] = two * (x * y - w * z), m[2] = two * (x * z + w * y);
    m[3] = two * (x * y + w * z), m[4] = one - two * (x * x + z * z), m[5] = two * (y * z - w * x);
    m[6] = two * (x * z - w * y), m[7] = two * (y * z + w * x), m[8] = one - two * (x * x + y * y);
  }
};
struct Matrix {
  template <class S> static void fill(const TermRows<S>& in, float* out, std::size_t stride) {
    for (int lane = 0; lane < kBlock; ++lane, out += stride) {
      const Rotation<S> r(in, lane);
      for (int k = 0; k < 9; ++k) out[k] = static_cast<float>(r.m[k]);
    }
  }
};
// a vector of the world frame, seen from the body
struct Turned {
  template <class S> static void fill(const TermRows<S>& in, float* out, std::size_t stride) {
    for (int lane = 0; lane < kBlock; ++lane, out += stride) {
      const Rotation<S> r(in, lane);
      const S v[3] = {in.at(1, 0, lane), in.at(1, 1, lane), in.at(1, 2, lane)};
      for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(r.m[k] * v[0] + r.m[3 + k] * v[1] + r.m[6 + k] * v[2]);
    }
  }
};
// from the first position to the second, each with its remainder
struct Way {
  template <class S> static void fill(const TermRows<S>& in, float* out, std::size_t stride) {
    for (int lane = 0; lane < kBlock; ++lane, out += stride)
      for (int k = 0; k < 3; ++k) out[k] = static_cast<float>((in.at(1, k, lane) - in.at(0, k, lane)) + (in.at(1, 3 + k, lane) - in.at(0, 3 + k, lane)));
  }
};

// ---------------------------------------------------------------- of a task

// rows of the task, one after the other; the second are added to the first, where there are any
template <const float* AgentBlock::* kRows, const float* AgentBlock::* kMore = nullptr> struct OfTask {
  static void fill(const AgentBlock& b, int size, float* out, std::size_t stride) {
    const float *rows = b.*kRows, *more = nullptr;
    if constexpr (kMore != nullptr) more = b.*kMore;
    for (int lane = 0; lane < kBlock; ++lane, out += stride)
      for (int k = 0; k < size; ++k) out[k] = more == nullptr ? rows[k * kBlock + lane] : rows[k * kBlock + lane] + more[k * kBlock + lane];
  }
};
struct GoalFromBody {
  static void fill(const AgentBlock& b, int size, float* out, std::size_t stride) {
    const TermRows<float> in{{b.attitude, b.to_goal_W, nullptr}};
    static_cast<void>(size);
    Turned::fill(in, out, stride);
  }
};

template <class F> constexpr Term make(const char* name, const char* unit, const char* frame, const char* doc, int size, const char* a,
                                       const char* b = nullptr, unsigned needs = kNothing) {
  return {name, unit, frame, doc, size, {a, b, nullptr}, &F::template fill<float>, &F::template fill<double>, nullptr, needs};
}
template <class F> constexpr Term make_of_task(const char* name, const char* unit, const char* frame, const char* doc, int size, unsigned needs = kNothing) {
  return {name, unit, frame, doc, size, {nullptr, nullptr, nullptr}, nullptr, nullptr, &F::fill, needs};
}

}  // namespace terms

// clang-format off
inline constexpr Term kTerms[] = {
    terms::make<terms::Column<3>>("position",         "m",     "W",  "position of the centre of mass", 3, "position"),
    terms::make<terms::Column<3>>("velocity",         "m/s",   "W",  "velocity of the centre of mass", 3, "velocity"),
    terms::make<terms::Turned>   ("body_velocity",    "m/s",   "B",  "velocity of the centre of mass in the body frame", 3, "attitude", "velocity"),
    terms::make<terms::Column<4>>("attitude",         "-",     "WB", "attitude as a unit quaternion w x y z, body to world", 4, "attitude"),
    terms::make<terms::Matrix>   ("rotation",         "-",     "WB", "attitude as a rotation matrix, body to world, row by row", 9, "attitude"),
    terms::make<terms::Column<3>>("angular_velocity", "rad/s", "B",  "angular velocity of the body", 3, "omega"),
    terms::make<terms::Way>      ("to_setpoint",      "m",     "W",  "vector from the vehicle to its commanded position", 3, "position", "setpoint.position"),
    terms::make<terms::Column<3>>("setpoint_position", "m",    "W",  "commanded position", 3, "setpoint.position"),
    terms::make<terms::Column<3>>("setpoint_velocity", "m/s",  "W",  "commanded velocity", 3, "setpoint.velocity"),
    terms::make<terms::Column<3>>("wind",             "m/s",   "W",  "wind at the vehicle, without its own random gust", 3, "wind"),
    terms::make<terms::Column<1>>("ground_force",     "N",     "W",  "sum of the normal forces of the ground", 1, "ground_force"),
    terms::make<terms::Column<6>>("contact_wrench",   "N, N m", "B", "force and torque of contacts about the origin in the last substep; that of a platform includes other pushes", 6, "wrench", nullptr, kContact),
    terms::make<terms::Column<1>>("docked",           "-",     "-",  "1 while a latch joins the vehicle with its partner, else 0", 1, "docked", nullptr, kDocking),
    terms::make<terms::Column<3>>("dock_offset",      "m",     "cone", "position of the tip of the cylinder from the bottom of the cone; z points out of the mouth", 3, "dock_offset", nullptr, kDocking),
    terms::make<terms::Column<3>>("dock_velocity",    "m/s",   "cone", "velocity of this tip relative to the cone", 3, "dock_velocity", nullptr, kDocking),
    terms::make_of_task<terms::OfTask<&AgentBlock::to_goal_W>>                           ("to_goal",       "m",   "W", "vector from the vehicle to its goal", 3),
    terms::make_of_task<terms::GoalFromBody>                                             ("to_goal_body",  "m",   "B", "vector from the vehicle to its goal in the body frame", 3, kAttitude),
    terms::make_of_task<terms::OfTask<&AgentBlock::goal_velocity_W>>                     ("goal_velocity", "m/s", "W", "velocity of the goal; 0 unless the goal is a curve", 3),
    terms::make_of_task<terms::OfTask<&AgentBlock::to_goal_W, &AgentBlock::goal_ahead_W>>("goal_ahead",    "m",   "W", "vector from the vehicle to the place where its goal will be after the time `goal.ahead`", 3),
    terms::make_of_task<terms::OfTask<&AgentBlock::to_goal_W, &AgentBlock::to_next_W>>   ("to_next_goal",  "m",   "W", "vector from the vehicle to the waypoint or gate after its goal; to the goal itself where it is the last", 3),
    terms::make_of_task<terms::OfTask<&AgentBlock::normal_W>>                            ("goal_direction", "-",  "W", "unit vector in which the gate is flown through; 0 unless the goal is a gate", 3),
    terms::make_of_task<terms::OfTask<&AgentBlock::dock_axis>>                           ("dock_axis",     "-",   "cone", "unit vector from the tip of the cylinder to its root: 0 0 1 where it is in line with the cone", 3, kDocking),
    terms::make_of_task<terms::OfTask<&AgentBlock::dock_rate>>                           ("dock_rate",     "rad/s", "cone", "angular velocity of the cylinder relative to the cone", 3, kDocking),
    terms::make_of_task<terms::OfTask<&AgentBlock::action>>                              ("last_action",   "-",   "-", "numbers of the last action, as scaled to [-1, 1]; 0 at the start of an episode", kAsAction, kAction),
};
// clang-format on

}  // namespace volary::agents
