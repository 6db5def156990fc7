// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/live.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "math/scalar.hpp"

namespace volary::server {

namespace {

constexpr double kIdle = 0.05;      // s between two looks when nothing happens
constexpr double kLookout = 0.005;  // s, when a frame waits for its beat

// a scenario that is too large for this machine must not end the run before it
core::Status act_safely(Session& s, std::uint32_t client, const Action& action) {
  try {
    return s.act(client, action);
  } catch (const std::exception& e) {
    return core::Error{.message = std::string("this failed: ") + e.what(), .suggestion = "fewer vehicles?"};
  }
}

}  // namespace

std::int64_t beat_of(double now, double rate) { return static_cast<std::int64_t>(now * rate); }

core::Result<std::unique_ptr<Live>> Live::create(const WorldDef& def, SessionOptions options) {
  std::unique_ptr<Live> live(new Live());
  if (options.clock == nullptr) options.clock = live->clock_;
  live->clock_ = options.clock;
  core::Result<std::unique_ptr<Session>> session = Session::create(def, std::move(options));
  if (!session) return session.error();
  live->session_ = std::move(session).value();
  live->state_ = static_cast<int>(live->session_->state());
  live->planned_ = live->session_->planned();
  return live;
}

Live::~Live() { stop(); }

void Live::start() {
  core::require(!thread_.joinable(), "a live world is started once");
  thread_ = std::thread([this] { loop(); });
}

void Live::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    pending_ = true;
  }
  clock_->wake();
  over_.notify_all();
  if (thread_.joinable()) thread_.join();
  // answers that nobody waits for any more must not outlive the sockets they belong to
  queue_.clear();
  stepping_.clear();
}

void Live::post(std::function<void(Session&)> task) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_) return;
    queue_.push_back(std::move(task));
    pending_ = true;
  }
  clock_->wake();
}

void Live::act(std::uint32_t client, Action action, Reply reply) {
  post([this, client, action = std::move(action), reply = std::move(reply)](Session& s) {
    const core::Status done = act_safely(s, client, action);
    if (done && action.command == wire::Command::Step && s.steps_left() > 0) {
      if (reply) stepping_.push_back(reply);
      return;
    }
    if (reply) reply(done, s.status_text());
  });
}

void Live::control(std::uint32_t client, ControlMessage message, std::function<void(core::Status)> reply) {
  post([client, message, reply = std::move(reply)](Session& s) {
    const core::Status done = s.control(client, message);
    if (reply) reply(done);
  });
}

void Live::join(std::uint32_t client, Scope scope, std::function<void(Welcome)> reply) {
  post([client, scope, reply = std::move(reply)](Session& s) {
    s.want(client, {});
    reply(s.welcome(scope));
  });
}

void Live::want(std::uint32_t client, WantMessage message) {
  post([client, message = std::move(message)](Session& s) {
    s.want(client, s.wish_of(client, message));
    s.want_plots(client, message.plots);
    s.want_estimates(client, message.estimates);
    s.want_bodies(client, message.bodies);
  });
}

void Live::leave(std::uint32_t client) {
  post([client](Session& s) { s.leave(client); });
}

void Live::set_rates(std::vector<std::pair<double, LiveView>> rates) {
  post([this, rates = std::move(rates)](Session&) {
    std::vector<Beat> beats;
    for (const auto& [rate, view] : rates) {
      const auto old = std::find_if(beats_.begin(), beats_.end(), [&](const Beat& b) { return b.rate == rate && b.view == view; });
      beats.push_back(old != beats_.end() ? *old : Beat{rate, view, 0, nullptr});
    }
    beats_ = std::move(beats);
  });
}

bool Live::wait_finished(double seconds) {
  std::unique_lock lock(mutex_);
  over_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return stop_ || state() == LiveState::Finished; });
  return state() == LiveState::Finished;
}

// ---------------------------------------------------------------- the thread that steps

bool Live::serve_queue() {
  if (!pending_.load(std::memory_order_acquire)) return true;
  std::vector<std::function<void(Session&)>> tasks;
  {
    const std::lock_guard lock(mutex_);
    if (stop_) return false;
    tasks.swap(queue_);
    pending_ = false;
  }
  for (const auto& task : tasks) task(*session_);
  answer_steps();
  return true;
}

void Live::answer_steps() {
  if (stepping_.empty() || session_->steps_left() > 0) return;
  for (const Reply& reply : std::exchange(stepping_, {})) reply(core::ok(), session_->status_text());
}

void Live::offer_frame(double now) {
  std::array<bool, kLiveViews> due{};
  for (Beat& b : beats_) {
    const std::int64_t beat = beat_of(now, b.rate);
    if (beat <= b.last || (!session_->frame_is_new(b.view) && b.sent == session_->last_frame(b.view))) continue;
    bool& is_due = due[static_cast<std::size_t>(b.view)];
    if (!is_due) is_due = session_->frame(b.view) != nullptr;
    b.last = beat;
    b.sent = session_->last_frame(b.view);
  }
  for (std::size_t k = 0; k < due.size() && outlet_.frame; ++k)
    if (due[k]) outlet_.frame(session_->last_frame(static_cast<LiveView>(k)), now);
}

// what the session has to say, and where it stands
void Live::flush() {
  session_->watch();
  tick_ = session_->world().tick();
  planned_ = session_->planned();
  if (const auto state = static_cast<int>(session_->state()); state_.exchange(state) != state) {
    const std::lock_guard lock(mutex_);
    over_.notify_all();
  }
  std::vector<Outgoing> out = session_->take_outgoing();
  if (!out.empty() && outlet_.messages) outlet_.messages(std::move(out));
  if (!beats_.empty()) offer_frame(clock_->now());
}

// until the next tick, the next frame or the next command; leases and statuses want a look now and then
void Live::nap(double seconds) {
  const bool frame_waits = std::any_of(beats_.begin(), beats_.end(), [&](const Beat& b) { return session_->frame_is_new(b.view); });
  clock_->sleep_until(clock_->now() + std::min(seconds, frame_waits ? kLookout : kIdle));
}

void Live::loop() {
  while (serve_queue()) {
    flush();
    const double wait = session_->turn();
    answer_steps();
    if (wait > 0) nap(wait);
  }
  session_->finish();
  flush();
}

}  // namespace volary::server
