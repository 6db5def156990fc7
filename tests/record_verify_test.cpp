// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording flies again to the same bit: every shipped scenario, runs flown by hand, and branches.
#include "record_support_test.hpp"

#include "cli/flight.hpp"
#include "core/suggest.hpp"

namespace volary::replay {

namespace {

TEST(RecordVerify, EveryShippedScenarioReplaysToTheSameBits) {
  core::ScratchFolder folder;
  for (const std::string& path : cli::all_scenarios()) {
    SCOPED_TRACE(path);
    Flown f = load_flown(path);
    const std::uint64_t whole = planned_ticks(f.def), ticks = is_long() ? whole : std::min<std::uint64_t>(300, whole);
    RecorderOptions options;
    options.view = f.world->n_vehicles() <= 100;
    const auto hashes = record(f, folder.file(cli::stem_of(path) + ".vrec"), ticks, options);
    const auto r = open_recording(folder.file(cli::stem_of(path) + ".vrec"));
    ASSERT_NE(r, nullptr);
    EXPECT_TRUE(r->closed());
    EXPECT_TRUE(r->problems().empty());
    EXPECT_EQ(r->last_tick(), ticks);
    for (std::uint64_t t = 0; t <= ticks; ++t) ASSERT_EQ(r->hash(t), hashes[t]) << t;
    const auto v = verify(*r, {});
    ASSERT_TRUE(v) << v.error().text();
    EXPECT_TRUE(v.value().exact());
    EXPECT_EQ(v.value().compared, ticks + 1);
  }
}

TEST(RecordVerify, ARunFlownByHandReplaysToTheSameBits) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  const auto hashes = record(f, folder.file("hand.vrec"), 300, {}, fly_by_hand);
  const auto r = open_recording(folder.file("hand.vrec"));
  ASSERT_NE(r, nullptr);
  EXPECT_GT(r->inputs().size(), 30u);
  EXPECT_EQ(r->roster().size(), 62u);
  EXPECT_EQ(r->roster()[61].name, "late");
  EXPECT_EQ(r->roster()[61].spawn_tick, 31u);
  const auto removed = std::count_if(r->roster().begin(), r->roster().end(), [](const RosterEntry& e) { return e.removal_tick == 76; });
  EXPECT_EQ(removed, 1);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact()) << v.value().difference.value_or(0);
  EXPECT_EQ(v.value().compared, hashes.size());
}

TEST(RecordVerify, ARunWhoseScenarioWasChangedInFlightReplaysToTheSameBits) {
  core::ScratchFolder folder;
  Flown f = load_flown("gas_leak");
  RecorderOptions options;
  options.checkpoint_seconds = 0.6;
  const auto hashes = record(f, folder.file("changed.vrec"), 300, options, [](World& w) {
    const auto set = [&](const char* path, const char* value) {
      Input in;
      in.payload = SetField{path, value};
      w.submit(in);
    };
    if (w.tick() == 50) set("radio.loss", "0.5");
    if (w.tick() == 90) set("behaviours.particle_swarm.speed", "2");
    if (w.tick() == 130) set("emits.plume.rate", "0.5");
    if (w.tick() == 170) set("emits.plume.rate", "-1");  // refused, and recorded
  });
  const auto r = open_recording(folder.file("changed.vrec"));
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(r->inputs().size(), 4u);
  for (std::uint64_t t = 0; t <= 300; ++t) ASSERT_EQ(r->hash(t), hashes[t]) << t;
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact()) << v.value().difference.value_or(0);
  for (const double time : {1.0, 2.0}) {
    auto b = branch(*r, time, {});
    ASSERT_TRUE(b) << b.error().text();
    fly_on(b.value(), 300, [&](World& w) { ASSERT_EQ(w.hash(), hashes[w.tick()]) << time << " tick " << w.tick(); });
  }
}

TEST(RecordVerify, InputsGivenBeforeTheFirstTickAreKept) {
  core::ScratchFolder folder;
  Flown f = load_flown("hover_gusts");
  Input in;
  in.tick = 10;
  in.payload = SetWind{{3, 0, 0}};
  f.world->submit(in);
  record(f, folder.file("a.vrec"), 50);
  const auto r = open_recording(folder.file("a.vrec"));
  const auto v = verify(*r, {});
  ASSERT_TRUE(v);
  EXPECT_TRUE(v.value().exact());
  const auto b = branch(*r, 0.05, {});
  ASSERT_TRUE(b) << b.error().text();
}

TEST(RecordVerify, ADifferenceIsNamedWithItsTick) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  record(f, folder.file("a.vrec"), 100, {}, [](World& w) {
    if (w.tick() != 40) return;
    // goes past the recorder: the state changes and no input says why
    w.keep_submitted(false);
    Input in;
    in.payload = SetWind{{9, 0, 0}};
    w.submit(in);
    w.keep_submitted(true);
  });
  const auto r = open_recording(folder.file("a.vrec"));
  const auto v = verify(*r, {});
  ASSERT_TRUE(v);
  EXPECT_FALSE(v.value().exact());
  EXPECT_EQ(v.value().difference.value_or(0), 41u);
}

TEST(RecordVerify, AReplayNeedsNoFileOfThisMachine) {
  core::ScratchFolder folder;
  namespace fs = std::filesystem;
  fs::create_directories(folder.file("sub"));
  fs::copy(cli::home_folder() + "/assets/vehicles/crazyflie.yaml", folder.file("sub/mine.yaml"));
  std::ofstream(folder.file("base.yaml")) << "environment: {wind: [1, 0, 0], gust_sigma: 0.3}\nseed: 3\n";
  std::ofstream(folder.file("sub/main.yaml"))
      << "include: [../base.yaml]\nname: mine\nduration: 2\nflocks:\n"
         "  - {name: a, airframe: mine.yaml, vehicles: {grid: {count: 4, spacing: 1}}, mission: {circle: {radius: 1, period: 5, height: 2}}}\n"
         "  - {name: b, airframe: crazyflie, vehicles: {grid: {count: 4, spacing: 1, origin: [9, 0, 0]}}}\n";
  Flown f = load_flown(folder.file("sub/main.yaml"), {"environment.gust_sigma=0.6"});
  record(f, folder.file("a.vrec"), 200);
  fs::remove_all(folder.file("sub"));
  fs::remove(folder.file("base.yaml"));
  const auto r = open_recording(folder.file("a.vrec"));
  EXPECT_EQ(r->head().bundle.files.size(), 4u);
  for (const auto& [name, text] : r->head().bundle.files) EXPECT_EQ(name.find(folder.file("")), std::string::npos) << name;
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
}

TEST(RecordVerify, ABranchThatChangesNothingIsTheRecordedRun) {
  core::ScratchFolder folder;
  RecorderOptions options;
  options.checkpoint_seconds = 1;
  Flown f = load_flown("default");
  const auto hashes = record(f, folder.file("a.vrec"), 300, options, fly_by_hand);
  const auto r = open_recording(folder.file("a.vrec"));
  for (const double time : {0.0, 0.37, 1.0, 1.73, 2.99}) {
    auto b = branch(*r, time, {});
    ASSERT_TRUE(b) << b.error().text();
    EXPECT_EQ(b.value().world->hash(), hashes[b.value().world->tick()]);
    fly_on(b.value(), 300, [&](World& w) { ASSERT_EQ(w.hash(), hashes[w.tick()]) << time << " tick " << w.tick(); });
  }
}

TEST(RecordVerify, ABranchWithOtherWindGoesItsOwnWayAndItsRecordingReplays) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  const auto hashes = record(f, folder.file("a.vrec"), 300, {}, fly_by_hand);
  const auto r = open_recording(folder.file("a.vrec"));
  BranchOptions options;
  options.overrides = {"environment.wind=[4, 0, 0]", "environment.gust_sigma=0.8"};
  auto b = branch(*r, 1.5, options);
  ASSERT_TRUE(b) << b.error().text();
  World& world = *b.value().world;
  EXPECT_EQ(world.hash(), hashes[150]);
  auto recorder = Recorder::open(folder.file("b.vrec"), world, b.value().bundle, {});
  ASSERT_TRUE(recorder);
  fly_on(b.value(), 250, [&](World& w) { recorder.value()->after_tick(w); });
  ASSERT_TRUE(recorder.value()->close());
  EXPECT_NE(world.hash(), hashes[250]);
  const auto other = open_recording(folder.file("b.vrec"));
  EXPECT_EQ(other->first_tick(), 150u);
  EXPECT_EQ(other->last_tick(), 250u);
  const auto v = verify(*other, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(v.value().compared, 101u);
}

TEST(RecordVerify, WhatBelongsToThePastCannotBeChangedAtABranch) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  record(f, folder.file("a.vrec"), 20);
  const auto r = open_recording(folder.file("a.vrec"));
  for (const char* o : {"seed=3", "flocks[0].vehicles.grid.count=3", "events=[]", "tick=0.02"}) {
    BranchOptions options;
    options.overrides = {o};
    const auto b = branch(*r, 0.1, options);
    ASSERT_FALSE(b) << o;
    EXPECT_NE(b.error().text().find("cannot be changed at a branch"), std::string::npos);
  }
  EXPECT_FALSE(branch(*r, 5, {}));
  EXPECT_FALSE(branch(*r, -1, {}));
}

TEST(RecordVerify, TheViewHoldsItsBoundsAtEveryTick) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  RecorderOptions options;
  options.view_seconds = 0.8;
  std::vector<std::vector<std::pair<std::uint64_t, Vec>>> truth;
  record(f, folder.file("a.vrec"), 300, options, [&](World& w) {
    truth.emplace_back();
    for (const VehicleId id : w.vehicles()) truth.back().push_back({id.value, w.position_of(id)});
    fly_by_hand(w);
  });
  const auto r = open_recording(folder.file("a.vrec"));
  for (std::uint64_t t = 0; t < truth.size(); ++t) {
    const auto frame = r->at(r->seconds(t));
    ASSERT_TRUE(frame) << frame.error().text();
    EXPECT_TRUE(frame.value().missing.empty()) << t;
    ASSERT_EQ(frame.value().vehicles.size(), truth[t].size()) << t;
    for (const VehicleAt& v : frame.value().vehicles) {
      const std::uint64_t id = r->roster()[v.vehicle].id;
      const auto at = std::find_if(truth[t].begin(), truth[t].end(), [&](const auto& p) { return p.first == id; });
      ASSERT_NE(at, truth[t].end());
      double e2 = 0;
      for (std::size_t k = 0; k < 3; ++k) e2 += (v.pose.position[k] - at->second[k]) * (v.pose.position[k] - at->second[k]);
      EXPECT_LE(e2, 0.05 * 0.05 * 1.0001);
    }
  }
  // and between ticks, across the seam of two blocks
  EXPECT_EQ(r->at(0.7995).value().missing.size(), 0u);
  EXPECT_EQ(r->at(0.8005).value().missing.size(), 0u);
  EXPECT_FALSE(r->at(3.5));
}

}  // namespace

}  // namespace volary::replay
