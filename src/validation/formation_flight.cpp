// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/formation_flight.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "math/functions.hpp"
#include "swarm/behaviours/wing_formation.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::validation {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double distance(const Vec& a, const Vec& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return math::sqrt(x * x + y * y + z * z);
}

// seen along a course
Vec turned(const Vec& from, const Vec& to, double course) {
  double s = 0, c = 1;
  math::sincos(course, s, c);
  const double x = to[0] - from[0], y = to[1] - from[1];
  return {c * x + s * y, s * x - c * y, to[2] - from[2]};
}

core::Result<const swarm::WingFormation::Params*> law_of(const WorldDef& def) {
  if (!def.flocks.empty())
    for (const BehaviourDef& b : def.flocks[0].node.behaviours)
      if (b.kind == swarm::WingFormation::name) return static_cast<const swarm::WingFormation::Params*>(b.params.get());
  return core::Error{.message = def.name + ": its first flock has no wing_formation", .field = "flocks[0].behaviours"};
}

FormationSample sample_of(const World& world, const std::vector<VehicleId>& members, const swarm::WingFormation::Params& law) {
  FormationSample s;
  s.time = world.time();
  const Vec velocity = world.velocity_of(members[0]), leader = world.position_of(members[0]);
  s.course = math::atan2(velocity[1], velocity[0]);
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto place = swarm::WingFormation::place(k, law);
    s.position.push_back(world.position_of(members[k]));
    s.place.push_back(k == 0 ? leader : place_of(leader, s.course, place.ahead, place.right, place.above));
    s.gap.push_back(turned(s.place.back(), s.position.back(), s.course));
  }
  return s;
}

void add_nearest(const FormationSample& s, FormationFlight& flight) {
  for (std::size_t i = 0; i < s.position.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) flight.nearest = std::min(flight.nearest, distance(s.position[i], s.position[j]));
}

}  // namespace

Vec place_of(const Vec& leader, double course, double ahead, double right, double above) {
  double s = 0, c = 1;
  math::sincos(course, s, c);
  return {leader[0] + c * ahead + s * right, leader[1] + s * ahead - c * right, leader[2] + above};
}

core::Result<FormationFlight> fly_formation(const std::string& scenario, const std::string& assets) {
  const Loaded<WorldDef> def = load_scenario(scenario, {.assets = assets});
  if (!def) return core::Error{.message = def.error};
  const auto law = law_of(*def.value);
  if (!law) return law.error();
  std::string error;
  const std::unique_ptr<World> world = World::create(*def.value, {}, &error);
  if (world == nullptr) return core::Error{.message = scenario + ": " + error};

  FormationFlight flight;
  flight.nearest = kInfinity;
  const double tick = static_cast<double>(def.value->tick_ns) * 1e-9;
  const auto every = static_cast<std::uint64_t>(std::max(1.0, math::round(flight.interval / tick)));
  flight.interval = static_cast<double>(every) * tick;
  const std::vector<VehicleId> members = world->vehicles(def.value->flocks[0].name);
  const std::uint64_t end = planned_ticks(*def.value);
  while (world->tick() < end) {
    world->step(std::min(every, end - world->tick()));
    flight.complete = world->n_vehicles() == members.size();
    if (!flight.complete) break;
    flight.samples.push_back(sample_of(*world, members, *law.value()));
    add_nearest(flight.samples.back(), flight);
    flight.off_path = std::max(flight.off_path, world->tracking().max);  // only the leader is on a mission
    const std::size_t n = flight.samples.size();
    if (n > 1) flight.flown += distance(flight.samples[n - 1].position[0], flight.samples[n - 2].position[0]);
  }
  return flight;
}

std::vector<Straight> straights_of(const FormationFlight& flight, double rate, double shortest) {
  std::vector<Straight> all;
  const auto& s = flight.samples;
  const auto length = static_cast<std::size_t>(shortest / flight.interval);
  std::size_t first = 0;
  for (std::size_t k = 1; k <= s.size(); ++k) {
    const bool turns = k < s.size() && math::abs(swarm::wrap_angle(s[k].course - s[k - 1].course)) > rate * flight.interval;
    if (k < s.size() && !turns) continue;
    if (k - first >= length) all.push_back({first, k});
    first = k;
  }
  return all;
}

double size_of(const Vec& gap, Part part) {
  if (part == Part::All) return distance(gap, {0, 0, 0});
  return math::abs(gap[static_cast<std::size_t>(part)]);
}

double convergence(const FormationFlight& flight, const Straight& stretch, std::size_t follower, Part part, double threshold) {
  std::size_t inside = stretch.last;
  while (inside > stretch.first && size_of(flight.samples[inside - 1].gap[follower], part) <= threshold) --inside;
  if (inside == stretch.last) return kInfinity;
  return static_cast<double>(inside - stretch.first) * flight.interval;
}

double steady_error(const FormationFlight& flight, const Straight& stretch, std::size_t follower, Part part, double seconds) {
  const auto n = std::min(stretch.last - stretch.first, static_cast<std::size_t>(seconds / flight.interval));
  double worst = 0;
  for (std::size_t k = stretch.last - n; k < stretch.last; ++k) worst = std::max(worst, size_of(flight.samples[k].gap[follower], part));
  return worst;
}

double time_warp_distance(std::span<const Vec> a, std::span<const Vec> b) {
  if (a.empty() || b.empty()) return kInfinity;
  // the least sum up to (i, j), and how many pairs it took; one row at a time
  struct Way {
    double sum = kInfinity;
    double pairs = 0;
  };
  std::vector<Way> before(b.size()), now(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      Way from = i == 0 && j == 0 ? Way{0, 0} : Way{};
      if (i > 0 && j > 0 && before[j - 1].sum < from.sum) from = before[j - 1];
      if (i > 0 && before[j].sum < from.sum) from = before[j];
      if (j > 0 && now[j - 1].sum < from.sum) from = now[j - 1];
      now[j] = {from.sum + distance(a[i], b[j]), from.pairs + 1};
    }
    std::swap(before, now);
  }
  return before.back().sum / before.back().pairs;
}

}  // namespace volary::validation
