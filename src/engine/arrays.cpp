// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/arrays.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "control/guide.hpp"
#include "core/suggest.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"

namespace volary::engine {

namespace {

ObservationTerm described(const Term& t, std::size_t offset = 0) { return {t.name, t.unit, t.frame, t.doc, t.size, offset}; }

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
  return {{"setpoint.position", 3}, {"setpoint.velocity", 3}, {"setpoint.acceleration", 3}, {"setpoint.jerk", 3}, {"setpoint.yaw", 1}, {"setpoint.yaw_rate", 1}};
}
constexpr const char* kSetpoint[] = {"setpoint.position", "setpoint.velocity", "setpoint.acceleration", "setpoint.jerk",  "setpoint.yaw",
                                     "setpoint.yaw_rate", "setpoint.thrust",   "setpoint.attitude",     "setpoint.rate",  "setpoint.motor_speed"};

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
    const Term* term = std::find_if(std::begin(kTerms), std::end(kTerms), [&](const Term& t) { return t.name == name; });
    if (term == std::end(kTerms)) {
      std::vector<std::string> known;
      for (const Term& t : kTerms) known.emplace_back(t.name);
      const std::string meant = core::did_you_mean(name, known);
      return core::Error{.message = "there is no observation '" + name + "'" + (meant.empty() ? "" : " (" + meant + ")")};
    }
    Observed o{term, {-1, -1, -1}, size_};
    for (int k = 0; k < 3 && term->columns[k] != nullptr; ++k) {
      const ColumnInfo* c = f.find_column(term->columns[k]);
      if (c == nullptr) return lacks(f, term->columns[k], "the observation '" + name + "'");
      o.rows[k] = c->row;
    }
    terms_.push_back(o);
    size_ += static_cast<std::size_t>(term->size);
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
  return core::ok();
}

core::Result<Arrays> Arrays::make(const Data& d, std::size_t flock, const AgentArraysDef& def) {
  const Flock& f = d.flocks[flock];
  Arrays a;
  a.n_worlds_ = d.worlds.start.size();
  a.n_agents_ = d.def.flocks[flock].vehicles.size();
  if (const core::Status s = a.choose_terms(f, def); !s) return s.error();
  if (const core::Status s = a.choose_actions(f, def); !s) return s.error();
  a.actions_.assign(a.n_worlds_ * a.n_agents_ * a.action_size_, std::numeric_limits<float>::quiet_NaN());
  a.observations_.assign(a.n_worlds_ * a.n_agents_ * a.size_, 0);
  a.observe(f, {0, f.blocks()});
  return a;
}

// ---------------------------------------------------------------- in the sweep

template <class S> void Arrays::act_on(S* hot, std::size_t first_slot, std::size_t lanes) const {
  const float* const actions = actions_.data() + first_slot * action_size_;
  constexpr Word<S> kMode = control::kModeMask, kArmed = static_cast<Word<S>>(Mode::Armed);
  bool acts[kBlock];
  bool all = lanes == kBlock;
  for (std::size_t l = 0; l < lanes; ++l) {
    acts[l] = actions[l * action_size_] == actions[l * action_size_];
    if (level_row_ >= 0 && acts[l]) {
      // who is told where to go is not on its mission any more, and must be armed to follow
      const Word<S> status = word_of(hot + l), mode = status & kMode;
      acts[l] = mode != static_cast<Word<S>>(Mode::Disarmed) && mode != static_cast<Word<S>>(Mode::EmergencyStop);
      S* const level = hot + level_row_ * kBlock + l;
      if (acts[l] && (mode != kArmed || word_of(level) != level_)) {
        set_word(hot + l, (status & ~kMode) | kArmed);
        set_word(level, level_);
        for (const Write& w : rest_) hot[static_cast<std::size_t>(w.row) * kBlock + l] = static_cast<S>(w.constant);
      }
    }
    all = all && acts[l];
  }
  for (const Write& w : given_) {
    S* const row = hot + w.row * kBlock;
    const float* from = actions + w.number;
    if (all)
      for (std::size_t l = 0; l < kBlock; ++l) row[l] = static_cast<S>(from[l * action_size_]);
    else
      for (std::size_t l = 0; l < lanes; ++l)
        if (acts[l]) row[l] = static_cast<S>(from[l * action_size_]);
  }
}

void Arrays::act(Flock& f, Stretch blocks) const {
  if (action_size_ == 0) return;
  const std::size_t slots = n_worlds_ * n_agents_;
  for (std::size_t b = blocks.first; b < blocks.last && b * kBlock < slots; ++b) {
    void* hot = f.hot_lane(b * kBlock);
    const std::size_t lanes = std::min<std::size_t>(kBlock, slots - b * kBlock);
    f.bytes == 4 ? act_on(static_cast<float*>(hot), b * kBlock, lanes) : act_on(static_cast<double*>(hot), b * kBlock, lanes);
  }
}

template <class S> void Arrays::observe_block(const S* hot, std::size_t first_slot, std::size_t lanes) {
  float* out = observations_.data() + first_slot * size_;
  std::vector<float> last;  // of a block that is not full
  if (lanes < kBlock) last.resize(kBlock * size_);
  float* const to = lanes < kBlock ? last.data() : out;
  for (const Observed& o : terms_) {
    TermRows<S> rows{};
    for (int k = 0; k < 3 && o.rows[k] >= 0; ++k) rows.of[k] = hot + o.rows[k] * kBlock;
    if constexpr (sizeof(S) == 4)
      o.term->fill4(rows, to + o.offset, size_);
    else
      o.term->fill8(rows, to + o.offset, size_);
  }
  if (lanes < kBlock) std::copy_n(to, lanes * size_, out);
}

void Arrays::observe(const Flock& f, Stretch blocks) {
  if (size_ == 0) return;
  const std::size_t slots = n_worlds_ * n_agents_;
  for (std::size_t b = blocks.first; b < blocks.last && b * kBlock < slots; ++b) {
    const void* hot = f.row(b * kBlock, 0);
    const std::size_t lanes = std::min<std::size_t>(kBlock, slots - b * kBlock);
    f.bytes == 4 ? observe_block(static_cast<const float*>(hot), b * kBlock, lanes) : observe_block(static_cast<const double*>(hot), b * kBlock, lanes);
  }
}

AgentArrays Arrays::view() {
  AgentArrays v;
  v.actions = actions_;
  v.observations = observations_;
  v.worlds = n_worlds_, v.agents = n_agents_;
  v.action_size = action_size_, v.observation_size = size_;
  for (const Observed& o : terms_) v.terms.push_back(described(*o.term, o.offset));
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
    return core::ok();
  }
  const std::string meant = core::did_you_mean(def.flock, names);
  return core::Error{.message = "there is no flock '" + def.flock + "'" + (meant.empty() ? "" : " (" + meant + ")")};
}

std::vector<ObservationTerm> all_observation_terms() {
  std::vector<ObservationTerm> list;
  for (const Term& t : kTerms) list.push_back(described(t));
  return list;
}

}  // namespace volary::engine
