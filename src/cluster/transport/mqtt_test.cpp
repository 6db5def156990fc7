// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Over a real Mosquitto. No test depends on how fast the machine is: each waits for what must come.
#include "cluster/transport/mqtt.hpp"

#include <chrono>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "cluster/transport/transport_test_support.hpp"

namespace volary::cluster {
namespace {

using namespace testing;

class mqtt : public ::testing::Test {
 protected:
  void SetUp() override {
    VOLARY_NEEDS_BROKER();
    broker_ = start_broker();
    ASSERT_TRUE(broker_);
  }
  std::unique_ptr<Transport> node(int id, const std::function<void(MqttOptions&)>& change = {}) {
    MqttOptions o = options_for(*broker_, broker_->node(id));
    if (change) change(o);
    return connect(std::move(o));
  }
  std::unique_ptr<Transport> coordinator() { return connect(options_for(*broker_, broker_->coordinator())); }
  std::unique_ptr<Broker> broker_;
};

TEST_F(mqtt, carries_every_byte_to_a_subscriber) {
  for (const int version : {4, 5}) {
    auto a = node(1, [&](MqttOptions& o) { o.version = version; });
    auto b = node(2, [&](MqttOptions& o) { o.version = version; });
    ASSERT_TRUE(b->subscribe("sw/local/st/+"));
    std::string all_bytes;
    for (int k = 0; k < 256; ++k) all_bytes += static_cast<char>(k);
    const std::int64_t before = monotonic_ns();
    EXPECT_EQ(a->publish("sw/local/st/1", bytes_of(all_bytes)), LinkDrop::None);
    EXPECT_EQ(a->publish("sw/local/st/1", {}, {.qos = 1}), LinkDrop::None);
    const auto got = receive_count(*b, 2);
    ASSERT_EQ(got.size(), 2u);
    EXPECT_EQ(got[0].topic, "sw/local/st/1");
    EXPECT_EQ(text_of(got[0].bytes), all_bytes);
    EXPECT_GE(got[0].arrival_ns, before);
    EXPECT_LE(got[0].arrival_ns, monotonic_ns());
    EXPECT_TRUE(got[1].bytes.empty());
    EXPECT_EQ(a->counts().messages_out, 2u);
    EXPECT_EQ(a->counts().bytes_out, 256u);
    EXPECT_EQ(b->counts().messages_in, 2u);
    EXPECT_EQ(b->counts().bytes_in, 256u);
    EXPECT_EQ(a->state(), LinkReport::Up);
  }
}

TEST_F(mqtt, keeps_the_order_of_one_sender_and_loses_nothing) {
  auto a = node(1), b = node(2);
  ASSERT_TRUE(b->subscribe("sw/local/#", 1));
  constexpr int kMessages = 500;
  for (int k = 0; k < kMessages; ++k) ASSERT_EQ(a->publish("sw/local/st/1", bytes_of(std::to_string(k))), LinkDrop::None);
  const auto got = receive_count(*b, kMessages);
  ASSERT_EQ(got.size(), static_cast<std::size_t>(kMessages));
  for (int k = 0; k < kMessages; ++k) ASSERT_EQ(text_of(got[k].bytes), std::to_string(k));
}

TEST_F(mqtt, a_connection_that_only_sends_reads_its_confirmations) {
  auto a = node(1), b = node(2);
  ASSERT_TRUE(b->subscribe("sw/local/#", 1));
  constexpr int kMessages = 3000;  // more than may wait for their confirmations
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);  // before a new connection would help
  for (int k = 0; k < kMessages; ++k)
    while (a->publish("sw/local/st/1", bytes_of(std::to_string(k)), {.qos = 1}) == LinkDrop::QueueFull) {
      ASSERT_LT(std::chrono::steady_clock::now(), until) << "no confirmation was read";
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  const auto got = receive_count(*b, kMessages);
  ASSERT_EQ(got.size(), static_cast<std::size_t>(kMessages));
  EXPECT_EQ(text_of(got.back().bytes), std::to_string(kMessages - 1));
}

TEST_F(mqtt, gives_retained_messages_to_those_who_come_later) {
  auto a = coordinator();
  EXPECT_EQ(a->publish("sw/local/cfg", bytes_of("first"), {.qos = 1, .retained = true}), LinkDrop::None);
  EXPECT_EQ(a->publish("sw/local/cfg", bytes_of("second"), {.qos = 1, .retained = true}), LinkDrop::None);
  EXPECT_EQ(a->publish("sw/local/trig", bytes_of("not kept"), {}), LinkDrop::None);
  a->close();  // all was written
  EXPECT_EQ(a->state(), LinkReport::Closed);
  EXPECT_EQ(a->publish("sw/local/cfg", bytes_of("late")), LinkDrop::NotConnected);
  auto b = node(2);
  ASSERT_TRUE(b->subscribe("sw/local/#", 1));
  const auto got = receive_count(*b, 1);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(text_of(got[0].bytes), "second");
  EXPECT_TRUE(got[0].retained);
}

TEST_F(mqtt, an_orderly_close_publishes_no_will) {
  auto watcher = coordinator();
  ASSERT_TRUE(watcher->subscribe("sw/local/node/#", 1));
  {
    auto a = node(1, [](MqttOptions& o) { o.will = Will{.topic = "sw/local/node/1/life", .bytes = bytes_of("dead")}; });
    a->publish("sw/local/node/1/life", bytes_of("leaving"), {.qos = 1});
  }
  // the broker handles the goodbye of the first before the greeting of the second
  auto b = node(2);
  b->publish("sw/local/node/2/life", bytes_of("up"), {.qos = 1});
  const auto got = receive_until(*watcher, [](const auto& all) { return !all.empty() && text_of(all.back().bytes) == "up"; });
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(text_of(got[0].bytes), "leaving");
}

TEST_F(mqtt, comes_back_after_a_broker_restart_with_its_subscriptions_and_its_backlog) {
  auto a = node(1), b = node(2);
  ASSERT_TRUE(b->subscribe("sw/local/st/+"));
  ASSERT_TRUE(b->subscribe("sw/local/ctl/+", 1));
  broker_->stop();
  ASSERT_TRUE(eventually([&] { return a->state() != LinkReport::Up && b->state() != LinkReport::Up; }));
  // data is dropped and counted, control waits
  EXPECT_EQ(a->publish("sw/local/st/1", bytes_of("lost")), LinkDrop::NotConnected);
  EXPECT_EQ(a->publish("sw/local/ctl/1", bytes_of("kept"), {.qos = 1}), LinkDrop::None);
  EXPECT_EQ(a->counts().out(LinkDrop::NotConnected), 1u);
  ASSERT_TRUE(broker_->restart());
  // the control message may come before the other has subscribed again: the protocol repeats it, and so does this
  ASSERT_TRUE(eventually([&] { return a->state() == LinkReport::Up && b->state() == LinkReport::Up; }));
  EXPECT_EQ(a->counts().reconnects, 1u);
  std::set<std::string> seen;
  const std::int64_t until = monotonic_ns() + kPatience;
  while (monotonic_ns() < until && !(seen.contains("sw/local/st/1") && seen.contains("sw/local/ctl/1"))) {
    a->publish("sw/local/st/1", bytes_of("again"));
    a->publish("sw/local/ctl/1", bytes_of("again"), {.qos = 1});
    for (const Received& m : receive_until(*b, [](const auto& all) { return !all.empty(); }, 100'000'000)) seen.insert(m.topic);
  }
  EXPECT_TRUE(seen.contains("sw/local/st/1"));
  EXPECT_TRUE(seen.contains("sw/local/ctl/1"));
  bool went_down = false;
  for (const LinkChange& c : a->link_changes()) went_down |= c.state == LinkReport::Down && !c.reason.empty();
  EXPECT_TRUE(went_down);
}

TEST_F(mqtt, control_that_waited_for_the_broker_arrives) {
  auto a = node(1);
  broker_->stop();
  ASSERT_TRUE(eventually([&] { return a->state() != LinkReport::Up; }));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(a->publish("sw/local/node/1/life", bytes_of(std::to_string(k)), {.qos = 1, .retained = true}), LinkDrop::None);
  ASSERT_TRUE(broker_->restart());
  auto b = node(2);
  ASSERT_TRUE(b->subscribe("sw/local/#", 1));
  const auto got = receive_until(*b, [](const auto& all) { return !all.empty() && text_of(all.back().bytes) == "2"; });
  ASSERT_FALSE(got.empty());
  EXPECT_EQ(text_of(got.back().bytes), "2");
}

TEST_F(mqtt, control_that_waits_is_bounded) {
  auto a = node(1, [](MqttOptions& o) { o.max_pending = 5; });
  broker_->stop();
  ASSERT_TRUE(eventually([&] { return a->state() != LinkReport::Up; }));
  for (int k = 0; k < 5; ++k) EXPECT_EQ(a->publish("sw/local/node/1/life", {}, {.qos = 1}), LinkDrop::None);
  EXPECT_EQ(a->publish("sw/local/node/1/life", {}, {.qos = 1}), LinkDrop::QueueFull);
  EXPECT_EQ(a->counts().out(LinkDrop::QueueFull), 1u);
}

TEST_F(mqtt, a_broker_that_does_not_read_costs_bounded_memory) {
  auto a = node(1, [](MqttOptions& o) { o.max_pending = 50; });
  ::kill(broker_->pid(), SIGSTOP);
  const std::vector<std::byte> large(100'000);
  // the kernel's own buffers fill first
  int full = 0;
  for (int k = 0; k < 2000 && full < 10; ++k) full += a->publish("sw/local/st/1", large) == LinkDrop::QueueFull;
  EXPECT_EQ(full, 10);
  EXPECT_EQ(a->counts().out(LinkDrop::QueueFull), 10u);
  ::kill(broker_->pid(), SIGCONT);
  EXPECT_TRUE(eventually([&] { return a->publish("sw/local/st/1", large) == LinkDrop::None; }));
}

TEST_F(mqtt, messages_that_are_too_large_are_refused_both_ways) {
  auto a = node(1, [](MqttOptions& o) { o.max_message = 5000; });
  auto b = node(2, [](MqttOptions& o) {
    o.max_message = 1000;
    o.version = 4;
  });
  ASSERT_TRUE(b->subscribe("sw/local/st/1"));
  EXPECT_EQ(a->publish("sw/local/st/1", std::vector<std::byte>(5001)), LinkDrop::TooLarge);
  EXPECT_EQ(a->counts().out(LinkDrop::TooLarge), 1u);
  EXPECT_EQ(a->publish("sw/local/st/1", std::vector<std::byte>(1001)), LinkDrop::None);
  EXPECT_EQ(a->publish("sw/local/st/1", std::vector<std::byte>(1000)), LinkDrop::None);
  const auto got = receive_count(*b, 1);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].bytes.size(), 1000u);
  EXPECT_EQ(b->counts().in(LinkDrop::TooLarge), 1u);
}

TEST_F(mqtt, a_queue_that_nobody_reads_drops_and_counts) {
  auto a = node(1);
  auto b = node(2, [](MqttOptions& o) { o.queue.messages = 10; });
  ASSERT_TRUE(b->subscribe("sw/local/st/1"));
  for (int k = 0; k < 100; ++k) a->publish("sw/local/st/1", bytes_of(std::to_string(k)));
  ASSERT_TRUE(eventually([&] { return b->counts().in(LinkDrop::QueueFull) == 90; }));
  std::vector<Received> out;
  b->receive(out);
  ASSERT_EQ(out.size(), 10u);
  EXPECT_EQ(text_of(out.front().bytes), "90");
}

TEST_F(mqtt, topics_with_wildcards_are_refused) {
  auto a = node(1);
  for (const char* bad : {"", "a/+", "#", "a/#"}) EXPECT_EQ(a->publish(bad, {}), LinkDrop::BadTopic) << bad;
  EXPECT_EQ(a->publish(std::string(kMaxTopic + 1, 'a'), {}), LinkDrop::BadTopic);
  EXPECT_EQ(a->counts().out(LinkDrop::BadTopic), 5u);
  EXPECT_FALSE(a->subscribe("a/#/b"));
}

TEST_F(mqtt, a_node_publishes_under_its_own_name_only) {
  auto a = node(1), watcher = coordinator();
  ASSERT_TRUE(watcher->subscribe("#", 1));
  const std::vector<std::string> forbidden = {"sw/local/st/2", "sw/local/trig", "sw/local/cfg",   "sw/local/node/2/life", "sw/other/st/1",
                                              "st/1",          "sw/local/1",    "sw/local/ctl/2", "sw/local/rendering/telemetry/1"};
  const std::vector<std::string> allowed = {"sw/local/st/1", "sw/local/node/1/life", "sw/local/ctl/1", "sw/local/snap/1/0/7"};
  for (const std::string& topic : forbidden) EXPECT_EQ(a->publish(topic, bytes_of("x"), {.qos = 1}), LinkDrop::None) << topic;
  for (const std::string& topic : allowed) EXPECT_EQ(a->publish(topic, bytes_of("x"), {.qos = 1}), LinkDrop::None) << topic;
  std::vector<std::string> seen;
  for (const Received& m : receive_until(*watcher, [&](const auto& all) { return all.size() >= allowed.size(); })) seen.push_back(m.topic);
  EXPECT_EQ(seen, allowed);
  // MQTT 5 says so, and it is counted
  EXPECT_TRUE(eventually([&] { return a->counts().out(LinkDrop::Refused) == forbidden.size(); })) << a->counts().out(LinkDrop::Refused);
  EXPECT_EQ(a->counts().messages_out, allowed.size());
}

TEST_F(mqtt, the_account_view_reads_everything_and_publishes_nothing) {
  auto view = connect(options_for(*broker_, broker_->view())), watcher = coordinator();
  ASSERT_TRUE(view->subscribe("sw/local/#", 1));
  ASSERT_TRUE(watcher->subscribe("sw/local/#", 1));
  const std::vector<std::string> forbidden = {"sw/local/order/view", "sw/local/st/view", "sw/local/physics/view", "sw/local/node/view/life", "sw/local/st/0"};
  for (const std::string& topic : forbidden) EXPECT_EQ(view->publish(topic, bytes_of("x"), {.qos = 1}), LinkDrop::None) << topic;
  EXPECT_TRUE(eventually([&] { return view->counts().out(LinkDrop::Refused) == forbidden.size(); })) << view->counts().out(LinkDrop::Refused);
  watcher->publish("sw/local/rendering/status", bytes_of("y"), {.qos = 1});
  for (Transport* reader : {view.get(), watcher.get()}) {
    const auto seen = receive_until(*reader, [](const auto& all) { return !all.empty(); });
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0].topic, "sw/local/rendering/status");
  }
}

TEST_F(mqtt, a_second_federation_is_invisible) {
  auto a = node(1);
  auto other = start_broker({.federation = "other"});
  MqttOptions o = options_for(*other, broker_->node(1));
  const auto refused = connect_mqtt(o);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("does not accept user \"1\""), std::string::npos) << refused.error().message;
}

TEST_F(mqtt, faults_are_told_in_words) {
  const auto told = [&](const std::function<void(MqttOptions&)>& change) {
    MqttOptions o = options_for(*broker_, broker_->node(1));
    o.connect_timeout_ns = 500'000'000;
    change(o);
    const auto link = connect_mqtt(std::move(o));
    return link ? std::string("accepted") : link.error().text();
  };
  const auto says = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  for (const int version : {4, 5}) {
    EXPECT_PRED2(says, told([&](MqttOptions& o) {
                   o.password = "wrong";
                   o.version = version;
                 }),
                 "the broker does not accept user \"1\" with this password");
    EXPECT_PRED2(says, told([&](MqttOptions& o) {
                   o.user = o.password = "";
                   o.version = version;
                 }),
                 "the broker wants a user name and a password");
  }
  EXPECT_PRED2(says, told([](MqttOptions& o) { o.broker.port = free_loopback_port().value(); }), "refused the connection: no server listens at this port");
  EXPECT_PRED2(says, told([](MqttOptions& o) { o.broker.host = "no-such-host.invalid"; }), "the host \"no-such-host.invalid\" is not known");
  EXPECT_PRED2(says, told([](MqttOptions& o) { o.ca_file = "/no/such/file"; }), "/no/such/file: ca_file: the file cannot be read");
  EXPECT_PRED2(says, told([](MqttOptions& o) { o.version = 3; }), "version: 3 is no version of MQTT");
  EXPECT_PRED2(says, told([](MqttOptions& o) { o.keep_alive_s = 1; }), "keep_alive: 1 s is out of range: 5 to 65535 s");
}

TEST_F(mqtt, many_threads_may_publish_through_one_connection) {
  auto a = node(1), b = node(2);
  ASSERT_TRUE(b->subscribe("sw/local/st/1/#", 1));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 100; ++k) EXPECT_EQ(a->publish("sw/local/st/1/" + std::to_string(t), bytes_of(std::to_string(k)), {.qos = k % 2}), LinkDrop::None);
    });
  const auto got = receive_count(*b, 400);
  for (std::thread& t : threads) t.join();
  ASSERT_EQ(got.size(), 400u);
  // MQTT keeps the order of one topic at one quality
  std::map<std::pair<std::string, int>, int> next;
  for (const Received& m : got) EXPECT_EQ(text_of(m.bytes), std::to_string(2 * next[{m.topic, m.qos}]++ + m.qos)) << m.topic;
}

}  // namespace
}  // namespace volary::cluster
