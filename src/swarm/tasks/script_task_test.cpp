// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks in Lua: they see what other conditions see, remember in a snapshot, are bounded, and fail alone.
#include <gtest/gtest.h>

#include "swarm/tasks/judge.hpp"
#include "swarm/tasks/make_task.hpp"

namespace volary::swarm {
namespace {

const TaskWorld kWorld = {{"scouts", "base"}, {"field", "yard"}};

// three scouts and a base, laid out by hand
struct Scene {
  std::vector<VehicleFact> scouts, base;
  std::vector<HeardFact> heard;
  std::vector<SeenFact> seen;
  std::vector<EventFact> events;
  std::vector<LinkFact> links;
  std::vector<FlockFact> flocks;
  double time = 2;

  Scene() {
    for (std::uint64_t k = 0; k < 3; ++k)
      scouts.push_back({.id = k + 1, .number = static_cast<std::int64_t>(k), .position = {10.0 * static_cast<double>(k), 0, 5}, .velocity = {1, 0, 0}});
    base.push_back({.id = 4, .position = {-5, 0, 0}, .ground = -1, .mode = Mode::Disarmed});
  }
  Facts facts() {
    flocks = {{scouts}, {base}};
    return {static_cast<std::uint64_t>(10 * time), time, flocks, heard, seen, events, links};
  }
};

TaskScript::Outcome look(const std::string& body, Scene scene = {}, const ScriptParams& params = {}, const ScriptLimits& limits = {}) {
  const auto program = TaskScript::load("params = { far = 7 }\nfunction holds(world)\n" + body + "\nend", "task.lua", limits);
  if (!program) return {.said = "load: " + program.error().text()};
  std::vector<std::byte> memory;
  return program.value()->look(scene.facts(), kWorld, params, memory);
}
std::string fault(const std::string& body, const ScriptLimits& limits = {}) {
  const auto o = look(body, {}, {}, limits);
  EXPECT_FALSE(o.ok) << body;
  EXPECT_FALSE(o.holds);
  return o.said;
}
std::string load_fault(const std::string& text) {
  const auto program = TaskScript::load(text, "task.lua");
  return program ? "" : program.error().text();
}
void expect_in(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' in: " << text;
}

TaskDef scripted(const char* name, const std::string& body, bool negated = false) {
  auto def = std::make_shared<Predicate::Scripted::Def>(Predicate::Scripted::Def{"task.lua", "function holds(world)\n" + body + "\nend", {}, kWorld});
  Predicate p{Predicate::Scripted{std::move(def)}, {}};
  if (negated) p = {Predicate::Not{}, {p}};
  return {name, std::make_shared<const Predicate>(std::move(p)), true, 0};
}

}  // namespace

TEST(script_task, sees_the_facts_that_every_condition_sees) {
  Scene s;
  s.scouts[1].regions = 2;  // the yard
  s.scouts[2].alive = false;
  s.heard = {{4, topic("found")}, {1, topic("state")}};
  s.seen = {{2, topic("person")}};
  s.events = {{"crashed: into the ground"}};
  s.links = {{1, 4}};
  const auto o = look(
      "local v = world.vehicles\n assert(#v == 4 and v[1].id == 1 and v[4].flock == 'base' and v[4].mode == 'disarmed' and v[4].ground == -1)\n"
      "local scouts = vehicles('scouts')\n assert(#scouts == 3 and scouts[2] == v[2] and scouts[2].number == 1 and scouts[2].position == vec(10, 0, 5))\n"
      "assert(scouts[1].velocity.x == 1 and scouts[1].alive and not scouts[3].alive and scouts[1].home == vec(0, 0, 0))\n"
      "assert(inside(scouts[2], 'yard') and not inside(scouts[2], 'field') and not inside(scouts[1], 'yard'))\n"
      "assert(#world.heard == 2 and heard('found')[1].vehicle == 4 and world.heard[2].topic == topic('state') and #heard('nothing') == 0)\n"
      "assert(seen('person')[1].vehicle == 2 and world.seen[1].kind == topic('person'))\n"
      "assert(#world.events == 1 and string.find(world.events[1], 'crashed') == 1 and world.links[1].from == 1 and world.links[1].to == 4)\n"
      "return world.time == 2 and world.params.far == 9, 'two of three'",
      s, {{"far", 9}});
  EXPECT_TRUE(o.ok) << o.said;
  EXPECT_TRUE(o.holds);
  EXPECT_EQ(o.said, "two of three");
}

TEST(script_task, an_error_has_file_and_line_and_a_suggestion) {
  expect_in(fault("\nreturn world.vehicls"), {"task.lua:4", "world has no 'vehicls'", "did you mean 'vehicles'"});
  expect_in(fault("return world.vehicles[1].postion.x > 1"), {"task.lua:3", "a vehicle has no 'postion'", "did you mean 'position'"});
  expect_in(fault("return #vehicles('scuots') > 1"), {"no flock is called 'scuots'", "did you mean 'scouts'"});
  expect_in(fault("return inside(world.vehicles[1], 'yrad')"), {"no region is called 'yrad'", "did you mean 'yard'"});
  expect_in(fault("return world.params['fat'] > 1"), {"world.params has no 'fat'", "did you mean 'far'"});
  expect_in(fault("return nil"), {"task.lua:2", "true or false, not nil"});
  expect_in(fault("return 1"), {"true or false, not number"});
  expect_in(fault("return true, 3"), {"must be a text, not a number"});
  expect_in(fault("fly(1, 2, 3) return true"), {"a task has no 'fly'", "only observes"});
  expect_in(fault("return random() > 0.5"), {"a task has no 'random'"});
  expect_in(fault("return io.open('x')"), {"a task has no 'io'"});
  expect_in(fault("count = 1 return true"), {"the global 'count' cannot be changed", "world.memory"});
  expect_in(fault("world.vehicles[1].alive = false return true"), {"cannot be changed by a task"});
  expect_in(load_fault("params = { far = 1 }\nfunction holds(world) return world.params.fat > 1 end"),
            {"task.lua:2", "there is no parameter 'fat'", "did you mean 'far'"});
  expect_in(load_fault("function act(me) end"), {"task.lua:1", "it is a behaviour", "holds(world)"});
  expect_in(load_fault("x = 1"), {"the file has no function holds(world)"});
  expect_in(load_fault("function holds(world) return 2^3 == 8 end"), {"task.lua:1", "pow(x, y)"});
  expect_in(load_fault("while true do end"), {"task.lua:1", "a loop without end?"});
  expect_in(load_fault("local v = vehicles('scouts')"), {"there is no world while the file is run"});
}

TEST(script_task, is_bounded_by_counts_and_never_by_the_clock) {
  expect_in(fault("while true do end"), {"task.lua:3", "more than 1000000 instructions"});
  expect_in(fault("local t = {} for i = 1, 1e9 do t[i] = {} end", {.instructions = 1'000'000'000, .heap = 1u << 20, .memory = 1000}), {"bytes of memory"});
}

TEST(script_task, remembers_in_the_bytes_that_it_is_given_and_nowhere_else) {
  const auto program =
      TaskScript::load("function holds(world)\n world.memory.n = (world.memory.n or 0) + 1\n return world.memory.n >= 3, 'n = ' .. world.memory.n\nend", "t");
  ASSERT_TRUE(program);
  std::vector<std::byte> a, b;
  Scene s;
  for (int k = 1; k <= 3; ++k) EXPECT_EQ(program.value()->look(s.facts(), kWorld, {}, a).holds, k == 3);
  EXPECT_EQ(program.value()->look(s.facts(), kWorld, {}, b).said, "n = 1");
  EXPECT_NE(a, b);
}

TEST(script_task, a_judge_reports_what_it_says) {
  Judge judge(
      {scripted("together", "for i, v in ipairs(vehicles('scouts')) do if v.position.x > 1 then return false, v.number .. ' is far' end end\n return true")});
  const FactsNeeded needs = judge.needs();
  EXPECT_TRUE(needs.regions && needs.ground && needs.heard && needs.seen && needs.events && needs.links);
  Scene s;
  judge.judge(s.facts());
  EXPECT_EQ(judge.results()[0].state, TaskState::Open);
  EXPECT_EQ(judge.results()[0].detail, "1 is far");
  for (VehicleFact& v : s.scouts) v.position = {};
  judge.judge(s.facts());
  EXPECT_EQ(judge.results()[0].state, TaskState::Done);
  EXPECT_TRUE(judge.is_accomplished());
}

TEST(script_task, that_fails_makes_its_task_fail_with_the_reason_and_no_other) {
  // a failure is no "no" that `not` could turn into a yes
  Judge judge({scripted("plain", R"(return world.time < 3 or world["no" .. "thing"])"),
               scripted("negated", R"(return world.time > 3 and world["no" .. "thing"])", true),
               scripted("sound", "return true"),
               {"waits", std::make_shared<const Predicate>(Predicate{Predicate::Not{}, {{Predicate::TaskIs{0}, {}}}}), false, 0}});
  Scene s;
  judge.judge(s.facts());
  for (const std::size_t k : {0u, 1u, 2u}) EXPECT_EQ(judge.results()[k].state, TaskState::Done) << k;
  s.time = 4;
  judge.judge(s.facts());
  for (const std::size_t k : {0u, 1u, 3u}) {
    EXPECT_EQ(judge.results()[k].state, TaskState::Failed) << k;
    expect_in(judge.results()[k].detail, {"task.lua:2", "world has no 'nothing'"});
  }
  EXPECT_EQ(judge.results()[2].state, TaskState::Done);
  EXPECT_FALSE(judge.is_accomplished());
  expect_in(judge.changes()[0].what, {"task failed: plain", "task.lua:2"});
  // and it stays that way
  s.time = 2;
  judge.judge(s.facts());
  EXPECT_EQ(judge.results()[0].state, TaskState::Failed);
}

TEST(script_task, a_snapshot_has_its_memory_and_its_words) {
  const std::vector<TaskDef> tasks = {scripted("count", "world.memory.n = (world.memory.n or 0) + 1\n return world.memory.n > 5, 'n ' .. world.memory.n")};
  Judge one(tasks), other(tasks);
  Scene s;
  for (int k = 0; k < 3; ++k) one.judge(s.facts());
  EXPECT_NE(one.hash(), other.hash());
  core::StateWriter writer;
  one.each_state(writer);
  const std::vector<std::byte> bytes = writer.take();
  core::StateReader reader(bytes);
  other.each_state(reader);
  ASSERT_TRUE(reader.whole() && other.fits());
  EXPECT_EQ(one.hash(), other.hash());
  EXPECT_EQ(other.results()[0].detail, "n 3");
  for (int k = 0; k < 3; ++k) one.judge(s.facts()), other.judge(s.facts());
  EXPECT_EQ(one.hash(), other.hash());
  EXPECT_EQ(other.results()[0].state, TaskState::Done);
}

}  // namespace volary::swarm
