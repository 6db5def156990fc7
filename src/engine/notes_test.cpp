// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What scripts tell people in a world that flies: events and columns, the same on any threads, in branches and in batches, and no result changes.
#include "engine/notes.hpp"

#include <algorithm>
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "swarm/script/script_def.hpp"

namespace volary {
namespace {

using test::make;

WorldDef scripted(int n, const std::string& act) {
  WorldDef def = test::talking(n);
  def.duration = 4;
  const std::string text = "function act(me)\n" + act + "\n fly(0.1 * math.sin(me.time), 0, 0) end\n";
  def.flocks[0].node.behaviours = {{.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"tell", "tell.lua", text, {}})}};
  return def;
}

// "tick name what" of every event
std::vector<std::string> told(World& w) {
  std::vector<std::string> list;
  for (const Event& e : w.take_events()) list.push_back(std::to_string(e.tick) + " " + e.name + " " + e.what);
  return list;
}
bool has(const std::vector<std::string>& list, const std::string& part) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& s) { return s.find(part) != std::string::npos; });
}

TEST(notes, log_and_plot_change_neither_the_hash_nor_a_flight) {
  auto quiet = make(scripted(20, "")), loud = make(scripted(20, "log('at', me.position.x) plot('x', me.position.x)"));
  for (int k = 0; k < 100; ++k) {
    quiet->step();
    loud->step();
    ASSERT_EQ(quiet->hash(), loud->hash()) << k;
  }
  EXPECT_FALSE(told(*loud).empty());
}

TEST(notes, they_come_in_the_order_of_ids_on_any_threads) {
  const WorldDef def = scripted(60, "log('at', me.position.x) plot('x', me.position.x)");
  auto one = make(def), three = make(def, {.threads = 3, .force_split = true});
  for (int k = 0; k < 40; ++k) {
    one->step();
    three->step();
    const std::vector<Plotted> a = one->plotted(), b = three->plotted();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].vehicle, b[i].vehicle);
      EXPECT_EQ(a[i].value, b[i].value);
      if (i > 0) {
        EXPECT_LT(a[i - 1].vehicle.number(), a[i].vehicle.number());
      }
    }
  }
  const auto events = told(*one);
  EXPECT_FALSE(events.empty());
  EXPECT_EQ(told(*three), events);
}

TEST(notes, a_line_is_an_event_of_its_vehicle_and_behaviour) {
  auto w = make(scripted(1, "log('gap', 2.5)"));
  w->step(10);
  const std::vector<Event> events = w->take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].what, "log: tell: gap 2.5");
  EXPECT_EQ(events[0].vehicle, w->vehicles()[0]);
  EXPECT_EQ(events[0].name, w->name_of(w->vehicles()[0]));
  EXPECT_EQ(events[0].world, 0u);
}

// ten decisions a second with three lines each: ten of thirty are dropped, and the count comes with the last decision of the second
TEST(notes, lines_beyond_the_limit_are_counted_once_a_second) {
  auto w = make(scripted(1, "log(1) log(2) log(3)"));
  w->step(400);
  const auto events = told(*w);
  EXPECT_EQ(std::count_if(events.begin(), events.end(), [](const std::string& s) { return s.find("log: tell") != s.npos; }), 80);
  std::vector<std::string> dropped;
  for (const std::string& s : events)
    if (s.find("dropped") != s.npos) dropped.push_back(s);
  ASSERT_EQ(dropped.size(), 4u) << "also in the last second of the run";
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NE(dropped[k].find("10 line(s) dropped between " + std::to_string(k) + " s and " + std::to_string(k + 1) + " s"), std::string::npos) << dropped[k];
}

TEST(notes, a_crowd_leaves_room_for_other_events) {
  auto w = make(scripted(1200, "for i = 1, 8 do log(i) end"));
  std::vector<std::size_t> in_tick(401);
  w->step(100);
  for (const Event& e : w->take_events()) in_tick[e.tick] += e.what.starts_with("log: tell") ? 1 : 0;
  EXPECT_LE(*std::max_element(in_tick.begin(), in_tick.end()), 1000u);
}

TEST(notes, what_was_told_before_a_failure_comes_before_it) {
  auto w = make(scripted(2, "log('now') plot('x', 1) error('no')"));
  w->step(20);
  const auto events = told(*w);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_NE(events[0].find("log: tell: now"), std::string::npos);
  EXPECT_TRUE(has(events, "stopped deciding: tell"));
}

// ---------------------------------------------------------------- columns

TEST(notes, a_plotted_number_is_a_column_from_its_first_use_on) {
  auto w = make(scripted(20, "if me.time >= 0.5 and me.id % 2 == 0 then plot('east', me.position.x) end"));
  EXPECT_FALSE(w->find_view("birds", "plot.east"));
  w->step(45);
  EXPECT_FALSE(w->find_view("birds", "plot.east"));
  w->step(30);
  const std::optional<View> view = w->find_view("birds", "plot.east");
  ASSERT_TRUE(view);
  EXPECT_EQ(view->n, 20u);
  EXPECT_EQ(view->dtype, Dtype::Float64);
  for (const VehicleId id : w->vehicles()) {
    const double value = view->at(w->slot_of(id));
    if (id.number() % 2 == 0)
      EXPECT_NEAR(value, w->position_of(id)[0], 0.2);
    else
      EXPECT_TRUE(std::isnan(value));
  }
  const std::vector<ColumnDoc> columns = w->columns("birds");
  EXPECT_EQ(columns.back().name, "plot.east");
  EXPECT_THROW(w->view("birds", "plot.eats"), std::invalid_argument);
}

TEST(notes, a_number_holds_until_the_next_one_and_a_new_vehicle_has_none) {
  auto w = make(scripted(3, "if me.time < 0.3 then plot('t', me.time) end"));
  w->step(100);
  const VehicleId first = w->vehicles()[0];
  const double held = w->view("birds", "plot.t").at(w->slot_of(first));
  EXPECT_GT(held, 0.1);
  EXPECT_LT(held, 0.3);
  EXPECT_TRUE(w->plotted().empty());
  w->submit({.target = first, .payload = Remove{}});
  VehicleDef v = w->def().flocks[0].vehicles[0];
  v.name = "late";
  w->submit({.tick = 102, .payload = Spawn{"birds", v}});
  w->step(5);
  const VehicleId late = w->find("late");
  ASSERT_TRUE(late);
  EXPECT_TRUE(std::isnan(w->view("birds", "plot.t").at(w->slot_of(late)))) << "the number of the vehicle that had the slot before";
}

TEST(notes, a_branch_tells_what_the_world_itself_tells) {
  const WorldDef def = scripted(5, "log(1) log(2) log(3) plot('a', me.time) if me.time > 1 then plot('b', -me.time) end");
  auto w = make(def);
  w->step(155);  // in the middle of a second, when some of its lines are used up
  const auto bytes = World::snapshot_bytes(*w->snapshot());
  auto branch = w->branch({.threads = 2, .force_split = true});
  std::string error;
  auto other = make(def);
  const auto snapshot = other->read_snapshot(bytes, &error);
  ASSERT_NE(snapshot, nullptr) << error;
  ASSERT_TRUE(other->restore(*snapshot));
  told(*w);
  for (World* x : {w.get(), branch.get(), other.get()}) x->step(100);
  const auto events = told(*w);
  EXPECT_TRUE(has(events, "dropped"));
  EXPECT_EQ(told(*branch), events);
  EXPECT_EQ(told(*other), events);
  for (const char* name : {"plot.a", "plot.b"})
    for (std::size_t slot = 0; slot < 5; ++slot) {
      EXPECT_EQ(w->view("birds", name).at(slot), branch->view("birds", name).at(slot));
      EXPECT_EQ(w->view("birds", name).at(slot), other->view("birds", name).at(slot));
    }
}

TEST(notes, the_worlds_of_a_batch_tell_what_they_tell_alone) {
  WorldDef def = scripted(3, "log(string.format('%.3f', random())) plot('r', random())");
  WorldDef alone = def;
  def.worlds = 3;
  alone.first_world = 2;
  auto batch = make(def), one = make(alone);
  batch->step(100);
  one->step(100);
  std::vector<std::string> of_batch, of_one;
  for (const Event& e : batch->take_events())
    if (e.world == 2) of_batch.push_back(std::to_string(e.tick) + e.what);
  for (const Event& e : one->take_events()) of_one.push_back(std::to_string(e.tick) + e.what);
  EXPECT_FALSE(of_one.empty());
  EXPECT_EQ(of_batch, of_one);
}

TEST(notes, a_flock_has_sixteen_names_and_says_once_that_there_are_more) {
  auto w = make(scripted(3, "for i = 1, 16 do plot('n' .. i, i) end\n plot('n' .. 16, me.id)"));
  w->step(20);
  EXPECT_EQ(told(*w).size(), 0u);
  w = make(scripted(4, "for i = 1, 5 do plot('n' .. me.id .. '_' .. i, i) end"));
  w->step(100);
  const auto events = told(*w);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NE(events[0].find("at most 16 names"), std::string::npos) << events[0];
  const std::vector<ColumnDoc> columns = w->columns("birds");
  EXPECT_EQ(std::count_if(columns.begin(), columns.end(), [](const ColumnDoc& c) { return c.name.starts_with("plot."); }), 16);
}

}  // namespace
}  // namespace volary
