// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// An aircraft that is parked on a slope stays there: all airframes with wings, on the mountain of valley.tif.
#include <cmath>

#include <gtest/gtest.h>

#include "scenario/load.hpp"
#include "volary/world.hpp"

namespace volary {
namespace {

// five in a row over a hillside of 2 to 14 degrees, each turned another way: along none of them more than 7, since the brakes of the Ultra Stick hold 9
WorldDef parked(const std::string& airframe) {
  std::string yaml = "name: parked\nduration: 10\nterrain: {geotiff: {file: valley.tif, latitude: -35.29, longitude: -15, width: 6000, depth: 6000, datum: 560}}\n"
                     "flocks:\n  - name: f\n    airframe: " + airframe + "\n    start: disarmed\n    node: {contact: {policy: crash}}\n    vehicles:\n      list:\n";
  for (int k = 0; k < 5; ++k) yaml += "        - {position: [" + std::to_string(1400 + 160 * k) + ", 1575, -100], yaw_deg: " + std::to_string(90 + 40 * k) + "}\n";
  const std::string root = VOLARY_SOURCE_DIR;
  const auto def = scenario::load_scenario_text(yaml, root + "/scenarios/parked.yaml", {root + "/assets"});
  EXPECT_TRUE(def) << (def ? "" : def.error().text());
  return def ? def.value() : WorldDef{};
}

TEST(Parked, NoAircraftThatStandsOnASlopeHopsOrCrashes) {
  for (const char* airframe : {"quadplane", "aerosonde", "ultra_stick", "talon", "flying_wing"}) {
    std::string error;
    const auto w = World::create(parked(airframe), {}, &error);
    ASSERT_NE(w, nullptr) << error;
    std::vector<Vec> first;
    for (const VehicleId id : w->vehicles()) first.push_back(w->position_of(id));
    double fastest = 0;
    for (int tick = 0; tick < 300; ++tick) {
      w->step(1);
      for (const VehicleId id : w->vehicles()) {
        const Vec v = w->velocity_of(id);
        fastest = std::max(fastest, std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
      }
    }
    for (const Event& e : w->take_events()) EXPECT_EQ(e.what.find("crashed"), std::string::npos) << airframe << ": " << e.what;
    EXPECT_LT(fastest, 0.5) << airframe << ", m/s: half of what breaks it";
    for (std::size_t k = 0; k < first.size(); ++k) EXPECT_LT(std::abs(w->position_of(w->vehicles()[k])[2] - first[k][2]), 0.1) << airframe << " " << k;
  }
}

}  // namespace
}  // namespace volary
