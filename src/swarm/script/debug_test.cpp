// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a script tells people: log and plot, and all faults of a file at once.
#include <cmath>

#include "swarm/script/script_test_support.hpp"

namespace volary::swarm {
namespace {

Notes notes_of(const std::string& body, const std::string& before = "") {
  auto s = load(before + "function act(me)\n" + body + "\nend");
  if (!s) return {};
  Agent agent;
  const auto o = agent.decide(*s);
  EXPECT_TRUE(o.ok) << o.error;
  return o.notes;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(script_debug, log_shows_any_values_with_a_blank_between_them) {
  const Notes n = notes_of("log('gap', 1.5, 3, true, nil, vec(1, 2, 3), {}, 0 / 0)\n log()");
  ASSERT_EQ(n.lines.size(), 2u);
  EXPECT_EQ(n.lines[0], "gap 1.5 3 true nil (1.0, 2.0, 3.0) table nan");
  EXPECT_EQ(n.lines[1], "");
  EXPECT_EQ(notes_of("", "function trigger(me) log('from the trigger') return 1 end\n").lines.size(), 1u);
}

TEST(script_debug, a_line_is_one_line_of_utf8_of_at_most_200_bytes) {
  EXPECT_EQ(notes_of("log('a\\nb\\tc\\0d')").lines[0], "a b c d");
  EXPECT_EQ(notes_of("log('\\xff\\xe2\\x82 ok')").lines[0], "??? ok") << "no UTF-8";
  const std::string cut = notes_of("log(string.rep('\\xe2\\x82\\xac', 100))").lines[0];
  EXPECT_LE(cut.size(), 200u);
  EXPECT_TRUE(cut.ends_with("\xe2\x82\xac...")) << "cut between two characters: " << cut;
  EXPECT_EQ(notes_of("log(string.rep('x', 200))").lines[0].size(), 200u);
}

TEST(script_debug, a_decision_has_eight_lines_and_counts_the_others) {
  const Notes n = notes_of("for i = 1, 11 do log(i) end");
  EXPECT_EQ(n.lines.size(), Notes::kMostLines);
  EXPECT_EQ(n.lines.back(), "8");
  EXPECT_EQ(n.dropped, 3u);
}

TEST(script_debug, of_equal_names_the_last_number_is_plotted) {
  const Notes n = notes_of("plot('gap', 1) plot('speed', -0.0) plot('gap', 2.5)");
  ASSERT_EQ(n.values.size(), 2u);
  EXPECT_EQ(n.values[0].name, "gap");
  EXPECT_EQ(n.values[0].value, 2.5);
  EXPECT_TRUE(std::signbit(n.values[1].value));
}

TEST(script_debug, what_cannot_be_plotted_is_an_error_with_its_line) {
  expect_mentions(act_error("local x = 0\nplot('gap', x / x)"), {"test.lua:3", "'gap'", "not a finite number"});
  expect_mentions(act_error("plot('gap', 1 / 0)"), {"test.lua:2", "not a finite number"});
  expect_mentions(act_error("plot('gap', '1')"), {"'gap' is a string, not a number"});
  expect_mentions(act_error("plot(1, 2)"), {"the name is a string"});
  expect_mentions(act_error("plot('a gap', 2)"), {"'a gap' is not a name", "letters, digits and _"});
  expect_mentions(act_error("plot(string.rep('x', 33), 2)"), {"is not a name"});
  expect_mentions(act_error("for i = 1, 17 do plot('n' .. i, i) end"), {"more than 16 names", "'n17'"});
  expect_mentions(load_error("log('x')\nfunction act(me) end"), {"test.lua:1", "while deciding only"});
  expect_mentions(load_error("plot('x', 1)\nfunction act(me) end"), {"while deciding only"});
}

TEST(script_debug, what_was_told_before_a_failure_is_kept) {
  auto s = load("function act(me) log('before') plot('x', 1) error('no') end");
  Agent agent;
  const auto o = agent.decide(*s);
  EXPECT_FALSE(o.ok);
  ASSERT_EQ(o.notes.lines.size(), 1u);
  EXPECT_EQ(o.notes.values.size(), 1u);
  EXPECT_TRUE(agent.decide(*load("function act(me) end")).notes.empty());
}

TEST(script_debug, log_costs_instructions_like_anything_else) {
  expect_mentions(act_error("while true do log(string.rep('x', 1000)) end", {.instructions = 100'000}), {"100000 instructions"});
}

TEST(script_debug, a_message_may_name_another_sender_or_none) {
  auto s = load("function act(me) say('a', {1}, 0, 42) say('b', {1}, 0, false) say('c', {1}) end");
  Agent agent;
  ASSERT_TRUE(agent.decide(*s).ok);
  ASSERT_EQ(agent.said.size(), 3u);
  EXPECT_EQ(agent.said[0].from, 42u);
  EXPECT_EQ(agent.said[1].from, kNoId);
  EXPECT_EQ(agent.said[2].from, kOwnId);
}

// ---------------------------------------------------------------- all faults at once

TEST(script_faults, all_of_a_file_are_reported_with_their_lines) {
  const auto faults = lines_of(load_error("params = { speed = 1 }\nfunction act(me)\n  print(me.positon)\n  fly(me.params.sped ^ 2, me.params.hight, 0)\nend"));
  ASSERT_EQ(faults.size(), 3u) << "parameters are known when the file has run, and ^ prevents that";
  expect_mentions(faults[0], {"test.lua:3", "'print'", "log(text)"});
  expect_mentions(faults[1], {"test.lua:3", "me has no 'positon'", "did you mean 'position'"});
  expect_mentions(faults[2], {"test.lua:4", "operator ^"});
  const auto params = lines_of(load_error("params = { speed = 1 }\nfunction act(me)\n  fly(me.params.sped, me.params.hight, me.tme)\nend"));
  ASSERT_EQ(params.size(), 3u);
  expect_mentions(params[0], {"test.lua:3", "me has no 'tme'", "did you mean 'time'"});
  expect_mentions(params[1], {"'sped'", "did you mean 'speed'"});
  expect_mentions(params[2], {"'hight'"});
}

TEST(script_faults, a_syntax_error_stands_beside_what_the_text_shows) {
  const auto faults = lines_of(load_error("function act(me)\n  fly(me.positon)\n  if then\nend"));
  ASSERT_EQ(faults.size(), 2u);
  expect_mentions(faults[0], {"test.lua:2", "positon"});
  expect_mentions(faults[1], {"test.lua:3", "unexpected symbol"});
}

TEST(script_faults, a_missing_function_stands_beside_the_others) {
  const auto faults = lines_of(load_error("function acct(me)\n  fly(me.positon)\nend"));
  ASSERT_EQ(faults.size(), 2u);
  expect_mentions(faults[0], {"no function act(me)"});
  expect_mentions(faults[1], {"test.lua:2", "positon"});
}

TEST(script_faults, one_mistake_is_one_fault) {
  EXPECT_EQ(lines_of(load_error("print('x')\nfunction act(me) end")).size(), 1u) << "seen in the text, and again when the file runs";
}

}  // namespace
}  // namespace volary::swarm
