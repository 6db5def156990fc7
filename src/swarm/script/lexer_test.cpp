// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tokens where Lua sees them: what hides from the lexer would hide from the ban of ^.
#include <gtest/gtest.h>

#include "swarm/script/lexer.hpp"
#include "swarm/script/script_test_support.hpp"

namespace volary::swarm {
namespace {

// the tokens with a bar between them
std::string tokens(std::string_view text) {
  std::string out;
  script::Lexer lexer(text);
  for (script::Token t = lexer.next(); t.kind != script::Token::Kind::End; t = lexer.next()) out += (out.empty() ? "" : "|") + std::string(t.text);
  return out;
}
int line_of_last(std::string_view text) {
  int line = 0;
  script::Lexer lexer(text);
  for (script::Token t = lexer.next(); t.kind != script::Token::Kind::End; t = lexer.next()) line = t.line;
  return line;
}

TEST(script, tokens_are_those_of_lua) {
  EXPECT_EQ(tokens("a.b..c ... #x"), "a|.|b|..|c|...|#|x");
  EXPECT_EQ(tokens("1..2 0x1p-3+.5e+7 3e2..x"), "1..2|0x1p-3|+|.5e+7|3e2..|x") << "a number takes every dot, and Lua refuses it";
  EXPECT_EQ(tokens("[[a]]b[=[ ]] ]=]c[d]"), "[[a]]|b|[=[ ]] ]=]|c|[|d|]");
  EXPECT_EQ(tokens("[==[ ]=]==] x"), "[==[ ]=]==]|x");
  EXPECT_EQ(tokens("'a\\'b'\"c\\\"\"d"), "'a\\'b'|\"c\\\"\"|d");
  EXPECT_EQ(tokens("--[==[ x ]==] a --[= b\nc --[[ d"), "a|c");
  EXPECT_EQ(tokens(std::string_view("'a\0b' -- \0 c\nd", 14)), std::string("'a\0b'|d", 7));
}

TEST(script, lines_end_where_lua_ends_them) {
  EXPECT_EQ(tokens("-- a\rb"), "b");
  EXPECT_EQ(tokens("'a\\\r\nb' c"), "'a\\\r\nb'|c");
  EXPECT_EQ(tokens("'a\\z \r\n  b' c"), "'a\\z \r\n  b'|c");
  EXPECT_EQ(line_of_last("\n\r\n\n\r\r x"), 5);
  EXPECT_EQ(line_of_last("[[\r\n\r]] 'a\\\n\rb' x"), 4);
  EXPECT_EQ(line_of_last("'open\nx"), 2);
}

TEST(script, the_operator_of_the_c_library_does_not_hide) {
  const std::string end = "\nfunction act(me) end";
  for (const std::string hidden :
       {"-- a\rlocal x = 2^3", "local x = 'a\\\r\n' .. 2^3 --'", "local x = 'a\\\n\r' .. 2^3 --'", "--[=\rlocal x = 2^3", "local x = [[\r]] .. 2^3",
        "local x = 'a\\z\r\n\t' .. 2^3 --'", "local x = 1 --[==[ ]=]==] ^ 2", "local x = 0x1p+1^2", "local x = #'a'^2"})
    expect_mentions(load_error(hidden + end), {"test.lua:", "the operator ^"});
  expect_mentions(load_error("--\r--\r\n--\n\rlocal x = 2^3" + end), {"test.lua:4:"});
  EXPECT_EQ(load_error("-- a ^\rlocal x = '^\\\r\n^' -- ^\r\n" + end), "");
}

}  // namespace
}  // namespace volary::swarm
