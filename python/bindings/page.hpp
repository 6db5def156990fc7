// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page of a world that Python steps. The server has a world of the same definition, which it never steps: the page is a sink of Python's runner that hands over
// snapshots, and a source whose inputs are the commands of clients. Threads of the server touch neither Python nor its world.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

#include "runner/runner.hpp"
#include "server/service.hpp"
#include "volary/world.hpp"

namespace volary::python {

class Page final : public runner::Source, public runner::Sink {
 public:
  // Listens on the loopback address; port 0: any that is free. Throws std::invalid_argument when it cannot.
  Page(const World& world, const RunOptions& options, unsigned short port);
  ~Page() override;
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  // from any thread
  void close();
  bool is_open() const { return is_open_.load(std::memory_order_relaxed); }
  const std::string& url() const { return url_; }
  std::size_t viewers() const;  // browsers that watch now
  void set_own_viewers(std::size_t n) { own_viewers_ = n; }  // those among them that make pictures for Python: nobody looks at them between two pictures
  bool is_behind() const { return is_behind_.load(std::memory_order_relaxed); }  // the world has moved since the last moment that was handed over

  // until the moments that were handed over are shown: the epoch that clients are told with them; throws std::runtime_error
  std::uint64_t wait_shown() const;

  // on the thread that has the world
  void hand_over(const World& world);
  void look(World& world);  // whatever was done to it since the last look: ticks and resets
  // The present moment, so that a client can tell it from all before: of two moments of one tick the second is a jump.
  void present(const World& world);

  std::string name() const override { return "the page " + url_ + ", which is paused"; }
  runner::Patience patience() const override;
  bool is_ready(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  void reset(const World& world) override;
  void event(World& world, const Event& event) override;
  void after_tick(World& world) override;
  void restored(World& world) override;
  void notice(World& world, const std::string& text) override;

 private:
  struct Moment {
    std::shared_ptr<Snapshot> state;
    std::vector<Event> events;  // since the moment before
    bool is_jump = false;
  };
  server::Remote remote();
  core::Status change_run(const server::Action& action);
  void count_viewers(std::size_t n);
  void show_next(server::Session& session);
  bool is_elsewhere() const;  // this is a child of the process that opened the page, and has none of its threads
  void note_episodes(const World& world);
  void moved(const World& world, bool is_jump);  // by other means than a tick
  bool is_held() const { return tick_.load() >= hold_at_.load(); }

  std::string url_;
  pid_t process_;
  std::atomic<bool> is_open_{true}, is_behind_{false}, has_inputs_{false};
  std::atomic<std::uint64_t> tick_{0}, hold_at_;  // Python's world is at; is to wait at
  std::atomic<std::size_t> viewers_{0}, own_viewers_{0};

  // of the thread that has the world
  std::vector<Event> events_;
  bool is_jump_ = true, is_same_tick_ = false;  // it moved by other means than a step, since the last one
  std::uint64_t episodes_ = 0, begun_ = 0;  // of all worlds: sum of the episodes, last tick at which one began
  double due_ = 0;  // s of the wall: no moment is handed over before

  // of the server's thread that shows
  double moved_at_ = -1e9;  // s of the wall
  std::uint64_t shown_tick_ = 0;

  mutable std::mutex mutex_;  // of what follows
  mutable std::condition_variable was_shown_;
  std::uint64_t handed_ = 0, shown_ = 0, epoch_ = 0;  // moments that were handed over, the last one that is shown
  Moment next_;
  std::shared_ptr<Snapshot> spare_;
  std::vector<Input> inputs_;
  std::unique_ptr<server::Service> service_;  // none: closed
};

}  // namespace volary::python
