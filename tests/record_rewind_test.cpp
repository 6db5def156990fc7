// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Time goes back while a run is recorded: both stretches are recordings that fly again to the same bit and show what was flown.
#include "record_support_test.hpp"

#include "cli/run_recorder.hpp"

namespace volary::replay {

namespace {

// gives what a function says
struct Commands final : runner::Source {
  std::function<void(const World&, std::vector<Input>&)> what;
  std::string name() const override { return "commands"; }
  core::Status give(const World& world, std::vector<Input>& inputs) override {
    if (what) what(world, inputs);
    return core::ok();
  }
};

// where everybody was at every tick of one future
struct Truth final : runner::Sink {
  std::map<std::uint64_t, std::map<std::uint64_t, Vec>> positions;  // tick, id
  std::map<std::uint64_t, std::uint64_t> hashes;
  void look(World& w) {
    hashes[w.tick()] = w.hash();
    auto& now = positions[w.tick()];
    now.clear();
    for (const VehicleId id : w.vehicles()) now[id.value] = w.position_of(id);
  }
  bool is_over = false;
  void begin(World& w, bool) override { look(w); }
  void after_tick(World& w) override {
    if (!is_over) look(w);
  }
  void restored(World&) override { is_over = true; }
};

struct Rewound : ::testing::Test {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  cli::FlightLog log;
  runner::SteadyClock clock;
  Commands commands;
  Truth first, second;

  cli::RecordOptions options() {
    cli::RecordOptions o;
    o.file = folder.file("a.vrec");
    return o;
  }
  // to tick 120, back to `tick`, on to 200 with other commands; the pages of the first future go to `first`
  void fly(std::uint64_t tick) {
    cli::RunRecorder recorder(options(), log);
    recorder.set_bundle(f.bundle);
    runner::Runner runner(clock);
    runner.add(commands);
    runner.add(recorder), runner.add(log), runner.add(first);
    // one input waits in the state that is gone back to
    Input waiting{.tick = tick + 5, .source = 3, .payload = SetWind{{1, 2, 0}}};
    std::shared_ptr<const Snapshot> then;
    commands.what = [&](const World& w, std::vector<Input>& inputs) {
      if (w.tick() == 60) inputs.push_back(spawn("abandoned", {4, 4, 6}));
      if (w.tick() == 70) inputs.push_back({.source = 3, .target = w.vehicles()[0], .payload = Remove{}});
    };
    runner.begin(*f.world, {.end = 200});
    while (f.world->tick() < 120) {
      if (f.world->tick() == tick && then == nullptr) {
        f.world->submit(waiting);
        then = f.world->snapshot();
      }
      runner.turn();
    }
    commands.what = [&](const World& w, std::vector<Input>& inputs) {
      if (w.tick() == tick + 30) inputs.push_back(spawn("kept", {5, 5, 5}));
    };
    ASSERT_TRUE(runner.restore(*then));
    second.look(*f.world);
    while (runner.state() != runner::State::Over) {
      runner.turn();
      second.look(*f.world);
    }
    EXPECT_EQ(recorder.path(), folder.file("a-2.vrec"));
  }
  static Input spawn(const std::string& name, const Vec& position) {
    Spawn s;
    s.flock = "inner";
    s.vehicle.name = name;
    s.vehicle.position_W = position;
    s.vehicle.mode = Mode::Hold;
    return {.source = 3, .payload = s};
  }
  // exact, and everybody where he was
  void check(const std::string& file, const Truth& truth, std::uint64_t from, std::uint64_t to) {
    const auto r = open_recording(folder.file(file));
    ASSERT_NE(r, nullptr);
    EXPECT_TRUE(r->closed());
    EXPECT_TRUE(r->problems().empty()) << r->problems()[0];
    EXPECT_EQ(r->first_tick(), from);
    EXPECT_EQ(r->last_tick(), to);
    const auto v = verify(*r, {});
    ASSERT_TRUE(v) << v.error().text();
    EXPECT_TRUE(v.value().exact()) << v.value().difference.value_or(0);
    EXPECT_EQ(v.value().compared, to - from + 1);
    for (std::uint64_t t = from; t <= to; ++t) {
      EXPECT_EQ(r->hash(t), truth.hashes.at(t)) << t;
      const auto frame = r->at_tick(static_cast<double>(t));
      ASSERT_TRUE(frame) << frame.error().text();
      EXPECT_TRUE(frame.value().missing.empty()) << t;
      ASSERT_EQ(frame.value().vehicles.size(), truth.positions.at(t).size()) << t;
      for (const VehicleAt& v2 : frame.value().vehicles) {
        const Vec& p = truth.positions.at(t).at(r->roster()[v2.vehicle].id);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(v2.pose.position[k], p[k], 0.0501);
      }
    }
    const auto names = [&](const std::string& name) {
      return std::count_if(r->roster().begin(), r->roster().end(), [&](const RosterEntry& e) { return e.name == name; });
    };
    EXPECT_EQ(names("abandoned"), from == 0 && to == 120 ? 1 : 0);
    EXPECT_EQ(names("kept"), to == 200 ? 1 : 0);
  }
};

TEST_F(Rewound, BothFuturesAreRecordingsOfTheirOwn) {
  fly(50);
  check("a.vrec", first, 0, 120);
  check("a-2.vrec", second, 50, 200);
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_FALSE(r->events().empty());
  EXPECT_EQ(r->events().back().what, "the run was set from 1.20 s to 0.50 s: another recording continues there");
}

// at tick 0 as well the state that was gone back to counts, and not the scenario's
TEST_F(Rewound, EvenBackToTheStart) {
  fly(0);
  check("a-2.vrec", second, 0, 200);
  const auto r = open_recording(folder.file("a-2.vrec"));
  EXPECT_TRUE(r->head().continues);
  auto b = branch(*r, 0, {});
  ASSERT_TRUE(b) << b.error().text();
  fly_on(b.value(), 200);
  EXPECT_EQ(b.value().world->hash(), second.hashes.at(200));
}

TEST_F(Rewound, ARecorderByItselfEndsWhereTimeWentBack) {
  auto recorder = Recorder::open(folder.file("a.vrec"), *f.world, f.bundle, {});
  ASSERT_TRUE(recorder);
  runner::Runner runner(clock);
  runner.add(*recorder.value());
  const auto start = f.world->snapshot();
  runner.begin(*f.world, {.end = 100});
  for (int k = 0; k < 40; ++k) runner.turn();
  ASSERT_TRUE(runner.restore(*start));
  EXPECT_FALSE(recorder.value()->recording());
  EXPECT_EQ(runner.run(), runner::Outcome::Finished);
  EXPECT_TRUE(recorder.value()->close());
  const auto r = open_recording(folder.file("a.vrec"));
  EXPECT_EQ(r->last_tick(), 40u);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v);
  EXPECT_TRUE(v.value().exact());
}

}  // namespace

}  // namespace volary::replay
