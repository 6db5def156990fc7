// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The text that is compiled means what the text of the file means: both are run, one by a Lua that knows nothing of us.
#include <gtest/gtest.h>

#include <lua.hpp>

#include "swarm/script/script_test_support.hpp"

namespace volary::swarm {
namespace {

// what a chunk returns as a text, or its failure without the names of variables
std::string in_plain_lua(const std::string& chunk) {
  lua_State* const L = luaL_newstate();
  luaL_openlibs(L);
  const bool good = luaL_loadbufferx(L, chunk.data(), chunk.size(), "=test", "t") == LUA_OK && lua_pcall(L, 0, 1, 0) == LUA_OK;
  std::string text = luaL_tolstring(L, -1, nullptr);
  lua_close(L);
  return good ? text : "failed: " + text.substr(0, text.find(" ("));
}
std::string in_a_script(const std::string& chunk) {
  auto s = Script::load("local function f() " + chunk + "\nend\nfunction act(me) error(tostring(f()), 0) end", "test", 1);
  if (!s) return "failed: " + s.error().text();
  Agent a;
  const std::string error = a.decide(*s.value()).error;
  return error.find("attempt to") != std::string::npos ? "failed: " + error : error.substr(error.find(": ") + 2);
}

TEST(script, a_translated_file_means_what_the_file_means) {
  for (const char* chunk : {
           "local f = function(...) return ... end return f'x' .. f{'y'}[1] .. f('b', 'c') .. (f'z')..'w'",
           "local t = {a = {b = 'c'}} return t.a.b:upper():rep(2) .. t['a']['b'] .. -1 .. 2 - 3 * 4 // 5 % 6 / 2",
           "local function g(a)return(a)..'!'end return g(1)..g'2'",
           "local s = 'a' .. 1 ::here:: local t = s .. 2 if t .. '' == 'x' then goto here end return t .. s",
           "local n = 1 repeat local z = n .. '' n = n + 1 until z .. n == '34' return n .. ''",
           "local u <const> = 'p' .. 5 --[[ .. ]] .. 'q' -- x .. y\nreturn u .. #u",
           "local n = 7 local w = {n .. 'k', [n .. 'k'] = function() return n .. '' end} return w['7k']() .. w[1] .. ~5 .. (~5 ~ 3)",
           "local s = '' for i = 1, 3 do s = s .. i .. '/' end while #s < 9 do s = s .. #s end return s",
           "return not ('a' .. 'b' == 'ab') and 'bad' .. 1 or 'good' .. 2",
           "local a, b = 'x' .. 1, 'y' .. 2 a, b = b .. a, a .. b; return a .. ',' .. b",
           "local f = function() return 'in' .. 1 end .. '' return f",
           "local t = {} t.x = 'a' .. 1 t.y = t.x .. 2 t[#t + 1] = t.y .. #t return t[1] .. #t",
           "local function v(...) local n = select('#', ...) .. '' return ... , n end return v(1, 2) .. v()",
           "local s = [[a]] .. [==[b]]]==] .. \"c\\\"..\" .. '\\'' return s .. #s",
           "return 1 .. 2 == '12' and 'a' < 'b' .. 'c' and 1 << 2 .. '' == 4",
           "return 'a' .. nil",
           "return 'a' .. {} .. 'b'",
           "return #nil",
           "return #5 .. ''",
           "local x = 'a' .. return x",
           "return 'a' .. .. 'b'",
       })
    EXPECT_EQ(in_a_script(chunk), in_plain_lua(chunk)) << chunk;
}

// Expressions of any shape, written with and without blanks, lines and comments between the tokens
class Expressions {
 public:
  explicit Expressions(std::uint64_t seed) : state_(seed * 2654435761u + 1) {}
  std::string make(int depth) {
    const std::string gap = one({" ", "\n", " --[[ .. ]] ", " -- # ..\n", "\t"});
    if (depth == 0) return one({"'s'", "[[t]]", "7", "2.5", "x", "y.z", "f'a'", "f(1)", "#'abc'", "#y", "nil == x", "-x", "y[1]", "(...)"});
    const auto sub = [&] { return make(depth - 1); };
    switch (draw(9)) {
      case 0:
      case 1:
      case 2: return text(depth) + gap + ".." + gap + text(depth);
      case 3: return "(" + text(depth) + ".." + gap + sub() + ")";
      case 4: return "f(" + sub() + "," + sub() + ")";
      case 5: return "#(" + text(depth) + ".." + text(depth) + ")" + gap + "+ 1";
      case 6: return "({" + sub() + ", k = " + sub() + "}).k";
      case 7: return "(function(...) local v = " + sub() + gap + "return v end)(" + sub() + ")";
      default: return "(" + sub() + gap + one({"and", "or", "=="}) + gap + sub() + ")";
    }
  }

 private:
  std::string text(int depth) {
    if (draw(3) == 0) return "tostring(" + make(depth - 1) + ")";
    return one({"'s'", "x", "-x", "x * 2 - 1", "y.z", "f'a'", "#y", "1", "y.z:upper()", "x // 2"});
  }
  std::string one(std::initializer_list<const char*> words) { return words.begin()[draw(words.size())]; }
  std::uint64_t draw(std::uint64_t n) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return state_ % n;
  }
  std::uint64_t state_;
};

TEST(script, random_expressions_mean_the_same_after_translation) {
  int valued = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const std::string expression = Expressions(seed).make(1 + static_cast<int>(seed % 4));
    const std::string chunk =
        "local x, y, f = 5, {1, 2, z = 'q'}, function(a) return a end\nlocal function run(...) local r = " + expression +
        " return tostring(r) end return run('v')";
    const std::string plain = in_plain_lua(chunk), ours = in_a_script(chunk);
    valued += plain.starts_with("failed") ? 0 : 1;
    if (plain.starts_with("failed"))
      EXPECT_TRUE(ours.starts_with("failed")) << expression << "\n" << plain << "\n" << ours;
    else if (!plain.starts_with("function") && !plain.starts_with("table"))
      EXPECT_EQ(ours, plain) << expression;
  }
  EXPECT_GT(valued, 200);
}

}  // namespace
}  // namespace volary::swarm
