// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/text_names.hpp"

#include "swarm/script/script_test_support.hpp"

namespace volary::swarm::script {
namespace {

const ScriptParams kDeclared = {{"speed", 4}, {"height", 10}};

// "name:line" of each
std::string listed(const std::vector<Misnamed>& names) {
  std::string text;
  for (const Misnamed& n : names) text += (text.empty() ? "" : " ") + n.name + ":" + std::to_string(n.line);
  return text;
}
std::string found(const std::string& text) { return listed(find_undeclared(text, "me", kDeclared)); }
std::string unknown(const std::string& text) { return listed(find_unknown_fields(text, "me", {"position", "others", "params"})); }
std::string used(const std::string& text) {
  static constexpr const char* kNames[] = {"print", "io"};
  return listed(find_uses(text, kNames));
}

TEST(text_names, a_misspelt_one_is_found_by_itself_and_behind_a_short_name) {
  EXPECT_EQ(found("function act(me)\n  fly(me.params.sped, 0, 0)\nend"), "sped:2");
  EXPECT_EQ(found("function act(me)\n  local p = me.params\n  fly(p.speed, p.hieght, 0)\nend"), "hieght:3");
  EXPECT_EQ(found("function act(me)\n  local p, memory = me.params, me.memory\n  memory.x = p.sped\nend"), "sped:3");
  EXPECT_EQ(found("function act(me)\n  local memory, p = me.memory, me.params\n  fly(memory.x, p.sped)\nend"), "sped:3");
  EXPECT_EQ(found("function act(me)\n  fly(me.params.sped, me.params.heigt, 0)\n  turn(me.params.yaw)\nend"), "sped:2 heigt:2 yaw:3") << "all of them";
  EXPECT_EQ(found("local x = { y = 1 }\nfunction act(me) local p = me.params fly(p . sped) end"), "sped:2");
}

TEST(text_names, what_is_sound_or_not_plain_is_left_alone) {
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

TEST(text_names, fields_that_the_perception_does_not_have_are_found) {
  EXPECT_EQ(unknown("function act(me)\n fly(me.positon)\n local x = me.others, me.time\nend"), "positon:2 time:3");
  EXPECT_EQ(unknown("function act(me) local t = {} t.me = 1 fly(t.me.x, me.position.x, me['x']) end -- me.x"), "");
  EXPECT_EQ(unknown("function act(me) for i, me in ipairs(me.others) do hold(me.age) end end"), "") << "another me";
  EXPECT_EQ(unknown("local function f() local me = {} return me.x end"), "");
}

TEST(text_names, names_of_lua_that_a_script_does_not_have_are_found) {
  EXPECT_EQ(used("function act(me)\n print('x')\n local f = io.open\nend"), "print:2 io:3");
  EXPECT_EQ(used("local t = { print = 1 } t.print = 2 t:io() -- print"), "") << "fields of the author's own";
  EXPECT_EQ(used("function print(x) log(x) end function act(me) print(1) end"), "");
  EXPECT_EQ(used("local io = 3 function act(me) fly(io, 0, 0) end"), "");
}

TEST(text_names, a_script_is_refused_when_it_is_read) {
  expect_mentions(load_error("params = { speed = 4 }\nfunction act(me)\n  local p = me.params\n  fly(p.sped, 0, 0)\nend"),
                  {"test.lua:4", "there is no parameter 'sped'", "did you mean 'speed'"});
  expect_mentions(load_error("function act(me) fly(me.params.speed, 0, 0) end"), {"test.lua:1", "there is no parameter 'speed'", "params = { speed = 1 }"});
}

}  // namespace
}  // namespace volary::swarm::script
