// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/vec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace volary {
namespace {

using math::Mat3;
using math::Position;
using math::Quat;
using math::Vec3;

template <class T> Quat<T> random_quat(std::mt19937& g) {
  std::normal_distribution<double> n;
  return math::normalize(Quat<T>{static_cast<T>(n(g)), static_cast<T>(n(g)), static_cast<T>(n(g)), static_cast<T>(n(g))});
}
// distance between two attitudes: q and -q are one
template <class T> double gap(const Quat<T>& a, const Quat<T>& b) {
  const double s = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
  return std::sqrt(std::pow(a.w - s * b.w, 2) + std::pow(a.x - s * b.x, 2) + std::pow(a.y - s * b.y, 2) + std::pow(a.z - s * b.z, 2));
}
template <class T> double gap(const Vec3<T>& a, const Vec3<T>& b) {
  return std::sqrt(std::pow(a.x - b.x, 2) + std::pow(a.y - b.y, 2) + std::pow(a.z - b.z, 2));
}

template <class T> void expect_round_trips(double tolerance) {
  std::mt19937 g(1);
  for (int k = 0; k < 20000; ++k) {
    const Quat<T> q = random_quat<T>(g);
    ASSERT_LT(gap(math::quat_from_matrix(math::rotation_matrix(q)), q), tolerance) << k;
  }
}
TEST(vec, attitude_survives_the_way_through_a_matrix_and_back) {
  expect_round_trips<double>(2e-15);
  expect_round_trips<float>(1e-6);
}

// where each of the four components in turn is the largest and the others vanish, and halfway between
TEST(vec, half_turns_survive_the_way_through_a_matrix_and_back) {
  const double h = std::sqrt(0.5);
  for (const Quat<double>& q : {Quat<double>{0, 1, 0, 0},
                                {0, 0, 1, 0},
                                {0, 0, 0, 1},
                                {1, 0, 0, 0},
                                {0, h, h, 0},
                                {0, h, 0, h},
                                {0, 0, h, h},
                                {h, h, 0, 0},
                                {h, 0, -h, 0},
                                {h, 0, 0, -h},
                                {0.5, 0.5, 0.5, 0.5},
                                {1e-9, 1, 0, 0}})
    EXPECT_LT(gap(math::quat_from_matrix(math::rotation_matrix(q)), math::normalize(q)), 1e-15 * 4) << q.w << " " << q.x << " " << q.y << " " << q.z;
}

TEST(vec, a_quarter_turn_about_z_takes_forward_to_left) {
  const double h = std::sqrt(0.5);
  const Vec3<double> left = math::rotation_matrix(Quat<double>{h, 0, 0, h}) * Vec3<double>{1, 0, 0};
  EXPECT_LT(gap(left, {0, 1, 0}), 1e-15);
  const Vec3<double> down = math::rotation_matrix(Quat<double>{h, 0, h, 0}) * Vec3<double>{1, 0, 0};  // nose down about +y
  EXPECT_LT(gap(down, {0, 0, -1}), 1e-15);
}

TEST(vec, product_of_quaternions_is_product_of_rotations) {
  std::mt19937 g(2);
  for (int k = 0; k < 1000; ++k) {
    const Quat<double> a = random_quat<double>(g), b = random_quat<double>(g);
    const Vec3<double> v = {1.5, -2, 0.25};
    EXPECT_LT(gap(math::rotation_matrix(a * b) * v, math::rotation_matrix(a) * (math::rotation_matrix(b) * v)), 1e-14);
    EXPECT_LT(gap(math::rotation_matrix(math::conjugate(a)) * v, math::transpose_times(math::rotation_matrix(a), v)), 1e-14);
    EXPECT_LT(gap(math::body_z_W(a), math::column_z(math::rotation_matrix(a))), 1e-15 * 4);
  }
}

// d/dt (R v) = R (omega x v): the rate of the quaternion belongs to rates in the body frame
TEST(vec, quaternion_rate_turns_the_body_with_its_own_angular_velocity) {
  std::mt19937 g(3);
  const Vec3<double> omega = {0.3, -1.2, 2.1}, v = {0.7, 0.2, -0.4};
  const double h = 1e-6;
  for (int k = 0; k < 100; ++k) {
    const Quat<double> q = random_quat<double>(g), d = math::quat_rate(q, omega);
    const Quat<double> ahead = {q.w + h * d.w, q.x + h * d.x, q.y + h * d.y, q.z + h * d.z};
    const Quat<double> behind = {q.w - h * d.w, q.x - h * d.x, q.y - h * d.y, q.z - h * d.z};
    const Vec3<double> slope = (1 / (2 * h)) * (math::rotation_matrix(ahead) * v - math::rotation_matrix(behind) * v);
    EXPECT_LT(gap(slope, math::rotation_matrix(q) * math::cross(omega, v)), 1e-8);
  }
}

TEST(vec, two_sum_loses_nothing) {
  std::mt19937 g(4);
  std::uniform_real_distribution<float> significand(-2, 2);
  std::uniform_int_distribution<int> exponent(-20, 20);
  for (int k = 0; k < 100000; ++k) {
    const float a = std::ldexp(significand(g), exponent(g) / 2), b = std::ldexp(significand(g), exponent(g) / 2);
    float hi, lo;
    math::two_sum(a, b, hi, lo);
    ASSERT_EQ(static_cast<double>(a) + b, static_cast<double>(hi) + lo);  // exponents this close: a double holds the sum
    ASSERT_EQ(hi, a + b);
    if (std::abs(a) >= std::abs(b)) {
      float fast_hi, fast_lo;
      math::fast_two_sum(a, b, fast_hi, fast_lo);
      ASSERT_EQ(fast_hi, hi);
      ASSERT_EQ(fast_lo, lo);
    }
  }
}

TEST(vec, limited_vector_keeps_its_direction) {
  const Vec3<double> v = {3, -4, 12};  // length 13
  EXPECT_NEAR(math::norm(math::limit_norm(v, 6.5)), 6.5, 1e-15 * 8);
  EXPECT_LT(gap(math::limit_norm(v, 6.5), {1.5, -2, 6}), 1e-15 * 8);
  EXPECT_EQ(gap(math::limit_norm(v, 14.0), v), 0);
}

// ten minutes of flight at 100 Hz, 20 km from the origin, where a float alone has steps of 2 mm
TEST(vec, position_in_float_keeps_micrometres_20_km_from_the_origin) {
  Position<float> p = {{20000.f, -20000.f, 100.f}, {0, 0, 0}};
  double x = 20000, y = -20000, z = 100;
  float plain = 20000.f;
  for (int k = 0; k < 60000; ++k) {
    const Vec3<float> d = {1.37e-4f, -2.9e-5f, 1e-6f * static_cast<float>(k % 7 - 3)};
    p = math::advance(p, d);
    x += d.x, y += d.y, z += d.z, plain += d.x;
  }
  EXPECT_NEAR(static_cast<double>(p.value.x) + p.remainder.x, x, 1e-6);
  EXPECT_NEAR(static_cast<double>(p.value.y) + p.remainder.y, y, 1e-6);
  EXPECT_NEAR(static_cast<double>(p.value.z) + p.remainder.z, z, 1e-6);
  EXPECT_GT(std::abs(plain - x), 1);  // what the remainder is for: a float alone did not move at all
  EXPECT_LE(std::abs(p.remainder.x), 0.001f);  // half a step of the value
}

TEST(vec, difference_of_two_far_positions_keeps_their_remainders) {
  const Position<float> a = {{20000.f, 0, 0}, {0.0004f, 0, 0}}, b = {{19999.f, 0, 0}, {-0.0003f, 0, 0}};
  EXPECT_NEAR((a - b).x, 1.0007, 2e-7);
  const Position<float> c = {{20000.f, 0, 0}, {0.0004f - 0.0003f, 0, 0}};
  EXPECT_NEAR((a - c).x, 0.0003, 1e-10);
}

}  // namespace
}  // namespace volary
