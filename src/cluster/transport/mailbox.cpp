// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mailbox.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "core/check.hpp"

namespace volary::cluster {

namespace {
constexpr std::size_t kMostChanges = 1024;
std::size_t size_of(const Received& message) { return message.bytes.size() + message.topic.size(); }
}  // namespace

Mailbox::Mailbox(QueueLimits limits) : limits_(limits), event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  core::require(event_ >= 0, "the system gave no event for a transport: too many open files?");
}
Mailbox::~Mailbox() { ::close(event_); }

void Mailbox::signal() {
  if (is_signalled_) return;
  is_signalled_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto n = ::write(event_, &one, sizeof one);
}
void Mailbox::drain_signal() {
  is_signalled_ = false;
  std::uint64_t n = 0;
  [[maybe_unused]] const auto got = ::read(event_, &n, sizeof n);
}

bool Mailbox::fits(const Queue& queue, std::size_t bytes) const { return queue.waiting.size() < limits_.messages && queue.bytes + bytes <= limits_.bytes; }

void Mailbox::put(Received message) {
  const std::size_t size = size_of(message);
  const std::lock_guard lock(mutex_);
  Queue& queue = message.qos > 0 ? control_ : data_;
  std::uint64_t& full = counts_.dropped_in[static_cast<std::size_t>(LinkDrop::QueueFull)];
  if (&queue == &data_) {
    while (!queue.waiting.empty() && !fits(queue, size)) {
      queue.bytes -= size_of(queue.waiting.front().message);
      queue.waiting.pop_front();
      ++full;
    }
  }
  if (!fits(queue, size)) {
    ++full;
    return;
  }
  counts_.messages_in += 1;
  counts_.bytes_in += message.bytes.size();
  queue.bytes += size;
  queue.waiting.push_back({next_order_++, std::move(message)});
  signal();
}

void Mailbox::change(LinkReport state, std::string reason) {
  const std::lock_guard lock(mutex_);
  if (state == LinkReport::Up && was_up_) ++counts_.reconnects;
  was_up_ = was_up_ || state == LinkReport::Up;
  state_ = state;
  note_change({state, std::move(reason), monotonic_ns()});
}

void Mailbox::change_peer(LinkReport state, std::string reason, std::string peer, bool is_return, LinkReport all) {
  const std::lock_guard lock(mutex_);
  if (is_return) ++counts_.reconnects;
  state_ = all;
  note_change({state, std::move(reason), monotonic_ns(), std::move(peer)});
}

void Mailbox::note_change(LinkChange change) {
  if (changes_.size() >= kMostChanges) changes_.pop_front();
  changes_.push_back(std::move(change));
  signal();
}

void Mailbox::dropped_in(LinkDrop reason, std::uint64_t n) {
  const std::lock_guard lock(mutex_);
  counts_.dropped_in[static_cast<std::size_t>(reason)] += n;
}
LinkDrop Mailbox::dropped_out(LinkDrop reason) {
  const std::lock_guard lock(mutex_);
  ++counts_.dropped_out[static_cast<std::size_t>(reason)];
  return reason;
}
void Mailbox::sent(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  counts_.messages_out += 1;
  counts_.bytes_out += bytes;
}
void Mailbox::unsent(std::size_t bytes, LinkDrop reason) {
  const std::lock_guard lock(mutex_);
  counts_.messages_out -= 1;
  counts_.bytes_out -= bytes;
  ++counts_.dropped_out[static_cast<std::size_t>(reason)];
}

bool Mailbox::receive(std::vector<Received>& out) {
  out.clear();
  const std::lock_guard lock(mutex_);
  drain_signal();
  // both queues are in order of arrival: merge them
  auto d = data_.waiting.begin(), c = control_.waiting.begin();
  const auto d_end = data_.waiting.end(), c_end = control_.waiting.end();
  while (d != d_end || c != c_end) {
    const bool takes_data = c == c_end || (d != d_end && d->order < c->order);
    out.push_back(std::move((takes_data ? d++ : c++)->message));
  }
  data_ = {};
  control_ = {};
  return !out.empty();
}

std::vector<LinkChange> Mailbox::link_changes() {
  const std::lock_guard lock(mutex_);
  std::vector<LinkChange> out(std::make_move_iterator(changes_.begin()), std::make_move_iterator(changes_.end()));
  changes_.clear();
  if (data_.waiting.empty() && control_.waiting.empty()) drain_signal();
  return out;
}

LinkReport Mailbox::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}
TransportCounts Mailbox::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

bool Mailbox::wait(std::int64_t timeout_ns) {
  timeout_ns = std::max<std::int64_t>(timeout_ns, 0);
  const timespec limit{.tv_sec = timeout_ns / 1'000'000'000, .tv_nsec = timeout_ns % 1'000'000'000};
  pollfd event{.fd = event_, .events = POLLIN, .revents = 0};
  return ::ppoll(&event, 1, &limit, nullptr) > 0;
}

void Mailbox::wake() {
  const std::lock_guard lock(mutex_);
  signal();
}

}  // namespace volary::cluster
