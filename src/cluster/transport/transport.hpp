// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the messages of a federation travel. A transport moves bytes under topics; it knows nothing of what they mean, of ticks or of time.
// Topics and patterns are those of MQTT: levels between slashes, '+' for one level, '#' for the rest.
//
// A host thread drives it so:
//     transport->wait(until_next_tick);       // sleeps until something arrived, the link changed, wake() was called or the time is over
//     transport->receive(batch);              // everything that arrived since, in the order of arrival
//     for (LinkChange& c : transport->link_changes()) ...
//     transport->publish(topic, bytes);       // never blocks: what cannot be queued is dropped and counted
// or it puts wake_fd() into a poll of its own. All functions may be called from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::cluster {

// quality of service 0: at most once, for data; 1: at least once, for control. A retained message is also given to those who subscribe later.
struct Delivery {
  int qos = 0;
  bool retained = false;
};

struct Received {
  std::string topic;
  std::vector<std::byte> bytes;
  std::int64_t arrival_ns = 0;  // monotonic_ns() when it was read from the network
  int qos = 0;
  bool retained = false;  // it was kept for us: older than our subscription
};

// published by others in our name when our process dies without close()
struct Will {
  std::string topic;
  std::vector<std::byte> bytes;
  Delivery delivery = {.qos = 1, .retained = true};
};

// why a message was not taken, or not handed on
enum class LinkDrop {
  None,           // it was taken
  QueueFull,      // more waits than the queue may hold
  TooLarge,       // larger than the largest message
  BadTopic,       // empty, too long, or with wildcards where none may be
  NotConnected,   // there is no link, and a message at quality 0 does not wait for one
  Refused,        // the broker did not permit the topic
  Unreachable,    // the system refused to send the datagram
  Foreign,        // of another federation, or from an address that is no peer
  Malformed,      // its bytes contradict themselves
  Unauthentic,    // it was not made with our secret
  Replayed,       // it was received before, or belongs to an earlier life of its sender
  Incomplete,     // some of its fragments did not come in time
  Unacknowledged, // sent again until the patience ended, and a peer did not answer
  System,         // dropped by the operating system before we could read it
};
inline constexpr std::size_t kLinkDrops = 14;
const char* name_of(LinkDrop reason);

struct TransportCounts {
  std::uint64_t messages_out = 0, bytes_out = 0;  // taken by publish
  std::uint64_t messages_in = 0, bytes_in = 0;    // put into the queue of received messages
  std::uint64_t reconnects = 0;                   // links that came up again
  std::array<std::uint64_t, kLinkDrops> dropped_out = {}, dropped_in = {};  // by LinkDrop

  std::uint64_t out(LinkDrop reason) const { return dropped_out[static_cast<std::size_t>(reason)]; }
  std::uint64_t in(LinkDrop reason) const { return dropped_in[static_cast<std::size_t>(reason)]; }
};

enum class LinkReport { Connecting, Up, Down, Closed };
const char* name_of(LinkReport state);
struct LinkChange {
  LinkReport state = LinkReport::Connecting;
  std::string reason;  // in words, where it went down
  std::int64_t at_ns = 0;
  std::string peer = {};  // of direct links: whose
};

// limits of the queue of received messages, once for data (quality 0) and once for control (quality 1)
struct QueueLimits {
  std::size_t messages = 4096;
  std::size_t bytes = 64u << 20;
};
inline constexpr std::size_t kMaxMessage = 1u << 20;  // bytes of a message without its topic, by default
inline constexpr std::size_t kMaxTopic = 256;

class Transport {
 public:
  virtual ~Transport() = default;

  // LinkDrop::None when the message was taken; every other answer is counted too
  virtual LinkDrop publish(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery = {}) = 0;
  // returns when the subscription holds; a link that breaks later is subscribed again when it is back
  virtual core::Status subscribe(std::string_view pattern, int qos = 0) = 0;
  // ends in an orderly way: the will is not published. Safe to call twice; the destructor calls it.
  virtual void close() = 0;

  // all that arrived, oldest first; `out` is cleared before. False when nothing had arrived.
  virtual bool receive(std::vector<Received>& out) = 0;
  virtual std::vector<LinkChange> link_changes() = 0;
  virtual LinkReport state() const = 0;
  // false after a time-out
  virtual bool wait(std::int64_t timeout_ns) = 0;
  virtual void wake() = 0;
  virtual int wake_fd() const = 0;  // readable while something waits
  virtual TransportCounts counts() const = 0;
};

std::int64_t monotonic_ns();
bool is_topic(std::string_view topic);
bool is_pattern(std::string_view pattern);
bool topic_matches(std::string_view pattern, std::string_view topic);

}  // namespace volary::cluster
