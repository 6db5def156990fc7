// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The loop over links, and UDP, with real sockets of loopback addresses.
#include "autopilot/link/links.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "autopilot/link/links_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace link_testing;
using Event = LinkEvent::Kind;

std::string udpout(std::uint16_t port) { return "udpout:127.0.0.1:" + std::to_string(port); }

// ---------------------------------------------------------------- udpout

TEST(udp_link, that_sends_is_open_from_the_start_and_reaches_the_given_port) {
  const PlainSocket station(SOCK_DGRAM);
  Recorder vehicle({udpout(station.port())});
  vehicle.poll(0);
  ASSERT_EQ(vehicle.told().size(), 1U);
  EXPECT_EQ(vehicle.told()[0].kind, Event::Opened);
  EXPECT_EQ(vehicle.told()[0].name, "udp 127.0.0.1:" + std::to_string(station.port()));
  vehicle.send(vehicle.opened(0), "heartbeat");
  EXPECT_EQ(read_text(vehicle, station, 9), "heartbeat");
  EXPECT_EQ(vehicle.links().counts_of(vehicle.opened(0)).sent, 9U);
}

TEST(udp_link, that_sends_answers_the_port_of_its_host_that_it_heard_last) {
  const PlainSocket station(SOCK_DGRAM), answering(SOCK_DGRAM);
  Recorder vehicle({udpout(station.port())});
  const ChannelId channel = vehicle.opened(0);
  answering.send_to("command", vehicle.port());
  ASSERT_TRUE(vehicle.poll_until([&] { return vehicle.text(channel) == "command"; }));
  vehicle.send(channel, "answer");
  EXPECT_EQ(read_text(vehicle, answering, 6), "answer");
  EXPECT_TRUE(station.read().empty());
  EXPECT_EQ(vehicle.n_opened(), 1U);
}

TEST(udp_link, that_sends_ignores_other_hosts) {
  const PlainSocket station(SOCK_DGRAM), foreign(SOCK_DGRAM, "127.0.0.2");
  Recorder vehicle({udpout(station.port())});
  const ChannelId channel = vehicle.opened(0);
  foreign.send_to("attack", vehicle.port());
  ASSERT_TRUE(vehicle.poll_until([&] { return vehicle.links().ignored_of(0) == 1; }));
  vehicle.send(channel, "telemetry");
  EXPECT_EQ(read_text(vehicle, station, 9), "telemetry");
  EXPECT_TRUE(foreign.read().empty());
  EXPECT_EQ(vehicle.text(channel), "");
}

TEST(udp_link, that_sends_goes_on_when_no_program_listens_there) {
  std::uint16_t port = 0;
  { port = PlainSocket(SOCK_DGRAM).port(); }
  Recorder vehicle({udpout(port)});
  const ChannelId channel = vehicle.opened(0);
  for (int k = 0; k < 20; ++k) {
    vehicle.send(channel, "x");
    vehicle.poll(0.001);
  }
  EXPECT_EQ(vehicle.links().counts_of(channel).sent, 20U);
  EXPECT_EQ(vehicle.n_closed(), 0U);
}

TEST(udp_link, counts_a_datagram_that_the_system_does_not_take) {
  const PlainSocket station(SOCK_DGRAM);
  Recorder vehicle({udpout(station.port())});
  const ChannelId channel = vehicle.opened(0);
  vehicle.links().send(channel, Bytes(70000));  // larger than a datagram can be
  EXPECT_EQ(vehicle.links().counts_of(channel).dropped, 70000U);
  EXPECT_EQ(vehicle.links().counts_of(channel).sent, 0U);
}

// ---------------------------------------------------------------- udpin

TEST(udp_link, that_listens_makes_a_channel_of_every_peer_and_answers_it) {
  Recorder station({"udpin::0"});
  const PlainSocket a(SOCK_DGRAM), b(SOCK_DGRAM, "127.0.0.2");
  a.send_to("from a", station.port());
  const ChannelId of_a = station.opened(0);
  b.send_to("from b", station.port());
  const ChannelId of_b = station.opened(1);
  ASSERT_TRUE(station.poll_until([&] { return station.text(of_a) == "from a" && station.text(of_b) == "from b"; }));
  EXPECT_EQ(station.told(Event::Opened)[1].name, "udp 127.0.0.2:" + std::to_string(b.port()));
  station.send(of_a, "to a");
  station.send(of_b, "to b");
  EXPECT_EQ(read_text(station, a, 4), "to a");
  EXPECT_EQ(read_text(station, b, 4), "to b");
  EXPECT_EQ(station.links().counts_of(of_a).received, 6U);
}

TEST(udp_link, that_listens_closes_a_silent_peer_and_opens_a_new_channel_when_it_is_heard_again) {
  Recorder station({"udpin::0"}, {.silence = 0.05});
  const PlainSocket peer(SOCK_DGRAM);
  peer.send_to("one", station.port());
  const ChannelId first = station.opened(0);
  ASSERT_TRUE(station.poll_until([&] { return station.n_closed() == 1; }));
  EXPECT_EQ(station.told().back().channel, first);
  station.send(first, "too late");
  EXPECT_EQ(station.links().counts_of(first).received, 0U);
  peer.send_to("two", station.port());
  const ChannelId second = station.opened(1);
  EXPECT_NE(first, second);
  EXPECT_TRUE(station.poll_until([&] { return station.text(second) == "two"; }));
  EXPECT_TRUE(peer.read().empty());
}

TEST(udp_link, that_listens_reads_what_waits_before_it_judges_silence) {
  // on a busy machine the peer may be closed before its second datagram, so one success of some attempts counts
  EXPECT_TRUE(eventually([] {
    Recorder station({"udpin::0"}, {.silence = 0.04});
    const PlainSocket peer(SOCK_DGRAM);
    peer.send_to("one", station.port());
    const ChannelId channel = station.opened(0);
    peer.send_to("two", station.port());
    std::this_thread::sleep_for(std::chrono::milliseconds(45));  // without a poll
    station.poll(0);
    return station.text(channel) == "onetwo";
  }));
}

TEST(udp_link, that_listens_does_not_close_a_peer_whose_datagram_waits_behind_many_others) {
  EXPECT_TRUE(eventually([] {
    Recorder station({"udpin::0"}, {.silence = 0.04});
    const PlainSocket peer(SOCK_DGRAM), loud(SOCK_DGRAM);
    peer.send_to("one", station.port());
    const ChannelId channel = station.opened(0);
    for (int k = 0; k < 100; ++k) loud.send_to("x", station.port());
    peer.send_to("two", station.port());
    std::this_thread::sleep_for(std::chrono::milliseconds(45));  // without a poll
    for (int k = 0; k < 2; ++k) station.poll(0);
    return station.text(channel) == "onetwo";
  }));
}

TEST(udp_link, that_listens_counts_and_ignores_further_peers) {
  Recorder station({"udpin::0"});
  std::vector<std::unique_ptr<PlainSocket>> peers;
  for (int k = 0; k < 66; ++k) {
    peers.push_back(std::make_unique<PlainSocket>(SOCK_DGRAM));
    peers.back()->send_to("x", station.port());
  }
  ASSERT_TRUE(station.poll_until([&] { return station.links().ignored_of(0) == 2; }));
  EXPECT_EQ(station.n_opened(), 64U);
}

TEST(udp_link, that_listens_reads_a_bounded_number_of_datagrams_in_one_poll) {
  // on a busy machine the datagram of the quiet peer may arrive late, so one success of some attempts counts
  EXPECT_TRUE(eventually([] {
    Recorder station({"udpin::0", "udpin::0"});
    const PlainSocket loud(SOCK_DGRAM), quiet(SOCK_DGRAM);
    for (int k = 0; k < 200; ++k) loud.send_to("x", station.port(0));
    quiet.send_to("y", station.port(1));
    station.poll(1);
    EXPECT_LE(station.told(Event::Received).size(), 65U);
    EXPECT_TRUE(station.poll_until([&] { return station.told(Event::Received).size() == 201; }));
    const auto all = station.told(Event::Received);
    return std::find_if(all.begin(), all.end(), [](const auto& t) { return t.link == 1; }) - all.begin() <= 64;
  }));
}

TEST(udp_link, that_listens_at_a_port_in_use_is_an_error_that_names_the_address) {
  const PlainSocket other(SOCK_DGRAM);
  const std::string text = "udpin:127.0.0.1:" + std::to_string(other.port());
  const auto links = Links::open({parse_link(text).value()});
  ASSERT_FALSE(links);
  EXPECT_NE(links.error().message.find(text), std::string::npos) << links.error().text();
  EXPECT_NE(links.error().message.find("in use"), std::string::npos) << links.error().text();
  EXPECT_NE(links.error().suggestion.find("another"), std::string::npos);
}

TEST(udp_link, carries_ipv6_where_the_machine_has_it) {
  const auto probe = Links::open({parse_link("udpin:[::1]:0").value()});
  if (!probe) GTEST_SKIP() << probe.error().text();
  Recorder station({"udpin:[::1]:0"});
  Recorder vehicle({"udpout:[::1]:" + std::to_string(station.port())});
  vehicle.send(vehicle.opened(0), "six");
  const ChannelId channel = station.opened(0);
  EXPECT_TRUE(station.poll_until([&] { return station.text(channel) == "six"; }));
  EXPECT_EQ(station.told()[0].name, "udp [::1]:" + std::to_string(vehicle.port()));
}

// ---------------------------------------------------------------- the loop

TEST(links, wait_no_longer_than_asked_and_end_early_when_something_comes) {
  Recorder station({"udpin::0"});
  const auto begin = std::chrono::steady_clock::now();
  station.poll(0.02);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
  const PlainSocket peer(SOCK_DGRAM);
  peer.send_to("x", station.port());
  station.poll(600);
  EXPECT_EQ(station.n_opened(), 1U);
  for (const double odd : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) station.poll(odd);
}

TEST(links, are_woken_from_another_thread_and_remember_a_wake_before_the_poll) {
  Recorder station({"udpin::0"});
  station.links().wake();
  station.poll(600);  // ends at once
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    station.links().wake();
  });
  station.poll(600);
  waker.join();
  EXPECT_TRUE(station.told().empty());
  // every wake has been used up
  const auto begin = std::chrono::steady_clock::now();
  station.poll(0.02);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
}

TEST(links, may_be_sent_to_while_an_event_is_handled) {
  const PlainSocket peer(SOCK_DGRAM);
  Recorder station({"udpin::0"});
  peer.send_to("ping", station.port());
  station.links().poll(10, [&](const LinkEvent& event) { station.links().send(event.channel, bytes_of(event.kind == Event::Opened ? "hello " : "pong")); });
  std::string got;
  EXPECT_TRUE(eventually([&] { return (got += text_of(peer.read())) == "hello pong"; })) << got;
}

TEST(links, may_be_sent_to_from_another_thread_under_a_lock_that_handlers_take_too) {
  Recorder a({"udpin::0"}), b({udpout(a.port())});
  const ChannelId out = b.opened(0);
  std::mutex mutex;
  std::atomic<bool> is_done = false;
  std::thread sender([&] {
    while (!is_done) {
      const std::lock_guard lock(mutex);
      b.send(out, "x");
      (void)b.links().counts_of(out);
    }
  });
  std::size_t n = 0;
  EXPECT_TRUE(eventually([&] {
    a.links().poll(0.001, [&](const LinkEvent& event) { a.links().send(event.channel, bytes_of("y")); });
    b.links().poll(0.001, [&](const LinkEvent& event) {
      const std::lock_guard lock(mutex);
      b.links().send(event.channel, bytes_of("z"));
      ++n;
    });
    return n > 500;
  }));
  is_done = true;
  sender.join();
}

TEST(links, carry_a_stream_from_another_thread_while_a_poll_waits) {
  Recorder server({"tcpin::0"}), client({"tcp:127.0.0.1:" + std::to_string(server.port())});
  const ChannelId out = client.opened(0), in = server.opened(0);
  const Bytes sent = pattern(4'000'000);
  const auto is_taken = [&](std::size_t until) { return eventually([&] { return client.links().counts_of(out).sent >= until; }); };
  std::thread sender([&] {
    // never more than the buffer holds
    for (std::size_t at = 0; at < sent.size() && is_taken(at - std::min(at, kMostUnsent - 1000)); at += 1000)
      client.links().send(out, std::span(sent).subspan(at, 1000));
    is_taken(sent.size());
    client.links().wake();
  });
  std::thread poller([&] { client.poll(600); });  // writes what waits, until it is woken
  EXPECT_TRUE(server.poll_until([&] { return server.bytes(in).size() == sent.size(); }));
  sender.join();
  poller.join();
  EXPECT_TRUE(server.bytes(in) == sent);
}

TEST(links, ignore_channels_that_never_were) {
  Recorder station({"udpin::0"});
  station.send(0, "x");
  station.send(12345, "x");
  EXPECT_EQ(station.links().counts_of(12345).dropped, 0U);
  EXPECT_EQ(station.links().port_of(7), 0);
  EXPECT_EQ(station.links().ignored_of(7), 0U);
}

TEST(links, of_a_host_that_is_not_known_are_an_error) {
  const std::string host(64, 'a');  // longer than a part of a name may be, so that no server is asked
  const auto links = Links::open({parse_link("udpout:" + host + ":14550").value()});
  ASSERT_FALSE(links);
  EXPECT_NE(links.error().message.find("udpout:" + host + ":14550: the host \"" + host + "\" is not known"), std::string::npos) << links.error().text();
}

}  // namespace
}  // namespace volary::autopilot
