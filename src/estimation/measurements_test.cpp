// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every Jacobian against differences: a sensor measures a state that is off the estimate by a little in one direction, and the innovation is the slope
// times that.
#include "estimation/measurements.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "estimation/flight_test_support.hpp"

namespace volary {
namespace {

using namespace estimation;

// flying level enough to see the ground, and moving
Nominal<double> some_state(std::uint64_t seed) {
  test::Normals draw(seed);
  Nominal<double> x;
  x.q_WB = turn_of(Vec3<double>{0, 0, draw.next()}) * turn_of(draw.vec(0.2));
  x.velocity_W = draw.vec(8), x.position_W = {draw.vec(20) + Vec3<double>{0, 0, 60}, {1e-9, 0, 0}};
  x.gyro_bias = draw.vec(0.01), x.accel_bias = draw.vec(0.1);
  x.wind[0] = 3 * draw.next(), x.wind[1] = 3 * draw.next();
  return x;
}
Vec3<double> where(const Nominal<double>& x) { return x.position_W.value + x.position_W.remainder; }
Vec3<double> in_body(const Nominal<double>& x, const Vec3<double>& v_W) { return math::transpose_times(math::rotation_matrix(x.q_WB), v_W); }

// what a sensor measures in a state, and the line that the filter makes of a measurement in its own state
using Measure = std::function<Line<double>(const Nominal<double>& estimate, const Nominal<double>& truth)>;

void expect_slopes(const char* name, const Measure& measure, double tolerance = 1e-6) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Nominal<double> x = some_state(seed);
    const Line<double> line = measure(x, x);
    EXPECT_NEAR(line.innovation, 0, 1e-9) << name << ": a true estimate leaves no innovation";
    double expected[17] = {};
    for (int k = 0; k < line.slope.n; ++k) expected[line.slope.at[k]] += line.slope.value[k];
    for (int state = 0; state < 17; ++state) {
      constexpr double kBy = 1e-5;
      const auto off = [&](double by) {
        double dx[17] = {};
        dx[state] = by;
        Nominal<double> truth = x;
        inject<double, 17>(truth, dx);
        return measure(x, truth).innovation;
      };
      ASSERT_NEAR(expected[state], (off(kBy) - off(-kBy)) / (2 * kBy), tolerance) << name << ": state " << state << ", seed " << seed;
    }
  }
}

TEST(Measurements, APositionIsThePositionOnEveryAxis) {
  for (int axis = 0; axis < 3; ++axis) expect_slopes("position", [axis](const auto& x, const auto& truth) { return position_line(x, axis, where(truth)); });
}
TEST(Measurements, AVelocityIsTheVelocityOnEveryAxis) {
  for (int axis = 0; axis < 3; ++axis) expect_slopes("velocity", [axis](const auto& x, const auto& truth) { return velocity_line(x, axis, truth.velocity_W); });
}
TEST(Measurements, AHeightIsTheThirdCoordinate) {
  expect_slopes("height", [](const auto& x, const auto& truth) { return height_line(x, where(truth).z); });
}
TEST(Measurements, AnAttitudeIsTheTurnFromTheEstimateToIt) {
  for (int axis = 0; axis < 3; ++axis) expect_slopes("attitude", [axis](const auto& x, const auto& truth) { return attitude_line(x, axis, truth.q_WB); });
}
TEST(Measurements, AHeadingFollowsYawAndTilt) {
  expect_slopes("heading", [](const auto& x, const auto& truth) { return heading_line(x, in_body(truth, test::kField), test::kField); }, 1e-5);
}
TEST(Measurements, AnAirspeedFollowsVelocityWindAndAttitude) {
  expect_slopes("airspeed", [](const auto& x, const auto& truth) { return airspeed_line(x, in_body(truth, air_velocity(truth)).x); }, 1e-5);
}
// the sideways airspeed is measured as zero; here it is what the truth has, so that the estimate fits
TEST(Measurements, ASideslipFollowsVelocityWindAndAttitude) {
  expect_slopes(
      "sideslip",
      [](const auto& x, const auto& truth) {
        Line<double> line = sideslip_line(x);
        line.innovation += in_body(truth, air_velocity(truth)).y;
        return line;
      },
      1e-5);
}
TEST(Measurements, ADistanceToTheGroundFollowsHeightAndTilt) {
  const Vec3<double> direction{0.1, -0.2, math::sqrt(1 - 0.05) * -1};
  const double ground = 1.5;
  expect_slopes(
      "distance",
      [&](const auto& x, const auto& truth) {
        const double cosine = -(math::rotation_matrix(truth.q_WB) * direction).z;
        return distance_line(x, direction, ground, (where(truth).z - ground) / cosine);
      },
      1e-4);
}
TEST(Measurements, AFlowFollowsVelocityHeightAndTilt) {
  for (int axis = 0; axis < 2; ++axis)
    expect_slopes("flow", [axis](const auto& x, const auto& truth) {
      const double distance = (where(truth).z - 1.5) / math::body_z_W(truth.q_WB).z;
      return flow_line(x, axis, 1.5, axis_of(in_body(truth, truth.velocity_W), axis) / distance);
    });
}
TEST(Measurements, ARangeFollowsThePositionAlongItsDirection) {
  const Vec3<double> anchor{-8.17, -4.35, 1.38};
  expect_slopes("range", [&](const auto& x, const auto& truth) { return range_line(x, anchor, math::norm(where(truth) - anchor)); });
}
TEST(Measurements, ABodyVelocityFollowsVelocityAndAttitude) {
  for (int axis = 0; axis < 3; ++axis)
    expect_slopes("odometry", [axis](const auto& x, const auto& truth) { return body_velocity_line(x, axis, in_body(truth, truth.velocity_W)); }, 1e-5);
}

// far from the origin a float keeps what the remainder holds
TEST(Measurements, AnInnovationKeepsMillimetresFarFromTheOrigin) {
  Nominal<float> x{math::identity_quat<float>(), {0, 0, 0}, {{20000, 0, 0}, {0.0007f, 0, 0}}, {0, 0, 0}, {0, 0, 0}, {0, 0}};
  EXPECT_FLOAT_EQ(position_line(x, 0, Vec3<float>{20000, 0, 0}).innovation, -0.0007f);
  EXPECT_NEAR(range_line(x, Vec3<float>{19990, 0, 0}, 10.0f).innovation, -0.0007f, 1e-6);
}

TEST(Measurements, AnUprightFieldGivesAFiniteSlope) {
  const Nominal<double> x = some_state(1);
  const Line<double> line = heading_line(x, in_body(x, Vec3<double>{0, 0, -5e-5}), Vec3<double>{0, 0, -5e-5});
  for (int k = 0; k < line.slope.n; ++k) EXPECT_LT(math::abs(line.slope.value[k]), 100);
  const Line<double> none = heading_line(x, Vec3<double>{0, 0, 0}, test::kField);
  for (int k = 0; k < none.slope.n; ++k) EXPECT_LT(math::abs(none.slope.value[k]), 100);
}

TEST(Measurements, AnAnchorAtTheVehicleGivesAFiniteSlope) {
  const Nominal<double> x = some_state(1);
  const Line<double> line = range_line(x, where(x), 0.2);
  for (int k = 0; k < 3; ++k) EXPECT_LE(math::abs(line.slope.value[k]), 1);
}

}  // namespace
}  // namespace volary
