// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// IAP's flights of section VI.A to D flown again: a three-star on a spiral in calm air and in wind, a three-square, a two-line and a three-line on circles. The paper
// prints bounds for the three-star alone; the others are pictures there.
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "math/scalar.hpp"
#include "validation/check.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr double kDegrees = 57.29577951308232;
constexpr double kSettled = 5;  // s after the start of the mission from which errors count
constexpr int kSeeds = 50;

std::string scenario_of(const CheckOptions& options, const char* name) { return (fs::path(options.assets).parent_path() / "scenarios" / name).string(); }
bool finds_data(const CheckOptions& options) {
  return fs::exists(scenario_of(options, "three_star_spiral.yaml")) && fs::exists(scenario_of(options, "platforms.yaml"));
}

// the greatest errors of one platform: m, and degrees of roll, pitch and yaw
struct Errors {
  double position = 0;
  std::array<double, 3> angle{};
  bool survived = true;

  void take(const Errors& other) {
    position = std::max(position, other.position);
    for (std::size_t k = 0; k < 3; ++k) angle[k] = std::max(angle[k], other.angle[k]);
    survived = survived && other.survived;
  }
  double tilt() const { return std::max(angle[0], angle[1]); }
};

core::Result<WorldDef> load(const CheckOptions& options, const char* name, const std::string& flock) {
  const Loaded<WorldDef> def = load_scenario(scenario_of(options, name), {.assets = options.assets});
  if (!def) return core::Error{.message = def.error};
  WorldDef only = *def.value;
  std::erase_if(only.flocks, [&](const FlockDef& f) { return f.name != flock; });
  only.tasks.clear();
  return only;
}

core::Result<Errors> fly(const WorldDef& def) {
  std::string error;
  const std::unique_ptr<World> world = World::create(def, {}, &error);
  if (world == nullptr) return core::Error{.message = def.name + ": " + error};
  const std::string& flock = def.flocks.front().name;
  const VehicleId id = world->vehicles(flock).front();
  Errors worst;
  double began = 0;  // s, of the mission
  const std::uint64_t end = planned_ticks(def);
  while (world->tick() < end) {
    world->step(1);
    if (!world->is_alive(id) || world->has_crashed(id)) return worst.survived = false, worst;
    const std::size_t slot = world->slot_of(id);
    if (world->mode_of(id) != Mode::Mission) began = world->time();
    if (world->time() < began + kSettled) continue;
    const View e = world->view(flock, "pose_error");
    worst.position = std::max(worst.position, math::sqrt(e.at(slot, 0) * e.at(slot, 0) + e.at(slot, 1) * e.at(slot, 1) + e.at(slot, 2) * e.at(slot, 2)));
    for (std::size_t k = 0; k < 3; ++k) worst.angle[k] = std::max(worst.angle[k], math::abs(e.at(slot, 3 + k)) * kDegrees);
  }
  return worst;
}

void add(CheckReport& report, const char* what, const char* row, const Errors& e, std::array<double, 3> bars, const char* published) {
  report.table.push_back({row, fmt::format("{:.3f}", e.position), fmt::format("{:.2f}", e.tilt()), fmt::format("{:.2f}", e.angle[2]), published});
  const auto figure = [&](const char* name, double value, const char* unit, double bar) {
    report.figures.push_back({fmt::format("platforms/{}/{}", what, name), value, unit, bar, bar > 0 ? Sense::AtMost : Sense::NoBar});
  };
  figure("position", e.position, "m", bars[0]);
  figure("roll and pitch", e.tilt(), "deg", bars[1]);
  figure("yaw", e.angle[2], "deg", bars[2]);
  report.figures.push_back({fmt::format("platforms/{}/survived", what), e.survived ? 1.0 : 0.0, "-", 1, Sense::AtLeast});
}

core::Result<CheckReport> run(const CheckOptions& options) {
  CheckReport report;
  report.title = "Platforms of several aircraft: greatest errors along trajectories, beside IAP's section VI";
  report.header = {"flight", "position, m", "roll and pitch, deg", "yaw, deg", "published"};
  core::Result<WorldDef> spiral = load(options, "three_star_spiral.yaml", "star");
  if (!spiral) return spiral.error();
  const core::Result<Errors> calm = fly(spiral.value());
  if (!calm) return calm.error();
  add(report, "three-star/calm", "A three-star on a spiral, calm", calm.value(), {0.1, 2, 1}, "0.4 m, 4 deg, 12 deg outdoors");

  Errors windy;
  WorldDef outdoors = spiral.value();
  outdoors.environment.wind_W = {5, 0, 0};
  outdoors.environment.gust_sigma = 1;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    outdoors.seed = static_cast<std::uint64_t>(seed);
    const core::Result<Errors> one = fly(outdoors);
    if (!one) return one.error();
    windy.take(one.value());
  }
  add(report, "three-star/wind", fmt::format("A the same in 5 m/s and gusts of 1 m/s, worst of {} seeds", kSeeds).c_str(), windy, {0.4, 4, 12},
      "0.4 m, 4 deg, 12 deg outdoors");

  constexpr const char* kOthers[][3] = {{"square", "three-square", "B three-square on a circle, yaw to and fro"},
                                        {"pair", "two-line", "C two-line on a circle"},
                                        {"row", "three-line", "D three-line on a circle, pitch and yaw"}};
  for (const auto& [flock, what, row] : kOthers) {
    core::Result<WorldDef> def = load(options, "platforms.yaml", flock);
    if (!def) return def.error();
    def.value().environment.wind_W = {0, 0, 0};
    def.value().environment.gust_sigma = 0;
    const core::Result<Errors> one = fly(def.value());
    if (!one) return one.error();
    add(report, what, row, one.value(), {0, 0, 0}, "picture only");
  }
  report.remarks.push_back(
      "Errors count from 5 s after the start of the mission. Attitude errors are those of the controller: half the rotation vector's sine on each axis.");
  report.remarks.push_back("A line platform has no roll to control: its row shows pitch as roll and pitch, and yaw.");
  return report;
}

}  // namespace

const Check kPlatformsCheck = {.name = "platforms",
                               .about = "tracking errors of platforms of several aircraft with the figures of IAP",
                               .data = "none",
                               .finds_data = finds_data,
                               .run = run,
                               .needs_data = false};

}  // namespace volary::validation
