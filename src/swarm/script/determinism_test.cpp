// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a script must not see: who decided before it in the same Lua state, where things lie in memory, which bits a NaN has.
#include <gtest/gtest.h>

#include <functional>

#include "swarm/script/script_test_support.hpp"

namespace volary::swarm {
namespace {

// ---------------------------------------------------------------- what the file keeps

std::string second_error(const std::string& text) {
  auto s = load(text);
  if (!s) return "";
  Agent a;
  const auto first = a.decide(*s), then = a.decide(*s);
  EXPECT_EQ(first.error, then.error) << "the first one left something behind: " << text;
  return then.error;
}

TEST(script, a_variable_that_only_its_type_or_sign_tells_from_before_has_changed) {
  expect_mentions(second_error("local x = 0.0\nfunction act(me) x = -x end"), {"test.lua:2:", "'x'", "me.memory"});
  expect_mentions(second_error("local x = 1\nfunction act(me) x = x + 0.0 end"), {"'x'"});
  expect_mentions(second_error("local x = 2.0\nfunction act(me) x = math.tointeger(x) end"), {"'x'"});
  EXPECT_EQ(second_error("local x, y = 0 / 0, -0.0\nfunction act(me) x = -x y = -(0.0) hold() end"), "") << "one NaN is as good as another";
}

TEST(script, of_several_changed_variables_the_same_one_is_named) {
  for (int i = 0; i < 20; ++i)
    expect_mentions(second_error("local d, b, a, c = 1, 1, 1, 1\n"
                                 "function gather() a = 2 c = 2 end\n"
                                 "function up_and_away() d = 2 b = 2 end\nfunction act(me) gather() up_and_away() end"), {"'a'"});
}

TEST(script, an_iterator_that_the_file_keeps_does_not_go_on_from_agent_to_agent) {
  expect_mentions(second_error("local each = pairs({5, 6, 7})\nfunction act(me) fly(each(), 0, 0) end"), {"test.lua:2:", "was changed"});
  expect_mentions(second_error("each = pairs({5, 6, 7})\nfunction act(me) fly(each(), 0, 0) end"), {"was changed"});
  expect_mentions(load_error("each = neighbours(5)\nfunction act(me) end"), {"test.lua:1:", "no perception"});
}

TEST(script, a_parameter_of_minus_zero_is_not_zero) {
  auto s = load("params = { p = 1 }\nfunction act(me) fly(1 / me.params.p > 0 and 1 or -1, 0, 0) end");
  Agent a, b;
  a.params = {{"p", 0.0}};
  b.params = {{"p", -0.0}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(a.decide(*s).action.velocity.x, 1);
    EXPECT_EQ(b.decide(*s).action.velocity.x, -1);
  }
}

// ---------------------------------------------------------------- addresses and NaN

TEST(script, no_text_shows_an_address) {
  for (const char* form : {"'%p'", "'\\0%p'", "'%%%-5p'", "'a\\0b%d%20p'", "'%s\\0%p'"})
    expect_mentions(act_error("local s = string.format(" + std::string(form) + ", 'x', 'x')"), {"test.lua:2:", "address"});
  EXPECT_EQ(number("string.format('%%p|\\0|%s', 'p') == '%p|\\0|p' and 1 or 0"), 1);
  EXPECT_EQ(number("(tostring({}) .. tostring(me) .. tostring(fly) .. "
                   "string.format('%s %s', {}, act)) == 'tableperceptionfunctiontable function' and 1 or 0"), 1);
  EXPECT_EQ(act_error("error({})"), "test.lua:2: error() was called with a table instead of a text");
  EXPECT_EQ(act_error("local x = {} .. 'a'"), "test.lua:2: attempt to concatenate a table value");
  EXPECT_EQ(act_error("local x = #me"), "test.lua:2: attempt to get length of a userdata value");
}

TEST(script, every_nan_reads_the_same) {
  for (const std::string nan : {"(0/0)", "(-(0/0))", "(math.huge - math.huge)", "(0/0 * -1)", "math.sqrt(-1)", "math.abs(0/0)", "math.fmod(1, 0.0)"}) {
    SCOPED_TRACE(nan);
    for (const std::string& text : {"'' .. " + nan, nan + " .. ''", "'' .. " + nan + " .. ''", "tostring(" + nan + ")", "string.format('%g', " + nan + ")",
                                   "string.format('%s', " + nan + ")", "table.concat({" + nan + "})", "string.lower(" + nan + ")", "string.sub(" + nan + ", 1)",
                                   "string.upper(" + nan + "):lower()", "tostring(vec(" + nan + ", 0, 0)):sub(2, 4)"})
      EXPECT_EQ(number("(" + text + ") == 'nan' and 1 or 0"), 1) << text;
    EXPECT_EQ(number("string.len(" + nan + ")"), 3);
    EXPECT_EQ(number("string.find('a nan', " + nan + ")"), 3);
    EXPECT_EQ(act_error("error(" + nan + ")"), "test.lua:2: nan");
  }
}

TEST(script, texts_are_joined_as_lua_joins_them) {
  for (const char* truth : {"'a' .. 1 .. 2.0 .. 'b' == 'a12.0b'", "1 .. 2 == '12'", "'x'..'y'..'z' == 'xyz'", "'' .. '' == ''", "-2 .. 3 * 2 == '-26'",
                            "('a'..'b'):upper() .. #'abc' == 'AB3'", "'a' < 'b' .. 'c'", "#('x' .. 'yz') == 3", "not ('a' .. 'b' == 'c')",
                            "(function(...) return select('#', ...) .. '' end)(1, 2) == '2'", "({'k' .. 1, ['k' .. 2] = 5}).k2 == 5"})
    EXPECT_EQ(number("(" + std::string(truth) + ") and 1 or 0"), 1) << truth;
  expect_mentions(act_error("\nlocal x = 'a' .. nil"), {"test.lua:3:", "concatenate a nil"});
  expect_mentions(act_error("\nlocal x = nil .. 'a'"), {"test.lua:3:", "concatenate a nil"});
  expect_mentions(act_error("\nlocal x = 'a' .. true .. 'b'"), {"test.lua:3:", "concatenate a boolean"});
  expect_mentions(load_error("\nvolary_text = 1\nfunction act(me) end"), {"test.lua:2:", "own names"});
  expect_mentions(load_error("local x = ...\nassert(x == nil)\nlocal y = 'a' ..\nfunction act(me) end"), {"test.lua:4:"});
}

// ---------------------------------------------------------------- lengths of lists

TEST(script, lengths_are_those_of_lua) {
  for (const char* truth : {"#{} == 0", "#{1} == 1", "#{1, 2, 3} == 3", "#'abc' == 3", "#'' == 0", "-#{1, 2} == -2", "#{1, 2} + 1 == 3",
                            "2 * #'ab' == 4", "not #{} == false", "#me.others == 0", "#({5, 6}) .. '' == '2'", "(function() return#{7}end)() == 1"})
    EXPECT_EQ(number("(" + std::string(truth) + ") and 1 or 0"), 1) << truth;
  EXPECT_EQ(act("local t = {} for i = 1, 1000 do assert(#t == i - 1) t[#t + 1] = i end for i = 1000, 1, -1 do assert(#t == i) t[i] = nil end hold()").kind,
            Action::Kind::Hold);
  EXPECT_EQ(act("local t = {} for i = 0, 62 do t[1 << i] = 1 end assert(#t > 0) hold()").kind, Action::Kind::Hold);
  expect_mentions(act_error("\nlocal x = #nil"), {"test.lua:3:", "length of a nil"});
  expect_mentions(act_error("\nlocal x = ##{1}"), {"test.lua:3:", "length of a number"});
}

// Lua's seed for the hashes of texts is another in every state, and with it when a table is laid out anew
TEST(script, the_length_of_a_list_with_holes_is_the_same_in_every_state) {
  const std::string text =
      "function act(me)\n local sum, x = 0, 1\n"
      " for round = 1, 300 do\n  local t = {}\n  for i = 1, 40 do\n   x = (x * 16807) % 2147483647\n"
      "   if x % 3 == 0 then t['k' .. x % 7] = nil elseif x % 3 == 1 then t['k' .. x % 7] = 1 else t[x % 13] = i end\n"
      "   sum = (sum * 31 + #t + #table.pack(table.unpack(t))) % 1000003\n  end\n end\n fly(sum, 0, 0) end";
  const double first = [&] {
    auto s = load(text);
    Agent a;
    return a.decide(*s).action.velocity.x;
  }();
  EXPECT_GT(first, 0);
  for (int i = 0; i < 10; ++i) {
    auto s = load(text);
    Agent a;
    EXPECT_EQ(a.decide(*s).action.velocity.x, first);
    EXPECT_EQ(a.decide(*s, 0, 1).action.velocity.x, first);
  }
}

// ---------------------------------------------------------------- the limit of memory

// the largest me.params.n with which the body is done within the limit
double most(Script& s, std::size_t shard, double highest) {
  Agent a;
  double n = 0;
  for (double step = highest; step >= 1; step /= 2) {
    a.params = {{"n", n + step}};
    a.memory.clear();
    if (a.decide(s, 0, shard).ok) n += step;
  }
  return n;
}

const char* const kHungry[] = {
    "local t = {} for i = 1, n do t[i] = {i} end",
    "local t = {} for i = 1, n do t[i] = {x = i, ['k' .. i % 50] = i} end",
    "local t = {} for i = 1, n do t[i] = 'text number ' .. i t[i - 20] = nil t['a' .. i] = {} t['a' .. i - 5] = nil end",
    "local t = {} for i = 1, n do t['k' .. i * 7919 % 997] = i % 3 > 0 and {i} or nil end",
    "local t = {} for i = 1, n do t[{}] = i end",
    "local t = {} for i = 1, n do t[i] = function() return t, i end end",
    "local v = vec(0, 0, 0) for i = 1, n do v = v + vec(i, 1, 0) end",
    "local s = '' for i = 1, n do s = s .. ('0123456789'):rep(2) end",
    "local s = {} for i = 1, n do s[i] = ('x'):rep(300) .. i end",
    "local function f(k) local t = {k} return k > 0 and f(k - 1) + #t or 0 end f(n)",
    "for i = 1, n do local t = {table.unpack({1, 2, 3, 4, 5})} for k in pairs(t) do t[k] = nil end end",
    "for i = 1, n do local p = me.params.n + #me.messages + #heard('x') me.memory[i % 100] = {p} end",
};

TEST(script, the_last_byte_is_the_same_for_everybody) {
  const ScriptLimits small{.instructions = 20'000'000, .heap = 100 << 10};
  for (const char* body : kHungry) {
    SCOPED_TRACE(body);
    const std::string text = "params = { n = 0 }\nfunction act(me) local n = me.params.n " + std::string(body) + " hold() end";
    auto s = load(text, small);
    ASSERT_NE(s, nullptr);
    const double first = most(*s, 0, 8192);
    EXPECT_GT(first, 10);
    EXPECT_LT(first, 16383);
    // after other agents of the same state, which left texts, a deep stack and handles behind
    Agent big;
    big.heard.resize(500, Message{.topic = topic("x")});
    for (const double before : {1.0, 50.0, 1e6}) {
      big.params = {{"n", before}};
      (void)big.decide(*s);
      EXPECT_EQ(most(*s, 0, 8192), first) << "after n = " << before;
    }
    EXPECT_EQ(most(*s, 1, 8192), first) << "the other shard";
    for (int i = 0; i < 3; ++i) EXPECT_EQ(most(*load(text, small), 1, 8192), first) << "another state, with another seed";
  }
}

TEST(script, a_script_that_is_out_of_memory_says_so_with_its_line_whoever_came_before) {
  const ScriptLimits small{.heap = 200 << 10};
  for (const char* body : kHungry) {
    SCOPED_TRACE(body);
    const std::string text = "params = { n = 1e6 }\nfunction act(me)\nlocal n = me.params.n\n" + std::string(body) + " end";
    auto s = load(text, small), other = load(text, small);
    Agent a, b, few;
    few.params = {{"n", 30}};
    for (int i = 0; i < 5; ++i) (void)few.decide(*other);
    const auto one = a.decide(*s), two = b.decide(*other);
    EXPECT_FALSE(one.ok);
    EXPECT_EQ(one.error, two.error);
    expect_mentions(one.error, {"test.lua:4:"});
  }
}

}  // namespace
}  // namespace volary::swarm
