// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who gets which place of a federation whose coordinator keeps saved states.
#include <gtest/gtest.h>

#include "cluster/coordinator.hpp"
#include "cluster/node.hpp"

namespace volary::cluster {

namespace {

constexpr Time kMs = 1'000'000, kSecond = 1'000'000'000;

struct Places {
  Coordinator c{{.window = 64, .founders = 2, .places = 2, .keeps_states = true}};
  Time now = kMs;
  std::vector<Refusal> refused;
  std::vector<Notice> notices;

  void ask(const Request& r) { c.receive(Message(r), now), drain(); }
  void drain() {
    for (int k = 0; k < 200; ++k) {
      const auto a = c.next(now);
      if (a.what == CoordinatorAct::Wait) return;
      if (a.what != CoordinatorAct::Publish) continue;
      if (const auto* r = std::get_if<Refusal>(&c.message())) refused.push_back(*r);
      if (const auto* n = std::get_if<Notice>(&c.message())) notices.push_back(*n);
    }
  }
  void found() { ask({.nonce = 10, .account = 1}), ask({.nonce = 11, .account = 2}); }
  // both have settled so much, and know all entries
  void settle(Tick tick) {
    for (std::uint8_t m = 0; m < 2; ++m) {
      Bundle b{.member = m, .incarnation = c.members()[m].incarnation, .sequence = ++sequence, .advanced = tick, .settled = tick, .inputs = c.log().end()};
      b.first_sum = c.committed() + 1;
      b.sums.assign(tick - c.committed(), 1);
      c.receive(b, now);
    }
    drain();
  }
  const Member& member(std::size_t id) const { return c.members()[id]; }
  std::uint64_t sequence = 0;
};

}  // namespace

TEST(Places, AProcessThatIsStartedAgainHasItsPlaceAgainFromWhatIsKept) {
  Places p;
  p.found(), p.settle(30);
  p.c.keep(0, 20), p.c.keep(1, 25);
  p.ask({.nonce = 12, .account = 2});
  EXPECT_EQ(p.member(1).incarnation, 2u);
  EXPECT_EQ(p.member(1).nonce, 12u);
  EXPECT_EQ(p.member(1).restored, 25u);
  EXPECT_EQ(p.member(0).incarnation, 1u);
}

TEST(Places, WhoeverIsExpectedHasTheSeatThatIsMeantForIt) {
  Coordinator c{{.founders = 3, .places = 3, .seats = {70, 71}, .keeps_states = true}};
  const auto ask = [&](std::uint64_t nonce, std::uint64_t account) { c.receive(Message(Request{.nonce = nonce, .account = account}), kMs); };
  // somebody whom nobody expected comes first, then the others in the wrong order
  ask(1, 99), ask(2, 71), ask(3, 70);
  EXPECT_EQ(c.members()[0].account, 70u);
  EXPECT_EQ(c.members()[1].account, 71u);
  EXPECT_EQ(c.members()[2].account, 99u);
}

TEST(Places, ASeatThatNobodyClaimsIsForWhoeverComes) {
  Coordinator c{{.founders = 2, .places = 2, .seats = {70, 71}, .keeps_states = true}};
  c.receive(Message(Request{.nonce = 1, .account = 99}), kMs);
  c.receive(Message(Request{.nonce = 2, .account = 70}), kMs);
  EXPECT_EQ(c.members()[0].account, 99u);
  EXPECT_EQ(c.members()[1].account, 70u);
}

TEST(Places, AProcessThatDiedBeforeItSavedAnythingBeginsWithTheFirstState) {
  Places p;
  p.found();
  p.ask({.nonce = 12, .account = 1});
  EXPECT_EQ(p.member(0).incarnation, 2u);
  EXPECT_EQ(p.member(0).restored, 0u);
  p.settle(10);
  p.ask({.nonce = 13, .account = 1});
  EXPECT_EQ(p.member(0).incarnation, 3u);
  EXPECT_EQ(p.member(0).restored, 0u);
}

TEST(Places, AnEarlierStartOfAProcessChangesNothing) {
  Places p;
  p.found(), p.ask({.nonce = 13, .account = 1}), p.ask({.nonce = 12, .account = 1});
  EXPECT_EQ(p.member(0).nonce, 13u);
  EXPECT_EQ(p.c.drops()[Drop::Replayed], 1u);
}

TEST(Places, NothingIsForgottenThatASuccessorNeeds) {
  Places p;
  p.found(), p.settle(50);
  EXPECT_EQ(p.c.floor(), 0u);
  p.c.keep(0, 40), p.c.keep(1, 30);
  EXPECT_EQ(p.c.floor(), 30u);
  p.c.keep(1, 60);  // not committed yet
  EXPECT_EQ(p.c.floor(), 30u);
}

TEST(Places, APlaceThatIsHandedOverGoesToTheNextProcess) {
  Places p;
  p.found(), p.settle(30), p.c.keep(1, 30);
  p.ask({.nonce = 20, .account = 7});
  ASSERT_EQ(p.refused.size(), 1u);
  EXPECT_EQ(p.refused[0].reason, RefusalReason::Full);
  p.ask({.kind = RequestKind::HandOver, .member = 1, .incarnation = 1, .nonce = 11, .durable = 30});
  EXPECT_TRUE(p.c.is_vacant(1));
  ASSERT_EQ(p.notices.size(), 1u);
  EXPECT_EQ(p.notices[0].kind, NoticeKind::End);
  EXPECT_EQ(p.notices[0].nonce, 11u);
  p.ask({.nonce = 20, .account = 7});
  EXPECT_FALSE(p.c.is_vacant(1));
  EXPECT_EQ(p.member(1).account, 7u);
  EXPECT_EQ(p.member(1).restored, 30u);
}

TEST(Places, APlaceIsNotHandedOverWithoutItsState) {
  Places p;
  p.found(), p.settle(30), p.c.keep(1, 20);
  p.ask({.kind = RequestKind::HandOver, .member = 1, .incarnation = 1, .nonce = 11, .durable = 30});
  EXPECT_FALSE(p.c.is_vacant(1));
  EXPECT_TRUE(p.notices.empty());
}

TEST(Places, OnlyItsHolderHandsAPlaceOver) {
  Places p;
  p.found(), p.settle(30), p.c.keep(1, 30);
  p.ask({.kind = RequestKind::HandOver, .member = 1, .incarnation = 1, .nonce = 10, .durable = 30});
  EXPECT_FALSE(p.c.is_vacant(1));
}

TEST(Places, APlaceOfASilentProcessIsGivenAwayAfterAWhileAndNotBefore) {
  Places p;
  p.found(), p.settle(30), p.c.keep(0, 20), p.c.keep(1, 20);
  p.now += kSecond, p.drain();
  p.ask({.nonce = 20, .account = 7});
  EXPECT_EQ(p.refused.size(), 1u);
  p.now += 3 * kSecond, p.drain();
  p.ask({.nonce = 20, .account = 7});
  EXPECT_EQ(p.member(0).account, 7u);
  EXPECT_EQ(p.member(0).restored, 20u);
}

TEST(Places, AnObserverHasNoPlaceOfANode) {
  Places p;
  p.ask({.kind = RequestKind::Observe, .nonce = 1});
  EXPECT_TRUE(p.c.members().is_known(2));
  p.found();
  EXPECT_TRUE(p.c.members().is_known(0) && p.c.members().is_known(1));
}

TEST(Places, ANodeEndsWhenItIsAskedToAndNotWhenAnotherIs) {
  for (const std::uint64_t nonce : {5, 6}) {
    Node node({.nonce = 5});
    node.receive(Message(Notice{.term = 1, .nonce = nonce, .kind = NoticeKind::End}), 0);
    EXPECT_EQ(node.next(0).what == Act::Over, nonce == 5);
  }
  Node node({.nonce = 5});
  node.receive(Message(Notice{.term = 1, .kind = NoticeKind::Over}), 0);
  EXPECT_EQ(node.next(0).what, Act::Over);
}

}  // namespace volary::cluster
