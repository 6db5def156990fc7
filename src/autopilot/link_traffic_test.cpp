// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/link_traffic.hpp"

#include <gtest/gtest.h>

namespace volary::autopilot {
namespace {

// two links, whose channels count what the test says
struct Rig {
  std::map<ChannelId, FrameCounts> counts;
  LinkTraffic traffic{2, 100, [this](ChannelId channel) { return counts.contains(channel) ? counts.at(channel) : FrameCounts{}; }};
  LinkAddress out = parse_link("udpout:127.0.0.1:14550").value(), in = parse_link("tcpin:127.0.0.1:5760").value();

  runner::LinkReport first(double now) const { return traffic.report(0, out, now); }
  runner::LinkReport second(double now) const { return traffic.report(1, in, now); }
};

TEST(link_traffic, a_link_is_connected_while_one_of_its_peers_is_heard) {
  Rig rig;
  EXPECT_EQ(rig.first(100).state, "connecting");
  EXPECT_EQ(rig.second(100).state, "listening");
  rig.traffic.opened(1, 0, "udp 127.0.0.1:14550");
  EXPECT_EQ(rig.first(100).state, "no answer");
  rig.traffic.heard(1, 101);
  EXPECT_EQ(rig.first(105).state, "connected");
  EXPECT_EQ(rig.first(105).peers, std::vector<std::string>{"udp 127.0.0.1:14550"});
  EXPECT_EQ(rig.second(105).state, "listening") << "the other link";
  EXPECT_EQ(rig.first(107).state, "no answer");
  EXPECT_TRUE(rig.first(107).peers.empty());
  rig.traffic.closed(1);
  EXPECT_EQ(rig.first(107).state, "connecting");
  rig.traffic.heard(1, 108);
  EXPECT_EQ(rig.first(108).state, "connecting") << "a channel that is closed is not heard";
}

TEST(link_traffic, rates_are_those_of_the_last_second_also_when_channels_come_and_go) {
  Rig rig;
  rig.traffic.opened(1, 0, "a");
  rig.counts[1] = {.received = 50, .sent = 200};
  rig.traffic.measure(100.5);
  EXPECT_EQ(rig.first(100.5).sent_rate, 0) << "nothing is said of less than a second";
  rig.traffic.measure(102);
  EXPECT_EQ(rig.first(102).received_rate, 25);
  EXPECT_EQ(rig.first(102).sent_rate, 100);
  rig.counts[1] = {.received = 60, .sent = 210};
  rig.traffic.closed(1);
  rig.counts.clear();
  rig.traffic.opened(2, 0, "b");
  rig.counts[2] = {.received = 10, .sent = 30};
  rig.traffic.measure(103);
  EXPECT_EQ(rig.first(103).received_rate, 20);
  EXPECT_EQ(rig.first(103).sent_rate, 40);
  EXPECT_EQ(rig.second(103).sent_rate, 0);
}

TEST(link_traffic, the_counts_of_a_link_are_those_of_all_its_channels) {
  Rig rig;
  for (const ChannelId channel : {1u, 2u, 3u}) rig.traffic.opened(channel, channel == 3 ? 1 : 0, "peer"), rig.counts[channel] = {1, 2, 3, 4, 5, 6};
  rig.traffic.closed(1);
  rig.counts.erase(1);
  const runner::LinkReport s = rig.first(100);
  EXPECT_EQ((std::vector{s.received, s.sent, s.lost, s.bad, s.refused, s.dropped}), (std::vector<std::uint64_t>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(rig.second(100).dropped, 6u);
}

}  // namespace
}  // namespace volary::autopilot
