// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/flight.hpp"

#include <algorithm>
#include <charconv>

#include "math/scalar.hpp"

namespace volary::cli {

namespace {

// looking at the tracking error costs as much as a step: a large swarm is looked at less often
constexpr std::size_t kLooksPerTick = 256;

constexpr std::size_t kMostStopped = 1000;  // different texts that are kept
constexpr std::size_t kMostLines = 20;

// "refused" of "refused: mode for a vehicle that does not exist"
std::string kind_of(const std::string& what) { return what.substr(0, what.find(':')); }
// and what follows
std::string rest_of(const std::string& what) {
  const std::size_t colon = what.find(": ");
  return colon == std::string::npos ? "" : what.substr(colon + 2);
}

}  // namespace

std::uint64_t ticks_between_errors(std::size_t n_vehicles) { return std::max<std::size_t>(1, n_vehicles / kLooksPerTick); }

void TrackingError::add(const Tracking& now) {
  max = std::max(max, now.max);
  sum_of_squares += now.mean_square * static_cast<double>(now.samples);
  samples += now.samples;
}

double TrackingError::rms() const { return samples > 0 ? math::sqrt(sum_of_squares / static_cast<double>(samples)) : 0; }

bool parse_speed(const std::string& text, double& speed) {
  if (text.empty() || text == "max") return speed = 0, true;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), speed);
  return code == std::errc() && end == text.data() + text.size() && speed >= 1e-3 && speed <= 1e6;
}

void FlightLog::begin(World& world, bool) {
  *this = {};
  error.every = ticks_between_errors(world.n_vehicles());
  tick = static_cast<double>(world.def().tick_ns) * 1e-9;
  closest.begin(world);
}

void FlightLog::event(World&, const Event& event) {
  const std::string kind = kind_of(event.what);
  const std::string rest = rest_of(event.what);
  if (++events[kind] == 1) first[kind] = event.name + (event.name.empty() || rest.empty() ? "" : ": ") + rest;
  if (kind == "log" && lines.size() < kMostLines) lines.push_back({static_cast<double>(event.tick) * tick, event.name, rest});
  if (kind == "diverged") diverged.push_back(event.name);
  if (kind != "stopped deciding") return;
  const auto known = std::find_if(stopped.begin(), stopped.end(), [&](const Stopped& s) { return s.text == rest; });
  if (known != stopped.end())
    ++known->vehicles;
  else if (stopped.size() < kMostStopped)
    stopped.push_back({rest, 1, event.name, static_cast<double>(event.tick) * tick});
}

void FlightLog::after_tick(World& world) {
  closest.after_tick(world);
  if (world.tick() % error.every == 0 && world.time() >= world.def().metrics_from) error.add(world.tracking());
}

void Flight::take_figures(const World& world, const runner::Runner& runner) {
  ticks = runner.ticks();
  planned = planned_ticks(world.def());
  simulated = world.time();
  wall = runner.elapsed();
  factor = runner.real_time_factor();
  overruns = runner.overruns();
  interrupted = runner.outcome() == runner::Outcome::Interrupted;
  failure = runner.failure();
}

void fly(World& world, const FlightPlan& plan, Flight& flight) {
  runner::SteadyClock clock;
  runner::Runner runner(clock);
  if (plan.lend_clock) plan.lend_clock(clock);
  for (runner::Source* source : plan.sources) runner.add(*source);
  for (runner::Sink* sink : plan.sinks) runner.add(*sink);
  runner.add(flight.log);
  runner.begin(world, {.end = planned_ticks(world.def()), .speed = plan.speed, .is_interrupted = plan.is_interrupted, .fly = plan.fly_tick});
  runner.run();
  flight.take_figures(world, runner);
}

}  // namespace volary::cli
