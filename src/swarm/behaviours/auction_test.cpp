// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

Auction::Params scattered(const Flock& f, std::size_t n, double size) {
  Auction::Params p;
  for (std::size_t t = 0; t < n; ++t) p.tasks.push_back({size * f.draw(5000 + t, 0), size * f.draw(5000 + t, 1), 10});
  return p;
}

// Each task is held by nobody or by one; the total score; and how many are held.
struct Assignment {
  std::size_t conflicts = 0, held = 0;
  double score = 0;
};
Assignment assignment(const Flock& f, const Auction::Params& p) {
  Assignment a;
  std::vector<int> holders(p.tasks.size(), 0);
  for (std::size_t i = 0; i < f.members.size(); ++i) {
    if (f.members[i].failed) continue;
    const auto& m = f.memory_of<Auction>(i, 0);
    for (std::int32_t k = 0; k < m.count; ++k) ++holders[static_cast<std::size_t>(m.bundle[k])];
    a.score += Auction::score(m.path, m.count, f.members[i].position, p);
  }
  for (int n : holders) a.conflicts += n > 1, a.held += n > 0;
  return a;
}

// The sequential greedy algorithm with all knowledge in one place: what CBBA is proven to reach (Choi et al., theorem 1 and lemma 4).
double sequential_greedy(const Flock& f, const Auction::Params& p) {
  const std::size_t n = f.members.size();
  std::vector<std::vector<std::int32_t>> paths(n);
  std::vector<bool> taken(p.tasks.size(), false);
  double total = 0;
  for (;;) {
    double best = 0;
    std::size_t who = 0, what = 0;
    std::vector<std::int32_t> how;
    for (std::size_t i = 0; i < n; ++i) {
      if (paths[i].size() >= static_cast<std::size_t>(p.bundle)) continue;
      const double without = Auction::score(paths[i].data(), static_cast<std::int32_t>(paths[i].size()), f.members[i].position, p);
      for (std::size_t t = 0; t < p.tasks.size(); ++t) {
        if (taken[t]) continue;
        for (std::size_t at = 0; at <= paths[i].size(); ++at) {
          std::vector<std::int32_t> path = paths[i];
          path.insert(path.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::int32_t>(t));
          const double gain = Auction::score(path.data(), static_cast<std::int32_t>(path.size()), f.members[i].position, p) - without;
          if (gain > best) best = gain, who = i, what = t, how = path;
        }
      }
    }
    if (best <= 0) return total;
    total += best;
    paths[who] = how;
    taken[what] = true;
  }
}
// no assignment is worth more than every task done first by whoever is nearest
double upper_bound(const Flock& f, const Auction::Params& p) {
  double sum = 0;
  for (const auto& t : p.tasks) {
    double nearest = 1e9;
    for (const auto& m : f.members) nearest = std::min(nearest, distance(m.position, to_v3(t)));
    sum += std::exp(-nearest / (p.speed * p.horizon));
  }
  return sum;
}

TEST(auction, a_path_is_worth_the_sum_of_discounted_arrivals) {
  Auction::Params p{.tasks = {{40, 0, 0}, {40, 80, 0}}, .speed = 4, .horizon = 10};
  const std::int32_t path[] = {0, 1};
  EXPECT_NEAR(Auction::score(path, 2, {0, 0, 0}, p), std::exp(-1.0) + std::exp(-3.0), 1e-12);
}

TEST(auction, too_many_tasks_are_an_error) {
  Auction::Params p;
  p.tasks.resize(49);
  EXPECT_FALSE(Auction::check(p));
  p.tasks.resize(48);
  EXPECT_TRUE(Auction::check(p));
}

TEST(auction, without_loss_the_bids_end_at_the_sequential_greedy_assignment) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Flock f({.members = 8, .seed = seed});
    f.place_random({0, 0, 10}, {200, 200, 10.001});
    Auction::Params p = scattered(f, 20, 200);
    p.settle = 1e3;  // nobody moves
    f.add<Auction>(p);
    const double greedy = sequential_greedy(f, p);
    f.run(20);
    const Assignment a = assignment(f, p);
    EXPECT_EQ(a.conflicts, 0u);
    EXPECT_EQ(a.held, 20u);
    EXPECT_NEAR(a.score, greedy, 1e-3 * greedy) << seed;
    EXPECT_GT(a.score, 0.5 * upper_bound(f, p));
  }
}

TEST(auction, with_every_third_message_lost_nobody_ends_with_anothers_task) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Flock f({.members = 10, .seed = seed, .loss = 0.33});
    f.place_random({0, 0, 10}, {200, 200, 10.001});
    Auction::Params p = scattered(f, 24, 200);
    p.settle = 1e3;
    p.patience = 10;
    f.add<Auction>(p);
    f.run(60);
    const Assignment a = assignment(f, p);
    EXPECT_EQ(a.conflicts, 0u) << seed;
    EXPECT_EQ(a.held, 24u) << seed;
    EXPECT_GT(a.score, 0.5 * upper_bound(f, p)) << seed;
  }
}

TEST(auction, the_tasks_of_a_failed_member_are_done_by_others) {
  Flock f({.members = 5, .loss = 0.2, .gust = 0.5});
  f.place_random({0, 0, 10}, {100, 100, 10.001});
  Auction::Params p = scattered(f, 15, 100);
  f.add<Auction>(p, 2);
  f.add<Hold>({});
  f.run(4);
  ASSERT_GT(f.memory_of<Auction>(2, 0).count, 0);
  f.fail(2);
  f.run(200);
  for (std::size_t i = 0; i < 5; ++i) {
    if (i == 2) continue;
    EXPECT_TRUE(Auction::all_done(p, f.memory_of<Auction>(i, 0))) << i;
    EXPECT_EQ(f.members[i].winner, 1);
  }
}

TEST(auction, a_hundred_share_48_tasks_in_gusts_and_loss_without_touching) {
  FlockOptions o{.members = 100, .loss = 0.2, .gust = 0.5, .memory = 16};
  Flock f(o);
  f.place_grid({0, 0, 10}, 4);
  Auction::Params p = scattered(f, 48, 400);
  f.add<Auction>(p, 2);
  f.add<Hold>({});
  f.add<Avoid>({});
  double nearest = 1e9;
  f.run(30, [&] { nearest = std::min(nearest, f.nearest()); });
  f.fail(7);
  f.run(570, [&] { nearest = std::min(nearest, f.nearest()); });
  for (std::size_t i = 0; i < 100; ++i) {
    if (i != 7) {
      EXPECT_TRUE(Auction::all_done(p, f.memory_of<Auction>(i, 0))) << i;
    }
  }
  EXPECT_GT(nearest, 2 * o.radius);
}

TEST(auction, believes_no_nonsense) {
  Flock f({.members = 1});
  f.place(0, {0, 0, 10});
  Auction::Params p{.tasks = {{10, 0, 10}, {20, 0, 10}}, .settle = 100};
  f.add<Auction>(p);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  f.members[0].inbox.push_back({.from = 9, .topic = Auction::kBids, .count = 12, .values = {nan, -1, 99, 5, -1, 5, 0, nan, 1, -2}});
  f.members[0].inbox.push_back({.from = 9, .topic = Auction::kBids, .count = 1, .values = {3}});
  f.run(1);
  EXPECT_EQ(f.memory_of<Auction>(0, 0).count, 2);
  EXPECT_EQ(f.memory_of<Auction>(0, 0).done, 0u);
}

}  // namespace
}  // namespace volary::swarm
