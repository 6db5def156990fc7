// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/scratch_folder.hpp"
#include "engine/engine_test_support.hpp"
#include "volary/recording.hpp"

namespace volary {
namespace {

constexpr const char* kRing = R"(
name: ring
duration: 2
environment: {wind: [1, 0, 0], gust_sigma: 0.3}
flocks: [{name: ring, airframe: crazyflie, vehicles: {ring: {count: 4, radius: 4}}, mission: {circle: {radius: 1, speed: 1}}}]
)";

struct Flight {
  WorldDef def;
  ScenarioFiles files;
  std::unique_ptr<World> world;
};
Flight load() {
  Flight f;
  auto def = load_scenario_text(kRing, {}, {}, &f.files);
  EXPECT_TRUE(def) << def.error;
  f.def = *def.value;
  f.world = test::make(f.def, {.hash_every_tick = true});
  return f;
}

// 100 ticks, with a command to one vehicle on the way
std::string record(const core::ScratchFolder& folder, Flight& f, bool with_files = true) {
  std::string error;
  const auto recorder = Recorder::create(folder.file("a.vrec"), *f.world, with_files ? f.files : ScenarioFiles{}, {}, &error);
  EXPECT_NE(recorder, nullptr) << error;
  recorder->step(50);
  f.world->submit({.target = f.world->vehicles()[1], .payload = SetMode{Mode::EmergencyStop}});
  recorder->step(50);
  EXPECT_EQ(f.world->tick(), 100u);
  bool told = false;
  for (const Event& e : recorder->take_events()) told = told || e.what == "emergency stop";
  EXPECT_TRUE(told);
  EXPECT_TRUE(recorder->take_events().empty());
  recorder->metric("height", 1.5, "m");
  recorder->judge("passed", "it flew");
  EXPECT_TRUE(recorder->is_recording());
  EXPECT_TRUE(recorder->close(&error)) << error;
  EXPECT_FALSE(recorder->is_recording());
  EXPECT_GT(recorder->bytes(), 100u);
  return folder.file("a.vrec");
}

std::unique_ptr<Recording> open(const std::string& path) {
  std::string error;
  auto r = Recording::open(path, &error);
  EXPECT_NE(r, nullptr) << error;
  return r;
}

TEST(public_recording, says_what_it_holds) {
  const core::ScratchFolder folder;
  Flight f = load();
  const auto r = open(record(folder, f));
  const RecordingInfo& i = r->info();
  EXPECT_EQ(i.program, version());
  EXPECT_EQ(i.scenario, "ring");
  EXPECT_EQ(i.last_tick, 100u);
  EXPECT_EQ(i.flocks, std::vector<std::string>{"ring"});
  EXPECT_TRUE(i.closed && i.has_trajectories && !i.damaged && i.problems.empty());
  EXPECT_EQ(i.verdict, "passed");
  EXPECT_EQ(r->hash(100), f.world->hash());
  EXPECT_FALSE(r->hash(101));
  ASSERT_EQ(r->vehicles().size(), 4u);
  EXPECT_EQ(r->vehicles()[1].id, f.world->vehicles()[1]);
  EXPECT_EQ(r->vehicles()[1].flock, "ring");
  EXPECT_FALSE(r->vehicles()[1].removal_tick);
  ASSERT_EQ(r->metrics().size(), 1u);
  EXPECT_EQ(r->metrics()[0].unit, "m");
  EXPECT_FALSE(r->events().empty());
}

TEST(public_recording, has_poses_at_any_time_within_its_bounds) {
  const core::ScratchFolder folder;
  Flight f = load();
  const auto r = open(record(folder, f));
  const auto poses = r->poses(1.0);
  ASSERT_TRUE(poses) << poses.error;
  ASSERT_EQ(poses.value->size(), 4u);
  for (const RecordedPose& p : *poses.value)
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p.position_W[k], f.world->position_of(r->vehicles()[p.vehicle].id)[k], r->info().position_error);
  EXPECT_EQ(poses.value->at(1).mode, Mode::EmergencyStop);
  EXPECT_FALSE(r->poses(9.0));
}

TEST(public_recording, flies_again_to_the_same_bits_and_gives_exact_columns) {
  const core::ScratchFolder folder;
  Flight f = load();
  const auto r = open(record(folder, f));
  const auto check = r->verify({.threads = 2});
  ASSERT_TRUE(check) << check.error;
  EXPECT_TRUE(check.value->exact);
  EXPECT_EQ(check.value->compared, 101u);

  const auto tables = r->columns({"position", "rotor_speed"}, 10);
  ASSERT_TRUE(tables) << tables.error;
  ASSERT_EQ(tables.value->size(), 1u);
  const RecordedTable& t = tables.value->front();
  ASSERT_EQ(t.columns.size(), 2u);
  EXPECT_EQ(t.columns[0].components, 3);
  ASSERT_EQ(t.tick.size(), 11u * 4);  // 0 to 1 s, four vehicles
  EXPECT_EQ(t.tick.back(), 100u);
  const Vec last = f.world->position_of(r->vehicles()[t.vehicle.back()].id);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(t.values[0][(t.tick.size() - 1) * 3 + k], last[k]);
  EXPECT_NE(r->columns({"positon"}).error.find("position"), std::string::npos);
}

TEST(public_recording, gives_the_world_of_a_moment_and_its_definition) {
  const core::ScratchFolder folder;
  Flight f = load();
  const auto r = open(record(folder, f));
  std::string error;
  const auto world = r->world_at(0.4, {}, &error);
  ASSERT_NE(world, nullptr) << error;
  EXPECT_EQ(world->tick(), 40u);
  EXPECT_EQ(world->hash(), r->hash(40));
  EXPECT_EQ(r->world_at(5, {}, &error), nullptr);
  EXPECT_NE(error, "");
  EXPECT_EQ(r->scenario().value->name, "ring");
}

TEST(public_recording, without_files_flies_again_with_the_definition) {
  const core::ScratchFolder folder;
  Flight f = load();
  const auto r = open(record(folder, f, false));
  EXPECT_FALSE(r->verify());
  const auto check = r->verify({.def = &f.def});
  ASSERT_TRUE(check) << check.error;
  EXPECT_TRUE(check.value->exact);
}

TEST(public_recording, is_exported_to_every_format) {
  const core::ScratchFolder folder;
  Flight f = load();
  const auto r = open(record(folder, f));
  for (const auto& [format, name] : {std::pair{ExportFormat::Csv, "a.csv"}, {ExportFormat::Npz, "a.npz"}, {ExportFormat::Mcap, "a.mcap"}, {ExportFormat::Tum, "tum"},
                                     {ExportFormat::Kml, "a.kml"}}) {
    if (format == ExportFormat::Kml) {  // needs a place on the Earth
      EXPECT_FALSE(r->export_to(format, folder.file(name), {.rate = 10})) << name;
      continue;
    }
    const auto done = r->export_to(format, folder.file(name), {.rate = 10});
    ASSERT_TRUE(done) << name << ": " << done.error;
    EXPECT_GT(done.value->bytes, 0u) << name;
    EXPECT_TRUE(std::filesystem::exists(folder.file(name))) << name;
    EXPECT_FALSE(r->export_to(format, folder.file(name), {.rate = 10})) << "an export overwrites nothing: " << name;
  }
  const auto drawn = r->export_to(ExportFormat::Csv, folder.file("view.csv"), {.rate = 10, .trajectories = true, .tasks = false, .messages = false});
  EXPECT_TRUE(drawn) << drawn.error;
}

TEST(public_recording, cannot_be_made_or_read_where_there_is_no_folder) {
  Flight f = load();
  std::string error;
  EXPECT_EQ(Recorder::create("/no/such/folder/a.vrec", *f.world, f.files, {}, &error), nullptr);
  EXPECT_NE(error.find("/no/such/folder"), std::string::npos) << error;
  error.clear();
  EXPECT_EQ(Recording::open("/no/such/folder/a.vrec", &error), nullptr);
  EXPECT_NE(error, "");
  EXPECT_EQ(Recording::open("/no/such/folder/a.vrec", nullptr), nullptr);
  error.clear();
  const core::ScratchFolder folder;
  EXPECT_EQ(Recorder::create(folder.file("a.vrec"), *f.world, f.files, {.position_error = 0}, &error), nullptr);
  EXPECT_NE(error.find("position"), std::string::npos) << error;
}

TEST(public_recorder, ends_with_a_notice_when_the_world_is_stepped_behind_its_back) {
  const core::ScratchFolder folder;
  Flight f = load();
  std::string error;
  const auto recorder = Recorder::create(folder.file("a.vrec"), *f.world, f.files, {}, &error);
  ASSERT_NE(recorder, nullptr) << error;
  recorder->step(3);
  f.world->step();
  recorder->step();
  EXPECT_FALSE(recorder->is_recording());
  EXPECT_EQ(recorder->take_notices().size(), 1u);
  EXPECT_FALSE(recorder->close(&error));
  EXPECT_EQ(open(folder.file("a.vrec"))->info().last_tick, 3u);
}

}  // namespace
}  // namespace volary
