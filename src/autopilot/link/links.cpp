// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The loop over all links, and the hub that carries their events to the caller.
#include "autopilot/link/links.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "autopilot/link/channel.hpp"

namespace volary::autopilot {

namespace {

constexpr int kEventsAtOnce = 512;
constexpr std::uint64_t kWakeUp = ~std::uint64_t{0};
constexpr double kLongest = 1e6;  // s; longer times would overflow the clock

// releases a lock that is held, and takes it again
class Released {
 public:
  explicit Released(std::mutex& mutex) : mutex_(mutex) { mutex_.unlock(); }
  ~Released() { mutex_.lock(); }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  std::mutex& mutex_;
};

}  // namespace

// ---------------------------------------------------------------- hub

LinkHub::LinkHub(const LinkOptions& options) : options_(options), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

LinkClock::duration LinkHub::duration_of(double seconds) {
  const double bounded = seconds > 0 ? std::min(seconds, kLongest) : 0;  // 0 for what is not a number
  return std::chrono::duration_cast<LinkClock::duration>(std::chrono::duration<double>(bounded));
}

ChannelId LinkHub::add(std::size_t link) {
  channels_[next_].link = link;
  return next_++;
}

void LinkHub::opened(ChannelId channel, std::string name) {
  report({.kind = LinkEvent::Kind::Opened, .link = channels_.at(channel).link, .channel = channel, .name = std::move(name)});
}

void LinkHub::received(ChannelId channel, std::span<const std::byte> bytes) {
  Entry& entry = channels_.at(channel);
  entry.counts.received += bytes.size();
  report({.kind = LinkEvent::Kind::Received, .link = entry.link, .channel = channel, .bytes = bytes});
}

void LinkHub::closed(ChannelId channel) {
  report({.kind = LinkEvent::Kind::Closed, .link = channels_.at(channel).link, .channel = channel});
  channels_.erase(channel);
}

// the caller may send, and wait for a lock that another sender holds
void LinkHub::report(const LinkEvent& event) {
  has_reported_ = true;
  const Released released(mutex_);
  (*on_event_)(event);
}

std::optional<std::size_t> LinkHub::link_of(ChannelId channel) const {
  const auto found = channels_.find(channel);
  return found == channels_.end() ? std::nullopt : std::optional(found->second.link);
}

ChannelCounts* LinkHub::counts_of(ChannelId channel) {
  const auto found = channels_.find(channel);
  return found == channels_.end() ? nullptr : &found->second.counts;
}

std::uint64_t LinkHub::ignored_of(std::size_t link) const {
  const auto found = ignored_.find(link);
  return found == ignored_.end() ? 0 : found->second;
}

void LinkHub::control(int operation, int fd, std::size_t link, std::uint32_t tag, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = std::uint64_t{link} << 32 | tag;
  ::epoll_ctl(epoll_.fd(), operation, fd, &event);
}
void LinkHub::watch(int fd, std::size_t link, std::uint32_t tag, std::uint32_t events) { control(EPOLL_CTL_ADD, fd, link, tag, events); }
void LinkHub::watch_again(int fd, std::size_t link, std::uint32_t tag, std::uint32_t events) { control(EPOLL_CTL_MOD, fd, link, tag, events); }
void LinkHub::unwatch(int fd) { control(EPOLL_CTL_DEL, fd, 0, 0, 0); }

// ---------------------------------------------------------------- all links

namespace {

class SystemLinks final : public Links {
 public:
  explicit SystemLinks(const LinkOptions& options) : hub_(options), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  core::Status start(const std::vector<LinkAddress>& addresses);
  void poll(double seconds, const std::function<void(const LinkEvent&)>& on_event) override;
  void send(ChannelId channel, std::span<const std::byte> bytes) override;
  void wake() override;
  std::uint16_t port_of(std::size_t link) const override { return link < drivers_.size() ? drivers_[link]->port() : std::uint16_t{0}; }
  ChannelCounts counts_of(ChannelId channel) const override;
  std::uint64_t ignored_of(std::size_t link) const override;

 private:
  bool wait_until(LinkTime end);
  bool dispatch();
  LinkTime due() const;

  mutable LinkHub hub_;
  FileHandle wake_;
  std::vector<std::unique_ptr<LinkDriver>> drivers_;
};

OpenedDriver open_driver(LinkHub& hub, std::size_t link, const LinkAddress& address) {
  switch (address.kind) {
    case LinkAddress::Kind::UdpOut: return open_udp_out(hub, link, address);
    case LinkAddress::Kind::UdpIn: return open_udp_in(hub, link, address);
    case LinkAddress::Kind::Tcp: return open_tcp_out(hub, link, address);
    case LinkAddress::Kind::TcpIn: return open_tcp_in(hub, link, address);
    case LinkAddress::Kind::Serial: return open_serial(hub, link, address);
  }
  return core::Error{.message = "unknown kind of link"};
}

core::Status SystemLinks::start(const std::vector<LinkAddress>& addresses) {
  if (hub_.epoll_fd() < 0 || !wake_.is_open()) return core::Error{.message = "the system has no file left for links"};
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWakeUp;
  ::epoll_ctl(hub_.epoll_fd(), EPOLL_CTL_ADD, wake_.fd(), &event);
  for (const LinkAddress& address : addresses) {
    OpenedDriver driver = open_driver(hub_, drivers_.size(), address);
    if (!driver) return driver.error();
    drivers_.push_back(std::move(driver).value());
  }
  return core::ok();
}

void SystemLinks::poll(double seconds, const std::function<void(const LinkEvent&)>& on_event) {
  const LinkTime end = LinkClock::now() + LinkHub::duration_of(seconds);
  const std::lock_guard lock(hub_.mutex());
  hub_.deliver_to(&on_event);
  bool goes_on = true;
  while (goes_on) {
    // reading comes before timers: a peer whose datagrams wait has not been silent
    const bool is_quiet = wait_until(std::min(end, due()));
    goes_on = dispatch() && is_quiet;
    const LinkTime now = LinkClock::now();
    for (const auto& driver : drivers_) driver->tick(now);
    goes_on = goes_on && !hub_.has_reported() && LinkClock::now() < end;
  }
  hub_.deliver_to(nullptr);
}

LinkTime SystemLinks::due() const {
  LinkTime first = LinkTime::max();
  for (const auto& driver : drivers_) first = std::min(first, driver->due());
  return first;
}

// A file of epoll can itself be polled, and ppoll waits with the resolution of the clock. False: a signal came, and its program may want to end.
bool SystemLinks::wait_until(LinkTime end) {
  const Released released(hub_.mutex());
  const LinkTime now = LinkClock::now();
  const std::chrono::nanoseconds left = end > now ? std::chrono::nanoseconds(end - now) : std::chrono::nanoseconds(0);
  const timespec timeout{.tv_sec = static_cast<time_t>(left.count() / 1'000'000'000), .tv_nsec = static_cast<long>(left.count() % 1'000'000'000)};
  pollfd ready{.fd = hub_.epoll_fd(), .events = POLLIN, .revents = 0};
  return ::ppoll(&ready, 1, &timeout, nullptr) >= 0 || errno != EINTR;
}

// false when wake() was called
bool SystemLinks::dispatch() {
  std::array<epoll_event, kEventsAtOnce> events;
  const int n = ::epoll_wait(hub_.epoll_fd(), events.data(), kEventsAtOnce, 0);
  bool is_woken = false;
  for (int k = 0; k < n; ++k) {
    const std::uint64_t data = events[static_cast<std::size_t>(k)].data.u64;
    if (data != kWakeUp) {
      drivers_[data >> 32]->ready(static_cast<std::uint32_t>(data), events[static_cast<std::size_t>(k)].events);
      continue;
    }
    is_woken = true;
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(wake_.fd(), &count, sizeof count);
  }
  return !is_woken;
}

void SystemLinks::send(ChannelId channel, std::span<const std::byte> bytes) {
  const std::lock_guard lock(hub_.mutex());
  if (const auto link = hub_.link_of(channel); link && !bytes.empty()) drivers_[*link]->send(channel, bytes);
}

void SystemLinks::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto n = ::write(wake_.fd(), &one, sizeof one);
}

ChannelCounts SystemLinks::counts_of(ChannelId channel) const {
  const std::lock_guard lock(hub_.mutex());
  const ChannelCounts* counts = hub_.counts_of(channel);
  return counts == nullptr ? ChannelCounts{} : *counts;
}

std::uint64_t SystemLinks::ignored_of(std::size_t link) const {
  const std::lock_guard lock(hub_.mutex());
  return hub_.ignored_of(link);
}

}  // namespace

core::Result<std::unique_ptr<Links>> Links::open(const std::vector<LinkAddress>& addresses, const LinkOptions& options) {
  auto links = std::make_unique<SystemLinks>(options);
  const core::Status started = links->start(addresses);
  if (!started) return started.error();
  return std::unique_ptr<Links>(std::move(links));
}

}  // namespace volary::autopilot
