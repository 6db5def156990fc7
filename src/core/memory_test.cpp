// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/memory.hpp"

#include <gtest/gtest.h>

#include <map>

namespace volary::core {
namespace {

// counts what is taken from the host
struct Counting final : Memory {
  std::map<std::byte*, std::size_t> held;
  std::byte* take(std::size_t bytes) override {
    std::byte* const p = host_memory().take(bytes);
    held[p] = bytes;
    return p;
  }
  void give_back(std::byte* p, std::size_t bytes) override {
    EXPECT_EQ(held.at(p), bytes);
    held.erase(p);
    host_memory().give_back(p, bytes);
  }
};

TEST(memory, a_buffer_grows_in_the_memory_that_it_was_made_in_and_gives_all_of_it_back) {
  Counting memory;
  {
    Buffer buffer(memory);
    EXPECT_TRUE(memory.held.empty());
    buffer.grow(100);
    buffer.data()[99] = std::byte{7};
    buffer.grow(3 << 20);
    EXPECT_EQ(memory.held.size(), 1u);
    EXPECT_EQ(buffer.data()[99], std::byte{7});
    EXPECT_EQ(buffer.data()[100], std::byte{0});
    // one that takes the place of another takes its memory too
    Buffer other;
    other = std::move(buffer);
    EXPECT_EQ(memory.held.count(other.data()), 1u);
    other.grow(4 << 20);
    EXPECT_EQ(memory.held.count(other.data()), 1u);
  }
  EXPECT_TRUE(memory.held.empty());
}

}  // namespace
}  // namespace volary::core
