// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_serial.hpp"

#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "autopilot/hardware/hardware_source.hpp"
#include "autopilot/hardware/stand_in_board.hpp"
#include "cli/flight.hpp"
#include "cli/paths.hpp"
#include "cli/yardstick.hpp"
#include "scenario/autopilot_file.hpp"
#include "scenario/load.hpp"

namespace volary::cli {

namespace {

using autopilot::Spread;
constexpr double kSeconds = 20;
constexpr int kExchanges = 2500;     // as many as in 10 s of the loop
constexpr std::size_t kAsked = 76, kAnswered = 93;  // bytes of HIL_SENSOR and HIL_ACTUATOR_CONTROLS

void add_spread(Report& report, const std::string& name, const Spread& s) {
  for (const auto& [what, seconds] : {std::pair{"mean", s.mean()}, {"p50", s.quantile(0.5)}, {"p99", s.quantile(0.99)}, {"max", s.max()}})
    report.add(name + "/" + what, 1e3 * seconds, "ms", {{"n", static_cast<std::int64_t>(s.count())}});
}

// What the machine gives: the bytes of one sample there and back between two threads, with nothing else in between, one after the other.
core::Result<Spread> bare_exchange() {
  autopilot::PtyLine line;
  auto opened = autopilot::Links::open({autopilot::parse_device(line.device()).value()});  // sets the terminal as a serial line
  if (!opened) return opened.error();
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    const mavlink::Bytes answer(kAnswered);
    std::size_t held = 0;
    while (!is_over) {
      if (line.wait(0.01)) held += line.read().size();
      for (; held >= kAsked; held -= kAsked) line.write(answer);
    }
  });
  Spread spread;
  std::optional<autopilot::ChannelId> channel;
  std::size_t got = 0;
  const auto on_event = [&](const autopilot::LinkEvent& e) {
    if (e.kind == autopilot::LinkEvent::Kind::Opened) channel = e.channel;
    got += e.bytes.size();
  };
  const double end = runner::steady_now() + kSeconds;
  while (!channel && runner::steady_now() < end) opened.value()->poll(0.01, on_event);
  const mavlink::Bytes question(kAsked);
  for (int k = 0; k < kExchanges && runner::steady_now() < end; ++k) {
    const double begin = runner::steady_now();
    opened.value()->send(*channel, question);
    for (got = 0; got < kAnswered && runner::steady_now() < end;) opened.value()->poll(0.01, on_event);
    spread.add(runner::steady_now() - begin);
  }
  is_over = true;
  other.join();
  return spread;
}

core::Status add_loop(Report& report) {
  const auto path = find_scenario("px4_square");
  if (!path) return path.error();
  scenario::Bundle bundle;
  const auto def = scenario::load_scenario(path.value(), {scenario_paths().assets}, {fmt::format("duration={}", kSeconds)}, bundle);
  if (!def) return def.error();
  const auto flocks = scenario::load_autopilots(bundle, def.value());
  if (!flocks) return flocks.error();
  std::string error;
  const auto world = World::create(def.value(), {}, &error);
  if (world == nullptr) return core::Error{.message = error};

  autopilot::PtyBoard board;
  autopilot::HardwareSource source(
      {.devices = {autopilot::parse_device(board.device()).value()}, .tell = [](const std::string& text) { fmt::print(stderr, "volary: {}\n", text); }});
  source.fly(flocks.value());
  Flight flight;
  fly(*world, {.speed = 1, .sources = {&source}}, flight);
  if (!flight.failure.empty()) return core::Error{.message = flight.failure};

  const autopilot::BoardFigures f = source.figures().front();
  const std::string at = fmt::format("serial/pty/rate={:.0f}/seconds={:.0f}/", 1e9 / static_cast<double>(def.value().tick_ns), kSeconds);
  add_spread(report, at + "round_trip", f.round_trip);
  add_spread(report, at + "sensors_to_outputs", f.answer);
  add_spread(report, at + "age_of_outputs", f.age);
  report.add(at + "outputs/rate", f.between_outputs.mean() > 0 ? 1 / f.between_outputs.mean() : 0, "1/s");
  report.add(at + "outputs/jitter", 1e3 * f.between_outputs.deviation(), "ms, standard deviation", {{"longest_gap_ms", 1e3 * f.between_outputs.max()}});
  report.add(at + "sensors/rate", f.between_sensors.mean() > 0 ? 1 / f.between_sensors.mean() : 0, "1/s");
  report.add(at + "sensors/jitter", 1e3 * f.between_sensors.deviation(), "ms, standard deviation", {{"longest_gap_ms", 1e3 * f.between_sensors.max()}});
  report.add(at + "ticks_without_new_outputs", static_cast<std::int64_t>(f.ticks_without_new), fmt::format("of {}", f.ticks));
  report.add(at + "ticks_with_held_outputs", static_cast<std::int64_t>(f.ticks_held));
  report.add(at + "ticks_without_outputs", static_cast<std::int64_t>(f.ticks_silent));
  report.add(at + "messages_dropped", static_cast<std::int64_t>(f.dropped));
  report.add(at + "overruns", static_cast<std::int64_t>(flight.overruns), "ticks");
  report.add(at + "height", world->position_of(world->vehicles().front())[2], "m at the end; the stand-in holds 2 m");
  return core::ok();
}

}  // namespace

core::Status bench_serial(Report& report) {
  Yardstick yardstick;
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  const auto bare = bare_exchange();
  if (!bare) return bare.error();
  add_spread(report, "serial/bare_pty/round_trip", bare.value());
  if (const core::Status s = add_loop(report); !s) return s;
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  for (const auto& [name, value] : yardstick) report.add("serial/yardstick/" + name, value, "1/s");
  return core::ok();
}

}  // namespace volary::cli
