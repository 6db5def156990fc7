// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/block_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/scratch_folder.hpp"

namespace volary::replay {

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto raw = std::as_bytes(std::span(text.data(), text.size()));
  return {raw.begin(), raw.end()};
}

struct BlockFile : ::testing::Test {
  core::ScratchFolder folder;
  const std::string path = folder.file("a.vrec");

  void write(int blocks, bool close) {
    auto w = BlockWriter::create(path);
    ASSERT_TRUE(w);
    for (int k = 0; k < blocks; ++k)
      ASSERT_TRUE(w.value()->append(BlockType::Hashes, static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(k), bytes_of(text_of(k)), true));
    if (close) {
      ASSERT_TRUE(w.value()->close(static_cast<std::uint64_t>(blocks), {}));
    }
  }
  static std::string text_of(int k) { return std::string(static_cast<std::size_t>(10 + 40 * (k % 9)), static_cast<char>('a' + k % 26)) + std::to_string(k); }
  std::string content() const {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  void put(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
};

TEST_F(BlockFile, WhatWasWrittenIsRead) {
  write(200, true);
  const auto r = BlockReader::open(path);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_TRUE(r.value()->scan().closed);
  EXPECT_TRUE(r.value()->scan().damage.empty());
  int k = 0, indexes = 0;
  for (const BlockAt& b : r.value()->scan().blocks) {
    indexes += b.header.type == BlockType::Index ? 1 : 0;
    if (b.header.type != BlockType::Hashes) continue;
    const auto payload = r.value()->payload(b);
    ASSERT_TRUE(payload);
    EXPECT_EQ(payload.value(), bytes_of(text_of(k++)));
  }
  EXPECT_EQ(k, 200);
  EXPECT_EQ(indexes, 4);
}

TEST_F(BlockFile, AFileCutAnywhereOpensUpToItsLastWholeBlock) {
  write(6, false);
  const std::string whole = content();
  const auto full = BlockReader::open(path);
  const std::vector<BlockAt> blocks = full.value()->scan().blocks;
  for (std::size_t n = 0; n <= whole.size(); ++n) {
    put(whole.substr(0, n));
    std::size_t expected = 0;
    while (expected < blocks.size() && blocks[expected].offset + kHeaderBytes + blocks[expected].header.stored <= n) ++expected;
    const auto r = BlockReader::open(path);
    ASSERT_EQ(static_cast<bool>(r), expected > 0) << n;
    if (r) {
      EXPECT_EQ(r.value()->scan().blocks.size(), expected) << n;
    }
  }
}

TEST_F(BlockFile, EveryFlippedBitIsFoundAndEveryOtherBlockIsKept) {
  write(6, false);
  const std::string whole = content();
  for (std::size_t bit = 0; bit < whole.size() * 8; bit += 3) {
    std::string spoilt = whole;
    spoilt[bit / 8] = static_cast<char>(spoilt[bit / 8] ^ (1 << bit % 8));
    put(spoilt);
    const auto r = BlockReader::open(path);
    ASSERT_TRUE(r);
    EXPECT_EQ(r.value()->scan().blocks.size(), 5u) << bit;
    ASSERT_EQ(r.value()->scan().damage.size(), 1u) << bit;
  }
}

TEST_F(BlockFile, BlocksOfAnotherRecordingAreNotTaken) {
  write(3, false);
  const std::string other = content();
  std::filesystem::remove(path);
  write(3, false);
  put(content() + other);
  const auto r = BlockReader::open(path);
  ASSERT_TRUE(r);
  EXPECT_EQ(r.value()->scan().blocks.size(), 3u);
  EXPECT_EQ(r.value()->scan().damage.size(), 1u);
}

TEST_F(BlockFile, LengthsAndRatiosOutOfBoundsAreRefused) {
  BlockHeader h, back;
  std::byte raw[kHeaderBytes];
  h.type = BlockType::View;
  h.flags = kZstd;
  h.stored = 10;
  h.raw = 10 * kMaxRatio;
  write_header(h, raw);
  EXPECT_TRUE(read_header(raw, back));
  h.raw = 12 * kMaxRatio;
  write_header(h, raw);
  EXPECT_FALSE(read_header(raw, back)) << "a bomb";
  h.flags = 0;
  h.raw = h.stored + 1;
  write_header(h, raw);
  EXPECT_FALSE(read_header(raw, back)) << "two lengths for the same bytes";
  h.stored = h.raw = static_cast<std::uint32_t>(kMaxStored) + 1;
  write_header(h, raw);
  EXPECT_FALSE(read_header(raw, back));
  EXPECT_FALSE(decompress(bytes_of("not zstd"), 100));
}

}  // namespace

}  // namespace volary::replay
