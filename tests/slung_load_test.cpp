// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Loads on cables below one quadrotor and below four (LoadDef), as users fly them: what hangs at rest, how it begins, slack cables, carriers that are lost, and one answer
// however it is computed.
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/shared_world_test_support.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary {
namespace {

constexpr double kGravity = 9.80665;

Airframe shipped(const std::string& name) {
  const Loaded<Airframe> loaded = load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml");
  EXPECT_TRUE(loaded) << loaded.error;
  return *loaded.value;
}
FlockDef flock(const std::string& name, const std::vector<Vec>& places, Mode mode = Mode::Hold) {
  FlockDef f;
  f.name = name;
  f.airframe = shipped("x500");
  for (const Vec& p : places) {
    VehicleDef v;
    v.position_W = v.centre_W = p;
    v.mode = mode;
    f.vehicles.push_back(v);
  }
  return f;
}
WorldDef world_of(std::vector<FlockDef> flocks) {
  WorldDef w;
  w.name = "slung";
  w.seed = 5;
  w.tick_ns = 5'000'000;
  w.substeps = 4;
  w.flocks = std::move(flocks);
  return w;
}
// one quadrotor with 0.5 kg on a cable of 1 m, n times
WorldDef alone(int n, double height = 4, Mode mode = Mode::Hold) {
  std::vector<Vec> places;
  for (int i = 0; i < n; ++i) places.push_back({5.0 * i, 0, height});
  WorldDef w = world_of({flock("lead", places, mode)});
  w.flocks[0].load = LoadDef{.mass = 0.5, .size = {0.2, 0.3, 0.1}, .cable = {.length = 1, .attach_B = {0, 0, -0.05}}};
  return w;
}
// four quadrotors around a crate of 1.6 kg, n times
WorldDef together(int n) {
  constexpr double kAside = 0.9;
  std::vector<FlockDef> flocks;
  const std::array<const char*, 4> names = {"lead", "second", "third", "fourth"};
  const std::array<std::array<double, 2>, 4> at = {{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
  for (std::size_t m = 0; m < 4; ++m) {
    std::vector<Vec> places;
    for (int i = 0; i < n; ++i) places.push_back({8.0 * i + kAside * at[m][0], kAside * at[m][1], 5});
    flocks.push_back(flock(names[m], places));
  }
  WorldDef w = world_of(std::move(flocks));
  w.flocks[0].load = LoadDef{.mass = 1.6, .size = {0.6, 0.6, 0.2}, .cable = {.length = 1.5}, .with = {"second", "third", "fourth"}};
  return w;
}
// gusts, and circles that their vehicles fly
WorldDef lively(WorldDef w) {
  w.environment.wind_W = {1, 0.5, 0};
  w.environment.gust_sigma = 0.4;
  for (FlockDef& f : w.flocks)
    for (VehicleDef& v : f.vehicles) {
      v.mode = Mode::Mission;
      v.harmonic.amplitude = {0.6, 0.6, 0}, v.harmonic.rate = {0.9, 0.9, 0}, v.harmonic.phase = {1.5707963267948966, 0, 0};
    }
  return w;
}

std::unique_ptr<World> make(const WorldDef& def, RunOptions options = {}) {
  std::string error;
  auto w = World::create(def, options, &error);
  EXPECT_NE(w, nullptr) << error;
  return w;
}
Vec vec(const World& w, const std::string& flock, const char* column, std::size_t slot = 0) {
  const View v = w.view(flock, column);
  return {v.at(slot, 0), v.at(slot, 1), v.at(slot, 2)};
}
// a vector in the axes of a body, in the world
Vec turned(const World& w, const std::string& flock, const char* attitude, const Vec& x, std::size_t slot = 0) {
  const View q = w.view(flock, attitude);
  const double qw = q.at(slot, 0), a = q.at(slot, 1), b = q.at(slot, 2), c = q.at(slot, 3);
  const Vec t = {2 * (b * x[2] - c * x[1]), 2 * (c * x[0] - a * x[2]), 2 * (a * x[1] - b * x[0])};
  return {x[0] + qw * t[0] + b * t[2] - c * t[1], x[1] + qw * t[1] + c * t[0] - a * t[2], x[2] + qw * t[2] + a * t[1] - b * t[0]};
}
double tension(const World& w, const std::string& flock, std::size_t slot = 0) { return w.view(flock, "cable.tension").at(slot, 0); }
double distance(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(slung_load, hangs_at_rest_below_its_carrier_at_first_and_pulls_with_its_weight_at_last) {
  auto w = make(alone(1));
  w->step();
  const Vec first = vec(*w, "lead", "load.position");
  EXPECT_NEAR(first[0], 0, 1e-3);
  EXPECT_NEAR(first[2], 4 - 0.05 - 1 - 0.05, 1e-3) << "the hook is on its top";
  EXPECT_LT(distance(vec(*w, "lead", "load.velocity"), {0, 0, 0}), 0.1);
  w->step(4000);
  EXPECT_NEAR(tension(*w, "lead"), 0.5 * kGravity, 1e-3 * 0.5 * kGravity);
  const Vec pull = turned(*w, "lead", "attitude", vec(*w, "lead", "cable.force"));
  EXPECT_NEAR(pull[2], -0.5 * kGravity, 2e-3 * 0.5 * kGravity);
  const Vec place = w->position_of(w->vehicles()[0]);
  EXPECT_LT(distance(place, {0, 0, 4}), 0.02) << "the controller does not know the load, and holds its place";
  EXPECT_NEAR(distance(vec(*w, "lead", "load.position"), place), 1.1, 0.002);
}

TEST(slung_load, four_carriers_share_the_weight_and_each_cable_pulls_along_itself) {
  auto w = make(together(1));
  w->step(4000);
  const std::array<std::array<double, 3>, 4> hooks = {{{0.3, 0.3, 0.1}, {-0.3, 0.3, 0.1}, {-0.3, -0.3, 0.1}, {0.3, -0.3, 0.1}}};
  const Vec load = vec(*w, "lead", "load.position");
  double sum = 0;
  std::size_t m = 0;
  for (const std::string& name : w->flocks()) {
    const Vec pull = turned(*w, name, "attitude", vec(*w, name, "cable.force"));
    const Vec arm = turned(*w, "lead", "load.attitude", hooks[m++]), place = w->position_of(w->vehicles(name)[0]);
    const Vec along = {load[0] + arm[0] - place[0], load[1] + arm[1] - place[1], load[2] + arm[2] - place[2]};
    const double length = std::hypot(along[0], along[1], along[2]), size = std::hypot(pull[0], pull[1], pull[2]);
    EXPECT_NEAR(length, 1.5, 0.003);
    EXPECT_NEAR(size, tension(*w, name), 1e-5 * size);
    EXPECT_NEAR((pull[0] * along[0] + pull[1] * along[1] + pull[2] * along[2]) / (length * size), 1, 1e-6) << name;
    EXPECT_GT(size, 0.2 * 1.6 * kGravity) << name;
    sum -= pull[2];
  }
  EXPECT_NEAR(sum, 1.6 * kGravity, 1e-3 * 1.6 * kGravity);
}

TEST(slung_load, lies_on_the_ground_with_a_slack_cable_until_its_carrier_takes_off) {
  WorldDef def = alone(1, 0, Mode::TakeOff);
  def.flocks[0].take_off_height = 3;
  auto w = make(def);
  w->step(20);
  EXPECT_EQ(tension(*w, "lead"), 0);
  EXPECT_EQ(distance(vec(*w, "lead", "cable.force"), {0, 0, 0}), 0);
  EXPECT_NEAR(vec(*w, "lead", "load.position")[2], 0.05, 0.002);
  bool was_taut = false;
  for (int k = 0; k < 3000; ++k) {
    w->step();
    ASSERT_GE(tension(*w, "lead"), 0);
    ASSERT_GT(vec(*w, "lead", "load.position")[2], 0.04) << "not below the ground";
    was_taut = was_taut || tension(*w, "lead") > 0;
  }
  EXPECT_TRUE(was_taut);
  EXPECT_GT(vec(*w, "lead", "load.position")[2], 1.5);
}

TEST(slung_load, has_the_same_answer_on_any_number_of_threads_and_lanes) {
  WorldDef def = lively(together(19));
  FlockDef more = alone(20).flocks[0];
  more.name = "others";
  for (VehicleDef& v : more.vehicles) v.position_W[1] = v.centre_W[1] = 30;
  def.flocks.push_back(more);
  std::uint64_t hash = 0;
  for (const auto& [threads, lanes] : {std::pair{1, 1}, {2, 4}, {7, 8}, {2, 16}, {7, 1}}) {
    std::string error;
    auto w = World::create(def, {.threads = threads, .lanes = lanes, .force_split = true}, &error);
    if (w == nullptr) continue;  // this CPU cannot
    w->step(30);
    if (hash == 0) hash = w->hash();
    EXPECT_EQ(w->hash(), hash) << threads << " threads, " << lanes << " lanes";
  }
}

TEST(slung_load, the_hash_of_every_tick_is_that_of_the_state) {
  auto a = make(lively(together(2)), {.hash_every_tick = true}), b = make(lively(together(2)));
  for (int k = 0; k < 20; ++k) {
    a->step(), b->step();
    EXPECT_EQ(a->hash(), b->hash());
  }
}

TEST(slung_load, comes_back_from_a_snapshot_in_flight_exactly) {
  auto w = make(lively(together(2)), {.threads = 2, .force_split = true});
  w->step(150);
  const auto kept = w->snapshot();
  const double before = tension(*w, "third", 1);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 100; ++i) w->step(), hashes.push_back(w->hash());
  ASSERT_TRUE(w->restore(*kept));
  EXPECT_EQ(tension(*w, "third", 1), before);
  for (int i = 0; i < 100; ++i) {
    w->step();
    ASSERT_EQ(w->hash(), hashes[static_cast<std::size_t>(i)]) << i;
  }
  ASSERT_TRUE(w->restore(*kept));
  auto branch = w->branch({});
  ASSERT_NE(branch, nullptr);
  branch->step(100);
  EXPECT_EQ(branch->hash(), hashes.back());
}

TEST(slung_load, a_world_of_a_batch_is_that_world_alone_and_begins_again_as_it_began) {
  WorldDef batch = lively(together(2));
  batch.worlds = 3;
  auto all = make(batch, {.threads = 2, .force_split = true});
  all->step(50);
  for (std::uint32_t k = 0; k < 3; ++k) {
    WorldDef one = batch;
    one.worlds = 1, one.first_world = static_cast<int>(k);
    auto single = make(one);
    single->step(50);
    EXPECT_EQ(all->hash_of_world(k), single->hash_of_world(0)) << k;
  }
  const std::uint64_t first = all->hash_of_world(1);
  const std::uint8_t mask[3] = {0, 1, 0};
  const std::uint32_t episodes[3] = {0, 0, 0};
  all->reset(mask, episodes);
  all->step(50);
  EXPECT_EQ(all->hash_of_world(1), first);
}

TEST(slung_load, members_that_share_a_world_find_the_hash_of_the_whole_and_each_load_belongs_to_one_of_them) {
  const WorldDef def = lively(together(5));
  auto whole = make(def);
  test::SharedWorld shared(def, test::cut_at_random(def, 3, 11));
  for (int k = 0; k < 30; ++k) {
    whole->step(), shared.step();
    ASSERT_EQ(shared.hash(), whole->hash()) << k;
  }
  Sharing torn{.member = 0, .members = 2};
  for (const FlockDef& f : def.flocks) torn.parts.push_back({f.name, 1, f.name == "third" ? 1u : 0u});
  std::string error;
  EXPECT_FALSE(make(def)->share(torn, &error));
  EXPECT_NE(error.find("vehicles of 'lead' and 'third' carry a load together"), std::string::npos) << error;
}

TEST(slung_load, a_part_of_a_snapshot_with_one_carrier_has_the_others_and_the_load) {
  auto w = make(lively(together(2)));
  w->step(100);
  const VehicleId one = w->vehicles("third")[0], other = w->vehicles("third")[1];
  std::shared_ptr<SnapshotPart> part;
  ASSERT_TRUE(w->snapshot_part_into(part, {.vehicles = {one}}));
  const Vec load = vec(*w, "lead", "load.position"), carrier = w->position_of(w->vehicles("second")[0]);
  w->step(60);
  const std::uint64_t beside = w->hash_of(other);
  ASSERT_TRUE(w->restore(*part));
  EXPECT_EQ(vec(*w, "lead", "load.position"), load);
  EXPECT_EQ(w->position_of(w->vehicles("second")[0]), carrier);
  EXPECT_EQ(w->hash_of(other), beside);
}

TEST(slung_load, a_carrier_that_is_gone_pulls_no_more_and_the_others_carry_on) {
  for (const char* gone : {"third", "lead"}) {
    WorldDef def = together(2);
    auto w = make(def), without = make(def);
    w->step(100), without->step(100);
    Input in;
    in.target = w->vehicles(gone)[0], in.payload = Remove{};
    ASSERT_TRUE(w->submit(in));
    w->step(600), without->step(600);
    EXPECT_EQ(tension(*w, gone), 0) << gone;
    double sum = 0;
    for (const std::string& name : w->flocks()) {
      if (name == gone) continue;
      EXPECT_TRUE(w->is_alive(w->vehicles(name)[0])) << name;
      sum += tension(*w, name);
    }
    EXPECT_GT(sum, 0.8 * 1.6 * kGravity) << gone << ": three hold it";
    EXPECT_GT(vec(*w, "lead", "load.position")[2], 2) << gone;
    const VehicleId other = w->vehicles("second")[1];
    EXPECT_EQ(w->hash_of(other), without->hash_of(other)) << "the second load knows nothing of it";
  }
}

TEST(slung_load, goes_with_a_carrier_that_is_put_far_away) {
  auto w = make(alone(2));
  w->step(50);
  Input in;
  in.target = w->vehicles()[0];
  in.payload = SetState{.position_W = {40, 3, 20}};
  ASSERT_TRUE(w->submit(in));
  w->step(4);
  EXPECT_LT(distance(vec(*w, "lead", "load.position"), {40, 3, 18.9}), 0.05);
  w->step(200);
  EXPECT_TRUE(w->is_alive(w->vehicles()[0]));
  // a small push leaves it where it is
  const Vec before = vec(*w, "lead", "load.position", 1), place = w->position_of(w->vehicles()[1]);
  in.target = w->vehicles()[1];
  in.payload = SetState{.position_W = {place[0] + 0.3, place[1], place[2]}};
  ASSERT_TRUE(w->submit(in));
  w->step();
  EXPECT_LT(distance(vec(*w, "lead", "load.position", 1), before), 0.05);
}

TEST(slung_load, those_that_carry_together_are_added_together_or_not_at_all) {
  auto w = make(together(1));
  Input in;
  in.payload = Spawn{.flock = "second", .vehicle = {.position_W = {9, 9, 9}}};
  const Submitted refused = w->submit(in);
  EXPECT_FALSE(refused);
  EXPECT_NE(refused.why.find("carry loads with those of other flocks"), std::string::npos) << refused.why;
  auto one = make(alone(1));
  in.payload = Spawn{.flock = "lead", .vehicle = {.position_W = {9, 9, 9}, .mode = Mode::Hold}};
  ASSERT_TRUE(one->submit(in));
  one->step(3);
  EXPECT_LT(distance(vec(*one, "lead", "load.position", 1), {9, 9, 7.9}), 0.01);
}

TEST(slung_load, what_cannot_be_carried_is_refused_with_its_field) {
  const auto refused = [](const WorldDef& def) {
    std::string error;
    EXPECT_EQ(World::create(def, {}, &error), nullptr);
    return error;
  };
  const auto expect = [&](WorldDef def, const auto& spoil, const char* field, const char* words) {
    spoil(def.flocks);
    const std::string error = refused(def);
    EXPECT_NE(error.find(field), std::string::npos) << error;
    EXPECT_NE(error.find(words), std::string::npos) << error;
  };
  using Flocks = std::vector<FlockDef>;
  expect(alone(1), [](Flocks& f) { f[0].load->mass = 3; }, "flocks.lead.load.mass", "at most 80 % of its thrust");
  expect(alone(1), [](Flocks& f) { f[0].load->size[1] = 0; }, "flocks.lead.load.size", "not positive");
  expect(alone(1), [](Flocks& f) { f[0].load->moments = {1, 1, 3}; }, "flocks.lead.load.inertia", "no body has");
  expect(alone(1), [](Flocks& f) { f[0].load->cable.time_constant = 0.002; }, "flocks.lead.load.cable.time_constant", "too short for substeps");
  expect(alone(1), [](Flocks& f) { f[0].load->hooks = {{0, 0, 0.1}, {0, 0, 0}}; }, "flocks.lead.load.hooks", "2 hooks and 1 carriers");
  expect(alone(1), [](Flocks& f) { f[0].airframe = shipped("three_star"); }, "flocks.lead.load", "only multirotors carry loads");
  expect(alone(1), [](Flocks& f) { f[0].load->with = {"nobody"}; }, "flocks.lead.load.with", "there is no flock 'nobody'");
  expect(together(1), [](Flocks& f) { f[0].load->with[1] = "second"; }, "flocks.lead.load.with", "each of them once");
  expect(together(1), [](Flocks& f) { f[2].vehicles.push_back(f[2].vehicles[0]); }, "flocks.lead.load.with", "have as many vehicles");
  expect(together(1), [](Flocks& f) { f[3].load = f[0].load; }, "load.with", "one flock names the others");
}

}  // namespace
}  // namespace volary
