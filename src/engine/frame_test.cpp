// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The published frame shows what is in the columns, whoever wrote there.
#include <gtest/gtest.h>

#include <map>

#include "engine/backend.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/reynolds.hpp"

namespace volary::engine {
namespace {

// birds that talk, decide, see and touch, and more of them in a second flock
WorldDef crowd(ContactPolicy policy, Precision precision) {
  WorldDef w = test::talking(20);
  w.precision = precision;
  FlockDef& f = w.flocks[0];
  f.node.decision_rate = 20;
  f.node.detection = {.range = 9, .rate = 20};
  f.node.contact = {policy, 0.15, 0.5};
  f.node.behaviours = {test::behaviour<swarm::Reynolds>()};
  const VehicleDef first = f.vehicles[0];
  FlockDef more = f;
  more.name = "more";
  for (VehicleDef& v : more.vehicles) v.position_W[2] = 14;
  more.vehicles.resize(7);
  w.flocks.push_back(more);
  // two that meet, and one that falls to the ground
  for (const double side : {-1.0, 1.0}) {
    VehicleDef v = first;
    v.position_W = {50 + 2 * side, 0, 30};
    v.velocity_W = {-8 * side, 0, 0};
    v.mode = Mode::EmergencyStop;
    w.flocks[1].vehicles.push_back(v);
  }
  VehicleDef falling = first;
  falling.position_W = {80, 0, 1};
  falling.mode = Mode::EmergencyStop;
  w.flocks[0].vehicles.push_back(falling);
  return w;
}

template <class P> void give(Data& d, std::uint64_t number, P payload) { ASSERT_TRUE(submit(d, {.target = {number}, .payload = std::move(payload)})); }

// what may happen to a vehicle from outside
void disturb(Data& d) {
  switch (d.tick) {
    case 3: return give(d, 5, SetSetpoint{.level = ControlLevel::Position, .position_W = {3, 3, 12}}), give(d, 6, SetMode{Mode::Land});
    case 5: return give(d, 7, SetState{.position_W = {1e4 + 0.1234567, -3, 20}, .velocity_W = {1, 2, 3}}), give(d, 7, SetMode{Mode::Hold});
    case 7: return give(d, 8, Remove{}), give(d, 9, SetWind{{3, 2, 1}});
    case 9: submit(d, {.payload = Spawn{"birds", {.position_W = {-5, -5, 12}}}}); return;
    case 11: return give(d, 10, Remove{}), give(d, 11, SetMode{Mode::EmergencyStop});
    case 13: submit(d, {.payload = SetMany{.what = Many::Velocity, .flock = "more", .values = std::vector<double>(4 * d.flocks[1].slots, 0.5)}}); return;
    case 15: return give(d, 12, SetParameter{"inv_mass", 0, 1e12});  // its numbers will go bad
    case 25: submit(d, {.payload = SetWind{{0, 4, 0}}}); return;
    default: return;
  }
}

void expect_the_columns(const Data& d) {
  std::size_t living = 0;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const Flock& f = d.flocks[k];
    for (std::size_t s = 0; s < f.slots; ++s) {
      const bool lives = f.ids[s] && locate(d, f.ids[s]) != nullptr;
      const std::uint32_t at = d.frame.place_of[k][s];
      ASSERT_EQ(at != Frame::kNobody, lives);
      if (!lives) continue;
      ++living;
      ASSERT_EQ(d.frame.find(f.ids[s].number()), at);
      EXPECT_EQ(d.frame.position[at], f.vec(s, *f.shown.position)) << f.names[s];
      EXPECT_EQ(d.frame.velocity[at], f.vec(s, *f.shown.velocity)) << f.names[s];
      EXPECT_EQ(d.frame.status[at], f.status(s)) << f.names[s];
      EXPECT_EQ(d.frame.level[at], f.word(s, f.shown.level->row)) << f.names[s];
      for (int c = 0; c < 4; ++c) EXPECT_EQ(d.frame.attitude[at][static_cast<std::size_t>(c)], f.value(s, f.shown.attitude->row + c)) << f.names[s];
    }
  }
  EXPECT_EQ(d.frame.size(), living);
}

TEST(frame, shows_the_columns_after_every_tick_whatever_inputs_decisions_and_contacts_wrote) {
  for (const ContactPolicy policy : {ContactPolicy::Crash, ContactPolicy::Bounce, ContactPolicy::Remove})
    for (const Precision precision : {Precision::Float, Precision::Double}) {
      Data d;
      ASSERT_TRUE(build(d, crowd(policy, precision), {.threads = 2, .force_split = true}));
      std::map<std::string, int> told;
      for (int tick = 0; tick < 60; ++tick) {
        disturb(d);
        step(d);
        expect_the_columns(d);
        ASSERT_FALSE(testing::Test::HasFailure()) << "tick " << tick << ", policy " << static_cast<int>(policy);
      }
      for (const Event& e : d.events) ++told[e.what.substr(0, e.what.find(':'))];
      EXPECT_EQ(told["diverged"], 1);
      EXPECT_EQ(told["spawned"], 1);
      EXPECT_GT(told["crashed"] + told["lost"] + told["touched"], 0);
    }
}

TEST(frame, holds_the_way_of_the_tick_where_vehicles_touch) {
  Data d;
  ASSERT_TRUE(build(d, crowd(ContactPolicy::Remove, Precision::Float), {}));
  step(d);
  for (int tick = 1; tick < 40; ++tick) {
    std::map<std::uint64_t, Vec> before;
    for (std::size_t at = 0; at < d.frame.size(); ++at) before[d.frame.id[at]] = d.frame.position[at];
    step(d);
    for (std::size_t at = 0; at < d.frame.size(); ++at) EXPECT_EQ(d.frame.from[at], before.at(d.frame.id[at]));
  }
}

TEST(frame, is_written_only_where_somebody_reads_it) {
  Data d;
  ASSERT_TRUE(build(d, test::circling(20), {}));
  step(d);
  EXPECT_EQ(d.frame.asked, 0u);
  EXPECT_TRUE(d.frame.position.empty());
  // who looks from outside finds it nevertheless
  present(d, shows::kMotion);
  EXPECT_EQ(d.frame.position[3], d.flocks[0].vec(3, *d.flocks[0].shown.position));
  step(d);
  EXPECT_EQ(position_of(d, 0, 3), d.flocks[0].vec(3, *d.flocks[0].shown.position)) << "an old frame must not be believed";
}

// ---------------------------------------------------------------- views from outside

const Vec* rows_of(const FrameView& v) { return static_cast<const Vec*>(v.pointer); }

TEST(frame, a_view_stays_in_place_and_shows_every_tick_until_somebody_comes_or_goes) {
  auto seen = test::make(crowd(ContactPolicy::Bounce, Precision::Float), {.threads = 2}), unseen = test::make(crowd(ContactPolicy::Bounce, Precision::Float), {.threads = 2});
  seen->keep_views();
  const FrameView position = seen->frame("position"), velocity = seen->frame("velocity"), id = seen->frame("id");
  ASSERT_EQ(position.rows, seen->n_vehicles());
  for (int tick = 0; tick < 30; ++tick) {
    seen->step(), unseen->step();
    ASSERT_EQ(seen->hash(), unseen->hash()) << "looking changes nothing";
    EXPECT_EQ(seen->frame("position").pointer, position.pointer);
    for (std::size_t at = 0; at < position.rows; ++at) {
      const VehicleId who{static_cast<const std::uint64_t*>(id.pointer)[at]};
      EXPECT_EQ(rows_of(position)[at], unseen->position_of(who));
      EXPECT_EQ(rows_of(velocity)[at], unseen->velocity_of(who));
    }
  }
  EXPECT_EQ(seen->frame_generation(), position.generation);
}

TEST(frame, a_view_that_was_kept_over_growth_is_known_as_old_and_still_readable) {
  auto w = test::make(test::circling(20));
  w->keep_views();
  const FrameView old = w->frame("position"), ids = w->frame("id");
  const View raw = w->view(w->flocks()[0], "position");
  w->step();
  const Vec last = rows_of(old)[3];
  const double last_raw = raw.at(3);
  for (int k = 0; k < 500; ++k) w->submit({.payload = Spawn{w->flocks()[0], {.position_W = {1.0 * k, 50, 12}}}});
  w->step();
  EXPECT_NE(w->frame_generation(), old.generation);
  EXPECT_NE(w->view(w->flocks()[0], "position").generation, raw.generation);
  const FrameView now = w->frame("position");
  EXPECT_EQ(now.rows, 520u);
  EXPECT_NE(now.pointer, old.pointer);
  EXPECT_EQ(rows_of(old)[3], last);
  EXPECT_EQ(raw.at(3), last_raw);
  EXPECT_EQ(static_cast<const std::uint64_t*>(ids.pointer)[3], 4u);
  EXPECT_NE(rows_of(now)[3], last);
  w->submit({.target = w->vehicles()[0], .payload = Remove{}});
  w->step();
  EXPECT_NE(w->frame_generation(), now.generation);
}

TEST(frame, a_view_shows_worlds_that_began_again_and_snapshots_that_were_restored) {
  WorldDef def = test::circling(5);
  def.worlds = 3;
  auto w = test::make(def);
  w->keep_views();
  const FrameView position = w->frame("position");
  const std::vector<Vec> first(rows_of(position), rows_of(position) + 15);
  const auto start = w->snapshot();
  w->step(40);
  EXPECT_NE(rows_of(position)[7], first[7]);
  w->reset(std::vector<std::uint8_t>{0, 1, 0});
  EXPECT_EQ(rows_of(position)[7], first[7]);
  EXPECT_NE(rows_of(position)[2], first[2]);
  ASSERT_TRUE(w->restore(*start));
  EXPECT_EQ(rows_of(position)[2], first[2]);
  EXPECT_THROW(w->frame("positon"), std::invalid_argument);
}

TEST(patches, an_input_finds_what_the_inputs_before_it_wrote_in_the_same_tick) {
  auto w = test::make(test::circling(3));
  const auto at_once = [&](std::vector<Payload> payloads) {
    for (Payload& p : payloads) w->submit({.target = w->vehicles()[1], .payload = std::move(p)});
    w->step(1);
    return w->mode_of(w->vehicles()[1]);
  };
  EXPECT_EQ(at_once({SetMode{Mode::Disarmed}, SetSetpoint{.level = ControlLevel::Velocity}}), Mode::Disarmed) << "it is refused";
  EXPECT_EQ(at_once({SetMode{Mode::TakeOff}, SetMode{Mode::Armed}}), Mode::TakeOff) << "a take-off goes on";
  EXPECT_EQ(at_once({SetSetpoint{.level = ControlLevel::Velocity}, SetMode{Mode::Armed}}), Mode::Armed);
  // where a mode is entered is where the vehicle was put
  EXPECT_EQ(at_once({SetState{.position_W = {50, 60, 70}}, SetMode{Mode::Hold}}), Mode::Hold);
  w->step(300);
  EXPECT_NEAR(w->position_of(w->vehicles()[1])[2], 70, 0.5);
}

TEST(patches, for_one_that_leaves_do_not_reach_the_one_that_takes_its_slot) {
  Data a, b;
  for (Data* d : {&a, &b}) ASSERT_TRUE(build(*d, test::circling(3), {}));
  ASSERT_TRUE(submit(a, {.target = {2}, .payload = SetState{.position_W = {1, 2, 99}}}));
  for (Data* d : {&a, &b}) {
    ASSERT_TRUE(submit(*d, {.target = {2}, .payload = Remove{}}));
    ASSERT_TRUE(submit(*d, {.payload = Spawn{"birds", {.position_W = {4, 4, 4}}}}));
    step(*d);
  }
  EXPECT_EQ(hash_flock(a.flocks[0]), hash_flock(b.flocks[0]));
}

// a setpoint as its numbers, one patch for each
void steer_by_numbers(Patches& to, std::size_t slot, const SetpointRows& r, const SteerPatch& p, int bytes) {
  to.mode(slot, Mode::Armed);
  to.word(slot, r.level, static_cast<std::uint64_t>(p.level));
  if (p.level == ControlLevel::Position) to.position(slot, r.position, bytes, p.position);
  for (int k = 0; k < 3; ++k) {
    to.value(slot, r.velocity + k, p.velocity[static_cast<std::size_t>(k)]);
    to.value(slot, r.acceleration + k, p.acceleration[static_cast<std::size_t>(k)]);
    to.value(slot, r.jerk + k, 0);
  }
  if (p.turns) to.value(slot, r.yaw, p.yaw);
  to.value(slot, r.yaw_rate, 0);
}

TEST(patches, with_a_whole_setpoint_write_the_rows_that_its_numbers_would_one_by_one) {
  // what was there before shows where it is not written over
  const SetSetpoint old{.position_W = {1, 2, 3}, .velocity_W = {4, 5, 6}, .acceleration_W = {7, 8, 9}, .jerk_W = {1, 1, 1}, .yaw = 1, .yaw_rate = 2};
  for (int which = 0; which < 8; ++which) {
    const Precision precision = (which & 1) != 0 ? Precision::Double : Precision::Float;
    const ControlLevel level = (which & 2) != 0 ? ControlLevel::Position : ControlLevel::Velocity;
    const SteerPatch steer{level, (which & 4) != 0, {1.1, 20'000.3, 30.7}, {0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, 0.7};
    Data whole, numbers;
    for (Data* d : {&whole, &numbers}) {
      ASSERT_TRUE(build(*d, crowd(ContactPolicy::Ignore, precision), {}));
      for (std::uint64_t id = 1; id <= 20; ++id) ASSERT_TRUE(submit(*d, {.target = {id}, .payload = old}));
      step(*d);
    }
    const SetpointRows& rows = whole.societies[0].rows;
    const std::uint64_t before = hash_flock(whole.flocks[0]);
    for (const std::size_t slot : {2u, 15u, 16u}) {
      whole.flocks[0].patches.front().steer(slot, rows, steer);
      steer_by_numbers(numbers.flocks[0].patches.front(), slot, rows, steer, whole.flocks[0].bytes);
    }
    for (Data* d : {&whole, &numbers}) apply_patches(*d);
    EXPECT_NE(hash_flock(whole.flocks[0]), before);
    EXPECT_EQ(hash_flock(whole.flocks[0]), hash_flock(numbers.flocks[0])) << which;
    EXPECT_TRUE(whole.flocks[0].patches.front().empty());
  }
}

// the host's memory, counted
struct Counting final : core::Memory {
  int held = 0;
  std::byte* take(std::size_t bytes) override { return ++held, core::host_memory().take(bytes); }
  void give_back(std::byte* p, std::size_t bytes) override { --held, core::host_memory().give_back(p, bytes); }
};

TEST(flock, keeps_all_columns_in_the_memory_it_is_given) {
  Counting memory;
  {
    const WorldDef def = test::circling(1);
    auto made = make_flock(def.flocks[0], def, *find_backend(0, true), memory);
    ASSERT_TRUE(made);
    Flock f = std::move(made).value();
    f.reserve(40);
    f.own_column(0);
    f.reserve(100);
    EXPECT_EQ(memory.held, 5) << "hot, plan, identity, parameters, and those of the vehicles' own";
  }
  EXPECT_EQ(memory.held, 0);
}

}  // namespace
}  // namespace volary::engine
