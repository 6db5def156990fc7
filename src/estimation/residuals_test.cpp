// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "estimation/residuals.hpp"

#include <gtest/gtest.h>

#include "estimation/flight_test_support.hpp"

namespace volary {
namespace {

using namespace estimation;

constexpr int kRotors = 6;
constexpr double kWeight = 15, kArm = 0.3, kStep = 0.01;

// a hexacopter in hover: rotor i at an angle, every second one turning the other way
void hover_shares(Wrench<double> (&share)[kRotors]) {
  for (int i = 0; i < kRotors; ++i) {
    const double angle = 1.0471975511965976 * i, thrust = kWeight / kRotors;
    share[i] = {thrust, {kArm * math::sin(angle) * thrust, -kArm * math::cos(angle) * thrust, (i % 2 == 0 ? 0.016 : -0.016) * thrust}};
  }
}
Wrench<double> sum(const Wrench<double> (&share)[kRotors]) {
  Wrench<double> out = share[0];
  for (int i = 1; i < kRotors; ++i) out = out + share[i];
  return out;
}
ResidualParams<double> params() { return {1 - math::exp(-kStep / 0.1), kStep, 1 / kWeight, 1 / (kWeight * kArm), 0.1}; }

struct Watched {
  Residual<double> r = no_residual<double>();
  Wrench<double> share[kRotors];
  test::Normals draw{3};
  Watched() { hover_shares(share); }
  // the time in s until a rotor is reported, -1: none within 2 s
  double report(const Wrench<double>& disturbance, double noise) {
    for (int k = 1; k <= 200; ++k) {
      const Wrench<double> shake{noise * draw.next(), {kArm * noise * draw.next(), kArm * noise * draw.next(), 0.1 * kArm * noise * draw.next()}};
      if (watch_rotors(r, sum(share) + disturbance + shake, share, params())) return k * kStep;
    }
    return -1;
  }
};

TEST(Residuals, ALostRotorIsFoundWithinHalfASecondWhicheverItIs) {
  for (int lost = 0; lost < kRotors; ++lost) {
    Watched w;
    const double after = w.report(-1.0 * w.share[lost], 0.3);
    EXPECT_GT(after, 0.1) << lost;
    EXPECT_LT(after, 0.5) << lost;
    EXPECT_EQ(w.r.suspect, lost);
  }
}

TEST(Residuals, ARotorThatLosesAThirdIsNotReported) {
  Watched w;
  EXPECT_EQ(w.report(-0.33 * w.share[2], 0.1), -1);
}

TEST(Residuals, NoiseAndAGustAreNoLostRotor) {
  Watched noisy;
  EXPECT_EQ(noisy.report({0, {0, 0, 0}}, 1.0), -1);
  Watched gusty;  // pushes down on the whole vehicle
  EXPECT_EQ(gusty.report({-0.3 * kWeight, {0, 0, 0}}, 0.3), -1);
}

TEST(Residuals, AVehicleWhoseRotorsStandStillLosesNone) {
  Watched w;
  for (Wrench<double>& s : w.share) s = {0, {0, 0, 0}};
  EXPECT_EQ(w.report({kWeight, {0, 0, 0}}, 0), -1);  // it stands on the ground
}

TEST(Residuals, TheFeltWrenchIsThatOfEuler) {
  const Vec3<double> inertia{0.02, 0.03, 0.04}, omega{1, 2, 3}, rate{5, -4, 2};
  const Wrench<double> w = felt_wrench(1.5, inertia, 9.81, omega - (0.5 * kStep) * rate, omega + (0.5 * kStep) * rate, kStep);
  EXPECT_NEAR(w.thrust, 1.5 * 9.81, 1e-12);
  EXPECT_NEAR(w.torque_B.x, 0.02 * 5 + (0.04 - 0.03) * 2 * 3, 1e-12);
  EXPECT_NEAR(w.torque_B.y, 0.03 * -4 + (0.02 - 0.04) * 3 * 1, 1e-12);
  EXPECT_NEAR(w.torque_B.z, 0.04 * 2 + (0.03 - 0.02) * 1 * 2, 1e-12);
}

}  // namespace
}  // namespace volary
