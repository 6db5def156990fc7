// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/interpolate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "replay/view_flights_test_support.hpp"
#include "volary/scenario.hpp"

namespace volary::replay {

namespace {

Knots1 knots_of(double (*f)(double), std::initializer_list<double> times) {
  Knots1 k;
  for (const double t : times) k.t.push_back(t), k.x.push_back(f(t));
  return k;
}

// errors of all vehicles of a scenario together
std::vector<InterpolationError> compare(const Flights& flights, double knots_per_second) {
  std::vector<InterpolationError> all;
  for (const FlownTrack& t : flights.tracks) {
    const auto one = compare_interpolators(t.part(0, 0, static_cast<std::uint32_t>(t.position.size())), flights.tick, knots_per_second);
    if (all.empty()) all.resize(one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      all[i].method = one[i].method;
      all[i].knots += one[i].knots;
      all[i].mean += one[i].mean / static_cast<double>(flights.tracks.size());
      all[i].rmse += one[i].rmse * one[i].rmse / static_cast<double>(flights.tracks.size());
      all[i].max = std::max(all[i].max, one[i].max);
    }
  }
  for (InterpolationError& e : all) e.rmse = std::sqrt(e.rmse);
  return all;
}

void print(const char* what, double knots_per_second, const std::vector<InterpolationError>& errors) {
  std::printf("%s, %g knots/s: mean, max, rmse (m), knots\n", what, knots_per_second);
  for (const InterpolationError& e : errors) std::printf("  %-14s %.4f %.4f %.4f %zu\n", name_of(e.method), e.mean, e.max, e.rmse, e.knots);
}

const InterpolationError& of(const std::vector<InterpolationError>& errors, Interpolator method) { return errors[static_cast<std::size_t>(method)]; }

}  // namespace

TEST(interpolate, every_method_redraws_a_line_exactly) {
  for (const Interpolator m : {Interpolator::Line, Interpolator::NaturalCubic, Interpolator::Pchip, Interpolator::Akima}) {
    Knots1 k = knots_of([](double t) { return 3 * t - 1; }, {0, 1, 2.5, 3, 7});
    find_slopes(m, k);
    for (double t = 0; t <= 7; t += 0.1) EXPECT_NEAR(value_at(m, k, t), 3 * t - 1, 1e-12) << name_of(m);
  }
}

TEST(interpolate, every_method_works_with_two_knots) {
  for (const Interpolator m : {Interpolator::Line, Interpolator::NaturalCubic, Interpolator::Pchip, Interpolator::Akima}) {
    Knots1 k = knots_of([](double t) { return 2 * t; }, {1, 3});
    find_slopes(m, k);
    EXPECT_NEAR(value_at(m, k, 1.7), 3.4, 1e-12) << name_of(m);
  }
}

TEST(interpolate, the_natural_spline_has_no_curvature_at_its_ends_and_a_continuous_one_within) {
  Knots1 k = knots_of([](double t) { return std::sin(t); }, {0, 0.7, 1.5, 2.6, 3});
  find_slopes(Interpolator::NaturalCubic, k);
  const auto curvature = [&](double t) {
    const double e = 1e-4;
    return (value_at(Interpolator::NaturalCubic, k, t + e) - 2 * value_at(Interpolator::NaturalCubic, k, t) + value_at(Interpolator::NaturalCubic, k, t - e)) /
           (e * e);
  };
  EXPECT_NEAR(curvature(2e-4), 0, 1e-3);
  EXPECT_NEAR(curvature(3 - 2e-4), 0, 1e-2);
  for (const double t : {0.7, 1.5, 2.6}) EXPECT_NEAR(curvature(t - 2e-4), curvature(t + 2e-4), 1e-2);
}

TEST(interpolate, pchip_does_not_overshoot_a_step) {
  Knots1 k = knots_of([](double t) { return t < 2.5 ? 0.0 : 1.0; }, {0, 1, 2, 3, 4, 5});
  find_slopes(Interpolator::Pchip, k);
  for (double t = 0; t <= 5; t += 0.01) {
    EXPECT_GE(value_at(Interpolator::Pchip, k, t), 0);
    EXPECT_LE(value_at(Interpolator::Pchip, k, t), 1);
  }
}

TEST(interpolate, akima_keeps_a_line_beside_a_corner) {
  Knots1 k = knots_of([](double t) { return t < 3 ? 0.0 : t - 3; }, {0, 1, 2, 3, 4, 5, 6});
  find_slopes(Interpolator::Akima, k);
  EXPECT_NEAR(value_at(Interpolator::Akima, k, 1.5), 0, 1e-12);
  EXPECT_NEAR(value_at(Interpolator::Akima, k, 4.5), 1.5, 1e-12);
}

TEST(interpolate, no_method_uses_more_knots_than_it_is_given) {
  const Flights flights = flown("waypoints_delivery", 20);
  for (const double rate : {0.5, 1.0, 2.0, 5.0})
    for (const InterpolationError& e : compare_interpolators(flights.tracks[0].part(0, 0, 2000), flights.tick, rate)) {
      EXPECT_LE(e.knots, static_cast<std::size_t>(19.99 * rate) + 1) << name_of(e.method);
      EXPECT_LE(e.rmse, e.max);
      EXPECT_LE(e.mean, e.rmse);
    }
}

TEST(interpolate, ours_has_at_most_half_the_error_of_sigma_on_a_delivery) {
  const Flights flights = flown("waypoints_delivery", 75);
  for (const double rate : {1.0, 2.0}) {
    const auto errors = compare(flights, rate);
    print("waypoints_delivery", rate, errors);
    EXPECT_LE(of(errors, Interpolator::Ours).rmse, 0.5 * of(errors, Interpolator::Sigma).rmse);
  }
}

TEST(interpolate, ours_is_the_best_in_gusts_too) {
  Flights flights = flown("hover_gusts", 30);
  flights.tracks.resize(12);
  for (const double rate : {1.0, 2.0}) {
    const auto errors = compare(flights, rate);
    print("hover_gusts", rate, errors);
    for (const InterpolationError& e : errors) EXPECT_LE(of(errors, Interpolator::Ours).rmse, e.rmse) << name_of(e.method);
  }
}

}  // namespace volary::replay
