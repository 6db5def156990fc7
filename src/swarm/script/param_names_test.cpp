// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/param_names.hpp"

#include "swarm/script/script_test_support.hpp"

namespace volary::swarm::script {
namespace {

const ScriptParams kDeclared = {{"speed", 4}, {"height", 10}};

// "name:line" of what is not declared
std::string found(const std::string& text) {
  const auto wrong = find_undeclared(text, "me", kDeclared);
  return wrong ? wrong->name + ":" + std::to_string(wrong->line) : "";
}

TEST(param_names, a_misspelt_one_is_found_by_itself_and_behind_a_short_name) {
  EXPECT_EQ(found("function act(me)\n  fly(me.params.sped, 0, 0)\nend"), "sped:2");
  EXPECT_EQ(found("function act(me)\n  local p = me.params\n  fly(p.speed, p.hieght, 0)\nend"), "hieght:3");
  EXPECT_EQ(found("function act(me)\n  local p, memory = me.params, me.memory\n  memory.x = p.sped\nend"), "sped:3");
  EXPECT_EQ(found("function act(me)\n  local memory, p = me.memory, me.params\n  fly(memory.x, p.sped)\nend"), "sped:3");
  EXPECT_EQ(found("local x = { y = 1 }\nfunction act(me) local p = me.params fly(p . sped) end"), "sped:2");
}

TEST(param_names, what_is_sound_or_not_plain_is_left_alone) {
  EXPECT_EQ(found("function act(me) local p = me.params fly(p.speed, me.params.height, 0) end"), "");
  EXPECT_EQ(found("-- me.params.sped\nlocal s = 'me.params.sped' .. [[ me.params.sped ]]"), "");
  EXPECT_EQ(found("function act(me) local p = me.params['sp' .. 'eed'] return p.x end"), "") << "a part of them";
  EXPECT_EQ(found("function act(me) local p = me.params.speed local q = p end"), "");
  EXPECT_EQ(found("function act(me) local p = me.params end\nlocal function f(p) return p.x end"), "") << "another p";
  EXPECT_EQ(found("function act(me) local p = me.params p = me.position fly(p.x, p.y, 0) end"), "");
  EXPECT_EQ(found("function act(me) local p = me.params for p in neighbours(3) do hold(p.x) end end"), "");
  EXPECT_EQ(found("function act(me) for i, p in ipairs(me.others) do hold(p.id) end local p = me.params end"), "");
  EXPECT_EQ(found("local me = { params = {} } local x = me.params.sped"), "");
  EXPECT_EQ(found("local t = {} t.me = 1 local x = t.me.params.sped"), "");
  EXPECT_EQ(found("local p = me.params .. 'x' p.y = 1"), "");
  EXPECT_EQ(found("function act(me) local p = me.params local x\n x, p = 1, me.position fly(p.x, 0, 0) end"), "");
}

TEST(param_names, a_script_is_refused_when_it_is_read) {
  expect_mentions(load_error("params = { speed = 4 }\nfunction act(me)\n  local p = me.params\n  fly(p.sped, 0, 0)\nend"),
                  {"test.lua:4", "there is no parameter 'sped'", "did you mean 'speed'"});
  expect_mentions(load_error("function act(me) fly(me.params.speed, 0, 0) end"), {"test.lua:1", "there is no parameter 'speed'", "params = { speed = 1 }"});
}

}  // namespace
}  // namespace volary::swarm::script
