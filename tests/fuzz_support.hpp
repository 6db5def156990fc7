// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzers share: mutations that are the same on every machine, and the programs around what is read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
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

// bytes that one reader is given
struct Target {
  const char* name;
  std::vector<std::string> (*seeds)();
  bool (*read)(const std::string&);  // whether it accepted any of it
};

// files for a fuzzer that is led by coverage: the number of the target and a seed
inline int write_seeds(std::span<const Target> targets, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    int n = 0;
    for (const std::string& seed : targets[k].seeds())
      std::ofstream(folder + "/" + targets[k].name + std::to_string(n++), std::ios::binary) << static_cast<char>(k) << seed;
  }
  return 0;
}

inline int mutate_and_read(const Target& target, long iterations, Random random) {
  const std::vector<std::string> seeds = target.seeds();
  for (const std::string& seed : seeds)
    if (!target.read(seed)) return std::fprintf(stderr, "a seed of %s is refused\n", target.name), 1;
  long accepted = 0;
  std::size_t size = 0;
  for (long i = 0; i < iterations; ++i) {
    std::string bytes = seeds[random.below(seeds.size())];
    for (std::size_t n = 1 + random.below(random.below(8) == 0 ? 30 : 4); n > 0; --n) mutate_bytes(bytes, random);
    // kept until the next one, so that a crash leaves its cause behind
    if (const char* file = std::getenv("VOLARY_FUZZ_LAST")) std::ofstream(file, std::ios::binary) << bytes;
    accepted += target.read(bytes) ? 1 : 0;
    size += bytes.size();
  }
  std::printf("%s: %ld inputs of %zu bytes from %zu seeds, %ld accepted\n", target.name, iterations, size, seeds.size(), accepted);
  return 0;
}

// main() of a fuzzer: NAME [iterations = 10000] [seed = 1], or seeds FOLDER
inline int run(std::span<const Target> targets, int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "seeds" && argc > 2) return write_seeds(targets, argv[2]);
  for (const Target& target : targets)
    if (what == target.name)
      return mutate_and_read(target, argc > 2 ? std::atol(argv[2]) : 10'000, {argc > 3 ? static_cast<std::uint64_t>(std::atoll(argv[3])) : 1});
  for (const Target& target : targets) std::fprintf(stderr, "%s %s [iterations] [seed]\n", argv[0], target.name);
  return 2;
}

// one input of libFuzzer: the first byte says whom it is for
inline int read_one(std::span<const Target> targets, const std::uint8_t* data, std::size_t size) {
  if (size > 0) targets[data[0] % targets.size()].read(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}

}  // namespace volary::fuzz
