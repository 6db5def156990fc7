// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Two nodes over real sockets with a relay between them that loses, doubles and reorders datagrams by a seed.
#include "cluster/transport/udp.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "cluster/transport/sockets_test_support.hpp"
#include "cluster/transport/transport_test_support.hpp"
#include "cluster/transport/udp_packet.hpp"

namespace volary::cluster {
namespace {

using namespace testing;
using Bytes = std::vector<std::byte>;

const std::string kSecret = "a secret of many letters";

struct Impairment {
  double loss = 0, duplicate = 0, reorder = 0;
};

// a socket of 127.0.0.1 that is nobody's node
class PlainSocket {
 public:
  PlainSocket() : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    address_ = resolve({"127.0.0.1", 0}, true).value()[0];
    EXPECT_EQ(::bind(fd_, address_.raw(), address_.size), 0);
    ::getsockname(fd_, address_.raw(), &address_.size);
  }
  ~PlainSocket() { ::close(fd_); }
  int fd() const { return fd_; }
  HostPort place() const { return {"127.0.0.1", address_.port()}; }
  void send(const Bytes& datagram, const Address& to) { ::sendto(fd_, datagram.data(), datagram.size(), 0, to.raw(), to.size); }
  bool receive(Bytes& out) {
    out.resize(65536);
    const ssize_t n = ::recv(fd_, out.data(), out.size(), 0);
    if (n >= 0) out.resize(static_cast<std::size_t>(n));
    return n >= 0;
  }

 private:
  int fd_;
  Address address_;
};

// between two nodes: what comes in at one side leaves at the other
class Relay {
 public:
  explicit Relay(Impairment impairment) : impairment_(impairment), thread_([this] { run(); }) {}
  ~Relay() {
    is_over_ = true;
    thread_.join();
  }
  PlainSocket& side(int k) { return sides_[k]; }
  void set_end(int k, const Address& node) {
    const std::lock_guard lock(mutex_);
    ends_[k] = node;
  }
  void set(Impairment impairment) {
    const std::lock_guard lock(mutex_);
    impairment_ = impairment;
  }
  std::vector<Bytes> captured() {
    const std::lock_guard lock(mutex_);
    return captured_;
  }
  void send_to(int k, const Bytes& datagram) {
    const std::lock_guard lock(mutex_);
    sides_[k].send(datagram, ends_[k]);
  }

 private:
  bool happens(double chance) { return std::uniform_real_distribution<>(0, 1)(random_) < chance; }
  void run() {
    while (!is_over_) {
      pollfd fds[2] = {{.fd = sides_[0].fd(), .events = POLLIN, .revents = 0}, {.fd = sides_[1].fd(), .events = POLLIN, .revents = 0}};
      ::poll(fds, 2, 10);
      const std::lock_guard lock(mutex_);
      Bytes datagram;
      for (int from = 0; from < 2; ++from)
        while (sides_[from].receive(datagram)) pass(1 - from, datagram);
    }
  }
  void pass(int to, const Bytes& datagram) {
    if (to == 1 && captured_.size() < 1000) captured_.push_back(datagram);
    if (happens(impairment_.loss)) return;
    if (happens(impairment_.reorder)) {
      held_[to].push_back(datagram);
      return;
    }
    sides_[to].send(datagram, ends_[to]);
    if (happens(impairment_.duplicate)) sides_[to].send(datagram, ends_[to]);
    // what was held back comes after what was sent later
    if (happens(0.5))
      for (; !held_[to].empty(); held_[to].pop_back()) sides_[to].send(held_[to].back(), ends_[to]);
  }

  PlainSocket sides_[2];
  Address ends_[2];
  Impairment impairment_;
  std::mt19937 random_{5};
  std::vector<Bytes> held_[2], captured_;
  std::mutex mutex_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

struct Pair {
  explicit Pair(Impairment impairment = {}, UdpOptions common = {}) : relay(impairment) {
    for (int k = 0; k < 2; ++k) nodes[k] = open(k, common);
  }
  std::unique_ptr<UdpTransport> open(int k, UdpOptions o) {
    o.id = static_cast<std::uint32_t>(k + 1);
    o.peers = {{.id = static_cast<std::uint32_t>(2 - k), .address = relay.side(k).place()}};
    auto link = open_udp(o);
    EXPECT_TRUE(link) << link.error().text();
    relay.set_end(k, link.value()->address());
    return std::move(link).value();
  }
  void await_up() {
    EXPECT_TRUE(eventually([&] { return nodes[0]->state() == LinkReport::Up && nodes[1]->state() == LinkReport::Up; }));
  }
  Relay relay;
  std::unique_ptr<UdpTransport> nodes[2];
};

TEST(udp, carries_messages_whose_topic_was_asked_for) {
  for (const std::string& secret : {std::string(), kSecret}) {
    Pair pair({}, {.secret = secret});
    pair.await_up();
    ASSERT_TRUE(pair.nodes[1]->subscribe("sw/local/st/+"));
    EXPECT_FALSE(pair.nodes[1]->subscribe("a/#/b"));
    EXPECT_EQ(pair.nodes[0]->publish("sw/local/trig", bytes_of("no")), LinkDrop::None);
    EXPECT_EQ(pair.nodes[0]->publish("sw/local/st/1", bytes_of("yes")), LinkDrop::None);
    EXPECT_EQ(pair.nodes[0]->publish("sw/local/st/1", {}), LinkDrop::None);
    EXPECT_EQ(pair.nodes[0]->publish("sw/local/#", {}), LinkDrop::BadTopic);
    const auto got = receive_count(*pair.nodes[1], 2);
    ASSERT_EQ(got.size(), 2u);
    EXPECT_EQ(got[0].topic, "sw/local/st/1");
    EXPECT_EQ(text_of(got[0].bytes), "yes");
    EXPECT_EQ(pair.nodes[0]->counts().messages_out, 3u);
    EXPECT_EQ(pair.nodes[1]->counts().messages_in, 2u);
  }
}

TEST(udp, large_messages_arrive_whole_or_not_at_all_under_loss_and_reordering) {
  Pair pair({.loss = 0.02, .duplicate = 0.1, .reorder = 0.3}, {.secret = kSecret, .fragment_patience_ns = 50'000'000});
  pair.await_up();
  ASSERT_TRUE(pair.nodes[1]->subscribe("#"));
  std::mt19937 random(2);
  std::map<std::string, Bytes> sent;
  std::set<std::string> came;
  const auto incomplete = [&] { return pair.nodes[1]->counts().in(LinkDrop::Incomplete); };
  const std::int64_t until = monotonic_ns() + kPatience;
  for (int k = 0; monotonic_ns() < until && (came.size() < 40 || incomplete() < 5); ++k) {
    Bytes bytes(random() % 20'000);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    const std::string topic = "t/" + std::to_string(k);
    EXPECT_EQ(pair.nodes[0]->publish(topic, bytes), LinkDrop::None);
    sent[topic] = std::move(bytes);
    for (const Received& m : receive_until(*pair.nodes[1], [](const auto& all) { return !all.empty(); }, 20'000'000)) {
      EXPECT_EQ(m.bytes, sent[m.topic]) << m.topic;
      EXPECT_TRUE(came.insert(m.topic).second) << m.topic << " came twice";
    }
  }
  EXPECT_GE(came.size(), 40u);
  EXPECT_GE(incomplete(), 5u) << "what lacks a fragment is given up and counted";
  EXPECT_GT(pair.nodes[1]->counts().in(LinkDrop::Replayed), 0u) << "what came twice";
}

TEST(udp, messages_at_quality_1_all_arrive_once_at_half_the_datagrams_lost) {
  Pair pair({.loss = 0.5, .duplicate = 0.2, .reorder = 0.2}, {.secret = kSecret, .resend_ns = 5'000'000, .ack_patience_ns = kPatience});
  ASSERT_TRUE(pair.nodes[1]->subscribe("ctl/#", 1));
  constexpr std::size_t kMessages = 60;
  for (std::size_t k = 0; k < kMessages; ++k)
    EXPECT_EQ(pair.nodes[0]->publish("ctl/" + std::to_string(k), Bytes(k % 10 == 0 ? 4000 : 50), {.qos = 1}), LinkDrop::None);
  std::set<std::string> came;
  for (const Received& m : receive_count(*pair.nodes[1], kMessages)) {
    EXPECT_TRUE(came.insert(m.topic).second) << m.topic << " came twice";
    EXPECT_EQ(m.qos, 1);
  }
  EXPECT_EQ(came.size(), kMessages);
  EXPECT_EQ(pair.nodes[0]->counts().out(LinkDrop::Unacknowledged), 0u);
}

TEST(udp, a_peer_that_never_answers_is_given_up_and_counted) {
  Pair pair({.loss = 1}, {.max_pending = 4, .resend_ns = 5'000'000, .ack_patience_ns = 60'000'000});
  for (int k = 0; k < 4; ++k) EXPECT_EQ(pair.nodes[0]->publish("ctl", {}, {.qos = 1}), LinkDrop::None);
  EXPECT_EQ(pair.nodes[0]->publish("ctl", {}, {.qos = 1}), LinkDrop::QueueFull);
  EXPECT_TRUE(eventually([&] { return pair.nodes[0]->counts().out(LinkDrop::Unacknowledged) == 4; }));
  EXPECT_EQ(pair.nodes[0]->publish("ctl", {}, {.qos = 1}), LinkDrop::None);
}

TEST(udp, replayed_datagrams_are_dropped_and_counted) {
  Pair pair({}, {.secret = kSecret});
  pair.await_up();
  ASSERT_TRUE(pair.nodes[1]->subscribe("#"));
  for (int k = 0; k < 20; ++k) pair.nodes[0]->publish("st", bytes_of(std::to_string(k)));
  ASSERT_EQ(receive_count(*pair.nodes[1], 20).size(), 20u);
  const std::uint64_t before = pair.nodes[1]->counts().in(LinkDrop::Replayed);
  const auto captured = pair.relay.captured();
  for (const Bytes& datagram : captured) pair.relay.send_to(1, datagram);
  // the states at least; some of what was captured beside them may not have been used before
  EXPECT_TRUE(eventually([&] { return pair.nodes[1]->counts().in(LinkDrop::Replayed) >= before + 20; }));
  std::vector<Received> out;
  EXPECT_FALSE(pair.nodes[1]->receive(out));
}

TEST(udp, datagrams_of_an_earlier_life_are_dropped_and_the_new_life_is_told) {
  Pair pair({}, {.secret = kSecret, .session = 100});
  pair.await_up();
  ASSERT_TRUE(pair.nodes[1]->subscribe("#"));
  // more datagrams than the second life will have sent: their numbers alone do not give them away
  for (int batch = 0; batch < 20; ++batch) {
    for (int k = 0; k < 10; ++k) pair.nodes[0]->publish("st", bytes_of("first life"));
    ASSERT_EQ(receive_count(*pair.nodes[1], 10).size(), 10u);
  }
  const auto captured = pair.relay.captured();
  pair.nodes[1]->link_changes();
  pair.nodes[0]->close();
  pair.nodes[0] = pair.open(0, {.secret = kSecret, .session = 101});
  pair.nodes[0]->publish("st", bytes_of("second life"));
  // it may speak before the relay knows where it lives now
  const auto got = receive_until(*pair.nodes[1], [&](const auto& all) {
    pair.nodes[0]->publish("st", bytes_of("second life"));
    return !all.empty();
  });
  ASSERT_FALSE(got.empty());
  EXPECT_EQ(text_of(got[0].bytes), "second life");
  EXPECT_EQ(pair.nodes[1]->counts().reconnects, 1u);
  std::vector<Received> out;
  receive_until(*pair.nodes[1], [](const auto&) { return false; }, 50'000'000);
  const std::uint64_t before = pair.nodes[1]->counts().in(LinkDrop::Replayed);
  for (const Bytes& datagram : captured) pair.relay.send_to(1, datagram);
  EXPECT_TRUE(eventually([&] { return pair.nodes[1]->counts().in(LinkDrop::Replayed) >= before + captured.size(); }));
  for (pair.nodes[1]->receive(out); const Received& m : out) EXPECT_EQ(text_of(m.bytes), "second life");
}

TEST(udp, foreign_and_forged_datagrams_are_dropped_and_counted) {
  Pair pair({}, {.secret = kSecret});
  pair.await_up();
  ASSERT_TRUE(pair.nodes[1]->subscribe("#"));
  const Address target = pair.nodes[1]->address();
  const std::uint64_t tag = federation_tag("local");
  const Bytes message = join_message("st", Bytes(100));
  const PacketHeader header{.kind = PacketKind::Data,
                            .federation = tag,
                            .sender = 1,
                            .session = ~0ull,
                            .number = 1,
                            .message = 1,
                            .size = static_cast<std::uint32_t>(message.size())};
  const auto drops = [&](LinkDrop reason) { return pair.nodes[1]->counts().in(reason); };
  // from an address that is no peer, even with the right secret
  PlainSocket stranger;
  stranger.send(encode_packet(header, message, packet_key(kSecret, "local")), target);
  EXPECT_TRUE(eventually([&] { return drops(LinkDrop::Foreign) == 1; }));
  // from the address of a peer: without the secret, with another, from another federation, in another's name, and noise
  pair.relay.send_to(1, encode_packet(header, message, {}));
  pair.relay.send_to(1, encode_packet(header, message, packet_key("another secret of letters", "local")));
  EXPECT_TRUE(eventually([&] { return drops(LinkDrop::Unauthentic) == 2; }));
  PacketHeader other = header;
  other.federation = federation_tag("other");
  pair.relay.send_to(1, encode_packet(other, message, packet_key(kSecret, "local")));
  PacketHeader posing = header;
  posing.sender = 7;
  pair.relay.send_to(1, encode_packet(posing, message, packet_key(kSecret, "local")));
  EXPECT_TRUE(eventually([&] { return drops(LinkDrop::Foreign) == 3; }));
  pair.relay.send_to(1, Bytes(10));
  EXPECT_TRUE(eventually([&] { return drops(LinkDrop::Malformed) == 1; }));
  std::vector<Received> out;
  EXPECT_FALSE(pair.nodes[1]->receive(out));
  EXPECT_EQ(pair.nodes[1]->state(), LinkReport::Up);
}

TEST(udp, a_silent_peer_is_down_and_its_will_is_delivered) {
  Pair pair({}, {.will = Will{.topic = "life", .bytes = bytes_of("dead")}, .hello_ns = 10'000'000, .silence_ns = 300'000'000});
  pair.await_up();
  ASSERT_TRUE(pair.nodes[1]->subscribe("life", 1));
  // the will has to be there first
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  pair.relay.set({.loss = 1});
  const auto got = receive_count(*pair.nodes[1], 1);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(text_of(got[0].bytes), "dead");
  EXPECT_EQ(pair.nodes[1]->state(), LinkReport::Down);
  pair.relay.set({});
  EXPECT_TRUE(eventually([&] { return pair.nodes[1]->state() == LinkReport::Up; }));
  EXPECT_GE(pair.nodes[1]->counts().reconnects, 1u);
}

TEST(udp, an_orderly_close_is_told_and_publishes_no_will) {
  Pair pair({}, {.will = Will{.topic = "life", .bytes = bytes_of("dead")}, .hello_ns = 10'000'000});
  pair.await_up();
  ASSERT_TRUE(pair.nodes[1]->subscribe("life", 1));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  pair.nodes[0]->close();
  EXPECT_TRUE(eventually([&] { return pair.nodes[1]->state() == LinkReport::Down; }));
  std::vector<Received> out;
  EXPECT_FALSE(pair.nodes[1]->receive(out));
  EXPECT_EQ(pair.nodes[0]->publish("st", {}), LinkDrop::NotConnected);
}

TEST(udp, gives_retained_messages_to_a_peer_that_comes_later) {
  auto first = open_udp({.id = 1});
  ASSERT_TRUE(first);
  EXPECT_EQ(first.value()->publish("cfg", bytes_of("old"), {.qos = 1, .retained = true}), LinkDrop::None);
  EXPECT_EQ(first.value()->publish("cfg", bytes_of("new"), {.qos = 1, .retained = true}), LinkDrop::None);
  EXPECT_EQ(first.value()->publish("st", bytes_of("x")), LinkDrop::NotConnected) << "there is no peer yet";
  auto second = open_udp({.id = 2, .peers = {{.id = 1, .address = {"127.0.0.1", first.value()->address().port()}}}});
  ASSERT_TRUE(second);
  ASSERT_TRUE(second.value()->subscribe("cfg", 1));
  ASSERT_TRUE(first.value()->add_peer({.id = 2, .address = {"127.0.0.1", second.value()->address().port()}}));
  const auto got = receive_count(*second.value(), 1);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(text_of(got[0].bytes), "new");
  EXPECT_TRUE(got[0].retained);
}

TEST(udp, listens_beyond_this_machine_only_with_a_secret) {
  const auto refused = open_udp({.bind = {"0.0.0.0", 0}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("which other machines can reach, without credentials"), std::string::npos) << refused.error().text();
  for (const OpenSocket& s : listening_sockets(::getpid())) EXPECT_TRUE(is_loopback(s.address)) << s.text();
  const auto short_secret = open_udp({.bind = {"0.0.0.0", 0}, .secret = "short"});
  ASSERT_FALSE(short_secret);
  EXPECT_EQ(short_secret.error().text(), "secret: 5 characters are too few: a shared secret has at least 16");
  const auto closed = open_udp({.id = 1});
  ASSERT_TRUE(closed);
  for (const OpenSocket& s : listening_sockets(::getpid())) EXPECT_TRUE(is_loopback(s.address)) << s.text();
  const auto open = open_udp({.bind = {"0.0.0.0", 0}, .secret = kSecret});
  EXPECT_TRUE(open);
}

TEST(udp, a_queue_that_nobody_reads_drops_and_counts) {
  Pair pair({}, {.queue = {.messages = 5, .bytes = 100'000}});
  pair.await_up();
  ASSERT_TRUE(pair.nodes[1]->subscribe("#"));
  for (int k = 0; k < 50; ++k) pair.nodes[0]->publish("st", bytes_of(std::to_string(k)));
  EXPECT_TRUE(eventually([&] { return pair.nodes[1]->counts().messages_in == 50; }));
  EXPECT_EQ(pair.nodes[1]->counts().in(LinkDrop::QueueFull), 45u);
  EXPECT_EQ(pair.nodes[0]->publish("st", Bytes(kMaxMessage + 1)), LinkDrop::TooLarge);
}

}  // namespace
}  // namespace volary::cluster
