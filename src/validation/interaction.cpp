// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// IAP's contact flights of sections VI.E, F and H again: a peg in a funnel under admittance control, a pole that presses on a wall under direct wrench control, two
// quadrotors that dock. And the convergence without integral that section IV.A proves, from attitudes at random. The paper prints pictures and success rates.
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "validation/check.hpp"
#include "vehicles/platform_def.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;
using math::Vec3;

constexpr double kDegrees = 57.29577951308232;
constexpr double kLast = 5;  // s at the end of a flight over which it is averaged
constexpr int kDockings = 200, kAttitudes = 1000;
constexpr std::uint64_t kFreshSeed = 9107;  // never used while gains and scenarios were chosen

std::string scenario_of(const CheckOptions& options, const char* name) { return (fs::path(options.assets).parent_path() / "scenarios" / name).string(); }
bool finds_data(const CheckOptions& options) {
  return fs::exists(scenario_of(options, "peg_in_funnel.yaml")) && fs::exists(scenario_of(options, "wall_press.yaml")) && fs::exists(scenario_of(options, "docking_pair.yaml"));
}

core::Result<WorldDef> load(const CheckOptions& options, const char* name) {
  Loaded<WorldDef> def = load_scenario(scenario_of(options, name), {.assets = options.assets});
  if (!def) return core::Error{.message = def.error};
  def.value->tasks.clear();
  return std::move(*def.value);
}
core::Result<std::unique_ptr<World>> make(const WorldDef& def) {
  std::string error;
  std::unique_ptr<World> world = World::create(def, {}, &error);
  if (world == nullptr) return core::Error{.message = def.name + ": " + error};
  return world;
}

// the platform of a flock with other figures
void change(FlockDef& flock, const std::function<void(airframe::PlatformDef&)>& edit) {
  auto def = std::make_shared<airframe::PlatformDef>(*static_cast<const airframe::PlatformDef*>(flock.airframe.definition.get()));
  edit(*def);
  flock.airframe.definition = std::move(def);
}

// what is read of one vehicle
class Rows {
 public:
  Rows(const World& world, std::string flock, VehicleId id) : world_(world), flock_(std::move(flock)), id_(id) {}
  Vec3<double> vec(const char* column, std::size_t first = 0) const {
    const View v = world_.view(flock_, column);
    const std::size_t slot = world_.slot_of(id_);
    return {v.at(slot, first), v.at(slot, first + 1), v.at(slot, first + 2)};
  }
  double pitch() const {
    const View v = world_.view(flock_, "attitude");
    const std::size_t slot = world_.slot_of(id_);
    const double w = v.at(slot, 0), x = v.at(slot, 1), y = v.at(slot, 2), z = v.at(slot, 3);
    return math::asin(std::clamp(2 * (w * y - z * x), -1.0, 1.0));
  }

 private:
  const World& world_;
  std::string flock_;
  VehicleId id_;
};

void figure(CheckReport& report, std::string name, double value, const char* unit, double bar = 0, Sense sense = Sense::NoBar) {
  report.figures.push_back({"interaction/" + std::move(name), value, unit, bar, sense});
}

// ---------------------------------------------------------------- E: a peg in a funnel

struct Peg {
  double pitch = 0;        // deg, in the mean
  double yield_torque = 0; // N m, stiffness of the admittance times its angle
  double torque = 0;       // N m, filtered
  double peak = 0;         // N
};
core::Result<Peg> fly_peg(WorldDef def, double friction) {
  FlockDef& flock = def.flocks.front();
  double stiffness = 0;
  change(flock, [&](airframe::PlatformDef& p) {
    for (airframe::EffectorDef& e : p.effectors) e.surface.friction = friction;
    stiffness = p.control.admittance_rotation_stiffness[1];
  });
  for (StructureDef& s : def.environment.structures) std::visit([&](auto& shape) { shape.surface.friction = friction; }, s.shape);
  auto made = make(def);
  if (!made) return made.error();
  World& world = *made.value();
  const Rows rows(world, flock.name, world.vehicles(flock.name).front());
  Peg peg;
  int n = 0;
  const std::uint64_t end = planned_ticks(def);
  while (world.tick() < end) {
    world.step();
    peg.peak = std::max(peg.peak, math::norm(rows.vec("wrench")));
    if (world.time() < def.duration - kLast) continue;
    peg.pitch += rows.pitch() * kDegrees;
    peg.yield_torque += stiffness * rows.vec("yield", 3).y;
    peg.torque += rows.vec("wrench_felt", 3).y;
    ++n;
  }
  for (double* sum : {&peg.pitch, &peg.yield_torque, &peg.torque}) *sum /= n;
  return peg;
}

core::Status add_pegs(CheckReport& report, const CheckOptions& options) {
  const core::Result<WorldDef> def = load(options, "peg_in_funnel.yaml");
  if (!def) return def.error();
  for (const double friction : {0.2, 0.8}) {
    const core::Result<Peg> flown = fly_peg(def.value(), friction);
    if (!flown) return flown.error();
    const Peg& p = flown.value();
    const std::string name = fmt::format("peg/friction={}/", friction);
    const double ratio = p.torque == 0 ? 0 : p.yield_torque / p.torque;
    report.table.push_back({fmt::format("E peg in a funnel, friction {}", friction), fmt::format("pitch {:.2f} deg, K_e angle / torque {:.3f}, at most {:.0f} N", p.pitch, ratio, p.peak),
                            "picture only"});
    figure(report, name + "pitch_least", math::abs(p.pitch), "deg", 11, Sense::AtLeast);
    figure(report, name + "pitch_most", math::abs(p.pitch), "deg", 13, Sense::AtMost);
    figure(report, name + "stiffness_error", math::abs(ratio - 1), "-", 0.05, Sense::AtMost);
    figure(report, name + "peak_force", p.peak, "N");
  }
  return core::ok();
}

// ---------------------------------------------------------------- F: a pole that presses on a wall

// Table V
void use_printed_gains(airframe::PlatformDef& p) {
  airframe::PlatformControlDef& c = p.control;
  c.position_p = {7, 6, 6.5}, c.position_i = {0.02, 0.02, 0.8}, c.position_d = {20, 15, 20};
  c.attitude_p = {4.5, 4.5, 3}, c.attitude_i = {1.1, 1.1, 1.2}, c.attitude_d = {6.2, 6.0, 6.5};
  c.force_p = {1, 1, 1}, c.force_i = {0.1, 0.1, 0.1}, c.force_d = {2, 2, 2};
  c.torque_p = {0.5, 0.5, 0.5}, c.torque_i = {0.05, 0.05, 0.05}, c.torque_d = {1, 1, 1};
}

struct Press {
  Vec3<double> force, torque;  // N, N m: filtered
  double error = 0;            // of both, relative to the size of what is wanted
};
const EventDef* press_of(const WorldDef& def) {
  for (const EventDef& e : def.events)
    if (e.what == "press") return &e;
  return nullptr;
}
core::Result<Press> fly_press(const WorldDef& def, double seconds) {
  auto made = make(def);
  if (!made) return made.error();
  World& world = *made.value();
  const EventDef& wanted = *press_of(def);
  const std::string& flock = def.flocks.front().name;
  const Rows rows(world, flock, world.vehicles(flock).front());
  while (world.time() < wanted.time + seconds) world.step();
  Press p{rows.vec("wrench_felt"), rows.vec("wrench_felt", 3)};
  const auto off = [](const Vec3<double>& got, const Vec& want) {
    const Vec3<double> w = {want[0], want[1], want[2]};
    return math::norm(got - w) / math::norm(w);
  };
  p.error = std::max(off(p.force, wanted.force_B), off(p.torque, wanted.torque_B));
  return p;
}

core::Status add_presses(CheckReport& report, const CheckOptions& options) {
  core::Result<WorldDef> loaded = load(options, "wall_press.yaml");
  if (!loaded) return loaded.error();
  if (press_of(loaded.value()) == nullptr) return core::Error{.message = "wall_press.yaml has no event 'press'"};
  for (const double stiffness : {30.0, 100.0, 300.0, 1000.0})
    for (const bool printed : {false, true}) {
      WorldDef def = loaded.value();
      for (StructureDef& s : def.environment.structures)
        if (auto* wall = std::get_if<WallDef>(&s.shape)) wall->stiffness = stiffness;
      if (printed) change(def.flocks.front(), use_printed_gains);
      const double seconds = printed ? 40 : 20;
      const core::Result<Press> flown = fly_press(def, seconds);
      if (!flown) return flown.error();
      const Press& p = flown.value();
      report.table.push_back({fmt::format("F wall of {:.0f} N/m, {}, after {:.0f} s", stiffness, printed ? "gains of Table V" : "gains of Volary", seconds),
                              fmt::format("{:.2f} {:.2f} {:.2f} N, {:.2f} {:.2f} {:.2f} N m", p.force.x, p.force.y, p.force.z, p.torque.x, p.torque.y, p.torque.z),
                              "1.5 4 0 N, 0 0 -4 N m wanted"});
      figure(report, fmt::format("wall/stiffness={:.0f}/{}/error", stiffness, printed ? "printed_gains" : "own_gains"), p.error, "-", printed ? 0 : 0.05,
             printed ? Sense::NoBar : Sense::AtMost);
    }
  return core::ok();
}

// ---------------------------------------------------------------- convergence without an integral

core::Status add_convergence(CheckReport& report, const CheckOptions& options) {
  core::Result<WorldDef> loaded = load(options, "three_star_spiral.yaml");
  if (!loaded) return loaded.error();
  WorldDef& def = loaded.value();
  def.environment.ground = false;
  def.events.clear();
  FlockDef& flock = def.flocks.front();
  change(flock, [](airframe::PlatformDef& p) { p.control.position_i = {0, 0, 0}, p.control.attitude_i = {0, 0, 0}; });
  const VehicleDef first = flock.vehicles.front();
  flock.vehicles.clear();
  for (int k = 0; k < kAttitudes; ++k) {
    VehicleDef v = first;
    v.name.clear(), v.id = v.place = 0;
    v.mode = Mode::Hold;
    v.position_W = v.centre_W = {20.0 * (k % 40), 20.0 * (k / 40), 1000};
    flock.vehicles.push_back(v);
  }
  auto made = make(def);
  if (!made) return made.error();
  World& world = *made.value();
  std::mt19937_64 random(kFreshSeed);
  const auto normal = [&] {  // of Box and Muller
    const double u = (static_cast<double>(random() >> 11) + 1) * 0x1p-53, v = static_cast<double>(random() >> 11) * 0x1p-53;
    return math::sqrt(-2 * math::log(u)) * math::cos(6.283185307179586 * v);
  };
  for (const VehicleId id : world.vehicles(flock.name)) {
    const math::Quat<double> q = math::normalize(math::Quat<double>{normal(), normal(), normal(), normal()});  // any attitude as likely as any other
    Input in;
    in.target = id, in.source = 1;
    in.payload = SetState{.position_W = world.position_of(id), .attitude = {q.w, q.x, q.y, q.z}};
    if (const Submitted given = world.submit(std::move(in)); !given) return core::Error{.message = given.why};
  }
  const std::uint64_t ticks_per_second = 1'000'000'000u / static_cast<std::uint64_t>(def.tick_ns);
  for (const int seconds : {12, 30}) {
    world.step(static_cast<int>(static_cast<std::uint64_t>(seconds) * ticks_per_second - world.tick()));
    int near = 0, alive = 0;
    for (const VehicleId id : world.vehicles(flock.name)) {
      const Rows rows(world, flock.name, id);
      ++alive;
      near += math::norm(rows.vec("pose_error")) < 0.3 && math::norm(rows.vec("pose_error", 3)) * kDegrees < 5 ? 1 : 0;
    }
    report.table.push_back({fmt::format("three-star, no integral, {} attitudes at random, after {} s", kAttitudes, seconds),
                            fmt::format("{:.1f} % within 0.3 m and 5 deg, {} alive", 100.0 * near / kAttitudes, alive), "proved without lag and limits"});
    figure(report, fmt::format("convergence/after={}s/share", seconds), static_cast<double>(near) / kAttitudes, "-");
  }
  return core::ok();
}

// ---------------------------------------------------------------- H: docking

core::Status add_docking(CheckReport& report, const CheckOptions& options) {
  core::Result<WorldDef> loaded = load(options, "docking_pair.yaml");
  if (!loaded) return loaded.error();
  WorldDef& def = loaded.value();
  def.worlds = kDockings, def.seed = kFreshSeed;
  auto made = make(def);
  if (!made) return made.error();
  World& world = *made.value();
  std::vector<double> latched(kDockings, -1), peak(kDockings, 0);
  const std::uint64_t end = planned_ticks(def);
  while (world.tick() < end) {
    world.step();
    for (const Event& e : world.take_events())
      if (e.what.starts_with("latched") && latched[e.world] < 0) latched[e.world] = world.time();
    for (const VehicleId id : world.vehicles()) {
      double force = 0;
      for (const ContactPoint& c : world.contacts_of(id)) force += math::norm(Vec3<double>{c.force_W[0], c.force_W[1], c.force_W[2]});
      double& most = peak[world.world_of(id)];
      most = std::max(most, force);
    }
  }
  // a docking counts when the pair still flies at the end of the flight
  std::vector<double> times, forces;
  for (const VehicleId id : world.vehicles(def.flocks.front().name)) {
    const std::uint32_t k = world.world_of(id);
    if (latched[k] < 0 || !world.held_by(id) || world.has_crashed(id) || world.has_crashed(world.held_by(id))) continue;
    times.push_back(latched[k]), forces.push_back(peak[k]);
  }
  std::sort(times.begin(), times.end()), std::sort(forces.begin(), forces.end());
  const double share = static_cast<double>(times.size()) / kDockings;
  const double median_time = times.empty() ? 0 : times[times.size() / 2], median_force = forces.empty() ? 0 : forces[forces.size() / 2];
  report.table.push_back({fmt::format("H docking by the expert, {} starts (eq. 23)", kDockings),
                          fmt::format("{:.1f} % docked; median {:.1f} s, {:.1f} N, at most {:.1f} N", 100 * share, median_time, median_force, forces.empty() ? 0 : forces.back()),
                          "about 40 % by direct force control"});
  figure(report, "docking/share", share, "-", 0.95, Sense::AtLeast);
  figure(report, "docking/median_time", median_time, "s");
  figure(report, "docking/median_force", median_force, "N");
  return core::ok();
}

core::Result<CheckReport> run(const CheckOptions& options) {
  CheckReport report;
  report.title = "Platforms in contact, beside IAP's sections VI.E, F and H";
  report.header = {"flight", "flown", "published"};
  for (const auto add : {add_pegs, add_presses, add_convergence, add_docking})
    if (const core::Status done = add(report, options); !done) return done.error();
  report.remarks.push_back("Forces of contact are those of the last substep of a tick. Wrenches are in the axes of the platform (x forward, y left, z up), about its origin.");
  return report;
}

}  // namespace

const Check kInteractionCheck = {.name = "interaction",
                                 .about = "platforms in contact and docking with the figures of IAP",
                                 .data = "none",
                                 .finds_data = finds_data,
                                 .run = run,
                                 .needs_data = false};

}  // namespace volary::validation
