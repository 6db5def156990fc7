// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviours in Lua: what a script sees, computes, answers and remembers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "math/functions.hpp"
#include "swarm/script/script_test_support.hpp"
#include "swarm/stimuli/all.hpp"

namespace volary::swarm {
namespace {

// ---------------------------------------------------------------- perception and actions

TEST(script, sees_itself) {
  Agent a;
  a.sense.yaw = 0.5;
  a.sense.home = {9, 8, 7};
  a.sense.ground = -2;
  a.sense.ground_ahead = 3;
  a.sense.mode = Mode::Mission;
  const Action v =
      act("assert(me.id == 7 and me.time == 1 and me.yaw == 0.5 and me.ground == -2 and me.ground_ahead == 3 and me.mode == 'mission' and me.interval == 0.1)\n"
          "assert(me.home == vec(9, 8, 7) and me.position.y == 2)\n fly(me.position + me.velocity)",
          a);
  EXPECT_EQ(v.kind, Action::Kind::Velocity);
  EXPECT_EQ(v.velocity.x, 5);
  EXPECT_EQ(v.velocity.y, 2);
  EXPECT_EQ(v.velocity.z, 3);
}

TEST(script, sees_others_messages_and_detections) {
  Agent a;
  a.others = {{.from = 3, .tick = 90, .position = {1, 5, 3}, .velocity = {1, 0, 0}, .role = 2}, {.from = 11, .tick = 100, .position = {50, 2, 3}}};
  a.heard = {{.from = 3, .topic = topic("found"), .count = 2, .values = {6, 7}}, {.from = 4, .topic = topic("lost")}};
  a.seen = {{.object = 20, .kind = topic("person"), .position = {0, 0, 1}}};
  const Action v =
      act("local o = me.others[1]\n assert(#me.others == 2 and o.id == 3 and o.role == 2 and o.velocity.x == 1)\n assert(math.abs(o.age - 0.1) < 1e-12)\n"
          "local m = me.messages[1]\n assert(#me.messages == 2 and m.from == 3 and m.topic == topic('found') and #m.values == 2 and m.values[2] == 7)\n"
          "assert(#heard('lost') == 1 and heard('lost')[1].from == 4 and #heard('nothing') == 0)\n"
          "assert(#me.detections == 1 and seen('person')[1].id == 20 and me.detections[1].kind == topic('person'))\n"
          "local n = 0 for other, offset, distance in neighbours(10) do n = n + 1 assert(other.id == 3 and offset.y == 3 and distance == 3) end\n"
          "go_to(n, 0, 0)",
          a);
  EXPECT_EQ(v.kind, Action::Kind::Position);
  EXPECT_EQ(v.position.x, 1);
}

TEST(script, perceives_stimuli_and_the_nearest_obstacle) {
  Agent a;
  a.sense.levels[kStimulusIndex<Light>] = 0.25;
  a.sense.levels[kStimulusIndex<Plume>] = 0.5;
  a.sense.levels[kStimulusIndex<Sound>] = 0.75;
  EXPECT_EQ(act("assert(me.obstacle == nil and me.light == 0.25 and me.plume == 0.5)\n fly(me.sound, 0, 0)", a).velocity.x, 0.75);
  a.sense.solid = {.near = true, .way = {0, 3, -4}, .distance = 5};
  EXPECT_EQ(act("assert(me.obstacle.distance == 5 and me.obstacle == me.obstacle)\n fly(-me.obstacle.offset)", a).velocity.z, 4);
  a.sense.solid = {.near = true, .way = {}, .distance = -0.1};
  expect_mentions(act_error("local s = me.obstacle\n fly(s and s.far or 1, 0, 0)\n fly(me.obstaclee, 0, 0)"), {"test.lua:4", "obstaclee", "did you mean 'obstacle'"});
}

TEST(script, answers_with_every_primitive) {
  EXPECT_EQ(act("take_off()").kind, Action::Kind::TakeOff);
  EXPECT_EQ(act("hold()").kind, Action::Kind::Hold);
  EXPECT_EQ(act("land()").kind, Action::Kind::Land);
  EXPECT_EQ(act("disarm()").kind, Action::Kind::Disarm);
  EXPECT_EQ(act("").kind, Action::Kind::None);
  const Action a = act("reward(0.25) fly(1, 2, 3) turn(1.5) role(4) fly(3, 2, 1)");
  EXPECT_EQ(a.velocity.x, 3) << "the last one counts";
  EXPECT_EQ(a.reward, 0.25);
  EXPECT_EQ(a.role, 4);
  EXPECT_EQ(a.yaw, 1.5);
  EXPECT_TRUE(a.turns);
  EXPECT_EQ(act("hold()").reward, 1);
}

TEST(script, says_numbers_and_vectors) {
  auto s = load("function act(me) say('found', {1, 2.5}) say('here', me.position, 12) say('hello') end");
  Agent a;
  ASSERT_TRUE(a.decide(*s).ok);
  ASSERT_EQ(a.said.size(), 3u);
  EXPECT_EQ(a.said[0].topic, topic("found"));
  EXPECT_EQ(a.said[0].count, 2u);
  EXPECT_EQ(a.said[0].values[1], 2.5);
  EXPECT_EQ(a.said[1].to, 12u);
  EXPECT_EQ(a.said[1].count, 3u);
  EXPECT_EQ(a.said[1].values[2], 3);
  EXPECT_EQ(a.said[2].count, 0u);
}

TEST(script, says_under_its_own_id_another_one_or_none) {
  auto s = load("function act(me) say('a') say('b', {1}, nil, 9) say('c', {1}, nil, false) end");
  Agent a;
  ASSERT_TRUE(a.decide(*s).ok);
  ASSERT_EQ(a.said.size(), 3u);
  EXPECT_EQ(a.said[0].from, kOwnId);
  EXPECT_EQ(a.said[1].from, 9u);
  EXPECT_EQ(a.said[2].from, kNoId);
  // and who reads one without a sender finds none
  a.heard = {{.from = 0, .topic = topic("c"), .count = 1, .values = {1}}};
  EXPECT_EQ(act("assert(me.messages[1].from == nil)\n go_to(1, 0, 0)", a).position.x, 1);
  auto wrong = load("function act(me) say('a', {}, nil, 'bob') end");
  EXPECT_FALSE(a.decide(*wrong).ok);
}

TEST(script, the_trigger_decides_whether_it_acts) {
  auto s = load("function trigger(me) return me.time / 2 end function act(me) me.memory.acted = true say('x') hold() end");
  Agent a;
  auto o = a.decide(*s, 0.5);
  EXPECT_TRUE(o.ok);
  EXPECT_EQ(o.trigger, 0.5);
  EXPECT_EQ(o.action.kind, Action::Kind::None);
  EXPECT_TRUE(a.memory.empty() && a.said.empty());
  o = a.decide(*s, 0.4);
  EXPECT_EQ(o.action.kind, Action::Kind::Hold);
  EXPECT_FALSE(a.memory.empty());
  auto t = load("function trigger(me) return me.id == 7 end\nfunction act(me) end");
  EXPECT_EQ(a.decide(*t).trigger, 1);
  auto bad = load("\nfunction trigger(me) return 0 / 0 end function act(me) end");
  expect_mentions(a.decide(*bad).error, {"test.lua:2:", "finite number"});
  auto none = load("function trigger(me) end function act(me) end");
  expect_mentions(a.decide(*none).error, {"test.lua:1:", "not nil"});
  auto early = load("function trigger(me) hold() return 1 end function act(me) end");
  expect_mentions(a.decide(*early).error, {"test.lua:1:", "act(me) only"});
}

TEST(script, parameters_have_defaults_that_a_scenario_overrides) {
  auto s = load("params = { speed = 3, gain = 0.5 }\nfunction act(me) fly(me.params.speed, me.params.gain, 0) end");
  EXPECT_EQ(s->defaults(), (ScriptParams{{"gain", 0.5}, {"speed", 3}}));
  Agent a;
  EXPECT_EQ(a.decide(*s).action.velocity.x, 3);
  a.params = {{"speed", 8}};
  EXPECT_EQ(a.decide(*s).action.velocity.x, 8);
  EXPECT_EQ(a.decide(*s).action.velocity.y, 0.5);
  a.params.clear();
  EXPECT_EQ(a.decide(*s).action.velocity.x, 3) << "the next agent's are its own";
  expect_mentions(act_error("local x = me.params['speed']"), {"test.lua:2:", "params = { speed"});
  const auto merged = merge_params(s->defaults(), {{"speed", 8}}, "test.yaml");
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged.value(), (ScriptParams{{"gain", 0.5}, {"speed", 8}}));
  expect_mentions(merge_params(s->defaults(), {{"sped", 8}}, "test.yaml").error().text(), {"test.yaml", "'sped'", "did you mean 'speed'"});
  auto t = load("params = { speed = 3 }\nfunction act(me) fly(me.params['sped'], 0, 0) end");
  expect_mentions(a.decide(*t).error, {"test.lua:2:", "did you mean 'speed'"});
  auto u = load("params = { speed = 3 }\nfunction act(me) me.params.speed = 4 end");
  expect_mentions(a.decide(*u).error, {"test.lua:2:", "cannot be changed"});
}

// ---------------------------------------------------------------- arithmetic

TEST(script, vectors_are_values) {
  EXPECT_EQ(number("(vec(1, 2, 3) * 2 - vec(0, 1, 0) / 4 + -vec(1, 1, 1)).y"), 2 * 2 - 0.25 - 1);
  EXPECT_EQ(number("length(vec(2, 3, 6))"), 7);
  EXPECT_EQ(number("vec(2, 3, 6):length()"), 7);
  EXPECT_EQ(number("dot(vec(1, 2, 3), vec(4, 5, 6))"), 32);
  EXPECT_EQ(number("vec(1, 0, 0):cross(vec(0, 1, 0)).z"), 1);
  EXPECT_EQ(number("unit(vec(0, 0, 5)).z + unit(vec(0, 0, 0)).z"), 1);
  EXPECT_EQ(number("limit(vec(30, 40, 0), 5).y"), 4);
  EXPECT_EQ(number("vec(1, 2, 3) == vec(1, 2, 3) and 1 or 0"), 1);
  expect_mentions(act_error("local v = vec(1, 2, 3)\nv.x = 4"), {"test.lua:3:", "cannot be changed"});
  expect_mentions(act_error("local v = vec(1, 2, 3) * vec(1, 2, 3)"), {"test.lua:2:", "dot(a, b)"});
  expect_mentions(act_error("local v = me.position.lenght"), {"test.lua:2:", "lenght", "length"});
  expect_mentions(act_error("local v = vec(1, 2)"), {"test.lua:2:", "three numbers"});
}

RC_GTEST_PROP(script, elementary_functions_are_volarys_own, (int raw)) {
  const double x = raw * 0.001;
  std::ostringstream text;
  text.precision(17);
  text << std::scientific << x;
  const std::string body =
      "local x = " + text.str() + "\nfly(math.sin(x), math.cos(x), math.atan(x, 2)) turn(math.exp(x * 1e-4)) reward(math.sqrt(math.abs(x)))";
  const Action a = act(body);
  RC_ASSERT(a.velocity.x == math::sin(x));
  RC_ASSERT(a.velocity.y == math::cos(x));
  RC_ASSERT(a.velocity.z == math::atan2(x, 2.0));
  RC_ASSERT(a.yaw == math::exp(x * 1e-4));
  RC_ASSERT(a.reward == std::sqrt(std::abs(x)));
}

TEST(script, powers_and_whole_numbers) {
  EXPECT_EQ(number("pow(2, 10)"), 1024);
  EXPECT_EQ(number("pow(-3, 2)"), 9);
  EXPECT_EQ(number("pow(-2, 3)"), -8);
  EXPECT_EQ(number("pow(2, 0.5)"), math::pow(2.0, 0.5));
  EXPECT_EQ(number("math.log(8, 2)"), math::log(8.0) / math::log(2.0));
  EXPECT_EQ(number("7 // 2 + 7 % 4 + math.floor(2.5)"), 3 + 3 + 2);
  EXPECT_EQ(number("math.type(3) == 'integer' and math.type(3.0) == 'float' and 1 or 0"), 1);
  EXPECT_EQ(number("-5.5 % 2"), 0.5);
}

TEST(script, the_operator_of_the_c_library_is_refused_where_it_stands) {
  expect_mentions(load_error("\nfunction act(me)\n fly(2 ^ 0.5, 0, 0)\nend"), {"test.lua:3:", "pow(x, y)"});
  EXPECT_EQ(
      load_error(
          "-- 2^3\n--[[ a ^ b\n^ ]] --[==[ ]] ^ ]==]\nlocal s = 'a^b' .. \"\\\"^\" .. [[^]] .. [=[ ]]^]=] .. 'x\\\n^' .. 'y\\z \n ^'\nfunction act(me) end"),
      "");
}

TEST(script, chance_is_keyed) {
  Agent a;
  const std::string body = "fly(random(), random(), random(10, 20))";
  const Action v = act(body, a);
  EXPECT_EQ(v.velocity.x, a.sense.uniform(0));
  EXPECT_EQ(v.velocity.y, a.sense.uniform(1));
  EXPECT_EQ(v.velocity.z, 10 + 10 * a.sense.uniform(2));
  a.sense.tick = 101;
  EXPECT_NE(act(body, a).velocity.x, v.velocity.x);
  expect_mentions(act_error("for i = 1, 300 do\nrandom() end"), {"test.lua:3:", "256 draws"});
  expect_mentions(load_error("x = random()\nfunction act(me) end"), {"test.lua:1:", "while deciding"});
}

// ---------------------------------------------------------------- memory

TEST(script, remembers_a_plain_table) {
  auto s = load(
      "function act(me)\n local m = me.memory\n m.count = (m.count or 0) + 1\n m.list = m.list or {}\n table.insert(m.list, {at = me.position, ok = true})\n"
      " fly(m.count, #m.list, m.list[1].at.z) end");
  Agent a;
  for (int i = 1; i <= 3; ++i) {
    a.sense.position.z = i;
    const auto o = a.decide(*s);
    ASSERT_TRUE(o.ok) << o.error;
    EXPECT_EQ(o.action.velocity.x, i);
    EXPECT_EQ(o.action.velocity.y, i);
    EXPECT_EQ(o.action.velocity.z, 1);
  }
  // a branch from here, flown by a script of its own
  Agent b = a;
  auto t = load("function act(me) fly(me.memory.count, #me.memory.list, me.memory.list[3].at.z) end");
  const auto before = b.memory;
  const auto o = b.decide(*t);
  ASSERT_TRUE(o.ok) << o.error;
  EXPECT_EQ(o.action.velocity.z, 3);
  EXPECT_EQ(b.memory, before);
}

TEST(script, equal_tables_have_equal_bytes) {
  const auto bytes = [](const std::string& body) {
    auto s = load("function act(me) local m = me.memory\n" + body + "\nend");
    Agent a;
    const auto o = a.decide(*s);
    EXPECT_TRUE(o.ok) << o.error;
    return a.memory;
  };
  const auto one = bytes("m.a = 1 m.b = 'x' m[1] = true m[2] = 2.5 m[-1] = 0 m[true] = 1 m[0.5] = 2 m.c = {1, 2, 3}");
  EXPECT_EQ(
      one,
      bytes(
          "me.memory = {c = {}, 2.5} m = me.memory m.c[3] = 3 m.c[2] = 2 m.c[1] = 1 m[0.5] = 2 m[true] = 1 m.b = 'x' m.z = 1 m.z = nil m[2] = 2.5 m[1] = true "
          "m.a = 1 m[-1.0] = 0"));
  EXPECT_NE(one, bytes("m.a = 1.0 m.b = 'x' m[1] = true m[2] = 2.5 m[-1] = 0 m[true] = 1 m[0.5] = 2 m.c = {1, 2, 3}"));
  EXPECT_TRUE(bytes("m.a = 1 m.a = nil").empty());
  EXPECT_EQ(bytes("m.x = 0 / 0"), bytes("m.x = -(0 / 0)")) << "one NaN";
  EXPECT_NE(bytes("m.x = 0.0"), bytes("m.x = -0.0"));
  // the layout is part of recordings: list of one, no other keys, the integer 5
  const std::vector<unsigned char> golden = {'{', 1, 0, 0, 0, 0, 0, 0, 0, 'i', 5, 0, 0, 0, 0, 0, 0, 0};
  const auto small = bytes("m[1] = 5");
  ASSERT_EQ(small.size(), golden.size());
  EXPECT_EQ(std::memcmp(small.data(), golden.data(), golden.size()), 0);
}

RC_GTEST_PROP(script, memory_survives_the_round_trip, (const std::vector<std::pair<int, std::string>>& entries)) {
  static auto writer = load(
      "function act(me) for i, m in ipairs(me.messages) do me.memory[m.values[1]] = m.values[2] me.memory['k' .. m.values[1]] = {m.from, {x = m.values[2] / "
      "3}} end end");
  static auto toucher = load("function act(me) local copy = {} for k, v in pairs(me.memory) do copy[k] = v end me.memory = copy end");
  Agent a;
  for (const auto& [n, text] : entries)
    a.heard.push_back({.from = static_cast<std::uint64_t>(text.size()), .count = 2, .values = {n * 0.5, static_cast<double>(text.size())}});
  RC_ASSERT(a.decide(*writer).ok);
  const auto before = a.memory;
  const auto o = a.decide(*toucher);
  RC_ASSERT(o.ok);
  RC_ASSERT(a.memory == before);
}

TEST(script, what_cannot_be_remembered_is_refused) {
  expect_mentions(act_error("me.memory.f = function() end"), {"test.lua:", "cannot keep a function"});
  expect_mentions(act_error("me.memory.o = me"), {"test.lua:", "its position"});
  expect_mentions(act_error("local t = {} t.t = t me.memory.t = t"), {"test.lua:", "contains itself"});
  expect_mentions(act_error("me.memory[{}] = 1"), {"test.lua:", "a key is a table"});
  expect_mentions(act_error("me.memory.x = string.rep('x', 70000)"), {"test.lua:", "65536"});
  expect_mentions(act_error("for i = 1, 10000 do me.memory[i] = i end"), {"test.lua:", "65536"});
  expect_mentions(act_error("me.memory = 5"), {"test.lua:2:", "is a table"});
}

TEST(script, a_failed_decision_leaves_memory_and_outbox_alone) {
  auto s = load("function act(me) me.memory.n = (me.memory.n or 0) + 1 say('x') if me.time > 1 then error('late') end end");
  Agent a;
  ASSERT_TRUE(a.decide(*s).ok);
  const auto before = a.memory;
  a.sense.time = 2;
  const auto o = a.decide(*s);
  EXPECT_EQ(o.error, "test.lua:1: late");
  EXPECT_EQ(a.memory, before);
  EXPECT_TRUE(a.said.empty());
}

TEST(script, damaged_memory_is_an_error) {
  auto s = load("function act(me) me.memory.list = {1, 'two', vec(1, 2, 3), {x = true}} end");
  Agent a;
  ASSERT_TRUE(a.decide(*s).ok);
  const auto whole = a.memory;
  for (std::size_t n = 1; n < whole.size(); ++n) {
    a.memory.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    expect_mentions(a.decide(*s).error, {"damaged"});
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int bit : {1, 0x40, 0x80}) {
      a.memory = whole;
      a.memory[i] ^= static_cast<std::byte>(bit);
      (void)a.decide(*s);  // an error or another table, never a crash
    }
  }
}

// ---------------------------------------------------------------- examples

TEST(script, the_flock_keeps_apart_aligns_and_stays_together) {
  auto s = load(example("flock.lua"));
  Agent a;
  a.sense.position = {0, 0, 10};
  a.sense.velocity = {4, 0, 0};
  EXPECT_EQ(a.decide(*s).action.velocity.x, 4) << "alone it flies on";
  a.others = {{.from = 8, .tick = 100, .position = {0, 1, 10}, .velocity = {4, 0, 0}}};
  EXPECT_LT(a.decide(*s).action.velocity.y, -1) << "away from one that is near";
  a.others = {{.from = 8, .tick = 100, .position = {0, 15, 10}, .velocity = {4, 0, 0}}};
  EXPECT_GT(a.decide(*s).action.velocity.y, 0.5) << "towards one that is far";
  a.others = {{.from = 8, .tick = 100, .position = {5, 0, 10}, .velocity = {0, 4, 0}}};
  EXPECT_GT(a.decide(*s).action.velocity.y, 3) << "as the other flies";
  a.sense.position.z = 8;
  EXPECT_EQ(a.decide(*s).action.velocity.z, 2) << "back to its height";
}

TEST(script, a_search_tells_what_it_found_and_all_who_hear_gather) {
  auto s = load(example("search.lua"));
  Agent finder, other;
  finder.seen = {{.object = 30, .kind = topic("person"), .position = {20, 30, 0}}};
  auto o = finder.decide(*s);
  ASSERT_TRUE(o.ok) << o.error;
  EXPECT_EQ(o.action.kind, Action::Kind::Position);
  ASSERT_EQ(finder.said.size(), 1u);
  finder.seen.clear();
  EXPECT_EQ(finder.decide(*s).action.position.y, 30) << "it remembers";
  EXPECT_TRUE(finder.said.empty()) << "and tells it once";
  EXPECT_EQ(other.decide(*s).action.kind, Action::Kind::Velocity);
  Message m = {.from = 7, .topic = topic("found"), .count = 3, .values = {20, 30, 0}};
  other.heard = {m};
  EXPECT_EQ(other.decide(*s).action.position.x, 20);
}

// a row as the frame has it: gnss is bit 0, the range finder bit 4, an own sensor bit 10
struct Sensing {
  ReadingList list;
  std::vector<double> row;
  Agent agent;

  explicit Sensing(std::uint64_t carried) {
    list.add("gnss.position", 3, 1), list.add("gnss.valid", 1, 1), list.add("range_finder.distance", 1, 16), list.add("uwb_anchors.range", 4, 64);
    list.add("own.soil", 2, 1024), list.add("estimate.position", 3, 0), list.add("estimate.position_std", 1, 0);
    row = {static_cast<double>(carried), 10, 20, 30, 1, 2.5, 5, 6, 7, 8, 0.25, 0.5, 11, 21, 31, 0.75};
    agent.sense.readings = &list, agent.sense.numbers = row.data();
  }
  double number(const std::string& expression) { return swarm::number(expression, agent); }
  std::string error(const std::string& expression) {
    auto s = load("function act(me)\nfly(" + expression + ", 0, 0)\nend");
    return s ? agent.decide(*s).error : "not loaded";
  }
};

TEST(script, reads_its_sensors_as_numbers_vectors_and_lists) {
  Sensing all(0xffff);
  EXPECT_EQ(all.number("me.sensors['range_finder.distance']"), 2.5);
  EXPECT_EQ(all.number("me.sensors['gnss.position'].y + length(me.sensors['gnss.position'] - vec(10, 20, 0))"), 50);
  EXPECT_EQ(all.number("#me.sensors['uwb_anchors.range'] * 100 + me.sensors['uwb_anchors.range'][4]"), 408);
  EXPECT_EQ(all.number("me.sensors['own.soil'][2]"), 0.5);
}

TEST(script, a_sensor_that_a_vehicle_does_not_carry_reads_nil) {
  Sensing only_gnss(1);
  EXPECT_EQ(only_gnss.number("me.sensors['gnss.valid']"), 1);
  for (const char* name : {"range_finder.distance", "own.soil", "barometer.height", "imu.gyro", "own.other"})
    EXPECT_EQ(only_gnss.number(std::string("me.sensors['") + name + "'] == nil and 7 or 0"), 7) << name;
  EXPECT_EQ(number("me.sensors['gnss.position'] == nil and 7 or 0"), 7) << "nor does one without any";
}

TEST(script, a_sensor_that_nobody_could_carry_is_an_error_with_a_suggestion) {
  Sensing all(0xffff);
  expect_mentions(all.error("me.sensors['gnss.positon'].x"), {"test.lua:2", "me.sensors has no 'gnss.positon'", "did you mean 'gnss.position'"});
  expect_mentions(all.error("me.sensors['estimate.position_std']"), {"me.sensors has no 'estimate.position_std'"});
  expect_mentions(all.error("me.sensors[1] or 0"), {"me.sensors has no '?'"});
  Agent none;
  auto s = load("function act(me)\nfly(me.sensors['barometer.heigth'] or 1, 0, 0)\nend");
  expect_mentions(none.decide(*s).error, {"did you mean 'barometer.height'"});
  expect_mentions(act_error("me.sensors['gnss.valid'] = 1"), {"a perception cannot be changed"});
}

TEST(script, reads_its_estimate_where_it_has_one) {
  Sensing all(0);
  EXPECT_EQ(all.number("me.estimate.position_std + me.estimate.position.z"), 31.75);
  expect_mentions(all.error("me.estimate.position_sdt"), {"me.estimate has no 'position_sdt'", "did you mean 'position_std'"});
  EXPECT_EQ(number("me.estimate == nil and 7 or 0"), 7);
}

TEST(script, the_example_keeps_its_height_by_range_finder_barometer_or_estimate) {
  auto s = load(example("above_ground.lua"));
  ReadingList list;
  list.add("range_finder.distance", 1, 16), list.add("range_finder.valid", 1, 16), list.add("barometer.height", 1, 2);
  list.add("estimate.position", 3, 0), list.add("estimate.position_std", 1, 0);
  std::vector<double> row = {18, 4, 1, 100, 0, 0, 0, 1};
  Agent a;
  a.sense.readings = &list, a.sense.numbers = row.data();
  EXPECT_NEAR(a.decide(*s).action.velocity.z, 0.8 * 2, 1e-12) << "4 m over the ground: up";
  EXPECT_EQ(a.decide(*s).action.velocity.x, 3);
  row[7] = 9;
  EXPECT_EQ(a.decide(*s).action.velocity.x, 1.5) << "slower where the estimate is poor";
  row[2] = 0;
  EXPECT_EQ(a.decide(*s).action.velocity.z, 0) << "out of range: it keeps the height that the barometer has now";
  row[3] = 101;
  EXPECT_NEAR(a.decide(*s).action.velocity.z, -0.8, 1e-12);
  Agent blind;
  EXPECT_EQ(blind.decide(*s).action.velocity.z, 0);
  EXPECT_EQ(blind.decide(*s).action.velocity.x, 3);
}

TEST(script, a_follower_keeps_its_place_behind_the_lowest_id) {
  auto s = load(example("follow.lua"));
  Agent a;
  EXPECT_EQ(a.decide(*s).action.velocity.x, 3) << "nobody before it: it leads";
  a.others = {{.from = 2, .tick = 100, .position = {13, 2, 12}, .velocity = {3, 0, 0}}, {.from = 9, .tick = 100, .position = {0, 0, 12}}};
  const auto o = a.decide(*s);
  EXPECT_EQ(o.action.role, 1);
  EXPECT_GT(o.action.velocity.x, 3) << "faster, to close up";
  a.sense.position = {7, 2, 12};
  EXPECT_EQ(a.decide(*s).action.velocity.x, 3) << "6 m behind it is in its place";
}

}  // namespace
}  // namespace volary::swarm
