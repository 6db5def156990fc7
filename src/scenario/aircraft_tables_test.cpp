// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of an aircraft's file, and how they fit the rest of it.
#include "scenario/aircraft_tables.hpp"

#include <gtest/gtest.h>

#include "math/lookup.hpp"

namespace volary::scenario {
namespace {

airframe::AircraftDef some_aircraft() {
  airframe::AircraftDef d;
  d.table = "wing.csv";
  d.side.beta = -0.8, d.roll.beta = -0.1, d.yaw.beta = 0.07;
  d.lift.elevator = 0.2, d.pitch.elevator = -1.1;
  return d;
}
ReadTable reads(const std::string& text) {
  return [text](const std::string& name, const std::string&) -> core::Result<TableText> { return TableText{"folder/" + name, text}; };
}

TEST(aircraft_tables, sideslip_that_was_not_measured_comes_from_the_derivatives) {
  airframe::AircraftDef d = some_aircraft();
  ASSERT_TRUE(read_tables(d, reads("alpha_rad,CL,CD,CY,Cl,Cm,Cn\n-0.2,-0.8,0.05,0,0,0.1,0\n0.2,1.2,0.06,0,0,-0.3,0\n")));
  const auto t = math::table_view(d.table_blob.data());
  double c[6];
  math::interpolate2(t, math::find_on_axis(t.axis[0], 0.1), math::find_on_axis(t.axis[1], 0.3), c);
  const double expected[6] = {0.7, 0.0575, -0.24, -0.03, -0.2, 0.021};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(c[k], expected[k], 1e-12) << k;
  EXPECT_TRUE(d.table_beta);
  EXPECT_EQ(d.table_axis, "");
}

TEST(aircraft_tables, table_and_derivatives_of_a_surface_add_up_to_what_was_measured) {
  airframe::AircraftDef d = some_aircraft();
  ASSERT_TRUE(read_tables(d, reads("alpha_rad,elevator_rad,CL,CD,CY,Cl,Cm,Cn\n0,-0.2,0.1,0.05,0,0,0.3,0\n0,0.2,0.3,0.06,0,0,-0.2,0\n"
                                   "0.1,-0.2,0.6,0.05,0,0,0.2,0\n0.1,0.2,0.8,0.06,0,0,-0.3,0\n")));
  EXPECT_EQ(d.table_axis, "elevator");
  const auto t = math::table_view(d.table_blob.data());
  double c[6];
  math::interpolate3(t, math::find_on_axis(t.axis[0], 0.1), math::find_on_axis(t.axis[1], 0.0), math::find_on_axis(t.axis[2], 0.2), c);
  EXPECT_NEAR(c[0] + 0.2 * 0.2, 0.8, 1e-12);
  EXPECT_NEAR(c[4] - 1.1 * 0.2, -0.3, 1e-12);
}

TEST(aircraft_tables, an_axis_that_the_model_does_not_have_is_refused) {
  airframe::AircraftDef d = some_aircraft();
  const auto status = read_tables(d, reads("alpha_rad,mach,CL,CD,CY,Cl,Cm,Cn\n0,0,0,0,0,0,0,0\n0,1,0,0,0,0,0,0\n1,0,0,0,0,0,0,0\n1,1,0,0,0,0,0,0\n"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().text(),
            "table: wing.csv has the axis mach, which this model does not support (keep the rows of one mach, and leave the column out)");
}

TEST(aircraft_tables, a_fault_of_the_table_is_placed_in_the_table) {
  airframe::AircraftDef d = some_aircraft();
  EXPECT_EQ(read_tables(d, reads("alpha_rad,CL,CD,CY,Cl,Cm,Cn\n0,0,-1,0,0,0,0\n")).error().text(),
            "folder/wing.csv:2:5: CD is -1: a drag below 0 (drag is positive backwards; CX points forwards, CZ downwards)");
}

TEST(aircraft_tables, a_propeller_of_another_size_is_noticed) {
  airframe::AircraftDef d;
  d.rotors.resize(1);
  d.rotors[0].table = "prop.csv", d.rotors[0].radius = 0.2;
  EXPECT_EQ(read_tables(d, reads("J,CT,CP,D\n0,0.1,0.05,10\n0.6,0.01,0.02,10\n")).error().text(),
            "rotors[0].radius: the propeller of prop.csv has a radius of 0.127 m, but the rotor has 0.2 m (choose another propeller, or set the radius of this one)");
  d.rotors[0].radius = 0.127;
  EXPECT_TRUE(read_tables(d, reads("J,CT,CP,D\n0,0.1,0.05,10\n0.6,0.01,0.02,10\n")));
}

}  // namespace
}  // namespace volary::scenario
