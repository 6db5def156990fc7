// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_flight.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "cli/batch_campaign.hpp"
#include "cli/flight.hpp"
#include "cli/verdict.hpp"
#include "swarm/metrics.hpp"

namespace volary::cli {

namespace {

constexpr double kLookEvery = 0.1;  // s of simulated time

bool is_finite(double x) { return x - x == 0; }
swarm::V3 vec_of(const Vec& v) { return {v[0], v[1], v[2]}; }

// a figure that is looked at again and again
struct Mean {
  double sum = 0;
  std::uint64_t n = 0;
  void add(double x) {
    if (is_finite(x)) sum += x, ++n;
  }
};

// the swarm of one world of the batch, or one of its flocks
struct Group {
  std::vector<swarm::V3> positions, velocities;  // of those alive, by id
};

// who flies by the thrust of rotors: the energy of others is not known
bool is_airborne(Mode mode) { return mode != Mode::Disarmed && mode != Mode::Armed && mode != Mode::EmergencyStop; }

class Observer final : public runner::Sink {
 public:
  Observer(const World& world, double radius) : world_(world), def_(world.def()), radius_(radius) {
    const double tick = static_cast<double>(def_.tick_ns) * 1e-9;
    every_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kLookEvery / tick + 0.5));
    step_ = static_cast<double>(every_) * tick;
    flocks_.resize(def_.flocks.size());
    at_start_.resize(flocks_.size());
    for (std::size_t k = 0; k < flocks_.size(); ++k) at_start_[k] = world_.vehicles(def_.flocks[k].name).size();
  }

  void after_tick(World&) override {
    if (world_.tick() % every_ != 0) return;
    const bool counts = world_.time() >= def_.metrics_from;
    std::vector<Group> all(static_cast<std::size_t>(def_.worlds));
    for (std::size_t k = 0; k < flocks_.size(); ++k) look_at_flock(k, counts, all);
    for (const Group& group : all)
      if (counts) nearest_ = std::min(nearest_, swarm::separation(group.positions).min);
  }

  void report(std::map<std::string, double>& values) const {
    const auto put = [&](const std::string& name, double value) {
      if (is_finite(value)) values[name] = value;
    };
    const auto put_mean = [&](const std::string& name, const Mean& mean) {
      if (mean.n > 0) put(name, mean.sum / static_cast<double>(mean.n));
    };
    put("separation/min", nearest_);
    for (std::size_t k = 0; k < flocks_.size(); ++k) {
      const Figures& f = flocks_[k];
      const std::string name = def_.flocks[k].name + "/";
      put_mean(name + "order", f.order);
      put_mean(name + "nearest neighbour", f.nearest);
      put_mean(name + "largest group", f.together);
      const double n = static_cast<double>(at_start_[k]);
      if (n > 0 && f.hovering > 0) put(name + "energy", f.hovering / n);
      if (n > 0) put(name + "alive", static_cast<double>(f.alive) / n);
    }
  }

 private:
  struct Figures {
    Mean order, nearest, together;
    double hovering = 0;  // s of hovering that cost as much, all vehicles together
    std::size_t alive = 0;
    std::map<std::uint64_t, swarm::V3> velocity_before;  // by id
  };

  void look_at_flock(std::size_t k, bool counts, std::vector<Group>& all) {
    Figures& f = flocks_[k];
    std::vector<VehicleId> ids = world_.vehicles(def_.flocks[k].name);
    std::sort(ids.begin(), ids.end(), [](VehicleId a, VehicleId b) { return a.number() < b.number(); });
    std::vector<Group> groups(all.size());
    f.alive = 0;
    std::map<std::uint64_t, swarm::V3> velocity_now;
    for (const VehicleId id : ids) {
      if (!world_.is_alive(id)) continue;
      const std::uint32_t w = world_.world_of(id);
      const swarm::V3 position = vec_of(world_.position_of(id)), velocity = vec_of(world_.velocity_of(id));
      for (Group* g : {&groups[w], &all[w]}) g->positions.push_back(position), g->velocities.push_back(velocity);
      f.alive += world_.has_crashed(id) ? 0 : 1;
      if (def_.flocks[k].airframe.model == "multirotor" && is_airborne(world_.mode_of(id))) {
        const auto before = f.velocity_before.find(id.value);
        if (before != f.velocity_before.end())
          f.hovering += step_ * swarm::hover_power_ratio((1 / step_) * (velocity - before->second), def_.environment.gravity);
        velocity_now[id.value] = velocity;
      }
    }
    f.velocity_before = std::move(velocity_now);
    for (const Group& g : groups) {
      if (!counts || g.positions.empty()) continue;
      f.order.add(swarm::polar_order(g.velocities));
      f.nearest.add(swarm::separation(g.positions).mean);
      f.together.add(swarm::union_share(g.positions, radius_));
    }
  }

  const World& world_;
  const WorldDef& def_;
  double radius_, step_ = 0.1;
  std::uint64_t every_ = 1;
  double nearest_ = std::numeric_limits<double>::infinity();
  std::vector<Figures> flocks_;
  std::vector<std::size_t> at_start_;
};

// the tasks of the mission; in a batch of worlds the share of worlds, and the mean time of those that are done
void add_tasks(const World& world, std::map<std::string, double>& values) {
  const WorldDef& def = world.def();
  std::vector<Mean> done(def.tasks.size()), at(def.tasks.size());
  for (int w = 0; w < def.worlds; ++w) {
    const std::vector<TaskStanding> tasks = world.tasks(static_cast<std::uint32_t>(w));
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      done[k].add(tasks[k].state == "done" ? 1 : 0);
      if (tasks[k].state == "done") at[k].add(static_cast<double>(tasks[k].since) * static_cast<double>(def.tick_ns) * 1e-9);
    }
  }
  for (std::size_t k = 0; k < def.tasks.size(); ++k) {
    if (done[k].n > 0) values["tasks/" + def.tasks[k].name] = done[k].sum / static_cast<double>(done[k].n);
    if (at[k].n > 0) values["tasks/" + def.tasks[k].name + "/done at"] = at[k].sum / static_cast<double>(at[k].n);
  }
}

// what was said, how much the vehicles knew of each other, and how near they came: as `volary run` has it
void add_swarm(const World& world, const ClosestPair& closest, std::map<std::string, double>& values) {
  const SwarmReport s = world.swarm_report();
  const auto put = [&](const char* name, std::optional<double> value) {
    if (value) values[name] = *value;
  };
  if (const ClosestPair::Result pair = closest.result(s); is_finite(pair.distance)) {
    values["closest pair"] = pair.distance;
    values["passes below the sum of radii"] = static_cast<double>(pair.passes);
  }
  put("radio/delivery ratio", s.delivery_ratio);
  put("radio/delivery ratio/worst node", s.worst_delivery_ratio);
  put("radio/age of information/mean", s.age_mean);
  put("radio/age of information/max", s.age_max);
  put("radio/components/mean", s.components_mean);
  if (s.components_max) put("radio/components/max", static_cast<double>(*s.components_max));
  put("radio/largest component/mean", s.largest_share_mean);
  put("radio/largest component/min", s.largest_share_min);
  put("radio/algebraic connectivity", s.algebraic_connectivity);
}

}  // namespace

core::Result<RunResult> fly_for_batch(const WorldDef& def, double radius, const std::function<bool()>& keep_going, bool& finished) {
  finished = false;
  RunOptions options;
  options.threads = 1;  // the batch itself fills the cores
  std::string error;
  const auto world = World::create(def, options, &error);
  if (world == nullptr) return core::Error{.message = def.name + ": " + error};
  Observer observer(*world, radius);
  Flight flight;
  FaultWatcher faults;
  fly(*world, {.is_interrupted = [&] { return !keep_going(); }, .sinks = {&observer, &faults}}, flight);
  RunResult result;
  if (flight.interrupted) return result;
  finished = true;
  observer.report(result.values);
  if (flight.log.error.samples > 0) {
    result.values["tracking error/max"] = flight.log.error.max;
    result.values["tracking error/rms"] = flight.log.error.rms();
  }
  for (const auto& [kind, n] : flight.log.events) result.events[kind] = n;
  add_tasks(*world, result.values);
  add_swarm(*world, flight.log.closest, result.values);
  const std::vector<TaskStanding> tasks = world->standings();
  const Verdict verdict = verdict_of(tasks, flight.log, true);
  result.verdict = verdict.word;
  result.success = !verdict.is_failure();  // as the exit code of `volary run`
  for (const TaskStanding& t : tasks) result.tasks[t.name] = t.state;
  result.faults = faults.outcomes(*world);
  result.hash = hex64(world->hash());
  return result;
}

}  // namespace volary::cli
