// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/flight.hpp"

#include <algorithm>
#include <charconv>

#include "cli/run_recorder.hpp"
#include "math/scalar.hpp"
#include "server/session.hpp"

namespace volary::cli {

namespace {

// looking at the tracking error costs as much as a step: a large swarm is looked at less often
constexpr std::size_t kLooksPerTick = 256;

constexpr std::size_t kMostStopped = 1000;  // different texts that are kept

// "refused" of "refused: mode for a vehicle that is not there"
std::string kind_of(const std::string& what) { return what.substr(0, what.find(':')); }
// and what follows
std::string rest_of(const std::string& what) {
  const std::size_t colon = what.find(": ");
  return colon == std::string::npos ? "" : what.substr(colon + 2);
}

}  // namespace

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

void FlightLog::begin(const World& world) {
  error.every = std::max<std::size_t>(1, world.n_vehicles() / kLooksPerTick);
  tick = static_cast<double>(world.def().tick_ns) * 1e-9;
}

void FlightLog::event(const Event& event) {
  const std::string kind = kind_of(event.what);
  const std::string rest = rest_of(event.what);
  if (++events[kind] == 1) first[kind] = event.name + (event.name.empty() || rest.empty() ? "" : ": ") + rest;
  if (kind == "diverged") diverged.push_back(event.name);
  if (kind != "stopped deciding") return;
  const auto known = std::find_if(stopped.begin(), stopped.end(), [&](const Stopped& s) { return s.text == rest; });
  if (known != stopped.end())
    ++known->vehicles;
  else if (stopped.size() < kMostStopped)
    stopped.push_back({rest, 1, event.name, static_cast<double>(event.tick) * tick});
}

void FlightLog::after_tick(const World& world) {
  if (world.tick() % error.every == 0 && world.time() >= world.def().metrics_from) error.add(world.tracking());
}

Flight fly(World& world, double speed, const Progress& progress, RunRecorder* recorder) {
  const WorldDef& def = world.def();
  const double tick = static_cast<double>(def.tick_ns) * 1e-9;
  Flight flight;
  flight.planned = planned_ticks(def);
  flight.log.begin(world);
  if (recorder != nullptr) recorder->begin(world);
  Pace pace = make_pace(speed, tick);
  while (flight.ticks < flight.planned && !flight.interrupted) {
    world.step(1);
    ++flight.ticks;
    flight.log.after_tick(world);
    for (const Event& e : world.take_events()) {
      flight.log.event(e);
      if (recorder != nullptr) recorder->event(e);
    }
    if (recorder != nullptr) recorder->after_tick(world);
    pace.after(1);
    flight.interrupted = !progress(static_cast<double>(flight.ticks) / static_cast<double>(flight.planned), pace);
  }
  flight.simulated = world.time();
  flight.wall = pace.elapsed();
  flight.factor = pace.real_time_factor();
  flight.overruns = pace.overruns();
  if (recorder != nullptr) recorder->end(world, flight.log);
  return flight;
}

}  // namespace volary::cli
