// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Logs of autopilots in worlds and recordings: mirrors are where a log says, beside simulated vehicles, in every way a world is stepped;
// recordings replay without the log; what is exported as ULog comes back.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "cli/import_plan.hpp"
#include "logs/log_test_support.hpp"
#include "logs/track.hpp"
#include "record_support_test.hpp"
#include "replay/exports.hpp"
#include "scenario/warnings.hpp"

namespace volary::replay {

namespace {

namespace fs = std::filesystem;

struct Logs : ::testing::Test {
  core::ScratchFolder folder;

  std::string scenario(const std::string& log_fields, const std::string& more = "") {
    folder.write("beside.yaml", "name: beside\nduration: 25\n" + more + "flocks:\n  - name: real\n    mirror: true\n    vehicles: {logs: [" + log_fields +
                                    "]}\n  - name: simulated\n    airframe: crazyflie\n    vehicles: {grid: {count: 3}}\n    mission: {hold: {height: 2}}\n");
    return folder.file("beside.yaml");
  }
  std::string refusal(const std::string& log_fields, const std::string& more = "") {
    const auto paths = cli::scenario_paths();
    const auto def = scenario::load_scenario(scenario(log_fields, more), scenario::Paths{paths.assets, paths.max_vehicles});
    return def ? "" : def.error().text();
  }
};

void expect_on_circle(const World& w, VehicleId id, double t) {
  const logs::TestCircle c(t);
  const Vec p = w.position_of(id);
  ASSERT_NEAR(p[0], c.east, 2e-3) << t;
  ASSERT_NEAR(p[1], c.north, 2e-3) << t;
  ASSERT_NEAR(p[2], 10, 2e-3) << t;
}

}  // namespace

TEST_F(Logs, move_a_mirror_beside_simulated_vehicles) {
  for (const char* name : {"a.ulg", "a.bin"}) {
    folder.write(name, std::string(name) == "a.ulg" ? logs::make_ulog() : logs::make_dataflash());
    for (const char* precision : {"precision: float\n", "precision: double\n"}) {
      Flown f = load_flown(scenario("{file: " + std::string(name) + "}", precision));
      const VehicleId id = f.world->vehicles("real")[0];
      EXPECT_EQ(f.world->name_of(id), "a");
      std::vector<std::string> events;
      for (int k = 0; k < 1900; ++k) {
        expect_on_circle(*f.world, id, f.world->time());
        f.world->step(1);
        for (const Event& e : f.world->take_events())
          if (e.vehicle == id) events.push_back(e.what);
      }
      EXPECT_NEAR(f.world->view("real", "omega").at(f.world->slot_of(id), 2), -logs::TestCircle::kRate, 1e-5);
      EXPECT_EQ(f.world->mode_of(id), Mode::Mission);
      EXPECT_TRUE(std::find(events.begin(), events.end(), "armed") != events.end());
    }
  }
}

TEST_F(Logs, stand_still_before_their_start_and_after_their_end) {
  folder.write("a.ulg", logs::make_ulog());
  Flown f = load_flown(scenario("{file: a.ulg, start: 2, from: 1, until: 4, at: [7, 8, 9], name: x}"));
  const VehicleId id = f.world->vehicles("real")[0];
  EXPECT_EQ(f.world->name_of(id), "x");
  f.world->step(190);
  EXPECT_NEAR(f.world->position_of(id)[0], 7, 1e-6);
  EXPECT_NEAR(f.world->position_of(id)[2], 9, 1e-6);
  f.world->step(400);
  const Vec end = f.world->position_of(id);
  EXPECT_GT(std::hypot(end[0] - 7, end[1] - 8), 5);
  f.world->step(100);
  EXPECT_EQ(f.world->position_of(id), end);
}

TEST_F(Logs, lie_where_they_were_on_the_earth_if_the_world_has_an_origin) {
  folder.write("a.ulg", logs::make_ulog());
  Flown f = load_flown(scenario("{file: a.ulg}", "environment: {origin: {latitude: 47.401, longitude: 8.5, height: 440}}\n"));
  const Vec p = f.world->position_of(f.world->vehicles("real")[0]);
  EXPECT_NEAR(p[1], 30 - 111.19, 0.05);
  EXPECT_NEAR(p[2], 20, 0.01);
}

TEST_F(Logs, are_the_same_for_every_thread_count_and_after_a_restore) {
  folder.write("a.ulg", logs::make_ulog());
  Flown f = load_flown(scenario("{file: a.ulg}, {file: a.ulg, start: 1}"));
  f.world->step(300);
  const auto snapshot = f.world->snapshot();
  f.world->step(300);
  const std::uint64_t hash = f.world->hash();
  ASSERT_TRUE(f.world->restore(*snapshot));
  f.world->step(300);
  EXPECT_EQ(f.world->hash(), hash);
  RunOptions options;
  options.threads = 3;
  options.force_split = true;
  std::string error;
  const auto other = World::create(f.def, options, &error);
  ASSERT_NE(other, nullptr) << error;
  other->step(600);
  EXPECT_EQ(other->hash(), hash);
}

TEST_F(Logs, are_followed_by_every_world_of_a_batch_at_its_own_time) {
  folder.write("a.ulg", logs::make_ulog());
  Flown f = load_flown(scenario("{file: a.ulg}", "worlds: 3\n"));
  f.world->step(100);
  f.world->reset(std::vector<std::uint8_t>{0, 1, 0});
  f.world->step(200);
  const auto ids = f.world->vehicles("real");
  ASSERT_EQ(ids.size(), 3u);
  expect_on_circle(*f.world, ids[0], 3);
  expect_on_circle(*f.world, ids[1], 2);
  expect_on_circle(*f.world, ids[2], 3);
}

TEST_F(Logs, are_not_needed_to_replay_a_recording) {
  folder.write("a.ulg", logs::make_ulog());
  Flown f = load_flown(scenario("{file: a.ulg}"));
  record(f, folder.file("a.vrec"), 700);
  fs::remove(folder.file("a.ulg"));
  const auto r = open_recording(folder.file("a.vrec"));
  EXPECT_TRUE(logs::is_flight(r->head().bundle.files.at("scenario/a.ulg"))) << "the bundle keeps the flight, not the log";
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
  EXPECT_EQ(v.value().compared, 701u);
  EXPECT_TRUE(r->inputs().empty());
}

TEST_F(Logs, say_in_which_field_of_a_scenario_what_is_wrong) {
  EXPECT_NE(refusal("{file: a.ulg}").find("flocks[0].vehicles.logs[0].file"), std::string::npos) << refusal("{file: a.ulg}");
  folder.write("b.ulg", "not a log");
  EXPECT_NE(refusal("{file: b.ulg}").find("b.ulg: byte 0: expected a ULog file"), std::string::npos) << refusal("{file: b.ulg}");
  folder.write("a.ulg", logs::make_ulog());
  EXPECT_NE(refusal("{file: a.ulg, from: 99}").find("99 s is after the end of the flight, 20.00 s"), std::string::npos);
  EXPECT_NE(refusal("{file: a.ulg, from: 9, until: 2}").find("logs[0].until"), std::string::npos);
  EXPECT_NE(refusal("{file: a.ulg, start: -1}").find("start"), std::string::npos);
  folder.write("c.yaml", "flocks: [{name: a, airframe: crazyflie, vehicles: {logs: [{file: a.ulg}]}}]\n");
  const auto paths = cli::scenario_paths();
  const auto def = scenario::load_scenario(folder.file("c.yaml"), scenario::Paths{paths.assets, paths.max_vehicles});
  ASSERT_FALSE(def);
  EXPECT_NE(def.error().text().find("only the vehicles of a mirror are moved by logs (add mirror: true to the flock)"), std::string::npos)
      << def.error().text();
}

TEST_F(Logs, warn_of_damage_and_gaps) {
  const std::string log = logs::make_ulog({.gap_from = 5, .gap_to = 9});
  folder.write("a.ulg", log.substr(0, log.size() - 3));
  const Flown f = load_flown(scenario("{file: a.ulg}"));
  std::string all;
  for (const std::string& text : scenario::warnings_of(f.def)) all += text + "\n";
  EXPECT_NE(all.find("flocks.real.vehicles.logs[0]: a.ulg: byte "), std::string::npos) << all;
  EXPECT_NE(all.find("1 gap(s) without a position, the longest 4."), std::string::npos) << all;
}

TEST_F(Logs, are_imported_side_by_side_by_utc_or_from_their_starts) {
  folder.write("a.ulg", logs::make_ulog());
  std::string later = logs::make_ulog();
  // its receiver was five seconds ahead: the flight began five seconds later
  const std::uint64_t then = 1'700'000'000'000'000 + 1'500'000, now = then + 5'000'000;
  const std::string needle(reinterpret_cast<const char*>(&then), 8);
  const std::size_t at = later.find(needle);
  ASSERT_NE(at, std::string::npos);
  std::memcpy(later.data() + at, &now, 8);
  fs::create_directory(folder.file("b"));
  folder.write("b/a.ulg", later);
  folder.write("c.bin", logs::make_dataflash({.utc = false}));
  const std::vector<std::string> two = {folder.file("a.ulg"), folder.file("b/a.ulg")};
  const auto by_utc = cli::plan_import(two, {});
  ASSERT_TRUE(by_utc) << by_utc.error().text();
  EXPECT_TRUE(by_utc.value().by_utc);
  EXPECT_NEAR(by_utc.value().logs[1].start, 5, 1e-6);
  EXPECT_EQ(by_utc.value().logs[1].name, "a-2");
  EXPECT_NEAR(by_utc.value().duration, 25, 1e-9);
  const auto from_start = cli::plan_import(two, {.align = cli::Align::Start});
  ASSERT_TRUE(from_start);
  EXPECT_EQ(from_start.value().logs[1].start, 0);
  const std::vector<std::string> mixed = {folder.file("a.ulg"), folder.file("c.bin")};
  EXPECT_FALSE(cli::plan_import(mixed, {}).value().by_utc);
  const auto refused = cli::plan_import(mixed, {.align = cli::Align::Utc});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("c.bin: does not say what time it was (--align start"), std::string::npos) << refused.error().text();
}

TEST_F(Logs, come_back_from_an_export_within_32_bits) {
  Flown f = load_flown("default", {"environment.origin={latitude: 47.3, longitude: 8.5, height: 440}"});
  record(f, folder.file("a.vrec"), 400);
  const auto r = open_recording(folder.file("a.vrec"));
  const auto done = export_recording(*r, ExportKind::Ulog, folder.file("out"), {});
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done.value().files, r->roster().size());
  EXPECT_FALSE(export_recording(*r, ExportKind::Ulog, folder.file("out"), {})) << "nothing is overwritten";
  // every vehicle, from the files in the order of the roster
  std::vector<logs::Track> tracks;
  for (std::size_t k = 0; k < r->roster().size(); ++k)
    for (const auto& entry : fs::directory_iterator(folder.file("out")))
      if (entry.path().filename().string().starts_with(std::to_string(k) + "-")) {
        const auto bytes = scenario::Files("", "", nullptr).read(entry.path().string());
        auto flight = logs::load_flight(bytes.value(), "a");
        ASSERT_TRUE(flight) << flight.error().text();
        EXPECT_TRUE(flight.value().warnings.empty());
        ASSERT_TRUE(flight.value().utc);
        ASSERT_TRUE(flight.value().origin);
        tracks.push_back({.flight = std::make_shared<const logs::Flight>(std::move(flight).value())});
      }
  ASSERT_EQ(tracks.size(), r->roster().size());
  Flown again = load_flown("default", {"environment.origin={latitude: 47.3, longitude: 8.5, height: 440}"});
  for (int k = 0; k <= 400; ++k) {
    const auto ids = again.world->vehicles();
    for (std::size_t v = 0; v < ids.size(); ++v) {
      const Vec p = again.world->position_of(ids[v]);
      const SetState s = logs::state_at(tracks[v], again.world->time());
      for (std::size_t axis = 0; axis < 3; ++axis) ASSERT_NEAR(s.position_W[axis], p[axis], 1e-6 * std::max(1.0, std::abs(p[axis]))) << k << " " << v;
      if (k > 0 && k < 400) ASSERT_EQ(logs::mode_at(tracks[v], again.world->time() + 1e-7) == Mode::Disarmed, again.world->mode_of(ids[v]) == Mode::Disarmed);
    }
    if (k < 400) again.world->step(1);
  }
}

TEST_F(Logs, give_a_recording_that_verifies_and_exports_again) {
  folder.write("a.ulg", logs::make_ulog());
  const auto plan = cli::plan_import({folder.file("a.ulg")}, {.tick = 0.02});
  ASSERT_TRUE(plan);
  Flown f;
  f.bundle = plan.value().bundle;
  auto def = scenario::load_bundle(f.bundle);
  ASSERT_TRUE(def) << def.error().text();
  f.def = std::move(def).value();
  RunOptions options;
  options.hash_every_tick = true;
  std::string error;
  f.world = World::create(f.def, options, &error);
  ASSERT_NE(f.world, nullptr) << error;
  record(f, folder.file("a.vrec"), 1000);
  const auto r = open_recording(folder.file("a.vrec"));
  EXPECT_TRUE(verify(*r, {}).value().exact());
  ASSERT_TRUE(export_recording(*r, ExportKind::Ulog, folder.file("out"), {}));
  const auto bytes = scenario::Files("", "", nullptr).read(folder.file("out/0-a.ulg"));
  ASSERT_TRUE(bytes);
  const auto flight = logs::load_flight(bytes.value(), "a");
  ASSERT_TRUE(flight);
  const logs::Track track{.flight = std::make_shared<const logs::Flight>(flight.value())};
  for (double t = 0.02; t < 19.9; t += 0.02) {
    const logs::TestCircle c(t);
    ASSERT_NEAR(logs::state_at(track, t).position_W[0], c.east, 2e-3);
  }
  EXPECT_TRUE(std::any_of(r->events().begin(), r->events().end(), [](const Event& e) { return e.what == "mode: Mission"; }));
}

}  // namespace volary::replay
