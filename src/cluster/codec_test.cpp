// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/codec.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/crc32c.hpp"

namespace volary::cluster {

namespace {

constexpr std::uint64_t kFederation = 77;

std::vector<std::byte> some_bytes(std::size_t n) {
  std::vector<std::byte> bytes(n);
  for (std::size_t k = 0; k < n; ++k) bytes[k] = static_cast<std::byte>(k * 7 + n);
  return bytes;
}

Bundle some_bundle() {
  Bundle b{.term = 3, .member = 5, .incarnation = 2, .sequence = 99, .advanced = 12, .settled = 10, .inputs = 4, .durable = 8, .sent = -5, .compute_us = 120};
  b.first_sum = 9;
  b.sums = {0x0123456789abcdefu, 42};
  b.acks = {{0, 11}, {63, 12}};
  b.bytes = some_bytes(30);
  b.frames = {{11, 5, {4, 1}, 0, 10}, {12, 5, {4, 1}, 10, 20}};
  return b;
}

std::vector<Message> some_messages() {
  Config config{.term = 1, .scenario = 2, .build = 3, .horizon = 4, .carry = 8, .ring = 256, .live = true, .committed = 9, .floor = 8, .base = 5, .base_need = 4};
  config.members = {{.id = 0, .incarnation = 1, .nonce = 6, .from = 1}, {.id = 7, .incarnation = 2, .nonce = 8, .from = 3, .until = 50, .restored = 4}};
  LogPart log{.term = 1};
  log.entries = {{.sequence = 6, .effective = 20, .bytes = some_bytes(5)},
                 {.sequence = 7, .effective = kNever, .kind = EntryKind::Restart, .member = 7, .incarnation = 3, .until = 12, .nonce = 1}};
  return {config,
          Trigger{.term = 1, .sequence = 2, .sent = 3, .period = 10'000'000, .limit = 70, .aligned = 8, .committed = 7, .floor = 6, .log_end = 7},
          log,
          some_bundle(),
          Request{.kind = RequestKind::Restart, .member = 7, .nonce = 1, .account = 4, .host = "ridge-3", .durable = 12},
          Refusal{.term = 1, .nonce = 9, .reason = RefusalReason::TooOld},
          Notice{.term = 1, .nonce = 9, .kind = NoticeKind::HandOver, .tick = 12},
          Fetch{.member = 7, .nonce = 9, .tick = 12}};
}

std::vector<std::byte> encoded(const Message& m) {
  std::vector<std::byte> bytes;
  encode(m, kFederation, bytes);
  return bytes;
}
// a changed message whose checksum is right
void seal(std::vector<std::byte>& bytes) {
  const auto crc = core::crc32c(std::span(bytes).first(bytes.size() - 4));
  std::memcpy(bytes.data() + bytes.size() - 4, &crc, 4);
}

}  // namespace

TEST(Codec, GivesBackEveryMessage) {
  for (const Message& m : some_messages()) {
    Message back;
    ASSERT_FALSE(decode(encoded(m), kFederation, back)) << m.index();
    EXPECT_TRUE(back == m) << m.index();
  }
}

TEST(Codec, GivesBackAMessageIntoMemoryThatHeldAnother) {
  Message back = some_bundle();
  Bundle small{.member = 1, .sequence = 3};
  ASSERT_FALSE(decode(encoded(small), kFederation, back));
  EXPECT_EQ(std::get<Bundle>(back), small);
}

TEST(Codec, NamesTheReasonOfEveryDrop) {
  Message back;
  const auto good = encoded(some_bundle());
  const auto reason = [&](auto change) {
    auto bytes = good;
    change(bytes);
    return decode(bytes, kFederation, back);
  };
  EXPECT_EQ(reason([](auto& b) { b.resize(kMaxMessageBytes + 1); }), Drop::Oversized);
  EXPECT_EQ(reason([](auto& b) { b.resize(10); }), Drop::Truncated);
  EXPECT_EQ(reason([](auto& b) { b[0] = std::byte{0}; }), Drop::Foreign);
  EXPECT_EQ(reason([](auto& b) { b[4] = std::byte{9}; }), Drop::OtherVersion);
  EXPECT_EQ(reason([](auto& b) { b[6] = std::byte{9}; }), Drop::OtherFederation);
  EXPECT_EQ(reason([](auto& b) { b[20] ^= std::byte{1}; }), Drop::Corrupt);
  EXPECT_EQ(reason([](auto& b) { b.pop_back(); }), Drop::Corrupt);
  EXPECT_EQ(reason([](auto& b) { b[5] = std::byte{200}, seal(b); }), Drop::Malformed);             // a kind that is none
  EXPECT_EQ(reason([](auto& b) { b[5] = std::byte{0}, seal(b); }), Drop::Malformed);
  EXPECT_EQ(reason([](auto& b) { b[22] = std::byte{64}, seal(b); }), Drop::Malformed);             // member 64
  EXPECT_EQ(reason([](auto& b) { b.insert(b.end() - 4, std::byte{0}), seal(b); }), Drop::Malformed);  // bytes left over
  EXPECT_EQ(reason([](auto& b) { b.erase(b.end() - 12, b.end() - 4), seal(b); }), Drop::Truncated);
}

TEST(Codec, RefusesEveryTruncationAndSurvivesEveryChangedByte) {
  for (const Message& m : some_messages()) {
    const auto good = encoded(m);
    Message back;
    for (std::size_t n = 0; n < good.size(); ++n) EXPECT_TRUE(decode(std::span(good).first(n), kFederation, back));
    for (std::size_t at = 14; at + 4 < good.size(); ++at)
      for (const int value : {0, 1, 0x3f, 0x40, 0x7f, 0x80, 0xff}) {
        auto bytes = good;
        bytes[at] = static_cast<std::byte>(value);
        seal(bytes);
        // what is accepted is a message: it encodes to the same bytes
        if (!decode(bytes, kFederation, back)) EXPECT_EQ(encoded(back), bytes);
      }
  }
}

TEST(Codec, RefusesALogWithAGap) {
  LogPart log;
  log.entries = {{.sequence = 1, .effective = 5}, {.sequence = 3, .effective = 5}};
  Message back;
  EXPECT_EQ(decode(encoded(log), kFederation, back), Drop::Malformed);
}

TEST(Codec, RefusesAnEntryThatActsNever) {
  LogPart log;
  log.entries = {{.sequence = 1, .effective = kNever}};
  Message back;
  EXPECT_EQ(decode(encoded(log), kFederation, back), Drop::Malformed);
}

}  // namespace volary::cluster
