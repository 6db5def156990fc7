// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks from YAML to a judged mission: what people write, and what they get wrong.
#include "swarm/tasks/make_task.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scenario/schema.hpp"
#include "scenario/yaml_reader.hpp"
#include "swarm/tasks/judge.hpp"

namespace volary::swarm {

// a file with nothing but tasks
struct TasksOnly {
  std::vector<TaskFile> tasks;
};
template <class D, class V> requires IsTaskFile<D, TasksOnly>
void describe(D& d, V& v) {
  v.field("tasks", d.tasks, {.min = 1, .max = 1000, .doc = "what is to be done"});
}

namespace {

const TaskNames kNames = {.flocks = {"couriers", "searchers"},
                          .vehicles = {4, 2},
                          .regions = {"field", "base"},
                          .tasks = {},
                          .kinds = {"crazyflie", "person"},
                          .events = {"landed", "crashed"}};

core::Result<std::vector<TaskDef>> make(const std::string& text) {
  scenario::Tree tree{{"tasks.yaml"}, {}};
  auto root = scenario::parse_yaml(text, 0, "tasks.yaml");
  if (!root) return root.error();
  tree.root = std::move(root).value();
  TasksOnly file;
  if (const core::Status read = scenario::YamlReader(tree).read(file); !read) return read.error();
  auto made = make_tasks(file.tasks, kNames);
  if (!made) return scenario::place(made.error(), tree);
  return made;
}

std::string error_of(const std::string& text) {
  const auto made = make(text);
  return made ? "no error" : made.error().text();
}

// one task of one line
std::string fault(const std::string& condition) { return error_of("tasks: [{name: t, " + condition + "}]"); }

}  // namespace

TEST(make_task, a_mission_reads_as_it_is_said) {
  const auto made = make(R"(
tasks:
  - name: all arrive
    all_of:
      - reached: {flock: couriers, position: [2.5, 2.3, 0.1], within: 0.1}
      - held: {for: 2, what: {speed_below: {flock: couriers, speed: 0.2}}}
    within: 60
  - name: safe
    always: {apart: {distance: 0.3}}
  - name: found and told
    required: false
    sequence:
      - detected: {flock: searchers, kind: person}
      - heard: {flock: couriers, count: 3, topic: found}
        within: 5
      - any_of:
          - inside: {flock: couriers, region: base, share: 0.5}
          - not: {task: safe}
)");
  ASSERT_TRUE(made) << made.error().text();
  const std::vector<TaskDef>& tasks = made.value();
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0].deadline, 60);
  EXPECT_FALSE(tasks[2].required);
  const Predicate& arrive = predicate_of(tasks[0]);
  ASSERT_TRUE(std::holds_alternative<Predicate::AllOf>(arrive.test));
  const auto& reached = std::get<Predicate::Reached>(arrive.parts[0].test);
  EXPECT_EQ(reached.position.y, 2.3);
  EXPECT_EQ(reached.within, 0.1);
  EXPECT_EQ(reached.who.ask, Who::Ask::Everyone);
  EXPECT_EQ(std::get<Predicate::Held>(arrive.parts[1].test).seconds, 2);
  const Predicate& told = predicate_of(tasks[2]).parts[1];
  EXPECT_EQ(std::get<Predicate::Within>(told.test).seconds, 5);
  EXPECT_EQ(std::get<Predicate::Heard>(told.parts[0].test).topic, topic("found"));
  EXPECT_EQ(std::get<Predicate::Heard>(told.parts[0].test).who.amount, 3);
  EXPECT_EQ(std::get<Predicate::Detected>(predicate_of(tasks[2]).parts[0].test).who.ask, Who::Ask::Count);  // one is enough
  EXPECT_EQ(tasks_named_in(predicate_of(tasks[2])), std::vector<int>{1});
  // and it can be judged
  Judge judge(tasks);
  std::vector<VehicleFact> couriers, searchers;
  for (int k = 0; k < 4; ++k) couriers.push_back({.id = std::uint64_t(k + 1), .number = k, .position = {2.5 + 0.02 * k, 2.3, 0.1}});
  const FlockFact flocks[] = {{couriers}, {searchers}};
  for (std::uint64_t tick = 0; tick <= 20; ++tick) judge.judge({.tick = tick, .time = 0.1 * double(tick), .flocks = flocks});
  EXPECT_EQ(judge.results()[0].state, TaskState::Done);
  EXPECT_EQ(judge.results()[0].since, 20u);
  EXPECT_EQ(judge.results()[1].state, TaskState::Failed);  // 2 cm is not 30
}

TEST(make_task, every_condition_can_be_written) {
  for (const char* condition : {"reached: {flock: couriers, vehicle: 3, position: [0, 0, 1]}",
                                "inside: {flock: couriers, region: field}",
                                "outside: {flock: couriers, region: base, count: 2}",
                                "altitude_above: {flock: couriers, height: 2}",
                                "altitude_below: {flock: couriers, height: 50, over_ground: true}",
                                "speed_below: {flock: couriers}",
                                "mode_is: {flock: couriers, mode: take_off}",
                                "alive: {flock: couriers, count: 3}",
                                "heard: {flock: couriers, topic: state}",
                                "detected: {flock: searchers, kind: person}",
                                "apart: {flock: couriers, distance: 1}",
                                "coverage: {min: [0, 0], max: [100, 50], radius: 5, share: 0.95}",
                                "order: {flock: couriers, above: 0.95}",
                                "connected: {}",
                                "formation: {flock: searchers, offsets: [[0, 0, 0], [1, 0, 0]], turned: true}",
                                "formation: {flock: searchers, offsets: [[0, 0, 0], [1, 0, 0]], leader: 1}",
                                "tracking: {flock: couriers, within: 10}",
                                "time_after: 3",
                                "event: landed",
                                "no_event: crashed",
                                "eventually: {event: landed}"}) {
    const auto made = make(std::string("tasks: [{name: t, ") + condition + "}]");
    EXPECT_TRUE(made) << condition << ": " << made.error().text();
    if (made) Judge(made.value()).judge({});  // of an empty world, without falling over
  }
}

TEST(make_task, a_wrong_name_is_placed_and_the_right_one_suggested) {
  EXPECT_EQ(error_of("tasks:\n  - name: t\n    all_of:\n      - reached: {flock: courier, position: [0, 0, 0]}\n"),
            "tasks.yaml:4:26: tasks[0].all_of[0].reached.flock: no flock is called 'courier' (did you mean 'couriers'?)");
  EXPECT_EQ(fault("not: {inside: {flock: couriers, region: feild}}"),
            "tasks.yaml:1:59: tasks[0].not.inside.region: no region is called 'feild' (did you mean 'field'?)");
  EXPECT_EQ(fault("held: {for: 1, what: {event: lnded}}"), "tasks.yaml:1:48: tasks[0].held.what.event: no event is called 'lnded' (did you mean 'landed'?)");
  EXPECT_NE(fault("detected: {flock: couriers, kind: persn}").find("no airframe is called 'persn' (did you mean 'person'?)"), std::string::npos);
  EXPECT_NE(fault("task: other").find("tasks[0].task: no task is called 'other'"), std::string::npos);
  EXPECT_NE(fault("reachd: {}").find("unknown key (did you mean 'reached'?)"), std::string::npos);
}

TEST(make_task, what_cannot_be_meant_is_refused) {
  EXPECT_NE(fault("required: true").find("tasks[0]: has no condition"), std::string::npos);
  EXPECT_NE(fault("time_after: 1, event: landed").find("tasks[0].event: is given beside 'time_after'"), std::string::npos);
  EXPECT_NE(fault("alive: {flock: couriers, count: 2, share: 0.5}").find("names more than one of vehicle, count, share"), std::string::npos);
  EXPECT_NE(fault("alive: {flock: couriers, count: 5}").find("5 is too many: flock 'couriers' has 4 vehicle(s)"), std::string::npos);
  EXPECT_NE(fault("alive: {flock: couriers, vehicle: 4}").find("4 does not exist"), std::string::npos);
  EXPECT_NE(fault("held: {for: 1}").find("tasks[0].held.what: is missing"), std::string::npos);
  EXPECT_NE(fault("all_of: []").find("must have"), std::string::npos);
  EXPECT_NE(fault("coverage: {min: [0, 0], max: [0, 5], radius: 1}").find("must be north and east of min"), std::string::npos);
  EXPECT_NE(fault("coverage: {min: [0, 0], max: [1e5, 1e5], radius: 1}").find("more than four million cells"), std::string::npos);
  EXPECT_NE(fault("formation: {flock: couriers, offsets: [[0, 0, 0]]}").find("has 1 places for 4 vehicle(s)"), std::string::npos);
  EXPECT_NE(fault("formation: {flock: searchers, offsets: [[0, 0, 0], [1, 0, 0]], leader: 2}").find("leader: 2 does not exist"), std::string::npos);
  EXPECT_NE(fault("formation: {flock: searchers, leader: 0}").find("leader: needs offsets"), std::string::npos);
  EXPECT_NE(fault("formation: {flock: searchers, offsets: [[0, 0, 0], [1, 0, 0]], leader: 0, turned: true}").find("turned: has no effect with a leader"),
            std::string::npos);
  EXPECT_NE(fault("tracking: {flock: couriers, within: 0}").find("out of range"), std::string::npos);
  EXPECT_NE(fault("time_after: 1, within: 0").find("out of range"), std::string::npos);
  EXPECT_NE(error_of("tasks: [{name: a, time_after: 1}, {name: a, time_after: 2}]").find("tasks[1].name: 'a' is the name of another task too"),
            std::string::npos);
}

TEST(make_task, tasks_that_wait_for_each_other_are_named) {
  EXPECT_EQ(error_of("tasks:\n  - {name: a, task: b}\n  - {name: b, all_of: [{time_after: 1}, {not: {task: c}}]}\n  - {name: c, eventually: {task: b}}\n"),
            "tasks.yaml:3:5: tasks[1]: tasks wait for each other: 'b' -> 'c' -> 'b' (one of them must be judged without the others)");
  EXPECT_NE(fault("task: t").find("tasks wait for each other: 't' -> 't'"), std::string::npos);
}

// a predicate is a part of itself: written out it would have no end
TEST(make_task, the_schema_describes_a_predicate_once_and_refers_to_it) {
  const auto schema = nlohmann::json::parse(scenario::scenario_schema());
  const auto& predicate = schema.at("$defs").at("predicate");
  const nlohmann::json reference = "#/$defs/predicate";
  const auto& task = schema.at("properties").at("tasks").at("items");
  EXPECT_EQ(task.at("required"), nlohmann::json::array({"name"}));
  EXPECT_EQ(task.at("properties").at("all_of").at("items").at("$ref"), reference);
  EXPECT_EQ(predicate.at("properties").at("sequence").at("items").at("$ref"), reference);
  EXPECT_EQ(predicate.at("properties").at("not").at("$ref"), reference);
  EXPECT_EQ(predicate.at("properties").at("held").at("properties").at("what").at("$ref"), reference);
  EXPECT_FALSE(predicate.at("properties").contains("name"));
  // exactly one of all its fields but `within`
  EXPECT_EQ(predicate.at("oneOf").size() + 1, predicate.at("properties").size());
  for (const auto& one : predicate.at("oneOf")) EXPECT_TRUE(predicate.at("properties").contains(one.at("required").at(0).get<std::string>())) << one;
  EXPECT_EQ(task.at("oneOf"), predicate.at("oneOf"));
  EXPECT_NE(scenario::describe_markdown().find("| `tasks[].all_of` | list of predicate |"), std::string::npos);
}

TEST(make_task, nesting_has_an_end) {
  std::string deep = "{time_after: 1}";
  for (int k = 0; k < 100; ++k) deep = "{not: " + deep + "}";
  EXPECT_NE(error_of("tasks: [{name: t, not: " + deep + "}]").find("nested more than 64 levels deep"), std::string::npos);
}

}  // namespace volary::swarm
