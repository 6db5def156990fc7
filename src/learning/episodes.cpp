// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Episodes over a World: step, judge, begin again. Observations, rewards and ends come out of the sweep (engine/agent_task.hpp); here they become those of a step, and
// worlds whose episodes are over start the next one.
#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>

#include "agents/end_terms.hpp"
#include "agents/reward_terms.hpp"
#include "core/memory.hpp"
#include "volary/learning.hpp"

namespace volary {

namespace {

// an array on cache lines that stays where it is
template <class T> class Fixed {
 public:
  void make(std::size_t n) { bytes_ = core::Buffer(n * sizeof(T)), n_ = n; }
  T* data() { return reinterpret_cast<T*>(bytes_.data()); }
  T& operator[](std::size_t k) { return data()[k]; }
  std::span<const T> view() const { return {reinterpret_cast<const T*>(bytes_.data()), n_}; }
  void fill(std::size_t first, std::size_t last, T x) { std::fill(data() + first, data() + last, x); }

 private:
  core::Buffer bytes_;
  std::size_t n_ = 0;
};

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

std::vector<RewardTerm> reward_terms() {
  std::vector<RewardTerm> list;
  for (const agents::RewardLine& t : agents::kRewards) list.push_back({t.name, t.unit, t.doc, text_or_empty(t.scale_unit)});
  return list;
}
std::vector<EndTerm> end_terms() {
  std::vector<EndTerm> list;
  for (const agents::EndLine& t : agents::kEnds) list.push_back({t.name, t.doc, text_or_empty(t.limit_unit)});
  return list;
}

struct Episodes::Impl {
  std::shared_ptr<World> world;
  LearningDef task;
  Autoreset autoreset = Autoreset::NextStep;
  AgentArrays arrays;
  std::size_t n = 0;  // agents of a world
  std::uint32_t step_limit = 1;
  std::deque<Event> events;  // that nobody has taken yet

  Fixed<float> rewards, returns, final_observations;
  Fixed<std::uint8_t> terminated, truncated, finished;
  Fixed<std::uint32_t> steps, lengths;
  Fixed<float> running;  // sum of the rewards of the present episode
  Fixed<std::uint32_t> ended_at;  // step of the present episode; 0: not yet
  Fixed<std::uint8_t> over;  // by world: its episode is over and the next one has not begun
  Fixed<std::uint8_t> mask;  // by world: begins again now

  void make_arrays();
  // Worlds from here on in which nothing happens but rewards, as in almost all: their rewards are counted. Returns the first of which that is not true.
  std::size_t count_alike(std::size_t first);
  bool count_one(std::size_t w);  // any world; whether it begins again now
  bool count(std::size_t w);  // what the step brought the agents of a world; whether their episode is over
  void finish(std::size_t w);
  void clear(std::size_t w);  // nothing of the step is left
  void forget(std::size_t w);  // nothing of the present episode is left but what it came to
};

void Episodes::Impl::make_arrays() {
  const std::size_t worlds = arrays.worlds, all = worlds * n;
  rewards.make(all), running.make(all), returns.make(all), lengths.make(all), ended_at.make(all), terminated.make(all), truncated.make(all);
  finished.make(worlds), over.make(worlds), mask.make(worlds), steps.make(worlds);
  if (autoreset == Autoreset::SameStep) final_observations.make(arrays.observations.size());
}

std::size_t Episodes::Impl::count_alike(std::size_t first) {
  // pointers of their own: bytes that are written could be anything's
  const float* const given = arrays.rewards.data();
  const std::uint8_t *const ends = arrays.ends.data(), *const waits = over.data(), *const was = terminated.data(), *const cut = truncated.data();
  float *const out = rewards.data(), *const sum = running.data();
  std::uint32_t* const now = steps.data();
  std::size_t w = first;
  for (; w < arrays.worlds; ++w) {
    if (waits[w] != 0 || now[w] + 1 >= step_limit) return w;
    unsigned other = 0;
    for (std::size_t k = w * n; k < (w + 1) * n; ++k) other |= ends[k] | was[k] | cut[k];
    if (other != 0) return w;
    ++now[w];
    for (std::size_t k = w * n; k < (w + 1) * n; ++k) out[k] = given[k], sum[k] += given[k];
  }
  return w;
}

bool Episodes::Impl::count_one(std::size_t w) {
  if (over[w] != 0) {
    rewards.fill(w * n, (w + 1) * n, 0);
    if (autoreset == Autoreset::Disabled) return false;
    clear(w);
    mask[w] = 1;
    return true;
  }
  if (!count(w)) return false;
  finish(w);
  over[w] = 1;
  if (autoreset == Autoreset::SameStep) mask[w] = 1;
  return autoreset == Autoreset::SameStep;
}

bool Episodes::Impl::count(std::size_t w) {
  const std::uint32_t now = ++steps[w];
  bool all = true;
  for (std::size_t k = w * n; k < (w + 1) * n; ++k) {
    rewards[k] = arrays.rewards[k];
    running[k] += rewards[k];
    terminated[k] = arrays.ends[k];
    truncated[k] = 0;
    if (terminated[k] != 0 && ended_at[k] == 0) ended_at[k] = now;
    all = all && terminated[k] != 0;
  }
  return all || now >= step_limit;
}

void Episodes::Impl::finish(std::size_t w) {
  finished[w] = 1;
  for (std::size_t k = w * n; k < (w + 1) * n; ++k) {
    truncated[k] = terminated[k] == 0 ? 1 : 0;
    returns[k] = running[k];
    lengths[k] = ended_at[k] != 0 ? ended_at[k] : steps[w];
  }
  const std::size_t each = n * arrays.observation_size;
  if (autoreset == Autoreset::SameStep) std::memcpy(final_observations.data() + w * each, arrays.observations.data() + w * each, each * sizeof(float));
}

void Episodes::Impl::clear(std::size_t w) {
  finished[w] = 0;
  rewards.fill(w * n, (w + 1) * n, 0);
  terminated.fill(w * n, (w + 1) * n, 0);
  truncated.fill(w * n, (w + 1) * n, 0);
}

void Episodes::Impl::forget(std::size_t w) {
  over[w] = 0, steps[w] = 0;
  running.fill(w * n, (w + 1) * n, 0);
  ended_at.fill(w * n, (w + 1) * n, 0);
}

// ---------------------------------------------------------------- the class

Episodes::Episodes() : impl_(std::make_unique<Impl>()) {}
Episodes::~Episodes() = default;

std::unique_ptr<Episodes> Episodes::create(std::shared_ptr<World> world, const LearningDef& task, Autoreset autoreset, std::string* error) {
  const auto fail = [&](const std::string& why) {
    if (error != nullptr) *error = why;
    return nullptr;
  };
  if (world == nullptr) return fail("there is no world");
  std::unique_ptr<Episodes> made(new Episodes());
  Impl& e = *made->impl_;
  e.task = task, e.autoreset = autoreset;
  if (e.task.flock.empty()) e.task.flock = world->def().flocks.front().name;
  if (!world->use_arrays({.flock = e.task.flock, .observations = e.task.observations, .actions = e.task.action.level, .task = &e.task}, error)) return nullptr;
  e.arrays = world->arrays(e.task.flock);
  e.n = e.arrays.agents;
  if (e.n == 0) return fail("flock '" + e.task.flock + "' has no vehicles that could be agents");
  const double step = static_cast<double>(task.ticks) * static_cast<double>(world->def().tick_ns) * 1e-9, steps = task.time_limit / step;
  // a whole number of steps, up to rounding
  e.step_limit = steps < 4e9 ? std::max(1u, static_cast<std::uint32_t>(steps - 1e-6) + 1) : 0xffffffffu;
  e.world = std::move(world);
  e.make_arrays();
  std::vector<std::uint32_t> episodes;
  for (std::size_t w = 0; w < e.arrays.worlds; ++w) episodes.push_back(e.world->episode_of_world(static_cast<std::uint32_t>(w)));
  made->reset({}, episodes);
  return made;
}

void Episodes::step() {
  Impl& e = *impl_;
  e.world->step(static_cast<std::uint64_t>(e.task.ticks));
  // a training may last for days
  for (Event& event : e.world->take_events()) {
    e.events.push_back(std::move(event));
    if (e.events.size() > kMostEvents) e.events.pop_front();
  }
  const std::size_t worlds = e.arrays.worlds;
  std::fill_n(e.finished.data(), worlds, std::uint8_t{0});
  bool any = false;
  for (std::size_t w = 0; w < worlds;) {
    w = e.count_alike(w);
    if (w == worlds) break;
    any = e.count_one(w++) || any;
  }
  if (!any) return;
  e.world->reset(e.mask.view());
  for (std::size_t w = 0; w < worlds; ++w)
    if (e.mask[w] != 0) e.forget(w), e.mask[w] = 0;
}

void Episodes::reset(std::span<const std::uint8_t> mask, std::span<const std::uint32_t> episodes) {
  Impl& e = *impl_;
  const std::vector<std::uint8_t> all(mask.empty() ? e.arrays.worlds : 0, 1);
  const std::span<const std::uint8_t> chosen = mask.empty() ? std::span<const std::uint8_t>(all) : mask;
  e.world->reset(chosen, episodes);
  for (std::size_t w = 0; w < e.arrays.worlds; ++w)
    if (chosen[w] != 0) e.clear(w), e.forget(w);
}

std::size_t Episodes::worlds() const { return impl_->arrays.worlds; }
std::size_t Episodes::agents() const { return impl_->n; }
std::size_t Episodes::action_size() const { return impl_->arrays.action_size; }
std::size_t Episodes::observation_size() const { return impl_->arrays.observation_size; }
std::uint32_t Episodes::step_limit() const { return impl_->step_limit; }
const LearningDef& Episodes::task() const { return impl_->task; }
World& Episodes::world() const { return *impl_->world; }
std::vector<Event> Episodes::take_events() {
  std::vector<Event> list(std::make_move_iterator(impl_->events.begin()), std::make_move_iterator(impl_->events.end()));
  impl_->events.clear();
  return list;
}
const std::vector<ObservationTerm>& Episodes::terms() const { return impl_->arrays.terms; }
const std::vector<double>& Episodes::action_low() const { return impl_->arrays.action_low; }
const std::vector<double>& Episodes::action_high() const { return impl_->arrays.action_high; }
std::span<float> Episodes::actions() const { return impl_->arrays.actions; }
std::span<const float> Episodes::observations() const { return impl_->arrays.observations; }
std::span<const float> Episodes::final_observations() const { return impl_->final_observations.view(); }
std::span<const float> Episodes::rewards() const { return impl_->rewards.view(); }
std::span<const std::uint8_t> Episodes::terminated() const { return impl_->terminated.view(); }
std::span<const std::uint8_t> Episodes::truncated() const { return impl_->truncated.view(); }
std::span<const std::uint8_t> Episodes::finished() const { return impl_->finished.view(); }
std::span<const std::uint32_t> Episodes::steps() const { return impl_->steps.view(); }
std::span<const float> Episodes::episode_return() const { return impl_->returns.view(); }
std::span<const std::uint32_t> Episodes::episode_length() const { return impl_->lengths.view(); }

}  // namespace volary
