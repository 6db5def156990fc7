// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The check cases of NASA/TM-2015-218675 against samples of simulation 05 of that publication (the trajectories on
// nescacademy.nasa.gov/flightsim, through nasa/simupy-flight 70754e6). The spheres and the brick are written here in our own
// words from their published masses and coefficients; the F-16 needs NASA's files.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/scratch_folder.hpp"
#include "math/euler.hpp"
#include "validation/check.hpp"
#include "validation/checkcase_flight.hpp"
#include "validation/report.hpp"

namespace volary::validation {
namespace {

namespace fs = std::filesystem;
using State = vehicles::GeodeticState<double>;

constexpr double kFoot = 0.3048, kDegree = 0.017453292519943295;

// ---------------------------------------------------------------- small models

std::string output(const std::string& name, const std::string& unit, const std::string& value, const std::string& calculation = "") {
  const std::string initial = calculation.empty() ? " initialValue=\"" + value + "\"" : "";
  return "<variableDef name=\"" + name + "\" varID=\"" + name + "\" units=\"" + unit + "\"" + initial + ">" + calculation + "<isOutput/></variableDef>\n";
}
std::string model(const std::string& body) { return "<DAVEfunc><fileHeader name=\"test\"/>\n" + body + "</DAVEfunc>\n"; }

std::string inertia(const std::string& mass, const std::string& roll, const std::string& pitch, const std::string& yaw) {
  std::string body = output("totalMass", "slug", mass) + output("bodyMomentOfInertia_Roll", "slugft2", roll) +
                     output("bodyMomentOfInertia_Pitch", "slugft2", pitch) + output("bodyMomentOfInertia_Yaw", "slugft2", yaw);
  for (const char* name : {"bodyProductOfInertia_XY", "bodyProductOfInertia_ZX", "bodyProductOfInertia_YZ"}) body += output(name, "slugft2", "0");
  for (const char* name : {"bodyPositionOfCmWrtMrc_X", "bodyPositionOfCmWrtMrc_Y", "bodyPositionOfCmWrtMrc_Z"}) body += output(name, "ft", "0");
  return model(body);
}

// -1 times rate times length / (2 speed): the damping of the brick
std::string damping(const std::string& rate, const std::string& length) {
  return "<calculation><math><apply><divide/><apply><times/><cn>-0.5</cn><ci>" + rate + "</ci><ci>" + length +
         "</ci></apply><ci>trueAirspeed</ci></apply></math></calculation>";
}

std::string aerodynamics(const std::string& area, const std::string& drag, bool damped) {
  std::string body = output("referenceWingArea", "ft2", area) + output("totalCoefficientOfLift", "nd", "0") + output("totalCoefficientOfDrag", "nd", drag) +
                     output("aeroBodyForceCoefficient_Y", "nd", "0");
  const char* const axes[] = {"Roll", "Pitch", "Yaw"};
  const char* const lengths[] = {"referenceWingSpan", "referenceWingChord", "referenceWingSpan"};
  if (damped) {
    body += output("referenceWingSpan", "ft", "0.33333") + output("referenceWingChord", "ft", "0.66667");
    body += "<variableDef name=\"trueAirspeed\" varID=\"trueAirspeed\" units=\"ft_s\" minValue=\"0.5\"><isInput/></variableDef>\n";
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string rate = std::string("bodyAngularRate_") + axes[k];
    if (damped) body += "<variableDef name=\"" + rate + "\" varID=\"" + rate + "\" units=\"rad_s\"><isInput/></variableDef>\n";
    body += output(std::string("aeroBodyMomentCoefficient_") + axes[k], "nd", "0", damped ? damping(rate, lengths[k]) : "");
  }
  return model(body);
}

std::string list_file() { return std::string(VOLARY_SOURCE_DIR) + "/assets/checkcases/nasa_tm_2015_218675.yaml"; }

class CheckCase : public ::testing::Test {
 protected:
  CheckCase() {
    scratch_.write("models/cannonball_inertia.dml", inertia("1.0", "3.6", "3.6", "3.6"));
    scratch_.write("models/cannonball_aero.dml", aerodynamics("0.1963495", "0.1", false));
    scratch_.write("models/brick_inertia.dml", inertia("0.155404754", "0.00189422", "0.006211019", "0.007194665"));
    scratch_.write("models/brick_aero.dml", aerodynamics("0.22222", "0.01", true));
    core::Result<CheckCaseList> list = load_checkcases(list_file());
    if (!list) throw std::runtime_error(list.error().text());
    list_ = std::move(list).value();
  }

  // flown from a first state in the publication's units, sampled every 0.1 s
  std::vector<Quantities> fly(const std::string& id, const State& first, double seconds, const std::string& models = "", double step = kCaseStep) {
    std::vector<double> times;
    for (int k = 0; k <= static_cast<int>(std::lround(seconds * 10)); ++k) times.push_back(k * 0.1);
    const core::Result<CaseFlight> flight = fly_case(list_, *list_.find(id), models.empty() ? scratch_.file("models") : models, first, times, step);
    EXPECT_TRUE(flight) << (flight ? "" : flight.error().text());
    return flight ? flight.value().rows : std::vector<Quantities>(times.size());
  }

  core::ScratchFolder scratch_;
  CheckCaseList list_;
};

struct Angles {
  double yaw = 0, pitch = 0, roll = 0;
};
State state(double latitude, double longitude, double altitude, const math::Vec3<double>& velocity, Angles a, const math::Vec3<double>& rate) {
  return {{latitude * kDegree, longitude * kDegree, altitude * kFoot},
          kFoot * velocity,
          math::quat_from_euler(math::EulerAngles<double>{a.yaw * kDegree, a.pitch * kDegree, a.roll * kDegree}),
          kDegree * rate};
}

// the thresholds of the cases: the larger of the published band and 1e-3 ft, 1e-4 ft/s, 1e-3 deg
void expect_near(const Quantities& got, const Quantities& wanted, const Quantities& threshold, const std::string& what) {
  for (std::size_t q = 0; q < kQuantities; ++q)
    EXPECT_LE(std::abs(difference(q, wanted[q], got[q])), threshold[q]) << what << " " << kQuantityInfo[q].name << " " << got[q];
}

// ---------------------------------------------------------------- the published samples

const State kDrop = state(0, 0, 30000, {0, 0, 0}, {}, {0, 0, 0});
const State kTumble = state(0, 0, 30000, {0, 0, 0}, {}, {10, 20, 30});
const Quantities kFloors = {1e-3, 1e-4, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3};

TEST_F(CheckCase, a_sphere_without_drag_falls_as_published) {
  const auto rows = fly("01", kDrop, 30);
  expect_near(rows[100], {28400.2041, 0, 0.233326829, 319.967327, 0, 0, -0.0417828679}, kFloors, "01 at 10 s");
  expect_near(rows[300], {15598.9044, 0, 2.10101109, 960.293065, 0, 0, -0.125399679}, kFloors, "01 at 30 s");
}

TEST_F(CheckCase, a_brick_tumbles_as_published) {
  const Quantities threshold = {1e-3, 1e-4, 1e-4, 1e-4, 0.0021, 0.005, 0.01};
  const auto rows = fly("02", kTumble, 30);
  expect_near(rows[100], {28400.2041, 0, 0.233326829, 319.967327, -4.32131232, 3.74134209, -66.0190381}, threshold, "02 at 10 s");
  expect_near(rows[300], {15598.9044, 0, 2.10101109, 960.293065, -4.28928851, -3.8196332, -56.1512754}, threshold, "02 at 30 s");
}

TEST_F(CheckCase, a_sphere_falls_over_a_round_rotating_earth_as_published) {
  const Quantities threshold = {0.011, 1e-4, 1e-4, 0.0013, 1e-3, 1e-3, 1e-3};
  const auto rows = fly("05", kTumble, 30);
  expect_near(rows[100], {28406.7975, 0, 0.230690366, 317.107163, 11.656423, 7.14856915, 4.49279576}, threshold, "05 at 10 s");
  expect_near(rows[300], {16276.3855, 0, 1.84389796, 864.480035, 37.4212827, 17.8228599, 17.8207385}, threshold, "05 at 30 s");
}

TEST_F(CheckCase, a_sphere_drifts_in_a_steady_wind_as_published) {
  const Quantities threshold = {0.011, 1e-4, 1e-4, 0.0013, 1e-3, 1e-3, 1e-3};
  const auto rows = fly("07", kDrop, 30);
  expect_near(rows[100], {28407.8636, 0, 0.519488336, 316.895359, 0, 0, -0.0417855188}, threshold, "07 at 10 s");
  expect_near(rows[300], {16285.1622, 0, 4.70837968, 863.966831, 0, 0, -0.125470766}, threshold, "07 at 30 s");
}

TEST_F(CheckCase, a_cannonball_flies_east_as_published) {
  const Quantities threshold = {0.33, 1e-4, 0.016, 0.016, 1e-3, 1e-3, 1e-3};
  const auto rows = fly("09", state(0, 0, 0, {0, 1000, -1000}, {90, 0, 0}, {0, -0.004178074132240403, 0}), 30);
  expect_near(rows[100], {7306.60337, 0, 786.313322, -500.078681, 90, 0.0240256212, 0}, threshold, "09 at 10 s");
  expect_near(rows[300], {10160.9793, 0, 610.745975, 181.748587, 90, 0.0616478133, 0}, threshold, "09 at 30 s");
}

// tolerances of the F-16: twice the published band, wider than the thresholds of `validate nasa`
TEST_F(CheckCase, the_f16_trims_and_manoeuvres_as_published) {
  const char* data = std::getenv("VOLARY_VALIDATION_DATA");
  if (data == nullptr) GTEST_SKIP() << "VOLARY_VALIDATION_DATA does not name the folder of published data";
  const std::string models = (fs::path(data) / "nasa_eom_checkcases" / "models").string();
  const State first = state(36.019166667, -75.6744444444, 10013, {400, 400, 0}, {45, 2.6389261150, 0}, {0.002533320, -0.003939292, -0.003138617});

  const auto straight = fly("11", first, 180, models);
  expect_near(straight[600], {10012.9982, 398.207909, 401.784224, 0.000233658519, 45.2540972, 2.63890208, -0.0419410358},
              {0.3, 0.032, 0.052, 0.007, 0.006, 0.002, 0.002}, "11 at 60 s");
  expect_near(straight[1800], {10012.9346, 396.278918, 403.689279, 0.000808815593, 45.5273206, 2.63884193, -0.0734209214},
              {0.3, 0.032, 0.052, 0.007, 0.006, 0.002, 0.002}, "11 at 180 s");

  const auto climb = fly("13p1", first, 20, models);
  expect_near(climb[60], {10024.888, 399.604613, 399.77354, -23.8037532, 45.0071655, 7.02070907, -0.0668469678}, {0.5, 0.3, 0.3, 0.5, 0.002, 0.28, 0.002},
              "13p1 at 6 s");
  expect_near(climb[200], {10112.5962, 400.519824, 400.726466, -0.197748183, 45.0101659, 2.65970306, -0.101167096}, {0.5, 0.3, 0.3, 0.5, 0.002, 0.28, 0.002},
              "13p1 at 20 s");

  const auto turn = fly("13p3", first, 30, models);
  expect_near(turn[160], {10010.5154, 391.820928, 407.902094, 3.05388404, 49.3698311, 2.60389479, 30.0553568}, {1.28, 1.3, 1.86, 1.16, 1.58, 0.32, 1.62},
              "13p3 at 16 s");
  expect_near(turn[300], {10013.2511, 283.820375, 489.331439, 0.0584624118, 59.9194825, 2.6265481, 0.790578347}, {1.28, 1.3, 1.86, 1.16, 1.58, 0.32, 1.62},
              "13p3 at 30 s");

  const State pole = state(89.95, -45, 10000, {0, 563.6425153743959, 0}, {90, 2.687221169, 0}, {0.08279135, -0.001541029, -1.763947218});
  const auto circle = fly("15", pole, 180, models);
  expect_near(circle[600], {9994.92683, 0.227163549, 563.596994, 0.00316040522, 88.5705243, 2.83930572, -28.02663}, {1, 0.84, 0.28, 0.3, 0.54, 0.052, 0.78},
              "15 at 60 s");
  expect_near(circle[1800], {9994.90571, 0, 563.59683, 0, 88.5903219, 2.84012298, -28.0774616}, {1, 0.84, 0.28, 0.3, 0.54, 0.052, 0.78}, "15 at 180 s");
}

// ---------------------------------------------------------------- the other definitions, as physics

TEST_F(CheckCase, damping_ends_the_tumbling_of_a_brick_and_leaves_its_fall_alone) {
  const auto damped = fly("03", kTumble, 30), free = fly("02", kTumble, 30);
  EXPECT_NEAR(damped[300][0], free[300][0], 1e-6);
  EXPECT_LT(std::abs(difference(4, damped[290][4], damped[300][4])), 0.01);
  EXPECT_GT(std::abs(difference(6, free[290][6], free[300][6])), 1);
}

TEST_F(CheckCase, over_an_earth_at_rest_nothing_drifts_and_over_a_turning_one_all_falls_drift_east) {
  EXPECT_NEAR(fly("04", kDrop, 30)[300][2], 0, 1e-12);
  EXPECT_GT(fly("05", kDrop, 30)[300][2], 1.8);
  EXPECT_GT(fly("06", kDrop, 30)[300][2], 1.8);
  // the Earth's turning takes some of the weight: the fall is slower
  EXPECT_LT(fly("04", kDrop, 30)[300][0], fly("05", kDrop, 30)[300][0] - 30);
}

TEST_F(CheckCase, in_a_wind_of_70_feet_per_second_above_a_sphere_drifts_more_than_in_20) {
  const auto still = fly("06", kDrop, 30), steady = fly("07", kDrop, 30), sheared = fly("08", kDrop, 30);
  EXPECT_GT(sheared[100][2] - still[100][2], 3 * (steady[100][2] - still[100][2]));
  // down at 16,000 ft the wind is 29 ft/s, so the push has become weaker than three times the steady one
  EXPECT_LT(sheared[300][2] - sheared[290][2], 3 * (steady[300][2] - steady[290][2]));
}

TEST_F(CheckCase, a_cannonball_shot_north_from_the_equator_is_left_behind_by_the_ground_while_it_is_high) {
  const auto north = fly("10", state(0, 0, 0, {1000, 0, -1000}, {}, {0.004178074132240403, 0, 0}), 30);
  const auto east = fly("09", state(0, 0, 0, {0, 1000, -1000}, {90, 0, 0}, {0, -0.004178074132240403, 0}), 30);
  EXPECT_LT(north[150][2], -0.5);                 // west of its meridian
  EXPECT_LT(north[300][0], east[300][0] - 10);    // eastward speed lifts: the Eotvos effect
}

TEST_F(CheckCase, a_smaller_step_moves_nothing_that_a_bar_can_see) {
  const auto a = fly("02", kTumble, 30), b = fly("02", kTumble, 30, "", 0.005);
  for (std::size_t q = 0; q < kQuantities; ++q) EXPECT_NEAR(a[300][q], b[300][q], 1e-6) << kQuantityInfo[q].name;
}

TEST_F(CheckCase, every_definition_of_the_f16_trims_and_flies) {
  const char* data = std::getenv("VOLARY_VALIDATION_DATA");
  if (data == nullptr) GTEST_SKIP() << "VOLARY_VALIDATION_DATA does not name the folder of published data";
  const std::string models = (fs::path(data) / "nasa_eom_checkcases" / "models").string();
  const State first = state(36.01916667, -75.67444444, 10013, {400, 400, 0}, {45, 0, 0}, {0.0025333, -0.0039393, -0.0031386});

  const auto slower = fly("13p2", first, 20, models);
  const double ratio = slower[200][1] / slower[0][1];
  EXPECT_NEAR((1 - ratio) * 287.98, 5, 0.3);  // KEAS, but for the regulator's own error

  // the course line moves to the right: 2000 ft further that way, on the old course again
  const auto aside = fly("13p4", first, 60, models);
  double right = 0;  // ft
  for (std::size_t k = 1; k <= 600; ++k) right += 0.1 * std::sqrt(0.5) * (aside[k][2] - aside[k][1]);
  EXPECT_NEAR(right, 2000, 40);
  EXPECT_NEAR(aside[200][4], 45, 0.01);
  EXPECT_GT(aside[300][4], 55);

  const State fast = state(36.01916667, -75.67444444, 30013, {1414.2136, 1414.2136, 0}, {45, 0, 0}, {0.0037, -0.0072, -0.0056});
  EXPECT_NEAR(fly("12", fast, 60, models)[600][0], 30013, 150);

  // a circle of 3 nautical miles across the date line and the equator: half a turn in about 100 s
  const State line = state(0, -179.95, 10000, {563.643, 0, 0}, {0, 0, 0}, {0.0042, -0.0015, 0});
  const auto circle = fly("16", line, 180, models);
  EXPECT_LT(circle[600][1], 0);
  EXPECT_NEAR(circle[1800][0], 9995.5, 2);
  EXPECT_NEAR(circle[1800][6], -28, 1);
}

// ---------------------------------------------------------------- files

constexpr const char* kHeader =
    "time,altitudeMsl_ft,feVelocity_ft_s_X,feVelocity_ft_s_Y,feVelocity_ft_s_Z,eulerAngle_deg_Yaw,eulerAngle_deg_Pitch,eulerAngle_deg_Roll,"
    "latitude_deg,longitude_deg,bodyAngularRateWrtEi_deg_s_Roll,bodyAngularRateWrtEi_deg_s_Pitch,bodyAngularRateWrtEi_deg_s_Yaw\n";
std::string drop_rows(double altitude_error = 0) {
  std::string text = kHeader;
  for (int k = 0; k <= 20; ++k) {
    const double t = 0.1 * k;
    text +=
        std::to_string(t) + "," + std::to_string(30000 - 0.5 * 31.995 * t * t + altitude_error) + ",0,0," + std::to_string(31.995 * t) + ",0,0,0,0,0,0,0,0\n";
  }
  return text;
}

core::Result<CheckReport> run_nasa(const std::string& folder) { return kNasaCheck.run({folder, std::string(VOLARY_SOURCE_DIR) + "/assets"}); }

TEST_F(CheckCase, a_folder_of_the_published_layout_is_all_it_takes) {
  // two simulations 2 ft apart: ours is between them, and the band is 2 ft
  scratch_.write("Atmos_01_Anything/Atmos_01_sim_04.csv", drop_rows(1));
  scratch_.write("Atmos_01_Anything/Atmos_01_sim_05.csv", drop_rows(-1));
  scratch_.write("Atmos_01_Anything/Atmos_01_sim_02.csv", "not read");
  const core::Result<CheckReport> report = run_nasa(scratch_.path());
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(report.value().errors.empty());
  ASSERT_EQ(report.value().figures.size(), kQuantities);
  EXPECT_EQ(report.value().figures[0].name, "nasa/01/altitude");
  EXPECT_NEAR(report.value().figures[0].threshold, 2, 1e-9);
  EXPECT_LT(report.value().figures[0].value, 0.01);
  EXPECT_EQ(report.value().figures[1].threshold, 1e-4);
  EXPECT_TRUE(kNasaCheck.finds_data({scratch_.file("Atmos_01_Anything"), ""}));
  EXPECT_FALSE(kNasaCheck.finds_data({scratch_.file("models"), ""}));
}

TEST_F(CheckCase, a_faulty_model_is_told_and_the_cases_without_it_are_flown) {
  scratch_.write("Atmos_01_Anything/Atmos_01_sim_04.csv", drop_rows(1));
  scratch_.write("Atmos_01_Anything/Atmos_01_sim_05.csv", drop_rows(-1));
  scratch_.write("models/broken.dml", "<DAVEfunc><fileHeader>");
  const core::Result<CheckReport> report = run_nasa(scratch_.path());
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_EQ(report.value().errors.size(), 1u);
  EXPECT_NE(report.value().errors[0].text().find("broken.dml"), std::string::npos) << report.value().errors[0].text();
  EXPECT_EQ(report.value().figures.size(), kQuantities);
}

TEST_F(CheckCase, a_missing_column_is_named_with_its_file) {
  std::string text = drop_rows();
  text.replace(text.find("feVelocity_ft_s_Y"), 17, "feVelocity_ft_s_y");
  scratch_.write("Atmos_01_Drop/Atmos_01_sim_04.csv", text);
  scratch_.write("Atmos_99_Unheard/Atmos_99_sim_04.csv", text);
  const core::Result<CheckReport> report = run_nasa(scratch_.path());
  ASSERT_TRUE(report);
  ASSERT_EQ(report.value().errors.size(), 2u);
  EXPECT_NE(report.value().errors[0].text().find("Atmos_01_sim_04.csv:1: there is no column 'feVelocity_ft_s_Y' (is 'feVelocity_ft_s_y' meant?)"),
            std::string::npos)
      << report.value().errors[0].text();
  EXPECT_NE(report.value().errors[1].message.find("case 99 is not defined"), std::string::npos);
}

TEST_F(CheckCase, a_missing_model_and_a_vehicle_that_cannot_trim_are_errors) {
  fs::remove(scratch_.file("models/cannonball_inertia.dml"));
  scratch_.write("Atmos_01_Drop/Atmos_01_sim_04.csv", drop_rows());
  const core::Result<CheckReport> report = run_nasa(scratch_.path());
  ASSERT_TRUE(report);
  ASSERT_EQ(report.value().errors.size(), 1u);
  EXPECT_NE(report.value().errors[0].text().find("cannonball_inertia.dml"), std::string::npos) << report.value().errors[0].text();

  const char* data = std::getenv("VOLARY_VALIDATION_DATA");
  if (data == nullptr) return;
  const State slow = state(36, -75, 10013, {20, 20, 0}, {45, 0, 0}, {0, 0, 0});
  const core::Result<CaseFlight> flight = fly_case(list_, *list_.find("11"), (fs::path(data) / "nasa_eom_checkcases" / "models").string(), slow, {0, 0.1});
  ASSERT_FALSE(flight);
  EXPECT_NE(flight.error().message.find("does not trim"), std::string::npos) << flight.error().text();
}

TEST_F(CheckCase, times_that_went_through_32_bits_are_read_as_what_was_meant) {
  std::string text = kHeader;
  text += "0,1,0,0,0,0,0,0,0,0,0,0,0\n29.900001525878906,1,0,0,0,0,0,0,0,0,0,0,0\n";
  const core::Result<Trajectory> t = read_trajectory(scratch_.write("a.csv", text), "05");
  ASSERT_TRUE(t) << t.error().text();
  EXPECT_NEAR(t.value().time[1], 29.9, 1e-12);
}

TEST_F(CheckCase, means_and_differences_of_angles_go_the_short_way_round) {
  EXPECT_NEAR(difference(4, 179, -179), 2, 1e-12);
  EXPECT_NEAR(difference(0, 179, -179), -358, 1e-12);
  const auto row = [&](const char* yaw, const char* longitude) { return std::string(",1,0,0,0,") + yaw + ",0,0,0," + longitude + ",0,0,0\n"; };
  const auto a = read_trajectory(scratch_.write("a.csv", kHeader + ("0" + row("179", "179.9")) + "1" + row("179", "179.9")), "04");
  const auto b = read_trajectory(scratch_.write("b.csv", kHeader + ("0" + row("-179", "-179.9")) + "1" + row("-177", "-179.9")), "05");
  ASSERT_TRUE(a && b);
  const core::Result<Reference> mean = mean_of({a.value(), b.value()});
  ASSERT_TRUE(mean);
  EXPECT_NEAR(difference(4, mean.value().mean[0][4], 180), 0, 1e-12);
  EXPECT_NEAR(mean.value().band[4], 4, 1e-12);
  EXPECT_NEAR(std::remainder(mean.value().first.place.longitude / kDegree - 180, 360), 0, 1e-12);
}

TEST_F(CheckCase, trajectories_that_are_written_more_often_are_compared_where_the_others_have_rows) {
  const auto rows = [](double step, double end) {
    std::string text = kHeader;
    for (int k = 0; k * step <= end + 1e-9; ++k) text += std::to_string(k * step) + "," + std::to_string(k * step) + ",0,0,0,0,0,0,0,0,0,0,0\n";
    return text;
  };
  const auto a = read_trajectory(scratch_.write("a.csv", rows(0.1, 2)), "04"), b = read_trajectory(scratch_.write("b.csv", rows(0.01, 1)), "05");
  ASSERT_TRUE(a && b);
  const core::Result<Reference> mean = mean_of({a.value(), b.value()});
  ASSERT_TRUE(mean) << mean.error().text();
  EXPECT_EQ(mean.value().time.size(), 11u);
  EXPECT_NEAR(mean.value().band[0], 0, 1e-6);
  EXPECT_NEAR(mean.value().mean[10][0], 1, 1e-6);
  const auto late = read_trajectory(scratch_.write("c.csv", kHeader + std::string("5,1,0,0,0,0,0,0,0,0,0,0,0\n6,1,0,0,0,0,0,0,0,0,0,0,0\n")), "06");
  ASSERT_TRUE(late);
  EXPECT_FALSE(mean_of({a.value(), late.value()}));
}

TEST_F(CheckCase, a_reference_that_is_cut_off_is_refused_with_its_place) {
  const auto rows = [](int n, const std::string& altitude_of_the_third = "1") {
    std::string text = kHeader;
    for (int k = 0; k < n; ++k) text += fmt::format("{:.1f},{},0,0,0,0,0,0,0,0,0,0,0\n", 0.1 * k, k == 2 ? altitude_of_the_third : "1");
    return text;
  };
  const auto read = [&](const char* name, const std::string& text) { return read_trajectory(scratch_.write(name, text), name); };
  const auto whole = read("a.csv", rows(31)), other = read("b.csv", rows(31));
  ASSERT_TRUE(whole && other);
  std::string torn = rows(31);
  torn.resize(torn.size() - 9);
  const auto cut = read("c.csv", torn);
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().text().find("c.csv:32: 9 cells in a row, 13 columns have names (is the file cut off?)"), std::string::npos) << cut.error().text();

  const core::Result<Reference> two_rows = mean_of({whole.value(), read("d.csv", rows(2)).value()});
  ASSERT_FALSE(two_rows);
  EXPECT_NE(two_rows.error().text().find("d.csv:3: ends after 0.1 s, where "), std::string::npos) << two_rows.error().text();
  EXPECT_TRUE(mean_of({whole.value(), read("d.csv", rows(21)).value()}));
  EXPECT_TRUE(mean_of({whole.value(), read("d.csv", rows(21)).value()}, 2));   // whoever went on after the end of the case
  EXPECT_FALSE(mean_of({whole.value(), read("d.csv", rows(21)).value()}, 3));  // and who stopped before it
}

TEST_F(CheckCase, a_cell_far_outside_the_other_references_does_not_widen_the_bar) {
  const auto read = [&](const char* name, const std::string& altitude) {
    return read_trajectory(scratch_.write(name, kHeader + std::string("0,1,0,0,0,0,0,0,0,0,0,0,0\n1,") + altitude + ",0,0,0,0,0,0,0,0,0,0,0\n"), name).value();
  };
  const core::Result<Reference> three = mean_of({read("a.csv", "1"), read("b.csv", "1e30"), read("c.csv", "1.5")});
  ASSERT_FALSE(three);
  EXPECT_NE(three.error().text().find("b.csv:3: altitudeMsl_ft = 1e+30 is 1e+30 ft away from every other simulation, and those differ by 0.5 ft"),
            std::string::npos)
      << three.error().text();
  const core::Result<Reference> two = mean_of({read("b.csv", "1e30"), read("a.csv", "1")});
  ASSERT_FALSE(two);
  EXPECT_NE(two.error().text().find("b.csv:3: "), std::string::npos) << two.error().text();
  EXPECT_TRUE(mean_of({read("a.csv", "1"), read("b.csv", "50"), read("c.csv", "1.5")}));
}

TEST_F(CheckCase, faults_in_the_list_of_cases_are_placed) {
  std::ifstream in(list_file());
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  text.replace(text.find("vehicle: dragless_brick"), 23, "vehicle: dragless_brik");
  const core::Result<CheckCaseList> list = load_checkcases(scratch_.write("list.yaml", text));
  ASSERT_FALSE(list);
  EXPECT_NE(list.error().text().find("cases[1].vehicle: unknown vehicle 'dragless_brik' (did you mean 'dragless_brick'?)"), std::string::npos)
      << list.error().text();
  EXPECT_GT(list.error().line, 10);
}

}  // namespace
}  // namespace volary::validation
