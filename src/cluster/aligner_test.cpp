// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/aligner.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <set>

#include "cluster/alignment_load.hpp"

namespace volary::cluster {

namespace {

// The same by brute force, O(kn) per message: all that was ever delivered is kept, and every tick is looked for in it from the beginning.
class Oracle {
 public:
  explicit Oracle(std::size_t window) : window_(window) {}
  struct Life {
    std::uint32_t incarnation = 0;
    Tick from = 0, until = kNever;
    std::set<Tick> answered;
  };
  std::map<std::size_t, Life> lives;
  Tick aligned = 0;

  Tick front(const Life& life) const {
    Tick k = std::max(life.from, restored(life) + 1);
    while (life.answered.count(k) != 0) ++k;
    return k - 1;
  }
  void receive(std::size_t place, std::uint32_t incarnation, Tick first, Tick last) {
    const auto it = lives.find(place);
    if (it == lives.end() || it->second.incarnation != incarnation) return;
    const Tick at = front(it->second);
    for (Tick k = first; k <= last; ++k)
      if (k > at && k <= at + 64 && k <= aligned + window_ && k < it->second.until) it->second.answered.insert(k);
    align();
  }
  void align() {
    for (;;) {
      std::size_t members = 0, answers = 0;
      for (const auto& [place, life] : lives) {
        if (aligned + 1 < life.from || aligned + 1 >= life.until) continue;
        ++members;
        answers += front(life) >= aligned + 1 ? 1 : 0;
      }
      if (members == 0 || answers < members) return;
      ++aligned;
    }
  }
  std::map<const Life*, Tick> restores;
  Tick restored(const Life& life) const {
    const auto it = restores.find(&life);
    return it == restores.end() ? 0 : it->second;
  }

 private:
  std::size_t window_;
};

}  // namespace

TEST(Aligner, AlignsATickWhenAllHaveAnsweredItAndAllBefore) {
  Aligner a(2);
  a.join(0, 1, 1), a.join(1, 1, 1);
  a.receive(0, 1, 1, 3);
  EXPECT_EQ(a.aligned(), 0u);
  a.receive(1, 1, 2, 2);  // tick 1 was lost
  EXPECT_EQ(a.aligned(), 0u);
  a.receive(1, 1, 1, 1);
  EXPECT_EQ(a.aligned(), 2u);
}

TEST(Aligner, TakesNothingOfAFencedIncarnation) {
  Aligner a(2);
  a.join(0, 1, 1), a.join(1, 1, 1);
  a.receive(0, 1, 1, 5), a.receive(1, 1, 1, 2);
  a.restart(1, 2, 2);
  EXPECT_EQ(a.receive(1, 1, 3, 5), 0u);
  EXPECT_EQ(a.aligned(), 2u);
  EXPECT_EQ(a.drops()[Drop::Fenced], 1u);
  a.receive(1, 2, 3, 4);
  EXPECT_EQ(a.aligned(), 4u);
}

TEST(Aligner, ForgetsAnswersOfTheOldIncarnationBeyondTheRestore) {
  Aligner a(2);
  a.join(0, 1, 1), a.join(1, 1, 1);
  a.receive(1, 1, 1, 9);
  a.restart(1, 2, 4);
  a.receive(0, 1, 1, 9);
  EXPECT_EQ(a.aligned(), 4u);
}

TEST(Aligner, DoesNotWaitForWhoHasLeft) {
  Aligner a(3);
  for (std::size_t k = 0; k < 3; ++k) a.join(k, 1, 1);
  a.receive(0, 1, 1, 9), a.receive(1, 1, 1, 9), a.receive(2, 1, 1, 6);
  a.leave(2, 8);
  EXPECT_EQ(a.aligned(), 6u);
  a.receive(2, 1, 7, 9);
  EXPECT_EQ(a.aligned(), 9u);
}

TEST(Aligner, DropsWhatIsTooFarAheadAndPlacesThatAreNone) {
  Aligner a(1, 16);
  a.join(0, 1, 1);
  EXPECT_EQ(a.receive(0, 1, 17, 100), 0u);
  EXPECT_EQ(a.receive(5, 1, 1, 1), 0u);
  EXPECT_EQ(a.drops()[Drop::Beyond], 1u);
  EXPECT_EQ(a.drops()[Drop::Unexpected], 1u);
  EXPECT_EQ(a.receive(0, 1, 1, 100), 16u);
  EXPECT_EQ(a.aligned(), 16u);
}

TEST(Aligner, AgreesWithBruteForceOnEveryHistory) {
  EXPECT_TRUE(rc::check("history", [] {
    constexpr std::size_t kPlaces = 4, kWindow = 32;
    Aligner a(kPlaces, kWindow);
    Oracle oracle(kWindow);
    const auto below = [](int n) { return *rc::gen::inRange(0, n); };
    for (std::size_t k = 0; k < 2; ++k) a.join(k, 1, 1), oracle.lives[k] = {1, 1, kNever, {}};
    for (int n = *rc::gen::inRange(1, 120); n > 0; --n) {
      const auto place = static_cast<std::size_t>(below(kPlaces));
      const Tick now = oracle.aligned;
      const bool is_member = oracle.lives.count(place) != 0;
      const int what = below(20);
      if (what == 0 && !is_member) {
        const Tick from = now + 1 + static_cast<Tick>(below(6));
        a.join(place, 7, from), oracle.lives[place] = {7, from, kNever, {}};
      } else if (what == 1 && is_member && oracle.lives[place].until == kNever) {
        const Tick until = std::max(now + 1, oracle.lives[place].from) + static_cast<Tick>(below(6));
        a.leave(place, until);
        auto& life = oracle.lives[place];
        life.until = until;
        life.answered.erase(life.answered.lower_bound(until), life.answered.end());
        oracle.align();
      } else if (what == 2 && is_member && oracle.lives[place].from <= now) {
        auto& life = oracle.lives[place];
        const Tick to = now - std::min<Tick>(now, static_cast<Tick>(below(4)));
        a.restart(place, ++life.incarnation, to);
        life.answered.clear();
        oracle.restores[&life] = std::max(to, now);
      } else {
        const std::uint32_t incarnation = is_member ? oracle.lives[place].incarnation - (below(8) == 0 ? 1 : 0) : 1;
        const Tick first = now + 1 + static_cast<Tick>(below(10)) - std::min<Tick>(now, static_cast<Tick>(below(6))),
                   last = first + static_cast<Tick>(below(12));
        a.receive(place, incarnation, first, last), oracle.receive(place, incarnation, first, last);
      }
      RC_ASSERT(a.aligned() == oracle.aligned);
    }
  }));
}

TEST(Aligner, GivesTheSameFramesWhenMessagesAreDoubledOrOutOfOrder) {
  EXPECT_TRUE(rc::check("order", [] {
    struct M {
      std::size_t place;
      Tick first, last;
    };
    std::vector<M> messages;
    for (Tick k = 1; k <= 12; ++k)
      for (std::size_t place = 0; place < 3; ++place) messages.push_back({place, k > 2 ? k - 2 : 1, k});
    Aligner a(3, 64);
    for (std::size_t place = 0; place < 3; ++place) a.join(place, 1, 1);
    const auto order = *rc::gen::container<std::vector<std::size_t>>(80, rc::gen::inRange<std::size_t>(0, messages.size()));
    for (const std::size_t k : order) a.receive(messages[k].place, 1, messages[k].first, messages[k].last);
    for (const M& m : messages) a.receive(m.place, 1, m.first, m.last);
    RC_ASSERT(a.aligned() == Tick{12});
  }));
}

TEST(AlignmentLoad, AlignsAllOfItsTicks) {
  AlignmentLoad load(100, 203);
  EXPECT_GT(load.messages(), 20'300u + 500u);
  EXPECT_EQ(load.run(), 203u);
}

// prints what a message and a frame cost
TEST(AlignmentLoad, DISABLED_Cost) {
  for (const auto& [nodes, ticks] : {std::pair<std::size_t, Tick>{1000, 5000}, {10'000, 500}, {100'000, 50}}) {
    AlignmentLoad load(nodes, ticks);
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(load.run(), ticks);
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
    std::printf("%zu members: %.1f ns per message, %.1f us per frame\n", nodes, ns / static_cast<double>(load.messages()),
                ns / static_cast<double>(ticks) * 1e-3);
  }
}

}  // namespace volary::cluster
