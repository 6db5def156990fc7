// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/thrust_bench.hpp"

#include <gtest/gtest.h>

#include "scenario/mass_file.hpp"

namespace volary::scenario {
namespace {

TEST(thrust_bench, columns_are_known_by_their_names_and_units) {
  const auto b = read_thrust_bench(
      "Time (s),Torque (N\xc2\xb7m),Thrust (gf),Motor Electrical Speed (RPM),Motor Optical Speed (RPM)\n0,,,0,0\n0.5,-0.2,1000,6000,0\n", "a.csv");
  ASSERT_TRUE(b) << b.error().text();
  EXPECT_TRUE(b.value().timed);
  EXPECT_EQ(b.value().speed_column, "Motor Electrical Speed (RPM)");  // the optical one never moves
  ASSERT_EQ(b.value().thrust.size(), 1u);                             // a row without thrust is none
  EXPECT_NEAR(b.value().thrust[0].value, 9.80665, 1e-12);
  EXPECT_NEAR(b.value().thrust[0].speed, 628.3185307179587, 1e-9);
  EXPECT_NEAR(b.value().torque[0].value, -0.2, 1e-12);
  const auto four = read_thrust_bench("mean_rpm,thrust_total_gf\n6000,40\n", "a.csv", 4);
  ASSERT_TRUE(four);
  EXPECT_NEAR(four.value().thrust[0].value, 0.0980665, 1e-12);
}

TEST(thrust_bench, sensors_that_take_turns_each_give_a_series) {
  const auto b = read_thrust_bench("Time (s),Torque (N\xc2\xb7m),Thrust (gf),rpm\n0,0.1,,100\n0.1,,50,200\n0.2,,,300\n0.3,0.3,,400\n", "a.csv");
  ASSERT_TRUE(b) << b.error().text();
  EXPECT_EQ(b.value().speed.size(), 4u);
  ASSERT_EQ(b.value().thrust.size(), 1u);
  EXPECT_EQ(b.value().thrust[0].time, 0.1);
  ASSERT_EQ(b.value().torque.size(), 2u);
  EXPECT_EQ(b.value().torque[1].time, 0.3);
  EXPECT_EQ(b.value().torque[1].value, 0.3);
}

TEST(thrust_bench, what_is_missing_or_wrong_is_named) {
  const auto no_thrust = read_thrust_bench("Motor Optical Speed (RPM),Voltage (V)\n1,2\n", "a.csv");
  ASSERT_FALSE(no_thrust);
  EXPECT_NE(no_thrust.error().text().find("no column with a thrust"), std::string::npos) << no_thrust.error().text();
  const auto word = read_thrust_bench("rpm,thrust_N\n1000,1\nfast,2\n", "a.csv");
  ASSERT_FALSE(word);
  EXPECT_EQ(word.error().line, 3);
  EXPECT_EQ(word.error().column, 1);
}

TEST(mass_file, what_drawing_programs_write_is_read_with_its_units) {
  const auto m = read_mass_properties("Mass properties of frame\nMass = 246.0 grams\nVolume = 3 cubic\nLxx = 180000 Lxy\n", "cad.txt");
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().line, 4);
  const auto good =
      read_mass_properties("mass: 1.2 kg\nIxx: 12000 g mm2\nIyy = 0.02 kg m^2\nIzz: 300 g cm2\nIxz = -5000 grams * square millimeters\n", "cad.txt");
  ASSERT_TRUE(good) << good.error().text();
  EXPECT_NEAR(good.value().mass, 1.2, 1e-12);
  EXPECT_NEAR(good.value().inertia[0], 1.2e-5, 1e-15);
  EXPECT_NEAR(good.value().inertia[1], 0.02, 1e-12);
  EXPECT_NEAR(good.value().inertia[2], 3e-5, 1e-15);
  EXPECT_NEAR(good.value().products[1], -5e-6, 1e-15);
  EXPECT_FALSE(read_mass_properties("mass = 1 kg\nIxx = 1 kg m2\nIyy = 1 kg m2\n", "cad.txt"));
}

}  // namespace
}  // namespace volary::scenario
