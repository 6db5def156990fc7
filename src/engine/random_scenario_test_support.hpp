// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine_test_support.hpp"
#include "math/hash.hpp"
#include "swarm/behaviours/all.hpp"
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
    return w;
  }

 private:
  std::uint64_t draw() { return math::mix64(state_ += 0x9e3779b97f4a7c15ull); }
  std::uint64_t below(std::uint64_t n) { return draw() % n; }
  double unit(double scale) { return scale * static_cast<double>(draw() >> 11) * 0x1p-53; }
  std::uint64_t state_;
};

}  // namespace volary::test
