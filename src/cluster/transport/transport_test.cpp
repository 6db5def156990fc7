// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/transport.hpp"

#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <mosquitto.h>

#include "cluster/transport/address.hpp"
#include "cluster/transport/mailbox.hpp"
#include "cluster/transport/secrets.hpp"
#include "cluster/transport/transport_test_support.hpp"

namespace volary::cluster {
namespace {

using testing::bytes_of;
using testing::text_of;

Received note(std::string_view text, int qos = 0) { return {"t", bytes_of(text), 0, qos, false}; }

TEST(topics, match_as_libmosquitto_says) {
  // all short texts of these characters, valid or not: two independent opinions
  const char letters[] = {'a', 'b', '/', '+', '#', '$'};
  std::vector<std::string> texts = {""};
  for (std::size_t from = 0, length = 0; length < 4; ++length) {
    const std::size_t to = texts.size();
    for (; from < to; ++from)
      for (const char c : letters) texts.push_back(texts[from] + c);
  }
  std::size_t matches = 0;
  for (const std::string& pattern : texts) {
    ASSERT_EQ(is_pattern(pattern), !pattern.empty() && mosquitto_sub_topic_check(pattern.c_str()) == MOSQ_ERR_SUCCESS) << pattern;
    if (!is_pattern(pattern)) continue;
    for (const std::string& topic : texts) {
      ASSERT_EQ(is_topic(topic), !topic.empty() && mosquitto_pub_topic_check(topic.c_str()) == MOSQ_ERR_SUCCESS) << topic;
      // the library thinks differently about '$' behind the first character only; ours are plain
      if (!is_topic(topic) || topic.find('$', 0) != std::string::npos || pattern.find('$') != std::string::npos) continue;
      bool expected = false;
      ASSERT_EQ(mosquitto_topic_matches_sub(pattern.c_str(), topic.c_str(), &expected), MOSQ_ERR_SUCCESS);
      ASSERT_EQ(topic_matches(pattern, topic), expected) << pattern << " " << topic;
      matches += expected;
    }
  }
  EXPECT_GT(matches, 500u);
  EXPECT_FALSE(topic_matches("#", "$SYS/broker"));
}

TEST(mailbox, full_of_data_drops_the_oldest_and_counts) {
  Mailbox box({.messages = 3, .bytes = 1000});
  for (const char* text : {"1", "2", "3", "4", "5"}) box.put(note(text));
  std::vector<Received> out;
  ASSERT_TRUE(box.receive(out));
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(text_of(out[0].bytes), "3");
  EXPECT_EQ(text_of(out[2].bytes), "5");
  EXPECT_EQ(box.counts().in(LinkDrop::QueueFull), 2u);
  EXPECT_FALSE(box.receive(out));
  EXPECT_TRUE(out.empty());
}

TEST(mailbox, full_of_control_drops_the_newest_and_leaves_data_its_room) {
  Mailbox box({.messages = 2, .bytes = 1000});
  for (const char* text : {"a", "b", "c"}) box.put(note(text, 1));
  box.put(note("1"));
  std::vector<Received> out;
  box.receive(out);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(text_of(out[0].bytes), "a");
  EXPECT_EQ(text_of(out[1].bytes), "b");
  EXPECT_EQ(text_of(out[2].bytes), "1");
  EXPECT_EQ(box.counts().in(LinkDrop::QueueFull), 1u);
}

TEST(mailbox, is_bounded_in_bytes_too) {
  Mailbox box({.messages = 1000, .bytes = 25});
  for (int k = 0; k < 10; ++k) box.put(note("0123456789"));
  box.put(note(std::string(100, 'x')));  // never fits
  std::vector<Received> out;
  box.receive(out);
  EXPECT_LE(out.size(), 2u);
  const TransportCounts counts = box.counts();
  EXPECT_EQ(counts.in(LinkDrop::QueueFull) + out.size(), 11u);
  for (int k = 0; k < 3; ++k) box.put(note("0123456789"));
  box.receive(out);
  EXPECT_EQ(out.size(), 2u);
}

TEST(mailbox, hands_control_and_data_on_in_the_order_of_arrival) {
  Mailbox box({});
  std::string expected;
  for (int k = 0; k < 26; ++k) {
    const std::string text(1, static_cast<char>('a' + k));
    box.put(note(text, k % 3 == 0));
    expected += text;
  }
  std::vector<Received> out;
  box.receive(out);
  std::string got;
  for (const Received& m : out) got += text_of(m.bytes);
  EXPECT_EQ(got, expected);
}

TEST(mailbox, wakes_a_waiting_thread_and_sleeps_when_empty) {
  Mailbox box({});
  EXPECT_FALSE(box.wait(1'000'000));
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    box.put(note("x"));
  });
  EXPECT_TRUE(box.wait(testing::kPatience));
  other.join();
  std::vector<Received> out;
  box.change(LinkReport::Up, "");
  EXPECT_EQ(box.link_changes().size(), 1u);
  EXPECT_TRUE(box.wait(0)) << "a message still waits";
  EXPECT_TRUE(box.receive(out));
  EXPECT_FALSE(box.wait(1'000'000)) << "nothing waits any more";
  box.wake();
  EXPECT_TRUE(box.wait(0));
}

TEST(mailbox, counts_a_link_that_comes_back) {
  Mailbox box({});
  box.change(LinkReport::Up, "");
  EXPECT_EQ(box.counts().reconnects, 0u);
  box.change(LinkReport::Down, "cut");
  EXPECT_EQ(box.state(), LinkReport::Down);
  box.change(LinkReport::Up, "");
  EXPECT_EQ(box.counts().reconnects, 1u);
  EXPECT_EQ(box.link_changes()[1].reason, "cut");
}

TEST(address, is_read_in_its_three_forms_and_refused_in_words) {
  const auto read = [](std::string_view text) {
    const auto a = parse_host_port(text, 1883, "broker");
    return a ? a.value().host + " " + std::to_string(a.value().port) : "refused: " + a.error().text();
  };
  EXPECT_EQ(read("example.org:99"), "example.org 99");
  EXPECT_EQ(read("example.org"), "example.org 1883");
  EXPECT_EQ(read("[::1]:7"), "::1 7");
  EXPECT_EQ(read("::1"), "::1 1883");
  EXPECT_EQ(read("[::1]"), "::1 1883");
  for (const char* bad : {"", ":1", "a:", "a:b", "a:70000", "a:-1", "a b:1", "[::1", "[::1]x", "[::1]:", "a:1x"})
    EXPECT_TRUE(read(bad).starts_with("refused: broker: ")) << bad << ": " << read(bad);
}

TEST(address, knows_loopback) {
  const auto is_here = [](const char* host) { return is_loopback(resolve({host, 1}, true).value()[0]); };
  for (const char* host : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}) EXPECT_TRUE(is_here(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "192.168.0.1", "128.0.0.1", "::ffff:10.0.0.1", "fe80::1"}) EXPECT_FALSE(is_here(host)) << host;
}

TEST(address, listening_beyond_this_machine_needs_credentials) {
  const Address open = resolve({"0.0.0.0", 9000}, true).value()[0], here = resolve({"127.0.0.1", 9000}, true).value()[0];
  EXPECT_TRUE(check_exposure(here, false, "UDP", "give a secret"));
  EXPECT_TRUE(check_exposure(open, true, "UDP", "give a secret"));
  const core::Status refused = check_exposure(open, false, "UDP", "give a secret");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(),
            "UDP would listen at 0.0.0.0:9000, which other machines can reach, without credentials (give a secret, or listen at 127.0.0.1)");
}

TEST(secrets, give_the_digest_of_rfc_4231) {
  const Digest d = keyed_digest("Jefe", "what do ya want for nothing?");
  EXPECT_EQ(hexadecimal(d), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const std::string a = random_secret().value(), b = random_secret().value();
  EXPECT_EQ(a.size(), 64u);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace volary::cluster
