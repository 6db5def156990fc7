// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `volary vehicle check` says of an aircraft, against what the parabola of its drag says.
#include "vehicles/aircraft_report.hpp"

#include <gtest/gtest.h>

#include "math/functions.hpp"
#include "vehicles/aircraft_test_support.hpp"

namespace volary::airframe {
namespace {

double value_of(const std::vector<ReportRow>& rows, const std::string& name) {
  for (const ReportRow& row : rows)
    if (row.name == name) return row.value;
  ADD_FAILURE() << "no row " << name;
  return 0;
}
std::string note_of(const std::vector<ReportRow>& rows, const std::string& name) {
  for (const ReportRow& row : rows)
    if (row.name == name) return row.note;
  return "";
}

// drag 0.043 + 0.0232 CL^2: the best glide is 1 / (2 sqrt(0.043 * 0.0232)) = 15.83 at CL = sqrt(0.043 / 0.0232) = 1.361, that is 15.34 m/s at sea level;
// the least sink is at the speed 3^(1/4) times smaller, 11.66 m/s, below the stall, so it is slower than the best glide and no slower than the stall
TEST(aircraft_report, best_glide_and_least_sink_are_those_of_its_drag) {
  AircraftDef d = test::aerosonde();
  d.drag = {0.043, 0.0232, 0, 0.3, 0, 0};
  d.lift.elevator = 0, d.surfaces.elevator.travel = 1.2;
  d.rotors[0].position = {0, 0, 0};
  const auto rows = report_aircraft(d).value();
  EXPECT_NEAR(value_of(rows, "best glide ratio"), 15.83, 0.15);
  EXPECT_NEAR(value_of(rows, "best glide airspeed"), 15.34, 0.2);
  EXPECT_LT(value_of(rows, "least sink airspeed"), value_of(rows, "best glide airspeed"));
  EXPECT_GE(value_of(rows, "least sink airspeed"), value_of(rows, "stall airspeed"));
  EXPECT_GT(value_of(rows, "greatest level airspeed"), 25);
  // drag times speed is what the propeller gives, at an efficiency that is none of a perpetual motion machine
  const double useful = value_of(rows, "cruise drag") * 25 / value_of(rows, "cruise shaft power");
  EXPECT_GT(useful, 0.5);
  EXPECT_LT(useful, 0.9);
}

TEST(aircraft_report, an_elevator_that_ends_before_the_wing_stalls_is_named) {
  AircraftDef d = test::aerosonde();
  d.surfaces.elevator.travel = 0.25;
  const auto rows = report_aircraft(d).value();
  EXPECT_GT(value_of(rows, "least level airspeed"), 1.2 * value_of(rows, "stall airspeed"));
  EXPECT_EQ(note_of(rows, "least level airspeed"), "below it the elevator has not enough travel");
  EXPECT_NE(note_of(rows, "turn bank").find("its elevator has not enough travel"), std::string::npos);
}

TEST(aircraft_report, signs_that_make_it_unstable_are_pointed_out) {
  AircraftDef d = test::aerosonde();
  d.pitch.alpha = 0.3, d.yaw.beta = -0.02;
  const auto rows = report_aircraft(d).value();
  EXPECT_NE(note_of(rows, "pitch stiffness C_m_alpha").find("unstable"), std::string::npos);
  EXPECT_NE(note_of(rows, "yaw stiffness C_n_beta").find("unstable"), std::string::npos);
  EXPECT_EQ(note_of(rows, "dihedral effect C_l_beta"), "stable");
}

// the figures of the textbook's aircraft, so that a change of the equations shows
TEST(aircraft_report, the_aerosonde_moves_as_it_did) {
  const auto rows = report_aircraft(test::aerosonde()).value();
  EXPECT_NEAR(value_of(rows, "stall airspeed"), 12.73, 0.01);
  EXPECT_NEAR(value_of(rows, "short period frequency"), 10.8, 0.1);
  EXPECT_NEAR(value_of(rows, "short period damping"), 0.44, 0.01);
  EXPECT_NEAR(value_of(rows, "Dutch roll frequency"), 6.0, 0.1);
  EXPECT_NEAR(value_of(rows, "roll time constant"), 0.047, 0.001);
  EXPECT_GT(value_of(rows, "spiral"), 0);
}

TEST(aircraft_report, one_that_does_not_trim_has_no_figures) {
  AircraftDef d = test::aerosonde();
  d.speeds.cruise = 12;
  ASSERT_FALSE(report_aircraft(d));
  EXPECT_EQ(report_aircraft(d).error().field, "speeds.cruise");
  EXPECT_FALSE(check_trim(d));
  EXPECT_TRUE(check_trim(test::aerosonde()));
}

}  // namespace
}  // namespace volary::airframe
