// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Files and addresses of sockets.
#include <arpa/inet.h>
#include <netdb.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "autopilot/link/channel.hpp"

namespace volary::autopilot {

namespace {

const sockaddr_in& four_of(const PeerAddress& a) { return *reinterpret_cast<const sockaddr_in*>(&a.storage); }
const sockaddr_in6& six_of(const PeerAddress& a) { return *reinterpret_cast<const sockaddr_in6*>(&a.storage); }

}  // namespace

FileHandle::~FileHandle() {
  if (fd_ >= 0) ::close(fd_);
}

std::uint16_t PeerAddress::port() const { return ntohs(family() == AF_INET6 ? six_of(*this).sin6_port : four_of(*this).sin_port); }

std::string PeerAddress::text() const {
  char name[INET6_ADDRSTRLEN] = "?";
  if (family() != AF_INET6) {
    ::inet_ntop(AF_INET, &four_of(*this).sin_addr, name, sizeof name);
    return fmt::format("{}:{}", name, port());
  }
  // a socket of both families sees IPv4 peers as IPv6
  const in6_addr& six = six_of(*this).sin6_addr;
  const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&six);
  ::inet_ntop(is_mapped ? AF_INET : AF_INET6, six.s6_addr + (is_mapped ? 12 : 0), name, sizeof name);
  return is_mapped ? fmt::format("{}:{}", name, port()) : fmt::format("[{}]:{}", name, port());
}

bool PeerAddress::is_loopback() const {
  if (family() != AF_INET6) return (ntohl(four_of(*this).sin_addr.s_addr) >> 24) == 127;
  const in6_addr& six = six_of(*this).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

bool PeerAddress::is_same_host(const PeerAddress& other) const {
  if (family() != other.family()) return false;
  if (family() == AF_INET6) return std::memcmp(&six_of(*this).sin6_addr, &six_of(other).sin6_addr, sizeof(in6_addr)) == 0;
  return four_of(*this).sin_addr.s_addr == four_of(other).sin_addr.s_addr;
}

PeerAddress any_port_of(int family, bool is_loopback) {
  PeerAddress out;
  out.storage.ss_family = static_cast<sa_family_t>(family);
  out.size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  if (!is_loopback) return out;
  if (family == AF_INET6)
    reinterpret_cast<sockaddr_in6*>(&out.storage)->sin6_addr = in6addr_loopback;
  else
    reinterpret_cast<sockaddr_in*>(&out.storage)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

PeerAddress local_address(int fd) {
  PeerAddress out;
  ::getsockname(fd, out.raw(), &out.size);
  return out;
}

core::Result<std::vector<PeerAddress>> resolve_link(const LinkAddress& address, int socket_type) {
  addrinfo hints{};
  hints.ai_socktype = socket_type;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) return core::Error{.message = fmt::format("{}: the host \"{}\" is not known: {}", address.text(), address.host, ::gai_strerror(error))};
  std::vector<PeerAddress> out;
  for (const int family : {AF_INET, AF_INET6}) {
    for (const addrinfo* a = found; a != nullptr; a = a->ai_next) {
      if (a->ai_family != family) continue;
      PeerAddress& one = out.emplace_back();
      std::memcpy(&one.storage, a->ai_addr, a->ai_addrlen);
      one.size = a->ai_addrlen;
    }
  }
  ::freeaddrinfo(found);
  if (out.empty()) return core::Error{.message = fmt::format("{}: the host \"{}\" has no IP address", address.text(), address.host)};
  return out;
}

core::Result<FileHandle> bind_link(const LinkAddress& address, int socket_type) {
  const auto places = resolve_link(address, socket_type);
  if (!places) return places.error();
  int error = 0;
  for (const PeerAddress& place : places.value()) {
    FileHandle socket(::socket(place.family(), socket_type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int yes = 1;
    // connections of a program that has ended do not count; two programs at one UDP port would steal from each other
    if (socket.is_open() && socket_type == SOCK_STREAM) ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (socket.is_open() && ::bind(socket.fd(), place.raw(), place.size) == 0) return socket;
    error = errno;
  }
  if (error == EADDRINUSE) return link_error(address, "cannot listen", error, "another program uses this port; give another one, or 0 for any free port");
  if (error == EADDRNOTAVAIL) return link_error(address, "cannot listen", error, "give an address of this machine, such as 127.0.0.1");
  return link_error(address, "cannot listen", error);
}

core::Error link_error(const LinkAddress& address, std::string_view what, int error_number, std::string suggestion) {
  return {.message = fmt::format("{}: {}: {}", address.text(), what, std::strerror(error_number)), .suggestion = std::move(suggestion)};
}

}  // namespace volary::autopilot
