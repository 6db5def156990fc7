// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a script may not do, where it is stopped, and that nothing but its perception and its memory decides.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <thread>

#include "swarm/script/script_test_support.hpp"

namespace volary::swarm {
namespace {

// ---------------------------------------------------------------- bounds

TEST(script, a_script_that_does_not_end_is_stopped_where_it_loops) {
  expect_mentions(act_error("\nwhile true do end"), {"test.lua:3:", "1000000 instructions"});
  expect_mentions(act_error("local function f()\nreturn f() end f()"), {"test.lua:", "instructions"});
  expect_mentions(act_error("for i = 1, 1e9 do\nlocal s = string.rep('', 1e18) end"), {"test.lua:3:", "instructions"});
  expect_mentions(act_error("local s = string.rep('x', 5e5)\nfor i = 1, 1e6 do local t = s .. i end"), {"test.lua:3:", "instructions"});
  expect_mentions(load_error("local x = 0\nrepeat x = x + 1 until false"), {"test.lua:2:", "instructions"});
}

TEST(script, a_script_without_measure_in_memory_is_stopped_where_it_allocates) {
  const ScriptLimits small{.instructions = 100'000'000, .heap = 1 << 20};
  expect_mentions(act_error("local t = {}\nfor i = 1, 1e9 do\nt[i] = {i} end", small), {"test.lua:4:", "1048576 bytes"});
  expect_mentions(act_error("local s = 'x'\nwhile true do\ns = s .. s end", small), {"test.lua:4:", "1048576 bytes"});
  expect_mentions(act_error("local s = string.rep('x', 2e7)", small), {"test.lua:2:", "1048576 bytes"});
  expect_mentions(act_error("local function f(n)\nreturn 1 + f(n) end f(1)"), {"test.lua:3:"});
  expect_mentions(act_error("local function f(n)\nlocal t = {f(n)} return t end f(1)", small), {"test.lua:3:", "1048576 bytes"});
  EXPECT_NE(load_error("function act(me) end", {.heap = 1000}), "");
}

// counted from the start of the decision: what others did before changes nothing
TEST(script, the_last_instruction_is_the_same_for_everybody) {
  auto s = load("params = { n = 1 }\nfunction act(me) local x = 0 for i = 1, me.params.n do x = x + i end fly(x, 0, 0) end", {.instructions = 10'000});
  Agent a;
  const auto most = [&] {
    double n = 1;
    for (double step = 8192; step >= 1; step /= 2) {
      a.params = {{"n", n + step}};
      if (a.decide(*s).ok) n += step;
    }
    return n;
  };
  const double first = most();
  EXPECT_GT(first, 3000);
  for (const double before : {17.0, 333.0, 2222.0, 1e9}) {
    a.params = {{"n", before}};
    (void)a.decide(*s);
    EXPECT_EQ(most(), first);
  }
}

TEST(script, errors_name_file_and_line) {
  EXPECT_EQ(act_error("\nerror('no')"), "test.lua:3: no");
  EXPECT_EQ(act_error("\nerror('no', 0)"), "test.lua:3: no");
  EXPECT_EQ(act_error("\nassert(false, 'why')"), "test.lua:3: why");
  expect_mentions(act_error("\nerror({})"), {"test.lua:3:", "table"});
  expect_mentions(act_error("\nlocal x = nil + 1"), {"test.lua:3:", "arithmetic on a nil"});
  expect_mentions(act_error("\nlocal x = me.others[1].position"), {"test.lua:3:", "nil"});
  expect_mentions(act_error("\ntable.insert(nil, 1)"), {"test.lua:3:", "nil"});
  expect_mentions(act_error("\nlocal x = ('x'):rep({})"), {"test.lua:3:", "'rep'"});
  expect_mentions(act_error("\nlocal x = 'a' + 1"), {"test.lua:3:", "arithmetic"});
  expect_mentions(load_error("function act(me)\n  fly(1, 2 3)\nend"), {"test.lua:2:", "expected"});
  expect_mentions(load_error("local x = 1\nx()\nfunction act(me) end"), {"test.lua:2:", "call a number"});
  expect_mentions(load_error("function akt(me) end"), {"test.lua:1:", "no function act(me)"});
  expect_mentions(load_error("act = 5"), {"test.lua:", "'act' is a number"});
  expect_mentions(load_error("params = { speed = 'fast' } function act(me) end"), {"test.lua:", "finite numbers"});
  expect_mentions(load_error("\x1bLua binary"), {"test.lua:"});
}

TEST(script, numbers_that_are_not_finite_are_no_action) {
  expect_mentions(act_error("\nfly(1 / 0, 0, 0)"), {"test.lua:3:", "not finite"});
  expect_mentions(act_error("\ngo_to(0, 0 / 0, 0)"), {"test.lua:3:", "not finite"});
  expect_mentions(act_error("\nfly(me.position / 0)"), {"test.lua:3:", "not finite"});
  expect_mentions(act_error("\nturn(-1 / 0)"), {"test.lua:3:", "not finite"});
  expect_mentions(act_error("\nreward(0 / 0)"), {"test.lua:3:", "not finite"});
  expect_mentions(act_error("\nsay('x', {1 / 0})"), {"test.lua:3:", "not finite"});
  expect_mentions(act_error("\nfly(1, 2)"), {"test.lua:3:", "number was expected"});
  expect_mentions(act_error("\nsay('x', {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})"), {"test.lua:3:", "at most 12"});
  expect_mentions(act_error("\nsay('state', {1})"), {"test.lua:3:", "state"});
  expect_mentions(act_error("\nfor i = 1, 100 do say('x') end"), {"test.lua:3:", "64 messages"});
}

// ---------------------------------------------------------------- the sandbox

TEST(script, has_no_way_out) {
  for (const char* name : {"io", "os", "debug", "load", "loadstring", "dofile", "require", "package", "coroutine", "pcall", "setmetatable", "getmetatable",
                           "rawset", "collectgarbage", "print", "_G"})
    expect_mentions(act_error(std::string("\nlocal x = ") + name), {"test.lua:3:", name});
  expect_mentions(act_error("\nlocal x = flly"), {"test.lua:3:", "did you mean 'fly'"});
  expect_mentions(act_error("\nlocal x = math.random()"), {"test.lua:3:", "random"});
  expect_mentions(act_error("\nlocal x = string.dump(act)"), {"test.lua:3:", "dump"});
  expect_mentions(act_error("\nlocal x = ('x'):gsub('x', 'y')"), {"test.lua:3:", "gsub"});
  expect_mentions(act_error("\nlocal x = string.format('%5.1f %p', 1, {})"), {"test.lua:3:", "address"});
  expect_mentions(act_error("\nlocal x = me.velocty"), {"test.lua:3:", "did you mean 'velocity'"});
  expect_mentions(act_error("\nme.position = 3"), {"test.lua:3:", "cannot be changed"});
}

TEST(script, nothing_of_the_file_changes_while_deciding) {
  expect_mentions(act_error("\ncount = 1"), {"test.lua:3:", "'count'", "me.memory"});
  expect_mentions(act_error("\nfly = nil"), {"test.lua:3:", "'fly'"});
  expect_mentions(act_error("\nmath.pi = 3"), {"test.lua:3:", "cannot be changed"});
  expect_mentions(act_error("\nstring.upper = nil"), {"test.lua:3:", "cannot be changed"});
  expect_mentions(load_error("function hold() end function act(me) end"), {"test.lua:1:", "'hold'"});
  const auto second = [](const std::string& text) {
    auto s = load(text);
    Agent a;
    const auto first = a.decide(*s), then = a.decide(*s);
    EXPECT_FALSE(first.ok);
    EXPECT_EQ(first.error, then.error) << "the first one left something behind";
    return then.error;
  };
  expect_mentions(second("local count = 0\nfunction act(me) assert(count == 0) count = count + 1 end"), {"test.lua:2:", "'count'", "me.memory"});
  expect_mentions(second("local t = {n = 0}\nfunction act(me) t.n = t.n + 1 end"), {"test.lua:2:", "cannot be changed"});
  expect_mentions(second("local t = {{1}}\nfunction act(me) t[1][1] = 2 end"), {"test.lua:2:", "cannot be changed"});
  expect_mentions(second("t = {list = {1}}\nfunction act(me)\n table.insert(t.list, 2) end"), {"test.lua:3:", "cannot be changed"});
  expect_mentions(second("local f = {}\nfunction f.g() f.x = 1 end\nlocal function h() f.g() end\nfunction act(me) h() end"),
                  {"test.lua:2:", "cannot be changed"});
  expect_mentions(second("local x = 1\nlocal function set() x = 2 end\nlocal t = {set = set}\nfunction act(me) t.set() end"), {"'x'"});
  expect_mentions(second("function act(me)\n_ENV = {} end"), {"test.lua:1:", "_ENV"});
  expect_mentions(second("function act(me)\n_ENV.x = 1 end"), {"test.lua:2:", "'x'"});
}

TEST(script, constants_of_the_file_can_be_read_in_every_way) {
  auto s = load(
      "local points = {vec(1, 0, 0), vec(2, 0, 0), n = {a = 1, b = 2}}\npoints.self = points\nlocal nan = 0 / 0\nname = 'x' name = 'y'\n"
      "function act(me)\n assert(#points == 2 and points[2].x == 2 and points.self == points and nan ~= nan and name == 'y')\n"
      " local n = 0 for i, p in ipairs(points) do n = n + p.x end assert(n == 3)\n"
      " local keys = '' for k, v in pairs(points.n) do keys = keys .. k .. v end assert(keys == 'a1b2')\n"
      " local a, b = table.unpack(points) assert(b.x == 2)\n assert(next(points) == 1)\n me.memory.kept = points.n\n hold() end");
  Agent a;
  for (int i = 0; i < 2; ++i) {
    const auto o = a.decide(*s);
    EXPECT_TRUE(o.ok) << o.error;
  }
  auto t = load("function act(me) me.memory.kept.a = 5 fly(me.memory.kept.a + me.memory.kept.b, 0, 0) end");
  EXPECT_EQ(a.decide(*t).action.velocity.x, 7) << "in memory it is a table like any other";
}

TEST(script, iterates_in_sorted_order) {
  auto s = load(
      "function act(me)\n local t = {} for i, k in ipairs({'d', 'a', 'c', 'b'}) do t[k] = i end t[2] = 0 t[1] = 0 t[-1] = 0 t[0.5] = 0 t[true] = 0 t[false] = "
      "0\n"
      " local order = {} for k in pairs(t) do order[#order + 1] = tostring(k) t[k] = nil end\n"
      " assert(table.concat(order, ' ') == '-1 1 2 0.5 a b c d false true', table.concat(order, ' '))\n assert(next(t) == nil) hold() end");
  Agent a;
  EXPECT_EQ(a.decide(*s).error, "");
  expect_mentions(act_error("\nfor k in pairs({[{}] = 1}) do end"), {"test.lua:3:", "a key is a table"});
  expect_mentions(act_error("\nfor k in pairs(5) do end"), {"test.lua:3:", "not a number"});
}

TEST(script, the_list_functions_do_what_luas_do) {
  EXPECT_EQ(
      act("local t = {3, 1, 2} table.insert(t, 1, 9) table.insert(t, 7) assert(table.concat(t, ',') == '9,3,1,2,7')\n"
          "assert(table.remove(t) == 7 and table.remove(t, 1) == 9 and #t == 3 and table.remove({}) == nil)\n"
          "table.sort(t) assert(table.concat(t, ',') == '1,2,3') table.sort(t, function(a, b) return a > b end) assert(table.concat(t, ',') == '3,2,1')\n"
          "local p = table.pack(1, nil, 3) assert(p.n == 3)\n"
          "assert(('abc'):upper() == 'ABC' and #('x'):rep(3) == 3 and ('hello'):find('lo') == 4 and ('%5.2f|%d|%s'):format(1.5, 3, 'x') == ' 1.50|3|x')\n"
          "assert(tostring(vec(1, 2, 3)) == '(1.0, 2.0, 3.0)' and tostring({}) == 'table' and tostring(0 / 0) == 'nan' and type(vec(0, 0, 0)) == 'vector')\n"
          "assert(string.format('%s %s', {}, 0 / 0) == 'table nan')\n"
          "assert(tonumber('0x10') == 16 and tonumber('1.5') == 1.5 and select('#', 1, 2) == 2) hold()")
          .kind,
      Action::Kind::Hold);
}

RC_GTEST_PROP(script, sort_is_stable, (const std::vector<std::uint8_t>& values)) {
  static auto s = load(
      "function act(me) local t = {} for i, m in ipairs(me.messages) do t[i] = {m.values[1], i} end\n"
      " table.sort(t, function(a, b) return a[1] < b[1] end)\n"
      " for i = 2, #t do assert(t[i - 1][1] < t[i][1] or (t[i - 1][1] == t[i][1] and t[i - 1][2] < t[i][2])) end hold() end");
  Agent a;
  for (const auto v : values) a.heard.push_back({.count = 1, .values = {static_cast<double>(v % 8)}});
  const auto o = a.decide(*s);
  RC_ASSERT(o.ok);
}

// ---------------------------------------------------------------- determinism

// 40 agents fly 20 decisions with the script: everything they did, as one number. Disturbed: now this shard, now that one, on heaps that
// went through something else.
std::uint64_t fly_together(const std::string& text, bool backwards, bool disturbed) {
  auto s = load(text);
  if (!s) return 0;
  constexpr std::size_t kAgents = 40;
  std::vector<Agent> agents(kAgents);
  if (disturbed) {
    // heaps of another history
    auto waste = load("function act(me) local t = {} for i = 1, 5000 do t['k' .. i * me.id] = {i} end end");
    Agent a;
    (void)a.decide(*waste);
    auto other = load("function act(me) local x = {} for i = 1, 100 do x[i] = 'k' .. i end error('no') end");
    (void)a.decide(*other);
  }
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto mix = [&](std::uint64_t x) { hash = (hash ^ x) * 0x100000001b3ull; };
  for (std::uint64_t tick = 1; tick <= 20; ++tick) {
    std::vector<Known> known;
    for (std::size_t i = 0; i < kAgents; ++i) {
      Sense& q = agents[i].sense;
      if (tick == 1) q.self = 10 + i, q.position = {static_cast<double>(i * 7 % 11), static_cast<double>(i * 5 % 13), 10};
      q.tick = tick * 10;
      q.time = static_cast<double>(tick) * 0.1;
      known.push_back({.from = q.self, .tick = q.tick - i % 3, .position = q.position, .velocity = q.velocity});
    }
    std::vector<Script::Outcome> outcomes(kAgents);
    for (std::size_t k = 0; k < kAgents; ++k) {
      const std::size_t i = backwards ? kAgents - 1 - k : k;
      agents[i].others = known;
      agents[i].others.erase(agents[i].others.begin() + static_cast<std::ptrdiff_t>(i));
      if (disturbed && k % 7 == 0) {
        Agent stranger;
        stranger.sense.self = agents[i].sense.self;
        (void)stranger.decide(*s);
      }
      outcomes[i] = agents[i].decide(*s, 0, disturbed ? (i + tick) % 2 : 0);
      EXPECT_TRUE(outcomes[i].ok) << outcomes[i].error;
    }
    for (std::size_t i = 0; i < kAgents; ++i) {
      const V3& v = outcomes[i].action.velocity;
      for (const double x : {v.x, v.y, v.z, outcomes[i].trigger, outcomes[i].action.reward}) mix(std::bit_cast<std::uint64_t>(x));
      for (const std::byte b : agents[i].memory) mix(static_cast<std::uint64_t>(b));
      for (const Message& m : agents[i].said) mix(m.topic), mix(std::bit_cast<std::uint64_t>(m.values[0]));
      Sense& q = agents[i].sense;
      q.velocity = v;
      q.position = q.position + 0.1 * v;
    }
  }
  return hash;
}

TEST(script, decisions_do_not_depend_on_order_shard_or_heap) {
  const std::string busy =
      "local weights = {near = 1, far = 0.5}\n"
      "function act(me)\n local m = me.memory m.visits = m.visits or {} m.n = (m.n or 0) + 1\n local sum, keys = vec(0, 0, 0), ''\n"
      " for other, offset, d in neighbours(6) do m.visits['a' .. other.id] = (m.visits['a' .. other.id] or 0) + 1 / (1 + d) sum = sum + offset * math.sin(d) "
      "end\n"
      " for k, v in pairs(m.visits) do keys = keys .. k sum = sum + vec(v, -v, 0) * weights.near if v > 3 then m.visits[k] = nil end end\n"
      " local order = {} for i, o in ipairs(me.others) do order[i] = {o.position.x, o.id} end table.sort(order, function(a, b) return a[1] < b[1] end)\n"
      " m.last = order[1] m.text = string.format('%.10g %s', sum.x, keys):sub(1, 50) say('x', {sum.x, #keys})\n"
      " fly(limit(sum * random(), 3)) reward(1 / m.n) end";
  // the same on every machine, with every Lua 5.4
  EXPECT_EQ(fly_together(busy, false, false), 4031253531621358889ull);
  for (const std::string& text : {busy, example("flock.lua"), example("follow.lua"), example("search.lua")}) {
    const std::uint64_t once = fly_together(text, false, false);
    EXPECT_EQ(once, fly_together(text, false, true));
    EXPECT_EQ(once, fly_together(text, true, false));
    EXPECT_EQ(once, fly_together(text, true, true));
  }
}

TEST(script, shards_may_run_on_threads) {
  auto s = Script::load(example("flock.lua"), "flock.lua", 4);
  ASSERT_TRUE(s);
  std::vector<double> alone, together(4);
  const auto decide = [&](std::size_t shard) {
    Agent a;
    a.sense.self = shard;
    a.others = {{.from = 50, .tick = 99, .position = {3, static_cast<double>(shard), 3}, .velocity = {0, 1, 0}}};
    double sum = 0;
    for (int i = 0; i < 500; ++i) sum += a.decide(*s.value(), 0, shard).action.velocity.y;
    return sum;
  };
  for (std::size_t i = 0; i < 4; ++i) alone.push_back(decide(i));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) threads.emplace_back([&, i] { together[i] = decide(i); });
  for (auto& t : threads) t.join();
  EXPECT_EQ(alone, together);
}

// ---------------------------------------------------------------- anything at all

// thousands of broken programs: an error or a decision, never a crash
TEST(script, survives_random_and_mutated_programs) {
  std::uint64_t state = 12345;
  const auto draw = [&](std::uint64_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % n;
  };
  const std::vector<std::string> seeds = {example("flock.lua"), example("follow.lua"), example("search.lua")};
  const std::vector<std::string> words = {
      "function ", "end ",   "(", ")",  "me.", "memory",  "local ", "= ",    "{",          "}",          "[",      "]",      "nil ",
      "0",         "1e308 ", "-", "..", "#",   "for ",    "do ",    "pairs", "table.sort", "string.rep", "act",    "params", "while true do ",
      "return ",   "\"",     "'", "[[", "--",  "goto x ", "::x:: ", "%",     "//",         "~",          "<const>"};
  const ScriptLimits limits{.instructions = 20'000, .heap = 512 << 10, .memory = 4096};
  int ran = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = seeds[draw(seeds.size())];
    if (round % 10 == 0) {
      text.assign(draw(200), ' ');
      for (char& c : text) c = static_cast<char>(draw(256));
    }
    for (std::uint64_t n = 1 + draw(4); n > 0 && !text.empty(); --n) {
      const std::size_t at = draw(text.size());
      const std::uint64_t how = draw(4);
      if (how == 0)
        text[at] = static_cast<char>(draw(256));
      else if (how == 1)
        text.erase(at, draw(20));
      else if (how == 2)
        text.insert(at, words[draw(words.size())]);
      else
        text.insert(at, text.substr(draw(text.size()), draw(60)));
    }
    auto s = Script::load(text, "fuzz.lua", 1, limits);
    if (!s) {
      EXPECT_TRUE(s.error().text().starts_with("fuzz.lua:")) << s.error().text();
      ++refused;
      continue;
    }
    ++ran;
    Agent a;
    a.others = {{.from = 3, .tick = 90, .position = {2, 3, 4}}, {.from = 9, .tick = 90, .position = {5, 3, 4}}};
    for (int i = 0; i < 3; ++i) {
      const auto o = a.decide(*s.value());
      EXPECT_TRUE(o.ok || o.error.starts_with("fuzz.lua:")) << o.error;
    }
  }
  EXPECT_GT(ran, 200);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace volary::swarm
