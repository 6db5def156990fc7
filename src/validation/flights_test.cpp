// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings that are fitted and scored: what is scored is never fitted on, neither through a copy nor through the numbers of a closed loop, and the
// regression that the flight model has to beat is not held back.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "core/scratch_folder.hpp"
#include "scenario/airframe.hpp"
#include "validation/flight_files.hpp"
#include "validation/rotor_fit.hpp"
#include "validation/tracking_flight.hpp"

namespace volary::validation {
namespace {

// ---------------------------------------------------------------- files

std::string rows(int seed, double start, int digits) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::string text = "t,a,b\n";
  for (int k = 0; k < 500; ++k) {
    const double a = static_cast<double>(random() % 100000) * 1e-4, b = static_cast<double>(random() % 100000) * 1e-4;
    text += fmt::format("{:.3f},{:.{}f},{:.{}f}\n", start + 0.01 * k, a, digits, b, digits);
  }
  return text;
}

TEST(flight_files, a_copy_of_what_is_scored_is_told_apart_from_another_flight) {
  const core::ScratchFolder scratch;
  scratch.write("data/original.csv", rows(1, 0, 4));
  scratch.write("data/other.csv", rows(2, 0, 4));
  const std::string mine = scratch.write("mine.csv", rows(1, 100, 6));  // another clock, other digits
  CheckOptions options{scratch.file("data"), ""};
  options.flights = {mine};
  const std::vector<FlightFile> files = find_flights(options, {"t", "a", "b"});
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].copy_of, mine);
  EXPECT_EQ(files[1].copy_of, "");
  EXPECT_TRUE(files[2].scored);

  // a part of it is a copy too
  const std::string all = rows(1, 0, 4);
  options.flights = {scratch.write("part.csv", all.substr(0, all.find("\n2.000") + 1))};
  EXPECT_EQ(find_flights(options, {"t", "a", "b"})[0].copy_of, options.flights[0]);
}

// ---------------------------------------------------------------- the regression

// ten times the sum of squared commands and a constant of its own; commands wander slowly, so that smoothing leaves them alone
RotorLog made_log(double constant, double phase) {
  RotorLog log;
  for (int k = 0; k < 6000; ++k) {
    std::array<double, 4> u{};
    double sum = 0;
    for (std::size_t m = 0; m < 4; ++m) {
      u[m] = 0.5 + 0.2 * std::sin(phase + 0.001 * k * (1.3 + 0.9 * static_cast<double>(m)));
      sum += u[m] * u[m];
    }
    log.command.push_back(u);
    log.rate.push_back({std::sin(0.0021 * k), std::sin(0.0033 * k), std::sin(0.0047 * k)});
    for (Samples& axis : log.measured) axis.push_back(10 * sum + constant);
  }
  return log;
}

TEST(regression, a_flight_that_nothing_was_fitted_on_gets_the_mean_of_the_others_constants) {
  const std::vector<RotorLog> logs = {made_log(3, 0), made_log(5, 1), made_log(-7, 2)};
  const std::vector<Windows> windows = {{{{0.5, 5}}, {}}, {{{0.5, 5}}, {}}, {{}, {{0.5, 5}}}};
  const AxisSamples out = predict(fit_regression(logs, windows), logs, 2);
  for (std::size_t k = 1000; k < 5000; k += 500) EXPECT_NEAR(out[0][k], logs[2].measured[0][k] + 7 + 4, 0.05) << k;
}

// ---------------------------------------------------------------- a closed loop

TrackingLog hover(double seconds) {
  TrackingLog log;
  log.name = "hover";
  for (std::size_t k = 0; 0.01 * static_cast<double>(k) <= seconds; ++k) {
    TrackedRow r;
    r.time = 0.01 * static_cast<double>(k);
    r.position = {0, 0, 1 - 0.05 * std::exp(-r.time)}, r.wanted_position = {0, 0, 1};
    r.velocity = r.rate = r.wanted_velocity = r.wanted_acceleration = {0, 0, 0};
    r.attitude = {1, 0, 0, 0};
    r.thrust = 25 + 0.1 * std::sin(r.time);
    log.rows.push_back(r);
  }
  log.airborne = {0, log.rows.back().time};
  log.gains = {{4, 4, 4}, {3, 3, 3}, {1, 1, 1}, {30, 30, 10}, {10, 10, 5}, {10, 10, 2}};
  return log;
}

class ClosedLoop : public testing::Test {
 protected:
  core::Result<Airframe> airframe_ = scenario::load_airframe("assets/vehicles/x8.yaml");
  TrackingFlight fly(const TrackingLog& log, const Span& span) {
    const auto flight = fly_again(log, *static_cast<const airframe::MultirotorDef*>(airframe_.value().definition.get()), span);
    EXPECT_TRUE(flight) << flight.error().text();
    return flight.value();
  }
};

TEST_F(ClosedLoop, the_first_part_of_a_flight_is_identified_on_and_the_rest_is_scored) {
  EXPECT_NEAR(scored_span(hover(20)).from, 6, 1e-9);
  EXPECT_NEAR(scored_span(hover(20)).to, 20, 1e-9);
  EXPECT_EQ(scored_span(hover(5)).from, 0);  // too short to be divided
}

TEST_F(ClosedLoop, nothing_but_the_reference_is_seen_of_what_is_scored) {
  ASSERT_TRUE(airframe_);
  TrackingLog log = hover(10);
  const Span span = scored_span(log);
  const TrackingFlight before = fly(log, span);
  EXPECT_NEAR(before.identified, 3, 0.02);
  EXPECT_NE(before.delivered, 1);
  for (TrackedRow& r : log.rows)
    if (r.time > span.from + 0.015) r.position = {9, 9, 9}, r.velocity = {1, 2, 3}, r.thrust = 99, r.rate = {1, 1, 1};
  const TrackingFlight after = fly(log, span);
  EXPECT_EQ(after.delivered, before.delivered);
  EXPECT_EQ(after.integral_rate, before.integral_rate);
  ASSERT_EQ(after.rows.size(), before.rows.size());
  for (std::size_t k = 0; k < after.rows.size(); ++k) EXPECT_EQ(after.rows[k].position.z, before.rows[k].position.z);
}

TEST_F(ClosedLoop, a_flight_of_which_all_is_scored_is_flown_with_nothing_identified) {
  ASSERT_TRUE(airframe_);
  const TrackingLog log = hover(5);
  const TrackingFlight flight = fly(log, log.airborne);
  EXPECT_EQ(flight.delivered, 1);
  EXPECT_EQ(flight.integral_rate, 1);
}

}  // namespace
}  // namespace volary::validation
