// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The check of Earth and air: it finds tables by what stands in them, and a wrong digit in one of them makes its figure fail.
#include <gtest/gtest.h>

#include <fstream>

#include "core/scratch_folder.hpp"
#include "validation/check.hpp"

namespace volary::validation {
namespace {

// two rows of WMM2025_TEST_VALUES.txt (NOAA NCEI and BGS, 2024)
constexpr const char* kMagnetic =
    "# Field 1: Decimal year\n"
    "2025.000000 28 89 -121 -99.77 88.47 1504.298146 -255.388723 -1482.460628 56194.288771 56214.419888 2.491706 -0.009987 10.285640 62.723738 -21.242793 "
    "18.075146 18.343917\n"
    "2025.000000 51 -33 109 -5.49 -67.50 21838.046477 21737.778822 -2090.274098 -52710.003920 57054.752538 0.069861 0.026375 29.809763 32.221578 23.651711 "
    "-3.334040 14.490015\n";
// U.S. Standard Atmosphere 1976, table 4 and the pressures that follow from it
constexpr const char* kAtmosphere =
    "# layers\nbase_geopotential_m,lapse_K_per_m,base_temperature_K,base_pressure_Pa\n0,-0.0065,288.15,101325.0\n11000,0.0,216.65,22632.06\n";
// NIMA TR8350.2
constexpr const char* kGravityValues =
    "# gravity\nsource,latitude_deg,longitude_deg_east,height_m,g_east_m_s2,g_north_m_s2,g_up_m_s2\nWGS84_normal_gravity_equator,0,0,0,0,0,-9.7803253359\n"
    "WGS84_normal_gravity_pole,90,0,0,0,0,-9.8321849379\n";
// MIL-F-8785C, figure 7
constexpr const char* kTurbulence = "# figure 7\naltitude_ft,p1,p2,p3,p4,p5,p6,p7\n3750,1.5,3.3,7.4,10.6,16.0,23.0,28.4\n";

class EarthValues : public testing::Test {
 protected:
  void write(const char* name, const std::string& text) { std::ofstream(scratch_.file(name)) << text; }
  CheckOptions options() { return {scratch_.path(), "assets"}; }
  CheckReport run() {
    const core::Result<CheckReport> r = kEarthCheck.run(options());
    EXPECT_TRUE(r) << r.error().text();
    return r.value();
  }
  static std::size_t failed(const CheckReport& r) {
    std::size_t n = 0;
    for (const Figure& f : r.figures) n += f.holds() ? 0 : 1;
    return n;
  }
  core::ScratchFolder scratch_;
};

std::string with(std::string text, const std::string& from, const std::string& to) { return text.replace(text.find(from), from.size(), to); }

TEST_F(EarthValues, published_values_come_out_as_they_are_printed_whatever_their_files_are_called) {
  EXPECT_FALSE(kEarthCheck.finds_data(options()));
  write("a.txt", kMagnetic), write("b.csv", kAtmosphere), write("c.csv", kGravityValues), write("d.csv", kTurbulence), write("e.txt", "1 2 3\n");
  ASSERT_TRUE(kEarthCheck.finds_data(options()));
  const CheckReport r = run();
  EXPECT_EQ(r.figures.size(), 4u + 3u + 1u + 1u);
  EXPECT_EQ(failed(r), 0u);
  EXPECT_TRUE(r.errors.empty());
  EXPECT_LT(r.figures[0].value, 0.001);
}

TEST_F(EarthValues, one_wrong_digit_in_the_reference_fails_its_figure_alone) {
  write("a.txt", with(kMagnetic, "-2090.274098", "-2090.474098"));
  write("b.csv", with(kAtmosphere, "22632.06", "22632.08"));
  write("c.csv", with(kGravityValues, "9.8321849379", "9.8321849389"));
  write("d.csv", with(kTurbulence, "10.6", "10.7"));
  const CheckReport r = run();
  EXPECT_EQ(failed(r), 4u);
  for (const Figure& f : r.figures)
    EXPECT_EQ(f.holds(), f.name != "earth/magnetic/a/east" && f.name != "earth/atmosphere/b/pressure" && f.name != "earth/gravity/c/normal" &&
                             f.name != "earth/turbulence/d/strength")
        << f.name;
}

TEST_F(EarthValues, values_of_another_magnetic_model_are_left_out_and_told) {
  write("a.txt", with(kMagnetic, "\n2025.000000", "\n2020.000000"));
  const CheckReport r = run();
  EXPECT_TRUE(r.figures.empty());
  ASSERT_FALSE(r.remarks.empty());
  EXPECT_NE(r.remarks[0].find("not of the built-in model"), std::string::npos);
}

TEST_F(EarthValues, a_cell_that_is_no_number_is_an_error_with_its_place) {
  write("b.csv", with(kAtmosphere, "22632.06", "many"));
  const CheckReport r = run();
  ASSERT_EQ(r.errors.size(), 1u);
  EXPECT_EQ(r.errors[0].line, 4);
}

}  // namespace
}  // namespace volary::validation
