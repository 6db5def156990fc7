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
  // nobody is behind an observer
  c.receive(Message(Request{.kind = RequestKind::Observe, .nonce = 7, .account = 70}), 2 * kMs);
  c.receive(Bundle{.member = 2, .incarnation = 1, .sequence = 1, .advanced = 20}, 2 * kMs);
  EXPECT_EQ(c.health(0, 2 * kMs).skew, 0u);
  for (int k = 0; k < 50; ++k) c.next(2 * kSecond);
  EXPECT_EQ(c.health(1, 2 * kSecond).state, NodeState::Silent);
  c.give_up(1, DeadPolicy::Freeze);
  EXPECT_EQ(c.health(1, 2 * kSecond).state, NodeState::Frozen);
  FederationHealth h;
  c.fill(h);
  EXPECT_EQ(h.absences, 1u);
  EXPECT_EQ(h.inputs, 4u);
}

namespace {

// two nodes that answer in time, with so much of a period of 10 ms spent
struct Loaded {
  Coordinator c{{.founders = 2, .places = 2, .period = 10 * kMs, .adapt_pace = true}};
  Time now = kMs;
  std::uint64_t sequence = 0;
  Loaded() {
    for (const std::uint64_t k : {1, 2}) c.receive(Message(Request{.nonce = k, .account = k}), now);
    drain(), c.set_period(10 * kMs, now);
  }
  void drain() {
    while (c.next(now).what != CoordinatorAct::Wait) {}
  }
  void run(Time until, std::uint32_t compute_us, bool second = true) {
    for (; now < until; now += 10 * kMs, drain())
      for (std::uint8_t m = 0; m < (second ? 2 : 1); ++m) {
        const Tick tick = c.limit();
        Bundle b{.member = m, .incarnation = 1, .sequence = ++sequence, .advanced = tick, .settled = tick, .inputs = c.log().end(), .compute_us = compute_us};
        b.first_sum = c.committed() + 1, b.sums.assign(std::min<std::size_t>(tick - c.committed(), kMaxSums), 1), b.durable = c.committed();
        c.receive(b, now);
      }
  }
};

}  // namespace

TEST(Overload, LengthensThePeriodAndNeverTheStepAndTakesItBackWhenItIsOver) {
  Loaded l;
  l.run(5 * kSecond, 2000);
  EXPECT_EQ(l.c.period(), 10 * kMs);
  l.run(10 * kSecond, 9000);
  EXPECT_GT(l.c.period(), 12 * kMs);
  FederationHealth h;
  l.c.fill(h);
  EXPECT_GT(h.period, h.wanted_period);
  l.run(60 * kSecond, 1000);
  EXPECT_EQ(l.c.period(), 10 * kMs);
}

TEST(Overload, IsNotWhatANodeThatIsMissingLooksLike) {
  Loaded l;
  l.run(5 * kSecond, 2000);
  l.run(15 * kSecond, 9900, false);
  EXPECT_EQ(l.c.period(), 10 * kMs);
}

TEST(Overload, LowersTheRateOfViewsAndRaisesItAgain) {
  ViewPace view;
  EXPECT_EQ(view.every(33 * kMs, 100), 3u);
  view.decide(true, kSecond), view.decide(true, 2 * kSecond);
  EXPECT_EQ(view.every(33 * kMs, 100), 12u);
  view.decide(false, 3 * kSecond);
  EXPECT_EQ(view.every(33 * kMs, 100), 12u);
  view.decide(false, 8 * kSecond), view.decide(false, 14 * kSecond);
  EXPECT_EQ(view.every(33 * kMs, 100), 3u);
}

}  // namespace volary::cluster
