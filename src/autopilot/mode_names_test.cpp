// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mode_names.hpp"

#include <gtest/gtest.h>

#include "autopilot/modes.hpp"

namespace volary::autopilot {
namespace {

using mavlink::VehicleType;

constexpr auto kPx4 = mavlink::AutopilotKind::Px4, kArdupilot = mavlink::AutopilotKind::Ardupilotmega;
constexpr std::uint32_t px4(std::uint32_t main, std::uint32_t sub) { return main << 16 | sub << 24; }

TEST(mode_names, px4_has_main_and_sub_modes_for_all_vehicles) {
  EXPECT_EQ(mode_name(kPx4, VehicleType::Quadrotor, px4(4, 3)), "Hold");
  EXPECT_EQ(mode_name(kPx4, VehicleType::FixedWing, px4(4, 5)), "Return");
  EXPECT_EQ(mode_name(kPx4, VehicleType::Quadrotor, px4(6, 0)), "Offboard");
  EXPECT_EQ(mode_name(kPx4, VehicleType::Quadrotor, px4(4, 99)), "mode 4.99") << "a mode of a later version";
}

TEST(mode_names, a_virtual_autopilot_calls_its_modes_as_px4_does) {
  for (const FlightModeInfo& m : kFlightModes) EXPECT_EQ(mode_name(kPx4, VehicleType::Quadrotor, m.custom_mode()), m.name);
}

TEST(mode_names, ardupilot_numbers_those_of_copter_and_plane_differently) {
  EXPECT_EQ(mode_name(kArdupilot, VehicleType::Quadrotor, 6), "RTL");
  EXPECT_EQ(mode_name(kArdupilot, VehicleType::Hexarotor, 17), "BRAKE");
  EXPECT_EQ(mode_name(kArdupilot, VehicleType::FixedWing, 6), "FBWB");
  EXPECT_EQ(mode_name(kArdupilot, VehicleType::VtolFixedrotor, 20), "QLAND");
  EXPECT_EQ(mode_name(kArdupilot, VehicleType::Quadrotor, 99), "mode 99");
  EXPECT_EQ(mode_name(mavlink::AutopilotKind::Generic, VehicleType::Quadrotor, 4), "mode 4");
}

}  // namespace
}  // namespace volary::autopilot
