// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// UDP: one socket for each link.
#include <algorithm>
#include <cerrno>

#include "autopilot/link/channel.hpp"

namespace volary::autopilot {

namespace {

constexpr int kSystemBuffer = 1 << 20;  // bytes that the system holds between two polls, if its limits allow

// What both kinds share. `heard` gets every datagram with its sender.
class UdpDriver : public LinkDriver {
 public:
  UdpDriver(LinkHub& hub, std::size_t link, FileHandle socket) : hub_(hub), link_(link), socket_(std::move(socket)) {
    ::setsockopt(socket_.fd(), SOL_SOCKET, SO_RCVBUF, &kSystemBuffer, sizeof kSystemBuffer);
    hub_.watch(socket_.fd(), link_, 0, EPOLLIN);
  }
  std::uint16_t port() const override { return local_address(socket_.fd()).port(); }
  void ready(std::uint32_t, std::uint32_t) override;

 protected:
  virtual void heard(const PeerAddress& from, std::span<const std::byte> bytes) = 0;
  void send_to(const PeerAddress& to, ChannelId channel, std::span<const std::byte> bytes);

  LinkHub& hub_;
  std::size_t link_;
  FileHandle socket_;
  bool is_drained_ = true;  // the last round of reading left nothing
};

void UdpDriver::ready(std::uint32_t, std::uint32_t) {
  is_drained_ = false;
  for (int k = 0; k < kReadsAtOnce && !is_drained_; ++k) {
    PeerAddress from;
    const std::span<std::byte> into = hub_.buffer();
    const ssize_t n = ::recvfrom(socket_.fd(), into.data(), into.size(), MSG_DONTWAIT, from.raw(), &from.size);
    // other errors, such as ECONNREFUSED, tell about a datagram that was sent before
    if (n < 0)
      is_drained_ = errno == EAGAIN || errno == EWOULDBLOCK;
    else
      heard(from, into.first(static_cast<std::size_t>(n)));
  }
}

void UdpDriver::send_to(const PeerAddress& to, ChannelId channel, std::span<const std::byte> bytes) {
  const auto attempt = [&] { return ::sendto(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL, to.raw(), to.size); };
  ssize_t n = attempt();
  // the answer to an earlier datagram; this one has not been tried yet
  if (n < 0 && (errno == ECONNREFUSED || errno == EINTR)) n = attempt();
  ChannelCounts& counts = *hub_.counts_of(channel);
  (n < 0 ? counts.dropped : counts.sent) += bytes.size();
}

// ---------------------------------------------------------------- udpout

// Ground stations and MAVSDK may answer from another port than the one they listen at: the answer's port is then the one to send to.
class UdpOut final : public UdpDriver {
 public:
  UdpOut(LinkHub& hub, std::size_t link, FileHandle socket, const PeerAddress& to) : UdpDriver(hub, link, std::move(socket)), to_(to) {}

  LinkTime due() const override { return channel_ == 0 ? LinkTime::min() : LinkTime::max(); }
  void tick(LinkTime) override { open(); }
  void send(ChannelId channel, std::span<const std::byte> bytes) override { send_to(to_, channel, bytes); }

 protected:
  void heard(const PeerAddress& from, std::span<const std::byte> bytes) override;

 private:
  void open();

  PeerAddress to_;
  ChannelId channel_ = 0;  // 0: not opened yet
};

void UdpOut::open() {
  if (channel_ != 0) return;
  channel_ = hub_.add(link_);
  hub_.opened(channel_, "udp " + to_.text());
}

void UdpOut::heard(const PeerAddress& from, std::span<const std::byte> bytes) {
  if (!from.is_same_host(to_)) return hub_.ignored(link_);
  open();
  to_ = from;
  if (!bytes.empty()) hub_.received(channel_, bytes);
}

// ---------------------------------------------------------------- udpin

class UdpIn final : public UdpDriver {
 public:
  using UdpDriver::UdpDriver;

  LinkTime due() const override;
  void tick(LinkTime now) override;
  void send(ChannelId channel, std::span<const std::byte> bytes) override;

 protected:
  void heard(const PeerAddress& from, std::span<const std::byte> bytes) override;

 private:
  struct Peer {
    PeerAddress address;
    ChannelId channel = 0;
    LinkTime last;  // datagram
  };
  std::vector<Peer> peers_;
};

void UdpIn::heard(const PeerAddress& from, std::span<const std::byte> bytes) {
  auto peer = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.address == from; });
  const bool is_new = peer == peers_.end();
  if (is_new && peers_.size() >= hub_.options().most_channels) return hub_.ignored(link_);
  if (is_new) peer = peers_.insert(peers_.end(), Peer{.address = from, .channel = hub_.add(link_), .last = {}});
  peer->last = LinkClock::now();
  const ChannelId channel = peer->channel;
  if (is_new) hub_.opened(channel, "udp " + from.text());
  if (!bytes.empty()) hub_.received(channel, bytes);
}

LinkTime UdpIn::due() const {
  LinkTime first = LinkTime::max();
  for (const Peer& peer : peers_) first = std::min(first, peer.last + hub_.silence());
  return first;
}

void UdpIn::tick(LinkTime now) {
  if (!is_drained_) return;
  for (std::size_t k = 0; k < peers_.size();) {
    if (peers_[k].last + hub_.silence() > now) {
      ++k;
      continue;
    }
    const ChannelId channel = peers_[k].channel;
    peers_.erase(peers_.begin() + static_cast<std::ptrdiff_t>(k));
    hub_.closed(channel);
  }
}

void UdpIn::send(ChannelId channel, std::span<const std::byte> bytes) {
  const auto peer = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.channel == channel; });
  if (peer != peers_.end())
    send_to(peer->address, channel, bytes);
  else
    hub_.counts_of(channel)->dropped += bytes.size();
}

}  // namespace

OpenedDriver open_udp_out(LinkHub& hub, std::size_t link, const LinkAddress& address) {
  const auto places = resolve_link(address, SOCK_DGRAM);
  if (!places) return places.error();
  const PeerAddress& to = places.value().front();
  FileHandle socket(::socket(to.family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return link_error(address, "cannot open a socket", errno);
  // a conversation inside this machine cannot be reached from others
  const PeerAddress here = any_port_of(to.family(), to.is_loopback());
  if (::bind(socket.fd(), here.raw(), here.size) != 0) return link_error(address, "cannot bind a socket", errno);
  return std::unique_ptr<LinkDriver>(std::make_unique<UdpOut>(hub, link, std::move(socket), to));
}

OpenedDriver open_udp_in(LinkHub& hub, std::size_t link, const LinkAddress& address) {
  auto socket = bind_link(address, SOCK_DGRAM);
  if (!socket) return socket.error();
  return std::unique_ptr<LinkDriver>(std::make_unique<UdpIn>(hub, link, std::move(socket).value()));
}

}  // namespace volary::autopilot
