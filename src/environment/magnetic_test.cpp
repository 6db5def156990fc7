// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/magnetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "environment/data_test.hpp"

namespace volary::magnetic {
namespace {

using test_data::read_numbers;

constexpr double kRad = M_PI / 180;

// A row of the official test values: year, height km, latitude, longitude, D, I in degrees; H, X, Y, Z, F in nT; the rates of D, I in degrees per
// year and of H, X, Y, Z, F in nT per year. The tolerances are for nT, for angles, for rates of angles.
void expect_row(const Model& model, const std::vector<double>& v, double nt, double angle, double angle_rate) {
  ASSERT_EQ(v.size(), 18u);
  const Field f = field(model, v[2] * kRad, v[3] * kRad, v[1] * 1000, v[0]);
  const std::string where = std::to_string(v[0]) + " at " + std::to_string(v[2]) + ", " + std::to_string(v[3]);
  EXPECT_NEAR(f.now.declination / kRad, v[4], angle) << where;
  EXPECT_NEAR(f.now.inclination / kRad, v[5], angle) << where;
  const double now[] = {f.now.horizontal, f.now.north, f.now.east, f.now.down, f.now.total};
  const double rate[] = {f.rate.horizontal, f.rate.north, f.rate.east, f.rate.down, f.rate.total};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(now[k], v[6 + k], nt) << where << " element " << k;
  EXPECT_NEAR(f.rate.declination / kRad, v[11], angle_rate) << where;
  EXPECT_NEAR(f.rate.inclination / kRad, v[12], angle_rate) << where;
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(rate[k], v[13 + k], nt) << where << " rate of element " << k;
}

// six rows of WMM2025_TEST_VALUES.txt (NOAA NCEI and BGS, 2024), printed with six decimals
TEST(magnetic, wmm2025_gives_the_official_test_values) {
  const std::vector<std::vector<double>> rows = {
      {2025.000000, 28, 89, -121, -99.77, 88.47, 1504.298146, -255.388723, -1482.460628, 56194.288771, 56214.419888, 2.491706, -0.009987, 10.285640, 62.723738,
       -21.242793, 18.075146, 18.343917},
      {2025.000000, 51, -33, 109, -5.49, -67.50, 21838.046477, 21737.778822, -2090.274098, -52710.003920, 57054.752538, 0.069861, 0.026375, 29.809763,
       32.221578, 23.651711, -3.334040, 14.490015},
      {2026.000000, 83, 86, -46, -30.61, 86.84, 3000.255301, 2582.099403, -1527.839829, 54279.308437, 54362.163830, 1.221388, -0.002547, 3.280093, 35.392266,
       53.372894, 15.551936, 15.709262},
      {2027.000000, 57, -43, 50, -48.27, -63.13, 16833.417225, 11203.748204, -12563.437494, -33221.366617, 37242.759503, -0.165742, -0.033376, 12.323002,
       -28.141121, -41.606787, -72.317297, 70.078525},
      {2028.000000, 21, 6, -32, -14.34, -8.70, 28453.070088, 27567.094260, -7045.034525, -4352.046687, 28783.980055, 0.177960, -0.311470, -29.041854, -6.255704,
       92.814073, -153.852374, -5.445988},
      {2029.500000, 33, 17, 5, 0.89, 13.77, 34026.126581, 34021.976056, 531.446418, 8341.137769, 35033.582023, 0.078642, 0.026998, 3.099752, 2.369935,
       46.745426, 17.756374, 7.238224},
  };
  for (const std::vector<double>& row : rows) expect_row(wmm2025(), row, 0.001, 0.00501, 2e-6);
}

TEST(magnetic, wmm2025_gives_all_official_test_values_of_the_data_folder) {
  const std::string folder = test_data::folder();
  if (folder.empty()) GTEST_SKIP() << test_data::kNone;
  const auto rows = read_numbers(folder + "/magnetic/WMM2025_TEST_VALUES_even_rows.txt");
  EXPECT_EQ(rows.size(), 50u);
  for (const std::vector<double>& row : rows) expect_row(wmm2025(), row, 0.001, 0.00501, 2e-6);
}

// a model that is not compiled in: its coefficients and test values are read, the values are printed with one decimal
TEST(magnetic, the_sum_gives_the_test_values_of_the_model_of_2020_too) {
  const std::string folder = test_data::folder();
  if (folder.empty()) GTEST_SKIP() << test_data::kNone;
  Model model{};
  model.epoch = 2020, model.last_year = 2025;
  for (const std::vector<double>& row : read_numbers(folder + "/magnetic/WMM2020.COF")) {
    if (row.size() != 6) continue;
    const auto k = static_cast<std::size_t>(row[0] * (row[0] + 1) / 2 + row[1]);
    ASSERT_LT(k, static_cast<std::size_t>(kTerms));
    model.g[k] = row[2], model.h[k] = row[3], model.g_rate[k] = row[4], model.h_rate[k] = row[5];
  }
  const auto rows = read_numbers(folder + "/magnetic/WMM2020_TEST_VALUES.txt");
  EXPECT_EQ(rows.size(), 100u);
  for (const std::vector<double>& row : rows) expect_row(model, row, 0.0501, 0.00501, 0.0501);
}

TEST(magnetic, the_compiled_coefficients_are_those_of_the_published_file) {
  const std::string folder = test_data::folder();
  if (folder.empty()) GTEST_SKIP() << test_data::kNone;
  int terms = 0;
  for (const std::vector<double>& row : read_numbers(folder + "/magnetic/WMM2025.COF")) {
    if (row.size() != 6) continue;
    const auto k = static_cast<std::size_t>(row[0] * (row[0] + 1) / 2 + row[1]);
    EXPECT_EQ(wmm2025().g[k], row[2]);
    EXPECT_EQ(wmm2025().h[k], row[3]);
    EXPECT_EQ(wmm2025().g_rate[k], row[4]);
    EXPECT_EQ(wmm2025().h_rate[k], row[5]);
    ++terms;
  }
  EXPECT_EQ(terms, 90);
}

// a lone dipole along the axis: horizontal g sin(colatitude), down 2 g cos(colatitude) at the reference radius; the ellipsoid's pole is 14.4 km
// nearer
TEST(magnetic, a_dipole_has_the_field_of_a_dipole) {
  Model model{};
  model.g[1] = -30000;
  const double down = field(model, M_PI / 2, 0, 0, 0).now.down, north = field(model, 0, 1, 0, 0).now.north;
  EXPECT_NEAR(down, 2 * 30000 * std::pow(6371200 / 6356752.3142, 3), 1e-5);
  EXPECT_NEAR(north, 30000 * std::pow(6371200 / 6378137.0, 3), 1e-5);
}

// at the poles longitude means nothing: the vector turns with the axes that it is told in, and nothing else
TEST(magnetic, the_field_is_one_vector_at_the_poles) {
  for (double latitude : {-90.0, 90.0}) {
    const double turn = latitude > 0 ? -1 : 1;
    const Elements a = field(wmm2025(), latitude * kRad, 0, 0, 2026).now, b = field(wmm2025(), latitude * kRad, 70 * kRad, 0, 2026).now;
    EXPECT_NEAR(b.down, a.down, 1e-9);
    EXPECT_NEAR(b.north, a.north * std::cos(70 * kRad) + turn * a.east * std::sin(70 * kRad), 1e-8);
    EXPECT_NEAR(b.east, a.east * std::cos(70 * kRad) - turn * a.north * std::sin(70 * kRad), 1e-8);
  }
}

TEST(magnetic, rates_are_the_change_in_a_year) {
  const Field now = field(wmm2025(), 0.8, 0.2, 100, 2027), later = field(wmm2025(), 0.8, 0.2, 100, 2027.001);
  EXPECT_NEAR((later.now.declination - now.now.declination) / 0.001, now.rate.declination, 1e-7);
  EXPECT_NEAR((later.now.inclination - now.now.inclination) / 0.001, now.rate.inclination, 1e-7);
  EXPECT_NEAR((later.now.horizontal - now.now.horizontal) / 0.001, now.rate.horizontal, 1e-3);
  EXPECT_NEAR((later.now.total - now.now.total) / 0.001, now.rate.total, 1e-3);
  EXPECT_NEAR((later.now.east - now.now.east) / 0.001, now.rate.east, 1e-6);
}

TEST(magnetic, a_model_covers_its_years) {
  EXPECT_TRUE(covers(wmm2025(), 2025));
  EXPECT_TRUE(covers(wmm2025(), 2029.9));
  EXPECT_FALSE(covers(wmm2025(), 2024.9));
  EXPECT_FALSE(covers(wmm2025(), 2030.1));
}

}  // namespace
}  // namespace volary::magnetic
