// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Private parts of the links: what the kinds of link share. All of it runs under the lock of the hub, which is released while poll waits and
// while the caller handles an event. Only the thread that polls opens and closes; `send` of another thread finds channels and fills buffers.
#pragma once

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <termios.h>

#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "autopilot/link/links.hpp"

namespace volary::autopilot {

using LinkClock = std::chrono::steady_clock;
using LinkTime = LinkClock::time_point;

inline constexpr int kReadsAtOnce = 64;                      // datagrams or connections of one socket in one poll
inline constexpr int kStreamReadsAtOnce = 4;                 // reads of one stream in one poll
inline constexpr std::size_t kReadBuffer = std::size_t{1} << 16;   // bytes; holds every datagram

// ---------------------------------------------------------------- files and addresses

// closes its file
class FileHandle {
 public:
  explicit FileHandle(int fd = -1) : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileHandle();

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_;
};

struct PeerAddress {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(sockaddr_storage);

  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  int family() const { return storage.ss_family; }
  std::uint16_t port() const;
  std::string text() const;  // 127.0.0.1:14550, [::1]:14550
  bool is_loopback() const;
  bool is_same_host(const PeerAddress& other) const;
  bool operator==(const PeerAddress& other) const { return port() == other.port() && is_same_host(other); }
};
PeerAddress any_port_of(int family, bool is_loopback);  // of this machine, for sockets that do not listen
PeerAddress local_address(int fd);

// All addresses of the host of a link, IPv4 before IPv6, because most programs that speak MAVLink listen there; at least one.
core::Result<std::vector<PeerAddress>> resolve_link(const LinkAddress& address, int socket_type);
// a socket of the first address of the link that can be bound; it does not block
core::Result<FileHandle> bind_link(const LinkAddress& address, int socket_type);
// "udpin:127.0.0.1:14550: cannot listen: Address already in use"
core::Error link_error(const LinkAddress& address, std::string_view what, int error_number, std::string suggestion = {});

// the code of termios for a baud rate that systems know, or none
std::optional<speed_t> speed_of(std::uint32_t baud);
std::string known_bauds();  // "9600, 19200, ..."

// ---------------------------------------------------------------- hub

// What is common to all links: the file that poll waits on, the table of channels, the way of events to the caller.
class LinkHub {
 public:
  using OnEvent = std::function<void(const LinkEvent&)>;

  explicit LinkHub(const LinkOptions& options);

  std::mutex& mutex() const { return mutex_; }
  const LinkOptions& options() const { return options_; }
  LinkClock::duration retry() const { return duration_of(options_.retry); }
  LinkClock::duration silence() const { return duration_of(options_.silence); }
  static LinkClock::duration duration_of(double seconds);
  std::span<std::byte> buffer() { return buffer_; }

  // A channel is in the table from `add` until its Closed event has been handled. The link must know the channel before `opened`, because the
  // caller may send while it handles the event.
  ChannelId add(std::size_t link);
  void opened(ChannelId channel, std::string name);
  void received(ChannelId channel, std::span<const std::byte> bytes);
  void closed(ChannelId channel);
  std::optional<std::size_t> link_of(ChannelId channel) const;
  ChannelCounts* counts_of(ChannelId channel);  // nullptr: no such channel

  void ignored(std::size_t link) { ++ignored_[link]; }
  std::uint64_t ignored_of(std::size_t link) const;

  // the link is told `tag` with the events of the file
  void watch(int fd, std::size_t link, std::uint32_t tag, std::uint32_t events);
  void watch_again(int fd, std::size_t link, std::uint32_t tag, std::uint32_t events);
  void unwatch(int fd);
  int epoll_fd() const { return epoll_.fd(); }

  // during a poll
  void deliver_to(const OnEvent* on_event) { on_event_ = on_event, has_reported_ = false; }
  bool has_reported() const { return has_reported_; }

 private:
  struct Entry {
    std::size_t link = 0;
    ChannelCounts counts;
  };
  void report(const LinkEvent& event);
  void control(int operation, int fd, std::size_t link, std::uint32_t tag, std::uint32_t events);

  mutable std::mutex mutex_;
  LinkOptions options_;
  FileHandle epoll_;
  std::map<ChannelId, Entry> channels_;
  std::map<std::size_t, std::uint64_t> ignored_;  // by link
  ChannelId next_ = 1;
  const OnEvent* on_event_ = nullptr;
  bool has_reported_ = false;
  std::array<std::byte, kReadBuffer> buffer_{};
};

// ---------------------------------------------------------------- streams

// A connection or a serial line that is open. Bytes that the system does not take at once wait in a buffer; a write that does not fit there is
// dropped whole, so that no message arrives by half.
class StreamChannel {
 public:
  StreamChannel(LinkHub& hub, std::size_t link, FileHandle file, bool is_socket);

  ChannelId id() const { return id_; }
  int fd() const { return file_.fd(); }
  bool has_unsent() const { return head_ < unsent_.size(); }
  bool serve(std::uint32_t events);  // one round of writing and reading; false when the stream has ended
  void send(std::span<const std::byte> bytes);
  void close();  // closes the file and reports Closed

 private:
  enum class Read { Some, Nothing, End };
  Read read_once();
  std::size_t write_some(std::span<const std::byte> bytes);
  void flush();
  void keep(std::span<const std::byte> bytes);
  void watch_writable(bool is_wanted);

  LinkHub& hub_;
  std::size_t link_;
  FileHandle file_;
  bool is_socket_, is_broken_ = false, watches_writable_ = false;
  ChannelId id_;
  std::vector<std::byte> unsent_;
  std::size_t head_ = 0;  // bytes of unsent_ that have been written
};

// ---------------------------------------------------------------- kinds of link

class LinkDriver {
 public:
  virtual ~LinkDriver() = default;
  virtual void ready(std::uint32_t tag, std::uint32_t events) = 0;        // a watched file has something
  virtual LinkTime due() const { return LinkTime::max(); }                // when `tick` has something to do
  virtual void tick(LinkTime) {}                                          // after every round of reading
  virtual void send(ChannelId channel, std::span<const std::byte> bytes) = 0;
  virtual std::uint16_t port() const { return 0; }
};
using OpenedDriver = core::Result<std::unique_ptr<LinkDriver>>;
OpenedDriver open_udp_out(LinkHub& hub, std::size_t link, const LinkAddress& address);
OpenedDriver open_udp_in(LinkHub& hub, std::size_t link, const LinkAddress& address);
OpenedDriver open_tcp_out(LinkHub& hub, std::size_t link, const LinkAddress& address);
OpenedDriver open_tcp_in(LinkHub& hub, std::size_t link, const LinkAddress& address);
OpenedDriver open_serial(LinkHub& hub, std::size_t link, const LinkAddress& address);

}  // namespace volary::autopilot
