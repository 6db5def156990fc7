// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/watch.hpp"
#include "faults.hpp"

namespace volary::python {

namespace {

constexpr double kWatched = 1.0 / 30, kUnwatched = 0.5;  // s between two moments: a page, or nothing but requests over HTTP
constexpr double kShare = 10;                            // one part in so many of the time goes into moments at most, however large the world is
constexpr double kStill = 0.6;                           // s without a tick after which time stands still
constexpr std::size_t kMostEvents = 10'000;              // between two moments
constexpr auto kPatience = std::chrono::seconds(60);     // of a picture
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

core::Error refuse(std::string message, std::string suggestion) { return core::Error{.message = std::move(message), .suggestion = std::move(suggestion)}; }

}  // namespace

Page::Page(const World& world, const RunOptions& options, unsigned short port) : process_(getpid()), hold_at_(kNever) {
  server::ServeOptions serve = cli::page_options();
  serve.port = port;
  serve.only_this_port = true;
  serve.is_framed = true;
  serve.session.run = {.lanes = options.lanes};
  serve.session.speed = 0;
  serve.session.remote = remote();
  auto opened = server::serve_world(world.def(), std::move(serve));
  if (!opened) throw std::invalid_argument(opened.error().text());
  url_ = opened.value()->url();
  tick_ = world.tick();
  note_episodes(world);
  service_ = std::move(opened).value();
  hand_over(world);
}

Page::~Page() { close(); }

bool Page::is_elsewhere() const { return getpid() != process_; }

void Page::close() {
  is_open_ = false;
  hold_at_ = kNever;
  // in a child the lock may be that of a thread which is not there, and a server without threads cannot be stopped
  if (is_elsewhere()) return void(service_.release());
  std::unique_ptr<server::Service> service;
  {
    const std::lock_guard lock(mutex_);
    service = std::move(service_);
    was_shown_.notify_all();
  }
  if (service) service->stop();
}

std::size_t Page::viewers() const {
  const std::size_t all = viewers_, own = own_viewers_;
  return all > own ? all - own : 0;
}

// ---------------------------------------------------------------- on the thread that has the world

runner::Patience Page::patience() const { return {.timeout = std::numeric_limits<double>::infinity(), .then = runner::Patience::Then::GoOn}; }

// A paused page holds the step of Python, at the tick that it shows.
bool Page::is_ready(const World& world) {
  if (world.tick() < hold_at_.load(std::memory_order_relaxed) || is_elsewhere()) return true;
  if (is_behind()) hand_over(world);
  return false;
}

core::Status Page::give(const World&, std::vector<Input>& inputs) {
  if (!has_inputs_.load(std::memory_order_relaxed) || is_elsewhere()) return core::ok();
  const std::lock_guard lock(mutex_);
  has_inputs_ = false;
  std::move(inputs_.begin(), inputs_.end(), std::back_inserter(inputs));
  inputs_.clear();
  return core::ok();
}

// what was commanded at a moment that is gone
void Page::reset(const World&) {
  if (is_elsewhere()) return;
  const std::lock_guard lock(mutex_);
  has_inputs_ = false;
  inputs_.clear();
}

void Page::event(World&, const Event& event) {
  if (is_open() && events_.size() < kMostEvents) events_.push_back(event);
}

void Page::after_tick(World& world) {
  if (!is_open()) return;
  tick_.store(world.tick(), std::memory_order_relaxed);
  is_same_tick_ = false;
  if (runner::steady_now() >= due_ || is_held())
    hand_over(world);
  else
    is_behind_.store(true, std::memory_order_relaxed);
}

void Page::moved(const World& world, bool is_jump) {
  if (!is_open()) return;
  is_jump_ = is_jump_ || is_jump;
  tick_ = world.tick();
  is_same_tick_ = true;
  is_behind_ = true;
}

// World::reset() tells nobody: episodes are looked at. Where all worlds began one since the last look, time does not go on.
void Page::note_episodes(const World& world) {
  std::uint64_t sum = 0, first = kNever, last = 0;
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(world.def().worlds); ++w) {
    const std::uint64_t begun = world.tick() - world.tick_of_world(w);
    sum += world.episode_of_world(w);
    first = std::min(first, begun), last = std::max(last, begun);
  }
  const bool is_new = std::exchange(episodes_, sum) != sum || begun_ != last;
  begun_ = last;
  if (is_new) moved(world, first >= tick_);
}

void Page::look(World& world) {
  if (!is_open()) return;
  const std::uint64_t before = tick_;
  note_episodes(world);
  if (world.tick() != before) after_tick(world);
}

void Page::restored(World& world) {
  note_episodes(world);
  moved(world, true);
}

void Page::present(const World& world) {
  note_episodes(world);
  is_jump_ = std::exchange(is_same_tick_, false) || is_jump_;
  if (is_behind() || is_jump_ || world.tick() != tick_) hand_over(world);
}

std::uint64_t Page::wait_shown() const {
  std::unique_lock lock(mutex_);
  const bool done = was_shown_.wait_for(lock, kPatience, [&] { return shown_ == handed_ || service_ == nullptr; });
  if (!done || service_ == nullptr)
    throw std::runtime_error(done ? "the page was closed" : "the page does not show the present moment: its server is overloaded");
  return epoch_;
}

void Page::hand_over(const World& world) {
  const double begun = runner::steady_now();
  due_ = begun + kUnwatched;
  if (!is_open() || is_elsewhere()) return;
  // a moment that nobody has looked at yet is replaced
  std::shared_ptr<Snapshot> state;
  {
    const std::lock_guard lock(mutex_);
    state = next_.state ? std::move(next_.state) : std::move(spare_);
  }
  world.snapshot_into(state);
  tick_ = world.tick();
  is_behind_ = false;
  {
    const std::lock_guard lock(mutex_);
    next_.state = std::move(state);
    std::move(events_.begin(), events_.end(), std::back_inserter(next_.events));
    next_.is_jump = next_.is_jump || is_jump_;
    ++handed_;
    if (service_) service_->live().post([this](server::Session& session) { show_next(session); });
  }
  events_.clear();
  is_jump_ = false;
  const double now = runner::steady_now();
  due_ = std::max(begun + (viewers() > 0 ? kWatched : kUnwatched), now + (kShare - 1) * (now - begun));
}

void Page::notice(World&, const std::string& text) {
  if (is_open()) fmt::print(stderr, "volary: {}\n", text);
}

// ---------------------------------------------------------------- on the server's thread

server::Remote Page::remote() {
  server::Remote r;
  r.submit = [this](Input input) -> core::Status {
    input.source += kPythonSource;  // clients come after Python
    const std::lock_guard lock(mutex_);
    inputs_.push_back(std::move(input));
    has_inputs_ = true;
    return core::ok();
  };
  r.change_run = [this](const server::Action& a) { return change_run(a); };
  r.is_paused = [this] { return is_held() || runner::steady_now() - moved_at_ > kStill; };
  r.watched = [this](std::size_t n) { count_viewers(n); };
  return r;
}

core::Status Page::change_run(const server::Action& a) {
  using server::wire::Command;
  const char* const python = "a program in Python steps this world";
  switch (a.command) {
    case Command::Pause: return hold_at_ = 0, core::ok();
    case Command::Step: return hold_at_ = tick_ + a.ticks, core::ok();
    case Command::Resume:
      if (hold_at_.exchange(kNever) != kNever) return core::ok();
      return refuse("Python does not step the world now", "it moves when the program calls step() or run()");
    case Command::Speed: return refuse(std::string(python) + " at a pace of its own", "change it in the program");
    case Command::Reset: return refuse(python, "call World.reset() or World.restore() there");
    case Command::Start: return refuse(python, "make a World of the other scenario there");
    default: return refuse(python, "end it there");
  }
}

// nobody is left who could resume
void Page::count_viewers(std::size_t n) {
  const std::size_t before = viewers();
  viewers_ = n;
  if (before > 0 && viewers() == 0) hold_at_ = kNever;
}

void Page::show_next(server::Session& session) {
  Moment moment;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (next_.state == nullptr) return;  // a newer one is being made
    moment = std::exchange(next_, {});
    number = handed_;
  }
  if (const core::Status shown = session.show(*moment.state, moment.events, moment.is_jump); !shown) session.notice(0, "bad", shown.error().text());
  if (session.world().tick() != std::exchange(shown_tick_, session.world().tick())) moved_at_ = runner::steady_now();
  const std::lock_guard lock(mutex_);
  spare_ = std::move(moment.state);
  shown_ = number;
  epoch_ = session.epoch();
  was_shown_.notify_all();
}

}  // namespace volary::python
