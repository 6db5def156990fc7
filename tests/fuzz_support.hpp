// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzers share: mutations that are the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace volary::fuzz {

// SplitMix64
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t x = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }
};

// one change of a text that is made of words; `tokens` are what its parser may trip over
inline void mutate_text(std::string& text, std::span<const char* const> tokens, std::span<const std::string> seeds, Random& random) {
  const std::size_t at = random.below(text.size() + 1), length = random.below(12);
  switch (random.below(7)) {
    case 0: text.insert(at, tokens[random.below(tokens.size())]); break;
    case 1: text.erase(at, length); break;
    case 2:
      if (at < text.size()) text[at] = static_cast<char>(random.next());
      break;
    case 3: text.replace(at, std::min(length, text.size() - at), tokens[random.below(tokens.size())]); break;
    case 4: text.insert(at, text.substr(random.below(text.size() + 1), 4 * length)); break;
    case 5: {
      const std::string& other = seeds[random.below(seeds.size())];
      text.insert(at, other.substr(random.below(other.size() + 1), 10 * length));
      break;
    }
    default: text.resize(at); break;
  }
}

// one change of a file that is made of numbers: those that overflow, signs, sizes
inline void mutate_bytes(std::string& bytes, Random& random) {
  static constexpr std::uint32_t kNumbers[] = {0,      1,       2,          0x7f,       0x80,       0xff,       0x7fff,    0x8000,
                                               0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x3fffffff};
  const std::size_t at = random.below(bytes.size() + 1);
  switch (random.below(6)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random.next());
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 2: {
      const std::uint32_t number = kNumbers[random.below(std::size(kNumbers))];
      const std::size_t n = std::min<std::size_t>(random.below(2) == 0 ? 2 : 4, bytes.size() - at);
      std::memcpy(bytes.data() + at, &number, n);
      break;
    }
    case 3: bytes.erase(at, 1 + random.below(8)); break;
    case 4: bytes.insert(at, bytes.substr(random.below(bytes.size() + 1), 1 + random.below(32))); break;
    default:
      if (random.below(4) == 0) bytes.resize(at);
      break;
  }
}

}  // namespace volary::fuzz
