// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the formation check measures, on tracks whose figures are known.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "validation/formation_flight.hpp"

namespace volary::validation {
namespace {

constexpr double kPi = 3.141592653589793;

// straight for 40 s, a quarter turn in 5 s, straight for 30 s; the follower comes into place by exp(-t / 5) on each
FormationFlight sketch() {
  FormationFlight f;
  for (int k = 0; k < 750; ++k) {
    FormationSample s;
    s.time = 0.1 * k;
    s.course = k < 400 ? 0 : k < 450 ? kPi / 2 * (k - 400) / 50 : kPi / 2;
    const double since = k < 450 ? s.time : s.time - 45;
    const double gap = k < 400 || k >= 450 ? 20 * std::exp(-since / 5) : 20;
    s.gap = {{0, 0, 0}, {gap, -0.5 * gap, 0.1}};
    f.samples.push_back(s);
  }
  return f;
}

TEST(formation_flight, straights_are_whole_stretches_without_a_turn) {
  const std::vector<Straight> s = straights_of(sketch());
  ASSERT_EQ(s.size(), 2u);
  EXPECT_NEAR(static_cast<double>(s[0].last - s[0].first), 400, 2);
  EXPECT_NEAR(static_cast<double>(s[1].last - s[1].first), 300, 2);
  EXPECT_TRUE(straights_of(sketch(), 0.05, 50).empty());
}

// 20 exp(-t / 5) is 2 after 5 ln 10 = 11.51 s; half of it after 5 ln 5 = 8.05 s
TEST(formation_flight, convergence_is_the_time_from_which_a_follower_stays_in_place) {
  const FormationFlight f = sketch();
  const Straight first{0, 400};
  EXPECT_NEAR(convergence(f, first, 1, Part::Ahead, 2), 11.51, 0.11);
  EXPECT_NEAR(convergence(f, first, 1, Part::Aside, 2), 8.05, 0.11);
  EXPECT_EQ(convergence(f, first, 1, Part::Above, 2), 0);
  EXPECT_EQ(convergence(f, {0, 100}, 1, Part::Ahead, 2), std::numeric_limits<double>::infinity());
  // one that leaves again is in place only after that
  FormationFlight again = f;
  again.samples[300].gap[1] = {3, 0, 0};
  EXPECT_NEAR(convergence(again, first, 1, Part::Ahead, 2), 30.1, 1e-9);
}

TEST(formation_flight, a_steady_error_is_the_worst_of_the_end) {
  const FormationFlight f = sketch();
  EXPECT_NEAR(steady_error(f, {0, 400}, 1, Part::Ahead, 8), 20 * std::exp(-32.0 / 5), 1e-9);
  EXPECT_NEAR(steady_error(f, {0, 400}, 1, Part::All, 8), std::hypot(20 * std::exp(-32.0 / 5) * std::sqrt(1.25), 0.1), 1e-9);
}

// a leader that flies north: 10 m behind is south, 5 m to the right is east
TEST(formation_flight, places_lie_along_the_course) {
  const Vec p = place_of({100, 200, 50}, kPi / 2, -10, 5, 2);
  EXPECT_NEAR(p[0], 105, 1e-12);
  EXPECT_NEAR(p[1], 190, 1e-12);
  EXPECT_NEAR(p[2], 52, 1e-12);
}

TEST(formation_flight, time_warping_forgives_time_and_nothing_else) {
  std::vector<Vec> line, slow, beside;
  for (int k = 0; k <= 100; ++k) line.push_back({1.0 * k, 0, 0}), beside.push_back({1.0 * k, 3, 0});
  for (int k = 0; k <= 200; ++k) slow.push_back({std::floor(0.5 * k), 0, 0});
  EXPECT_EQ(time_warp_distance(line, line), 0);
  EXPECT_EQ(time_warp_distance(line, slow), 0) << "half as fast over the same points";
  EXPECT_NEAR(time_warp_distance(line, beside), 3, 1e-12);
  // by hand: (0, 1) against (0, 0, 2): pairs 0-0, 0-0, 1-2; the sum is 1, of three pairs
  const std::vector<Vec> a = {{0, 0, 0}, {1, 0, 0}}, b = {{0, 0, 0}, {0, 0, 0}, {2, 0, 0}};
  EXPECT_NEAR(time_warp_distance(a, b), 1.0 / 3, 1e-12);
}

}  // namespace
}  // namespace volary::validation
