// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/engine_test_support.hpp"

namespace volary {
namespace {

const ColumnDoc* find(const std::vector<ColumnDoc>& list, const std::string& name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const ColumnDoc& c) { return c.name == name; });
  return it == list.end() ? nullptr : &*it;
}

TEST(parameters, each_has_a_name_of_its_own_with_unit_and_meaning) {
  const auto world = test::make(test::circling(2));
  const std::vector<ColumnDoc> list = world->parameters("birds");
  std::set<std::string> names;
  for (const ColumnDoc& p : list) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_FALSE(p.unit.empty()) << p.name;
    EXPECT_FALSE(p.doc.empty()) << p.name;
  }
  ASSERT_NE(find(list, "mass"), nullptr);
  EXPECT_EQ(find(list, "mass")->unit, "kg");
  EXPECT_TRUE(world->parameters("fish").empty());
}

TEST(parameters, of_all_rotors_are_one_parameter_with_the_numbers_of_each) {
  const auto world = test::make(test::circling(2));
  const std::vector<ColumnDoc> list = world->parameters("birds");
  ASSERT_NE(find(list, "rotor.position"), nullptr);
  EXPECT_EQ(find(list, "rotor.position")->components, 12);
  EXPECT_EQ(world->parameter_of(world->vehicles()[0], "rotor.position", 3), -0.0325);  // x of the second
}

TEST(parameters, have_the_value_of_the_flock_until_an_input_gives_a_vehicle_its_own) {
  const auto world = test::make(test::circling(3));
  const std::vector<VehicleId> ids = world->vehicles();
  EXPECT_EQ(world->parameter_of(ids[1], "mass"), 0.03);
  ASSERT_TRUE(world->submit({.target = ids[1], .payload = SetParameter{"mass", 0, 0.0625}}));
  world->step();
  EXPECT_EQ(world->parameter_of(ids[1], "mass"), 0.0625);
  EXPECT_NEAR(*world->parameter_of(ids[2], "mass"), 0.03, 1e-8);
  EXPECT_FALSE(world->parameter_of(ids[1], "mas"));
  EXPECT_FALSE(world->parameter_of(ids[1], "mass", 1));
  EXPECT_FALSE(world->parameter_of(ids[1], "mass", -1));
  EXPECT_FALSE(world->parameter_of({77}, "mass"));
}

TEST(parameters, of_guidance_can_be_a_vehicles_own) {
  WorldDef def = test::circling(20);  // more than a block
  for (VehicleDef& v : def.flocks[0].vehicles) v.mode = Mode::Disarmed, v.position_W[2] = 0;
  const auto world = test::make(def);
  const std::vector<VehicleId> ids = world->vehicles();
  for (const std::size_t k : {3u, 18u}) ASSERT_TRUE(world->submit({.target = ids[k], .payload = SetParameter{"guide.take_off_height", 0, 3 + 0.1 * k}}));
  ASSERT_TRUE(world->submit({.payload = SetMode{Mode::TakeOff}}));
  world->step(1500);
  for (const std::size_t k : {0u, 2u, 4u, 17u, 19u}) EXPECT_NEAR(world->position_of(ids[k])[2], def.flocks[0].take_off_height, 0.1) << k;
  for (const std::size_t k : {3u, 18u}) EXPECT_NEAR(world->position_of(ids[k])[2], 3 + 0.1 * static_cast<double>(k), 0.1) << k;
}

TEST(parameters, are_set_for_many_vehicles_at_once) {
  const auto world = test::make(test::circling(3));
  ASSERT_TRUE(world->submit({.payload = SetMany{.what = Many::Parameter, .flock = "birds", .parameter = "rotor.position", .component = 11, .values = {0.25, 0.5, 0.75}}}));
  world->step();
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(world->parameter_of(world->vehicles()[k], "rotor.position", 11), 0.25 * static_cast<double>(k + 1));
  EXPECT_FALSE(world->submit({.payload = SetMany{.what = Many::Parameter, .flock = "birds", .parameter = "rotor.position", .component = 12, .values = {1, 1, 1}}}));
}

}  // namespace
}  // namespace volary
