// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fragments become messages again, and what came twice is noticed. Pure: the time is given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cluster/transport/udp_packet.hpp"

namespace volary::cluster {

// Remembers which numbers came: all within a window behind the newest. What is older counts as having come.
class ReplayWindow {
 public:
  static constexpr std::uint64_t kSize = 4096;

  bool has(std::uint64_t number) const;
  // false when it came before
  bool accept(std::uint64_t number);

 private:
  bool has_any_ = false;
  std::uint64_t newest_ = 0;
  std::array<std::uint64_t, kSize / 64> bits_ = {};
};

struct AssemblyLimits {
  std::size_t messages = 64;            // incomplete at one time
  std::size_t bytes = 8u << 20;         // of them together
  std::size_t max_message = kMaxMessage + kMaxTopic + 2;
  std::int64_t patience_ns = 500'000'000;
};

class Assembly {
 public:
  explicit Assembly(AssemblyLimits limits) : limits_(limits) {}

  // the whole message when this was its last missing part; `dropped` counts incomplete ones that had to make room
  std::optional<std::vector<std::byte>> add(std::uint32_t peer, const Packet& packet, std::int64_t now_ns, std::uint64_t& dropped);
  // gives up those whose time is over; how many
  std::uint64_t expire(std::int64_t now_ns);
  void forget(std::uint32_t peer);
  std::size_t messages() const { return partial_.size(); }
  std::size_t bytes() const { return bytes_; }
  // when the next one is given up, or nothing
  std::optional<std::int64_t> next_expiry() const;

 private:
  struct Partial {
    std::uint32_t peer;
    PacketKind kind;
    std::uint64_t message;
    std::uint16_t fragments, chunk, n_received = 0;
    std::int64_t give_up_ns;
    std::vector<bool> received;
    std::vector<std::byte> bytes;
  };
  void remove(std::size_t index);
  Partial* open(std::uint32_t peer, const PacketHeader& header, std::int64_t now_ns, std::uint64_t& dropped);

  AssemblyLimits limits_;
  std::vector<Partial> partial_;  // the oldest first
  std::size_t bytes_ = 0;
};

}  // namespace volary::cluster
