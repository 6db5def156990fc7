// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a bad network does to messages: a message goes in, the times of its deliveries come out. Every draw is keyed by (seed, link, number of the message), so a
// seed gives one schedule whatever else happens, in virtual time and on real transports alike.
#pragma once

#include <array>
#include <cstdint>

#include "cluster/message.hpp"
#include "core/result.hpp"
#include "math/random.hpp"

namespace volary::cluster {

struct ImpairmentOptions {
  double loss = 0;  // share of messages that never arrive
  double delay = 0;  // s
  double jitter = 0;  // s; the delay is drawn evenly from delay - jitter to delay + jitter
  double duplicate = 0;  // share of messages that arrive twice, each with a delay of its own
  double reorder = 0;  // share of messages that are held back for another `delay` + `jitter`, so that later ones overtake them
  double burst = 0;  // share of the time in which nothing at all arrives
  double burst_length = 0.05;  // s
  std::uint64_t seed = 1;
};

// the fault that names the option, or nothing
core::Status check_impairment(const ImpairmentOptions& options);

// at most two deliveries of one message
struct Deliveries {
  std::array<Time, 2> at;
  int count = 0;
  const Time* begin() const { return at.data(); }
  const Time* end() const { return at.data() + count; }
};

class Impairment {
 public:
  Impairment() : Impairment(ImpairmentOptions{}) {}
  explicit Impairment(const ImpairmentOptions& options);
  // `message`: a number that no other message on this link has
  Deliveries deliver(std::uint64_t link, std::uint64_t message, Time now) const;
  const ImpairmentOptions& options() const { return options_; }

 private:
  bool is_in_burst(std::uint64_t link, Time now) const;
  Time late(std::uint32_t draw, bool held) const;

  ImpairmentOptions options_;
  math::RandomKey<std::uint32_t> key_;
  // shares and times as integers, so that a draw is a comparison
  std::uint64_t loss_, duplicate_, reorder_, burst_;
  Time least_, spread_, hold_, burst_length_;
  bool draws_;
};

}  // namespace volary::cluster
