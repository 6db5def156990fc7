// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/network.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace volary::cluster {

namespace {

constexpr int kMany = 100'000;

}  // namespace

TEST(Impairment, LosesDelaysAndDoublesTheStatedShares) {
  const Impairment leg({.loss = 0.3, .delay = 0.03, .jitter = 0.01, .duplicate = 0.05, .seed = 7});
  int none = 0, two = 0;
  double sum = 0, n = 0, square = 0;
  for (std::uint64_t k = 0; k < kMany; ++k) {
    const Deliveries d = leg.deliver(5, k, 1000);
    none += d.count == 0 ? 1 : 0, two += d.count == 2 ? 1 : 0;
    for (const Time at : d) {
      EXPECT_GE(at, 1000 + 20'000'000);
      EXPECT_LE(at, 1000 + 40'000'000);
      const double ms = static_cast<double>(at - 1000) * 1e-6;
      sum += ms, square += ms * ms, n += 1;
    }
  }
  EXPECT_NEAR(none / double{kMany}, 0.3 * (1 - 0.05 * 0.7), 0.006);
  EXPECT_NEAR(two / double{kMany}, 0.05 * 0.7 * 0.7, 0.003);
  EXPECT_NEAR(sum / n, 30, 0.1);
  EXPECT_NEAR(square / n - 900, 100.0 / 3, 1.5);
}

TEST(Impairment, GivesOneScheduleForOneSeed) {
  const Impairment a({.loss = 0.5, .delay = 0.01, .jitter = 0.01, .seed = 1}), b({.loss = 0.5, .delay = 0.01, .jitter = 0.01, .seed = 1}),
      c({.loss = 0.5, .delay = 0.01, .jitter = 0.01, .seed = 2});
  int differ = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const Deliveries x = a.deliver(1, k, 0), y = b.deliver(1, k, 0), z = c.deliver(1, k, 0), w = a.deliver(2, k, 0);
    EXPECT_TRUE(x.count == y.count && (x.count == 0 || x.at[0] == y.at[0]));
    differ += x.count != z.count || x.count != w.count ? 1 : 0;
  }
  EXPECT_GT(differ, 300);
}

TEST(Impairment, HoldsMessagesBackWhenTheyAreReordered) {
  const Impairment leg({.delay = 0.01, .reorder = 0.1, .seed = 3});
  int held = 0;
  for (std::uint64_t k = 0; k < kMany; ++k) held += leg.deliver(1, k, 0).at[0] == 20'000'000 ? 1 : 0;
  EXPECT_NEAR(held / double{kMany}, 0.1, 0.005);
}

TEST(Impairment, IsSilentInBursts) {
  const Impairment leg({.burst = 0.25, .burst_length = 0.05, .seed = 3});
  int lost = 0, turns = 0;
  bool last = false;
  for (std::uint64_t k = 0; k < kMany; ++k) {
    const bool is_lost = leg.deliver(1, k, static_cast<Time>(k) * 1'000'000).count == 0;
    lost += is_lost ? 1 : 0, turns += is_lost != last ? 1 : 0, last = is_lost;
  }
  EXPECT_NEAR(lost / double{kMany}, 0.25, 0.03);
  EXPECT_LT(turns, kMany / 50);
}

TEST(Impairment, NamesTheOptionThatIsOutOfBounds) {
  EXPECT_EQ(check_impairment({.loss = 1}).error().field, "loss");
  EXPECT_EQ(check_impairment({.delay = 0.01, .jitter = 0.02}).error().field, "jitter");
  EXPECT_EQ(check_impairment({.duplicate = -1}).error().field, "duplicate");
  EXPECT_EQ(check_impairment({.loss = std::nan("")}).error().field, "loss");
  EXPECT_TRUE(check_impairment({.loss = 0.3, .delay = 0.03, .jitter = 0.01, .duplicate = 0.05, .reorder = 0.1, .seed = 7}));
}

TEST(Network, DeliversInOrderOfTimeAndUsesSlotsAgain) {
  Network<int> net;
  const Impairment slow({.delay = 0.02}), fast({.delay = 0.01});
  const std::uint32_t a = net.take();
  net.content(a) = 1;
  net.send(a, 4, slow, 1), net.send(a, 5, fast, 2), net.drop(a);
  net.set_timer(6, 3, 15'000'000);
  std::vector<int> to;
  while (!net.empty()) {
    const auto e = net.pop();
    to.push_back(e.to);
    net.done(e);
  }
  EXPECT_EQ(to, (std::vector<int>{5, 6, 4}));
  EXPECT_EQ(net.take(), a);
  EXPECT_EQ(net.now(), 20'000'000);
}

TEST(Network, ForgetsWhatIsOnItsWayWhenItBeginsAnew) {
  Network<int> net;
  const std::uint32_t a = net.take();
  net.send(a, 1, Impairment(), 1), net.drop(a);
  net.reset();
  EXPECT_TRUE(net.empty());
  EXPECT_EQ(net.take(), a);
}

}  // namespace volary::cluster
