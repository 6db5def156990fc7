// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// When a member is taken for dead: not heard for longer than five periods, four times the 99th percentile of the gaps between its messages, and a quarter of a
// second. A broker's last will comes too late after a freeze or a partition (1.5 times a keep-alive of at least 5 s), so the rule is our own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "cluster/message.hpp"

namespace volary::cluster {

class Suspicion {
 public:
  void heard(Time now) {
    if (last_ > 0 && now > last_) {
      ++gaps_[bin(now - last_)];
      // old gaps count for less and less
      if (++n_ >= kMost) {
        n_ = 0;
        for (auto& g : gaps_) g /= 2, n_ += g;
      }
    }
    last_ = now;
  }
  void begin(Time now) { last_ = std::max<Time>(now, 1); }
  bool is_dead(Time now, Time period) const { return last_ > 0 && now - last_ > patience(period); }
  Time patience(Time period) const { return std::max({5 * period, 4 * percentile_99(), kLeast}); }
  Time last() const { return last_; }

 private:
  static constexpr Time kLeast = 250'000'000;
  static constexpr std::uint32_t kMost = 4096;
  // bins double from a microsecond on
  static std::size_t bin(Time gap) { return std::min<std::size_t>(std::bit_width(static_cast<std::uint64_t>(gap / 1000)), 27); }
  // the upper end of the bin in which it lies
  Time percentile_99() const {
    if (n_ < 20) return 0;
    std::uint32_t above = 0;
    for (std::size_t b = gaps_.size(); b-- > 0;) {
      above += gaps_[b];
      if (above * 100 > n_) return Time{1000} << b;
    }
    return 0;
  }
  std::array<std::uint32_t, 28> gaps_{};
  std::uint32_t n_ = 0;
  Time last_ = 0;
};

}  // namespace volary::cluster
