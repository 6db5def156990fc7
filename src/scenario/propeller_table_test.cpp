// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Propellers from a database. The rows are of the APC Thin Electric 10x5 and 8x4, UIUC Propeller Database, Vol. 1.
#include "scenario/propeller_table.hpp"

#include <gtest/gtest.h>

#include "math/lookup.hpp"

namespace volary::scenario {
namespace {

const std::string kNames = "PropName,BladeName,Family,B,D,P,J,N,CT,CP,eta\n";
const std::string kRows =
    "apce 10.0x5.0 - 2,apce 10.0x5.0,apce,2,10.0,5.0,0.146,4005.0,0.0867,0.0385,0.329\n"
    "apce 10.0x5.0 - 2,apce 10.0x5.0,apce,2,10.0,5.0,0.397,4005.0,0.0430,0.0281,0.608\n"
    "apce 10.0x5.0 - 2,apce 10.0x5.0,apce,2,10.0,5.0,0.684,4005.0,-0.0052,0.0064,-0.551\n"
    "apce 10.0x5.0 - 2,apce 10.0x5.0,apce,2,10.0,5.0,0.0,3919.0,0.0943,0.0366,0.0\n"
    "apce 10.0x5.0 - 2,apce 10.0x5.0,apce,2,10.0,5.0,0.0,4176.0,0.0950,0.0367,0.0\n"
    "apce 10.0x5.0 - 2,apce 10.0x5.0,apce,2,10.0,5.0,0.113,5000.0,0.0912,0.0381,0.271\n"
    "apce 8.0x4.0 - 2,apce 8.0x4.0,apce,2,8.0,4.0,0.0,4090.0,0.0921,0.0393,0.0\n";

core::Result<PropellerTable> read(const PropellerChoice& choice, const std::string& text = kNames + kRows) {
  return read_propeller_table(text, "props.csv", choice);
}
std::string refusal(const PropellerChoice& choice, const std::string& text = kNames + kRows) { return read(choice, text).error().text(); }

TEST(propeller_table, one_propeller_near_one_speed_becomes_a_curve) {
  const auto table = read({"apce 10.0x5.0 - 2", 4005});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_DOUBLE_EQ(table.value().diameter, 0.254);
  ASSERT_EQ(table.value().advance_ratio, (std::vector<double>{0, 0.146, 0.397, 0.684}));
  const auto view = math::table_view(table.value().blob.data());
  double v[3];
  math::interpolate1(view, math::find_on_axis(view.axis[0], 0.0), v);
  EXPECT_DOUBLE_EQ(v[0], (0.0943 + 0.0950) / 2);  // both were measured at rest, within a twentieth of the speed
  EXPECT_DOUBLE_EQ(v[1], (0.0366 + 0.0367) / 2);
  math::interpolate1(view, math::find_on_axis(view.axis[0], 0.397), v);
  EXPECT_DOUBLE_EQ(v[0], 0.0430);
  EXPECT_DOUBLE_EQ(v[2], (-0.0052 - 0.0867) / (0.684 - 0.146));
}

TEST(propeller_table, a_plain_file_of_one_propeller_needs_no_choice) {
  const auto table = read({}, "J,CT,CP\n0.5,0.03,0.02\n0,0.09,0.04\n");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table.value().advance_ratio, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(table.value().diameter, 0);
}

TEST(propeller_table, what_cannot_be_chosen_is_refused_with_what_there_is) {
  EXPECT_EQ(refusal({}), "props.csv:1:1: the file has 2 propellers: say which (known: apce 10.0x5.0 - 2, apce 8.0x4.0 - 2)");
  EXPECT_EQ(refusal({"apce 10x5 - 2", 4005}), "props.csv:1:1: no propeller is called 'apce 10x5 - 2' (did you mean 'apce 10.0x5.0 - 2'?)");
  EXPECT_EQ(refusal({"apce 10.0x5.0 - 2", 0}), "props.csv:1:1: the propeller was measured at several speeds: say which (measured from 3919 to 5000 rpm)");
  EXPECT_EQ(refusal({"apce 10.0x5.0 - 2", 9000}), "props.csv:1:1: no rows near 9000 rpm (measured from 3919 to 5000 rpm)");
  EXPECT_EQ(refusal({"apce 10.0x5.0 - 2", 5100}), "props.csv:1:1: a propeller needs at least two advance ratios");
  EXPECT_EQ(refusal({"", 4000}, "J,CT,CP\n0,1,1\n"),
            "props.csv:1:1: there is no column N or rpm, rows near 4000 rpm cannot be found (leave rpm out, or add a column N)");
  EXPECT_EQ(refusal({"x", 0}, "J,CT,CP\n0,1,1\n"),
            "props.csv:1:1: propellers have no names here, 'x' cannot be found (leave the name out, or add a column PropName)");
}

TEST(propeller_table, faults_of_the_file_are_named_with_their_place) {
  EXPECT_EQ(refusal({}, "J,CTT,CP\n0,1,1\n"), "props.csv:1:1: there is no column 'CT' (did you mean 'CTT'?)");
  EXPECT_EQ(refusal({}, "J,CT,CP\n0,1,x\n"), "props.csv:2:5: 'x' is not a number");
  EXPECT_EQ(
      refusal({}, "J,CT,CP\n0,0.1,0.05\n0.8,0.1,0.05\n"),
      "props.csv:3:9: J CT = 0.08 is more than CP = 0.05: an efficiency above 1 (CT = T / (rho n^2 D^4), CP = P / (rho n^3 D^5), n in revolutions per second)");
  EXPECT_EQ(refusal({}, "J,CT,CP,D\n0,0.1,0.05,10\n0.4,0.05,0.03,11\n"), "props.csv:3:15: rows of one propeller differ in diameter");
  EXPECT_EQ(refusal({}, "J,CT,CP,rpm\n0,0.1,0.05,0\n"), "props.csv:2:12: a speed must be above 0 rpm");
  EXPECT_EQ(refusal({}, "J,CT,CP\n0,300,0.05\n"), "props.csv:2:3: CT = 300 is not dimensionless");
}

}  // namespace
}  // namespace volary::scenario
