// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/plot_history.hpp"

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "swarm/script/script_def.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

std::unique_ptr<World> plotting() {
  WorldDef def = test::talking(3);
  const std::string text = "function act(me) plot('x', me.position.x) if me.id == 2 then plot('id', me.id) end hold() end\n";
  def.flocks[0].node.behaviours = {{.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"tell", "tell.lua", text, {}})}};
  return test::make(def);
}

TEST(plot_history, a_client_is_told_what_is_kept_of_its_vehicles_and_then_the_news) {
  auto world = plotting();
  PlotHistory history;
  for (int k = 0; k < 20; ++k) world->step(), history.note(*world);
  const std::vector<VehicleId> wish = {world->vehicles()[1]};
  std::uint64_t next = 0;
  const Json first = Json::parse(history.text(wish, next).value());
  EXPECT_EQ(first["type"], "plots");
  ASSERT_EQ(first["series"].size(), 2u) << first;
  EXPECT_EQ(first["series"][0]["id"], "2");
  EXPECT_EQ(first["series"][0]["name"], "x");
  EXPECT_EQ(first["series"][0]["ticks"].size(), 2u) << "two decisions in 0.2 s";
  EXPECT_EQ(first["series"][1]["name"], "id");
  EXPECT_EQ(first["series"][1]["values"][0], 2);
  EXPECT_FALSE(history.text(wish, next)) << "nothing new";
  for (int k = 0; k < 10; ++k) world->step(), history.note(*world);
  EXPECT_EQ(Json::parse(history.text(wish, next).value())["series"][0]["ticks"].size(), 1u);
  next = 0;
  EXPECT_FALSE(history.text({}, next));
  history.clear();
  next = 0;
  EXPECT_FALSE(history.text(wish, next));
}

TEST(plot_history, the_oldest_is_forgotten) {
  auto world = plotting();
  world->step(1);
  PlotHistory history;
  while (world->plotted().empty()) world->step();
  const std::size_t each = world->plotted().size();
  for (std::size_t k = 0; k < PlotHistory::kMost / each + 10; ++k) history.note(*world);
  EXPECT_LE(history.end() - history.first(), PlotHistory::kMost);
  std::uint64_t next = 0;
  history.text(world->vehicles(), next);
  EXPECT_EQ(next, history.first() + PlotHistory::kMostTold) << "a long history goes in parts";
}

}  // namespace
}  // namespace volary::server
