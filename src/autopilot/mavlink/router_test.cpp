// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mavlink/router.hpp"

#include <algorithm>
#include <deque>
#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace volary::mavlink {
namespace {

constexpr std::uint32_t kHeartbeat = 0, kSetMode = 11, kCommandLong = 76, kNotInTheTable = 0xabcdef;
const std::vector<ChannelId> kAll = {3, 1, 4, 7};

// a frame with the bytes behind it, as a parser would hand it over
struct Sent {
  Frame frame;
  Bytes bytes;

  Sent(std::uint8_t system, std::uint8_t component, std::uint32_t id, std::uint8_t sequence = 0, std::uint16_t checksum = 0) {
    frame.system = system;
    frame.component = component;
    frame.id = id;
    frame.sequence = sequence;
    frame.length = 33;
    bytes.assign(10 + 33 + 2, std::byte{0});
    bytes[43] = static_cast<std::byte>(checksum & 0xff);
    bytes[44] = static_cast<std::byte>(checksum >> 8);
    frame.bytes = bytes;
  }
  Sent(const Sent& other) : frame(other.frame), bytes(other.bytes) { frame.bytes = bytes; }
  Sent to(std::uint8_t system, std::uint8_t component) const {
    Sent out = *this;
    const MessageInfo* info = find_message(frame.id);
    out.frame.payload[static_cast<std::size_t>(info->target_system_at)] = std::byte{system};
    if (info->target_component_at >= 0) out.frame.payload[static_cast<std::size_t>(info->target_component_at)] = std::byte{component};
    return out;
  }
};

std::vector<ChannelId> routed(const Router& router, const Sent& sent, ChannelId from) {
  std::vector<ChannelId> to = {99};  // of an earlier frame
  router.route(sent.frame, from, kAll, to);
  return to;
}

TEST(router, reads_the_target_of_a_message) {
  const Router::Target none = Router::target_of(Sent(1, 1, kHeartbeat).frame);
  EXPECT_FALSE(none.has_target);
  EXPECT_FALSE(Router::target_of(Sent(1, 1, kNotInTheTable).frame).has_target);
  const Router::Target command = Router::target_of(Sent(255, 190, kCommandLong).to(7, 9).frame);
  EXPECT_TRUE(command.has_target);
  EXPECT_EQ(command.system, 7);
  EXPECT_EQ(command.component, 9);
  const Router::Target mode = Router::target_of(Sent(255, 190, kSetMode).to(7, 9).frame);
  EXPECT_TRUE(mode.has_target);
  EXPECT_EQ(mode.system, 7);
  EXPECT_EQ(mode.component, 0);
}

TEST(router, sends_what_has_no_target_to_all_channels_but_the_one_it_came_from) {
  const Router router;
  EXPECT_EQ(routed(router, Sent(1, 1, kHeartbeat), 1), (std::vector<ChannelId>{3, 4, 7}));
  EXPECT_EQ(routed(router, Sent(1, 1, kNotInTheTable), 3), (std::vector<ChannelId>{1, 4, 7}));
  EXPECT_EQ(routed(router, Sent(255, 190, kCommandLong).to(0, 0), 7), (std::vector<ChannelId>{3, 1, 4}));
  EXPECT_EQ(routed(router, Sent(255, 190, kCommandLong).to(0, 5), 99), kAll);
}

TEST(router, sends_what_has_a_target_only_where_the_target_was_heard) {
  Router router;
  router.heard(1, Sent(5, 1, kHeartbeat).frame);
  router.heard(4, Sent(5, 100, kHeartbeat).frame);
  router.heard(7, Sent(6, 1, kHeartbeat).frame);
  const Sent command(255, 190, kCommandLong);
  EXPECT_EQ(routed(router, command.to(5, 1), 3), (std::vector<ChannelId>{1}));
  EXPECT_EQ(routed(router, command.to(5, 0), 3), (std::vector<ChannelId>{1, 4}));
  EXPECT_EQ(routed(router, command.to(5, 0), 4), (std::vector<ChannelId>{1}));
  EXPECT_EQ(routed(router, command.to(5, 2), 3), (std::vector<ChannelId>{}));
  EXPECT_EQ(routed(router, command.to(8, 1), 3), (std::vector<ChannelId>{}));
  EXPECT_EQ(routed(router, Sent(255, 190, kSetMode).to(5, 0), 3), (std::vector<ChannelId>{1, 4}));
}

TEST(router, forgets_a_channel_that_has_closed) {
  Router router;
  router.heard(1, Sent(5, 1, kHeartbeat).frame);
  router.heard(4, Sent(5, 1, kHeartbeat).frame);
  router.forget(1);
  EXPECT_EQ(routed(router, Sent(255, 190, kCommandLong).to(5, 1), 3), (std::vector<ChannelId>{4}));
}

TEST(router, does_not_learn_from_more_channels_than_its_memory_has_room_for) {
  Router router;
  for (ChannelId channel = 1; channel <= Router::kMostChannels + 1; ++channel) router.heard(channel, Sent(5, 1, kHeartbeat).frame);
  const std::vector<ChannelId> all = {1, Router::kMostChannels, Router::kMostChannels + 1};
  std::vector<ChannelId> to;
  router.route(Sent(255, 190, kCommandLong).to(5, 1).frame, 0, all, to);
  EXPECT_EQ(to, (std::vector<ChannelId>{1, Router::kMostChannels}));
}

// ---------------------------------------------------------------- against a model

TEST(router, agrees_with_a_plain_list_of_all_that_was_heard_under_random_traffic) {
  std::mt19937 random(2026);
  for (int round = 0; round < 50; ++round) {
    Router router;
    std::set<std::tuple<ChannelId, int, int>> seen;  // channel, system, component
    for (int k = 0; k < 400; ++k) {
      const ChannelId from = kAll[random() % kAll.size()];
      const auto small = [&] { return static_cast<std::uint8_t>(random() % 4 == 0 ? random() % 256 : random() % 4); };
      const std::uint32_t id = std::vector{kHeartbeat, kSetMode, kCommandLong, kCommandLong, kNotInTheTable}[random() % 5];
      const Sent plain(small(), small(), id);
      const bool has_target = id == kSetMode || id == kCommandLong;
      const int system = small(), component = small();
      const Sent sent = has_target ? plain.to(static_cast<std::uint8_t>(system), static_cast<std::uint8_t>(component)) : plain;
      if (random() % 40 == 0) {
        router.forget(from);
        std::erase_if(seen, [&](const auto& s) { return std::get<0>(s) == from; });
      }
      router.heard(from, sent.frame);
      if (sent.frame.system != 0) seen.emplace(from, sent.frame.system, sent.frame.component);

      std::vector<ChannelId> expected;
      for (const ChannelId channel : kAll) {
        const bool is_heard = std::any_of(seen.begin(), seen.end(), [&](const auto& s) {
          const auto [c, sys, comp] = s;
          return c == channel && sys == system && (id == kSetMode || component == 0 || comp == component);
        });
        if (channel != from && (!has_target || system == 0 || is_heard)) expected.push_back(channel);
      }
      ASSERT_EQ(routed(router, sent, from), expected) << "round " << round << " frame " << k;
    }
  }
}

// ---------------------------------------------------------------- repeats

TEST(router, takes_a_frame_that_comes_over_two_channels_once) {
  Router router;
  const Sent sent(1, 1, kHeartbeat, 7, 0x1234);
  EXPECT_FALSE(router.is_repeat(sent.frame, 1));
  EXPECT_TRUE(router.is_repeat(sent.frame, 2));
  EXPECT_TRUE(router.is_repeat(sent.frame, 3));
  // whatever differs makes another frame
  EXPECT_FALSE(router.is_repeat(Sent(2, 1, kHeartbeat, 7, 0x1234).frame, 2));
  EXPECT_FALSE(router.is_repeat(Sent(1, 2, kHeartbeat, 7, 0x1234).frame, 2));
  EXPECT_FALSE(router.is_repeat(Sent(1, 1, kHeartbeat, 8, 0x1234).frame, 2));
  EXPECT_FALSE(router.is_repeat(Sent(1, 1, kHeartbeat, 7, 0x1235).frame, 2));
  EXPECT_FALSE(router.is_repeat(Sent(1, 1, kSetMode, 7, 0x1235).frame, 3));
}

TEST(router, takes_equal_frames_of_one_channel_because_some_senders_do_not_count) {
  Router router;
  const Sent sent(1, 1, kHeartbeat, 0, 0x1234);
  for (int k = 0; k < 10; ++k) EXPECT_FALSE(router.is_repeat(sent.frame, 1));
  EXPECT_TRUE(router.is_repeat(sent.frame, 2));
}

TEST(router, takes_an_equal_frame_of_the_next_round_of_sequence_numbers) {
  Router router;
  EXPECT_FALSE(router.is_repeat(Sent(1, 1, kHeartbeat, 0, 0x1234).frame, 1));
  for (std::uint32_t k = 1; k < 256; ++k) EXPECT_FALSE(router.is_repeat(Sent(1, 1, kHeartbeat, static_cast<std::uint8_t>(k), 0x1234).frame, 1));
  EXPECT_FALSE(router.is_repeat(Sent(1, 1, kHeartbeat, 0, 0x1234).frame, 2));
}

TEST(router, remembers_as_many_frames_of_a_source_as_it_says) {
  for (const std::uint32_t later : {Router::kRemembered - 1, Router::kRemembered}) {
    Router router;
    EXPECT_FALSE(router.is_repeat(Sent(1, 1, kHeartbeat, 0, 0x1234).frame, 1));
    for (std::uint32_t k = 1; k <= later; ++k) EXPECT_FALSE(router.is_repeat(Sent(1, 1, kHeartbeat, static_cast<std::uint8_t>(k), 0).frame, 1));
    EXPECT_EQ(router.is_repeat(Sent(1, 1, kHeartbeat, 0, 0x1234).frame, 2), later < Router::kRemembered);
  }
}

TEST(router, finds_the_checksum_of_old_and_signed_frames_and_does_without_bytes) {
  Router router;
  Sent first(1, 1, kHeartbeat, 7, 0x1234), second(1, 1, kHeartbeat, 7, 0x1234);
  // two signatures of one frame
  for (Sent* sent : {&first, &second}) {
    sent->bytes.resize(sent->bytes.size() + 13, static_cast<std::byte>(sent == &first ? 1 : 2));
    sent->frame.bytes = sent->bytes;
    sent->frame.incompatibility = kSigned;
  }
  EXPECT_FALSE(router.is_repeat(first.frame, 1));
  EXPECT_TRUE(router.is_repeat(second.frame, 2));

  // version 1 has a shorter header
  Sent old(2, 1, kHeartbeat, 7);
  old.frame.is_version_1 = true;
  old.bytes.resize(6 + 33 + 2);
  old.bytes.back() = std::byte{0x55};
  old.frame.bytes = old.bytes;
  EXPECT_FALSE(router.is_repeat(old.frame, 1));
  EXPECT_TRUE(router.is_repeat(old.frame, 2));
  old.bytes.back() = std::byte{0x56};
  EXPECT_FALSE(router.is_repeat(old.frame, 2));

  old.frame.bytes = {};
  EXPECT_FALSE(router.is_repeat(old.frame, 1));
  EXPECT_FALSE(router.is_repeat(old.frame, 2));
}

TEST(router, forgets_the_source_that_was_silent_longest_when_there_are_too_many) {
  Router router;
  const auto source = [](std::size_t k) { return Sent(static_cast<std::uint8_t>(1 + k / 256), static_cast<std::uint8_t>(k % 256), kHeartbeat, 0, 1); };
  for (std::size_t k = 0; k < Router::kMostSources; ++k) EXPECT_FALSE(router.is_repeat(source(k).frame, 1));
  EXPECT_TRUE(router.is_repeat(source(0).frame, 2));  // is the last one heard now
  EXPECT_FALSE(router.is_repeat(source(Router::kMostSources).frame, 1));
  EXPECT_TRUE(router.is_repeat(source(0).frame, 2));
  EXPECT_TRUE(router.is_repeat(source(2).frame, 2));
  EXPECT_FALSE(router.is_repeat(source(1).frame, 2));  // it had to go
}

TEST(router, forwards_every_frame_once_over_redundant_links_with_delay_and_loss) {
  std::mt19937 random(11);
  Router router;
  std::deque<Sent> slow;
  std::vector<int> n_taken(5000, 0), n_heard(5000, 0);
  const auto deliver = [&](const Sent& sent, ChannelId channel) {
    const auto number = static_cast<std::size_t>(std::to_integer<int>(sent.bytes[10]) | std::to_integer<int>(sent.bytes[11]) << 8);
    if (random() % 10 == 0) return;  // lost
    ++n_heard[number];
    n_taken[number] += router.is_repeat(sent.frame, channel) ? 0 : 1;
  };
  for (std::size_t k = 0; k < n_taken.size(); ++k) {
    Sent sent(1, 1, kHeartbeat, static_cast<std::uint8_t>(k), static_cast<std::uint16_t>(k / 256 * 40503));
    sent.bytes[10] = static_cast<std::byte>(k & 0xff);
    sent.bytes[11] = static_cast<std::byte>(k >> 8);
    deliver(sent, 1);
    slow.push_back(sent);
    if (slow.size() <= 30) continue;
    deliver(slow.front(), 2);
    slow.pop_front();
  }
  for (std::size_t k = 0; k < n_taken.size(); ++k) ASSERT_EQ(n_taken[k], n_heard[k] > 0 ? 1 : 0) << k;
}

}  // namespace
}  // namespace volary::mavlink
