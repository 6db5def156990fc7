// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the goals of an agent are in an episode: pure functions of the definition, of what is random for the agent, and of time. Nothing is kept.
#pragma once

#include <cstdint>
#include <vector>

#include "math/random.hpp"
#include "volary/learning.hpp"

namespace volary::agents {

// an agent in one of its episodes: what is random for it is drawn by these
struct Who {
  math::RandomKey<std::uint32_t> key{};  // of the world in its episode
  std::uint64_t id = 0;                  // of the vehicle
  Vec start_W = {0, 0, 0};               // m, in the definition
};

class Goals {
 public:
  Goals() = default;
  // `tick` in s; curves are kept as a table of so many ticks, and worked out beyond it
  Goals(const GoalDef& def, double tick, std::uint64_t ticks);

  const GoalDef& def() const { return def_; }
  std::uint32_t count() const { return count_; }  // waypoints or gates; 1 for other goals
  bool is_series() const { return def_.kind == GoalKind::Waypoints || def_.kind == GoalKind::Gates; }

  // m: the point with this number, from 0. The point of a curve is its centre.
  Vec point(const Who& who, std::uint32_t number) const;
  // the direction in which a gate is flown through: from the one before it, of the first from the start
  Vec normal(const Who& who, std::uint32_t number) const;

  // how a curve moves about its point, by tick of the episode
  struct Moved {
    Vec offset_W = {0, 0, 0};    // m
    Vec velocity_W = {0, 0, 0};  // m/s
  };
  Moved moved(std::uint64_t tick) const { return tick < table_.size() ? table_[tick] : work_out(tick); }
  std::uint64_t ahead() const { return ahead_; }  // ticks

 private:
  Moved work_out(std::uint64_t tick) const;

  GoalDef def_;
  double tick_ = 0.01;
  std::uint32_t count_ = 1;
  std::uint64_t ahead_ = 0;
  std::vector<Moved> table_;
};

}  // namespace volary::agents
