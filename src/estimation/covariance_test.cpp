// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "estimation/covariance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "estimation/flight_test_support.hpp"

namespace volary {
namespace {

using namespace estimation;

constexpr double kDt = 0.01, kG = 9.81;

template <int N> using Matrix = std::array<std::array<double, N>, N>;
template <int N> Matrix<N> times(const Matrix<N>& a, const Matrix<N>& b, bool transposed = false) {
  Matrix<N> out{};
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j)
      for (std::size_t k = 0; k < N; ++k) out[i][j] += a[i][k] * (transposed ? b[j][k] : b[k][j]);
  return out;
}

// a state and increments of a lively flight
struct Step {
  Nominal<double> x;
  Vec3<double> delta_angle, delta_velocity;
};
Step some_step(std::uint64_t seed) {
  test::Normals draw(seed);
  Step s;
  s.x.q_WB = math::normalize(math::Quat<double>{draw.next(), draw.next(), draw.next(), draw.next()});
  s.x.velocity_W = draw.vec(10), s.x.position_W = {draw.vec(100), {0, 0, 0}};
  s.x.gyro_bias = draw.vec(0.02), s.x.accel_bias = draw.vec(0.3);
  s.x.wind[0] = draw.next(), s.x.wind[1] = draw.next();
  s.delta_angle = draw.vec(2 * kDt), s.delta_velocity = draw.vec(15 * kDt);
  return s;
}
Nominal<double> moved(const Nominal<double>& x, int state, double by) {
  double dx[17] = {};
  dx[state] = by;
  Nominal<double> out = x;
  inject<double, 17>(out, dx);
  return out;
}

// the transition by differences: how the errors after a step follow from those before
Matrix<17> transition_by_differences(const Step& s) {
  Matrix<17> out{};
  constexpr double kBy = 1e-5;
  for (int j = 0; j < 17; ++j) {
    Nominal<double> a = moved(s.x, j, kBy), b = moved(s.x, j, -kBy);
    propagate(a, s.delta_angle, s.delta_velocity, kDt, kG);
    propagate(b, s.delta_angle, s.delta_velocity, kDt, kG);
    const std::vector<double> error = error_of(a, b, 17);
    for (std::size_t i = 0; i < 17; ++i) out[i][static_cast<std::size_t>(j)] = error[i] / (2 * kBy);
  }
  return out;
}
// ... and as the covariance applies it, column by column of the identity
Matrix<17> transition_in_use(const Step& s) {
  Nominal<double> x = s.x;
  const Transition<double> f = propagate(x, s.delta_angle, s.delta_velocity, kDt, kG);
  Matrix<17> out{};
  for (std::size_t j = 0; j < 17; ++j) {
    double e[17] = {};
    e[j] = 1;
    const auto at = [&](int k) { return Vec3<double>{e[k], e[k + 1], e[k + 2]}; };
    const Vec3<double> angle = next_attitude(f, at(kAttitude), at(kGyroBias));
    const Vec3<double> speed = next_velocity(f, at(kVelocity), at(kAttitude), angle, at(kAccelBias));
    const Vec3<double> place = next_position(f, at(kPosition), at(kVelocity), speed);
    const Vec3<double> parts[3] = {angle, speed, place};
    for (std::size_t k = 0; k < 3; ++k) out[3 * k][j] = parts[k].x, out[3 * k + 1][j] = parts[k].y, out[3 * k + 2][j] = parts[k].z;
    for (std::size_t k = 9; k < 17; ++k) out[k][j] = e[k];
  }
  return out;
}

// exact but for the bias of the gyroscope, where terms of third order in the length of a tick are left out
TEST(Covariance, EveryBlockOfTheTransitionIsTheDerivativeOfTheStep) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Step s = some_step(seed);
    const Matrix<17> measured = transition_by_differences(s), used = transition_in_use(s);
    for (std::size_t i = 0; i < 17; ++i)
      for (std::size_t j = 0; j < 17; ++j) {
        const bool by_gyro_bias = j >= kGyroBias && j < kAccelBias && i < kGyroBias;
        const double tolerance = !by_gyro_bias ? 1e-8 : i < kVelocity ? 5e-6 : i < kPosition ? 1e-4 : 1e-6;
        ASSERT_NEAR(used[i][j], measured[i][j], tolerance) << seed << ": row " << i << ", column " << j;
      }
  }
}

// a covariance with all elements, positive definite, of the sizes that a filter has
template <class T, int N> void fill(std::vector<T>& rows, std::uint64_t seed) {
  test::Normals draw(seed);
  const double size[17] = {0.01, 0.01, 0.03, 0.3, 0.3, 0.3, 1, 1, 1, 0.01, 0.01, 0.01, 0.1, 0.1, 0.1, 2, 2};
  Matrix<N> root{};
  for (auto& r : root)
    for (double& x : r) x = draw.next();
  const Matrix<N> square = times<N>(root, root, true);
  for (int i = 0; i < N; ++i)
    for (int j = i; j < N; ++j)
      rows[static_cast<std::size_t>(packed<N>(i, j) * kBlock)] =
          static_cast<T>(square[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] * size[i] * size[j]);
}
template <class T, int N> Matrix<N> dense(const std::vector<T>& rows) {
  Matrix<N> out{};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) out[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = rows[static_cast<std::size_t>(packed<N>(i, j) * kBlock)];
  return out;
}

constexpr ProcessNoise<double> kNoise{1e-6, 2e-6, 3e-8, 4e-6, 5e-4};

template <class T, int N> void expect_dense_prediction(double relative) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::vector<T> rows(kPacked<N> * kBlock);
    fill<T, N>(rows, seed);
    const Step s = some_step(seed);
    const Matrix<17> wide = transition_in_use(s);
    Matrix<N> F{};
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < N; ++j) F[i][j] = wide[i][j];
    Matrix<N> expected = times<N>(times<N>(F, dense<T, N>(rows)), F, true);
    const double added[17] = {1e-6, 1e-6, 1e-6, 2e-6, 2e-6, 2e-6, 0, 0, 0, 3e-8, 3e-8, 3e-8, 4e-6, 4e-6, 4e-6, 5e-4, 5e-4};
    for (std::size_t i = 0; i < N; ++i) expected[i][i] += added[i];

    Nominal<double> x = s.x;
    const Transition<double> f = propagate(x, s.delta_angle, s.delta_velocity, kDt, kG);
    const auto as = [](const Vec3<double>& v) { return Vec3<T>{static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)}; };
    const Transition<T> g{{as(f.turn.row0), as(f.turn.row1), as(f.turn.row2)}, as(f.half_push), static_cast<T>(f.half_dt)};
    predict(Covariance<T, N>{rows.data()}, g,
            ProcessNoise<T>{static_cast<T>(kNoise.angle), static_cast<T>(kNoise.velocity), static_cast<T>(kNoise.gyro_bias), static_cast<T>(kNoise.accel_bias),
                            static_cast<T>(kNoise.wind)});
    const Matrix<N> found = dense<T, N>(rows);
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < N; ++j)
        ASSERT_NEAR(found[i][j], expected[i][j], relative * std::sqrt(expected[i][i] * expected[j][j])) << "row " << i << ", column " << j;
  }
}
TEST(Covariance, ThePredictionIsTheDenseProductWithinRounding) {
  expect_dense_prediction<double, 15>(1e-14);
  expect_dense_prediction<double, 17>(1e-14);
  expect_dense_prediction<float, 15>(3e-6);
  expect_dense_prediction<float, 17>(3e-6);
}

// ---------------------------------------------------------------- measurements

Slope<double> some_slope(std::uint64_t seed, int n) {
  test::Normals draw(seed);
  Slope<double> h{n, {}, {}};
  for (int k = 0; k < n; ++k) h.at[k] = (2 * k + static_cast<int>(seed)) % 15, h.value[k] = draw.next();
  return h;
}

TEST(Covariance, AScalarMeasurementIsTheTextbookUpdate) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<double> rows(kPacked<15> * kBlock);
    fill<double, 15>(rows, seed);
    const Matrix<15> before = dense<double, 15>(rows);
    const Slope<double> h = some_slope(seed, 5);
    double dx[15] = {}, hP[15] = {}, total = 0.3, nis;
    for (std::size_t j = 0; j < 15; ++j)
      for (int k = 0; k < h.n; ++k) hP[j] += h.value[k] * before[static_cast<std::size_t>(h.at[k])][j];
    for (int k = 0; k < h.n; ++k) total += h.value[k] * hP[h.at[k]];
    EXPECT_TRUE(fuse(Covariance<double, 15>{rows.data()}, dx, h, 0.7, 0.3, 5.0, true, nis));
    EXPECT_NEAR(nis, 0.7 * 0.7 / total, 1e-12);
    const Matrix<15> after = dense<double, 15>(rows);
    for (std::size_t i = 0; i < 15; ++i) {
      EXPECT_NEAR(dx[i], hP[i] / total * 0.7, 1e-12);
      for (std::size_t j = 0; j < 15; ++j)
        ASSERT_NEAR(after[i][j], before[i][j] - hP[i] * hP[j] / total, 1e-12 * std::sqrt(before[i][i] * before[j][j])) << i << " " << j;
    }
  }
}

TEST(Covariance, TheOrderOfMeasurementsDoesNotMatter) {
  std::vector<double> rows[2];
  double dx[2][15] = {}, nis[2][2];
  const Slope<double> h[2] = {some_slope(3, 4), some_slope(4, 3)};
  const double y[2] = {0.4, -0.9};
  for (int order = 0; order < 2; ++order) {
    rows[order].resize(kPacked<15> * kBlock);
    fill<double, 15>(rows[order], 7);
    for (int k = 0; k < 2; ++k) {
      const int m = order == 0 ? k : 1 - k;
      fuse(Covariance<double, 15>{rows[order].data()}, dx[order], h[m], y[m], 0.2, 50.0, true, nis[order][m]);
    }
  }
  for (int i = 0; i < 15; ++i) EXPECT_NEAR(dx[0][i], dx[1][i], 1e-11);
  for (std::size_t k = 0; k < rows[0].size(); ++k) ASSERT_NEAR(rows[0][k], rows[1][k], 1e-12);
  EXPECT_NEAR(nis[0][0] + nis[0][1], nis[1][0] + nis[1][1], 1e-11);  // what the reading says as a whole
}

TEST(Covariance, ARefusedOrAbsentMeasurementLeavesEveryBit) {
  std::vector<float> rows(kPacked<15> * kBlock);
  fill<float, 15>(rows, 2);
  rows[kBlock] = -0.0f;  // also the sign of a zero
  const std::vector<float> before = rows;
  float dx[15] = {}, nis;
  const Slope<float> h{1, {0}, {1}};
  EXPECT_FALSE(fuse(Covariance<float, 15>{rows.data()}, dx, h, 100.0f, 0.01f, 5.0f, true, nis));
  EXPECT_GT(nis, 25);
  EXPECT_FALSE(fuse(Covariance<float, 15>{rows.data()}, dx, h, 0.0f, 0.01f, 5.0f, false, nis));
  EXPECT_EQ(nis, 0);
  EXPECT_EQ(std::memcmp(rows.data(), before.data(), rows.size() * sizeof(float)), 0);
  for (const float d : dx) EXPECT_EQ(d, 0);
}

TEST(Covariance, AForgottenStateIsIndependentOfAllOthers) {
  std::vector<double> rows(kPacked<15> * kBlock);
  fill<double, 15>(rows, 2);
  const Matrix<15> before = dense<double, 15>(rows);
  double dx[15];
  for (double& d : dx) d = 1;
  forget(Covariance<double, 15>{rows.data()}, dx, kPosition, 3, 4.0, true);
  const Matrix<15> after = dense<double, 15>(rows);
  for (std::size_t i = 0; i < 15; ++i) {
    const bool forgotten = i >= 6 && i < 9;
    EXPECT_EQ(dx[i], forgotten ? 0 : 1);
    for (std::size_t j = 0; j < 15; ++j) EXPECT_EQ(after[i][j], forgotten || (j >= 6 && j < 9) ? (i == j ? 4 : 0) : before[i][j]);
  }
}

// 1,000 s at 100 Hz with everything that a multirotor carries. Double is held to positive definite; a float loses the last digits of correlations, so that what
// is added to its diagonal may be rounding.
template <class T> void expect_definite(double slack) {
  const test::SimulatedErrors e;
  const EkfParams<T> p = test::params_as<T>(test::params_of(e));
  test::OwnFilter<T, 15> own(p);
  test::SimulatedFlight flight(e, 11);
  own.begin(flight.truth, flight.draw);
  for (int k = 0; k < 100000; ++k) {
    flight.step();
    own.predict(test::vec_as<T>(flight.delta_angle), test::vec_as<T>(flight.delta_velocity));
    test::fuse_usual(own, flight, e);
    own.finish();
    ASSERT_EQ(own.f.health & kUnsound, 0u) << k;
    if (k % 1000 != 999) continue;
    std::vector<double> P = own.packed();
    for (int i = 0; i < 15; ++i) P[static_cast<std::size_t>(packed<15>(i, i))] *= 1 + slack;
    ASSERT_TRUE(is_positive_definite(P, 15)) << k;
  }
  EXPECT_LT(math::norm(flight.truth.position_W - test::nominal_as<double>(own.f.x).position_W), 3);
}
TEST(Covariance, StaysPositiveDefiniteForAHundredThousandStepsInDouble) { expect_definite<double>(0); }
TEST(Covariance, StaysPositiveDefiniteForAHundredThousandStepsInFloat) { expect_definite<float>(0); }

}  // namespace
}  // namespace volary
