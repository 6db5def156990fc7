// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of links: a record of all events, plain sockets of loopback addresses, and pairs of pseudo terminals.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "autopilot/link/channel.hpp"

namespace volary::autopilot::link_testing {

using Bytes = std::vector<std::byte>;

inline constexpr std::chrono::seconds kPatience(20);  // for what comes at once on a machine that is not busy

inline Bytes bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}
inline std::string text_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// n bytes in which every position is recognised
inline Bytes pattern(std::size_t n) {
  Bytes out(n);
  for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<std::byte>((k * 2654435761U) >> 13 & 0xff);
  return out;
}

template <class Condition> bool eventually(Condition&& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition())
    if (std::chrono::steady_clock::now() > end) return false;
  return true;
}

// Links and everything that they reported.
class Recorder {
 public:
  struct Told {
    LinkEvent::Kind kind;
    std::size_t link;
    ChannelId channel;
    std::string name;
  };

  explicit Recorder(const std::vector<std::string>& addresses, const LinkOptions& options = {}) {
    std::vector<LinkAddress> parsed;
    for (const std::string& address : addresses) parsed.push_back(parse_link(address).value());
    links_ = std::move(Links::open(parsed, options)).value();
  }
  Links& links() { return *links_; }
  std::uint16_t port(std::size_t link = 0) const { return links_->port_of(link); }

  void poll(double seconds = 0.002) {
    links_->poll(seconds, [this](const LinkEvent& event) {
      if (event.kind == LinkEvent::Kind::Received) received_[event.channel].insert(received_[event.channel].end(), event.bytes.begin(), event.bytes.end());
      told_.push_back({event.kind, event.link, event.channel, event.name});
    });
  }
  template <class Condition> bool poll_until(Condition&& condition) {
    return eventually([&] {
      if (condition()) return true;
      poll();
      return condition();
    });
  }

  const std::vector<Told>& told() const { return told_; }
  std::vector<Told> told(LinkEvent::Kind kind) const {
    std::vector<Told> out;
    std::copy_if(told_.begin(), told_.end(), std::back_inserter(out), [&](const Told& t) { return t.kind == kind; });
    return out;
  }
  std::size_t n_opened() const { return told(LinkEvent::Kind::Opened).size(); }
  std::size_t n_closed() const { return told(LinkEvent::Kind::Closed).size(); }
  ChannelId opened(std::size_t k) {
    if (!poll_until([&] { return n_opened() > k; })) ADD_FAILURE() << "no channel was opened";
    return n_opened() > k ? told(LinkEvent::Kind::Opened)[k].channel : 0;
  }
  std::string text(ChannelId channel) { return text_of(received_[channel]); }
  const Bytes& bytes(ChannelId channel) { return received_[channel]; }
  void send(ChannelId channel, std::string_view text) { links_->send(channel, bytes_of(text)); }

 private:
  std::unique_ptr<Links> links_;
  std::vector<Told> told_;
  std::map<ChannelId, Bytes> received_;
};

// ---------------------------------------------------------------- the other side

inline PeerAddress at(const std::string& host, std::uint16_t port) { return resolve_link({.kind = {}, .host = host, .port = port}, 0).value().front(); }

// a socket that does not block, at a free port unless one is given
class PlainSocket {
 public:
  explicit PlainSocket(int type, const std::string& host = "127.0.0.1", std::uint16_t port = 0) : file_(make(type, at(host, port))) {}
  explicit PlainSocket(FileHandle file) : file_(std::move(file)) {}

  int fd() const { return file_.fd(); }
  std::uint16_t port() const { return local_address(fd()).port(); }
  void send_to(std::string_view text, std::uint16_t port, const std::string& host = "127.0.0.1") const {
    const PeerAddress to = at(host, port);
    ASSERT_EQ(::sendto(fd(), text.data(), text.size(), 0, to.raw(), to.size), static_cast<ssize_t>(text.size()));
  }
  bool connect(std::uint16_t port) const {
    const PeerAddress to = at("127.0.0.1", port);
    if (::connect(fd(), to.raw(), to.size) == 0) return true;
    pollfd ready{.fd = fd(), .events = POLLOUT, .revents = 0};
    return errno == EINPROGRESS && ::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) == 1;
  }
  void write(std::span<const std::byte> bytes) const { ASSERT_EQ(::write(fd(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size())); }
  // what is there, without waiting
  Bytes read() const {
    Bytes out(1 << 16);
    const ssize_t n = ::read(fd(), out.data(), out.size());
    out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return out;
  }

 private:
  static FileHandle make(int type, const PeerAddress& here) {
    FileHandle file(::socket(here.family(), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int yes = 1;
    if (type == SOCK_STREAM) ::setsockopt(file.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    EXPECT_EQ(::bind(file.fd(), here.raw(), here.size), 0);
    return file;
  }
  FileHandle file_;
};

inline std::string read_text(Recorder& recorder, const PlainSocket& socket, std::size_t n) {
  std::string got;
  recorder.poll_until([&] { return (got += text_of(socket.read())).size() >= n; });
  return got;
}

}  // namespace volary::autopilot::link_testing
