// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every model takes a push from outside: all airframes that come with the project, whatever their model.
#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "engine/backend.hpp"
#include "engine/flock.hpp"
#include "scenario/airframe.hpp"
#include "volary/world.hpp"

namespace volary {
namespace {

constexpr int kTicks = 10;

std::vector<Airframe> airframes() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(VOLARY_SOURCE_DIR "/assets/vehicles"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Airframe> all;
  for (const auto& file : files) {
    auto loaded = scenario::load_airframe(file.string());
    EXPECT_TRUE(loaded) << file;
    if (loaded) all.push_back(std::move(loaded).value());
  }
  return all;
}

WorldDef alone(const Airframe& airframe) {
  WorldDef w;
  w.name = "pushed";
  w.precision = Precision::Double;
  FlockDef f;
  f.name = "one";
  f.airframe = airframe;
  VehicleDef v;
  v.position_W = {0, 0, 500};
  v.mode = Mode::Armed;
  f.vehicles = {v};
  w.flocks = {f};
  return w;
}

// kg: what a force has to move, with the air that moves along
double inertial_mass(const WorldDef& def) {
  const auto flock = engine::make_flock(def.flocks[0], def, *engine::find_backend(0, true));
  EXPECT_TRUE(flock);
  const auto param = [&](const char* name) {
    const engine::ColumnInfo* c = flock.value().find_param(name);
    return c == nullptr ? 0 : flock.value().param_values[static_cast<std::size_t>(c->row)];
  };
  return param("inv_inertia_mass") > 0 ? 1 / param("inv_inertia_mass") : param("mass");
}

// its velocity after some ticks under a force, with its actuators left alone where it has any
Vec pushed(const WorldDef& def, const Vec& force_W) {
  std::string error;
  auto w = World::create(def, {}, &error);
  EXPECT_NE(w, nullptr) << error;
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::MotorSpeeds}});
  w->step(1);
  w->take_events();  // a balloon has no control levels, and says so
  w->submit({.target = id, .payload = SetWrench{.force_W = force_W}});
  w->step(kTicks);
  EXPECT_TRUE(w->take_events().empty()) << def.flocks[0].airframe.name << " refuses to be pushed";
  return w->velocity_of(id);
}

// Two pushes, so that what brakes it cancels out: friction at its limit, resistance of the air, what somebody stems against it.
TEST(external_force, accelerates_every_model_along_its_nose_by_force_over_mass) {
  std::set<std::string> models;
  for (const Airframe& airframe : airframes()) {
    if (airframe.model == "mirror") continue;  // nothing here moves it
    const WorldDef def = alone(airframe);
    const double mass = inertial_mass(def), time = kTicks * static_cast<double>(def.tick_ns) * 1e-9;
    ASSERT_GT(mass, 0) << airframe.name;
    const Vec a = pushed(def, {10 * mass, 0, 0}), b = pushed(def, {12 * mass, 0, 0});
    EXPECT_NEAR((b[0] - a[0]) / time, 2, 0.04) << airframe.name;
    EXPECT_NEAR((b[1] - a[1]) / time, 0, 0.02) << airframe.name;
    models.insert(airframe.model);
  }
  for (const std::string& name : engine::model_names()) EXPECT_TRUE(models.contains(name) || name == "mirror") << "no airframe of the model " << name << " was pushed";
}

}  // namespace
}  // namespace volary
