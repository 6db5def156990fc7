// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a federation does for those around it: it takes inputs and orders, keeps the states of nodes, and says how it does.
#include <algorithm>
#include <bit>
#include <chrono>

#include <fmt/format.h>

#include "cluster/hub.hpp"
#include "cluster/world_host.hpp"

namespace volary::cluster {

namespace {
constexpr Time kStatusEvery = 50'000'000, kNoticeEvery = 300'000'000, kViewEvery = 500'000'000, kStandby = 3'000'000'000;  // ns
constexpr Tick kMostReady = 256;  // committed ticks that wait for whoever takes them
constexpr auto kPatience = std::chrono::seconds(5);
core::Error fault(std::string message, std::string suggestion = {}) {
  return {.message = std::move(message), .field = "federation", .suggestion = std::move(suggestion)};
}
}  // namespace

// ---------------------------------------------------------------- work for the hub's own thread

core::Status Hub::in_thread(const std::function<core::Status()>& work) {
  const auto task = std::make_shared<Task>();
  task->work = work;
  std::unique_lock lock(mutex_);
  if (is_stopping_ || !failure_.empty()) return fault("the federation is over");
  tasks_.push_back(task);
  lock.unlock();
  transport_.wake();
  lock.lock();
  const auto is_done = [&] { return task->is_done; };
  if (!task_done_.wait_for(lock, kPatience, is_done)) {
    if (std::erase(tasks_, task) > 0) return fault("the coordinator does not answer");
    task_done_.wait(lock, is_done);  // it is at work on it
  }
  return task->done;
}

void Hub::do_tasks() {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (tasks_.empty()) return;
    const std::shared_ptr<Task> task = tasks_.front();
    tasks_.pop_front();
    lock.unlock();
    core::Status done = task->work();
    lock.lock();
    task->done = std::move(done), task->is_done = true;
    task_done_.notify_all();
  }
}

core::Result<Given> Hub::submit(Input input) {
  Given given;
  const core::Status done = in_thread([&]() -> core::Status {
    if (input.seq == 0) input.seq = next_seq_[input.source] + 1;
    // nodes that are already there go back for an input that is earlier
    const Tick tick = input.tick > 0 ? input.tick + 1 : coordinator_->aligned() + 2;
    auto entry = coordinator_->submit(input_bytes(input), tick);
    if (!entry) return entry.error();
    next_seq_[input.source] = std::max(next_seq_[input.source], input.seq);
    given = {entry.value().sequence, entry.value().effective - 1};
    return core::ok();
  });
  if (!done) return done.error();
  return given;
}

core::Status Hub::set_paused(bool paused) {
  return in_thread([&] { return coordinator_->set_paused(paused), core::ok(); });
}

void Hub::hold_at(Tick tick) {
  hold_ = tick;
  transport_.wake();
}

// What is committed ends at the hold. Nodes are told to pause when they have come so far; those that are a little ahead have computed nothing in vain.
void Hub::keep_hold() {
  const Tick hold = hold_;
  coordinator_->set_watermark(o_.parcel.live ? hold : std::min(hold, taken_ + kMostReady));
  const bool is_held = hold != kNever && coordinator_->aligned() >= hold;
  if (is_held != is_held_) coordinator_->set_paused(is_held);
  is_held_ = is_held;
}

core::Status Hub::set_speed(double speed) {
  if (o_.parcel.live && !(speed > 0)) return fault("a live federation goes by the clock: its speed must be above 0");
  return in_thread([&] {
    o_.period = speed > 0 ? static_cast<Time>(static_cast<double>(o_.tick) / speed) : 0;
    coordinator_->want_period(o_.period, monotonic_ns());
    return core::ok();
  });
}

// ---------------------------------------------------------------- nodes

std::optional<std::size_t> Hub::find(const std::string& node) const {
  for (std::size_t id = 0; id < members_; ++id) {
    if (id < o_.names.size() && o_.names[id] == node) return id;
    if (node == std::to_string(id)) return id;
  }
  const std::uint64_t number = account_number(node);
  for (std::size_t id = 0; id < members_; ++id)
    if (coordinator_->members().is_known(id) && coordinator_->members()[id].account == number) return id;
  return std::nullopt;
}

core::Status Hub::notify(const std::string& node, NoticeKind kind) {
  return in_thread([&]() -> core::Status {
    const std::optional<std::size_t> id = find(node);
    if (!id) return fault(fmt::format("there is no node '{}'", node), "'volary federation status' lists the nodes");
    const NodeState state = coordinator_->health(*id, monotonic_ns()).state;
    if (state != NodeState::Running && state != NodeState::Starting && state != NodeState::Silent)
      return fault(fmt::format("node {} is {}", node, name_of(state)));
    const std::uint64_t nonce = coordinator_->members()[*id].nonce;
    if (kind == NoticeKind::HandOver) leaving_[*id] = nonce;
    publish(topics_.all(), Notice{.term = coordinator_->term(), .nonce = nonce, .kind = kind}, {.qos = 1});
    return core::ok();
  });
}
core::Status Hub::hand_over(const std::string& node) { return notify(node, NoticeKind::HandOver); }
core::Status Hub::end(const std::string& node) { return notify(node, NoticeKind::End); }

// until somebody else has the place
void Hub::repeat_notices() {
  const Time now = monotonic_ns();
  if (now < notice_at_) return;
  notice_at_ = now + kNoticeEvery;
  for (std::size_t id = 0; id < members_; ++id) {
    if (leaving_[id] == 0) continue;
    if (leaving_[id] != coordinator_->members()[id].nonce || coordinator_->is_vacant(id))
      leaving_[id] = 0;
    else
      publish(topics_.all(), Notice{.term = coordinator_->term(), .nonce = leaving_[id], .kind = NoticeKind::HandOver}, {.qos = 1});
  }
}

// ---------------------------------------------------------------- states

void Hub::keep_state(const Received& r) {
  const std::string account = Topics::account_of(r.topic);
  const std::uint64_t number = account_number(account);
  if (!accounts_.contains(number)) return drops_.add(Drop::Unauthorised);
  auto whole = incoming_[account].add(r.bytes);
  if (!whole) return drops_.add(Drop::Malformed);
  if (!whole.value()) return;
  auto state = read_saved_state(*whole.value());
  if (!state) return drops_.add(Drop::Malformed);
  const SavedState& s = state.value();
  const Member& m = coordinator_->members()[s.member];
  if (s.member >= members_ || m.account != number) return drops_.add(Drop::Unauthorised);
  if (m.incarnation != s.incarnation) return drops_.add(Drop::Fenced);
  if (s.tick > coordinator_->committed()) return drops_.add(Drop::Unexpected);
  if (s.tick > coordinator_->kept(s.member)) states_[s.member] = std::move(*whole.value());
  coordinator_->keep(s.member, s.tick);
  publish(topics_.all(), Notice{.term = coordinator_->term(), .nonce = m.nonce, .kind = NoticeKind::Kept, .tick = coordinator_->kept(s.member)});
}

void Hub::give_state(const Fetch& fetch) {
  if (fetch.member >= members_ || states_[fetch.member].empty() || fetch.tick != coordinator_->kept(fetch.member)) return drops_.add(Drop::Unexpected);
  // asked again while it is on its way
  if (senders_[fetch.member].is_done()) senders_[fetch.member].begin(topics_.given(fetch.member), states_[fetch.member]);
}

void Hub::send_states() {
  for (PieceSender& sender : senders_) {
    sender.send(transport_);
    if (!sender.is_done()) until_ = std::min(until_, monotonic_ns() + 1'000'000);
  }
}

// ---------------------------------------------------------------- orders

std::optional<Order> Hub::take_order() {
  const std::scoped_lock lock(mutex_);
  if (orders_.empty()) return std::nullopt;
  Order order = std::move(orders_.front());
  orders_.pop_front();
  return order;
}

void Hub::answer(const Order& order, const std::string& text) { transport_.publish(topics_.answer(order.account), std::as_bytes(std::span(text)), {.qos = 1}); }

// ---------------------------------------------------------------- health

void Hub::take_status() {
  const Time now = monotonic_ns();
  if (now < status_at_) return;
  status_at_ = now + kStatusEvery;
  std::erase_if(standbys_, [&](const auto& s) { return now - s.second > kStandby; });
  FederationHealth h{.federation = o_.federation, .scenario = o_.scenario, .mode = o_.parcel.live ? kLive : kStrict, .dead_node = name_of(o_.policy)};
  coordinator_->fill(h);
  h.planned = o_.parcel.ticks;
  h.dropped = drops_.sum() + coordinator_->drops().sum();
  h.tick = static_cast<double>(o_.tick) * 1e-9;
  h.speed = h.rate * h.tick;
  if (now >= view_at_) view_.decide(h.is_overloaded, now), view_at_ = now + kViewEvery;
  const double rate = h.period > 0 ? 1 / h.period : h.rate;
  h.view_every = view_.every(o_.view_period, rate);
  h.view_rate = rate / h.view_every;
  h.standbys = static_cast<std::uint32_t>(standbys_.size());
  std::size_t joined = 0;
  for (std::size_t id = 0; id < members_; ++id) {
    NodeHealth n = coordinator_->health(id, now);
    n.name = id < o_.names.size() ? o_.names[id] : std::to_string(id);
    const std::uint64_t account = coordinator_->members()[id].account;
    if (const auto found = accounts_.find(account); found != accounts_.end()) n.account = found->second, n.host = hosts_[account];
    joined += n.incarnation > 0 ? 1 : 0;
    h.nodes.push_back(std::move(n));
  }
  const std::scoped_lock lock(mutex_);
  missing_ = members_ - joined;
  health_ = std::move(h);
}

}  // namespace volary::cluster
