// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "swarm/stimuli/all.hpp"
#include "swarm/stimuli/proximity.hpp"

namespace volary::swarm {
namespace {

template <class S> class Algebra : public testing::Test {};
using Types = testing::Types<Light, Plume, Sound>;
TYPED_TEST_SUITE(Algebra, Types);

double between(double low, double high) { return low + (high - low) * static_cast<double>(*rc::gen::inRange(0, 1'000'000)) * 1e-6; }
V3 anywhere(double far) { return {between(-far, far), between(-far, far), between(0.5, 50)}; }
template <class S> std::vector<Source<typename S::Emission>> some() {
  std::vector<Source<typename S::Emission>> list(static_cast<std::size_t>(*rc::gen::inRange(0, 12)));
  for (std::size_t k = 0; k < list.size(); ++k) list[k] = {k + 1, anywhere(200), {}};
  return list;
}
Place somewhere() { return {anywhere(200), {between(-8, 8), between(-8, 8), 0}, *rc::gen::arbitrary<bool>()}; }

TYPED_TEST(Algebra, addition_commutes_and_associates_and_nothing_is_neutral) {
  rc::check([] {
    const Stimulus a{*rc::gen::arbitrary<std::uint64_t>()}, b{*rc::gen::arbitrary<std::uint64_t>()}, c{*rc::gen::arbitrary<std::uint64_t>()};
    RC_ASSERT(a + b == b + a);
    RC_ASSERT((a + b) + c == a + (b + c));
    RC_ASSERT(a + kNoStimulus == a);
  });
}

TYPED_TEST(Algebra, the_perception_of_a_set_is_the_same_in_any_order_and_on_any_split) {
  rc::check([] {
    auto all = some<TypeParam>();
    const Place at = somewhere();
    const Stimulus whole = perceive_all<TypeParam>(at, all);
    const std::size_t cut = all.empty() ? 0 : static_cast<std::size_t>(*rc::gen::inRange<std::size_t>(0, all.size()));
    const std::span list(std::as_const(all));
    RC_ASSERT(perceive_all<TypeParam>(at, list.first(cut)) + perceive_all<TypeParam>(at, list.subspan(cut)) == whole);
    std::reverse(all.begin(), all.end());
    RC_ASSERT(perceive_all<TypeParam>(at, all) == whole);
  });
}

TYPED_TEST(Algebra, another_source_never_makes_it_less) {
  rc::check([] {
    auto all = some<TypeParam>();
    const Place at = somewhere();
    const Stimulus before = perceive_all<TypeParam>(at, all);
    all.push_back({99, anywhere(200), {}});
    RC_ASSERT(perceive_all<TypeParam>(at, all).units >= before.units);
  });
}

TYPED_TEST(Algebra, beyond_its_reach_a_source_is_less_than_a_unit) {
  rc::check([] {
    const typename TypeParam::Emission e{};
    const double reach = TypeParam::reach(e);
    if (std::is_same_v<TypeParam, Plume>) return;  // it ends where its definition says
    const Place at{{reach * 1.001, 0, 0}, {3, 0, 0}, true};
    RC_ASSERT(TypeParam::perceive(at, {1, {0, 0, 0}, e}) < TypeParam::kUnit);
  });
}

// ISO 9613-2: a source of 100 dB, 100 m away over hard air: 100 - 20 lg 100 - 11 = 49 dB
TEST(sound, falls_six_decibels_with_every_doubling) {
  const Source<Sound::Emission> s{1, {0, 0, 0}, {.level = 100, .absorption = 0, .barrier = 20}};
  const auto level = [&](double d, bool sight = true) { return Sound::decibels(Sound::perceive({{d, 0, 0}, {}, sight}, s)); };
  EXPECT_NEAR(level(100), 49.0, 0.02);
  EXPECT_NEAR(level(100) - level(200), 6.0206, 1e-3);
  EXPECT_NEAR(level(100) - level(100, false), 20, 1e-9);
  EXPECT_NEAR(Sound::decibels(2 * Sound::perceive({{100, 0, 0}, {}, true}, s)), 49.0 + 3.0103, 0.02);  // two of them
}
TEST(sound, is_absorbed_by_the_air_on_the_way) {
  const Source<Sound::Emission> s{1, {0, 0, 0}, {.level = 100, .absorption = 33, .barrier = 20}};
  EXPECT_NEAR(Sound::decibels(Sound::perceive({{1000, 0, 0}, {}, true}, s)), 100 - 60 - 10.99 - 33, 0.01);
}

TEST(light, of_a_hundred_candela_is_a_lux_at_ten_metres_and_nothing_round_the_corner) {
  const Source<Light::Emission> s{1, {0, 0, 0}, {.intensity = 100, .visibility = 1e6}};
  EXPECT_NEAR(Light::perceive({{10, 0, 0}, {}, true}, s), 1, 1e-4);
  EXPECT_EQ(Light::perceive({{10, 0, 0}, {}, false}, s), 0);
}
TEST(light, a_dark_thing_at_the_visibility_has_two_percent_of_its_contrast) {
  const Source<Light::Emission> clear{1, {0, 0, 0}, {.intensity = 1e6, .visibility = 1e6}}, haze{1, {0, 0, 0}, {.intensity = 1e6, .visibility = 500}};
  EXPECT_NEAR(Light::perceive({{500, 0, 0}, {}, true}, haze) / Light::perceive({{500, 0, 0}, {}, true}, clear), 0.02, 2e-4);
}

// on the axis at the ground of a source on the ground: Q / (pi u sigma_y sigma_z)
TEST(plume, on_its_axis_is_what_the_formula_says) {
  const Source<Plume::Emission> s{1, {0, 0, 0}, {.rate = 1, .ground = 0, .farthest = 5000}};
  const double x = 1000, sy = 0.08 * x / std::sqrt(1.1), sz = 0.06 * x / std::sqrt(2.5);
  EXPECT_NEAR(Plume::perceive({{x, 0, 0}, {5, 0, 0}, true}, s), 1 / (M_PI * 5 * sy * sz), 1e-12);
  EXPECT_NEAR(Plume::perceive({{0, x, 0}, {0, 5, 0}, true}, s), 1 / (M_PI * 5 * sy * sz), 1e-12);  // it turns with the wind
  EXPECT_EQ(Plume::perceive({{-10, 0, 0}, {5, 0, 0}, true}, s), 0);
}
// what flows through a wall across the wind is what the source gives off
TEST(plume, loses_nothing_on_the_way) {
  const Source<Plume::Emission> s{1, {0, 0, 20}, {.rate = 0.01, .ground = 0, .farthest = 5000}};
  for (const double x : {100.0, 400.0, 1500.0}) {
    double flow = 0;
    const double step = x / 100;
    for (double y = -x; y <= x; y += step)
      for (double z = step / 2; z < x; z += step) flow += 4 * step * step * Plume::perceive({{x, y, z}, {4, 0, 0}, true}, s);
    EXPECT_NEAR(flow, 0.01, 2e-4) << x;
  }
}

// ---------------------------------------------------------------- proximity

Feel some_feel() {
  // few values, so that equals and ties come up
  const auto small = [] { return static_cast<double>(*rc::gen::inRange(-2, 3)); };
  return *rc::gen::arbitrary<bool>() ? Feel{true, {small(), small(), small()}, small()} : kNothingNear;
}
bool same(const Feel& a, const Feel& b) { return a.near == b.near && a.distance == b.distance && a.way.x == b.way.x && a.way.y == b.way.y && a.way.z == b.way.z; }

RC_GTEST_PROP(Proximity, what_is_near_together_is_the_nearest_in_any_order, ()) {
  const Feel a = some_feel(), b = some_feel(), c = some_feel();
  RC_ASSERT(same(a + b, b + a));
  RC_ASSERT(same((a + b) + c, a + (b + c)));
  RC_ASSERT(same(a + a, a));
  RC_ASSERT(same(a + kNothingNear, a));
  RC_ASSERT(same(kNothingNear + a, a));
  if (a.near && b.near) RC_ASSERT((a + b).distance == std::min(a.distance, b.distance));
}

TEST(Proximity, a_wall_within_reach_is_felt_where_it_is_and_one_beyond_is_nothing) {
  const Feel wall = feel_surface(2, {-1, 0, 0}, 3);
  EXPECT_TRUE(wall.near);
  EXPECT_EQ(wall.way.x, 2);  // the wall is to the east, its normal points back
  EXPECT_FALSE(feel_surface(3.5, {-1, 0, 0}, 3).near);
  EXPECT_FALSE(feel_surface(std::nan(""), {-1, 0, 0}, 3).near);
}

}  // namespace
}  // namespace volary::swarm
