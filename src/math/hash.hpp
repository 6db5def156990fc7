// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The state hash. Each agent is hashed by itself with its id, and the hashes are added modulo 2^64: the sum
// does not depend on blocks, threads, processes or order. Rows of an agent go round-robin into four 32-bit
// accumulators that every vector width has instructions for; each step is a bijection, so a single changed
// bit always changes the hash, and a random change is missed with probability 2^-32 at most.
#pragma once

#include <cstdint>

#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::math {

VOLARY_HD std::uint64_t mix64(std::uint64_t x) {
  // finaliser of SplitMix64 (Steele, Lea, Flood 2014)
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

template <class B> struct HashLanes {
  B a[4];
};
template <class B> VOLARY_HD B hash_step(B acc, B word) {
  acc = (acc ^ word) * B(static_cast<std::uint32_t>(0x9e3779b1u));
  return acc ^ (acc >> 15);
}

// the four accumulators of every lane over `rows` rows of a record
template <class B> VOLARY_HD HashLanes<B> hash_rows(HashLanes<B> h, const std::uint32_t* row, int rows) {
  int k = 0;
  for (; k + 4 <= rows; k += 4, row += 4 * kBlock)
    for (int j = 0; j < 4; ++j) h.a[j] = hash_step(h.a[j], load(row + j * kBlock, B()));
  for (int j = 0; j < 3; ++j)
    if (k + j < rows) h.a[j] = hash_step(h.a[j], load(row + j * kBlock, B()));
  return h;
}
// a double is two words
VOLARY_HD HashLanes<std::uint32_t> hash_rows(HashLanes<std::uint32_t> h, const std::uint64_t* row, int rows) {
  for (int k = 0; k < rows; ++k, row += kBlock) {
    h.a[(2 * k) % 4] = hash_step(h.a[(2 * k) % 4], static_cast<std::uint32_t>(*row));
    h.a[(2 * k + 1) % 4] = hash_step(h.a[(2 * k + 1) % 4], static_cast<std::uint32_t>(*row >> 32));
  }
  return h;
}

// the accumulators of one agent mixed with each other, as the two halves of its 64-bit hash
template <class B> VOLARY_HD void finish_hash(HashLanes<B> h, B& low, B& high) {
  for (int round = 0; round < 2; ++round)
    for (int j = 0; j < 4; ++j) h.a[j] = hash_step(h.a[j], h.a[(j + 1) % 4]);
  low = hash_step(h.a[0], h.a[2]);
  high = hash_step(h.a[1], h.a[3]);
}

}  // namespace volary::inline VOLARY_ISA::math
