// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The task of the agents of a flock (volary/learning.hpp): where each one's goal is, what its step was worth, and what ended its episode. Everything is kept in rows of
// 16 agents and worked out block by block after the kernel, while the block is in the cache. Nothing of it reaches a vehicle but through actions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agents/end_terms.hpp"
#include "agents/goals.hpp"
#include "agents/reward_terms.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/dock_view.hpp"
#include "engine/kernel.hpp"

namespace volary::engine {

struct Data;
struct Flock;

static_assert(agents::kBlock == kBlock);

class AgentTask {
 public:
  // of the agents in the first slots, world by world; `needs` are what observations of the task read
  static core::Result<AgentTask> make(const Data& d, const Flock& f, const LearningDef& def, std::size_t n_agents, std::size_t action_size, unsigned needs);
  void prefetch(std::size_t block) const;

  // An episode of a world begins: its agents are in slots [first, last). Where they are is looked at by the next refresh.
  void begin(const Flock& f, std::size_t first, std::size_t last, const math::RandomKey<std::uint32_t>& key);

  // whether the next tick is the first of a step, and the last
  void begin_tick(bool first, bool last) { is_first_ = first, is_last_ = last; }
  void prepare(std::uint64_t tick) { judged_at_ = tick; }

  bool is_first() const { return is_first_; }
  // whose episode ended before this step, 16 bytes
  const std::uint8_t* over(std::size_t block) const { return over_.data() + block * kBlock; }
  // the numbers of actions, row by row, of those agents that act
  void take_actions(std::size_t block, const float* numbers, const std::int32_t* acts);
  void begin_step(std::size_t block);

  // what terms of other columns are converted to
  struct Scratch {
    alignas(64) float rows[12 * kBlock];
    alignas(64) std::uint32_t status[kBlock];
    DockView::Rows docking;
  };
  // after a tick: goals, ends, and rewards at the end of a step
  template <class S> void judge(const Flock& f, const S* hot, std::size_t block, Scratch& scratch);
  // after something else changed the vehicles: where their goals are
  template <class S> void refresh(const Flock& f, const S* hot, std::size_t block, Scratch& scratch);
  // after something was written to one vehicle: whether it crashed in this tick
  template <class S> void look_again(const S* hot, std::size_t slot);
  template <class S> agents::AgentBlock view(const S* hot, std::size_t block, Scratch& scratch) const;

  std::span<const float> rewards() const { return {reinterpret_cast<const float*>(rewards_.data()), n_slots_}; }
  std::span<const std::uint8_t> ends() const { return {reinterpret_cast<const std::uint8_t*>(ends_.data()), n_slots_}; }

 private:
  struct Row {
    int goal = -1;  // six: value and remainder
    int to_goal = -1, distance = -1, progress = -1, reached = -1;
    int centre = -1, velocity = -1, ahead = -1;  // of a curve: six, three, three
    int left = -1, next = -1;  // of a series: one, three
    int normal = -1, missed = -1;  // of gates: three, one
    int speed = -1, effort = -1, change = -1, action = -1;
    int held = -1;  // ticks
  };
  struct Reward {
    const agents::RewardLine* line;
    float weight, scale;
  };
  struct End {
    const agents::EndLine* line;
    float limit, reward;
  };

  core::Status find_columns(const Flock& f, unsigned needs);
  void lay_out(const LearningDef& def, bool keeps_actions);
  float* rows(std::size_t block, int row) {
    return reinterpret_cast<float*>(memory_.data()) + (block * static_cast<std::size_t>(n_rows_) + static_cast<std::size_t>(row)) * kBlock;
  }
  const float* rows(std::size_t block, int row) const { return const_cast<AgentTask*>(this)->rows(block, row); }
  const float* rows_or_zero(std::size_t block, int row) const;
  std::uint8_t* ended(std::size_t block) { return reinterpret_cast<std::uint8_t*>(ends_.data()) + block * kBlock; }

  void aim(std::size_t slot, std::uint32_t number);  // at a point of the series, or at the only one
  void move_curve(std::size_t block, std::uint64_t tick);  // of the batch
  template <class S> void measure(const S* hot, std::size_t block);
  template <class S> void measure_one(const S* hot, std::size_t block, std::size_t lane);
  void keep_speed(const agents::AgentBlock& b, std::size_t block);
  template <class S> void reach(const S* hot, std::size_t block, const float* before);
  template <class S> void advance(const S* hot, std::size_t slot);
  void count_held(const Flock& f, std::size_t block);
  void look_for_ends(const agents::AgentBlock& b, std::size_t block);
  void reward(const agents::AgentBlock& b, std::size_t block);

  agents::Goals goals_;
  std::vector<Reward> reward_terms_;
  std::vector<End> end_terms_;
  std::size_t n_slots_ = 0, n_agents_ = 0, action_size_ = 0;
  std::vector<Vec> starts_;  // m, by agent of a world
  std::vector<agents::Who> who_;  // by slot
  const std::uint64_t* tick_ = nullptr;  // of the batch
  const std::vector<std::uint64_t>* world_starts_ = nullptr;
  bool is_first_ = true, is_last_ = true;
  std::uint64_t judged_at_ = ~std::uint64_t{0};  // tick of the last sweep

  int position_ = -1, velocity_ = -1, attitude_ = -1, omega_ = -1, ground_ = -1;  // rows of the flock
  Row row_;
  int n_rows_ = 0;
  DockView docking_;
  float tick_length_ = 0;  // s
  core::Buffer memory_;  // blocks x rows x 16
  core::Buffer rewards_, ends_;
  std::vector<std::uint8_t> over_;  // as ends_ was when the step began
};

}  // namespace volary::engine
