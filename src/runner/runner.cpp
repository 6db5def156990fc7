// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "runner/runner.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace volary::runner {

namespace {
constexpr double kLook = 0.001;       // s between two looks at a source that is not ready and wakes nobody
constexpr double kLongestNap = 0.05;  // s: an interruption is noticed after this
constexpr double kSoon = 1e-6;        // s: no sleep is that short
}  // namespace

// ---------------------------------------------------------------- beginning and end

void Runner::begin(World& world, Plan plan, bool again) {
  end();
  world_ = &world;
  plan_ = std::move(plan);
  state_ = plan_.paused ? State::Paused : State::Running;
  outcome_ = Outcome::None;
  failure_.clear();
  steps_left_ = ticks_ = 0;
  for (Seat& s : seats_) s.absent = false;
  forget_tick();
  change_pace();
  for (Seat& s : seats_) s.source->start(world);
  for (Sink* s : sinks_) s->begin(world, again);
  pace_.emplace(static_cast<double>(world.def().tick_ns) * 1e-9, clock_);
  if (world.tick() >= plan_.end) finish(Outcome::Finished);
}

void Runner::finish(Outcome outcome) {
  if (state_ == State::Over) return;
  state_ = State::Over;
  outcome_ = outcome;
  steps_left_ = 0;
  pace_->stop();
  for (Seat& s : seats_) s.source->stop(*world_);
  for (Sink* s : sinks_) s->end(*world_);
}

void Runner::fail(std::string why) {
  failure_ = std::move(why);
  tell(failure_);
  finish(Outcome::Failed);
}

// ---------------------------------------------------------------- a tick

double Runner::turn() {
  if (state_ != State::Over && plan_.is_interrupted && plan_.is_interrupted()) finish(Outcome::Interrupted);
  if (!wants_tick()) return kForever;
  ask();
  if (due_ > 0)
    if (const double early = due_ - clock_.now(); early > kSoon) return early;
  if (!look()) {
    const double wait = hold();
    if (wait > 0 || state_ == State::Over) return wait;
  }
  if (take_inputs()) fly_tick();
  return state_ == State::Over ? kForever : 0;
}

Outcome Runner::run() {
  while (state_ != State::Over)
    if (const double wait = turn(); wait > 0 && state_ != State::Over) clock_.sleep_until(clock_.now() + std::min(wait, kLongestNap));
  return outcome_;
}

// early, so that a source can work while the run waits for the wall
void Runner::ask() {
  if (std::exchange(is_asked_, true)) return;
  for (Seat& s : seats_) s.source->ask(*world_);
}

bool Runner::look() {
  bool all = true;
  for (Seat& s : seats_) {
    if (!s.ready) s.ready = s.source->is_ready(*world_);
    if (s.ready && std::exchange(s.absent, false)) tell(s.source->name() + " is back");
    all = all && (s.ready || s.absent);
  }
  return all;
}

double Runner::hold() {
  const double now = clock_.now();
  if (!held_since_) held_since_ = now;
  const double waited = now - *held_since_;
  bool somebody = false;
  for (Seat& s : seats_) {
    if (s.ready || s.absent) continue;
    const Patience p = s.source->patience();
    if (waited >= p.timeout) {
      const std::string late = fmt::format("{} was not ready for {:g} s", s.source->name(), p.timeout);
      if (p.then == Patience::Then::Fail) return fail(late), kForever;
      s.absent = true;
      tell(late + ": the run goes on without it");
      continue;
    }
    if (waited >= p.named_after && !std::exchange(s.named, true)) tell("waiting for " + s.source->name());
    somebody = true;
  }
  return somebody ? kLook : 0;
}

bool Runner::take_inputs() {
  for (Seat& s : seats_) {
    if (!s.ready) continue;
    inputs_.clear();
    core::Status good = s.source->give(*world_, inputs_);
    for (std::size_t k = 0; good && k < inputs_.size(); ++k)
      if (const Submitted taken = world_->submit(inputs_[k], s.source->late()); !taken) good = s.source->refused(inputs_[k], taken.why);
    if (!good) return fail(s.source->name() + ": " + good.error().text()), false;
  }
  return true;
}

void Runner::fly_tick() {
  // steps of a paused run wait for nothing
  if (std::exchange(is_pace_new_, false)) pace_->start(state_ == State::Running ? plan_.speed : 0);
  if (!plan_.fly)
    world_->step(1);
  else if (const core::Status flown = plan_.fly(*world_); !flown)
    return fail(flown.error().text());
  forget_tick();
  ++ticks_;
  if (steps_left_ > 0) --steps_left_;
  for (const Event& e : world_->take_events())
    for (Sink* s : sinks_) s->event(*world_, e);
  for (Sink* s : sinks_) s->after_tick(*world_);
  due_ = pace_->after(1);
  if (world_->tick() >= plan_.end) finish(Outcome::Finished);
}

void Runner::forget_tick() {
  is_asked_ = false;
  held_since_.reset();
  for (Seat& s : seats_) s.ready = s.named = false;
}

// ---------------------------------------------------------------- control

void Runner::pause() {
  if (state_ == State::Over) return;
  state_ = State::Paused;
  steps_left_ = 0;
  change_pace();
}

void Runner::resume() {
  steps_left_ = 0;
  if (state_ != State::Paused) return;
  state_ = State::Running;
  change_pace();
}

void Runner::step(std::uint64_t ticks) {
  if (state_ == State::Over) return;
  state_ = State::Paused;
  const std::uint64_t left = plan_.end - world_->tick();
  steps_left_ = std::min(left, steps_left_ + std::min(ticks, left));
  change_pace();
}

void Runner::set_speed(double factor) {
  plan_.speed = factor;
  if (state_ != State::Over) change_pace();
}

core::Status Runner::restore(const Snapshot& snapshot) {
  if (state_ == State::Over) return core::Error{.message = "the run is over: there is nothing to go back in"};
  if (std::string error; !world_->restore(snapshot, &error)) return core::Error{.message = error};
  steps_left_ = 0;
  forget_tick();
  change_pace();
  for (Seat& s : seats_) s.source->reset(*world_);
  for (Sink* s : sinks_) s->restored(*world_);
  if (world_->tick() >= plan_.end) finish(Outcome::Finished);
  return core::ok();
}

void Runner::tell(const std::string& text) {
  for (Sink* s : sinks_) s->notice(*world_, text);
}

std::vector<std::string> Runner::waiting_for() const {
  std::vector<std::string> names;
  if (state_ == State::Over || !held_since_) return names;
  for (const Seat& s : seats_)
    if (!s.ready && !s.absent) names.push_back(s.source->name());
  return names;
}

}  // namespace volary::runner
