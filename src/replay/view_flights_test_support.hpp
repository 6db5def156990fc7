// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Shipped scenarios, flown and kept.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "replay/view_flights.hpp"
#include "volary/scenario.hpp"

namespace volary::replay {

inline Flights flown(const std::string& scenario, double seconds) {
  const Loaded<WorldDef> def = load_scenario("scenarios/" + scenario + ".yaml", {"assets"});
  EXPECT_TRUE(def) << def.error;
  std::string error;
  const std::unique_ptr<World> world = World::create(*def.value, {}, &error);
  EXPECT_TRUE(world) << error;
  return fly_and_keep(*world, static_cast<std::uint64_t>(seconds * 1e9 / static_cast<double>(def.value->tick_ns) + 0.5));
}

}  // namespace volary::replay
