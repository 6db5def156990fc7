// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a transport has received and not yet handed on: bounded, in order of arrival, with an event that wakes a waiting thread.
// Full of data, it drops the oldest, because newer data repeats what older said. Full of control, it drops the newest, because
// control is confirmed and repeated by those who sent it. Neither takes the other's room.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "cluster/transport/transport.hpp"

namespace volary::cluster {

class Mailbox {
 public:
  explicit Mailbox(QueueLimits limits);
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void put(Received message);
  void change(LinkReport state, std::string reason);
  // the link to one of several peers; `all` is the state of the links together
  void change_peer(LinkReport state, std::string reason, std::string peer, bool is_return, LinkReport all);
  void dropped_in(LinkDrop reason, std::uint64_t n = 1);
  LinkDrop dropped_out(LinkDrop reason);  // hands its reason back
  void sent(std::size_t bytes);
  // a message that was counted as sent turned out not to be
  void unsent(std::size_t bytes, LinkDrop reason);
  // false when nothing waits; `out` is cleared before
  bool receive(std::vector<Received>& out);
  std::vector<LinkChange> link_changes();
  LinkReport state() const;
  bool wait(std::int64_t timeout_ns);
  void wake();
  int wake_fd() const { return event_; }
  TransportCounts counts() const;

 private:
  struct Waiting {
    std::uint64_t order;
    Received message;
  };
  struct Queue {
    std::deque<Waiting> waiting;
    std::size_t bytes = 0;
  };
  void note_change(LinkChange change);
  bool fits(const Queue& queue, std::size_t bytes) const;
  void signal();
  void drain_signal();

  const QueueLimits limits_;
  const int event_;
  mutable std::mutex mutex_;
  Queue data_, control_;
  std::uint64_t next_order_ = 0;
  std::deque<LinkChange> changes_;  // bounded: the oldest goes first
  LinkReport state_ = LinkReport::Connecting;
  bool was_up_ = false, is_signalled_ = false;
  TransportCounts counts_;
};

// the receiving half of a transport
class MailboxTransport : public Transport {
 public:
  bool receive(std::vector<Received>& out) final { return mailbox_.receive(out); }
  std::vector<LinkChange> link_changes() final { return mailbox_.link_changes(); }
  LinkReport state() const final { return mailbox_.state(); }
  bool wait(std::int64_t timeout_ns) final { return mailbox_.wait(timeout_ns); }
  void wake() final { mailbox_.wake(); }
  int wake_fd() const final { return mailbox_.wake_fd(); }
  TransportCounts counts() const final { return mailbox_.counts(); }

 protected:
  explicit MailboxTransport(QueueLimits limits) : mailbox_(limits) {}
  Mailbox mailbox_;
};

}  // namespace volary::cluster
