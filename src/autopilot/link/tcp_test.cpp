// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// TCP with real sockets of 127.0.0.1.
#include <sys/resource.h>

#include <algorithm>

#include "autopilot/link/links_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace link_testing;
using Event = LinkEvent::Kind;

constexpr std::size_t kMessage = 1000;  // bytes

// a message of one size with a number, so that a missing half is seen
Bytes numbered(std::size_t n) {
  std::string text = std::to_string(n) + ":";
  text.resize(kMessage - 1, static_cast<char>('a' + n % 26));
  return bytes_of(text + "\n");
}

// whole messages with rising numbers
void expect_whole_messages(const Bytes& stream) {
  ASSERT_EQ(stream.size() % kMessage, 0U);
  std::size_t last = 0;
  for (std::size_t at = 0; at < stream.size(); at += kMessage) {
    const Bytes message(stream.begin() + static_cast<std::ptrdiff_t>(at), stream.begin() + static_cast<std::ptrdiff_t>(at + kMessage));
    const std::size_t n = std::stoul(text_of(message));
    ASSERT_TRUE(message == numbered(n)) << "at " << at;
    ASSERT_TRUE(at == 0 || n > last);
    last = n;
  }
}

std::string tcp(std::uint16_t port) { return "tcp:127.0.0.1:" + std::to_string(port); }

PlainSocket connected(std::uint16_t port, int receive_buffer = 0) {
  FileHandle file(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (receive_buffer > 0) ::setsockopt(file.fd(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  PlainSocket out(std::move(file));
  EXPECT_TRUE(out.connect(port));
  return out;
}

TEST(tcp_link, that_listens_serves_several_connections) {
  Recorder server({"tcpin::0"});
  const PlainSocket a = connected(server.port());
  const ChannelId of_a = server.opened(0);
  const PlainSocket b = connected(server.port());
  const ChannelId of_b = server.opened(1);
  EXPECT_EQ(server.told()[0].name, "tcp 127.0.0.1:" + std::to_string(a.port()));
  a.write(bytes_of("from a"));
  b.write(bytes_of("from b"));
  ASSERT_TRUE(server.poll_until([&] { return server.text(of_a) == "from a" && server.text(of_b) == "from b"; }));
  server.send(of_a, "to a");
  server.send(of_b, "to b");
  EXPECT_EQ(read_text(server, a, 4), "to a");
  EXPECT_EQ(read_text(server, b, 4), "to b");
}

TEST(tcp_link, that_listens_refuses_and_counts_further_connections_until_one_closes) {
  Recorder server({"tcpin::0"}, {.most_channels = 2});
  const PlainSocket a = connected(server.port());
  server.opened(0);
  {
    const PlainSocket b = connected(server.port());
    server.opened(1);
    const PlainSocket c = connected(server.port());
    ASSERT_TRUE(server.poll_until([&] { return server.links().ignored_of(0) == 1; }));
    EXPECT_EQ(server.n_opened(), 2U);
  }
  ASSERT_TRUE(server.poll_until([&] { return server.n_closed() == 1; }));
  const PlainSocket d = connected(server.port());
  EXPECT_NE(server.opened(2), server.opened(1));
}

// polls while the process may open no file
void poll_without_files(Recorder& recorder, int next_fd) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next_fd);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  for (int k = 0; k < 5; ++k) recorder.poll(0.01);
  const std::size_t n_opened = recorder.n_opened();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(n_opened, 0U);
}

TEST(tcp_link, that_listens_pauses_when_the_system_has_no_file_left_and_accepts_later) {
  for (const double retry : {0.01, 600.0}) {
    Recorder server({"tcpin::0"}, {.retry = retry});
    const PlainSocket client = connected(server.port());
    ASSERT_NO_FATAL_FAILURE(poll_without_files(server, FileHandle(::dup(client.fd())).fd()));
    if (retry < 1) {
      EXPECT_NE(server.opened(0), 0U);
    } else {
      server.poll(0.01);
      EXPECT_EQ(server.n_opened(), 0U);
    }
  }
}

TEST(tcp_link, delivers_everything_that_came_before_the_end) {
  Recorder server({"tcpin::0"});
  const Bytes sent = pattern(700'000);
  {
    const PlainSocket client = connected(server.port());
    server.opened(0);
    std::size_t n = 0;
    ASSERT_TRUE(server.poll_until([&] {
      const ssize_t k = ::write(client.fd(), sent.data() + n, sent.size() - n);
      n += k > 0 ? static_cast<std::size_t>(k) : 0;
      return n == sent.size();
    }));
  }
  ASSERT_TRUE(server.poll_until([&] { return server.n_closed() == 1; }));
  EXPECT_TRUE(server.bytes(server.opened(0)) == sent);
  EXPECT_EQ(server.told().back().kind, Event::Closed);
}

TEST(tcp_link, counts_are_there_while_the_end_is_handled_and_gone_afterwards) {
  Recorder server({"tcpin::0"});
  { connected(server.port()).write(bytes_of("12345")); }
  std::uint64_t at_end = 0;
  ChannelId channel = 0;
  ASSERT_TRUE(eventually([&] {
    server.links().poll(0.01, [&](const LinkEvent& event) {
      if (event.kind != Event::Closed) return;
      channel = event.channel;
      server.links().send(channel, bytes_of("too late"));
      at_end = server.links().counts_of(channel).received + server.links().counts_of(channel).dropped;
    });
    return channel != 0;
  }));
  EXPECT_EQ(at_end, 5U + 8U);
  EXPECT_EQ(server.links().counts_of(channel).received, 0U);
}

TEST(tcp_link, carries_300_kilobytes_in_pieces) {
  Recorder server({"tcpin::0"});
  Recorder client({tcp(server.port())});
  const ChannelId out = client.opened(0), in = server.opened(0);
  const Bytes sent = pattern(300'000);
  for (std::size_t at = 0; at < sent.size(); at += 3000) {
    client.links().send(out, std::span(sent).subspan(at, 3000));
    if (at % 30'000 == 0) server.poll(0);
  }
  ASSERT_TRUE(server.poll_until([&] {
    client.poll(0);
    return server.bytes(in).size() == sent.size();
  }));
  EXPECT_TRUE(server.bytes(in) == sent);
  EXPECT_EQ(client.links().counts_of(out).sent, sent.size());
  EXPECT_EQ(client.links().counts_of(out).dropped, 0U);
}

TEST(tcp_link, never_waits_for_a_peer_that_does_not_read_and_drops_whole_messages) {
  Recorder server({"tcpin::0"});
  const PlainSocket peer = connected(server.port(), 65536);
  const ChannelId channel = server.opened(0);
  std::size_t n = 0;
  ASSERT_TRUE(eventually([&] {
    for (int k = 0; k < 100; ++k) server.links().send(channel, numbered(n++));
    server.poll(0);
    return server.links().counts_of(channel).dropped > 100 * kMessage;
  }));
  // the peer reads again: what was taken arrives whole and in order, and new messages follow
  Bytes got;
  const auto read_all = [&](std::uint64_t until) {
    return server.poll_until([&] {
      const Bytes more = peer.read();
      got.insert(got.end(), more.begin(), more.end());
      return got.size() >= until;
    });
  };
  const std::uint64_t taken = n * kMessage - server.links().counts_of(channel).dropped;
  ASSERT_TRUE(read_all(taken));
  server.links().send(channel, numbered(n));
  ASSERT_TRUE(read_all(taken + kMessage));
  ASSERT_NO_FATAL_FAILURE(expect_whole_messages(got));
  EXPECT_EQ(std::stoul(text_of(std::span(got).last(kMessage))), n);
  EXPECT_EQ(server.links().counts_of(channel).sent, got.size());
}

TEST(tcp_link, keeps_the_order_of_messages_when_a_slow_peer_reads_again) {
  Recorder server({"tcpin::0"});
  const PlainSocket peer = connected(server.port(), 65536);
  const ChannelId channel = server.opened(0);
  std::size_t n = 0;
  while (server.links().counts_of(channel).sent == n * kMessage) server.links().send(channel, numbered(n++));  // until one has to wait
  Bytes got;
  ASSERT_TRUE(eventually([&] {
    const Bytes more = peer.read();
    got.insert(got.end(), more.begin(), more.end());
    return got.size() > n * kMessage / 2;
  }));
  server.links().send(channel, numbered(n++));  // the system would take it now
  ASSERT_TRUE(server.poll_until([&] {
    const Bytes more = peer.read();
    got.insert(got.end(), more.begin(), more.end());
    return got.size() >= n * kMessage;
  }));
  expect_whole_messages(got);
}

TEST(tcp_link, keeps_no_more_than_256_kilobytes_for_a_peer) {
  Recorder server({"tcpin::0"});
  const PlainSocket peer = connected(server.port());
  const ChannelId channel = server.opened(0);
  server.links().send(channel, Bytes(kMostUnsent + 1));
  EXPECT_EQ(server.links().counts_of(channel).dropped, kMostUnsent + 1);
  EXPECT_EQ(server.links().counts_of(channel).sent, 0U);
  std::uint64_t n = 0;
  ASSERT_TRUE(eventually([&] {
    server.links().send(channel, Bytes(10'000));
    n += 10'000;
    return server.links().counts_of(channel).dropped > kMostUnsent + 1;
  }));
  const ChannelCounts counts = server.links().counts_of(channel);
  const std::uint64_t unsent = n - counts.sent - (counts.dropped - kMostUnsent - 1);
  EXPECT_LE(unsent, kMostUnsent);
  EXPECT_GT(unsent, kMostUnsent - 10'000);
}

TEST(tcp_link, connects_when_the_server_comes_and_again_after_a_break) {
  const PlainSocket place(SOCK_STREAM);  // bound, does not listen yet
  Recorder client({tcp(place.port())}, {.retry = 0.01});
  for (int k = 0; k < 5; ++k) client.poll(0.01);
  EXPECT_EQ(client.n_opened(), 0U);
  ASSERT_EQ(::listen(place.fd(), 4), 0);
  const ChannelId first = client.opened(0);
  EXPECT_EQ(client.told()[0].name, "tcp 127.0.0.1:" + std::to_string(place.port()));
  { const FileHandle broken(::accept(place.fd(), nullptr, nullptr)); }
  ASSERT_TRUE(client.poll_until([&] { return client.n_closed() == 1; }));
  const ChannelId second = client.opened(1);
  EXPECT_NE(first, second);
  const PlainSocket server(FileHandle(::accept4(place.fd(), nullptr, nullptr, SOCK_NONBLOCK)));
  client.send(first, "lost");
  client.send(second, "back");
  EXPECT_EQ(read_text(client, server, 4), "back");
}

TEST(tcp_link, waits_between_attempts) {
  const PlainSocket place(SOCK_STREAM);
  Recorder client({tcp(place.port())}, {.retry = 600});
  for (int k = 0; k < 5; ++k) client.poll(0.01);
  ASSERT_EQ(::listen(place.fd(), 4), 0);
  for (int k = 0; k < 5; ++k) client.poll(0.01);
  EXPECT_EQ(client.n_opened(), 0U);
}

TEST(tcp_link, never_connects_to_itself) {
  // A connection that begins at the port to which it goes opens without any server. Systems take ports for connections in turn, so that
  // enough attempts meet one that was used for a connection before.
  std::uint16_t port = 0;
  {
    const PlainSocket place(SOCK_STREAM);
    ASSERT_EQ(::listen(place.fd(), 4), 0);
    const PlainSocket client = connected(place.port());
    port = client.port();
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(client.fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  Recorder client({tcp(port)}, {.retry = 0});
  for (int k = 0; k < 20'000 && client.told().empty(); ++k) client.poll(0);
  if (client.told().empty()) return;
  // another program may have begun to listen there; it does not send the same bytes back
  client.send(client.opened(0), "echo");
  for (int k = 0; k < 20; ++k) client.poll(0.01);
  EXPECT_NE(client.text(client.opened(0)), "echo");
}

TEST(tcp_link, that_listens_at_a_port_in_use_is_an_error) {
  Recorder server({"tcpin::0"});
  const auto links = Links::open({parse_link("tcpin::" + std::to_string(server.port())).value()});
  ASSERT_FALSE(links);
  EXPECT_NE(links.error().message.find("cannot listen: Address already in use"), std::string::npos) << links.error().text();
}

}  // namespace
}  // namespace volary::autopilot
