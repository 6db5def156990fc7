// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who the agents of a register are, for keyed randomness.
#pragma once

#include "math/random.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::math {

// who a lane is, for keyed randomness: rows of 32-bit words, read only where something is drawn
template <class T> struct Identity {
  const Bits<Scalar<T>>* row;
  VOLARY_HD Words4<Bits<T>> draw(Purpose purpose, std::uint64_t tick, std::uint32_t n) const {
    const Bits<T> id_lo = load(row, Bits<T>()), id_hi = load(row + kBlock, Bits<T>());
    return random_words<Bits<T>>({load(row + 2 * kBlock, Bits<T>()), load(row + 3 * kBlock, Bits<T>())}, id_lo, id_hi, purpose, tick, n);
  }
  // every lane at a tick of its own
  VOLARY_HD Words4<Bits<T>> draw(Purpose purpose, Bits<T> tick_lo, Bits<T> tick_hi, std::uint32_t n) const {
    const Bits<T> id_lo = load(row, Bits<T>()), id_hi = load(row + kBlock, Bits<T>());
    return random_words<Bits<T>>({load(row + 2 * kBlock, Bits<T>()), load(row + 3 * kBlock, Bits<T>())}, id_lo, id_hi, purpose, tick_lo, tick_hi, n);
  }
};

}  // namespace volary::inline VOLARY_ISA::math
