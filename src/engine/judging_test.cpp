// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks of worlds that fly: what the judge is shown, when a run ends, and what its verdict is.
#include <algorithm>

#include "engine/engine_test_support.hpp"
#include "swarm/tasks/predicate.hpp"

namespace volary {
namespace {

using P = swarm::Predicate;
using test::collide;
using test::make;
using test::meeting;

TaskDef task(const char* name, P::Test test, bool required = true) { return {name, std::make_shared<const P>(P{std::move(test), {}}), required, 0}; }

// two that fly at each other and are asked whether they are alive, in one look before they meet and for a second after
WorldDef collision(ContactPolicy policy) {
  WorldDef def = meeting(policy, 2);
  def.duration = 4;
  def.tasks = {task("alive", P::Alive{}), task("nobody lost", P::Happened{"crashed", false}),
               task("one alive", P::Alive{{.ask = swarm::Who::Ask::Count, .amount = 1}}), task("high or low", P::Altitude{{}, -100, true, false})};
  return def;
}

std::size_t count(const std::vector<Event>& events, const std::string& words) {
  return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& e) { return e.what.starts_with(words); }));
}

}  // namespace

TEST(judging, two_that_collide_and_crash_are_not_alive) {
  auto w = collide(collision(ContactPolicy::Crash), 2);
  w->step(50);
  for (const std::size_t k : {0u, 1u, 2u}) EXPECT_EQ(w->tasks()[k].state, "holding") << k;
  w->step(planned_ticks(w->def()) - 50);
  const auto tasks = w->tasks();
  EXPECT_EQ(tasks[0].state, "failed");
  EXPECT_EQ(tasks[0].detail, "0 of 2 alive");
  EXPECT_EQ(tasks[1].state, "failed");
  EXPECT_EQ(tasks[2].state, "open");
  EXPECT_EQ(tasks[3].state, "failed") << "a wreck is at no height";
  EXPECT_FALSE(w->mission_accomplished());
  for (const VehicleId id : w->vehicles()) EXPECT_TRUE(w->is_alive(id) && w->has_crashed(id));
}

TEST(judging, a_vehicle_that_is_out_of_control_is_not_alive) {
  auto w = make(collision(ContactPolicy::Ignore));
  w->submit({.tick = 60, .source = 1, .target = {2}, .payload = Detach{0.1}});
  w->step(50);
  EXPECT_EQ(w->tasks()[0].state, "holding");
  w->step(50);
  EXPECT_EQ(w->tasks()[0].state, "failed");
  EXPECT_EQ(w->tasks()[0].detail, "1 of 2 alive");
}

TEST(judging, a_vehicle_that_is_lost_in_a_collision_is_not_alive) {
  auto w = collide(collision(ContactPolicy::Remove), 2);
  w->step(planned_ticks(w->def()));
  EXPECT_EQ(w->tasks()[0].state, "failed");
  EXPECT_EQ(w->tasks()[2].state, "open");
}

TEST(judging, a_vehicle_that_falls_with_stopped_motors_is_a_wreck) {
  WorldDef def = collision(ContactPolicy::Crash);
  def.flocks[0].vehicles.resize(1);
  auto w = make(def);
  w->submit({.target = w->vehicles()[0], .payload = SetMode{Mode::EmergencyStop}});
  w->step(planned_ticks(def));
  EXPECT_TRUE(w->has_crashed(w->vehicles()[0]));
  EXPECT_EQ(w->tasks()[0].state, "failed");
  EXPECT_EQ(w->tasks()[1].state, "failed") << "it was stopped on purpose, and crashes all the same";
}

TEST(judging, a_snapshot_knows_who_has_crashed) {
  WorldDef def = collision(ContactPolicy::Crash);
  auto w = collide(def, 2);
  w->step(250);
  auto other = make(def);
  std::string error;
  const auto read = other->read_snapshot(World::snapshot_bytes(*w->snapshot()), &error);
  ASSERT_NE(read, nullptr) << error;
  other->restore(*read);
  for (const VehicleId id : other->vehicles()) EXPECT_TRUE(other->has_crashed(id));
  w->step(150);
  other->step(150);
  EXPECT_EQ(w->hash(), other->hash());
  EXPECT_EQ(other->tasks()[2].state, "open");
}

TEST(judging, a_safety_task_is_done_at_the_end_of_the_run_and_not_before) {
  WorldDef def = collision(ContactPolicy::Crash);
  def.tasks.resize(2);
  auto w = make(def);  // nobody flies at anybody
  w->step(planned_ticks(def) - 1);
  auto events = w->take_events();
  EXPECT_EQ(count(events, "task holding: "), 2u);
  EXPECT_EQ(count(events, "task done"), 0u);
  EXPECT_EQ(count(events, "mission complete"), 0u);
  for (const TaskStanding& t : w->tasks()) EXPECT_EQ(t.state, "holding");
  w->step();
  events = w->take_events();
  EXPECT_EQ(count(events, "task done: "), 2u);
  EXPECT_EQ(count(events, "mission complete"), 1u);
  for (const TaskStanding& t : w->tasks()) EXPECT_TRUE(t.state == "done" && t.since == planned_ticks(def)) << t.name;
  EXPECT_TRUE(w->mission_accomplished());
}

TEST(judging, the_standings_are_those_of_the_worst_world) {
  WorldDef def = collision(ContactPolicy::Crash);
  def.worlds = 3;
  auto w = make(def);
  for (const VehicleId id : w->vehicles())
    if (w->world_of(id) == 2)
      w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {w->position_of(id)[0] < 0 ? 2.0 : -2.0, 0, 0}}});
  w->step(planned_ticks(def));
  EXPECT_EQ(w->tasks(0)[0].state, "done");
  EXPECT_EQ(w->tasks(2)[0].state, "failed");
  const auto all = w->standings();
  EXPECT_EQ(all[0].state, "failed");
  EXPECT_EQ(all[0].detail, "in 1 of 3 worlds; world 2: 0 of 2 alive");
  EXPECT_TRUE(w->mission_accomplished(0));
  EXPECT_FALSE(w->mission_accomplished(2));
}

}  // namespace volary
