// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/local_magnetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace volary::environment {
namespace {

constexpr double kYear = 2026.5;

LocalFrame<double> origin(double latitude, double longitude) { return local_frame<double>(kWgs84, {latitude * M_PI / 180, longitude * M_PI / 180, 300}); }

// the largest error of the quadratic over places at this distance, up to 5 km high, nT
double worst_error(const LocalFrame<double>& f, double distance) {
  const LocalMagnetic<double> local = local_magnetic(magnetic::wmm2025(), f, kYear);
  double worst = 0;
  for (int k = 0; k < 24; ++k)
    for (double up : {-200.0, 5000.0}) {
      const Vec3<double> p{distance * std::cos(k * M_PI / 12), distance * std::sin(k * M_PI / 12), up};
      worst = std::max(worst, math::norm(magnetic_at(local, p) - magnetic_field_W(magnetic::wmm2025(), f, p, kYear)));
    }
  return worst;
}

TEST(local_magnetic, is_the_model_at_the_origin) {
  const LocalFrame<double> f = origin(47, 8);
  const magnetic::Elements e = magnetic::field(magnetic::wmm2025(), f.origin.latitude, f.origin.longitude, f.origin.height, kYear).now;
  const Vec3<double> at = magnetic_at<double>(local_magnetic(magnetic::wmm2025(), f, kYear), {0, 0, 0});
  EXPECT_NEAR(at.x, e.east, 1e-6);
  EXPECT_NEAR(at.y, e.north, 1e-6);
  EXPECT_NEAR(at.z, -e.down, 1e-6);
}

// the bounds that local_magnetic.hpp states, over the whole Earth
TEST(local_magnetic, stays_within_its_error_bounds_everywhere) {
  double near = 0, far = 0;
  for (int latitude = -90; latitude <= 90; latitude += 15)
    for (int longitude = -180; longitude < 180; longitude += 30) {
      near = std::max(near, worst_error(origin(latitude, longitude), 30000));
      far = std::max(far, worst_error(origin(latitude, longitude), 60000));
    }
  EXPECT_LT(near, 0.1);
  EXPECT_LT(far, 1);
  EXPECT_GT(far, near);
}

// outside its sources a magnetic field has neither divergence nor curl
TEST(local_magnetic, slopes_are_those_of_a_field_without_sources) {
  for (double latitude : {-70.0, 0.0, 52.0}) {
    const LocalMagnetic<double> m = local_magnetic(magnetic::wmm2025(), origin(latitude, 20), kYear);
    const double scale = math::norm(m.value) / 6.4e6;  // nT/m
    EXPECT_NEAR(m.slope.row0.x + m.slope.row1.y + m.slope.row2.z, 0, 1e-3 * scale);
    EXPECT_NEAR(m.slope.row0.y, m.slope.row1.x, 1e-3 * scale);
    EXPECT_NEAR(m.slope.row0.z, m.slope.row2.x, 1e-3 * scale);
    EXPECT_NEAR(m.slope.row1.z, m.slope.row2.y, 1e-3 * scale);
  }
}

TEST(local_magnetic, floats_agree_with_doubles) {
  const LocalMagnetic<double> m = local_magnetic(magnetic::wmm2025(), origin(52, 13), kYear);
  const LocalMagnetic<float> single = magnetic_as<float>(m);
  const Vec3<double> a = magnetic_at<double>(m, {12345, -6789, 1500});
  const Vec3<float> b = magnetic_at<float>(single, {12345, -6789, 1500});
  EXPECT_NEAR(a.x, b.x, 0.01);
  EXPECT_NEAR(a.y, b.y, 0.01);
  EXPECT_NEAR(a.z, b.z, 0.01);
}

}  // namespace
}  // namespace volary::environment
