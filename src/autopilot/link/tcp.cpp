// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// TCP: a link that listens, and a link that connects.
#include <netinet/tcp.h>

#include <cerrno>

#include "autopilot/link/channel.hpp"

namespace volary::autopilot {

namespace {

constexpr int kBacklog = 64;
constexpr double kConnectPatience = 5;  // s for one attempt

void send_at_once(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// ---------------------------------------------------------------- tcpin

class TcpIn final : public LinkDriver {
 public:
  TcpIn(LinkHub& hub, std::size_t link, FileHandle socket) : hub_(hub), link_(link), socket_(std::move(socket)) { hub_.watch(socket_.fd(), link_, 0, EPOLLIN); }
  void ready(std::uint32_t tag, std::uint32_t events) override;
  LinkTime due() const override { return resume_; }
  void tick(LinkTime now) override;
  void send(ChannelId channel, std::span<const std::byte> bytes) override;
  std::uint16_t port() const override { return local_address(socket_.fd()).port(); }

 private:
  bool accept_one();
  void pause();

  LinkHub& hub_;
  std::size_t link_;
  FileHandle socket_;
  LinkTime resume_ = LinkTime::max();  // when to accept again
  std::map<ChannelId, std::unique_ptr<StreamChannel>> channels_;
};

void TcpIn::ready(std::uint32_t tag, std::uint32_t events) {
  for (int k = 0; tag == 0 && k < kReadsAtOnce && accept_one();) ++k;
  const auto found = channels_.find(tag);
  if (found == channels_.end() || found->second->serve(events)) return;
  const std::unique_ptr<StreamChannel> ended = std::move(found->second);
  channels_.erase(found);
  ended->close();
}

bool TcpIn::accept_one() {
  PeerAddress from;
  FileHandle file(::accept4(socket_.fd(), from.raw(), &from.size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!file.is_open()) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) pause();
    return errno == ECONNABORTED || errno == EINTR;
  }
  if (channels_.size() >= hub_.options().most_channels) {
    hub_.ignored(link_);
    return true;
  }
  send_at_once(file.fd());
  auto stream = std::make_unique<StreamChannel>(hub_, link_, std::move(file), true);
  const ChannelId channel = stream->id();
  channels_.emplace(channel, std::move(stream));
  hub_.opened(channel, "tcp " + from.text());
  return true;
}

// without files for connections the listening socket would be ready all the time
void TcpIn::pause() {
  hub_.unwatch(socket_.fd());
  resume_ = LinkClock::now() + hub_.retry();
}

void TcpIn::tick(LinkTime now) {
  if (now < resume_) return;
  resume_ = LinkTime::max();
  hub_.watch(socket_.fd(), link_, 0, EPOLLIN);
}

void TcpIn::send(ChannelId channel, std::span<const std::byte> bytes) {
  const auto found = channels_.find(channel);
  if (found != channels_.end())
    found->second->send(bytes);
  else
    hub_.counts_of(channel)->dropped += bytes.size();
}

// ---------------------------------------------------------------- tcp

class TcpOut final : public LinkDriver {
 public:
  TcpOut(LinkHub& hub, std::size_t link, std::vector<PeerAddress> places) : hub_(hub), link_(link), places_(std::move(places)) {}

  void ready(std::uint32_t tag, std::uint32_t events) override;
  LinkTime due() const override { return channel_ ? LinkTime::max() : next_; }
  void tick(LinkTime now) override;
  void send(ChannelId channel, std::span<const std::byte> bytes) override;

 private:
  void begin(LinkTime now);
  void finish();
  void fail(LinkTime now);
  void open();
  bool is_connected_to_itself() const { return local_address(socket_.fd()) == places_[place_]; }

  LinkHub& hub_;
  std::size_t link_;
  std::vector<PeerAddress> places_;
  std::size_t place_ = 0;            // index of the address that is tried
  FileHandle socket_;                // while it connects
  LinkTime next_ = LinkTime::min();  // attempt, or end of this attempt
  std::unique_ptr<StreamChannel> channel_;
};

void TcpOut::tick(LinkTime now) {
  if (channel_ || now < next_) return;
  if (socket_.is_open())
    fail(now);
  else
    begin(now);
}

void TcpOut::begin(LinkTime now) {
  const PeerAddress& to = places_[place_];
  socket_ = FileHandle(::socket(to.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket_.is_open() || (::connect(socket_.fd(), to.raw(), to.size) != 0 && errno != EINPROGRESS)) return fail(now);
  hub_.watch(socket_.fd(), link_, 0, EPOLLOUT);
  next_ = now + LinkHub::duration_of(kConnectPatience);
}

void TcpOut::finish() {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket_.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  // a port of this machine where no program listens may be given to the connecting socket itself
  if (error != 0 || is_connected_to_itself()) return fail(LinkClock::now());
  open();
}

// the other addresses of the host at once, then a pause
void TcpOut::fail(LinkTime now) {
  if (socket_.is_open()) hub_.unwatch(socket_.fd());
  socket_ = FileHandle();
  place_ = (place_ + 1) % places_.size();
  next_ = place_ == 0 ? now + hub_.retry() : now;
}

void TcpOut::open() {
  hub_.unwatch(socket_.fd());
  send_at_once(socket_.fd());
  channel_ = std::make_unique<StreamChannel>(hub_, link_, std::move(socket_), true);
  hub_.opened(channel_->id(), "tcp " + places_[place_].text());
}

void TcpOut::ready(std::uint32_t tag, std::uint32_t events) {
  if (tag == 0 && socket_.is_open()) return finish();
  if (!channel_ || channel_->id() != tag || channel_->serve(events)) return;
  const std::unique_ptr<StreamChannel> ended = std::move(channel_);
  next_ = LinkClock::now() + hub_.retry();
  ended->close();
}

void TcpOut::send(ChannelId channel, std::span<const std::byte> bytes) {
  if (channel_ && channel_->id() == channel)
    channel_->send(bytes);
  else
    hub_.counts_of(channel)->dropped += bytes.size();
}

}  // namespace

OpenedDriver open_tcp_in(LinkHub& hub, std::size_t link, const LinkAddress& address) {
  auto socket = bind_link(address, SOCK_STREAM);
  if (!socket) return socket.error();
  if (::listen(socket.value().fd(), kBacklog) != 0) return link_error(address, "cannot listen", errno);
  return std::unique_ptr<LinkDriver>(std::make_unique<TcpIn>(hub, link, std::move(socket).value()));
}

OpenedDriver open_tcp_out(LinkHub& hub, std::size_t link, const LinkAddress& address) {
  const auto places = resolve_link(address, SOCK_STREAM);
  if (!places) return places.error();
  return std::unique_ptr<LinkDriver>(std::make_unique<TcpOut>(hub, link, places.value()));
}

}  // namespace volary::autopilot
