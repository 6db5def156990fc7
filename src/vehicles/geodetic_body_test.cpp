// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/geodetic_body.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "math/euler.hpp"

namespace volary {
namespace {

using math::Vec3;
using vehicles::GeodeticBody;
using vehicles::GeodeticState;
using vehicles::Planet;

constexpr double kDegree = 0.017453292519943295;
const vehicles::BodyMass<double> kBrick = {2.0, {{2, 5, 6}, {0, 0, 0}, {0.5, 0.2, 1.0 / 6}, {0, 0, 0}}};

GeodeticBody<double> coast(const Planet& planet, GeodeticBody<double> x, double seconds, double h) {
  const int n = static_cast<int>(std::lround(seconds / h));
  for (int k = 0; k < n; ++k) {
    x = math::rk4(x, math::step_size<double>(h),
                  [&](int, const GeodeticBody<double>& y) { return vehicles::body_rate(planet, kBrick, y, {{0, 0, 0}, {0, 0, 0}}); });
    x.q_IB = math::normalize(x.q_IB);
  }
  return x;
}

// Kepler: the period of a circular orbit is 2 pi sqrt(r3 / GM)
TEST(geodetic_body, a_satellite_of_a_round_earth_comes_back_after_keplers_period) {
  Planet planet;
  planet.gravitation = vehicles::Gravitation::Round;
  const double r = 7e6, speed = std::sqrt(environment::kEarthGm / r), period = 2 * M_PI * r / speed;
  const GeodeticBody<double> start{{r, 0, 0}, {0, speed, 0}, math::identity_quat<double>(), {0, 0, 0}};
  const GeodeticBody<double> end = coast(planet, start, period, period / 6000);
  EXPECT_NEAR(end.position_I.x, r, 1e-2);
  EXPECT_NEAR(end.position_I.y, 0, 1e-2);
}

// the oblateness turns the orbit's plane: -3/2 J2 (a/r)^2 cos(i) n per second, seen as the change of the momentum's direction
TEST(geodetic_body, the_bulge_of_the_earth_turns_the_plane_of_an_orbit) {
  const Planet planet;
  const double r = 7e6, speed = std::sqrt(environment::kEarthGm / r), tilt = 60 * kDegree, n = speed / r, period = 2 * M_PI / n;
  const GeodeticBody<double> start{{r, 0, 0}, {0, speed * std::cos(tilt), speed * std::sin(tilt)}, math::identity_quat<double>(), {0, 0, 0}};
  const GeodeticBody<double> end = coast(planet, start, 10 * period, period / 2000);
  const Vec3<double> momentum = math::cross(end.position_I, end.velocity_I);
  const double node = std::atan2(momentum.x, -momentum.y);  // 0 at the start
  const double a_r = environment::kWgs84.equatorial_radius / r;
  EXPECT_NEAR(node, -1.5 * environment::kEarthJ2 * a_r * a_r * std::cos(tilt) * n * 10 * period, 2e-4);
}

TEST(geodetic_body, a_tumbling_body_keeps_its_energy_and_its_angular_momentum) {
  const Planet planet;
  const GeodeticBody<double> start{{7e6, 0, 0}, {0, 7000, 0}, math::identity_quat<double>(), {0.17, 0.35, 0.52}};
  const GeodeticBody<double> end = coast(planet, start, 30, 0.01);
  const auto momentum_I = [](const GeodeticBody<double>& x) { return math::rotation_matrix(x.q_IB) * (kBrick.inertia.diagonal * x.omega_B); };
  const auto energy = [](const GeodeticBody<double>& x) { return 0.5 * math::dot(x.omega_B, kBrick.inertia.diagonal * x.omega_B); };
  EXPECT_NEAR(energy(end), energy(start), 1e-12);
  EXPECT_LT(math::norm(momentum_I(end) - momentum_I(start)), 1e-9);
  EXPECT_GT(math::norm(end.omega_B - start.omega_B), 0.1);  // it does tumble
}

// WGS-84 normal gravity (Somigliana) is what a body that stands on the turning Earth feels; J2 alone is within 2e-4 m/s2 of it
TEST(geodetic_body, what_stands_on_the_earth_feels_normal_gravity) {
  const Planet planet;
  for (const double latitude : {0.0, 36.0, 52.0, 90.0}) {
    GeodeticState<double> s{{latitude * kDegree, -1.2, 100}, {0, 0, 0}, math::identity_quat<double>(), {0, 0, 0}};
    const GeodeticBody<double> x = vehicles::body_from_geodetic(planet, s, 0.0);
    const Vec3<double> fall_I = vehicles::gravitation_at(planet, x.position_I) + environment::centrifugal(x.position_I);
    const Vec3<double> fall_N = math::transpose_times(math::rotation_matrix(x.q_IB), fall_I);
    EXPECT_NEAR(fall_N.z, environment::normal_gravity(latitude * kDegree, 100.0), 2e-4) << latitude;
    EXPECT_NEAR(fall_N.x, 0, 2e-4) << latitude;
    EXPECT_NEAR(fall_N.y, 0, 1e-9) << latitude;
  }
}

RC_GTEST_PROP(geodetic_body, a_state_survives_the_way_through_axes_that_do_not_turn, ()) {
  const auto number = [](double limit) { return limit * *rc::gen::inRange(-1000000, 1000001) / 1e6; };
  const Planet planet;
  const GeodeticState<double> s{{number(89.99) * kDegree, number(180) * kDegree, 5000 + number(5000)},
                                {number(300), number(300), number(100)},
                                math::quat_from_euler(math::EulerAngles<double>{number(3), number(1.5), number(3)}),
                                {number(1), number(1), number(1)}};
  const double time = 1000 + number(1000);
  const GeodeticState<double> t = vehicles::geodetic_from_body(planet, vehicles::body_from_geodetic(planet, s, time), time);
  RC_ASSERT(std::abs(t.place.latitude - s.place.latitude) < 1e-14);
  RC_ASSERT(std::abs(std::remainder(t.place.longitude - s.place.longitude, 2 * M_PI)) * std::cos(s.place.latitude) < 1e-14);
  RC_ASSERT(std::abs(t.place.height - s.place.height) < 5e-9);
  // near a pole the directions of north and east are as uncertain as the longitude
  const double slack = 1 / std::cos(s.place.latitude);
  RC_ASSERT(math::norm(t.velocity_N - s.velocity_N) < 1e-11 * slack);
  const math::Quat<double> turn = math::conjugate(t.q_NB) * s.q_NB;
  RC_ASSERT(std::abs(turn.x) + std::abs(turn.y) + std::abs(turn.z) < 1e-14 * slack);
}

}  // namespace
}  // namespace volary
