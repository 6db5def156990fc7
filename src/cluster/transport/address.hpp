// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses on the network, and the one rule about them: nothing listens beyond this machine without credentials.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::cluster {

struct HostPort {
  std::string host;
  int port = 0;
};
// "host:port", "host" (then `default_port`), "[::1]:port"; the error names `field`
core::Result<HostPort> parse_host_port(std::string_view text, int default_port, std::string_view field);

std::string host_port_text(const HostPort& where);

struct Address {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
  int port() const;
  std::string text() const;  // 127.0.0.1:1883, [::1]:1883
  bool operator==(const Address& other) const;
};
// all addresses of a host by its name or number; at least one
core::Result<std::vector<Address>> resolve(const HostPort& where, bool is_datagram);
// 127.0.0.0/8, ::1, and the former written as IPv6
bool is_loopback(const Address& address);

// Refuses, in words, to listen at an address that other machines can reach unless there are credentials.
core::Status check_exposure(const Address& address, bool has_credentials, std::string_view what, std::string_view remedy);

// whether a TCP server answers there; waits at most so long. The error says what went wrong.
core::Status reach(const HostPort& where, std::int64_t timeout_ns);
// whether a server could listen there: an address of this machine, and a TCP port that nobody uses. The error says what is wrong.
core::Status can_listen(const HostPort& where, std::string_view field);
// a TCP port of 127.0.0.1 that nobody uses at this moment
core::Result<int> free_loopback_port();

}  // namespace volary::cluster
