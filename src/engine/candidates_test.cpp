// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/swept.hpp"
#include "math/hash.hpp"

namespace volary::engine {
namespace {

double uniform(std::uint64_t n) { return static_cast<double>(math::mix64(n) >> 11) * 0x1p-53; }

// vehicles that fly about at random, some of them large, some fast, some untouchable
struct Crowd {
  explicit Crowd(std::uint64_t s, std::size_t n) : seed(s), from(n), to(n), velocity(n), worlds(n), radius(n) {
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = {20 * next(), 20 * next(), 5 * next()};
      const double fastest = next() < 0.05 ? 8 : 0.3;  // m in a tick
      velocity[i] = {fastest * (next() - 0.5), fastest * (next() - 0.5), fastest * (next() - 0.5)};
      worlds[i] = next() < 0.2 ? 1 : 0;
      radius[i] = next() < 0.1 ? -1 : next() < 0.05 ? 2 : 0.2;
    }
  }
  double next() { return uniform(seed + 0x9e3779b97f4a7c15ull * ++drawn); }
  void fly() {
    from = to;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = plus(from[i], 1, velocity[i]);
    if (next() < 0.1) from[0] = to[0] = {20 * next(), 20 * next(), 5 * next()};  // somebody put it elsewhere
  }
  // those that touch in this tick, looking at all pairs
  std::vector<Candidates::Pair> touching() const {
    std::vector<Candidates::Pair> all;
    for (std::uint32_t a = 0; a < to.size(); ++a)
      for (std::uint32_t b = a + 1; b < to.size(); ++b)
        if (touches(a, b)) all.emplace_back(a, b);
    return all;
  }
  bool touches(std::uint32_t a, std::uint32_t b) const {
    const double reach = radius[a] + radius[b];
    return worlds[a] == worlds[b] && radius[a] >= 0 && radius[b] >= 0 && Passing{minus(from[b], from[a]), minus(to[b], to[a])}.nearest2() <= reach * reach;
  }

  std::uint64_t seed, drawn = 0;
  std::vector<Vec> from, to, velocity;
  std::vector<std::uint32_t> worlds;
  std::vector<double> radius;
};

RC_GTEST_PROP(candidates, hold_every_pair_that_touches_within_a_tick_for_as_long_as_they_are_kept, ()) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(2, 150));
  Crowd crowd(*rc::gen::arbitrary<std::uint64_t>(), n);
  Pool pool(*rc::gen::inRange(1, 4));
  Candidates candidates;
  std::size_t kept = 0;
  for (int tick = 0; tick < 30; ++tick) {
    crowd.fly();
    double moved2 = 0;
    if (candidates.is_listed(7))
      for (std::size_t i = 0; i < n; ++i) moved2 = std::max({moved2, candidates.moved2(i, crowd.to[i]), candidates.moved2(i, crowd.from[i])});
    if (candidates.is_kept(7, moved2))
      ++kept;
    else
      candidates.list({7, crowd.from, crowd.to, crowd.worlds, crowd.radius}, pool);
    std::vector<Candidates::Pair> found;
    for (const auto& [a, b] : candidates.pairs())
      if (crowd.touches(a, b)) found.emplace_back(a, b);
    RC_ASSERT(found == crowd.touching());
  }
  RC_CLASSIFY(kept > 0, "a list was kept");
}

TEST(candidates, one_jet_does_not_make_a_crowd_of_candidates) {
  const std::size_t n = 2000;
  std::vector<Vec> from, to;
  for (std::size_t i = 0; i < n; ++i) from.push_back({3.0 * static_cast<double>(i % 50), 3.0 * static_cast<double>(i / 50), 50});
  to = from;
  from[0] = {-100, 60, 50}, to[0] = {100, 60.5, 50};
  std::vector<double> radius(n, 0.2);
  radius[0] = 5;
  Pool pool(1);
  Candidates candidates;
  candidates.list({1, from, to, std::vector<std::uint32_t>(n, 0), radius}, pool);
  EXPECT_LT(candidates.pairs().size(), n);  // its own, and none between the others
  EXPECT_GT(candidates.pairs().size(), 50u);
}

}  // namespace
}  // namespace volary::engine
