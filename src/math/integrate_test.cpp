// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/integrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vehicles/multirotor_step.hpp"
#include "vehicles/multirotor_test_support.hpp"

namespace volary {
namespace {

using math::Quat;
using math::Vec3;
using vehicles::Motion;
using vehicles::RigidBody;

// the slope of log error over log step between neighbours of a row of halved steps
std::vector<double> orders(const std::vector<double>& errors) {
  std::vector<double> out;
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) out.push_back(std::log2(errors[k] / errors[k + 1]));
  return out;
}

// how far two bodies are apart, in everything
double gap(const Motion<double>& a, const Motion<double>& b) {
  const Vec3<double> d = a.displacement_W - b.displacement_W, v = a.velocity_W - b.velocity_W, w = a.omega_B - b.omega_B;
  const Quat<double>&p = a.q_WB, &q = b.q_WB;
  return math::norm(d) + math::norm(v) + math::norm(w) + std::abs(p.w - q.w) + std::abs(p.x - q.x) + std::abs(p.y - q.y) + std::abs(p.z - q.z);
}

// a free body with three different moments that falls through thick air while it tumbles
struct Tumble {
  Motion<double> operator()(int, const Motion<double>& x) const {
    const Vec3<double>& w = x.omega_B;
    const Vec3<double> spin_up = {(2.0 - 3.0) / 1.0 * w.y * w.z, (3.0 - 1.0) / 2.0 * w.z * w.x, (1.0 - 2.0) / 3.0 * w.x * w.y};
    const Vec3<double> drag = math::rotation_matrix(x.q_WB) * (Vec3<double>{-0.5, -1, -2} * math::transpose_times(math::rotation_matrix(x.q_WB), x.velocity_W));
    return {x.velocity_W, drag + Vec3<double>{0, 0, -9.81}, math::quat_rate(x.q_WB, w), spin_up};
  }
};
const Motion<double> kThrown = {{0, 0, 0}, {3, -1, 2}, {1, 0, 0, 0}, {2, 0.3, -1.5}};

template <bool Rk4> Motion<double> tumbled(int steps) {
  Motion<double> x = kThrown;
  const math::StepSize<double> h = math::step_size<double>(1.0 / steps);
  for (int k = 0; k < steps; ++k) x = Rk4 ? math::rk4(x, h, Tumble{}) : math::semi_implicit_euler(x, h, Tumble{});
  return x;
}

TEST(integrate, runge_kutta_is_of_fourth_order_on_a_tumbling_body) {
  const Motion<double> exact = tumbled<true>(20000);
  std::vector<double> errors;
  for (int n : {20, 40, 80, 160, 320}) errors.push_back(gap(tumbled<true>(n), exact));
  for (double order : orders(errors)) EXPECT_NEAR(order, 4, 0.15);
  EXPECT_LT(errors.back(), 1e-8);
}

TEST(integrate, semi_implicit_euler_is_of_first_order_on_a_tumbling_body) {
  const Motion<double> exact = tumbled<true>(20000);
  std::vector<double> errors;
  for (int n : {200, 400, 800, 1600, 3200}) errors.push_back(gap(tumbled<false>(n), exact));
  for (double order : orders(errors)) EXPECT_NEAR(order, 1, 0.05);
}

// a swing without friction: the first-order method that keeps energy for ever, against the one that does not
struct Swing {
  double x, v;
};
Swing kick(double h, const Swing& rate, const Swing& s) { return {s.x, s.v + h * rate.v}; }
Swing drift(double h, const Swing& s) { return {s.x + h * s.v, s.v}; }

TEST(integrate, semi_implicit_euler_keeps_the_energy_of_a_swing_within_its_step) {
  Swing s = {1, 0};
  const math::StepSize<double> h = math::step_size<double>(0.01);
  double least = 1e9, most = 0;
  for (int k = 0; k < 1'000'000; ++k) {  // 1,600 periods
    s = math::semi_implicit_euler(s, h, [](int, const Swing& y) { return Swing{y.v, -y.x}; });
    const double energy = 0.5 * (s.x * s.x + s.v * s.v);
    least = std::min(least, energy), most = std::max(most, energy);
  }
  EXPECT_NEAR(least, 0.5, 0.003);
  EXPECT_NEAR(most, 0.5, 0.003);
  EXPECT_GT(most - least, 0.001);
}

// ---------------------------------------------------------------- the whole multirotor

using Full4 = vehicles::Variant<4, vehicles::Features::Full>;

// A multirotor with everything on: rotors changing speed, wind, drag, gyroscopics. At omega_scale 1 no air
// speed changes its sign on the way: drag and thrust loss have a kink there that no method of any order sees.
template <class T> RigidBody<T> flown(double seconds, double h, const std::array<double, 3>& from, double omega_scale = 1, bool euler = false) {
  const auto p = test::params<T, 4>(test::x500(), test::no_ground(), h);
  RigidBody<T> b = test::body_at<T>(from[0], from[1], from[2]);
  b.velocity_W = {T(6), T(-6), T(8)};
  b.omega_B = {static_cast<T>(omega_scale), static_cast<T>(-0.8 * omega_scale), static_cast<T>(0.6 * omega_scale)};
  vehicles::Rotors<T, 4> r = test::all_at<T, 4>(400);
  const vehicles::Rotors<T, 4> command = {{T(700), T(720), T(690), T(705)}};
  auto e = test::still_air<T>();
  e.wind_W = {T(-5), T(5), T(-2)};
  for (int k = 0, n = static_cast<int>(std::lround(seconds / h)); k < n; ++k) vehicles::substep_full<Full4>(b, r, command, e, p, euler);
  return b;
}
template <class T> double gap(const RigidBody<T>& a, const RigidBody<double>& b) {
  const double dx = a.velocity_W.x - b.velocity_W.x, dy = a.velocity_W.y - b.velocity_W.y, dz = a.velocity_W.z - b.velocity_W.z;
  const double dv = std::sqrt(dx * dx + dy * dy + dz * dz);
  return test::distance(test::where(a), test::where(b)) + dv + std::abs(a.q_WB.w - b.q_WB.w) + std::abs(a.q_WB.x - b.q_WB.x) + std::abs(a.q_WB.y - b.q_WB.y) +
         std::abs(a.q_WB.z - b.q_WB.z);
}

TEST(integrate, a_step_of_the_whole_multirotor_is_of_fourth_order) {
  const RigidBody<double> exact = flown<double>(0.32, 0.00005, {0, 0, 0});
  std::vector<double> errors;
  for (double h : {0.02, 0.01, 0.005, 0.0025}) errors.push_back(gap(flown<double>(0.32, h, {0, 0, 0}), exact));
  for (double order : orders(errors)) EXPECT_NEAR(order, 4, 0.3);
  EXPECT_LT(errors.back(), 1e-7);
}

TEST(integrate, a_semi_implicit_euler_step_of_the_whole_multirotor_is_of_first_order) {
  const RigidBody<double> exact = flown<double>(0.32, 0.00005, {0, 0, 0});
  std::vector<double> errors;
  for (double h : {0.005, 0.0025, 0.00125, 0.000625}) errors.push_back(gap(flown<double>(0.32, h, {0, 0, 0}, 1, true), exact));
  for (double order : orders(errors)) EXPECT_NEAR(order, 1, 0.1);
}

// A very fast tumble (110 rad/s), so that the error of the method stands above the rounding of velocities. Without the
// remainder a position would have steps of 2 mm out there, and more steps would make it worse.
TEST(integrate, in_float_20_km_from_the_origin_the_error_falls_when_the_step_shrinks) {
  const std::array<double, 3> far = {20000, -20000, 3000};
  const RigidBody<double> exact = flown<double>(1, 0.00005, far, 80);
  double previous = 1e9;
  for (double h : {0.01, 0.005, 0.0025, 0.00125}) {
    const double error = test::distance(test::where(flown<float>(1, h, far, 80)), test::where(exact));
    EXPECT_LT(error, previous) << h;
    previous = error;
  }
  EXPECT_LT(previous, 5e-5);
}

TEST(integrate, in_float_a_second_of_flight_is_as_exact_20_km_out_as_at_the_origin) {
  const double near = test::distance(test::where(flown<float>(1, 0.0025, {0, 0, 0})), test::where(flown<double>(1, 0.0025, {0, 0, 0})));
  const double far = test::distance(test::where(flown<float>(1, 0.0025, {20000, -20000, 3000})), test::where(flown<double>(1, 0.0025, {20000, -20000, 3000})));
  EXPECT_LT(near, 2e-5);
  EXPECT_NEAR(far, near, 1e-8);
}

}  // namespace
}  // namespace volary
