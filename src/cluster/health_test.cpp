// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/health.hpp"

#include <gtest/gtest.h>

#include "cluster/coordinator.hpp"

namespace volary::cluster {

namespace {

constexpr Time kMs = 1'000'000, kSecond = 1'000'000'000;

// a node whose clock is ahead by `ahead`, whose messages take `there` and `back`, and which advances a tick every 10 ms
struct Line {
  Time ahead = 0, there = 0, back = 0;
  NodeMeter meter = {};
  // bundles from `from` to `to`, by the coordinator's clock at which they are sent
  void run(Time from, Time to, bool moves = true) {
    for (Time t = from; t < to; t += 10 * kMs) {
      Bundle b{.advanced = moves ? static_cast<Tick>(t / (10 * kMs)) : 1, .sent = t + ahead, .compute_us = 4000, .memory = 7'000'000};
      b.echo = t - there - 2 * kMs, b.held = 2 * kMs;
      meter.hear(b, t + back);
    }
  }
  NodeHealth at(Time now) const {
    NodeHealth h;
    meter.fill(h, now, 10 * kMs);
    return h;
  }
};

}  // namespace

TEST(NodeMeter, MeasuresRateLoadAndMemory) {
  Line line;
  line.meter.begin(kSecond);
  line.run(kSecond, 4 * kSecond);
  const NodeHealth h = line.at(4 * kSecond);
  EXPECT_NEAR(h.rate, 100, 1.5);
  EXPECT_NEAR(h.compute, 0.004, 1e-6);
  EXPECT_NEAR(h.load, 0.4, 1e-6);
  EXPECT_EQ(h.memory, 7'000'000u);
}

TEST(NodeMeter, MeasuresLatencyAndAgeAcrossClocksThatDiffer) {
  Line line{.ahead = -5000 * kSecond, .there = 20 * kMs, .back = 20 * kMs};
  line.meter.begin(kSecond);
  line.run(kSecond, 4 * kSecond);
  const NodeHealth h = line.at(4 * kSecond);
  EXPECT_NEAR(h.latency, 0.020, 1e-6);
  EXPECT_NEAR(h.age, 0.025, 1e-3);  // the way, and half a period
  EXPECT_NEAR(h.clock_offset, -5000, 1e-6);
  EXPECT_NEAR(h.clock_error, 0.020, 1e-6);
}

TEST(NodeMeter, KnowsTheClockToHalfOfTheWayThereAndBackAndNoBetter) {
  Line line{.ahead = kSecond, .there = 30 * kMs, .back = 10 * kMs};
  line.meter.begin(kSecond);
  line.run(kSecond, 4 * kSecond);
  const NodeHealth h = line.at(4 * kSecond);
  EXPECT_NEAR(h.clock_offset, 1, h.clock_error);
  EXPECT_NEAR(h.clock_error, 0.020, 1e-6);
  EXPECT_NEAR(h.latency, 0.010, h.clock_error + 1e-9);
}

TEST(NodeMeter, TheAgeOfANodeThatStandsStillGrowsAndItsRateIsZero) {
  Line line;
  line.meter.begin(kSecond);
  line.run(kSecond, 2 * kSecond);
  line.run(2 * kSecond, 6 * kSecond, false);
  const NodeHealth h = line.at(6 * kSecond);
  EXPECT_EQ(h.rate, 0);
  EXPECT_GT(h.age, 3);
  EXPECT_LT(h.silence, 0.02);
}

TEST(NodeMeter, ANodeThatIsNotHeardIsSilentAndOld) {
  Line line;
  line.meter.begin(kSecond);
  line.run(kSecond, 3 * kSecond);
  const NodeHealth h = line.at(7 * kSecond);
  EXPECT_NEAR(h.silence, 4, 0.02);
  EXPECT_LT(h.rate, 25);  // over the time since the last window
  EXPECT_GT(h.age, 1.5);
}

TEST(NodeMeter, ANewProcessBeginsAnew) {
  Line line;
  line.meter.begin(kSecond);
  line.run(kSecond, 3 * kSecond);
  line.meter.begin(3 * kSecond);
  const NodeHealth h = line.at(3 * kSecond);
  EXPECT_EQ(h.rate, 0);
  EXPECT_EQ(h.memory, 0u);
}

TEST(Health, OfACoordinatorNamesStatesSkewAndCounts) {
  Coordinator c({.founders = 2, .places = 2});
  c.receive(Message(Request{.nonce = 5, .account = 50}), kMs);
  EXPECT_EQ(c.health(0, kMs).state, NodeState::Starting);
  EXPECT_EQ(c.health(1, kMs).state, NodeState::Missing);
  c.receive(Message(Request{.nonce = 6, .account = 60}), kMs);
  c.receive(Bundle{.member = 0, .incarnation = 1, .sequence = 1, .advanced = 7}, 2 * kMs);
  c.receive(Bundle{.member = 1, .incarnation = 1, .sequence = 1, .advanced = 4}, 2 * kMs);
  EXPECT_EQ(c.health(0, 2 * kMs).state, NodeState::Running);
  EXPECT_EQ(c.health(0, 2 * kMs).skew, 0u);
  EXPECT_EQ(c.health(1, 2 * kMs).skew, 3u);
  for (int k = 0; k < 50; ++k) c.next(2 * kSecond);
  EXPECT_EQ(c.health(1, 2 * kSecond).state, NodeState::Silent);
  c.give_up(1, DeadPolicy::Freeze);
  EXPECT_EQ(c.health(1, 2 * kSecond).state, NodeState::Frozen);
  FederationHealth h;
  c.fill(h);
  EXPECT_EQ(h.absences, 1u);
  EXPECT_EQ(h.inputs, 3u);
}

}  // namespace volary::cluster
