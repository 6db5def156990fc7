// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Starts that are drawn, for every shipped airframe: each world equals the same world alone, wings keep their airspeed, cars do not slip.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary {
namespace {

namespace fs = std::filesystem;

const ScenarioPaths kPaths{VOLARY_SOURCE_DIR "/assets"};

WorldDef load(const std::string& text) {
  Loaded<WorldDef> world = load_scenario_text(text, kPaths);
  EXPECT_TRUE(world) << world.error << "\n" << text;
  return world ? *world.value : WorldDef{};
}
std::unique_ptr<World> make(const WorldDef& def) {
  std::string error;
  auto w = World::create(def, {}, &error);
  EXPECT_NE(w, nullptr) << error;
  return w;
}
Vec column(const World& w, const std::string& name, std::size_t slot) {
  const View v = w.view("a", name);
  return {v.at(slot, 0), v.at(slot, 1), v.at(slot, 2)};
}
// where the nose points, level
Vec nose(const World& w, std::size_t slot) {
  const View v = w.view("a", "attitude");
  const double q[4] = {v.at(slot, 0), v.at(slot, 1), v.at(slot, 2), v.at(slot, 3)};
  const double x = 1 - 2 * (q[2] * q[2] + q[3] * q[3]), y = 2 * (q[1] * q[2] + q[0] * q[3]), n = std::hypot(x, y);
  return {x / n, y / n, 0};
}

// whichever of these the model takes
const char* const kSpreads[] = {"{position: [3, 4, 2], velocity: [0.5, 0.5, 0.2], yaw: 2, tilt: 0.2, rates: [0.3, 0.2, 0.1]}",
                                "{position: [3, 4, 0], velocity: [0.5, 0.5, 0], yaw: 2}", "{position: [3, 4, 0], yaw: 2}"};

std::string scenario_of(const std::string& airframe, const std::string& spread) {
  return "worlds: 5\nenvironment: {wind: [2, 1, 0], wind_spread: [1, 1, 0], gust_sigma: 0.2}\nflocks:\n  - name: a\n    airframe: " + airframe +
         "\n    vehicles: {list: [{position: [0, 0, 80]}, {position: [200, 0, 80]}]}\n    start: hold\n    spread: " + spread + "\n";
}

TEST(drawn_starts, of_every_airframe_are_those_of_the_world_alone) {
  std::size_t models = 0;
  for (const auto& entry : fs::directory_iterator(VOLARY_SOURCE_DIR "/assets/vehicles")) {
    if (entry.path().extension() != ".yaml" || entry.path().stem() == "mirror") continue;
    SCOPED_TRACE(entry.path());
    std::optional<WorldDef> def;
    for (const char* spread : kSpreads)
      if (const Loaded<WorldDef> loaded = load_scenario_text(scenario_of(entry.path().stem().string(), spread), kPaths); loaded && !def) def = *loaded.value;
    ASSERT_TRUE(def);
    ++models;
    auto batch = make(*def);
    EXPECT_NE(batch->position_of({1}), (Vec{0, 0, 80}));
    EXPECT_NE(batch->position_of({1})[0], batch->position_of({kNumbersPerWorld + 1})[0]);
    batch->step(20);
    batch->reset(std::vector<std::uint8_t>{0, 0, 1, 0, 1}, std::vector<std::uint32_t>{0, 0, 6, 0, 2});
    batch->step(50);
    for (const std::uint32_t k : {1u, 2u, 4u}) {
      WorldDef one = *def;
      one.worlds = 1, one.first_world = static_cast<int>(k), one.episode = k == 2 ? 6 : k == 4 ? 2 : 0;
      auto alone = make(one);
      alone->step(k == 1 ? 70 : 50);
      EXPECT_EQ(alone->hash_of_world(0), batch->hash_of_world(k)) << k;
    }
  }
  EXPECT_GT(models, 15u);
}

TEST(drawn_starts, of_wings_keep_their_airspeed_in_every_heading_and_wind) {
  WorldDef def = load(scenario_of("talon", "{yaw: 3}"));
  def.worlds = 50;
  auto w = make(def);
  WorldDef told = def;
  told.worlds = 1, told.flocks[0].spread = {}, told.environment.wind_spread_W = {0, 0, 0};
  auto given = make(told);
  const auto through_air = [](const World& x, std::uint32_t world, std::size_t slot) {
    const Vec v = column(x, "velocity", slot), wind = x.air_at({0, 0, 80}, world).wind_W;
    return Vec{v[0] - wind[0], v[1] - wind[1], v[2] - wind[2]};
  };
  const double speed = std::hypot(through_air(*given, 0, 0)[0], through_air(*given, 0, 0)[1]);
  EXPECT_GT(speed, 10);
  for (int episode = 0; episode < 2; ++episode) {
    double least = 1;
    for (std::uint32_t k = 0; k < 50; ++k) {
      const Vec v = through_air(*w, k, 2 * k), ahead = nose(*w, 2 * k);
      EXPECT_NEAR(std::hypot(v[0], v[1]), speed, 1e-4);
      EXPECT_NEAR(v[0] * ahead[0] + v[1] * ahead[1], speed, 1e-4) << "without sideslip";
      least = std::min(least, ahead[0]);
    }
    EXPECT_LT(least, -0.9) << "in every direction";
    w->reset(std::vector<std::uint8_t>(50, 1));
  }
}

TEST(drawn_starts, of_cars_do_not_slip_and_stay_on_the_ground) {
  WorldDef def = load(scenario_of("car", "{position: [3, 3, 0], velocity: [2, 2, 0], yaw: 2}"));
  def.worlds = 50;
  auto w = make(def);
  for (std::size_t slot = 0; slot < 100; ++slot) {
    const Vec v = column(*w, "velocity", slot), ahead = nose(*w, slot);
    EXPECT_NEAR(v[0] * ahead[1] - v[1] * ahead[0], 0, 1e-5);
    EXPECT_EQ(v[2], 0);
    EXPECT_EQ(column(*w, "position", slot)[2], column(*w, "position", 0)[2]);
  }
}

}  // namespace
}  // namespace volary
