// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A session with a thread of its own. Only that thread touches the world: commands wait in a queue until it has finished its
// tick, and what clients are told is handed to an outlet that must not block.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "server/session.hpp"

namespace volary::server {

// where messages and frames go; called on the thread that steps
struct Outlet {
  std::function<void(std::vector<Outgoing>)> messages;
  std::function<void(std::shared_ptr<const Frame>, double now)> frame;  // for clients whose turn it is
};

// Frames are made on a common beat: a client of rate r gets one when floor(now * r) has moved on, so that all clients of
// one rate share an encoding.
std::int64_t beat_of(double now, double rate);

class Live {
 public:
  using Reply = std::function<void(core::Status, std::string status_text)>;

  static core::Result<std::unique_ptr<Live>> create(const WorldDef& def, SessionOptions options);
  ~Live();  // stops

  void set_outlet(Outlet outlet) { outlet_ = std::move(outlet); }  // before start()
  void start();
  void stop();

  // from any thread; replies come on the thread that steps. A step is answered when it is done.
  void act(std::uint32_t client, Action action, Reply reply);
  void control(std::uint32_t client, ControlMessage message, std::function<void(core::Status)> reply = {});
  void join(std::uint32_t client, Scope scope, std::function<void(Welcome)> reply);
  void leave(std::uint32_t client);
  void want(std::uint32_t client, WantMessage message);
  // rates and views that clients want, each pair once
  void set_rates(std::vector<std::pair<double, LiveView>> rates);
  // anything else that needs the world
  void post(std::function<void(Session&)> task);

  // what progress lines need, from any thread
  LiveState state() const { return static_cast<LiveState>(state_.load()); }
  std::uint64_t tick() const { return tick_.load(); }
  std::uint64_t planned() const { return planned_.load(); }
  // until the run is over, the server is told to stop, or so many seconds have passed; true when over
  bool wait_finished(double seconds);

 private:
  Live() = default;
  void loop();
  bool serve_queue();           // false when told to stop
  void flush();
  void offer_frame(double now);
  void nap(double seconds);
  void answer_steps();

  runner::SteadyClock own_clock_;
  runner::Clock* clock_ = &own_clock_;
  std::unique_ptr<Session> session_;
  Outlet outlet_;
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable over_;
  std::vector<std::function<void(Session&)>> queue_;
  bool stop_ = false;
  std::atomic<bool> pending_{false};
  std::atomic<int> state_{0};
  std::atomic<std::uint64_t> tick_{0}, planned_{0};

  // of the thread that steps
  struct Beat {
    double rate = 0;
    LiveView view = LiveView::Committed;
    std::int64_t last = 0;
    std::shared_ptr<const Frame> sent;
  };
  std::vector<Beat> beats_;
  std::vector<Reply> stepping_;
};

}  // namespace volary::server
