// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The reading thread of direct links: take datagrams, answer, send again, notice silence.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "cluster/transport/udp_link.hpp"

namespace volary::cluster {

namespace {
constexpr std::int64_t kMs = 1'000'000;
constexpr int kMostAtOnce = 256;  // datagrams, before time is looked at again
}  // namespace

void UdpLink::run() {
  while (!is_closing_) {
    const std::int64_t due = keep_time() - monotonic_ns();
    pollfd fds[2] = {{.fd = socket_, .events = POLLIN, .revents = 0}, {.fd = poke_, .events = POLLIN, .revents = 0}};
    ::poll(fds, 2, static_cast<int>(std::clamp<std::int64_t>(due / kMs + 1, 0, 1000)));
    if (fds[1].revents != 0) {
      std::uint64_t n = 0;
      [[maybe_unused]] const auto got = ::read(poke_, &n, sizeof n);
    }
    if (fds[0].revents != 0) read_all();
  }
}

void UdpLink::read_all() {
  std::vector<std::byte> buffer(65536);
  for (int k = 0; k < kMostAtOnce && read_one(buffer); ++k) {}
}

bool UdpLink::read_one(std::vector<std::byte>& buffer) {
  Address from;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(std::uint32_t))];
  iovec part{.iov_base = buffer.data(), .iov_len = buffer.size()};
  msghdr message{};
  message.msg_name = &from.storage;
  message.msg_namelen = sizeof from.storage;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t n = ::recvmsg(socket_, &message, 0);
  if (n < 0) return errno == EINTR;
  from.size = message.msg_namelen;
  // the system says how many it had to drop so far
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_RXQ_OVFL) continue;
    std::uint32_t drops = 0;
    std::memcpy(&drops, CMSG_DATA(c), sizeof drops);
    mailbox_.dropped_in(LinkDrop::System, drops - system_drops_);
    system_drops_ = drops;
  }
  take(std::span(buffer).first(static_cast<std::size_t>(n)), from);
  return true;
}

void UdpLink::take(std::span<const std::byte> datagram, const Address& from) {
  const std::lock_guard lock(mutex_);
  const auto peer = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.address == from; });
  if (peer == peers_.end()) return mailbox_.dropped_in(LinkDrop::Foreign);
  Packet packet;
  LinkDrop fault = parse_packet(datagram, key_, federation_, packet);
  if (fault == LinkDrop::None) fault = admit(packet, *peer);
  if (fault != LinkDrop::None) return mailbox_.dropped_in(fault);
  switch (packet.header.kind) {
    case PacketKind::Data:
    case PacketKind::Reliable: return take_message(packet, *peer);
    case PacketKind::Ack: return take_ack(packet, *peer);
    case PacketKind::Hello: return;
    case PacketKind::Bye: return lose(*peer, "it closed the link", false);
  }
}

// is it of this life of its sender, and new? A sender that is heard again is up.
LinkDrop UdpLink::admit(const Packet& packet, Peer& peer) {
  const PacketHeader& h = packet.header;
  if (h.sender != peer.id) return LinkDrop::Foreign;
  if (h.session < peer.session) return LinkDrop::Replayed;
  if (h.session > peer.session) {
    if (peer.is_up) lose(peer, "it began again", true);
    assembly_.forget(peer.id);
    peer.packets = peer.reliable = peer.data = {};
    peer.session = h.session;
    peer.will.reset();
  }
  if (!peer.packets.accept(h.number)) return LinkDrop::Replayed;
  peer.heard_ns = monotonic_ns();
  if (!peer.is_up && h.kind != PacketKind::Bye) {
    const bool is_return = peer.was_up;
    peer.is_up = peer.was_up = true;
    mailbox_.change_peer(LinkReport::Up, {}, fmt::format("{} ({})", peer.id, peer.address.text()), is_return, LinkReport::Up);
    greet(peer);
  }
  return LinkDrop::None;
}

void UdpLink::take_message(const Packet& packet, Peer& peer) {
  const PacketHeader& h = packet.header;
  const bool is_reliable = h.kind == PacketKind::Reliable;
  ReplayWindow& window = is_reliable ? peer.reliable : peer.data;
  const auto answer = [&] { send_packet({.kind = PacketKind::Ack, .message = h.message}, {}, peer.address); };
  // sent again because our answer was lost, or fragments that came after all was there
  if (window.has(h.message)) {
    if (is_reliable) answer();
    return;
  }
  if (h.size > options_.max_message + kMaxTopic + 2) return mailbox_.dropped_in(LinkDrop::TooLarge);
  std::uint64_t dropped = 0;
  const auto whole = assembly_.add(peer.id, packet, monotonic_ns(), dropped);
  if (dropped > 0) mailbox_.dropped_in(LinkDrop::Incomplete, dropped);
  if (!whole) return;
  window.accept(h.message);
  if (is_reliable) answer();
  if (h.is_will)
    peer.will = *whole;
  else
    deliver(*whole, is_reliable ? 1 : 0, h.is_retained);
}

void UdpLink::deliver(std::span<const std::byte> message, int qos, bool is_retained) {
  std::string topic;
  std::span<const std::byte> bytes;
  if (!split_message(message, topic, bytes)) return mailbox_.dropped_in(LinkDrop::Malformed);
  if (bytes.size() > options_.max_message) return mailbox_.dropped_in(LinkDrop::TooLarge);
  if (std::none_of(patterns_.begin(), patterns_.end(), [&](const std::string& p) { return topic_matches(p, topic); })) return;
  mailbox_.put({std::move(topic), {bytes.begin(), bytes.end()}, monotonic_ns(), qos, is_retained});
}

void UdpLink::take_ack(const Packet& packet, const Peer& peer) {
  for (Pending& p : pending_)
    if (p.message == packet.header.message) std::erase(p.waits_for, peer.id);
  std::erase_if(pending_, [](const Pending& p) { return p.waits_for.empty(); });
}

LinkReport UdpLink::state_of_all() const {
  return std::any_of(peers_.begin(), peers_.end(), [](const Peer& p) { return p.is_up; }) ? LinkReport::Up : LinkReport::Down;
}

void UdpLink::lose(Peer& peer, const std::string& reason, bool publishes_will) {
  if (!peer.is_up) return;
  peer.is_up = false;
  assembly_.forget(peer.id);
  mailbox_.change_peer(LinkReport::Down, reason, fmt::format("{} ({})", peer.id, peer.address.text()), false, state_of_all());
  if (publishes_will && peer.will) deliver(*peer.will, 1, false);
  peer.will.reset();
}

void UdpLink::resend(std::int64_t now) {
  for (Pending& p : pending_) {
    if (p.give_up_ns <= now) {
      for (std::size_t k = 0; k < p.waits_for.size(); ++k) mailbox_.dropped_out(LinkDrop::Unacknowledged);
      p.waits_for.clear();
    } else if (p.next_ns <= now) {
      send_message(p.header, p.bytes, p.waits_for);
      p.pause_ns = std::min<std::int64_t>(p.pause_ns * 3 / 2, 500 * kMs);
      p.next_ns = now + p.pause_ns;
    }
  }
  std::erase_if(pending_, [](const Pending& p) { return p.waits_for.empty(); });
}

std::int64_t UdpLink::keep_time() {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = monotonic_ns();
  if (const std::uint64_t n = assembly_.expire(now); n > 0) mailbox_.dropped_in(LinkDrop::Incomplete, n);
  for (Peer& peer : peers_)
    if (peer.is_up && now - peer.heard_ns >= options_.silence_ns)
      lose(peer, fmt::format("it has been silent for {:.1f} s", static_cast<double>(options_.silence_ns) * 1e-9), true);
  if (now >= next_hello_ns_) {
    for (const Peer& peer : peers_) send_packet({.kind = PacketKind::Hello}, {}, peer.address);
    next_hello_ns_ = now + options_.hello_ns;
  }
  resend(now);
  std::int64_t next = std::min(next_hello_ns_, assembly_.next_expiry().value_or(next_hello_ns_));
  for (const Pending& p : pending_) next = std::min({next, p.next_ns, p.give_up_ns});
  return next;
}

}  // namespace volary::cluster
