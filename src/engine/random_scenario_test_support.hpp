// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/senses_test_support.hpp"
#include "math/hash.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/script/script_def.hpp"
#include "swarm/stimuli/light.hpp"
#include "swarm/tasks/predicate.hpp"

namespace volary::test {

// random scenarios with all that vehicles have to do with each other: radio, contact, detection, noise, weather, regions, events, tasks
class RandomScenario {
 public:
  explicit RandomScenario(std::uint64_t seed) : state_(math::mix64(seed)) {}

  WorldDef make(int worlds) {
    WorldDef w = talking(4 + static_cast<int>(below(9)));
    w.seed = draw();
    w.worlds = worlds;
    w.duration = 2;
    w.environment.gust_sigma = below(2) == 0 ? 0 : 0.5;
    if (below(2) == 0) w.environment.weather.turbulence = {.form = TurbulenceModel::Dryden};
    FlockDef& f = w.flocks[0];
    f.node.contact.policy = static_cast<ContactPolicy>(below(4));
    f.node.contact.radius = 0.3;
    f.node.contact.speed = 0.2;
    f.node.estimate.position_noise = below(2) == 0 ? 0 : 0.3;
    f.node.detection.range = below(2) == 0 ? 0 : 8;
    f.node.behaviours = {behaviour<swarm::Reynolds>(), behaviour<swarm::Announce>({.topic = "beacon", .rate = 5, .after = 0.1})};
    for (std::size_t k = 0; k < f.vehicles.size(); ++k) f.vehicles[k].position_W = {unit(8), unit(8), 5 + unit(3)};
    w.radio.model = static_cast<RadioModel>(below(static_cast<std::uint64_t>(RadioModel::LogDistance) + 1));
    w.radio.range = 6;
    w.radio.loss = below(2) == 0 ? 0 : 0.3;
    w.radio.access = static_cast<MediumAccess>(below(3));
    w.radio.slot = 0.9e-3;  // ticks begin in the middle of slots
    w.radio.probability = 0.5;
    for (BehaviourDef& b : f.node.behaviours) b.delay = below(2) == 0 ? 0 : 0.07;
    if (below(2) == 0) w.environment.weather.fading = {0.5, 0.2};
    RegionDef pen;
    pen.name = "pen", pen.rule = RegionRule::KeepIn, pen.centre = {4, 4}, pen.radius = 5;
    w.regions = {pen};
    const auto one = static_cast<std::int64_t>(below(f.vehicles.size()));
    w.events = {{.time = 0.3, .what = "emergency_stop", .flock = "birds", .vehicle = one}, {.time = 0.5, .what = "wind", .flock = "", .value = {2, 0, 0}}};
    if (below(2) == 0) w.events.push_back({.time = 0.4, .what = "remove", .flock = "birds", .vehicle = one == 0 ? 1 : 0});
    swarm::Predicate alive, crashed;
    alive.test = swarm::Predicate::Alive{};
    crashed.test = swarm::Predicate::SpeedBelow{{}, 3};
    swarm::Predicate heard, left;
    heard.test = swarm::Predicate::Heard{{}, swarm::topic("beacon")};
    left.test = swarm::Predicate::Happened{"left"};
    w.tasks = {{"alive", std::make_shared<const swarm::Predicate>(alive)},
               {"slow", std::make_shared<const swarm::Predicate>(crashed), false},
               {"heard", std::make_shared<const swarm::Predicate>(heard), false},
               {"left", std::make_shared<const swarm::Predicate>(left), false}};
    if (below(2) == 0) f.spread = {.position_W = {1, 1, 0.5}, .velocity_W = {0.5, 0.5, 0}, .yaw = 1, .tilt = 0.2, .rate_B = {0.5, 0.5, 0.5}};
    if (below(2) == 0 && w.environment.weather.turbulence.form == TurbulenceModel::None && w.environment.weather.fading == FadingDef{})
      w.environment.wind_spread_W = {1, 2, 0};
    if (below(2) == 0) carry_sensors(f);
    return w;
  }

 private:
  // some of the common sensors, late, lost and not on all vehicles, with a filter or without
  void carry_sensors(FlockDef& f) {
    f.sensors = common_sensors();
    if (below(2) == 0) f.sensors.gnss->time.drop_out = 0.2;
    if (below(2) == 0) f.sensors.barometer.reset();
    if (below(2) == 0) f.sensors.magnetometer->time.latency = 0.05;
    if (below(2) == 0) f.vehicles[0].without = {"gnss"};
    if (below(3) == 0) f.sensors.imu.reset();
    if (f.sensors.imu) f.estimator.kind = below(3) == 0 ? EstimatorKind::None : EstimatorKind::Ekf;
    f.estimator.control_on_truth = below(3) == 0, f.estimator.decide_on_truth = below(3) == 0;
  }
  std::uint64_t draw() { return math::mix64(state_ += 0x9e3779b97f4a7c15ull); }
  std::uint64_t below(std::uint64_t n) { return draw() % n; }
  double unit(double scale) { return scale * static_cast<double>(draw() >> 11) * 0x1p-53; }
  std::uint64_t state_;
};

inline WorldDef with_horizon(WorldDef def, std::uint64_t ticks) {
  def.coupling.horizon = static_cast<double>(ticks) * static_cast<double>(def.tick_ns) * 1e-9;
  return def;
}

// A random scenario in which decisions depend on all that vehicles do to each other: birds fly by what they hear, by what they see and by light, among strangers with
// lamps that look at another rate.
inline WorldDef coupled_scenario(std::uint64_t seed, std::uint64_t horizon, int worlds = 1) {
  WorldDef w = RandomScenario(seed).make(worlds);
  const std::string text =
      "function act(me)\n"
      "  local v = vec(0, 0, 0)\n"
      "  for _, d in ipairs(me.detections) do v = v + 0.05 * (d.position - me.position) end\n"
      "  for _, m in ipairs(me.messages) do v = v + vec(0.01 * m.age, 0, 0) end\n"
      "  say('here', {me.light})\n"
      "  for k = 1, 9 do if me.light > 0.1 * k then log('light', me.light) end end\n"
      "  fly(v + vec(0.1 * me.light, 0, 0))\n"
      "end\n";
  FlockDef& birds = w.flocks[0];
  if (birds.node.detection.range > 0) birds.node.detection.rate = seed % 3 == 0 ? 25 : 10;
  birds.node.behaviours.push_back({.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"sense", "sense.lua", text, {}})});
  FlockDef lamps = birds;
  lamps.name = "lamps";
  lamps.vehicles.resize(3);
  for (std::size_t k = 0; k < lamps.vehicles.size(); ++k) lamps.vehicles[k].position_W = {1.0 + 2.5 * static_cast<double>(k), 3, 7};
  lamps.node.detection = {.range = 9, .rate = 7};
  lamps.node.behaviours = {behaviour<swarm::Reynolds>({.velocity = {0.5, 1, 0}, .speed = 2})};
  lamps.node.emits = {{.kind = "light", .from = 0.2, .emission = std::make_shared<swarm::Light::Emission>()}};
  w.flocks.push_back(lamps);
  return with_horizon(std::move(w), horizon);
}

}  // namespace volary::test
