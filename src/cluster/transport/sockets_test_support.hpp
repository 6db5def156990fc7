// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which sockets a process listens at, as the kernel says: "tcp 127.0.0.1:1883", "udp 0.0.0.0:9000".
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/types.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cluster/transport/address.hpp"

namespace volary::cluster::testing {

struct OpenSocket {
  std::string protocol;
  Address address;
  std::string text() const { return protocol + " " + address.text(); }
};

inline std::set<std::string> socket_inodes(pid_t pid) {
  std::set<std::string> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", error)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    if (target.starts_with("socket:[")) out.insert(target.substr(8, target.size() - 9));
  }
  return out;
}

// "0100007F:1F90", or 32 digits for IPv6, as the kernel prints it
inline Address address_of_hex(const std::string& text) {
  const std::size_t colon = text.find(':');
  const int port = std::stoi(text.substr(colon + 1), nullptr, 16);
  Address out;
  const auto word = [&](std::size_t k) { return static_cast<std::uint32_t>(std::stoul(text.substr(8 * k, 8), nullptr, 16)); };
  if (colon == 8) {
    auto* four = reinterpret_cast<sockaddr_in*>(&out.storage);
    four->sin_family = AF_INET;
    four->sin_port = htons(static_cast<std::uint16_t>(port));
    four->sin_addr.s_addr = word(0);
  } else {
    auto* six = reinterpret_cast<sockaddr_in6*>(&out.storage);
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(static_cast<std::uint16_t>(port));
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t w = word(k);
      std::memcpy(six->sin6_addr.s6_addr + 4 * k, &w, 4);
    }
  }
  return out;
}

// TCP sockets that listen, and UDP sockets that are bound
inline std::vector<OpenSocket> listening_sockets(pid_t pid) {
  const std::set<std::string> inodes = socket_inodes(pid);
  std::vector<OpenSocket> out;
  for (const std::string protocol : {"tcp", "tcp6", "udp", "udp6"}) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/net/" + protocol);
    std::string line;
    for (std::getline(in, line); std::getline(in, line);) {
      std::istringstream words(line);
      std::string skip, local, remote, state, inode;
      words >> skip >> local >> remote >> state;
      for (int k = 0; k < 6; ++k) words >> inode;
      const bool is_tcp = protocol.starts_with("tcp");
      if (inodes.contains(inode) && (!is_tcp || state == "0A")) out.push_back({protocol, address_of_hex(local)});
    }
  }
  return out;
}

}  // namespace volary::cluster::testing
