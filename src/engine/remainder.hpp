// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// x % d for many x and one d, with a product instead of a division: every vehicle asks in every tick whether it is its turn.
#pragma once

#include <cstdint>

namespace volary::engine {

class Remainder {
 public:
  explicit Remainder(std::uint64_t d) : d_(d), per_(~std::uint64_t{0} / d) {}  // d is not 0
  std::uint64_t of(std::uint64_t x) const {
    // the quotient, or up to two less
    const auto quotient = static_cast<std::uint64_t>((static_cast<unsigned __int128>(x) * per_) >> 64);
    std::uint64_t rest = x - quotient * d_;
    while (rest >= d_) rest -= d_;
    return rest;
  }

 private:
  std::uint64_t d_, per_;
};

}  // namespace volary::engine
