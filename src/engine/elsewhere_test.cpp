// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that are simulated elsewhere and only reported.
#include "engine/engine_test_support.hpp"
#include "engine/random_scenario_test_support.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/message.hpp"

namespace volary {
namespace {

using namespace test;

constexpr double kStraight = 0.5;

Input elsewhere(std::uint64_t first_place, bool here = false) { return {.source = 9, .payload = Assign{"birds", first_place, here}}; }

// what is known of one vehicle
Input report(VehicleId id, double age, const Vec& p, const Vec& v, double condition = 0, Mode mode = Mode::Mission) {
  SetMany many{.what = Many::Report, .flock = "birds", .ids = {id}};
  many.values = {age, kStraight, p[0], p[1], p[2], v[0], v[1], v[2], 1, 0, 0, 0, static_cast<double>(mode), condition, 0, 0, 0, 0};
  return {.source = 9, .payload = many};
}

std::vector<std::string> texts(World& w) {
  std::vector<std::string> all;
  for (const Event& e : w.take_events()) all.push_back(e.name + ": " + e.what);
  return all;
}
bool has(const std::vector<std::string>& all, const std::string& part) {
  return std::any_of(all.begin(), all.end(), [&](const std::string& t) { return t.find(part) != std::string::npos; });
}

// the first half of the birds are here in the first world, the second half in the second one
struct Two {
  std::unique_ptr<World> a, b;
  explicit Two(const WorldDef& def) : a(make(def)), b(make(def)) {
    const std::uint64_t half = 1 + def.flocks[0].vehicles.size() / 2;
    a->submit(elsewhere(half));
    b->submit(elsewhere(1)), b->submit(elsewhere(half, true));
  }
  void step() {
    a->step(), b->step();
    const std::vector<Input> of_a = a->report(kStraight), of_b = b->report(kStraight);
    for (const Input& in : of_b) EXPECT_TRUE(a->submit(in).ok);
    for (const Input& in : of_a) EXPECT_TRUE(b->submit(in).ok);
  }
};

TEST(elsewhere, a_vehicle_moves_straight_on_from_its_last_report_and_then_stands_still) {
  auto w = make(circling(20));
  const VehicleId id = w->vehicles()[17];
  const double tick = static_cast<double>(w->def().tick_ns) * 1e-9;
  w->submit(elsewhere(18));
  w->submit(report(id, 0.02, {1, 2, 3}, {4, 0, -1}));
  w->step();
  EXPECT_NEAR(w->position_of(id)[0], 1 + 4 * (0.02 + tick), 1e-6);
  EXPECT_NEAR(w->position_of(id)[2], 3 - (0.02 + tick), 1e-6);
  EXPECT_EQ(w->velocity_of(id), (Vec{4, 0, -1}));
  w->step(30);
  EXPECT_NEAR(w->position_of(id)[0], 1 + 4 * (0.02 + 31 * tick), 1e-6);
  w->step(60);
  EXPECT_NEAR(w->position_of(id)[0], 1 + 4 * kStraight, 1e-6);
  EXPECT_EQ(w->velocity_of(id), (Vec{0, 0, 0}));
  EXPECT_TRUE(w->is_alive(id));
}

TEST(elsewhere, one_of_which_nothing_was_reported_stays_where_it_began_whatever_shares_its_block) {
  for (const int n : {2, 40}) {
    auto w = make(circling(n));
    const VehicleId id = w->vehicles().back();
    const Vec before = w->position_of(id);
    w->submit(elsewhere(static_cast<std::uint64_t>(n)));
    w->step(100);
    EXPECT_EQ(w->position_of(id), before);
  }
}

TEST(elsewhere, what_is_known_of_a_vehicle_is_in_the_hash_before_it_shows) {
  auto a = make(circling(4)), b = make(circling(4));
  for (World* w : {a.get(), b.get()}) {
    w->submit(elsewhere(4));
    Input in = report(w->vehicles()[3], 0, {1, 2, 3}, {4, 0, -1});
    std::get<SetMany>(in.payload).values[1] = w == a.get() ? 0.5 : 0.6;  // s straight on: the next half second is the same
    w->submit(in);
    w->step();
  }
  EXPECT_EQ(a->position_of(a->vehicles()[3]), b->position_of(b->vehicles()[3]));
  EXPECT_NE(a->hash(), b->hash());
}

TEST(elsewhere, old_news_changes_nothing) {
  auto w = make(circling(2));
  const VehicleId id = w->vehicles()[1];
  w->submit(elsewhere(2));
  w->step(10);
  w->submit(report(id, 0.01, {1, 2, 3}, {0, 0, 0}));
  w->submit(report(id, 0.05, {7, 7, 7}, {0, 0, 0}));
  w->step();
  EXPECT_EQ(w->position_of(id), (Vec{1, 2, 3}));
}

TEST(elsewhere, two_worlds_that_tell_each_other_see_the_same_flight) {
  const WorldDef def = circling(40);
  Two two(def);
  auto whole = make(def);
  for (int k = 0; k < 300; ++k) two.step(), whole->step();
  double worst = 0;
  for (const VehicleId id : whole->vehicles())
    for (const World* w : {two.a.get(), two.b.get()})
      for (std::size_t c = 0; c < 3; ++c) worst = std::max(worst, std::abs(w->position_of(id)[c] - whole->position_of(id)[c]));
  EXPECT_GT(worst, 0) << "nobody was moved straight on";
  EXPECT_LT(worst, 0.001);
}

TEST(elsewhere, states_and_messages_of_vehicles_elsewhere_are_heard) {
  WorldDef def = talking(6);
  def.flocks[0].node.behaviours = {behaviour<swarm::Announce>({.topic = "here", .rate = 5})};
  Two two(def);
  for (int k = 0; k < 200; ++k) two.step();
  auto whole = make(def);
  whole->step(200);
  const RadioReport one = whole->radio(), split = two.a->radio();
  EXPECT_GT(one.sent, 100u);
  EXPECT_NEAR(static_cast<double>(split.sent), static_cast<double>(one.sent), 0.05 * static_cast<double>(one.sent));
  EXPECT_FALSE(two.a->decision_state_of(two.a->vehicles()[0]).hears.empty());
}

TEST(elsewhere, a_vehicle_of_this_world_says_what_it_is_told_to_say) {
  WorldDef def = talking(2);
  auto w = make(def);
  w->step(10);
  const std::uint64_t before = w->radio().sent;
  w->submit({.source = 9, .target = w->vehicles()[0], .payload = Say{.topic = "hello", .values = {1, 2, 3}}});
  auto silent = make(def);
  silent->step(10);
  w->step(1), silent->step(1);
  EXPECT_EQ(w->radio().sent - before, silent->radio().sent - before + 1);
  auto mute = make(circling(1));
  mute->submit({.source = 9, .target = mute->vehicles()[0], .payload = Say{.topic = "hello"}});
  mute->step();
  EXPECT_TRUE(has(texts(*mute), "refused: say")) << "there is no radio";
}

TEST(elsewhere, a_contact_changes_the_vehicle_here_and_leaves_the_other_to_its_own_process) {
  WorldDef def = meeting(ContactPolicy::Crash, 3);
  auto w = make(def);
  const VehicleId here = w->vehicles()[0], there = w->vehicles()[1];
  w->submit(elsewhere(2));
  w->step();
  (void)texts(*w);
  const Vec p = w->position_of(here);
  w->submit(report(there, 0, {p[0] + 0.3, p[1], p[2]}, {-6, 0, 0}));
  w->step(20);
  EXPECT_TRUE(w->has_crashed(here));
  EXPECT_FALSE(w->has_crashed(there)) << "nobody has reported it";
  w->submit(report(there, 0, p, {0, 0, 0}, 1, Mode::EmergencyStop));
  w->step();
  EXPECT_TRUE(w->has_crashed(there));
  EXPECT_TRUE(has(texts(*w), "crashed: as is reported of it"));
}

TEST(elsewhere, a_vehicle_that_contact_removed_is_gone_in_the_other_world_too) {
  Two two(meeting(ContactPolicy::Remove, 3));
  const VehicleId one = two.a->vehicles()[0];
  const Vec p = two.b->position_of(two.b->vehicles()[1]);
  two.a->submit({.source = 3, .target = one, .payload = SetState{.position_W = {p[0] + 0.2, p[1], p[2]}, .velocity_W = {-6, 0, 0}}});
  for (int k = 0; k < 10; ++k) two.step();
  EXPECT_FALSE(two.a->is_alive(one));
  EXPECT_FALSE(two.b->is_alive(one));
}

TEST(elsewhere, a_world_replays_from_its_inputs_alone_and_goes_back_to_a_snapshot) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const WorldDef def = coupled_scenario(seed, 1 + seed % 3);
    auto a = make(def), b = make(def);
    const auto split = [&](World& w, bool first) {
      for (const FlockDef& f : def.flocks) {
        const std::uint64_t half = 1 + f.vehicles.size() / 2;
        w.submit({.source = 9, .payload = Assign{f.name, 1, first}});
        w.submit({.source = 9, .payload = Assign{f.name, half, !first}});
      }
    };
    a->keep_submitted(true);
    split(*a, true), split(*b, false);
    std::vector<std::vector<Input>> inputs = {a->take_submitted()};
    std::vector<std::uint64_t> hashes;
    std::shared_ptr<const Snapshot> middle;
    for (int k = 0; k < 60; ++k) {
      if (k == 30) middle = a->snapshot();
      a->step(), b->step();
      hashes.push_back(a->hash());
      const std::vector<Input> of_a = a->report(kStraight), of_b = b->report(kStraight);
      if (k % 3 == 0)  // some are lost
        for (const Input& in : of_b) a->submit(in);
      for (const Input& in : of_a) b->submit(in);
      inputs.push_back(a->take_submitted());
    }
    auto again = make(def, {.threads = 2, .force_split = true});
    for (std::size_t k = 0; k < hashes.size(); ++k) {
      for (const Input& in : inputs[k]) EXPECT_TRUE(again->submit(in).ok);
      again->step();
      ASSERT_EQ(again->hash(), hashes[k]) << "seed " << seed << ", tick " << k;
    }
    std::string error;
    auto back = make(def);
    ASSERT_TRUE(back->restore(*back->read_snapshot(World::snapshot_bytes(*middle), &error), &error)) << error;
    for (std::size_t k = 30; k < hashes.size(); ++k) {
      if (k > 30)
        for (const Input& in : inputs[k]) back->submit(in);
      back->step();
      ASSERT_EQ(back->hash(), hashes[k]) << "seed " << seed << ", tick " << k << " after going back";
    }
  }
}

TEST(elsewhere, reports_of_vehicles_that_are_here_and_batches_are_refused) {
  auto w = make(circling(2));
  w->submit(elsewhere(2));
  w->submit(report(w->vehicles()[0], 0, {1, 2, 3}, {0, 0, 0}));
  w->step();
  EXPECT_TRUE(has(texts(*w), "refused: bulk report: 1 of 1 vehicles do not exist or are not simulated elsewhere"));
  w->submit(elsewhere(1, true));
  w->step();
  EXPECT_TRUE(has(texts(*w), "refused: assign")) << "a vehicle that is elsewhere stays there";
  WorldDef batch = circling(2);
  batch.worlds = 2;
  EXPECT_FALSE(make(batch)->submit(elsewhere(1)).ok);
  EXPECT_FALSE(w->submit({.payload = Assign{"no such flock", 1, false}}).ok);
  EXPECT_FALSE(w->submit({.target = w->vehicles()[0], .payload = Say{.values = std::vector<double>(13, 0.0)}}).ok);
}

}  // namespace
}  // namespace volary
