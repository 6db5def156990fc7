// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "sensors/vibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sensors/sensors_test_support.hpp"

namespace volary {
namespace {

using namespace sensors_test;
using V = Vec3<double>;
constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kStep = 0.001;  // s

// the accelerometer's vertical vibration over time, with rotor speeds as a function of time
template <class Speeds> std::vector<double> shaken(const VibrationDef& def, int n, const Speeds& speeds, std::uint32_t id = 1) {
  const Someone who(id);
  const VibrationParams<double> p = vibration_params(def, kStep);
  double phase[4] = {0.1, 0.7, -2, 1.3}, resonance[2] = {0, 0};
  std::vector<double> out;
  for (int k = 0; k < n; ++k) {
    double w[4];
    speeds(k * kStep, w);
    const auto gains = vibration_gains<double, 4>(w, p);
    V gyro{0, 0, 0}, accelerometer{0, 0, 0};
    add_vibration<double, 4>(gains, phase, resonance, w, who.at(static_cast<std::uint64_t>(k)).normals(Purpose::Test, 0).n[0], p, gyro, accelerometer);
    out.push_back(accelerometer.z);
  }
  return out;
}
auto steady(double w) {
  return [w](double, double(&s)[4]) { s[0] = s[1] = s[2] = s[3] = w; };
}
auto only_first(double w) {
  return [w](double, double(&s)[4]) { s[0] = w, s[1] = s[2] = s[3] = 0; };
}

// the amplitude of the wave with an angular frequency, over whole periods where it matters (Goertzel)
double amplitude(const std::vector<double>& x, double w) {
  const double c = 2 * std::cos(w * kStep);
  double a = 0, b = 0;
  for (const double v : x) {
    const double next = v + c * a - b;
    b = a, a = next;
  }
  return 2 * std::sqrt(std::max(a * a + b * b - c * a * b, 0.0)) / static_cast<double>(x.size());
}
double deviation(const std::vector<double>& x) { return moments(x).deviation; }

VibrationDef plain() {
  VibrationDef d;
  d.reference_speed = 400;
  d.harmonics = {{1, {0, 0, 0}, {0, 0, 2}}, {2, {0, 0, 0}, {0, 0, 0.5}}};
  return d;
}

// a hovering quadrotor with two-bladed propellers: imbalance at the rotor speed, blade passing at twice that, and nothing in between
TEST(vibration, the_spectrum_of_a_hover_has_its_peaks_at_the_harmonics_of_the_rotor_speed) {
  const double bin = kTurn / 4.096, w = 196 * bin;  // 300.7 rad/s, on a bin of 4096 samples
  const std::vector<double> x = shaken(plain(), 4096, only_first(w));
  const double share = (w / 400) * (w / 400);
  EXPECT_NEAR(amplitude(x, w), 2 * share, 1e-3);
  EXPECT_NEAR(amplitude(x, 2 * w), 0.5 * share, 1e-3);
  int where = 0;
  double highest = 0;
  for (int k = 1; k < 2048; ++k)
    if (const double here = amplitude(x, k * bin); here > highest) highest = here, where = k;
  EXPECT_EQ(where, 196);
  for (const int k : {50, 150, 250, 300, 350, 450, 1000}) EXPECT_LT(amplitude(x, k * bin), 1e-3) << k;
}

TEST(vibration, each_rotor_has_a_line_of_its_own) {
  const double bin = kTurn / 4.096;
  const std::vector<double> x = shaken(plain(), 4096, [&](double, double(&s)[4]) { s[0] = 180 * bin, s[1] = 190 * bin, s[2] = 200 * bin, s[3] = 210 * bin; });
  for (const int k : {180, 190, 200, 210}) EXPECT_NEAR(amplitude(x, k * bin), 2 * std::pow(k * bin / 400, 2), 2e-3) << k;
  for (const int k : {185, 195, 205, 215}) EXPECT_LT(amplitude(x, k * bin), 2e-3) << k;
}

TEST(vibration, the_force_of_an_imbalance_grows_with_the_square_of_the_speed) {
  EXPECT_NEAR(deviation(shaken(plain(), 20000, only_first(400))) / deviation(shaken(plain(), 20000, only_first(200))), 4, 0.02);
}

// an oscillator with 5 % damping amplifies ten times at its own frequency, by 4/3 at half of it, and is at rest far above it
TEST(vibration, the_frame_amplifies_its_own_frequency) {
  VibrationDef d = plain();
  d.harmonics = {{1, {0, 0, 0}, {0, 0, 1}}};
  d.resonance = 400 / kTurn, d.damping = 0.05;
  const auto gain_db = [&](double w) { return 20 * std::log10(amplitude(shaken(d, 10000, only_first(w)), w) / std::pow(w / 400, 2)); };
  EXPECT_NEAR(gain_db(400), 20, 1);
  EXPECT_NEAR(gain_db(200), 20 * std::log10(4.0 / 3.0), 1);
  EXPECT_NEAR(gain_db(1200), 20 * std::log10(1.0 / 8.0), 1);
}

// sin(2 pi f t) would jump by f' t; an integrated phase never does
TEST(vibration, the_phase_goes_on_when_the_speed_changes) {
  VibrationDef d = plain();
  d.harmonics = {{1, {0, 0, 0}, {0, 0, 1}}};
  const auto speeds = [](double t, double(&s)[4]) { s[0] = t < 5 ? 60 : 66, s[1] = s[2] = s[3] = 0; };
  const std::vector<double> x = shaken(d, 10000, speeds);
  const auto scaled = [&](std::size_t k) { return x[k] / std::pow((k * kStep < 5 ? 60.0 : 66.0) / 400, 2); };
  for (std::size_t k = 4990; k < 5010; ++k) EXPECT_LE(std::abs(scaled(k + 1) - scaled(k)), 66 * kStep + 1e-9) << k;
}

TEST(vibration, broadband_vibration_has_its_standard_deviation_and_lies_around_the_resonance) {
  VibrationDef d;
  d.reference_speed = 400, d.resonance = 80, d.damping = 0.1, d.broadband_accelerometer_B = {0, 0, 3};
  const std::vector<double> x = shaken(d, 100000, steady(400));
  EXPECT_NEAR(deviation(x), 3, 0.12);
  // power within a third around the resonance, against as wide a band at three times the frequency
  const auto power = [&](double from, double until) {
    double sum = 0;
    for (double f = from; f < until; f += 1) sum += std::pow(amplitude({x.begin(), x.begin() + 20000}, kTurn * f), 2);
    return sum;
  };
  EXPECT_GT(power(65, 95), 50 * power(225, 255));
}

TEST(vibration, broadband_vibration_without_a_resonance_is_white) {
  VibrationDef d;
  d.reference_speed = 400, d.broadband_accelerometer_B = {0, 0, 1};
  const std::vector<double> x = shaken(d, 40000, steady(400));
  double neighbours = 0;
  for (std::size_t k = 1; k < x.size(); ++k) neighbours += x[k] * x[k - 1];
  EXPECT_NEAR(deviation(x), 1, 0.02);
  EXPECT_NEAR(neighbours / static_cast<double>(x.size()), 0, 5 / std::sqrt(4e4));
}

TEST(vibration, rotors_at_rest_shake_nothing) {
  VibrationDef d = plain();
  d.broadband_accelerometer_B = {0, 0, 1};
  EXPECT_EQ(deviation(shaken(d, 1000, steady(0))), 0);
  d = plain();
  d.reference_speed = 0;  // switched off
  EXPECT_EQ(deviation(shaken(d, 1000, steady(400))), 0);
}

// 700 Hz sampled at 1 kHz looks like 300 Hz
TEST(vibration, what_is_faster_than_half_the_sampling_rate_aliases) {
  VibrationDef d = plain();
  d.harmonics = {{1, {0, 0, 0}, {0, 0, 1}}};
  const std::vector<double> x = shaken(d, 10000, only_first(kTurn * 700));
  EXPECT_NEAR(amplitude(x, kTurn * 300) / std::pow(kTurn * 700 / 400, 2), 1, 1e-3);
}

}  // namespace
}  // namespace volary
