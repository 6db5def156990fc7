// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/arrays.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "agents/task_check.hpp"
#include "control/guide.hpp"
#include "core/suggest.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "math/quad.hpp"

namespace volary::engine {

namespace {

using agents::Term;
using agents::TermRows;
using math::all_four;
using math::four_at;
using math::Quad;
using math::QuadMask;

constexpr std::size_t kWide = kBlock;

ObservationTerm described(const Term& t, int size, std::size_t offset = 0) { return {t.name, t.unit, t.frame, t.doc, size, offset, t.fill_task != nullptr}; }

// the columns of a setpoint that the numbers of an action are, as those of SetMany
struct Part {
  const char* column;
  int numbers;
};
std::vector<Part> parts_of(ControlLevel level, int rotors) {
  switch (level) {
    case ControlLevel::MotorSpeeds: return {{"setpoint.motor_speed", rotors}};
    case ControlLevel::Rates: return {{"setpoint.thrust", 1}, {"setpoint.rate", 3}};
    case ControlLevel::Attitude: return {{"setpoint.thrust", 1}, {"setpoint.attitude", 4}};
    case ControlLevel::Acceleration: return {{"setpoint.acceleration", 3}, {"setpoint.yaw", 1}};
    case ControlLevel::Velocity: return {{"setpoint.velocity", 3}, {"setpoint.yaw", 1}};
    case ControlLevel::Position: return {{"setpoint.position", 3}, {"setpoint.yaw", 1}};
    case ControlLevel::Trajectory: break;
  }
  return {{"setpoint.position", 3}, {"setpoint.velocity", 3}, {"setpoint.acceleration", 3},
          {"setpoint.jerk", 3},     {"setpoint.yaw", 1},      {"setpoint.yaw_rate", 1}};
}
constexpr const char* kSetpoint[] = {"setpoint.position", "setpoint.velocity", "setpoint.acceleration", "setpoint.jerk", "setpoint.yaw",
                                     "setpoint.yaw_rate", "setpoint.thrust",   "setpoint.attitude",     "setpoint.rate", "setpoint.motor_speed"};

core::Error lacks(const Flock& f, const std::string& column, const std::string& who) {
  return {.message = "flock '" + f.def.name + "' has no column '" + column + "', which " + who + " needs"};
}

template <class S> using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
template <class S> Word<S> word_of(const S* p) {
  Word<S> w;
  std::memcpy(&w, p, sizeof w);
  return w;
}
template <class S> void set_word(S* p, Word<S> w) { std::memcpy(p, &w, sizeof w); }

}  // namespace

core::Status Arrays::choose_terms(const Flock& f, const AgentArraysDef& def) {
  for (const std::string& name : def.observations) {
    const Term* term = agents::find_observation(name);
    if (term == nullptr) return agents::unknown_observation(name);
    if (term->fill_task != nullptr && def.task == nullptr) return core::Error{.message = "the observation '" + name + "' needs a task (volary/learning.hpp)"};
    Observed o{term, {-1, -1, -1}, {}, term->size == agents::kAsAction ? static_cast<int>(action_size_) : term->size, size_};
    for (int k = 0; k < 3 && term->columns[k] != nullptr; ++k) {
      const ColumnInfo* c = f.find_column(term->columns[k]);
      if (c == nullptr && f.joined != nullptr) c = f.joined->find_column(term->columns[k]);
      if (c == nullptr) return lacks(f, term->columns[k], "the observation '" + name + "'");
      o.rows[k] = c->row, o.in_joined[k] = c->record == Record::Joined;
    }
    terms_.push_back(o);
    size_ += static_cast<std::size_t>(o.size);
  }
  return core::ok();
}

core::Status Arrays::choose_actions(const Flock& f, const AgentArraysDef& def) {
  if (!def.actions) return core::ok();
  const ColumnInfo *level = f.find_column("setpoint.level"), *motors = f.find_column("setpoint.motor_speed");
  if (level == nullptr && *def.actions != ControlLevel::Rates) return lacks(f, "setpoint.level", "an action of this control level");
  level_row_ = level == nullptr ? -1 : level->row;
  level_ = static_cast<std::uint32_t>(*def.actions);
  int number = 0;
  const std::vector<Part> parts = parts_of(*def.actions, motors == nullptr ? 0 : motors->rows);
  for (const Part& p : parts) {
    const ColumnInfo* c = f.find_column(p.column);
    if (c == nullptr) return lacks(f, p.column, "an action of this control level");
    for (int k = 0; k < p.numbers; ++k) given_.push_back({c->row + k, number++, 0});
    for (int k = p.numbers; k < c->rows; ++k) rest_.push_back({c->row + k, -1, 0});  // the remainder of a position
  }
  for (const char* name : kSetpoint) {
    const ColumnInfo* c = f.find_column(name);
    if (c == nullptr || level == nullptr || std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return std::strcmp(p.column, name) == 0; })) continue;
    for (int k = 0; k < c->rows; ++k) rest_.push_back({c->row + k, -1, k == 0 && std::strcmp(name, "setpoint.attitude") == 0 ? 1.0 : 0.0});
  }
  action_size_ = static_cast<std::size_t>(number);
  core::require(number <= kMostNumbers, "an action has at most 16 numbers");
  is_attitude_ = *def.actions == ControlLevel::Attitude;
  if (def.task == nullptr) return core::ok();
  core::Result<ActionRange> range = action_range(f, def.task->action, action_size_);
  if (!range) return range.error();
  range_ = std::move(range).value();
  return core::ok();
}

core::Result<Arrays> Arrays::make(const Data& d, std::size_t flock, const AgentArraysDef& def) {
  const Flock& f = d.flocks[flock];
  Arrays a;
  a.n_worlds_ = d.worlds.start.size();
  a.n_agents_ = d.def.flocks[flock].vehicles.size();
  if (def.task != nullptr)
    if (const core::Status s = agents::check_task(*def.task, "learning"); !s) return s.error();
  if (const core::Status s = a.choose_actions(f, def); !s) return s.error();
  if (const core::Status s = a.choose_terms(f, def); !s) return s.error();
  const std::size_t slots = a.blocks() * kWide;
  a.actions_ = core::Buffer(slots * a.action_size_ * sizeof(float));
  a.observations_ = core::Buffer(slots * a.size_ * sizeof(float));
  std::fill_n(reinterpret_cast<float*>(a.actions_.data()), slots * a.action_size_, std::numeric_limits<float>::quiet_NaN());
  if (def.task != nullptr) {
    unsigned needs = agents::kNothing;
    for (const Observed& o : a.terms_) needs |= o.term->fill_task != nullptr ? o.term->needs : agents::kNothing;
    core::Result<AgentTask> task = AgentTask::make(d, f, *def.task, a.n_agents_, a.action_size_, needs);
    if (!task) return task.error();
    a.task_ = std::move(task).value();
  }
  a.observe(f, {0, f.blocks()});
  return a;
}

void Arrays::begin_tick(bool first, bool last) {
  if (task_) task_->begin_tick(first, last);
}
void Arrays::prepare(std::uint64_t tick) {
  if (task_) task_->prepare(tick);
}
void Arrays::begin(const Flock& f, std::size_t first, std::size_t last, const math::RandomKey<std::uint32_t>& key) {
  if (task_) task_->begin(f, first, last, key);
}

// ---------------------------------------------------------------- in the sweep

void Arrays::gather(Acting& a, std::size_t block) const {
  const float* from = reinterpret_cast<const float*>(actions_.data()) + block * kWide * action_size_;
  for (std::size_t l = 0; l < kWide; ++l, from += action_size_)
    for (std::size_t k = 0; k < action_size_; ++k) a.numbers[k * kWide + l] = from[k];
  // without a task the first number alone says whether an agent acts
  const std::size_t n = task_ ? action_size_ : 1;
  const std::uint8_t* const over = task_ ? task_->over(block) : nullptr;
  for (std::size_t l = 0; l < kWide; l += 4) {
    QuadMask act = {-1, -1, -1, -1};
    for (std::size_t k = 0; k < n; ++k) act &= four_at(a.numbers + k * kWide + l) == four_at(a.numbers + k * kWide + l);
    if (over != nullptr)
      for (std::size_t j = 0; j < 4; ++j) act[j] &= over[l + j] == 0 ? -1 : 0;
    std::memcpy(a.acts + l, &act, sizeof act);
    a.any = a.any || math::any_of(act), a.all = a.all && math::lanes_of(act) == 0xf;
  }
}

// cut off to [-1, 1], kept, and made setpoints
void Arrays::scale(Acting& a) const {
  for (std::size_t k = 0; k < action_size_; ++k)
    for (std::size_t l = 0; l < kWide; l += 4) {
      float* const at = a.numbers + k * kWide + l;
      const Quad x = all_four(range_.middle[k]) + all_four(range_.half[k]) * four_at(at);
      std::memcpy(at, &x, sizeof x);
    }
  if (!is_attitude_) return;
  for (std::size_t l = 0; l < kWide; ++l) {
    float* const q = a.numbers + kWide + l;
    const float size = math::sqrt(q[0] * q[0] + q[kWide] * q[kWide] + q[2 * kWide] * q[2 * kWide] + q[3 * kWide] * q[3 * kWide]);
    for (std::size_t k = 0; k < 4; ++k) q[k * kWide] = size > 0 ? q[k * kWide] / size : (k == 0 ? 1.0f : 0.0f);
  }
}

// who is told where to go is not on its mission any more, and must be armed to follow
template <class S> void Arrays::take_over(Acting& a, S* hot) const {
  constexpr Word<S> kMode = control::kModeMask, kArmed = static_cast<Word<S>>(Mode::Armed);
  for (std::size_t l = 0; l < kWide; ++l) {
    if (a.acts[l] == 0) continue;
    const Word<S> status = word_of(hot + l), mode = status & kMode;
    S* const level = hot + level_row_ * kBlock + l;
    if (mode == kArmed && word_of(level) == level_) continue;
    if (mode == static_cast<Word<S>>(Mode::Disarmed) || mode == static_cast<Word<S>>(Mode::EmergencyStop)) {
      a.acts[l] = 0, a.all = false;
      continue;
    }
    set_word(hot + l, (status & ~kMode) | kArmed);
    set_word(level, level_);
    for (const Write& w : rest_) hot[static_cast<std::size_t>(w.row) * kWide + l] = static_cast<S>(w.constant);
  }
}

template <class S> void Arrays::act_on(S* hot, std::size_t block) {
  Acting a;
  gather(a, block);
  const bool is_scaled = !range_.low.empty();
  for (std::size_t k = 0; is_scaled && k < action_size_ * kWide; k += 4) {
    const Quad x = four_at(a.numbers + k), low = all_four(-1), high = all_four(1);
    const Quad cut = x < low ? low : x > high ? high : x;
    std::memcpy(a.numbers + k, &cut, sizeof cut);
  }
  if (task_ && task_->is_first()) task_->take_actions(block, a.numbers, a.acts);
  if (!a.any) return;
  if (level_row_ >= 0) take_over(a, hot);
  if (is_scaled) scale(a);
  for (const Write& w : given_) {
    S* const row = hot + w.row * kBlock;
    const float* const from = a.numbers + w.number * kBlock;
    for (std::size_t l = 0; l < kWide; ++l)
      if (a.all || a.acts[l] != 0) row[l] = static_cast<S>(from[l]);
  }
}

void Arrays::act(Flock& f, Stretch stretch) {
  const std::size_t last = std::min(stretch.last, blocks());
  for (std::size_t b = stretch.first; b < last; ++b) {
    if (task_) task_->prefetch(b + 1);
    if (task_ && task_->is_first()) task_->begin_step(b);
    if (action_size_ == 0) continue;
    void* hot = f.hot_lane(b * kBlock);
    // rows that are written here, two blocks from now; there is room behind the last block
    const auto* const ahead = static_cast<const std::byte*>(hot) + 2 * static_cast<std::size_t>(f.kernel->hot_rows) * kWide * static_cast<std::size_t>(f.bytes);
    for (const Write& w : given_) __builtin_prefetch(ahead + static_cast<std::size_t>(w.row) * kWide * static_cast<std::size_t>(f.bytes), 1);
    f.bytes == 4 ? act_on(static_cast<float*>(hot), b) : act_on(static_cast<double*>(hot), b);
  }
}

template <class S> void Arrays::look_at(const Flock& f, std::size_t block, bool after_tick) {
  const auto* const hot = static_cast<const S*>(f.row(block * kBlock, 0));
  const auto rows_of_bodies = [&] { return reinterpret_cast<const S*>(f.joined->state.data()) + block * static_cast<std::size_t>(f.joined->rows) * kWide; };
  agents::AgentBlock of_task;
  AgentTask::Scratch scratch;
  if (task_) {
    after_tick ? task_->judge(f, hot, block, scratch) : task_->refresh(f, hot, block, scratch);
    of_task = task_->view(hot, block, scratch);
  }
  float* const out = reinterpret_cast<float*>(observations_.data()) + block * kWide * size_;
  for (const Observed& o : terms_) {
    if (o.term->fill_task != nullptr) {
      o.term->fill_task(of_task, o.size, out + o.offset, size_);
      continue;
    }
    TermRows<S> rows{};
    for (int k = 0; k < 3 && o.rows[k] >= 0; ++k) rows.of[k] = (o.in_joined[k] ? rows_of_bodies() : hot) + o.rows[k] * kBlock;
    if constexpr (sizeof(S) == 4)
      o.term->fill4(rows, out + o.offset, size_);
    else
      o.term->fill8(rows, out + o.offset, size_);
  }
}

void Arrays::look(const Flock& f, Stretch stretch, bool after_tick) {
  if (size_ == 0 && !task_) return;
  const std::size_t last = std::min(stretch.last, blocks());
  for (std::size_t b = stretch.first; b < last; ++b) f.bytes == 4 ? look_at<float>(f, b, after_tick) : look_at<double>(f, b, after_tick);
}

void Arrays::observe_again(const Flock& f, std::size_t slot) {
  const std::size_t block = slot / kWide;
  observe(f, {block, block + 1});
  if (!task_ || block >= blocks()) return;
  const void* hot = f.row(block * kBlock, 0);
  f.bytes == 4 ? task_->look_again(static_cast<const float*>(hot), slot) : task_->look_again(static_cast<const double*>(hot), slot);
}

AgentArrays Arrays::view() {
  AgentArrays v;
  const std::size_t slots = n_worlds_ * n_agents_;
  v.actions = {reinterpret_cast<float*>(actions_.data()), slots * action_size_};
  v.observations = {reinterpret_cast<const float*>(observations_.data()), slots * size_};
  v.worlds = n_worlds_, v.agents = n_agents_;
  v.action_size = action_size_, v.observation_size = size_;
  for (const Observed& o : terms_) v.terms.push_back(described(*o.term, o.size, o.offset));
  if (task_) v.rewards = task_->rewards(), v.ends = task_->ends();
  v.action_low = range_.low, v.action_high = range_.high;
  return v;
}

core::Status make_arrays(Data& d, const AgentArraysDef& def) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    names.push_back(d.flocks[k].def.name);
    if (names.back() != def.flock) continue;
    core::Result<Arrays> made = Arrays::make(d, k, def);
    if (!made) return made.error();
    d.flocks[k].arrays = std::make_unique<Arrays>(std::move(made).value());
    // the task of those that learn says what ends an episode
    if (def.task != nullptr) d.conditions.rest = true;
    for (Flock& f : d.flocks)
      if (d.conditions.rest) f.impact_speed = 0;
    return core::ok();
  }
  const std::string meant = core::did_you_mean(def.flock, names);
  return core::Error{.message = "there is no flock '" + def.flock + "'" + (meant.empty() ? "" : " (" + meant + ")")};
}

std::vector<ObservationTerm> all_observation_terms() {
  std::vector<ObservationTerm> list;
  for (const Term& t : agents::kTerms) list.push_back(described(t, t.size));
  return list;
}

}  // namespace volary::engine
