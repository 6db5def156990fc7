// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

// marks cells of a metre that a member passed within `reach`
class Coverage {
 public:
  Coverage(const Lawnmower::Params& p, double reach) : x0_(p.from[0]), y0_(p.from[1]), reach_(reach) {
    columns_ = static_cast<std::size_t>(p.to[0] - p.from[0]);
    rows_ = static_cast<std::size_t>(p.to[1] - p.from[1]);
    seen_.assign(columns_ * rows_, 0);
  }
  void look(const Flock& f) {
    for (const auto& m : f.members) {
      if (m.failed) continue;
      for (double y = m.position.y - reach_; y <= m.position.y + reach_; y += 0.5)
        for (double x = m.position.x - reach_; x <= m.position.x + reach_; x += 0.5) {
          const double c = math::floor(x - x0_), r = math::floor(y - y0_);
          if (c < 0 || r < 0 || c >= static_cast<double>(columns_) || r >= static_cast<double>(rows_)) continue;
          const double dx = x0_ + c + 0.5 - m.position.x, dy = y0_ + r + 0.5 - m.position.y;
          if (dx * dx + dy * dy < reach_ * reach_) seen_[static_cast<std::size_t>(r) * columns_ + static_cast<std::size_t>(c)] = 1;
        }
    }
  }
  double share() const {
    double n = 0;
    for (char s : seen_) n += s;
    return n / static_cast<double>(seen_.size());
  }

 private:
  double x0_, y0_, reach_;
  std::size_t columns_, rows_;
  std::vector<char> seen_;
};

Lawnmower::Params small_field() { return {.from = {0, 0}, .to = {100, 80}, .swath = 8, .height = 15}; }

TEST(lawnmower, rows_run_along_the_longer_side_and_lie_evenly) {
  const auto f = Lawnmower::field({.from = {10, 50}, .to = {40, -50}, .swath = 10});
  EXPECT_EQ(f.rows, 3u);
  EXPECT_EQ(f.length, 100);
  EXPECT_NEAR(distance(Lawnmower::end_of(f, 0, false), {15, -50, 0}), 0, 1e-12);
  EXPECT_NEAR(distance(Lawnmower::end_of(f, 2, true), {35, 50, 0}), 0, 1e-12);
}

TEST(lawnmower, more_rows_than_it_can_count_are_an_error) {
  EXPECT_FALSE(Lawnmower::check({.from = {0, 0}, .to = {5000, 5000}, .swath = 1}));
  EXPECT_TRUE(Lawnmower::check(small_field()));
}

TEST(lawnmower, one_alone_covers_everything_and_then_lets_others_act) {
  Flock f({.members = 1, .gust = 0.5});
  f.place(0, {-5, -5, 15});
  f.add<Lawnmower>(small_field());
  f.add<Hold>({});
  Coverage seen(small_field(), 5);
  f.run(400, [&] { seen.look(f); });
  EXPECT_GT(seen.share(), 0.99);
  EXPECT_EQ(f.members[0].winner, 1);
}

double time_to_cover(std::size_t n, int failing) {
  Flock f({.members = n, .loss = 0.2, .gust = 0.5});
  f.place_grid({-10, 40, 15}, 3);
  f.add<Lawnmower>(small_field(), 2);
  f.add<Hold>({});
  f.add<Avoid>({});
  Coverage seen(small_field(), 5);
  double done = 1e9;
  const auto watch = [&] {
    seen.look(f);
    if (seen.share() > 0.99) done = std::min(done, f.time());
  };
  f.run(20, watch);
  if (failing >= 0) f.fail(static_cast<std::size_t>(failing));
  f.run(300, watch);
  for (const auto& m : f.members) EXPECT_TRUE(m.failed || m.winner == 1);  // all know that it is done
  return done;
}

TEST(lawnmower, four_are_more_than_twice_as_fast_as_one) {
  const double one = time_to_cover(1, -1), four = time_to_cover(4, -1);
  EXPECT_LT(one, 320);
  EXPECT_LT(four, 0.5 * one);
}

TEST(lawnmower, the_rows_of_a_failed_member_are_flown_by_the_others) { EXPECT_LT(time_to_cover(4, 1), 200); }

TEST(lawnmower, a_hundred_search_a_square_kilometre_in_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 3000, .loss = 0.2, .gust = 0.5, .memory = 128};
  Flock f(o);
  f.place_grid({-40, 500, 15}, 3);
  Lawnmower::Params p{.from = {0, 0}, .to = {1000, 1000}, .swath = 8, .height = 15};
  f.add<Lawnmower>(p, 2);
  f.add<Hold>({});
  f.add<Avoid>({});
  Coverage seen(p, 5);
  f.run(60, [&] { seen.look(f); });
  f.fail(30);
  double nearest = 1e9;
  f.run(540, [&] {
    seen.look(f);
    nearest = std::min(nearest, f.nearest());
  });
  EXPECT_GT(seen.share(), 0.99);
  EXPECT_GT(nearest, 2 * o.radius);
}

TEST(lawnmower, says_found_and_where_when_it_sees_what_it_looks_for) {
  Flock f({.members = 2, .loss = 0.3, .detection_range = 20});
  f.place(0, {-5, -5, 15});
  f.place(1, {-5, 5, 15});
  f.targets = {{50, topic("tree"), {20, 20, 0}}, {51, topic("person"), {60, 40, 1}}};
  Lawnmower::Params p = small_field();
  p.find = "person";
  f.add<Lawnmower>(p);
  std::vector<Message> heard;
  f.on_heard = [&](const Message& m, std::size_t) {
    if (m.topic == topic("found")) heard.push_back(m);
  };
  f.run(200);
  ASSERT_FALSE(heard.empty());
  for (const Message& m : heard) {
    EXPECT_EQ(m.values[0], 60);
    EXPECT_EQ(m.values[1], 40);
  }
}

TEST(lawnmower, two_flocks_in_range_search_their_own_fields) {
  Flock f({.members = 4});
  f.place_grid({-10, 40, 15}, 3);
  Lawnmower::Params near = small_field(), far = small_field();
  far.from = {200, 0};
  far.to = {300, 80};
  for (int i = 0; i < 4; ++i) f.add<Lawnmower>(i < 2 ? near : far, 2, 0, i);
  f.add<Avoid>({});
  Coverage seen_near(near, 5), seen_far(far, 5);
  f.run(300, [&] { seen_near.look(f), seen_far.look(f); });
  EXPECT_GT(seen_near.share(), 0.99);
  EXPECT_GT(seen_far.share(), 0.99);
}

TEST(lawnmower, believes_no_nonsense) {
  Flock f({.members = 1});
  f.place(0, {0, 0, 15});
  f.add<Lawnmower>(small_field());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  f.members[0].inbox.push_back({.from = 9, .topic = Lawnmower::kRows, .count = 12, .values = {1e9, 1, 1, 1}});
  f.members[0].inbox.push_back({.from = 9, .topic = Lawnmower::kRows, .count = 12, .values = {0, nan, -3, 1e300}});
  f.members[0].inbox.push_back({.from = 9, .topic = Lawnmower::kRows, .count = 2, .values = {0, 1}});
  f.run(3);
  for (std::size_t row = 0; row < 10; ++row) EXPECT_FALSE(Lawnmower::is_done(f.memory_of<Lawnmower>(0, 0), row));
}

}  // namespace
}  // namespace volary::swarm
