// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Single rules of coordinator and node, with messages made by hand. Whole runs are in simulation_test.cpp.
#include <gtest/gtest.h>

#include "cluster/coordinator.hpp"
#include "cluster/node.hpp"

namespace volary::cluster {

namespace {

constexpr Time kMs = 1'000'000;

// a node that is member 0 beside member 1, restored to the state before the first tick that it takes part in
struct Pair {
  Node node{NodeOptions{.nonce = 5}};
  explicit Pair(std::uint32_t horizon = 4, Tick first = 1) {
    node.receive(Message(Config{.term = 1, .horizon = horizon}), 0);
    hear({.sequence = 1, .effective = 1, .kind = EntryKind::Join, .member = 1, .incarnation = 1, .nonce = 6});
    hear({.sequence = 2, .effective = first, .kind = EntryKind::Join, .member = 0, .incarnation = 1, .nonce = 5});
    EXPECT_EQ(node.next(0).what, Act::Restore);
    node.restored({.tick = first - 1});
  }
  void hear(const Entry& e) { node.receive(Message(LogPart{.term = 1, .entries = {e}}), 0); }
  void allow(Tick limit, Tick committed = 0) { node.receive(Message(Trigger{.term = 1, .sequence = ++triggers, .limit = limit, .committed = committed}), 0); }
  // frames of member 1 for some ticks
  void frames(std::uint32_t incarnation, Tick first, Tick last, Version version = {2, 0}) {
    Bundle b{.term = 1, .member = 1, .incarnation = incarnation, .sequence = ++bundles, .advanced = last, .inputs = version.inputs};
    for (Tick k = first; k <= last; ++k) b.frames.push_back({k, 1, version, static_cast<std::uint32_t>(b.bytes.size()), 1}), b.bytes.push_back(std::byte{1});
    node.receive(b, 0);
  }
  // does what it may, with contact in one tick
  void run(Tick contact = 0, MemberMask changed = 0) {
    for (int n = 0; n < 100; ++n) {
      const Action a = node.next(0);
      if (a.what == Act::Wait) return;
      if (a.what == Act::Advance) node.advanced({});
      if (a.what == Act::Settle) node.settled(0, a.tick == contact ? changed : 0);
      if (a.what == Act::RollBack) last_rollback = a;
      if (a.what == Act::Publish) node.bundle();
      if (a.what == Act::Fenced) return;
    }
  }
  std::uint64_t triggers = 0, bundles = 0;
  Action last_rollback;
};

}  // namespace

TEST(Node, AdvancesNoFurtherThanItsHorizonAndTheLimit) {
  Pair p(3);
  p.allow(2), p.run();
  EXPECT_EQ(p.node.advanced_tick(), 2u);
  p.allow(50), p.run();
  EXPECT_EQ(p.node.advanced_tick(), 3u);
  p.frames(1, 1, 2), p.run();
  EXPECT_EQ(p.node.settled_tick(), 2u);
  EXPECT_EQ(p.node.advanced_tick(), 5u);
}

TEST(Node, UsesNoFrameOfAFencedIncarnation) {
  Pair p;
  p.frames(1, 1, 3);
  p.hear({.sequence = 3, .effective = kNever, .kind = EntryKind::Restart, .member = 1, .incarnation = 2, .until = 0, .nonce = 7});
  p.frames(1, 1, 3);
  p.allow(50), p.run();
  EXPECT_EQ(p.node.settled_tick(), 0u);
  EXPECT_EQ(p.node.drops()[Drop::Fenced], 1u);
  p.frames(2, 1, 3), p.run();
  EXPECT_EQ(p.node.settled_tick(), 3u);
}

TEST(Node, UsesNoFrameThatLacksAnEntryOfItsTick) {
  Pair p;
  p.frames(1, 1, 4);
  p.hear({.sequence = 3, .effective = 3});
  p.allow(50), p.run();
  EXPECT_EQ(p.node.settled_tick(), 2u);
  p.frames(1, 3, 4), p.run();
  EXPECT_EQ(p.node.settled_tick(), 2u);
  p.frames(1, 3, 4, {3, 0}), p.run();
  EXPECT_EQ(p.node.settled_tick(), 4u);
}

TEST(Node, WaitsForEntriesThatAFrameKnows) {
  Pair p;
  p.frames(1, 1, 1, {3, 0});
  p.allow(50), p.run();
  EXPECT_EQ(p.node.settled_tick(), 0u);
  p.hear({.sequence = 3, .effective = 40}), p.run();
  EXPECT_EQ(p.node.settled_tick(), 1u);
}

TEST(Node, UsesNoFrameThatLacksACorrection) {
  Pair p;
  p.frames(1, 1, 3);
  p.allow(50), p.run(1, bit_of(1));
  EXPECT_EQ(p.node.settled_tick(), 1u);
  p.frames(1, 2, 3), p.run();
  EXPECT_EQ(p.node.settled_tick(), 1u);
  p.frames(1, 2, 3, {2, 1}), p.run();
  EXPECT_EQ(p.node.settled_tick(), 3u);
}

TEST(Node, RollsItsOwnVehiclesBackToAContact) {
  Pair p;
  p.allow(50), p.run();
  EXPECT_EQ(p.node.advanced_tick(), 4u);
  p.frames(1, 1, 1), p.run(1, bit_of(0));
  EXPECT_EQ(p.last_rollback.tick, 1u);
  EXPECT_EQ(p.node.rollbacks(), 1u);
  EXPECT_EQ(p.node.bundle().frames.back().version.corrections, 1u);
}

TEST(Node, RollsBackToBeforeALateEntry) {
  Pair p;
  p.frames(1, 1, 3), p.allow(50), p.run();
  EXPECT_EQ(p.node.settled_tick(), 3u);
  p.hear({.sequence = 3, .effective = 2}), p.run();
  EXPECT_EQ(p.last_rollback.tick, 1u);
  EXPECT_EQ(p.last_rollback.settled, 1u);
  EXPECT_EQ(p.node.settled_tick(), 1u);
}

// the state that a joiner begins with may know more of the log than the joiner does
TEST(Node, MakesAgainWhatItMadeOfItsFirstStateBeforeItHeardAnEntryThatIsInIt) {
  Pair p(4, 11);
  p.frames(1, 11, 12), p.allow(50), p.run();
  EXPECT_EQ(p.node.settled_tick(), 12u);
  p.hear({.sequence = 3, .effective = 8}), p.run();
  EXPECT_EQ(p.last_rollback.tick, 10u);
  EXPECT_EQ(p.node.settled_tick(), 10u);
  EXPECT_EQ(p.node.advanced_tick(), 14u);
  const Bundle& b = p.node.bundle();
  ASSERT_EQ(b.frames.size(), 4u);
  EXPECT_EQ(b.frames.front().tick, 11u);
  for (const FrameHead& head : b.frames) EXPECT_EQ(head.version.inputs, 3u);
  p.frames(1, 11, 12, {3, 0}), p.run();
  EXPECT_EQ(p.node.settled_tick(), 12u);
}

TEST(Node, TakesNoAcknowledgementFromAnOldBundle) {
  Pair p;
  p.allow(50), p.run();
  const auto acknowledge = [&](std::uint64_t sequence, Tick tick) {
    Bundle b{.term = 1, .member = 1, .incarnation = 1, .sequence = sequence, .inputs = 2};
    b.acks = {{0, tick}};
    p.node.receive(b, 0);
  };
  acknowledge(9, 0), acknowledge(8, 4);
  EXPECT_EQ(p.node.drops()[Drop::Replayed], 1u);
  EXPECT_EQ(p.node.bundle().frames.front().tick, 1u);
}

TEST(Node, EndsWhenAnotherIncarnationHasItsPlace) {
  Pair p;
  p.hear({.sequence = 3, .effective = kNever, .kind = EntryKind::Restart, .member = 0, .incarnation = 2, .until = 0, .nonce = 9});
  EXPECT_EQ(p.node.next(0).what, Act::Fenced);
}

TEST(Node, EndsRatherThanChangeWhatIsCommitted) {
  Pair p;
  p.frames(1, 1, 3), p.allow(50, 3), p.run();
  p.hear({.sequence = 3, .effective = 2});
  EXPECT_EQ(p.node.next(0).what, Act::Fenced);
}

// ---------------------------------------------------------------- coordinator

namespace {

struct Centre {
  Coordinator c;
  std::vector<std::pair<Tick, std::uint64_t>> commits;
  std::vector<Message> said;
  explicit Centre(DeadPolicy policy = DeadPolicy::Wait) : c({.founders = 2, .policy = policy}) {
    for (const std::uint64_t nonce : {5u, 6u}) c.receive(Message(Request{.nonce = nonce}), kMs);
    run(kMs);
  }
  void run(Time now) {
    for (int n = 0; n < 200; ++n) {
      const CoordinatorAction a = c.next(now);
      if (a.what == CoordinatorAct::Wait || a.what == CoordinatorAct::Superseded) return;
      if (a.what == CoordinatorAct::Commit) commits.push_back({a.tick, a.sum});
      if (a.what == CoordinatorAct::Publish) said.push_back(c.message());
    }
  }
  void report(std::uint8_t member, std::uint32_t incarnation, std::uint64_t sequence, Tick settled, std::uint64_t inputs = 2, Tick durable = 0,
              Time now = kMs) {
    Bundle b{.term = 1,
             .member = member,
             .incarnation = incarnation,
             .sequence = sequence,
             .advanced = settled,
             .settled = settled,
             .inputs = inputs,
             .durable = durable};
    b.first_sum = c.committed() + 1;
    for (Tick k = b.first_sum; k <= settled; ++k) b.sums.push_back(10 * (member + 1u) + k);
    c.receive(b, now), run(now);
  }
};

}  // namespace

TEST(Coordinator, CommitsWhatAllHaveSettledAndAddsTheirSums) {
  Centre x;
  x.report(0, 1, 1, 3);
  EXPECT_TRUE(x.commits.empty());
  x.report(1, 1, 1, 2);
  EXPECT_EQ(x.commits, (std::vector<std::pair<Tick, std::uint64_t>>{{1, 32}, {2, 34}}));
}

TEST(Coordinator, CommitsNothingThatLacksAnEntry) {
  Centre x;
  const auto entry = x.c.submit({}, 2);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry.value().effective, 2u);
  x.report(0, 1, 1, 3), x.report(1, 1, 1, 3);
  EXPECT_EQ(x.c.committed(), 1u);
  x.report(0, 1, 2, 3, 3), x.report(1, 1, 2, 3, 3);
  EXPECT_EQ(x.c.committed(), 3u);
}

TEST(Coordinator, CommitsNothingByTheWordOfAFencedIncarnation) {
  Centre x;
  x.report(0, 1, 1, 3);
  x.c.receive(Message(Request{.kind = RequestKind::Restart, .member = 1, .nonce = 7}), kMs);
  x.report(1, 1, 1, 3);
  EXPECT_EQ(x.c.committed(), 0u);
  EXPECT_EQ(x.c.drops()[Drop::Fenced], 1u);
  x.report(1, 2, 1, 3);
  EXPECT_EQ(x.c.committed(), 3u);
}

TEST(Coordinator, DropsRequestsOfEarlierStarts) {
  Centre x;
  const auto restart = [&](std::uint64_t nonce) { x.c.receive(Message(Request{.kind = RequestKind::Restart, .member = 1, .nonce = nonce}), kMs); };
  restart(9);
  EXPECT_EQ(x.c.members()[1].incarnation, 2u);
  restart(9), restart(8);
  EXPECT_EQ(x.c.members()[1].incarnation, 2u);
  EXPECT_EQ(x.c.drops()[Drop::Replayed], 1u);
  // a join that the place's first holder asked for
  x.c.receive(Message(Request{.nonce = 6}), kMs);
  EXPECT_EQ(x.c.members().known(), 3u);
}

TEST(Coordinator, RefusesAnotherScenarioAndAStateThatIsTooOld) {
  Centre x;
  x.report(0, 1, 1, 3, 2, 3), x.report(1, 1, 1, 3, 2, 3), x.report(0, 1, 2, 3, 2, 3), x.report(1, 1, 2, 3, 2, 3);
  EXPECT_EQ(x.c.floor(), 3u);
  x.said.clear();
  x.c.receive(Message(Request{.nonce = 9, .scenario = 1}), kMs);
  x.c.receive(Message(Request{.kind = RequestKind::Restart, .member = 1, .nonce = 10, .durable = 2}), kMs);
  x.run(kMs);
  std::vector<RefusalReason> reasons;
  for (const Message& m : x.said)
    if (const auto* r = std::get_if<Refusal>(&m)) reasons.push_back(r->reason);
  EXPECT_EQ(reasons, (std::vector{RefusalReason::TooOld, RefusalReason::OtherScenario}));
}

TEST(Coordinator, RemovesAMemberThatIsNotHeardFromTheFirstTickThatIsNotCommitted) {
  Centre x(DeadPolicy::Remove);
  x.report(0, 1, 1, 3), x.report(1, 1, 1, 2);
  for (std::uint64_t k = 2; k < 40; ++k) x.report(0, 1, k, 3, 2, 0, static_cast<Time>(k) * 10 * kMs);
  EXPECT_EQ(x.c.members()[1].until, 3u);
  x.report(0, 1, 40, 5, 3, 0, 400 * kMs);
  EXPECT_EQ(x.c.committed(), 5u);
}

TEST(Coordinator, HoldsTheLimitToWindowAndFloor) {
  Centre x;
  EXPECT_EQ(x.c.limit(), 64u);
  for (std::uint64_t k = 1; k <= 300; ++k) x.report(0, 1, k, k), x.report(1, 1, k, k);
  // nobody could be restored later than tick 0
  EXPECT_EQ(x.c.limit(), 255u);
  EXPECT_EQ(x.c.floor(), 0u);
}

TEST(Coordinator, EndsWhenAHigherTermIsThere) {
  Centre x;
  x.c.receive(Message(Trigger{.term = 2}), kMs);
  EXPECT_EQ(x.c.next(kMs).what, CoordinatorAct::Superseded);
}

TEST(Pace, LengthensThePeriodUnderLoadAndComesBack) {
  Pace pace;
  const Time wanted = 10 * kMs;
  pace.add(8000, 0);
  Time period = pace.decide(0, wanted, wanted, 0);
  EXPECT_EQ(period, wanted + wanted / 4);
  for (Time now = 0; now < 60'000 * kMs; now += 500 * kMs) pace.add(1000, 0), period = pace.decide(now, period, wanted, 0);
  EXPECT_EQ(period, wanted);
}

}  // namespace volary::cluster
