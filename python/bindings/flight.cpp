// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "flight.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <utility>

#include <unistd.h>

#include "faults.hpp"
#include "page.hpp"
#include "replay/public.hpp"

namespace volary::python {

namespace {

// signals are looked for after so much time: often enough for Ctrl-C, seldom enough to cost nothing
constexpr auto kLook = std::chrono::milliseconds(20);
constexpr double kNap = 0.02;  // s, the longest while a source is not ready

}  // namespace

class Flight::Busy : public Guard {
 public:
  explicit Busy(Flight& f) : Guard((f.check_own(), f)) {}
};

void Flight::check_own() const {
  if (is_handed_over_) throw std::runtime_error("the world belongs to an environment, which steps and resets it: call step() and reset() of the environment");
}

void Flight::check_thread() const {
  const std::thread::id now = stepping_.load(std::memory_order_relaxed);
  if (now != std::thread::id() && now != std::this_thread::get_id())
    throw std::runtime_error("the world is being stepped by another thread: look at it and steer it from that thread, or between two steps");
}

void EventList::event(World&, const Event& e) {
  events.push_back(e);
  if (events.size() <= kMost) return;
  events.pop_front();
  ++dropped;
}

std::vector<Event> EventList::take() {
  std::vector<Event> list;
  if (dropped > 0 && !events.empty())
    list.push_back({events.front().tick, {}, "", "events: " + std::to_string(dropped) + " earlier ones were dropped; take them more often", kEveryWorld});
  list.insert(list.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
  events.clear();
  dropped = 0;
  return list;
}

Flight::Flight(const Source& source, const RunOptions& options) : options_(options), process_(getpid()) {
  const ScenarioPaths paths{.folder = source.folder};
  Loaded<WorldDef> def = source.path.empty() ? load_scenario_text(source.text, paths, source.overrides, &files_)
                                             : load_scenario(source.path, paths, source.overrides, &files_);
  if (!def) throw ScenarioFault(def.error);
  std::string error;
  world_ = World::create(*def.value, options, &error);
  if (world_ == nullptr) throw ScenarioFault(def.value->name + ": " + error);
  begin();
}

Flight::Flight(const Flight& of, const RunOptions& options) : options_(options), files_(of.files_), world_(of.world_->branch(options)), process_(getpid()) { begin(); }

Flight::~Flight() {
  if (runner_ != nullptr) runner_->end();
  if (page_ != nullptr) page_->close();
}

void Flight::begin() {
  runner_ = std::make_unique<runner::Runner>(clock_);
  for (const auto& s : sources_) runner_->add(*s);
  if (page_ != nullptr) runner_->add(static_cast<runner::Source&>(*page_));
  if (recorder_ != nullptr) runner_->add(*recorder_);
  runner_->add(events_);
  if (page_ != nullptr) runner_->add(static_cast<runner::Sink&>(*page_));
  runner_->begin(*world_, {.end = std::numeric_limits<std::uint64_t>::max(), .paused = true});
}

std::uint64_t Flight::step(std::uint64_t ticks, const std::function<bool()>& is_interrupted) {
  check_process();
  const Busy busy(*this);
  const std::uint64_t first = world_->tick();
  auto looked = std::chrono::steady_clock::now();
  runner_->step(ticks);
  while (runner_->steps_left() > 0) {
    const double wait = runner_->turn();
    if (runner_->outcome() == runner::Outcome::Failed) {
      const std::string why = runner_->failure();
      begin();
      throw std::runtime_error(why);
    }
    if (runner_->steps_left() == 0) break;
    if (wait > 0) clock_.sleep_until(clock_.now() + std::min(wait, kNap));
    if (const auto now = std::chrono::steady_clock::now(); now - looked > kLook) {
      looked = now;
      if (is_interrupted()) {
        runner_->pause();
        break;
      }
    }
  }
  return world_->tick() - first;
}

void Flight::restore(const Snapshot& snapshot) {
  check_process();
  const Busy busy(*this);
  const core::Status done = runner_->restore(snapshot);
  if (!done) throw std::invalid_argument(done.error().text());
}

void Flight::reset(std::span<const std::uint8_t> mask, std::span<const std::uint32_t> episodes) {
  check_process();
  const Busy busy(*this);
  if (is_recording()) throw std::invalid_argument("a recording does not contain resets: end it with stop_recording() before reset()");
  world_->reset(mask, episodes);
  if (page_ != nullptr) page_->look(*world_);
}

void Flight::add(std::shared_ptr<runner::Source> source) {
  const Busy busy(*this);
  sources_.push_back(std::move(source));
  begin();
}

void Flight::remove(const runner::Source* source) {
  const Busy busy(*this);
  std::erase_if(sources_, [&](const auto& s) { return s.get() == source; });
  begin();
}

void Flight::record(const std::string& path, const RecordOptions& o) {
  check_process();
  const Busy busy(*this);
  if (is_recording()) throw std::invalid_argument("the world is already recorded to " + recorder_->path() + ": call stop_recording() first");
  auto opened = replay::open_recorder(path, *world_, files_, o);
  if (!opened) throw std::invalid_argument(opened.error().text());
  recorder_ = std::move(opened).value();
  begin();
}

void Flight::stop_recording() {
  if (recorder_ == nullptr) return;
  const Busy busy(*this);
  const std::unique_ptr<replay::Recorder> recorder = std::exchange(recorder_, nullptr);
  begin();
  if (const core::Status closed = recorder->close(); !closed) throw std::runtime_error(closed.error().text());
}

std::shared_ptr<Page> Flight::watch(unsigned short port) {
  check_process();
  const Guard guard(*this);
  if (page_ != nullptr) page_->close();
  page_ = std::make_shared<Page>(*world_, options_, port);
  begin();
  return page_;
}

void Flight::note(const Event& event) {
  events_.event(*world_, event);
  if (page_ != nullptr) page_->event(*world_, event);
}

void Flight::update_page(const std::function<bool()>& is_interrupted) {
  if (page_ == nullptr) return;
  const Guard guard(*this);
  if (is_handed_over_) page_->look(*world_);
  while (!page_->is_ready(*world_)) {
    clock_.sleep_until(clock_.now() + kNap);
    if (is_interrupted()) return;
  }
  if (!is_handed_over_) return;
  std::vector<Input> inputs;
  if (page_->give(*world_, inputs))
    for (Input& in : inputs) world_->submit(std::move(in));
}

bool Flight::look(const std::function<void(const World&)>& at) {
  std::thread::id nobody;
  const bool is_free = stepping_.compare_exchange_strong(nobody, std::this_thread::get_id());
  if (!is_free && nobody != std::this_thread::get_id()) return false;
  at(*world_);
  if (is_free) stepping_ = std::thread::id();
  return true;
}

void Flight::check_process() const {
  if (process_ == getpid() || (options_.threads == 1 && recorder_ == nullptr)) return;
  throw std::runtime_error(std::string("the world was made before fork() and ") + (recorder_ != nullptr ? "is recorded by a thread" : "has more than one thread") +
                           ", which a child process does not have: make the world in the child, pickle it, or start processes with the method 'spawn'");
}

}  // namespace volary::python
