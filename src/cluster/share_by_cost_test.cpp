// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/share_by_cost.hpp"

#include <gtest/gtest.h>

#include <map>

namespace volary::cluster {
namespace {

WorldDef three_flocks() {
  WorldDef def;
  for (const char* name : {"a", "b", "c"}) {
    FlockDef f;
    f.name = name;
    f.vehicles.resize(4);
    def.flocks.push_back(f);
  }
  return def;
}

// how many vehicles of a flock each member has
std::map<std::uint32_t, std::size_t> owners(const Sharing& sharing, const std::string& flock, std::size_t vehicles) {
  std::map<std::uint32_t, std::size_t> count;
  std::uint32_t member = Sharing::kNobody;
  for (std::size_t place = 1; place <= vehicles; ++place) {
    for (const Sharing::Part& p : sharing.parts)
      if (p.flock == flock && p.first_place == place) member = p.member;
    ++count[member];
  }
  return count;
}

TEST(share, equal_vehicles_are_divided_equally) {
  const Sharing s = share_by_cost(three_flocks(), 2);
  EXPECT_EQ(owners(s, "a", 4), (std::map<std::uint32_t, std::size_t>{{0, 4}}));
  EXPECT_EQ(owners(s, "b", 4), (std::map<std::uint32_t, std::size_t>{{0, 2}, {1, 2}}));
  EXPECT_EQ(owners(s, "c", 4), (std::map<std::uint32_t, std::size_t>{{1, 4}}));
}

TEST(share, a_flock_that_a_node_names_is_its_own_and_the_rest_is_divided) {
  const Sharing s = share_by_section(three_flocks(), {{{"ground", {}}, {"air", {"b"}}}});
  EXPECT_EQ(s.members, 2u);
  EXPECT_EQ(owners(s, "b", 4), (std::map<std::uint32_t, std::size_t>{{1, 4}}));
  EXPECT_EQ(owners(s, "a", 4), (std::map<std::uint32_t, std::size_t>{{0, 4}}));
  EXPECT_EQ(owners(s, "c", 4), (std::map<std::uint32_t, std::size_t>{{1, 4}}));
}

TEST(share, vehicles_that_can_dock_with_each_other_belong_to_one_member) {
  WorldDef def = three_flocks();
  def.flocks[2].docking.with = "a";
  const Sharing s = share_by_cost(def, 3);
  for (std::size_t place = 1; place <= 4; ++place) EXPECT_EQ(owners(s, "a", place), owners(s, "c", place));
  EXPECT_GT(owners(s, "a", 4).size(), 1u);
}

TEST(share, vehicles_that_carry_a_load_together_belong_to_one_member) {
  WorldDef def = three_flocks();
  def.flocks[1].load = LoadDef{.mass = 1, .with = {"c", "a"}};
  const Sharing s = share_by_cost(def, 3);
  for (const char* other : {"a", "c"})
    for (std::size_t place = 1; place <= 4; ++place) EXPECT_EQ(owners(s, "b", place), owners(s, other, place)) << other;
  EXPECT_GT(owners(s, "a", 4).size(), 1u);
  EXPECT_EQ(s.parts.size() % 3, 0u) << "every flock once";
}

}  // namespace
}  // namespace volary::cluster
