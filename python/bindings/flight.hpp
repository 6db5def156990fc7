// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world as Python has it: the world, what it was made of, and the runner that flies it. Controllers in Python are sources of that runner, the recorder and the
// list of events are sinks. No Python object is touched here: python/bindings/*.cpp do that.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "replay/recorder.hpp"
#include "runner/runner.hpp"
#include "volary/recording.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::python {

// what a world is made from
struct Source {
  std::string text;                    // of the scenario, where it is not a file
  std::string path;                    // of its file; empty: `text`
  std::string folder;                  // in which a text finds its files
  std::vector<std::string> overrides;  // "path=value"
};

// Keeps the newest events until somebody takes them.
struct EventList final : runner::Sink {
  static constexpr std::size_t kMost = 100'000;
  std::deque<Event> events;
  std::uint64_t dropped = 0;
  void event(World&, const Event& e) override;
  std::vector<Event> take();
};

class Controller;  // controller.hpp
class Page;        // page.hpp

class Flight {
 public:
  // throws ScenarioFault
  Flight(const Source& source, const RunOptions& options);
  // the world of another flight, at its present moment
  Flight(const Flight& of, const RunOptions& options);
  ~Flight();
  Flight& operator=(const Flight&) = delete;

  // both throw std::runtime_error while another thread steps the world
  World& world() { return check_thread(), *world_; }
  const World& world() const { return check_thread(), *world_; }
  // the world for episodes, which step it from now on instead of this, each time under a guard
  std::shared_ptr<World> hand_over() { return is_handed_over_ = true, world_; }
  const RunOptions& options() const { return options_; }
  const ScenarioFiles& files() const { return files_; }

  // Flies so many ticks at once, each after its sources. `is_interrupted` is asked now and then; true: fewer ticks were flown. Throws std::runtime_error when a source failed.
  std::uint64_t step(std::uint64_t ticks, const std::function<bool()>& is_interrupted);
  void restore(const Snapshot& snapshot);  // throws std::invalid_argument when it is of another world
  void reset(std::span<const std::uint8_t> mask, std::span<const std::uint32_t> episodes);

  void add(std::shared_ptr<runner::Source> source);
  void remove(const runner::Source* source);
  std::vector<Event> take_events() { return events_.take(); }

  void record(const std::string& path, const RecordOptions& options);  // throws std::invalid_argument
  // ends the recording; throws std::runtime_error when the file lacks something
  void stop_recording();
  bool is_recording() const { return recorder_ != nullptr && recorder_->recording(); }
  replay::Recorder* recorder() { return recorder_.get(); }

  std::shared_ptr<Page> watch(unsigned short port);  // at a page from now on, instead of one before; throws std::invalid_argument
  // What a step does for the page, where episodes step the world: moments go there, commands come from there, and a paused page holds the caller.
  void update_page(const std::function<bool()>& is_interrupted);
  void note(const Event& event);  // of a world that episodes step
  // Shows the world as it is between two ticks. False: another thread steps it.
  bool look(const std::function<void(const World&)>& at);

  std::vector<std::shared_ptr<Controller>> controllers;  // those among the sources

  // Marks the time in which this thread steps or changes the world. Throws std::runtime_error when another one does.
  class Guard;

  // Threads do not survive a fork: throws std::runtime_error in a child of the process that made the world, unless it has one thread and no recorder.
  void check_process() const;

 private:
  // the same for what episodes do not leave to others
  class Busy;
  void check_thread() const;
  void check_own() const;  // throws std::runtime_error when episodes have the world
  void begin();  // the runner anew, with the sources and sinks of now

  RunOptions options_;
  ScenarioFiles files_;
  std::shared_ptr<World> world_;
  EventList events_;
  std::vector<std::shared_ptr<runner::Source>> sources_;
  std::unique_ptr<replay::Recorder> recorder_;
  std::shared_ptr<Page> page_;
  runner::SteadyClock clock_;
  std::unique_ptr<runner::Runner> runner_;
  bool is_handed_over_ = false;
  std::atomic<std::thread::id> stepping_{};  // the thread that steps it now; none: nobody does
  pid_t process_;
};

class Flight::Guard {
 public:
  explicit Guard(Flight& f) : flight_(f) {
    std::thread::id nobody;
    if (!f.stepping_.compare_exchange_strong(nobody, std::this_thread::get_id()))
      throw std::runtime_error("the world is being stepped: a controller or another thread cannot step, reset, restore or record it meanwhile");
  }
  ~Guard() { flight_.stepping_ = std::thread::id(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Flight& flight_;
};

}  // namespace volary::python
