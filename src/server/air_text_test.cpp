// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/air_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "math/functions.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

core::Result<AirQuery> parse(const std::string& query) { return parse_air_query(parse_target("/api/air?" + query).value()); }

TEST(air_text, arrows_stand_above_the_ground_about_the_swarm) {
  WorldDef def = test::circling(3);
  def.environment.weather.shear.law = ShearLaw::Power;
  def.environment.ground_height = -5;
  std::string error;
  const auto world = World::create(def, {}, &error);
  ASSERT_NE(world, nullptr) << error;
  AirQuery query;
  query.heights = {6.096, 100};
  query.side = 3;
  const Json air = Json::parse(air_text(*world, query));
  ASSERT_EQ(air["wind"].size(), 18u);
  EXPECT_LT(air["wind"][0][0].get<double>(), -19);  // 20 m and a quarter of the swarm's extent beside it
  EXPECT_NEAR(air["wind"][0][2].get<double>(), 1.096, 1e-9);
  EXPECT_NEAR(air["wind"][0][3].get<double>(), 1, 1e-12);                                  // as given at 20 ft
  EXPECT_NEAR(air["wind"][9][3].get<double>(), math::pow(100 / 6.096, 0.143), 1e-6);  // and more above
  EXPECT_EQ(air["middle"]["density"], 1.225);
  EXPECT_FALSE(air.contains("origin"));
}

TEST(air_text, a_question_says_where_how_high_and_how_many) {
  const AirQuery q = parse("box=-10,-20,30,40&heights=5,60.5&side=7&world=2").value();
  EXPECT_EQ(q.box, (std::array<double, 4>{-10, -20, 30, 40}));
  EXPECT_EQ(q.heights, (std::vector<double>{5, 60.5}));
  EXPECT_EQ(q.side, 7u);
  EXPECT_EQ(q.world, 2u);
  EXPECT_EQ(parse("").value().side, 12u);
}

TEST(air_text, questions_without_sense_are_refused_with_their_field) {
  for (const char* query : {"side=1", "side=41", "side=2.5", "side=1,2", "side=x"}) EXPECT_EQ(parse(query).error().field, "side") << query;
  for (const char* query : {"box=1,2,3", "box=1,2,3,4,5", "box=5,0,1,9", "box=nan,0,1,1"}) EXPECT_EQ(parse(query).error().field, "box") << query;
  for (const char* query : {"heights=a", "heights=1,,2", "heights=1e9", "heights=1,2,3,4,5,6,7,8,9"}) EXPECT_EQ(parse(query).error().field, "heights") << query;
  EXPECT_EQ(parse("world=-1").error().field, "world");
}

}  // namespace
}  // namespace volary::server
