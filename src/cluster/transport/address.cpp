// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/address.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

namespace volary::cluster {

namespace {

core::Error no_address(std::string_view text, std::string_view field) {
  return {.message = fmt::format("\"{}\" is no address", text),
          .field = std::string(field),
          .suggestion = "write HOST:PORT, such as 192.168.1.10:1883 or [::1]:1883"};
}

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

// 0, or the error number
int try_connect(const Address& address, std::int64_t timeout_ns) {
  const Socket socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket.fd() < 0) return errno;
  if (::connect(socket.fd(), address.raw(), address.size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd ready{.fd = socket.fd(), .events = POLLOUT, .revents = 0};
  if (::poll(&ready, 1, static_cast<int>(timeout_ns / 1'000'000)) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

core::Result<HostPort> parse_host_port(std::string_view text, int default_port, std::string_view field) {
  std::string_view host = text, port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return no_address(text, field);
    host = text.substr(1, end - 1);
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && rest.front() != ':') return no_address(text, field);
    if (!rest.empty()) port = rest.substr(1);
    if (!rest.empty() && port.empty()) return no_address(text, field);
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos && text.find(':', colon + 1) == std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (port.empty()) return no_address(text, field);
  }
  if (host.empty() || host.find_first_of(" \t\n/") != std::string_view::npos) return no_address(text, field);
  HostPort out{.host = std::string(host), .port = default_port};
  if (!port.empty()) {
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (error != std::errc() || end != port.data() + port.size() || out.port < 0 || out.port > 65535)
      return core::Error{.message = fmt::format("\"{}\" is no port: a port is a number from 0 to 65535", port), .field = std::string(field)};
  }
  return out;
}

int Address::port() const {
  if (storage.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

std::string Address::text() const {
  char name[INET6_ADDRSTRLEN] = "?";
  if (storage.ss_family == AF_INET6) {
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_addr, name, sizeof name);
    return fmt::format("[{}]:{}", name, port());
  }
  ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(&storage)->sin_addr, name, sizeof name);
  return fmt::format("{}:{}", name, port());
}

bool Address::operator==(const Address& other) const {
  if (storage.ss_family != other.storage.ss_family || port() != other.port()) return false;
  if (storage.ss_family == AF_INET6) {
    const auto *a = reinterpret_cast<const sockaddr_in6*>(&storage), *b = reinterpret_cast<const sockaddr_in6*>(&other.storage);
    return std::memcmp(&a->sin6_addr, &b->sin6_addr, sizeof a->sin6_addr) == 0;
  }
  return reinterpret_cast<const sockaddr_in*>(&storage)->sin_addr.s_addr == reinterpret_cast<const sockaddr_in*>(&other.storage)->sin_addr.s_addr;
}

core::Result<std::vector<Address>> resolve(const HostPort& where, bool is_datagram) {
  addrinfo hints{};
  hints.ai_socktype = is_datagram ? SOCK_DGRAM : SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(where.host.c_str(), std::to_string(where.port).c_str(), &hints, &found);
  if (error != 0) return core::Error{.message = fmt::format("the host \"{}\" is not known: {}", where.host, ::gai_strerror(error))};
  std::vector<Address> out;
  for (const addrinfo* a = found; a != nullptr; a = a->ai_next) {
    if (a->ai_family != AF_INET && a->ai_family != AF_INET6) continue;
    Address& address = out.emplace_back();
    std::memcpy(&address.storage, a->ai_addr, a->ai_addrlen);
    address.size = a->ai_addrlen;
  }
  ::freeaddrinfo(found);
  if (out.empty()) return core::Error{.message = fmt::format("the host \"{}\" has no IP address", where.host)};
  return out;
}

bool is_loopback(const Address& address) {
  if (address.storage.ss_family == AF_INET) return (ntohl(reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_addr.s_addr) >> 24) == 127;
  if (address.storage.ss_family != AF_INET6) return false;
  const in6_addr& six = reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

core::Status check_exposure(const Address& address, bool has_credentials, std::string_view what, std::string_view remedy) {
  if (is_loopback(address) || has_credentials) return core::ok();
  return core::Error{.message = fmt::format("{} would listen at {}, which other machines can reach, without credentials", what, address.text()),
                     .suggestion = fmt::format("{}, or listen at 127.0.0.1", remedy)};
}

core::Status reach(const HostPort& where, std::int64_t timeout_ns) {
  const auto addresses = resolve(where, false);
  if (!addresses) return addresses.error();
  int error = 0;
  for (const Address& address : addresses.value())
    if ((error = try_connect(address, timeout_ns)) == 0) return core::ok();
  const std::string place = fmt::format("{}:{}", where.host, where.port);
  if (error == ECONNREFUSED) return core::Error{.message = fmt::format("{} refused the connection: no server listens at this port", place)};
  if (error == ETIMEDOUT) return core::Error{.message = fmt::format("{} did not answer within {:.1f} s", place, static_cast<double>(timeout_ns) * 1e-9)};
  return core::Error{.message = fmt::format("{} cannot be reached: {}", place, std::strerror(error))};
}

std::string host_port_text(const HostPort& where) {
  const bool is_six = where.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", is_six ? "[" : "", where.host, is_six ? "]" : "", where.port);
}

core::Status can_listen(const HostPort& where, std::string_view field) {
  const auto addresses = resolve(where, false);
  if (!addresses) return core::Error{.message = addresses.error().message, .field = std::string(field)};
  const Address& address = addresses.value().front();
  const Socket socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  if (socket.fd() >= 0) ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // what a program that has ended left behind does not count
  if (socket.fd() >= 0 && ::bind(socket.fd(), address.raw(), address.size) == 0) return core::ok();
  const auto refused = [&](std::string why, std::string remedy) {
    return core::Error{.message = fmt::format("{}: {}", address.text(), why), .field = std::string(field), .suggestion = std::move(remedy)};
  };
  if (errno == EADDRNOTAVAIL) return refused("this is no address of this machine", "give the address under which other machines reach this one");
  if (errno == EADDRINUSE) return refused("another program listens there", fmt::format("give another port: {}:{}", where.host, where.port + 1));
  return refused(std::strerror(errno), {});
}

core::Result<int> free_loopback_port() {
  const Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  auto* raw = reinterpret_cast<sockaddr*>(&here);
  if (socket.fd() < 0 || ::bind(socket.fd(), raw, size) != 0 || ::getsockname(socket.fd(), raw, &size) != 0)
    return core::Error{.message = fmt::format("no port of 127.0.0.1 is free: {}", std::strerror(errno))};
  return static_cast<int>(ntohs(here.sin_port));
}

}  // namespace volary::cluster
