// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "runner/runner.hpp"

#include <gtest/gtest.h>

#include <thread>

#include <fmt/format.h>

#include "engine/engine_test_support.hpp"
#include "runner/runner_test_support.hpp"

namespace volary::runner {
namespace {

using Lines = std::vector<std::string>;

// writes down when it is called; ready from a moment of the clock on
struct Probe final : Source {
  std::string who;
  Lines& log;
  const Clock* clock = nullptr;
  double ready_at = 0;  // s of the wall
  Patience patient = {};
  int asked = 0, given = 0;
  std::uint64_t fails_at = ~std::uint64_t{0};
  std::function<void(const World&, std::vector<Input>&)> what = {};

  Probe(std::string name, Lines& lines) : who(std::move(name)), log(lines) {}
  std::string name() const override { return who; }
  Patience patience() const override { return patient; }
  void start(const World&) override { log.push_back(who + " begin"); }
  void ask(const World& w) override { ++asked, log.push_back(fmt::format("{} ask {}", who, w.tick())); }
  bool is_ready(const World&) override { return clock == nullptr || clock->now() >= ready_at; }
  core::Status give(const World& w, std::vector<Input>& inputs) override {
    if (w.tick() == fails_at) return core::Error{.message = "the line is dead"};
    ++given, log.push_back(fmt::format("{} give {}", who, w.tick()));
    if (what) what(w, inputs);
    return core::ok();
  }
  void reset(const World& w) override { log.push_back(fmt::format("{} restored {}", who, w.tick())); }
  void stop(const World&) override { log.push_back(who + " end"); }
};

struct Witness final : Sink {
  std::string who;
  Lines& log;
  std::vector<std::uint64_t> ticks;
  std::vector<Event> events;
  Lines words;
  Witness(std::string name, Lines& lines) : who(std::move(name)), log(lines) {}
  void begin(World&, bool again) override { log.push_back(who + (again ? " begin again" : " begin")); }
  void event(World& w, const Event& e) override { events.push_back(e), log.push_back(fmt::format("{} event {}", who, w.tick())); }
  void after_tick(World& w) override { ticks.push_back(w.tick()), log.push_back(fmt::format("{} tick {}", who, w.tick())); }
  void restored(World& w) override { log.push_back(fmt::format("{} restored {}", who, w.tick())); }
  void notice(World&, const std::string& text) override { words.push_back(text); }
  void end(World&) override { log.push_back(who + " end"); }
};

// two sources, two sinks, a world of ticks of 10 ms, a clock that moves only when told
struct Rig {
  Lines log;
  test::FakeClock clock;
  std::unique_ptr<World> world = test::make(test::circling(2), {.hash_every_tick = true});
  Probe a{"a", log}, b{"b", log};
  Witness x{"x", log}, y{"y", log};
  Runner runner{clock};
  Rig() { runner.add(a), runner.add(b), runner.add(x), runner.add(y); }
  void begin(std::uint64_t end, double speed = 0) { runner.begin(*world, {.end = end, .speed = speed}); }
  // turns until nothing is due, without sleeping
  double turn_while_due() {
    double wait = 0;
    while (wait == 0) wait = runner.turn();
    return wait;
  }
};

Input spawn_at(double east) {
  Spawn s;
  s.flock = "birds";
  s.vehicle.position_W = {east, 0, 5};
  s.vehicle.mode = Mode::Hold;
  return Input{.source = 7, .payload = s};
}

TEST(runner, a_tick_is_sources_then_the_step_then_sinks) {
  Rig rig;
  rig.a.what = [](const World& w, std::vector<Input>& inputs) {
    if (w.tick() == 1) inputs.push_back(spawn_at(9));
  };
  rig.begin(2);
  EXPECT_EQ(rig.runner.run(), Outcome::Finished);
  const Lines expected = {"a begin",  "b begin",  "x begin",  "y begin",  "a ask 0",   "b ask 0",   "a give 0", "b give 0", "x tick 1", "y tick 1", "a ask 1",
                          "b ask 1",  "a give 1", "b give 1", "x event 2", "y event 2", "x tick 2", "y tick 2", "a end",    "b end",    "x end",    "y end"};
  EXPECT_EQ(rig.log, expected);
  EXPECT_EQ(rig.runner.ticks(), 2u);
}

TEST(runner, the_loop_changes_no_bit) {
  Rig rig;
  rig.begin(200);
  rig.runner.run();
  const auto alone = test::make(test::circling(2));
  alone->step(200);
  EXPECT_EQ(rig.world->hash(), alone->hash());
}

TEST(runner, inputs_are_applied_in_the_tick_they_are_given_for) {
  Rig rig;
  rig.b.what = [](const World& w, std::vector<Input>& inputs) {
    if (w.tick() == 3) inputs.push_back(spawn_at(9));
  };
  rig.begin(5);
  rig.runner.run();
  const auto alone = test::make(test::circling(2));
  alone->step(3);
  alone->submit(spawn_at(9));
  alone->step(2);
  EXPECT_EQ(rig.world->hash(), alone->hash());
}

TEST(runner, sinks_see_each_tick_and_each_event_once) {
  Rig rig;
  rig.a.what = [](const World& w, std::vector<Input>& inputs) {
    if (w.tick() % 10 == 0) inputs.push_back(spawn_at(10.0 + static_cast<double>(w.tick())));
  };
  rig.begin(100);
  rig.runner.run();
  for (const Witness* w : {&rig.x, &rig.y}) {
    ASSERT_EQ(w->ticks.size(), 100u);
    for (std::uint64_t k = 0; k < 100; ++k) EXPECT_EQ(w->ticks[k], k + 1);
    EXPECT_EQ(w->events.size(), 10u);
  }
}

TEST(runner, paces_by_its_clock) {
  for (const auto& [speed, seconds] : {std::pair{2.0, 0.5}, {1.0, 1.0}, {0.5, 2.0}}) {
    Rig rig;
    rig.begin(100, speed);
    EXPECT_EQ(rig.runner.run(), Outcome::Finished);
    EXPECT_NEAR(rig.clock.slept, seconds - 0.01 / speed, 1e-6) << speed;  // the last tick waits for nothing
    EXPECT_NEAR(rig.runner.elapsed(), seconds - 0.01 / speed, 1e-6);
    EXPECT_EQ(rig.runner.overruns(), 0u);
  }
  Rig rig;
  rig.begin(100, 0);
  rig.runner.run();
  EXPECT_EQ(rig.clock.sleeps, 0);
}

TEST(runner, another_speed_holds_from_the_next_tick_on) {
  Rig rig;
  rig.begin(1000, 1);
  rig.turn_while_due();
  EXPECT_EQ(rig.world->tick(), 1u);
  rig.runner.set_speed(0.1);  // the wait for the old pace is over
  EXPECT_NEAR(rig.turn_while_due(), 0.1, 1e-9);
  EXPECT_EQ(rig.world->tick(), 2u);
  rig.runner.set_speed(0);
  for (int k = 0; k < 50; ++k) EXPECT_EQ(rig.runner.turn(), 0);
  EXPECT_EQ(rig.world->tick(), 52u);
}

TEST(runner, pauses_steps_and_resumes) {
  Rig rig;
  rig.begin(100, 1);
  rig.turn_while_due();
  rig.runner.pause();
  EXPECT_EQ(rig.runner.turn(), Runner::kForever);
  EXPECT_EQ(rig.runner.state(), State::Paused);
  rig.clock.time += 60;  // a pause is no debt
  rig.runner.step(5);
  rig.runner.step(3);
  EXPECT_EQ(rig.turn_while_due(), Runner::kForever);  // and steps do not wait for the wall
  EXPECT_EQ(rig.world->tick(), 9u);
  EXPECT_EQ(rig.runner.steps_left(), 0u);
  rig.runner.resume();
  EXPECT_NEAR(rig.turn_while_due(), 0.01, 1e-9);
  EXPECT_EQ(rig.world->tick(), 10u);
  EXPECT_EQ(rig.runner.overruns(), 0u);
  rig.runner.step(1000);  // no further than the end
  EXPECT_EQ(rig.turn_while_due(), Runner::kForever);
  EXPECT_EQ(rig.world->tick(), 100u);
  EXPECT_EQ(rig.runner.outcome(), Outcome::Finished);
  rig.runner.resume(), rig.runner.step(1), rig.runner.pause();
  EXPECT_EQ(rig.runner.turn(), Runner::kForever);
  EXPECT_EQ(rig.runner.state(), State::Over);
}

TEST(runner, a_source_can_work_while_the_run_waits_for_the_wall) {
  Rig rig;
  rig.begin(100, 1);
  rig.turn_while_due();
  EXPECT_EQ(rig.a.asked, 2);  // tick 1 is asked for at once and taken when it is due
  EXPECT_EQ(rig.a.given, 1);
}

TEST(runner, holds_for_a_slow_source_and_sleeps_meanwhile) {
  Rig rig;
  rig.b.clock = &rig.clock;
  rig.b.ready_at = 100.4;
  rig.begin(1);
  EXPECT_GT(rig.turn_while_due(), 0);
  EXPECT_EQ(rig.world->tick(), 0u);
  EXPECT_EQ(rig.runner.waiting_for(), Lines{"b"});
  EXPECT_EQ(rig.a.given, 0);
  EXPECT_EQ(rig.runner.run(), Outcome::Finished);
  EXPECT_NEAR(rig.clock.time, 100.4, 0.0011);
  EXPECT_LT(rig.clock.sleeps, 500);
  EXPECT_EQ(rig.b.asked, 1);
  EXPECT_EQ(rig.b.given, 1);
  EXPECT_TRUE(rig.x.words.empty());  // it came before anybody had to be told
  EXPECT_TRUE(rig.runner.waiting_for().empty());
}

TEST(runner, names_a_source_that_is_late) {
  Rig rig;
  rig.b.clock = &rig.clock;
  rig.b.ready_at = 103;
  rig.begin(1);
  EXPECT_EQ(rig.runner.run(), Outcome::Finished);
  EXPECT_EQ(rig.x.words, Lines{"waiting for b"});
  EXPECT_EQ(rig.y.words, Lines{"waiting for b"});
}

TEST(runner, fails_with_the_name_of_a_source_that_never_comes) {
  Rig rig;
  rig.b.clock = &rig.clock;
  rig.b.ready_at = 1e9;
  rig.b.patient = {.named_after = 0.5, .timeout = 2, .then = Patience::Then::Fail};
  rig.begin(10);
  EXPECT_EQ(rig.runner.run(), Outcome::Failed);
  EXPECT_EQ(rig.runner.failure(), "b was not ready for 2 s");
  EXPECT_NEAR(rig.clock.time, 102, 0.0011);
  EXPECT_EQ(rig.world->tick(), 0u);
  EXPECT_EQ(rig.log.back(), "y end");
}

TEST(runner, goes_on_without_a_source_and_takes_it_back) {
  Rig rig;
  rig.b.clock = &rig.clock;
  rig.b.ready_at = 103;
  rig.b.patient = {.named_after = 0.5, .timeout = 2, .then = Patience::Then::GoOn};
  rig.begin(200, 1);
  EXPECT_EQ(rig.runner.run(), Outcome::Finished);
  EXPECT_EQ(rig.x.words, (Lines{"waiting for b", "b was not ready for 2 s: the run goes on without it", "b is back"}));
  EXPECT_EQ(rig.a.given, 200);
  EXPECT_EQ(rig.b.asked, 200);
  EXPECT_NEAR(rig.b.given, 100, 2);               // it missed the second from 102 to 103
  EXPECT_NEAR(rig.clock.time, 100 + 2 + 2, 0.02);  // the run waited once, not at every tick
}

TEST(runner, a_source_that_fails_ends_the_run_by_name) {
  Rig rig;
  rig.b.fails_at = 3;
  rig.begin(10);
  EXPECT_EQ(rig.runner.run(), Outcome::Failed);
  EXPECT_EQ(rig.runner.failure(), "b: the line is dead");
  EXPECT_EQ(rig.world->tick(), 3u);
}

TEST(runner, is_interrupted_between_ticks_and_while_it_waits) {
  Rig rig;
  rig.runner.begin(*rig.world, {.end = 100, .is_interrupted = [&] { return rig.world->tick() == 7; }});
  EXPECT_EQ(rig.runner.run(), Outcome::Interrupted);
  EXPECT_EQ(rig.x.ticks.back(), 7u);
  EXPECT_EQ(rig.log.back(), "y end");

  rig.b.clock = &rig.clock;
  rig.b.ready_at = 1e9;
  rig.runner.begin(*rig.world, {.end = 100, .is_interrupted = [&] { return rig.clock.time > 101; }}, true);
  EXPECT_EQ(rig.runner.run(), Outcome::Interrupted);
  EXPECT_LT(rig.clock.time, 101.1);

  bool stop = false;
  rig.clock.on_sleep = [&] { stop = ++rig.a.asked > 100; };
  rig.runner.begin(*rig.world, {.end = 100, .paused = true, .is_interrupted = [&] { return stop; }});
  EXPECT_EQ(rig.runner.run(), Outcome::Interrupted);
}

TEST(runner, going_back_tells_everybody_and_asks_again) {
  Rig rig;
  rig.begin(100);
  for (int k = 0; k < 10; ++k) rig.runner.turn();
  const auto then = rig.world->snapshot();
  const std::uint64_t hash = rig.world->hash();
  for (int k = 0; k < 20; ++k) rig.runner.turn();
  const std::uint64_t later = rig.world->hash();
  rig.log.clear();
  ASSERT_TRUE(rig.runner.restore(*then));
  EXPECT_EQ(rig.log, (Lines{"a restored 10", "b restored 10", "x restored 10", "y restored 10"}));
  EXPECT_EQ(rig.world->hash(), hash);
  rig.runner.turn();
  EXPECT_EQ(rig.log[4], "a ask 10");
  for (int k = 0; k < 19; ++k) rig.runner.turn();
  EXPECT_EQ(rig.world->hash(), later);  // the same inputs, the same future
  rig.runner.end();
  EXPECT_FALSE(rig.runner.restore(*then));
}

TEST(runner, begins_again_with_another_world) {
  Rig rig;
  rig.begin(100);
  rig.runner.turn();
  const auto other = test::make(test::circling(3));
  rig.log.clear();
  rig.runner.begin(*other, {.end = 2}, true);
  EXPECT_EQ(rig.log, (Lines{"a end", "b end", "x end", "y end", "a begin", "b begin", "x begin again", "y begin again"}));
  EXPECT_EQ(rig.runner.run(), Outcome::Finished);
  EXPECT_EQ(other->tick(), 2u);
  EXPECT_EQ(rig.world->tick(), 1u);
}

TEST(runner, a_run_whose_end_is_now_flies_nothing) {
  Rig rig;
  rig.begin(0);
  EXPECT_EQ(rig.runner.run(), Outcome::Finished);
  EXPECT_EQ(rig.log.back(), "y end");
  EXPECT_TRUE(rig.x.ticks.empty());
}

// the machine's clock: the runner sleeps until the other thread is done, not a time-out longer
TEST(runner, a_source_wakes_the_runner_from_its_own_thread) {
  SteadyClock clock;
  std::atomic<bool> done = false;
  struct Slow final : Source {
    std::atomic<bool>& done;
    explicit Slow(std::atomic<bool>& d) : done(d) {}
    std::string name() const override { return "slow"; }
    bool is_ready(const World&) override { return done; }
    core::Status give(const World&, std::vector<Input>&) override { return core::ok(); }
  } slow(done);
  const auto world = test::make(test::circling(1));
  Runner runner(clock);
  runner.add(slow);
  runner.begin(*world, {.end = 1});
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    done = true;
    clock.wake();
  });
  EXPECT_EQ(runner.run(), Outcome::Finished);
  other.join();
  EXPECT_GE(runner.elapsed(), 0.029);
  clock.wake();
  const double before = clock.now();
  clock.sleep_until(before + 5);  // woken before it slept
  EXPECT_LT(clock.now() - before, 1);
}

}  // namespace
}  // namespace volary::runner
