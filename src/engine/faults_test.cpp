// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of actuators and links: what each kind does, who is told, and that they are state like everything else.
#include "engine/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/faults_test_support.hpp"

namespace volary {
namespace {

using test::give;
using test::has;
using test::hexacopter;
using test::holding;
using test::make;
using test::told;

double rotor_speed(const World& w, std::size_t rotor, std::size_t vehicle = 0) {
  const auto view = w.view("birds", "rotor_speed");
  return view.at(vehicle, rotor);
}

TEST(faults, a_rotor_that_is_off_stops_and_one_that_is_stuck_keeps_its_speed) {
  auto w = make(holding(2));
  w->step(100);
  const double held = rotor_speed(*w, 1, 1);
  give(*w, {.component = "rotor[0]", .kind = FaultKind::Off}, 0);
  give(*w, {.component = "rotor[1]", .kind = FaultKind::Stuck}, 1);
  w->step(60);
  EXPECT_LT(rotor_speed(*w, 0, 0), 1);
  EXPECT_NEAR(rotor_speed(*w, 1, 1), held, 1e-3 * held);
  const std::vector<std::string> events = told(*w);
  EXPECT_TRUE(has(events, "fault: rotor[0] off"));
  EXPECT_TRUE(has(events, "fault: rotor[1] stuck"));
}

TEST(faults, a_fault_ends_after_its_duration_or_when_it_is_cleared) {
  auto w = make(holding(2));
  w->step(50);
  give(*w, {.component = "rotor[0]", .kind = FaultKind::Scale, .amount = {0.95, 0, 0}, .duration = 0.5}, 0);
  give(*w, {.component = "rotor[0]", .kind = FaultKind::Scale, .amount = {0.95, 0, 0}}, 1);
  w->step(49);
  EXPECT_FALSE(has(told(*w), "fault ended"));
  w->step(3);
  EXPECT_TRUE(has(told(*w), "fault ended: rotor[0]"));
  give(*w, {.component = "rotor[0]", .kind = FaultKind::None}, 1);
  w->step(2);
  EXPECT_TRUE(has(told(*w), "fault ended: rotor[0]"));
  w->step(500);
  for (const VehicleId id : w->vehicles()) EXPECT_NEAR(w->position_of(id)[2], 20, 0.1);
}

TEST(faults, a_quadrotor_that_loses_a_rotor_crashes_with_an_event) {
  auto w = make(holding(1));
  w->step(100);
  give(*w, {.component = "rotor[2]", .kind = FaultKind::Off});
  w->step(800);
  EXPECT_TRUE(has(told(*w), "crashed: into the ground"));
  EXPECT_EQ(w->condition_of(w->vehicles()[0]), Condition::Crashed);
}

TEST(faults, a_hexacopter_that_loses_a_rotor_drops_it_from_its_allocation_and_lands) {
  WorldDef def = holding(1);
  def.flocks[0].airframe = hexacopter();
  def.flocks[0].failsafe.telemetry = true;
  def.flocks[0].failsafe.rotor_lost = {0, FailsafeAction::Land};
  auto w = make(def);
  w->step(100);
  give(*w, {.component = "rotor[2]", .kind = FaultKind::Off});
  w->step(6000);
  const std::vector<std::string> events = told(*w);
  EXPECT_TRUE(has(events, "lost rotor[2]: the other rotors carry it, failsafe: land")) << ::testing::PrintToString(events);
  EXPECT_FALSE(has(events, "crashed")) << ::testing::PrintToString(events);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Disarmed);
}

TEST(faults, a_quadrotor_with_telemetry_that_loses_a_rotor_is_stopped) {
  WorldDef def = holding(1);
  def.flocks[0].failsafe.telemetry = true;
  def.flocks[0].failsafe.rotor_lost = {0, FailsafeAction::Land};
  auto w = make(def);
  w->step(100);
  give(*w, {.component = "rotor[2]", .kind = FaultKind::Off});
  w->step(800);
  const std::vector<std::string> events = told(*w);
  EXPECT_TRUE(has(events, "lost rotor[2]: the other rotors cannot carry it, failsafe: stop")) << ::testing::PrintToString(events);
  EXPECT_TRUE(has(events, "crashed: into the ground"));
}

TEST(faults, nobody_else_flies_otherwise_when_one_vehicle_has_a_fault) {
  auto plain = make(holding(40)), faulty = make(holding(40));
  give(*faulty, {.component = "rotor[0]", .kind = FaultKind::Noise, .amount = {0.05, 0, 0}}, 7);
  plain->step(300), faulty->step(300);
  int differ = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    const bool same = plain->hash_of(plain->vehicles()[k]) == faulty->hash_of(faulty->vehicles()[k]);
    EXPECT_EQ(same, k != 7) << k;
    differ += same ? 0 : 1;
  }
  EXPECT_EQ(differ, 1);
}

TEST(faults, every_kind_acts_on_a_rotor_and_leaves_finite_numbers) {
  const SetFault all[] = {{"rotor[0]", FaultKind::Off, {}, 0, 0, 0, 0},
                          {"rotor[0]", FaultKind::Stuck, {}, 0, 0, 0, 0},
                          {"rotor[0]", FaultKind::Bias, {-0.1, 0, 0}, 0, 0, 0, 0},
                          {"rotor[0]", FaultKind::Drift, {-0.05, 0, 0}, 0, 0, 0, 0},
                          {"rotor[0]", FaultKind::Scale, {0.7, 0, 0}, 0, 0, 0, 0},
                          {"rotor[0]", FaultKind::Noise, {0.1, 0, 0}, 0, 0, 0, 0},
                          {"rotor[0]", FaultKind::Delay, {0.05, 0, 0}, 0, 0, 0, 0},
                          {"rotor[0]", FaultKind::DropOut, {}, 0.3, 0, 0, 0},
                          {"rotor[0]", FaultKind::Intermittent, {}, 0, 0.1, 0.2, 0}};
  WorldDef def = holding(static_cast<int>(std::size(all)) + 1);
  def.environment.gust_sigma = 0.3;  // so that a delay has something to be late for
  auto w = make(def), calm = make(def);
  for (std::size_t k = 0; k < std::size(all); ++k) give(*w, all[k], k);
  w->step(150), calm->step(150);
  for (std::size_t k = 0; k < std::size(all); ++k) {
    const VehicleId id = w->vehicles()[k];
    EXPECT_NE(w->hash_of(id), calm->hash_of(calm->vehicles()[k])) << "kind " << k;
    EXPECT_TRUE(w->is_alive(id));
    EXPECT_TRUE(std::isfinite(w->position_of(id)[2]));
  }
  EXPECT_EQ(w->hash_of(w->vehicles().back()), calm->hash_of(calm->vehicles().back()));
}

TEST(faults, snapshots_keep_them_and_a_branch_flies_the_same) {
  WorldDef def = holding(20);
  auto w = make(def);
  give(*w, {.component = "rotor[0]", .kind = FaultKind::Delay, .amount = {0.06, 0, 0}}, 3);
  give(*w, {.component = "rotor[1]", .kind = FaultKind::Noise, .amount = {0.1, 0, 0}, .mean_on = 0.2, .mean_off = 0.1}, 4);
  w->step(100);
  const auto s = w->snapshot();
  w->step(150);
  const std::uint64_t then = w->hash();
  w->step(50);
  ASSERT_TRUE(w->restore(*s));
  w->step(150);
  EXPECT_EQ(w->hash(), then);
  auto other = make(def);
  ASSERT_TRUE(other->restore(*s));
  other->step(150);
  EXPECT_EQ(other->hash(), then);
}

TEST(faults, a_reset_ends_them) {
  WorldDef def = holding(4);
  auto w = make(def), fresh = make(def);
  w->step(20);
  give(*w, {.component = "rotor[0]", .kind = FaultKind::Scale, .amount = {0.8, 0, 0}}, 1);
  w->step(100);
  const std::uint8_t mask[] = {1};
  const std::uint32_t episode[] = {0};
  w->reset(mask, episode);
  w->step(200), fresh->step(200);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(w->hash_of(w->vehicles()[k]), fresh->hash_of(fresh->vehicles()[k]));
}

TEST(faults, planned_ones_come_at_their_time_in_every_world_of_a_batch) {
  WorldDef def = holding(3);
  def.faults.planned = {{0.5, "birds", 1, {.component = "rotor[3]", .kind = FaultKind::Off}}};
  def.worlds = 2;
  auto w = make(def);
  w->step(50);
  EXPECT_FALSE(has(told(*w), "fault:"));
  w->step(1);
  const std::vector<std::string> events = told(*w);
  EXPECT_EQ(std::count(events.begin(), events.end(), "fault: rotor[3] off"), 2);
}

TEST(faults, a_component_that_a_flock_does_not_have_is_an_error) {
  WorldDef def = holding(1);
  def.faults.planned = {{0.5, "birds", 0, {.component = "rotor[7]", .kind = FaultKind::Off}}};
  std::string error;
  EXPECT_EQ(World::create(def, {}, &error), nullptr);
  EXPECT_NE(error.find("no vehicle of flock 'birds' has 'rotor[7]'"), std::string::npos) << error;
  auto w = make(holding(1));
  Input in;
  in.payload = SetFault{.component = "roter[0]"};
  const Submitted s = w->submit(in);
  EXPECT_FALSE(s);
  EXPECT_NE(s.why.find("rotor"), std::string::npos) << s.why;
}

TEST(faults, random_schedules_follow_from_seed_and_vehicle_alone) {
  RandomFaultsDef def{.per_vehicle = 2, .components = {"rotor[0]", "link"}, .kinds = {FaultKind::Off, FaultKind::Scale}, .from = 1, .until = 9};
  const auto key = math::world_key(3, 0);
  const auto a = engine::draw_schedule(def, def.components, 30, key, 5), b = engine::draw_schedule(def, def.components, 30, key, 5);
  ASSERT_EQ(a.size(), b.size());
  double n = 0;
  std::set<std::string> seen;
  for (std::uint64_t id = 0; id < 4000; ++id)
    for (const DrawnFault& f : engine::draw_schedule(def, def.components, 30, key, id)) {
      n += 1;
      EXPECT_TRUE(f.time >= 1 && f.time <= 9 && f.severity >= 0.1 && f.severity <= 1);
      seen.insert(f.fault.component + std::to_string(static_cast<int>(f.fault.kind)));
    }
  EXPECT_NEAR(n / 4000, 2, 0.1);  // a Poisson number: its mean is known to 0.022
  EXPECT_EQ(seen.size(), 4u);
}

// edges of the graph of who remembers whom: 0 where it has several components
double connected(const World& w) { return w.swarm_report().algebraic_connectivity.value_or(-1); }

TEST(faults, a_link_that_is_off_neither_sends_nor_hears) {
  auto w = make(test::talking(6));
  w->step(200);
  EXPECT_GT(connected(*w), 0.5);
  give(*w, {.component = "link", .kind = FaultKind::Off, .duration = 3}, 2);
  w->step(250);
  EXPECT_NEAR(connected(*w), 0, 1e-6);  // nobody remembers it any more
  w->step(250);
  EXPECT_GT(connected(*w), 0.5);
}

TEST(faults, a_link_with_drop_out_loses_its_share_and_one_with_delay_is_late) {
  const auto age = [](SetFault p) {
    WorldDef def = test::talking(2);
    def.flocks[0].node.forget = 30;
    auto w = make(def);
    for (std::size_t k = 0; k < 2; ++k) give(*w, p, k);
    w->step(2000);
    return w->swarm_report().age_mean.value_or(-1);
  };
  const double fine = age({.component = "link", .kind = FaultKind::Bias, .amount = {0, 0, 0}});
  // states come ten times a second: nine of ten lost, one a second is left
  EXPECT_GT(age({.component = "link", .kind = FaultKind::DropOut, .probability = 0.9}), fine + 0.4);
  EXPECT_NEAR(age({.component = "link", .kind = FaultKind::Delay, .amount = {0.5, 0, 0}}), fine + 0.5, 0.1);
}

TEST(faults, a_vehicle_that_hears_nobody_follows_the_rule_of_its_flock) {
  WorldDef def = test::talking(4);
  def.environment.gust_sigma = 0;
  def.flocks[0].failsafe.link_lost = {2, FailsafeAction::Land};
  auto w = make(def);
  w->step(200);
  give(*w, {.component = "link", .kind = FaultKind::Off}, 1);
  w->step(4000);
  const std::vector<std::string> events = told(*w);
  EXPECT_EQ(std::count_if(events.begin(), events.end(), [](const std::string& s) { return s.starts_with("link lost:"); }), 1) << ::testing::PrintToString(events);
  EXPECT_EQ(w->mode_of(w->vehicles()[1]), Mode::Disarmed);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Hold);
}

TEST(faults, what_can_fail_is_listed_and_every_part_of_it_is_taken) {
  auto quad = make(holding(1));
  std::vector<std::string> listed;
  for (const ComponentDoc& c : quad->components_of(quad->vehicles()[0])) listed.push_back(c.name);
  EXPECT_EQ(listed, (std::vector<std::string>{"rotor[0]", "rotor[1]", "rotor[2]", "rotor[3]", "link"}));
  for (const std::string& name : listed) give(*quad, {.component = name, .kind = FaultKind::Bias, .amount = {0.01, 0, 0}});
  quad->step(2);
  const std::vector<SetFault> now = quad->faults_of(quad->vehicles()[0]);
  ASSERT_EQ(now.size(), listed.size());
  for (std::size_t k = 0; k < now.size(); ++k) {
    EXPECT_EQ(now[k].component, listed[k]);
    EXPECT_EQ(now[k].kind, FaultKind::Bias);
    EXPECT_EQ(now[k].amount[0], 0.01);
  }
  WorldDef six = holding(1);
  six.flocks[0].airframe = hexacopter();
  auto hexa = make(six);
  EXPECT_EQ(hexa->components_of(hexa->vehicles()[0]).size(), 7u);
  EXPECT_TRUE(hexa->components_of({12345}).empty());
  EXPECT_TRUE(hexa->faults_of({12345}).empty());
}

TEST(faults, troubles_are_one_entry_for_each_vehicle_that_has_any) {
  WorldDef def = holding(4);
  def.flocks[0].failsafe.telemetry = true;
  auto w = make(def);
  w->step(10);
  EXPECT_TRUE(w->troubles().empty());
  // one falls with two faults and a failsafe, one has a fault that ends, two are fine
  give(*w, {.component = "rotor[0]", .kind = FaultKind::Off}, 1);
  give(*w, {.component = "link", .kind = FaultKind::Off}, 1);
  give(*w, {.component = "link", .kind = FaultKind::Off, .duration = 0.5}, 3);
  w->step(20);
  std::vector<Trouble> all = w->troubles();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].vehicle, w->vehicles()[1]);
  EXPECT_EQ(all[0].failsafe, FailsafeAction::Stop);
  EXPECT_EQ(all[0].condition, Condition::Fine);
  EXPECT_TRUE(all[0].has_fault);
  EXPECT_EQ(all[1].vehicle, w->vehicles()[3]);
  EXPECT_EQ(all[1].failsafe, FailsafeAction::None);
  w->step(600);
  all = w->troubles();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].condition, Condition::Crashed);
  Input gone;
  gone.target = all[0].vehicle;
  gone.payload = Remove{};
  ASSERT_TRUE(w->submit(gone));
  w->step(2);
  EXPECT_TRUE(w->troubles().empty());
}

}  // namespace
}  // namespace volary
