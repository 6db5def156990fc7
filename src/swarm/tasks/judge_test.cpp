// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/tasks/judge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>

#include "swarm/tasks/make_task.hpp"

namespace volary::swarm {
namespace {

using P = Predicate;

P leaf(P::Test test) { return {std::move(test), {}}; }
P of(P::Test test, std::vector<P> parts) { return {std::move(test), std::move(parts)}; }
P at_origin(Who who = {}) { return leaf(P::Reached{who, {0, 0, 0}, 0.5}); }
P after(double time) { return leaf(P::TimeAfter{time}); }
TaskDef task(const char* name, P predicate, bool required = true, double deadline = 0) {
  return {name, std::make_shared<const P>(std::move(predicate)), required, deadline};
}

// a world of one flock that a test moves by hand, looked at ten times a second
struct Stage {
  std::vector<VehicleFact> vehicles;
  std::vector<HeardFact> heard;
  std::vector<SeenFact> seen;
  std::vector<EventFact> events;
  std::vector<LinkFact> links;
  std::uint64_t tick = 0;
  bool last = false;

  explicit Stage(std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) vehicles.push_back({.id = k + 1, .number = static_cast<std::int64_t>(k), .position = {10.0 * double(k + 1), 0, 0}});
  }
  // what happened is told once
  void show(Judge& judge) {
    const FlockFact flock{vehicles};
    judge.judge({tick, static_cast<double>(tick) * 0.1, {&flock, 1}, heard, seen, events, links, last});
    heard.clear(), seen.clear(), events.clear();
    ++tick;
  }
  void show(Judge& judge, int times) {
    for (int k = 0; k < times; ++k) show(judge);
  }
};

TaskState state(const Judge& judge, std::size_t k = 0) { return judge.results()[k].state; }

std::vector<std::byte> state_of(Judge& judge) {
  core::StateWriter writer;
  judge.each_state(writer);
  return writer.take();
}

}  // namespace

TEST(judge, a_task_is_judged_on_the_state_of_the_moment) {
  Judge judge({task("arrive", at_origin())});
  Stage s(2);
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Open);
  EXPECT_EQ(judge.results()[0].detail, "0 of 2 arrived; nearest missing 10.00 m");
  s.vehicles[0].position = {0.3, 0.4, 0};
  s.vehicles[1].position = {0, 0, 0.42 + 0.5};
  s.show(judge);
  EXPECT_EQ(judge.results()[0].detail, "1 of 2 arrived; nearest missing 0.92 m");
  s.vehicles[1].position = {0, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Done);
  EXPECT_EQ(judge.results()[0].since, 2u);
  ASSERT_EQ(judge.changes().size(), 2u);
  EXPECT_EQ(judge.changes()[0].what, "task done: arrive");
  EXPECT_EQ(judge.changes()[1].what, "mission complete");
  EXPECT_EQ(judge.changes()[1].task, kWholeMission);
  // it leaves: the task is open again, and a run that ended now would have failed, although the mission was complete
  s.vehicles[1].position = {9, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Open);
  EXPECT_EQ(judge.changes()[0].what, "task open again: arrive (1 of 2 arrived; nearest missing 9.00 m)");
  EXPECT_EQ(judge.completed_at(), 2u);
  EXPECT_FALSE(judge.is_accomplished());
}

TEST(judge, a_mission_is_complete_when_all_required_tasks_hold_at_one_moment) {
  Judge judge({task("first", at_origin({.ask = Who::Ask::Vehicle, .amount = 0})), task("second", at_origin({.ask = Who::Ask::Vehicle, .amount = 1})),
               task("nice to have", after(1000), false)});
  Stage s(2);
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge);
  s.vehicles[0].position = {5, 0, 0};
  s.vehicles[1].position = {0, 0, 0};
  s.show(judge);
  EXPECT_EQ(judge.completed_at(), kNotYet);
  EXPECT_FALSE(judge.is_accomplished());
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge);
  EXPECT_EQ(judge.completed_at(), 2u);
}

TEST(judge, eventually_latches_what_was_true_once) {
  Judge judge({task("was there", of(P::Eventually{}, {at_origin()}))});
  Stage s(1);
  s.show(judge);
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge);
  s.vehicles[0].position = {7, 0, 0};
  s.show(judge, 5);
  EXPECT_EQ(state(judge), TaskState::Done);
  EXPECT_EQ(judge.results()[0].since, 1u);
}

TEST(judge, always_fails_for_good_and_the_mission_with_it) {
  Judge judge({task("apart", of(P::Always{}, {leaf(P::Apart{0, 2})}))});
  Stage s(2);
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Holding);
  EXPECT_EQ(judge.completed_at(), kNotYet);
  s.vehicles[1].position = {11, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Failed);
  EXPECT_EQ(judge.changes()[0].what, "task failed: apart (not always: nearest two 1.00 m apart, 2.00 m wanted)");
  s.vehicles[1].position = {20, 0, 0};
  s.show(judge, 3);
  EXPECT_EQ(state(judge), TaskState::Failed);
  EXPECT_FALSE(judge.is_accomplished());
}

TEST(judge, held_counts_from_the_last_break) {
  Judge judge({task("stay", of(P::Held{0.5}, {at_origin()}))});
  Stage s(1);
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge, 5);  // 0 to 0.4 s
  EXPECT_EQ(state(judge), TaskState::Open);
  s.vehicles[0].position = {1, 0, 0};
  s.show(judge);
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge, 5);  // 0.6 to 1.0 s
  EXPECT_EQ(state(judge), TaskState::Open);
  s.show(judge);  // 1.1 s
  EXPECT_EQ(state(judge), TaskState::Done);
  s.vehicles[0].position = {1, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Open);
}

TEST(judge, after_its_deadline_a_task_has_failed_but_one_that_came_in_time_may_rest) {
  Judge judge({task("late", at_origin(), true, 0.3), task("early", leaf(P::SpeedBelow{{}, 1}), true, 0.3)});
  Stage s(1);
  s.show(judge, 4);  // the look at 0.3 s still counts
  EXPECT_EQ(state(judge, 0), TaskState::Open);
  EXPECT_EQ(state(judge, 1), TaskState::Done);
  s.vehicles[0].position = {0, 0, 0};
  s.vehicles[0].velocity = {2, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Failed);
  EXPECT_EQ(judge.results()[0].detail, "too late: 1 of 1 arrived");
  EXPECT_EQ(state(judge, 1), TaskState::Open);
}

TEST(judge, a_sequence_looks_at_a_part_only_when_its_turn_has_come) {
  // to the origin, and then away from it, for 0.2 s each and the second within 1 s of the first
  P away = of(P::Within{1}, {of(P::Held{0.2}, {of(P::Not{}, {at_origin()})})});
  Judge judge({task("there and back", of(P::Sequence{}, {of(P::Held{0.2}, {at_origin()}), std::move(away)}))});
  Stage s(1);
  s.show(judge, 30);  // it is away all the time, which must not count
  EXPECT_EQ(judge.results()[0].detail, "step 1 of 2: 0 of 1 arrived; nearest missing 10.00 m");
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge, 3);
  EXPECT_EQ(judge.results()[0].detail, "step 2 of 2: 1 of 1 arrived");
  s.vehicles[0].position = {3, 0, 0};
  s.show(judge, 2);
  EXPECT_EQ(state(judge), TaskState::Open);
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Done);
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Done);  // latched
}

TEST(judge, a_sequence_fails_when_a_step_is_too_late_after_the_one_before) {
  Judge judge({task("hurry", of(P::Sequence{}, {after(1), of(P::Within{0.5}, {at_origin()})}))});
  Stage s(1);
  s.show(judge, 16);  // 0 to 1.5 s
  EXPECT_EQ(state(judge), TaskState::Open);
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Failed);
}

TEST(judge, whoever_is_gone_cannot_arrive_but_a_count_may_do_without) {
  Judge judge({task("all", at_origin()), task("one", at_origin({.ask = Who::Ask::Count, .amount = 1})),
               task("half", at_origin({.ask = Who::Ask::Share, .amount = 0.5})), task("three alive", leaf(P::Alive{{.ask = Who::Ask::Count, .amount = 3}}))});
  Stage s(4);
  s.vehicles[3].alive = false;
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Failed);
  EXPECT_EQ(state(judge, 1), TaskState::Done);
  EXPECT_EQ(state(judge, 2), TaskState::Open);
  EXPECT_EQ(judge.results()[2].detail, "1 of 4 arrived (2 needed); nearest missing 20.00 m");
  EXPECT_EQ(state(judge, 3), TaskState::Holding);
  s.vehicles[1].position = {0, 0, 0};
  s.vehicles[2].alive = false;
  s.show(judge);
  EXPECT_EQ(state(judge, 2), TaskState::Done);
  EXPECT_EQ(state(judge, 3), TaskState::Open);
}

TEST(judge, a_message_that_was_heard_stays_heard) {
  constexpr std::uint32_t kFound = topic("found");
  Judge judge({task("anyone", leaf(P::Heard{{.ask = Who::Ask::Count, .amount = 1}, kFound})), task("all", leaf(P::Heard{{}, kFound})),
               task("seen", leaf(P::Detected{{.ask = Who::Ask::Vehicle, .amount = 1}, topic("person")}))});
  Stage s(2);
  s.heard = {{1, topic("state")}};
  s.seen = {{1, topic("person")}, {2, topic("beacon")}};
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Open);
  EXPECT_EQ(state(judge, 2), TaskState::Open);
  s.heard = {{2, kFound}};
  s.seen = {{2, topic("person")}};
  s.show(judge);
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Done);
  EXPECT_EQ(state(judge, 1), TaskState::Open);
  EXPECT_EQ(state(judge, 2), TaskState::Done);
  s.heard = {{1, kFound}};
  s.show(judge);
  EXPECT_EQ(state(judge, 1), TaskState::Done);
  // what a vehicle knew is lost with it
  s.vehicles[1].alive = false;
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Done) << "the other has heard it too";
  EXPECT_EQ(state(judge, 1), TaskState::Failed);
  EXPECT_EQ(state(judge, 2), TaskState::Failed);
}

TEST(judge, events_are_known_by_their_first_word) {
  Judge judge({task("safe", leaf(P::Happened{"crashed", false})), task("landed", leaf(P::Happened{"landed", true}))});
  Stage s(1);
  s.events = {{"landed"}, {"crashed_into_nothing"}};
  s.show(judge);
  EXPECT_TRUE(judge.is_accomplished());
  s.events = {{"crashed: into vehicle 3"}};
  s.show(judge);
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Failed);
  EXPECT_EQ(judge.results()[0].detail, "'crashed' happened");
  EXPECT_EQ(state(judge, 1), TaskState::Done);
}

TEST(judge, regions_heights_and_modes_are_asked_of_each_vehicle) {
  Judge judge({task("in", leaf(P::InRegion{{}, 3, true})), task("out", leaf(P::InRegion{{}, 0, false})), task("high", leaf(P::Altitude{{}, 2, true, false})),
               task("low over ground", leaf(P::Altitude{{}, 2, false, true})), task("landing", leaf(P::ModeIs{{}, Mode::Land}))});
  Stage s(2);
  for (VehicleFact& v : s.vehicles) v.regions = 1u << 3, v.position.z = 5, v.ground = 4, v.mode = Mode::Land;
  s.show(judge);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(state(judge, k), TaskState::Done) << k;
  s.vehicles[1].regions = 1;
  s.vehicles[1].position.z = 1;
  s.vehicles[1].ground = -4;
  s.vehicles[1].mode = Mode::Hold;
  s.show(judge);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(state(judge, k), TaskState::Open) << k;
  const FactsNeeded needs = judge.needs();
  EXPECT_TRUE(needs.regions && needs.ground);
  EXPECT_FALSE(needs.links || needs.heard || needs.seen || needs.events);
}

TEST(judge, a_flock_is_connected_over_any_number_of_hops) {
  Judge judge({task("linked", leaf(P::Connected{0}))});
  Stage s(4);
  s.links = {{1, 2}, {4, 3}, {2, 99}};
  s.show(judge);
  EXPECT_EQ(judge.results()[0].detail, "in 2 components, the largest with 2 of 4");
  s.links.push_back({3, 1});
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Done);
  s.vehicles[0].alive = false;  // the relay is gone
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Open);
}

TEST(judge, a_formation_is_a_formation_wherever_it_is_and_turned_only_if_that_is_allowed) {
  const std::vector<V3> offsets = {{0, 0, 0}, {-2, 1, 0}, {-2, -1, 0}};
  Judge judge({task("as drawn", leaf(P::Formation{0, offsets, 0.1, false})), task("any heading", leaf(P::Formation{0, offsets, 0.1, true}))});
  Stage s(3);
  for (std::size_t k = 0; k < 3; ++k) s.vehicles[k].position = offsets[k] + V3{100, -50, 20};
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Done);
  EXPECT_EQ(state(judge, 1), TaskState::Done);
  for (std::size_t k = 0; k < 3; ++k) s.vehicles[k].position = {-offsets[k].y, offsets[k].x, 7};
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Open);
  EXPECT_EQ(state(judge, 1), TaskState::Done);
  // one lags 0.3 m behind: the middle moves by 0.1, so it is 0.2 from its place
  for (std::size_t k = 0; k < 3; ++k) s.vehicles[k].position = offsets[k];
  s.vehicles[2].position.x -= 0.3;
  s.show(judge);
  EXPECT_EQ(judge.results()[0].detail, "worst 0.20 m from its place, 0.10 m allowed");
}

// seen from a leader that flies north, 2 m behind is 2 m south and 1 m to the left is 1 m west
TEST(judge, places_may_count_from_a_leader_along_its_course) {
  const std::vector<V3> offsets = {{0, 0, 0}, {-2, 1, 0}, {-2, -1, 0.5}};
  Judge judge({task("behind it", leaf(P::Formation{0, offsets, 0.1, false, 0}))});
  Stage s(3);
  s.vehicles[0].position = {50, 60, 7};
  s.vehicles[0].velocity = {0, 20, 1};
  s.vehicles[1].position = {49, 58, 7};
  s.vehicles[2].position = {51, 58, 7.5};
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Done);
  // one that lags moves no middle: all of its 0.3 m count
  s.vehicles[2].position.y -= 0.3;
  s.show(judge);
  EXPECT_EQ(judge.results()[0].detail, "worst 0.30 m from its place, 0.10 m allowed");
  s.vehicles[2].position.y += 0.3;
  s.vehicles[0].velocity = {20, 0, 0};
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Open) << "it turned, and the places with it";
  s.vehicles[0].velocity = {0, 0, 0};
  s.show(judge);
  EXPECT_EQ(judge.results()[0].detail, "no vehicle is there") << "without a course there are no places";
  s.vehicles[0].velocity = {0, 20, 0};
  s.vehicles[0].alive = false;
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Open);
}

TEST(judge, a_path_is_kept_by_those_that_are_near_where_their_mission_wants_them) {
  Judge judge({task("on path", of(P::Always{}, {leaf(P::Tracking{{}, 2})}))});
  EXPECT_TRUE(judge.needs().off_path);
  Stage s(2);
  for (VehicleFact& v : s.vehicles) v.off_path = 1.5;
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Holding);
  EXPECT_EQ(judge.results()[0].detail, "2 of 2 on their paths, 2.00 m allowed");
  s.vehicles[1].off_path = 2.5;
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Failed);
  EXPECT_EQ(judge.results()[0].detail, "not always: 1 of 2 on their paths; nearest of the others 2.50 m, 2.00 m allowed");
  // who is on no mission keeps to no path
  Judge other({task("on path", leaf(P::Tracking{{}, 1e6}))});
  Stage idle(1);
  idle.show(other);
  EXPECT_EQ(state(other), TaskState::Open);
}

TEST(judge, coverage_and_order_are_of_the_flock) {
  Judge judge({task("all over", leaf(P::Covered{kEveryFlock, {0, 0}, {4, 4}, 1.5, 1, 0.75})), task("one way", leaf(P::OrderAbove{0, 0.9}))});
  Stage s(1);
  s.vehicles[0].velocity = {1, 0, 0};
  s.vehicles[0].position = {1, 1, 0};
  s.show(judge);
  EXPECT_EQ(state(judge, 0), TaskState::Open);
  EXPECT_EQ(state(judge, 1), TaskState::Done);
  for (const V3 corner : {V3{3, 1, 0}, V3{3, 3, 0}, V3{1, 3, 0}, V3{50, 50, 0}}) {
    s.vehicles[0].position = corner;
    s.show(judge);
  }
  EXPECT_EQ(state(judge, 0), TaskState::Done);
}

TEST(judge, a_task_may_name_one_that_comes_later_in_the_list) {
  Judge judge({task("both", of(P::AllOf{}, {leaf(P::TaskIs{1}), after(0)})), task("other", at_origin(), false)});
  Stage s(1);
  s.show(judge);
  EXPECT_EQ(judge.results()[0].detail, "task 'other' is open");
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge);
  EXPECT_EQ(judge.completed_at(), 1u);
  ASSERT_EQ(judge.changes().size(), 3u);
  EXPECT_EQ(judge.changes()[0].what, "task done: both");  // told in the order of the definition
}

TEST(judge, a_snapshot_in_the_middle_goes_on_to_the_same_hash) {
  const std::vector<TaskDef> tasks = {task("tour", of(P::Sequence{}, {of(P::Held{0.3}, {at_origin()}), of(P::Within{2}, {of(P::Not{}, {at_origin()})})})),
                                      task("cover", leaf(P::Covered{kEveryFlock, {-2, -2}, {12, 2}, 1, 0.5, 0.9})), task("heard", leaf(P::Heard{{}, 5}))};
  const auto fly = [](Stage& s, Judge& judge, int from, int to) {
    for (int k = from; k < to; ++k) {
      s.vehicles[0].position = {k < 20 ? 0.02 * k : 0.5 * (k - 20), 0, 0};
      if (k == 8) s.heard = {{1, 5}};
      s.show(judge);
    }
  };
  Judge whole(tasks), first(tasks), second(tasks);
  Stage a(2), b(2);
  fly(a, whole, 0, 40);
  fly(b, first, 0, 10);
  const std::vector<std::byte> bytes = state_of(first);
  core::StateReader reader(bytes);
  second.each_state(reader);
  ASSERT_TRUE(reader.whole());
  EXPECT_EQ(second.hash(), first.hash());
  EXPECT_EQ(second.results()[0].detail, first.results()[0].detail);
  fly(b, second, 10, 40);
  ASSERT_TRUE(second.fits());
  EXPECT_EQ(second.hash(), whole.hash());
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    EXPECT_EQ(state(second, k), state(whole, k)) << k;
    EXPECT_EQ(second.results()[k].detail, whole.results()[k].detail) << k;
  }
  EXPECT_NE(first.hash(), whole.hash());
}

TEST(judge, a_snapshot_of_other_tasks_is_refused) {
  Judge a({task("x", at_origin())}), b({task("x", of(P::Not{}, {at_origin()}))});
  const std::vector<std::byte> bytes = state_of(a);
  core::StateReader reader(bytes);
  b.each_state(reader);
  EXPECT_FALSE(b.fits());
}

TEST(judge, a_safety_task_holds_until_the_run_ends_and_is_done_then) {
  Judge judge({task("stay", of(P::Always{}, {at_origin()})), task("calm", leaf(P::Happened{"crashed", false}))});
  Stage s(1);
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge, 3);
  for (const TaskResult& r : judge.results()) EXPECT_EQ(r.state, TaskState::Holding) << r.name;
  EXPECT_EQ(judge.results()[0].since, 0u);
  EXPECT_EQ(judge.completed_at(), kNotYet);
  EXPECT_TRUE(judge.is_accomplished()) << "if the run ended now";
  s.last = true;
  s.show(judge);
  ASSERT_EQ(judge.changes().size(), 3u);
  EXPECT_EQ(judge.changes()[0].what, "task done: stay");
  EXPECT_EQ(judge.changes()[1].what, "task done: calm");
  EXPECT_EQ(judge.changes()[2].what, "mission complete");
  EXPECT_EQ(judge.completed_at(), 3u);
  for (const TaskResult& r : judge.results(3)) EXPECT_TRUE(r.state == TaskState::Done && r.since == 3) << r.name;
}

TEST(judge, a_safety_task_announces_that_it_holds_and_nothing_else) {
  Judge judge({task("nobody lost", leaf(P::Happened{"crashed", false})), task("all alive", leaf(P::Alive{}), true, 5),
               task("not one crash", of(P::Not{}, {leaf(P::Happened{"crashed", true})})),
               task("one of them", of(P::AnyOf{}, {leaf(P::Alive{}), of(P::Not{}, {of(P::Eventually{}, {at_origin()})})})),
               task("all of it", of(P::AllOf{}, {leaf(P::TaskIs{0}), leaf(P::TaskIs{1})}))});
  Stage s(1);
  s.show(judge);
  ASSERT_EQ(judge.changes().size(), 5u);
  for (const TaskChange& c : judge.changes()) {
    EXPECT_TRUE(c.what.starts_with("task holding: ")) << c.what;
    EXPECT_EQ(c.state, TaskState::Holding);
  }
  s.show(judge, 5);
  EXPECT_TRUE(judge.changes().empty());
}

TEST(judge, a_mission_with_a_goal_is_complete_when_the_goal_is_done_while_safety_holds) {
  Judge judge({task("arrive", at_origin()), task("nobody lost", leaf(P::Happened{"crashed", false}))});
  Stage s(1);
  s.show(judge, 2);
  EXPECT_EQ(judge.completed_at(), kNotYet);
  s.vehicles[0].position = {0, 0, 0};
  s.show(judge);
  ASSERT_EQ(judge.changes().size(), 2u);
  EXPECT_EQ(judge.changes()[1].what, "mission complete");
  EXPECT_EQ(state(judge, 1), TaskState::Holding);
  s.events = {{"crashed: into the ground"}};
  s.show(judge);
  EXPECT_EQ(judge.changes()[0].what, "task failed: nobody lost ('crashed' happened)");
  EXPECT_FALSE(judge.is_accomplished());
}

// every condition that one vehicle or the flock satisfied before they crashed
TEST(judge, a_flock_of_wrecks_satisfies_nothing) {
  const std::vector<V3> offsets = {{10, 0, 0}, {20, 0, 0}};
  std::vector<TaskDef> tasks = {task("reached", leaf(P::Reached{{}, {15, 0, 0}, 9})),
                                task("inside", leaf(P::InRegion{{}, 0, true})),
                                task("outside", leaf(P::InRegion{{}, 1, false})),
                                task("high", leaf(P::Altitude{{}, -1, true, false})),
                                task("low", leaf(P::Altitude{{}, 1, false, false})),
                                task("tracking", leaf(P::Tracking{{}, 1})),
                                task("slow", leaf(P::SpeedBelow{{}, 5})),
                                task("mode", leaf(P::ModeIs{{}, Mode::Hold})),
                                task("alive", leaf(P::Alive{})),
                                task("heard", leaf(P::Heard{{}, 5})),
                                task("detected", leaf(P::Detected{{.ask = Who::Ask::Count, .amount = 1}, 6})),
                                task("apart", leaf(P::Apart{0, 2})),
                                task("order", leaf(P::OrderAbove{0, 0.9})),
                                task("connected", leaf(P::Connected{0})),
                                task("formation", leaf(P::Formation{0, offsets, 0.5, false}))};
  Judge judge(tasks);
  Stage s(2);
  for (VehicleFact& v : s.vehicles) v.regions = 1, v.velocity = {3, 0, 0}, v.off_path = 0.5;
  s.heard = {{1, 5}, {2, 5}};
  s.seen = {{1, 6}};
  s.links = {{1, 2}};
  s.show(judge);
  for (std::size_t k = 0; k < tasks.size(); ++k) ASSERT_TRUE(state(judge, k) == TaskState::Done || state(judge, k) == TaskState::Holding) << tasks[k].name;
  // and one of the two alone cannot satisfy it for both
  Judge half(tasks);
  for (const bool both : {false, true}) {
    for (VehicleFact& v : s.vehicles) v.alive = !(both || v.id == 2), v.crashed = !v.alive;
    Judge& looked = both ? judge : half;
    s.show(looked);
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      const TaskState now = looked.results()[k].state;
      if (!both && (tasks[k].name == "detected" || tasks[k].name == "apart")) continue;  // one that flies is enough for these
      EXPECT_TRUE(now == TaskState::Open || now == TaskState::Failed) << tasks[k].name << both;
    }
  }
  EXPECT_EQ(judge.results()[8].detail, "0 of 2 alive");
  EXPECT_EQ(half.results()[14].detail, "1 crashed; worst 0.00 m from its place, 0.50 m allowed");
}

TEST(judge, two_that_have_collided_are_not_apart) {
  Judge judge({task("apart", leaf(P::Apart{0, 2}))});
  Stage s(3);
  s.vehicles[1].position = s.vehicles[0].position;
  for (const std::size_t k : {0u, 1u}) s.vehicles[k].alive = false, s.vehicles[k].crashed = true;
  s.show(judge);
  EXPECT_EQ(state(judge), TaskState::Open);
  EXPECT_EQ(judge.results()[0].detail, "nearest two 0.00 m apart, 2.00 m wanted");
}

// De Morgan, whatever the parts: not any_of = all_of not, in verdicts that stay as in those that do not
RC_GTEST_PROP(judge, not_any_is_all_not, ()) {
  const auto times = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
  RC_PRE(!times.empty());
  std::vector<P> plain, turned;
  for (const int t : times) {
    P p = t % 3 == 0   ? of(P::Always{}, {of(P::Not{}, {after(0.1 * t)})})
          : t % 3 == 1 ? after(0.1 * t)
                       : at_origin({.ask = Who::Ask::Vehicle, .amount = double(t % 2)});
    plain.push_back(p);
    turned.push_back(of(P::Not{}, {p}));
  }
  Judge judge({task("a", of(P::Not{}, {of(P::AnyOf{}, plain)})), task("b", of(P::AllOf{}, turned))});
  Stage s(2);
  for (int k = 0; k < 12; ++k) {
    s.vehicles[0].position = {k % 4 == 1 ? 0.0 : 9.0, 0, 0};
    s.show(judge);
    RC_ASSERT(state(judge, 0) == state(judge, 1));
  }
}

}  // namespace volary::swarm
