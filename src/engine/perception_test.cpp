// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a behaviour perceives in a world that flies, read by scripts: the ground below and ahead, and the senders of messages.
#include <map>

#include "engine/engine_test_support.hpp"
#include "environment/terrain.hpp"
#include "swarm/script/script_def.hpp"

namespace volary {
namespace {

using test::make;

BehaviourDef script(const std::string& act) {
  const std::string text = "function act(me)\n" + act + "\nend\n";
  return {.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"test", "test.lua", text, {}})};
}

// a plane that rises eastwards by a fifth
std::shared_ptr<const terrain::Terrain> slope() {
  terrain::Heights h{41, 41, -200, -200, 10, 10, {}};
  for (int r = 0; r < 41; ++r)
    for (int c = 0; c < 41; ++c) h.up.push_back(static_cast<float>(0.2 * (-200 + 10.0 * c)));
  return std::make_shared<const terrain::Terrain>(std::move(h));
}

TEST(perception, ground_is_straight_below_and_ground_ahead_is_the_highest_of_the_next_second) {
  WorldDef def = test::talking(1);
  def.environment = {};
  def.environment.terrain = slope();
  def.flocks[0].node.decision_rate = 100;
  def.flocks[0].node.behaviours = {script("fly(3, 0, 0) plot('below', me.ground) plot('ahead', me.ground_ahead)")};
  auto w = make(def);
  w->step(200);
  const VehicleId id = w->vehicles()[0];
  const Vec p = w->position_of(id);
  EXPECT_GT(w->velocity_of(id)[0], 2);
  w->step();
  std::map<std::string, double> said;
  for (const Plotted& x : w->plotted()) said[x.name] = x.value;
  EXPECT_NEAR(said.at("below"), 0.2 * p[0], 1e-3);
  EXPECT_GT(said.at("ahead"), 0.2 * (p[0] + 2));
  EXPECT_LT(said.at("ahead"), 0.2 * (p[0] + 4));
}

// The sender of a message is what the message says: a receiver cannot tell whether it is true.
TEST(perception, a_message_comes_from_its_sender_from_another_or_from_nobody_as_it_claims) {
  WorldDef def = test::talking(2);
  def.environment = {};
  def.flocks[0].node.behaviours = {
      script("say('own', {1}) say('false', {1}, 0, 42) say('none', {1}, 0, false)\n"
             "for _, name in ipairs({'own', 'false', 'none'}) do\n  for _, m in ipairs(heard(name)) do plot(name, m.from or -1) end\nend")};
  auto w = make(def);
  std::map<std::string, double> said[2];
  const std::vector<VehicleId> ids = w->vehicles();
  for (int k = 0; k < 100; ++k) {
    w->step();
    for (const Plotted& x : w->plotted()) said[x.vehicle == ids[0] ? 0 : 1][x.name] = x.value;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(said[k].at("own"), static_cast<double>(ids[1 - k].number()));
    EXPECT_EQ(said[k].at("false"), 42);
    EXPECT_EQ(said[k].at("none"), -1);
  }
  // the simulator knows who it was
  for (const MessageOutcome& m : w->message_outcomes()) EXPECT_TRUE(m.sender == ids[0] || m.sender == ids[1]);
}

}  // namespace
}  // namespace volary
