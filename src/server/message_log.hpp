// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What was heard lately, for people to look at: how good each link is, and the last messages of the vehicles that somebody looks at.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>

#include "volary/world.hpp"

namespace volary::server {

class MessageLog {
 public:
  static constexpr int kRemembered = 16;             // messages of a link
  static constexpr std::size_t kMostMessages = 24;    // of a vehicle
  static constexpr std::size_t kMostLinks = 200'000;

  // what was settled in a tick; `watched` are the vehicles whose messages are kept
  void note(std::span<const MessageOutcome> heard, std::span<const VehicleId> watched);
  void clear();

  // percent of the last messages from the sender that the receiver heard; -1: none is known
  int quality(VehicleId receiver, VehicleId sender) const;
  const std::deque<MessageOutcome>& messages(VehicleId id) const;  // the newest last

 private:
  struct Link {
    std::uint32_t bits = 0;  // the newest lowest; 1: it arrived
    int count = 0;
  };
  struct Ends {
    std::uint64_t receiver, sender;
    friend bool operator==(const Ends&, const Ends&) = default;
  };
  struct Spread {
    std::size_t operator()(const Ends& e) const { return static_cast<std::size_t>(e.receiver * 0x9e3779b97f4a7c15ull ^ e.sender); }
  };
  std::unordered_map<Ends, Link, Spread> links_;  // looked up, never walked
  std::map<VehicleId, std::deque<MessageOutcome>> messages_;
};

}  // namespace volary::server
