// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Worlds that a stand-in for a board flies over a pair of pseudo terminals. The clock is that of the test: the device answers while the run sleeps, and time passes when its
// answer has arrived. So nothing here depends on how fast the machine is. It shows nothing about the flight of PX4.
#include "autopilot/hardware/hardware_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "autopilot/hardware/stand_in_board.hpp"
#include "autopilot/lockstep/lockstep_test_support.hpp"

namespace volary::autopilot {
namespace {

// what another thread or the system does soon
template <class Condition> bool comes(Condition&& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return true;
}

// read by two threads; it moves when the run sleeps
struct SharedClock final : runner::Clock {
  std::atomic<double> time = 100;
  std::function<void()> on_sleep;

  double now() const override { return time; }
  void sleep_until(double until) override {
    on_sleep();
    time = std::max(time.load(), until);
  }
  void wake() override {}
};

class Rig {
 public:
  explicit Rig(StandInSettings settings = {}, int vehicles = 1)
      : board(settings),
        source({.devices = {parse_device(line.device()).value()},
                .retry = 0.01,
                .tell = [this](const std::string& text) { flown.told.push_back(text); },
                .now = [this] { return clock.now(); }}),
        vehicles_(vehicles) {}

  PtyLine line;
  StandInBoard board;
  SharedClock clock;
  test::Flown flown;
  HardwareSource source;
  std::function<void(double)> script = [](double) {};  // what happens at a time
  bool is_stalled = false, is_blocked = false, is_plugged = true;

  BoardFigures figures() const { return source.figures().front(); }
  void run(double seconds, double speed = 1, std::int64_t tick_ns = 4'000'000);
  void unplug();
  void plug();
  double height() const { return flown.world->position_of(flown.world->vehicles()[0])[2]; }
  Mode mode() const { return flown.world->mode_of(flown.world->vehicles()[0]); }
  std::size_t n_told(const char* part) const {
    return static_cast<std::size_t>(
        std::count_if(flown.told.begin(), flown.told.end(), [&](const std::string& t) { return t.find(part) != std::string::npos; }));
  }

 private:
  void exchange();

  int vehicles_;
  std::uint64_t sent_ = 0, heard_ = 0;  // sensors of the line, and of the board, when it was plugged in
  std::uint64_t written_ = 0;  // bytes
};

void Rig::run(double seconds, double speed, std::int64_t tick_ns) {
  std::string error;
  flown.world = World::create(test::parked(vehicles_, tick_ns, seconds), {}, &error);
  ASSERT_NE(flown.world, nullptr) << error;
  source.fly({{"flown", {AutopilotKind::Px4, {}, 10016, {}}}});
  test::HashSink sink(flown);
  runner::Runner runner(clock);
  runner.add(source);
  runner.add(sink);
  const double begin = clock.now();
  clock.on_sleep = [&] {
    script(clock.now() - begin);
    exchange();
  };
  runner.begin(*flown.world, {.end = planned_ticks(flown.world->def()), .speed = speed});
  if (!source.figures().empty()) EXPECT_TRUE(comes([&] { return figures().is_open || runner.outcome() != runner::Outcome::None; }));
  flown.outcome = runner.run();
  flown.failure = runner.failure();
}

// all sensors that the line took have arrived at the board, and all its answers at the source
void Rig::exchange() {
  if (!is_plugged || is_blocked || source.figures().empty()) return;
  mavlink::Bytes out;
  EXPECT_TRUE(comes([&] {
    board.received(line.read(), clock.now(), out);
    return board.samples() - heard_ >= figures().sensors - sent_;
  }));
  board.beat(clock.now(), out);
  if (is_stalled) return;
  written_ += line.write(out);
  EXPECT_TRUE(comes([&] { return figures().bytes >= written_; }));
}

void Rig::unplug() {
  is_plugged = false;
  line.unplug();
  EXPECT_TRUE(comes([&] { return !figures().is_open; }));
}

void Rig::plug() {
  line.plug();
  EXPECT_TRUE(comes([&] { return figures().is_open; }));
  is_plugged = true;
  sent_ = figures().sensors;
  heard_ = board.samples();
}

std::size_t n_modes(const test::Flown& flown, Mode mode) {
  std::size_t n = 0;
  for (const Input& i : flown.inputs)
    if (const auto* m = std::get_if<SetMode>(&i.payload)) n += m->mode == mode ? 1 : 0;
  return n;
}

// ---------------------------------------------------------------- flight

TEST(hardware_source, a_board_arms_its_vehicle_and_hovers) {
  Rig rig;
  rig.run(8);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_EQ(rig.flown.hashes.size(), 2000u);
  EXPECT_NEAR(rig.height(), 2, 0.3);
  EXPECT_EQ(rig.mode(), Mode::Armed);
  EXPECT_TRUE(rig.flown.told.empty()) << rig.flown.told[0];
  const BoardFigures f = rig.figures();
  EXPECT_EQ(f.sensors, 2000u);
  EXPECT_NEAR(1 / f.between_sensors.mean(), 250, 0.2) << "the first two ticks begin at once";
  EXPECT_LT(f.between_outputs.deviation(), 1e-4);
  EXPECT_EQ(f.ticks_without_new, 0u);
  EXPECT_EQ(f.answer.count(), f.outputs);
  EXPECT_EQ(rig.board.wished_interval(), 4000);
}

TEST(hardware_source, its_run_replays_bit_by_bit_without_the_board) {
  Rig rig;
  rig.script = [&](double t) { rig.is_stalled = t > 2 && t < 3; };
  rig.run(4);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_EQ(test::flown_again(rig.flown, 1), rig.flown.hashes);
  EXPECT_EQ(test::flown_again(rig.flown, 2), rig.flown.hashes);
}

TEST(hardware_source, sensors_are_sent_every_4_ms_whatever_the_tick) {
  Rig rig;
  rig.run(1, 1, 2'000'000);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_EQ(rig.flown.hashes.size(), 500u);
  EXPECT_EQ(rig.figures().sensors, 250u);
}

TEST(hardware_source, a_board_with_a_rate_and_a_clock_of_its_own_hovers_too) {
  Rig rig({.own_period = 0.005});
  rig.run(8);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_NEAR(rig.height(), 2, 0.3);
  const BoardFigures f = rig.figures();
  EXPECT_GT(f.ticks_without_new, 200u);
  EXPECT_EQ(f.ticks_held, 0u);
  EXPECT_EQ(f.answer.count(), 0u);
}

TEST(hardware_source, bytes_between_messages_do_not_disturb_the_flight) {
  Rig rig({.noise = 30});
  rig.run(8);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_NEAR(rig.height(), 2, 0.3);
  EXPECT_GT(rig.figures().skipped, 30'000u);
}

// ---------------------------------------------------------------- failures

TEST(hardware_source, a_short_stall_is_flown_with_the_last_outputs) {
  Rig rig;
  rig.script = [&](double t) { rig.is_stalled = t > 5 && t < 5.1; };
  rig.run(8);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  const BoardFigures f = rig.figures();
  EXPECT_GT(f.ticks_held, 10u);
  EXPECT_EQ(f.silences, 0u);
  EXPECT_EQ(n_modes(rig.flown, Mode::Disarmed), 0u);
  EXPECT_EQ(rig.n_told("older than 20 ms"), 1u);
  EXPECT_NEAR(rig.height(), 2, 0.5);
}

TEST(hardware_source, a_board_that_falls_silent_lets_its_vehicle_fall_and_takes_it_over_again) {
  Rig rig;
  double lowest_speed = 0;
  rig.script = [&](double t) {
    rig.is_stalled = t > 5 && t < 5.75;
    if (t > 5.6 && t < 5.75) lowest_speed = std::min(lowest_speed, rig.flown.world->velocity_of(rig.flown.world->vehicles()[0])[2]);
  };
  rig.run(11);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_EQ(rig.figures().silences, 1u);
  EXPECT_EQ(n_modes(rig.flown, Mode::Disarmed), 1u);
  EXPECT_EQ(n_modes(rig.flown, Mode::Armed), 2u);
  EXPECT_EQ(rig.n_told("no outputs for 0.5 s"), 1u);
  EXPECT_EQ(rig.n_told("answers again"), 1u);
  EXPECT_LT(lowest_speed, -1) << "its rotors stood still";
  EXPECT_NEAR(rig.height(), 2, 0.5);
}

TEST(hardware_source, a_device_that_is_unplugged_is_opened_again_when_it_is_back) {
  Rig rig;
  rig.script = [&](double t) {
    if (rig.is_plugged && t > 5 && t < 5.7) rig.unplug();
    if (!rig.is_plugged && t > 5.7) rig.plug();  // before it has fallen to the ground
  };
  rig.run(8);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_EQ(rig.n_told("the device is gone"), 1u);
  EXPECT_EQ(rig.n_told("the device is back"), 1u);
  EXPECT_EQ(rig.n_told("no outputs for 0.5 s"), 1u);
  EXPECT_EQ(rig.n_told("answers again"), 1u);
  EXPECT_EQ(rig.figures().times_opened, 2u);
  EXPECT_EQ(rig.mode(), Mode::Armed);
}

TEST(hardware_source, a_device_that_takes_nothing_holds_nobody_and_loses_whole_messages) {
  Rig rig;
  rig.script = [&](double t) { rig.is_blocked = t > 2 && t < 14; };
  rig.run(16);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  const BoardFigures f = rig.figures();
  EXPECT_GT(f.dropped, 100u);
  EXPECT_LT(f.sensors, 4000u);
  EXPECT_GE(f.sensors + f.dropped, 4000u) << "every one was sent, or counted";
  EXPECT_GE(rig.n_told("were dropped"), 1u);
  EXPECT_EQ(rig.n_told("answers again"), 1u);
  EXPECT_EQ(rig.board.newest_us(), 1'000'000 + 3999u * 4000) << "what is old does not hold back what is new";
}

TEST(hardware_source, a_board_that_is_not_in_HIL_mode_is_said) {
  Rig rig({.is_hil = false});
  rig.run(1);
  EXPECT_EQ(rig.n_told("SYS_HITL"), 1u);
}

TEST(hardware_source, a_run_that_is_not_in_real_time_is_said) {
  Rig rig;
  rig.run(4, 0.5);
  EXPECT_EQ(rig.n_told("0.50 times real time"), 1u);
}

TEST(hardware_source, a_page_sees_the_board_and_its_line_and_gives_it_no_commands) {
  Rig rig;
  runner::AutopilotReport flying, silent;
  runner::LinkReport line, unplugged, plugged;
  core::Status ordered = core::ok();
  bool flies = false;
  rig.script = [&](double t) {
    const VehicleId id = rig.flown.world->vehicles()[0];
    if (rig.is_plugged && t > 5 && t < 6) rig.unplug();
    if (!rig.is_plugged && t > 6) rig.plug();
    if (t > 4.9 && t < 5) {
      flies = rig.source.flies(id);
      flying = rig.source.report_of(id), line = rig.source.link_reports().at(0);
      ordered = rig.source.order(id, {.kind = runner::FlightOrder::Kind::Land});
    }
    if (t > 5.9 && t < 6) silent = rig.source.report_of(id), unplugged = rig.source.link_reports().at(0);
    if (t > 7.9) plugged = rig.source.link_reports().at(0);
  };
  EXPECT_FALSE(rig.source.is_used());
  rig.run(8);
  ASSERT_EQ(rig.flown.outcome, runner::Outcome::Finished) << rig.flown.failure;
  EXPECT_TRUE(flies);
  EXPECT_EQ(flying.kind, "PX4");
  EXPECT_EQ(flying.trouble, "");
  EXPECT_TRUE(flying.is_armed);
  EXPECT_EQ(silent.trouble, "its device is gone");
  EXPECT_NE(line.address.find(rig.line.device()), std::string::npos) << line.address;
  EXPECT_EQ(line.state, "connected");
  EXPECT_EQ(line.peers, std::vector<std::string>{"board of " + rig.flown.world->name_of(rig.flown.world->vehicles()[0])});
  EXPECT_NEAR(line.received_rate, 261, 8) << "250 outputs, up to 10 answers with the time, and a heartbeat";
  EXPECT_NEAR(line.sent_rate, 271, 8) << "250 readings of sensors, 10 of satellites, up to 10 questions for the time, and a heartbeat";
  EXPECT_EQ(line.lost + line.bad + line.dropped, 0u);
  EXPECT_EQ(unplugged.state, "connecting");
  EXPECT_GE(unplugged.sent, line.sent);
  EXPECT_EQ(plugged.state, "connected");
  EXPECT_NEAR(static_cast<double>(plugged.sent), 271.0 * 7, 60) << "those before and after, each once";
  ASSERT_FALSE(ordered);
  EXPECT_EQ(ordered.error().message, "the board takes commands from its ground station only");
  EXPECT_FALSE(rig.source.is_used()) << "the run is over";
  EXPECT_TRUE(rig.source.link_reports().empty());
}

TEST(hardware_source, a_device_that_is_not_there_ends_the_run_with_its_name) {
  Rig rig;
  rig.line.unplug();
  rig.is_plugged = false;
  rig.run(1);
  EXPECT_EQ(rig.flown.outcome, runner::Outcome::Failed);
  EXPECT_NE(rig.flown.failure.find(rig.line.device()), std::string::npos) << rig.flown.failure;
}

TEST(hardware_source, two_vehicles_need_two_devices) {
  Rig rig({}, 2);
  rig.run(1);
  EXPECT_EQ(rig.flown.outcome, runner::Outcome::Failed);
  EXPECT_NE(rig.flown.failure.find("2 vehicles, and 1 serial device"), std::string::npos) << rig.flown.failure;
}

TEST(hardware_source, cannot_go_back_in_time) {
  Rig rig;
  rig.run(0.1);
  rig.source.reset(*rig.flown.world);
  std::vector<Input> inputs;
  const core::Status given = rig.source.give(*rig.flown.world, inputs);
  ASSERT_FALSE(given);
  EXPECT_NE(given.error().text().find("back in time"), std::string::npos);
}

}  // namespace
}  // namespace volary::autopilot
