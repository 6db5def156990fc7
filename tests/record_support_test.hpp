// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of recordings share: files that vanish, scenarios with their bundles, flights that are recorded.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cli/paths.hpp"
#include "core/scratch_folder.hpp"
#include "replay/recorder.hpp"
#include "replay/recording.hpp"
#include "replay/resimulate.hpp"
#include "runner/runner.hpp"
#include "scenario/load.hpp"
#include "volary/world.hpp"

namespace volary::replay {

inline bool is_long() { return std::getenv("VOLARY_LONG") != nullptr; }

struct Flown {
  WorldDef def;
  scenario::Bundle bundle;
  std::unique_ptr<World> world;
};

inline Flown load_flown(const std::string& name, const std::vector<std::string>& overrides = {}) {
  Flown f;
  const auto path = cli::find_scenario(name);
  EXPECT_TRUE(path) << name;
  const auto paths = cli::scenario_paths();
  auto def = scenario::load_scenario(path.value(), scenario::Paths{paths.assets, paths.max_vehicles}, overrides, f.bundle);
  EXPECT_TRUE(def) << def.error().text();
  f.def = std::move(def).value();
  RunOptions options;
  options.hash_every_tick = true;
  std::string error;
  f.world = World::create(f.def, options, &error);
  EXPECT_NE(f.world, nullptr) << error;
  return f;
}

// steps and records; returns the hashes of every tick, the first included
inline std::vector<std::uint64_t> record(Flown& f, const std::string& path, std::uint64_t ticks, RecorderOptions options = {},
                                         const std::function<void(World&)>& before_tick = nullptr) {
  std::vector<std::uint64_t> hashes = {f.world->hash()};
  auto recorder = Recorder::open(path, *f.world, f.bundle, std::move(options));
  EXPECT_TRUE(recorder) << recorder.error().text();
  if (!recorder) return hashes;
  for (std::uint64_t k = 0; k < ticks; ++k) {
    if (before_tick) before_tick(*f.world);
    f.world->step(1);
    for (const Event& e : f.world->take_events()) recorder.value()->event(*f.world, e);
    recorder.value()->after_tick(*f.world);
    hashes.push_back(f.world->hash());
  }
  const auto closed = recorder.value()->close();
  EXPECT_TRUE(closed) << closed.error().text();
  return hashes;
}

inline std::unique_ptr<Recording> open_recording(const std::string& path) {
  auto r = Recording::open(path);
  EXPECT_TRUE(r) << r.error().text();
  return r ? std::move(r).value() : nullptr;
}

// a branch flown on with what was commanded later; `each` after every tick
inline void fly_on(Branch& b, std::uint64_t end, const std::function<void(World&)>& each = nullptr) {
  runner::SteadyClock clock;
  runner::Runner runner(clock);
  runner.add(b.inputs);
  runner.begin(*b.world, {.end = end});
  while (runner.state() != runner::State::Over) {
    runner.turn();
    if (each) each(*b.world);
  }
  EXPECT_EQ(runner.outcome(), runner::Outcome::Finished) << runner.failure();
}

// a hand on the controls: setpoints, a spawn, a removal, a parameter, wind, a failed rotor
inline void fly_by_hand(World& w) {
  const auto ids = w.vehicles();
  auto give = [&](VehicleId id, Payload p, std::uint64_t later = 0) {
    Input in;
    in.tick = w.tick() + later;
    in.source = 7;
    in.target = id;
    in.payload = std::move(p);
    w.submit(in);
  };
  if (w.tick() == 0) give(ids[0], SetWrench{{0.01, 0, 0}, {0, 0, 0}}, 3);
  if (w.tick() == 20) give(ids[1], SetSetpoint{.level = ControlLevel::Position, .position_W = {3, 2, 4}});
  if (w.tick() == 30) {
    Spawn s;
    s.flock = w.flocks()[0];
    s.vehicle.name = "late";
    s.vehicle.position_W = {1, -3, 5};
    s.vehicle.mode = Mode::Hold;
    give({}, s);
  }
  if (w.tick() == 45) give(ids[2], SetParameter{"mass", 0, 0.031});
  if (w.tick() == 60) give(ids[3], Remove{}, 15);
  if (w.tick() == 80) give({}, SetWind{{2, 1, 0}});
  if (w.tick() == 100) give(ids[4], FailRotor{1, true}, 5);
  if (w.tick() == 120) give(ids[5], SetMode{Mode::Land});
  if (w.tick() % 5 == 0 && w.tick() > 150) give(ids[1], SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {0.3, 0, 0.1}});
}

}  // namespace volary::replay
