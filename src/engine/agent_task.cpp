// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/agent_task.hpp"

#include <algorithm>
#include <cstring>

#include "agents/task_check.hpp"
#include "engine/data.hpp"
#include "math/quad.hpp"

namespace volary::engine {

namespace {

using agents::AgentBlock;
using math::all_four;
using math::four_at;
using math::Quad;
using math::QuadMask;

constexpr std::size_t kWide = kBlock;
alignas(64) constexpr float kZeros[3 * kBlock] = {};

void put(float* to, Quad x) { std::memcpy(to, &x, sizeof x); }
// a number as a float and what that leaves of it
void split(double x, float* value, float* remainder) {
  *value = static_cast<float>(x);
  *remainder = static_cast<float>(x - static_cast<double>(*value));
}
template <class S> std::uint32_t view_status(const S* hot, std::size_t lane) {
  std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t> word;
  std::memcpy(&word, hot + lane, sizeof word);
  return static_cast<std::uint32_t>(word);
}
// whether any of 16 bytes is not 0
bool has_any(const std::uint8_t* bytes) {
  std::uint64_t w[2];
  std::memcpy(w, bytes, sizeof w);
  return (w[0] | w[1]) != 0;
}

}  // namespace

// ---------------------------------------------------------------- how it is made

core::Status AgentTask::find_columns(const Flock& f, unsigned needs) {
  const auto find = [&](const char* name, int& row) -> core::Status {
    const ColumnInfo* c = f.find_column(name);
    if (c == nullptr)
      return core::Error{.message = "flock '" + f.def.name + "' has no column '" + name + "', which a term of the task needs", .field = "learning"};
    row = c->row;
    return core::ok();
  };
  if (const core::Status s = find("position", position_); !s) return s;
  if (f.find_column("position")->rows != 6) return core::Error{.message = "the vehicles of flock '" + f.def.name + "' cannot have goals", .field = "learning"};
  const std::pair<unsigned, std::pair<const char*, int*>> columns[] = {{agents::kVelocity, {"velocity", &velocity_}},
                                                                       {agents::kAttitude, {"attitude", &attitude_}},
                                                                       {agents::kOmega, {"omega", &omega_}},
                                                                       {agents::kGround, {"ground_force", &ground_}}};
  for (const auto& [need, column] : columns)
    if ((needs & need) != 0)
      if (const core::Status s = find(column.first, *column.second); !s) return s;
  core::Result<DockView> docking = DockView::make(f, needs);
  if (!docking) return docking.error();
  docking_ = docking.value();
  return core::ok();
}

// only what somebody reads: a row less is a cache line less for each block
void AgentTask::lay_out(const LearningDef& def, bool keeps_actions) {
  const auto take = [this](int n) { return (n_rows_ += n) - n; };
  const auto has = [](const auto& list, const char* term) { return std::any_of(list.begin(), list.end(), [&](const auto& x) { return x.term == term; }); };
  const GoalKind kind = def.goal.kind;
  row_.goal = take(6), row_.to_goal = take(3), row_.distance = take(1);
  if (has(def.rewards, "goal_progress")) row_.progress = take(1);
  if (has(def.rewards, "goal_reached")) row_.reached = take(1);
  if (kind == GoalKind::Curve) row_.centre = take(6), row_.velocity = take(3), row_.ahead = take(3);
  if (goals_.is_series()) row_.left = take(1), row_.next = take(3);
  if (kind == GoalKind::Gates) row_.normal = take(3), row_.missed = take(1);
  if (has(def.ends, "landed") || has(def.ends, "hard_landing")) row_.speed = take(1);
  if (has(def.rewards, "effort")) row_.effort = take(1);
  if (has(def.rewards, "action_change")) row_.change = take(1);
  if (has(def.rewards, "docked") || has(def.ends, "docked")) row_.held = take(1);
  if (keeps_actions || row_.change >= 0) row_.action = take(static_cast<int>(action_size_));
}

core::Result<AgentTask> AgentTask::make(const Data& d, const Flock& f, const LearningDef& def, std::size_t n_agents, std::size_t action_size, unsigned needs) {
  AgentTask t;
  const double tick = static_cast<double>(d.def.tick_ns) * 1e-9;
  t.goals_ = agents::Goals(def.goal, tick, static_cast<std::uint64_t>(std::min(def.time_limit / tick, 1e5)) + static_cast<std::uint64_t>(def.ticks));
  t.tick_length_ = static_cast<float>(tick);
  t.n_agents_ = n_agents, t.action_size_ = action_size, t.n_slots_ = n_agents * d.worlds.start.size();
  for (const RewardDef& r : def.rewards) {
    const agents::RewardLine* line = agents::find_reward(r.term);
    t.reward_terms_.push_back({line, static_cast<float>(r.weight), static_cast<float>(r.scale)});
    needs |= line->needs;
  }
  for (const EndDef& e : def.ends) {
    const agents::EndLine* line = agents::find_end(e.term);
    t.end_terms_.push_back({line, static_cast<float>(line->prepare(e.limit)), static_cast<float>(e.reward)});
    needs |= line->needs;
  }
  if (const core::Status s = t.find_columns(f, needs); !s) return s.error();
  t.lay_out(def, (needs & agents::kAction) != 0);
  const std::size_t blocks = (t.n_slots_ + kWide - 1) / kWide;
  t.memory_ = core::Buffer(blocks * static_cast<std::size_t>(t.n_rows_) * kWide * sizeof(float));
  t.rewards_ = core::Buffer(blocks * kWide * sizeof(float));
  t.ends_ = core::Buffer(blocks * kWide);
  t.over_.assign(blocks * kWide, 0);
  for (const VehicleDef& v : d.def.flocks[f.index].vehicles) t.starts_.push_back(v.position_W);
  t.who_.resize(t.n_slots_);
  t.tick_ = &d.tick, t.world_starts_ = &d.worlds.start;
  for (std::size_t w = 0; w < d.worlds.start.size(); ++w) t.begin(f, w * n_agents, (w + 1) * n_agents, key_of_world(d, static_cast<std::uint32_t>(w)));
  return t;
}

// ---------------------------------------------------------------- goals

void AgentTask::begin(const Flock& f, std::size_t first, std::size_t last, const math::RandomKey<std::uint32_t>& key) {
  for (std::size_t slot = first; slot < last; ++slot) {
    const std::size_t block = slot / kWide, lane = slot % kWide;
    for (int r = 0; r < n_rows_; ++r) rows(block, r)[lane] = 0;
    who_[slot] = {key, f.draws[slot], starts_[slot % n_agents_]};
    ended(block)[lane] = 0;
    over_[slot] = 0;
    if (row_.left >= 0) rows(block, row_.left)[lane] = static_cast<float>(goals_.count());
    aim(slot, 0);
  }
}

void AgentTask::aim(std::size_t slot, std::uint32_t number) {
  const std::size_t block = slot / kWide, lane = slot % kWide;
  const agents::Who& who = who_[slot];
  const Vec point = goals_.point(who, number);
  float* const goal = rows(block, row_.centre >= 0 ? row_.centre : row_.goal) + lane;
  for (std::size_t k = 0; k < 3; ++k) split(point[k], goal + k * kWide, goal + (3 + k) * kWide);
  if (row_.normal >= 0) {
    const Vec n = goals_.normal(who, number);
    for (std::size_t k = 0; k < 3; ++k) rows(block, row_.normal)[k * kWide + lane] = static_cast<float>(n[k]);
  }
  if (row_.next >= 0) {
    const bool is_last = number + 1 >= goals_.count();
    const Vec next = is_last ? point : goals_.point(who, number + 1);
    for (std::size_t k = 0; k < 3; ++k) rows(block, row_.next)[k * kWide + lane] = static_cast<float>(next[k] - point[k]);
  }
}

void AgentTask::move_curve(std::size_t block, std::uint64_t batch_tick) {
  const std::size_t lanes = std::min(kWide, n_slots_ - block * kWide);
  const float* const centre = rows(block, row_.centre);
  float *const goal = rows(block, row_.goal), *const velocity = rows(block, row_.velocity), *const ahead = rows(block, row_.ahead);
  for (std::size_t l = 0; l < lanes; ++l) {
    const std::uint64_t tick = batch_tick - (*world_starts_)[(block * kWide + l) / n_agents_];
    const agents::Goals::Moved now = goals_.moved(tick), then = goals_.moved(tick + goals_.ahead());
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = static_cast<double>(centre[k * kWide + l]) + static_cast<double>(centre[(3 + k) * kWide + l]);
      split(at + now.offset_W[k], goal + k * kWide + l, goal + (3 + k) * kWide + l);
      velocity[k * kWide + l] = static_cast<float>(now.velocity_W[k]);
      ahead[k * kWide + l] = static_cast<float>(then.offset_W[k] - now.offset_W[k]);
    }
  }
}

// the vectors to the goals, and their lengths
template <class S> void AgentTask::measure(const S* hot, std::size_t block) {
  const S* const p = hot + position_ * kBlock;
  const float* const goal = rows(block, row_.goal);
  float *const to = rows(block, row_.to_goal), *const distance = rows(block, row_.distance);
  if constexpr (sizeof(S) == 4) {
    for (int l = 0; l < kBlock; l += 4) {
      Quad sum = all_four(0);
      for (int k = 0; k < 3; ++k) {
        const int at = k * kBlock + l, rest = (3 + k) * kBlock + l;
        const Quad x = (four_at(goal + at) - four_at(p + at)) + (four_at(goal + rest) - four_at(p + rest));
        put(to + at, x);
        sum += x * x;
      }
      put(distance + l, math::root(sum));
    }
  } else {
    for (std::size_t l = 0; l < kWide; ++l) measure_one(hot, block, l);
  }
}
template <class S> void AgentTask::measure_one(const S* hot, std::size_t block, std::size_t l) {
  const S* const p = hot + position_ * kBlock;
  const float* const goal = rows(block, row_.goal);
  float* const to = rows(block, row_.to_goal);
  float sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t at = k * kWide + l, rest = (3 + k) * kWide + l;
    const float x = static_cast<float>((static_cast<S>(goal[at]) - p[at]) + (static_cast<S>(goal[rest]) - p[rest]));
    to[at] = x;
    sum += x * x;
  }
  rows(block, row_.distance)[l] = math::sqrt(sum);
}

// the next point of the series is the goal
template <class S> void AgentTask::advance(const S* hot, std::size_t slot) {
  const std::size_t block = slot / kWide, lane = slot % kWide;
  float& left = rows(block, row_.left)[lane];
  left -= 1;
  if (row_.reached >= 0) rows(block, row_.reached)[lane] += 1;
  if (!(left > 0)) return;
  aim(slot, goals_.count() - static_cast<std::uint32_t>(left));
  measure_one(hot, block, lane);
}

// waypoints that are near enough, and gates whose planes were crossed on the straight way of the tick; `before` are the vectors to the goals when it began
template <class S> void AgentTask::reach(const S* hot, std::size_t block, const float* before) {
  const auto radius = static_cast<float>(goals_.def().radius);
  const float *const now = rows(block, row_.to_goal), *const distance = rows(block, row_.distance), *const left = rows(block, row_.left);
  const std::size_t lanes = std::min(kWide, n_slots_ - block * kWide);
  const std::uint8_t* const over = ended(block);
  if (row_.normal < 0) {
    bool any = false;
    for (int l = 0; l < kBlock; l += 4) any = any || math::any_of((four_at(distance + l) <= all_four(radius)) & (four_at(left + l) > all_four(0)));
    for (std::size_t l = 0; any && l < lanes; ++l)
      if (distance[l] <= radius && left[l] > 0 && over[l] == 0) advance(hot, block * kWide + l);
    return;
  }
  const float* const n = rows(block, row_.normal);
  float* const missed = rows(block, row_.missed);
  std::memset(missed, 0, kWide * sizeof(float));
  const float outer = radius + static_cast<float>(goals_.def().frame);
  for (std::size_t l = 0; l < lanes; ++l) {
    const auto along = [&](const float* v) { return v[l] * n[l] + v[kWide + l] * n[kWide + l] + v[2 * kWide + l] * n[2 * kWide + l]; };
    const float from = along(before), to = along(now);
    if (!(from > 0 && to <= 0) || !(left[l] > 0) || over[l] != 0) continue;
    float square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float x = before[k * kWide + l] + (now[k * kWide + l] - before[k * kWide + l]) * (from / (from - to));
      square += x * x;
    }
    const float off = math::sqrt(square);
    if (off <= radius)
      advance(hot, block * kWide + l);
    else
      missed[l] = off <= outer ? 1 : 2;
  }
}

// ---------------------------------------------------------------- actions

void AgentTask::begin_step(std::size_t block) {
  std::memcpy(over_.data() + block * kWide, ended(block), kWide);
  if (row_.progress >= 0) std::memset(rows(block, row_.progress), 0, kWide * sizeof(float));
  if (row_.reached >= 0) std::memset(rows(block, row_.reached), 0, kWide * sizeof(float));
}

void AgentTask::prefetch(std::size_t block) const {
  const float* const first = rows(block, 0);  // there is room behind the last one (core/memory.hpp)
  for (int r = 0; r < n_rows_; ++r) __builtin_prefetch(first + r * kBlock, 1);
}

void AgentTask::take_actions(std::size_t block, const float* numbers, const std::int32_t* acts) {
  if (row_.action < 0 && row_.effort < 0) return;
  float* const kept = row_.action < 0 ? nullptr : rows(block, row_.action);
  const Quad share = all_four(1 / static_cast<float>(action_size_));
  for (int l = 0; l < kBlock; l += 4) {
    QuadMask act;
    std::memcpy(&act, acts + l, sizeof act);
    Quad effort = all_four(0), change = all_four(0);
    for (std::size_t k = 0; k < action_size_; ++k) {
      const Quad given = four_at(numbers + k * kWide + l);
      effort += given * given;
      if (kept == nullptr) continue;
      float* const at = kept + k * kWide + l;
      const Quad before = four_at(at), now = act ? given : before;
      change += (now - before) * (now - before);
      put(at, now);
    }
    if (row_.effort >= 0) put(rows(block, row_.effort) + l, act ? effort * share : all_four(0));
    if (row_.change >= 0) put(rows(block, row_.change) + l, change * share);
  }
}

// ---------------------------------------------------------------- after a tick

const float* AgentTask::rows_or_zero(std::size_t block, int row) const { return row < 0 ? kZeros : rows(block, row); }

template <class S> AgentBlock AgentTask::view(const S* hot, std::size_t block, Scratch& scratch) const {
  AgentBlock b;
  if constexpr (sizeof(S) == 4) {
    const auto at = [&](int row) { return row < 0 ? nullptr : hot + row * kBlock; };
    b.velocity_W = at(velocity_), b.attitude = at(attitude_), b.omega_B = at(omega_), b.ground_force = at(ground_), b.height = at(position_ + 2);
    b.status = reinterpret_cast<const std::uint32_t*>(hot);
  } else {
    float* next = scratch.rows;
    const auto at = [&](int row, int n) -> const float* {
      if (row < 0) return nullptr;
      float* const to = next;
      for (int k = 0; k < n * kBlock; ++k) to[k] = static_cast<float>(hot[row * kBlock + k]);
      next += n * kBlock;
      return to;
    };
    b.velocity_W = at(velocity_, 3), b.attitude = at(attitude_, 4), b.omega_B = at(omega_, 3), b.ground_force = at(ground_, 1), b.height = at(position_ + 2, 1);
    const auto* status = reinterpret_cast<const std::uint64_t*>(hot);
    for (int l = 0; l < kBlock; ++l) scratch.status[l] = static_cast<std::uint32_t>(status[l]);
    b.status = scratch.status;
  }
  b.to_goal_W = rows(block, row_.to_goal), b.distance = rows(block, row_.distance);
  b.progress = rows_or_zero(block, row_.progress), b.reached = rows_or_zero(block, row_.reached);
  b.goal_velocity_W = rows_or_zero(block, row_.velocity), b.goal_ahead_W = rows_or_zero(block, row_.ahead);
  b.left = rows_or_zero(block, row_.left), b.to_next_W = rows_or_zero(block, row_.next);
  b.normal_W = rows_or_zero(block, row_.normal), b.missed = rows_or_zero(block, row_.missed);
  b.speed_before = rows_or_zero(block, row_.speed), b.effort = rows_or_zero(block, row_.effort), b.change = rows_or_zero(block, row_.change);
  b.action = rows_or_zero(block, row_.action);
  docking_.show(scratch.docking, b);
  b.held = rows_or_zero(block, row_.held), b.tick = tick_length_;
  return b;
}

void AgentTask::keep_speed(const AgentBlock& b, std::size_t block) {
  if (row_.speed < 0) return;
  for (int l = 0; l < kBlock; l += 4) put(rows(block, row_.speed) + l, agents::Four{b, l}.speed());
}

void AgentTask::count_held(const Flock& f, std::size_t block) {
  if (row_.held < 0) return;
  float* const held = rows(block, row_.held);
  const std::size_t lanes = std::min(kWide, n_slots_ - block * kWide);
  for (std::size_t l = 0; l < lanes; ++l) held[l] = docking_.is_docked(f, block * kWide + l) ? held[l] + 1 : 0;
}

void AgentTask::look_for_ends(const AgentBlock& b, std::size_t block) {
  alignas(16) std::int32_t holds[kBlock];
  std::uint8_t* const over = ended(block);
  const auto mark = [&](std::uint8_t number) {
    for (std::size_t l = 0; l < kWide; ++l)
      if (holds[l] != 0 && over[l] == 0) over[l] = number;
  };
  for (std::size_t k = 0; k < end_terms_.size(); ++k)
    if (end_terms_[k].line->look(b, end_terms_[k].limit, holds)) mark(static_cast<std::uint8_t>(k + 1));
  bool any = false;
  for (int l = 0; l < kBlock; l += 4) {
    const QuadMask gone = ~agents::Four{b, l}.has_bit(control::kAlive);
    std::memcpy(holds + l, &gone, sizeof gone);
    any = any || math::any_of(gone);
  }
  if (any) mark(kVehicleGone);
}

void AgentTask::reward(const AgentBlock& b, std::size_t block) {
  float* const sum = reinterpret_cast<float*>(rewards_.data()) + block * kWide;
  std::memset(sum, 0, kWide * sizeof(float));
  for (const Reward& r : reward_terms_) r.line->add(b, r.weight, r.scale, sum);
  const std::uint8_t* const over = ended(block);
  if (!has_any(over)) return;
  for (std::size_t l = 0; l < kWide; ++l) {
    if (over_[block * kWide + l] != 0)
      sum[l] = 0;
    else if (over[l] != 0 && over[l] <= end_terms_.size())
      sum[l] += end_terms_[over[l] - 1u].reward;
  }
}

template <class S> void AgentTask::judge(const Flock& f, const S* hot, std::size_t block, Scratch& scratch) {
  if (row_.centre >= 0) move_curve(block, *tick_ + 1);
  alignas(16) float before[4 * kBlock];  // to_goal and distance, which are neighbours
  std::memcpy(before, rows(block, row_.to_goal), sizeof before);
  measure(hot, block);
  float* const progress = row_.progress < 0 ? nullptr : rows(block, row_.progress);
  for (int l = 0; progress != nullptr && l < kBlock; l += 4)
    put(progress + l, four_at(progress + l) + (four_at(before + 3 * kBlock + l) - four_at(rows(block, row_.distance) + l)));
  if (row_.left >= 0) {
    reach(hot, block, before);
  } else if (is_last_ && row_.reached >= 0) {
    const Quad radius = all_four(static_cast<float>(goals_.def().radius)), one = all_four(1), none = all_four(0);
    for (int l = 0; l < kBlock; l += 4) put(rows(block, row_.reached) + l, four_at(rows(block, row_.distance) + l) <= radius ? one : none);
  }
  docking_.look(f, block, n_slots_, scratch.docking);
  count_held(f, block);
  const AgentBlock b = view(hot, block, scratch);
  look_for_ends(b, block);
  if (is_last_) reward(b, block);
  keep_speed(b, block);
}

template <class S> void AgentTask::refresh(const Flock& f, const S* hot, std::size_t block, Scratch& scratch) {
  if (row_.centre >= 0) move_curve(block, *tick_ + (judged_at_ == *tick_ ? 1 : 0));
  measure(hot, block);
  docking_.look(f, block, n_slots_, scratch.docking);
  keep_speed(view(hot, block, scratch), block);
}

// a contact comes after the sweep of its tick, and only that changes the mode here
template <class S> void AgentTask::look_again(const S* hot, std::size_t slot) {
  if (judged_at_ != *tick_ || slot >= n_slots_) return;
  const std::size_t block = slot / kWide, lane = slot % kWide;
  std::uint8_t& over = ended(block)[lane];
  if (over != 0 || (view_status(hot, lane) & control::kModeMask) != static_cast<std::uint32_t>(Mode::EmergencyStop)) return;
  for (std::size_t k = 0; k < end_terms_.size() && over == 0; ++k)
    if (end_terms_[k].line->is_crash) over = static_cast<std::uint8_t>(k + 1);
  if (over != 0 && is_last_) reinterpret_cast<float*>(rewards_.data())[slot] += end_terms_[over - 1u].reward;
}

template void AgentTask::judge(const Flock&, const float*, std::size_t, Scratch&);
template void AgentTask::judge(const Flock&, const double*, std::size_t, Scratch&);
template void AgentTask::refresh(const Flock&, const float*, std::size_t, Scratch&);
template void AgentTask::refresh(const Flock&, const double*, std::size_t, Scratch&);
template void AgentTask::look_again(const float*, std::size_t);
template void AgentTask::look_again(const double*, std::size_t);
template AgentBlock AgentTask::view(const float*, std::size_t, Scratch&) const;
template AgentBlock AgentTask::view(const double*, std::size_t, Scratch&) const;

}  // namespace volary::engine
