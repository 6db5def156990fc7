// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/udp_packet.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "cluster/transport/transport_test_support.hpp"
#include "cluster/transport/udp_assembly.hpp"

namespace volary::cluster {
namespace {

using testing::bytes_of;

const std::uint64_t kTag = federation_tag("local");
const PacketKey kNoKey = {}, kKey = packet_key("a secret of many letters", "local");

// a message cut as a sender does
std::vector<std::vector<std::byte>> cut(std::span<const std::byte> message, std::uint16_t chunk, std::uint64_t number, const PacketKey& key) {
  std::vector<std::vector<std::byte>> out;
  const std::size_t n = message.size() <= chunk ? 1 : (message.size() + chunk - 1) / chunk;
  for (std::size_t k = 0; k < n; ++k) {
    const PacketHeader h{.kind = PacketKind::Data,
                         .federation = kTag,
                         .sender = 3,
                         .session = 9,
                         .number = number * 40 + k,
                         .message = number,
                         .size = static_cast<std::uint32_t>(message.size()),
                         .fragment = static_cast<std::uint16_t>(k),
                         .fragments = static_cast<std::uint16_t>(n),
                         .chunk = n > 1 ? chunk : std::uint16_t{0}};
    out.push_back(encode_packet(h, message.subspan(k * chunk, std::min<std::size_t>(chunk, message.size() - k * chunk)), key));
  }
  return out;
}

std::vector<std::byte> random_bytes(std::mt19937& random, std::size_t n) {
  std::vector<std::byte> out(n);
  for (std::byte& b : out) b = static_cast<std::byte>(random());
  return out;
}

TEST(udp_packet, comes_back_as_it_was) {
  const PacketHeader h{.kind = PacketKind::Reliable,
                       .is_retained = true,
                       .is_will = true,
                       .federation = kTag,
                       .sender = 4'000'000'000u,
                       .session = 1ull << 63,
                       .number = 77,
                       .message = 5,
                       .size = 164,
                       .fragment = 2,
                       .fragments = 3,
                       .chunk = 80};
  for (const PacketKey& key : {kNoKey, kKey}) {
    const auto bytes = encode_packet(h, bytes_of("last"), key);
    EXPECT_EQ(bytes.size(), key.overhead() + 4);
    Packet p;
    ASSERT_EQ(parse_packet(bytes, key, kTag, p), LinkDrop::None);
    EXPECT_EQ(p.header.kind, h.kind);
    EXPECT_TRUE(p.header.is_retained && p.header.is_will);
    EXPECT_EQ(p.header.sender, h.sender);
    EXPECT_EQ(p.header.session, h.session);
    EXPECT_EQ(p.header.number, h.number);
    EXPECT_EQ(p.header.message, h.message);
    EXPECT_EQ(p.header.size, h.size);
    EXPECT_EQ(p.header.fragment, h.fragment);
    EXPECT_EQ(p.header.fragments, h.fragments);
    EXPECT_EQ(p.header.chunk, h.chunk);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(p.part.data()), p.part.size()), "last");
  }
}

TEST(udp_packet, with_one_bit_changed_is_not_believed) {
  const auto good = cut(bytes_of("abcdefgh"), 100, 1, kKey)[0];
  Packet p;
  ASSERT_EQ(parse_packet(good, kKey, kTag, p), LinkDrop::None);
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    auto bad = good;
    bad[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    ASSERT_EQ(parse_packet(bad, kKey, kTag, p), LinkDrop::Unauthentic) << bit;
  }
  EXPECT_EQ(parse_packet(good, packet_key("another secret of letters", "local"), kTag, p), LinkDrop::Unauthentic);
  EXPECT_EQ(parse_packet(good, packet_key("a secret of many letters", "other"), kTag, p), LinkDrop::Unauthentic);
  for (std::size_t n = 0; n < good.size(); ++n) EXPECT_NE(parse_packet(std::span(good).first(n), kKey, kTag, p), LinkDrop::None);
}

TEST(udp_packet, of_another_federation_is_foreign) {
  const auto good = cut(bytes_of("abcdefgh"), 100, 1, kNoKey)[0];
  Packet p;
  EXPECT_EQ(parse_packet(good, kNoKey, federation_tag("other"), p), LinkDrop::Foreign);
  EXPECT_EQ(parse_packet(good, kNoKey, kTag, p), LinkDrop::None);
}

TEST(udp_packet, that_contradicts_itself_is_malformed) {
  const PacketHeader good{.kind = PacketKind::Data,
                          .federation = kTag,
                          .sender = 1,
                          .session = 1,
                          .number = 1,
                          .message = 1,
                          .size = 250,
                          .fragment = 1,
                          .fragments = 3,
                          .chunk = 100};
  const auto verdict = [](const PacketHeader& h, std::size_t part) {
    Packet p;
    return parse_packet(encode_packet(h, std::vector<std::byte>(part), kNoKey), kNoKey, kTag, p);
  };
  EXPECT_EQ(verdict(good, 100), LinkDrop::None);
  EXPECT_EQ(verdict(good, 99), LinkDrop::Malformed);
  EXPECT_EQ(verdict(good, 101), LinkDrop::Malformed);
  const auto changed = [&](auto change) {
    PacketHeader h = good;
    change(h);
    return verdict(h, 100);
  };
  EXPECT_EQ(changed([](PacketHeader& h) { h.fragment = 3; }), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.fragments = 0; }), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.fragments = 4; }), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.size = 301; }), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.size = 200; }), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.size = 0xffffffff; }), LinkDrop::Malformed);
  // sizes that agree, but a message of tiny fragments would cost more to keep track of than to hold
  PacketHeader tiny = good;
  tiny.chunk = 10;
  tiny.size = 25;
  EXPECT_EQ(verdict(tiny, 10), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.kind = PacketKind::Hello; }), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.kind = static_cast<PacketKind>(6); }), LinkDrop::Malformed);
  EXPECT_EQ(changed([](PacketHeader& h) { h.kind = static_cast<PacketKind>(0); }), LinkDrop::Malformed);
}

TEST(udp_assembly, makes_messages_of_fragments_in_any_order_and_under_loss) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    Assembly assembly({});
    std::map<std::uint64_t, std::vector<std::byte>> sent;
    std::vector<std::vector<std::byte>> air;
    std::set<std::uint64_t> broken;
    for (std::uint64_t m = 0; m < 8; ++m) {
      sent[m] = random_bytes(random, 2 + random() % 2000);
      for (auto& fragment : cut(sent[m], static_cast<std::uint16_t>(64 + random() % 300), m, kKey)) {
        if (random() % 20 == 0) {
          broken.insert(m);
          continue;
        }
        // some twice
        if (random() % 10 == 0) air.push_back(fragment);
        air.push_back(std::move(fragment));
      }
    }
    std::shuffle(air.begin(), air.end(), random);
    std::set<std::uint64_t> came;
    std::uint64_t dropped = 0;
    ReplayWindow numbers;
    for (const auto& datagram : air) {
      Packet p;
      ASSERT_EQ(parse_packet(datagram, kKey, kTag, p), LinkDrop::None);
      if (!numbers.accept(p.header.number)) continue;
      if (auto whole = assembly.add(0, p, 0, dropped)) {
        EXPECT_EQ(*whole, sent[p.header.message]);
        EXPECT_TRUE(came.insert(p.header.message).second) << "twice";
      }
    }
    EXPECT_EQ(dropped, 0u);
    for (const auto& [m, bytes] : sent) EXPECT_EQ(came.contains(m), !broken.contains(m));
    // those that lack a part are given up in time, and their memory with them
    EXPECT_LE(assembly.messages(), broken.size());
    EXPECT_EQ(assembly.expire(499'999'999), 0u);
    const std::size_t waiting = assembly.messages();
    EXPECT_EQ(assembly.expire(500'000'000), waiting);
    EXPECT_EQ(assembly.bytes(), 0u);
  }
}

TEST(udp_assembly, is_bounded_and_gives_up_the_oldest) {
  Assembly assembly({.messages = 4, .bytes = 10'000, .max_message = 3000, .patience_ns = 1000});
  std::uint64_t dropped = 0;
  const auto first_of = [&](std::uint64_t m, std::size_t size) {
    const auto datagram = cut(std::vector<std::byte>(size), 1000, m, kNoKey)[0];
    Packet p;
    EXPECT_EQ(parse_packet(datagram, kNoKey, kTag, p), LinkDrop::None);
    return assembly.add(0, p, 0, dropped);
  };
  for (std::uint64_t m = 0; m < 10; ++m) EXPECT_FALSE(first_of(m, 1500));
  EXPECT_EQ(assembly.messages(), 4u);
  EXPECT_EQ(dropped, 6u);
  for (std::uint64_t m = 10; m < 20; ++m) EXPECT_FALSE(first_of(m, 3000));
  EXPECT_LE(assembly.bytes(), 10'000u);
  dropped = 0;
  EXPECT_FALSE(first_of(30, 3001));
  EXPECT_FALSE(first_of(31, 100'000));
  EXPECT_EQ(dropped, 2u);
  assembly.forget(0);
  EXPECT_EQ(assembly.messages(), 0u);
  EXPECT_EQ(assembly.bytes(), 0u);
}

TEST(udp_assembly, fragments_of_different_cuts_and_peers_do_not_mix) {
  Assembly assembly({});
  std::uint64_t dropped = 0;
  const auto add = [&](std::uint32_t peer, std::size_t size, std::uint16_t chunk, std::size_t fragment) {
    const auto datagram = cut(std::vector<std::byte>(size), chunk, 1, kNoKey)[fragment];
    Packet p;
    EXPECT_EQ(parse_packet(datagram, kNoKey, kTag, p), LinkDrop::None);
    return assembly.add(peer, p, 0, dropped).has_value();
  };
  EXPECT_FALSE(add(0, 200, 100, 0));
  EXPECT_FALSE(add(1, 200, 100, 1));
  EXPECT_FALSE(add(0, 150, 100, 1));
  EXPECT_EQ(dropped, 1u);
  EXPECT_FALSE(add(0, 200, 100, 0));
  EXPECT_TRUE(add(0, 200, 100, 1));
  EXPECT_TRUE(add(1, 200, 100, 0));
}

TEST(replay_window, accepts_every_number_once_as_a_set_would) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    ReplayWindow window;
    std::set<std::uint64_t> seen;
    std::uint64_t base = random() % 3 == 0 ? 0 : random() >> 1, newest = 0;
    for (int k = 0; k < 5000; ++k) {
      if (random() % 50 == 0) base += random() % 9000;
      // now and then far behind the window
      const std::uint64_t number = base + random() % 3000 + (random() % 20 == 0 ? 0 : ReplayWindow::kSize * 2);
      const bool is_too_old = !seen.empty() && number < newest && newest - number >= ReplayWindow::kSize;
      const bool expected = !is_too_old && !seen.contains(number);
      ASSERT_EQ(window.accept(number), expected) << number;
      seen.insert(number);
      newest = std::max(newest, number);
    }
  }
}

// what any byte sequence does to the parser and the assembly; the fuzzer of tests/fuzz_udp.cpp does the same, led by coverage
TEST(udp_packet, survives_mutations) {
  std::mt19937 random(3);
  Assembly assembly({.messages = 8, .bytes = 100'000, .max_message = 50'000, .patience_ns = 1000});
  std::uint64_t dropped = 0;
  int accepted = 0;
  for (int k = 0; k < 30'000; ++k) {
    auto datagrams = cut(random_bytes(random, 2 + random() % 500), 64, random() % 8, kNoKey);
    auto& d = datagrams[random() % datagrams.size()];
    for (int changes = static_cast<int>(random() % 4); changes > 0; --changes) d[random() % d.size()] = static_cast<std::byte>(random());
    if (random() % 8 == 0) d.resize(random() % (d.size() + 1));
    Packet p;
    if (parse_packet(d, kNoKey, kTag, p) != LinkDrop::None) continue;
    ++accepted;
    if (auto whole = assembly.add(random() % 3, p, k, dropped)) {
      std::string topic;
      std::span<const std::byte> bytes;
      if (split_message(*whole, topic, bytes)) EXPECT_TRUE(is_topic(topic));
    }
    if (k % 100 == 0) assembly.expire(k);
    ASSERT_LE(assembly.bytes(), 100'000u);
    ASSERT_LE(assembly.messages(), 8u);
  }
  EXPECT_GT(accepted, 5'000);
}

}  // namespace
}  // namespace volary::cluster
