// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/age_meter.hpp"
#include "cluster/transport/fan_in.hpp"

#include <random>

#include <gtest/gtest.h>

#include "cluster/transport/transport_test_support.hpp"

namespace volary::cluster {
namespace {

constexpr std::int64_t kMs = 1'000'000;

TEST(age, of_periodic_updates_is_the_delay_and_half_a_period) {
  NodeAges meter(1, 1000 * kMs);
  for (int k = 0; k < 300; ++k) meter.update(0, k * 10 * kMs + 3 * kMs, k * 10 * kMs);
  meter.finish(2003 * kMs);
  const auto r = meter.report();
  EXPECT_NEAR(r.age.mean, age_without_overtaking(10, 3, 0), 0.01);
  EXPECT_NEAR(r.age.p50, 8, 0.05);
  EXPECT_NEAR(r.age.p99, 12.9, 0.05);
  EXPECT_NEAR(r.age.max, 13, 1e-6);
  EXPECT_EQ(r.silent, 0u);
}

TEST(age, under_loss_follows_equation_a) {
  std::mt19937 random(1);
  NodeAges meter(4, 0);
  constexpr int kTicks = 100'000;
  for (std::size_t node = 0; node < 4; ++node)
    for (int k = 0; k < kTicks; ++k)
      if (random() % 10 >= 3) meter.update(node, k * 10 * kMs + 30 * kMs, k * 10 * kMs);
  meter.finish(kTicks * 10 * kMs);
  EXPECT_NEAR(meter.report().age.mean, age_without_overtaking(10, 30, 0.3), 0.1);
  EXPECT_LT(meter.report().sd, 0.2);
}

TEST(age, ignores_states_that_come_late_and_names_nodes_that_are_silent) {
  NodeAges meter(2, 0);
  meter.update(0, 10 * kMs, 0);
  meter.update(0, 20 * kMs, 15 * kMs);
  meter.update(0, 25 * kMs, 5 * kMs);  // older than what is known
  meter.finish(30 * kMs);
  // 10 to 20 ms old for 10 ms, then 5 to 15 for 10
  EXPECT_NEAR(meter.report().age.mean, 12.5, 1e-6);
  EXPECT_NEAR(meter.report().age.max, 20, 1e-6);
  EXPECT_EQ(meter.report().silent, 1u);
}

TEST(age, equation_a_gives_the_published_figures) {
  EXPECT_NEAR(age_without_overtaking(10, 3.5, 0), 8.5, 1e-12);
  EXPECT_NEAR(age_without_overtaking(10, 30, 0.3), 39.2857, 1e-3);
}

FanInOptions small() {
  FanInOptions o;
  o.processes = 2;
  o.connections = 2;
  o.rate_hz = 50;
  o.duration_s = 0.5;
  o.warm_up_s = 0.2;
  o.child = {VOLARY_FEDERATION_LOAD, "child"};
  return o;
}

void expect_sound(const core::Result<FanInReport>& report) {
  ASSERT_TRUE(report) << report.error().text();
  const FanInReport& r = report.value();
  EXPECT_EQ(r.expected, 100u);
  // a busy machine may wake a sender late, so that one bundle slips out of the measured time or into it
  EXPECT_NEAR(static_cast<double>(r.received), 100, 20);
  EXPECT_GT(r.latency.mean, 0);
  EXPECT_GE(r.latency.p99, r.latency.p50);
  EXPECT_GT(r.age.age.mean, r.latency.p50);
  EXPECT_EQ(r.age.silent, 0u);
  EXPECT_GT(r.pss_mb, 1);
}

TEST(fan_in, is_measured_over_a_broker) {
  VOLARY_NEEDS_BROKER();
  const auto report = measure_fan_in(small());
  expect_sound(report);
  EXPECT_GT(report.value().broker_rss_mb, 1);
}

TEST(fan_in, is_measured_over_direct_links) {
  FanInOptions o = small();
  o.over_udp = true;
  expect_sound(measure_fan_in(o));
}

TEST(fan_in, whose_senders_fail_says_why) {
  FanInOptions o = small();
  o.over_udp = true;
  o.child = {"/bin/sh", "-c", "echo no luck; exit 4"};
  const auto report = measure_fan_in(o);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message.substr(0, 42), "a sending process ended early (exit code 4");
  o.processes = 0;
  EXPECT_EQ(measure_fan_in(o).error().text(), "processes: 0 is out of range: 1 to 1000");
}

}  // namespace
}  // namespace volary::cluster
