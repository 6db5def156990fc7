// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/flight_trace.hpp"

#include <gtest/gtest.h>

#include "cli/flight.hpp"
#include "engine/engine_test_support.hpp"

namespace volary::cli {
namespace {

// a flight of some seconds with everything that looks at it
struct Flown {
  std::unique_ptr<World> world;
  FlightTrace trace;
  Flight flight;
  explicit Flown(WorldDef def, double duration) {
    def.duration = duration;
    world = test::make(def);
    fly(*world, {.sinks = {&trace}}, flight);
  }
};

TEST(flight_trace, a_flight_is_sampled_from_its_beginning_to_its_end) {
  const Flown f(test::circling(3), 20);
  const auto& samples = f.trace.samples();
  ASSERT_GT(samples.size(), 400u);
  EXPECT_LE(samples.size(), FlightTrace::kMostSamples + 2);
  EXPECT_EQ(samples.front().time, 0);
  EXPECT_NEAR(samples.back().time, 20, 1e-9);
  for (std::size_t k = 1; k < samples.size(); ++k) EXPECT_GT(samples[k].tick, samples[k - 1].tick);
  EXPECT_EQ(f.trace.tracks().size(), 3u);
  for (const FlightTrace::Track& t : f.trace.tracks()) EXPECT_EQ(t.places.size(), samples.size()) << t.name;
}

TEST(flight_trace, the_greatest_error_that_is_drawn_is_the_one_that_is_reported) {
  WorldDef def = test::circling(3);
  def.metrics_from = 2;
  const Flown f(def, 20);
  double most = 0;
  for (const FlightTrace::Sample& s : f.trace.samples()) {
    if (s.error == s.error) most = std::max(most, s.error);
    if (s.time < 2) EXPECT_NE(s.error, s.error) << s.time;
  }
  EXPECT_EQ(most, f.flight.log.error.max);
  EXPECT_GT(most, 0);
}

TEST(flight_trace, heights_and_distances_are_those_of_the_world) {
  const Flown f(test::circling(2), 5);
  const FlightTrace::Sample& last = f.trace.samples().back();
  const auto ids = f.world->vehicles();
  const Vec a = f.world->position_of(ids[0]), b = f.world->position_of(ids[1]);
  EXPECT_EQ(last.up.low, std::min(a[2], b[2]));
  EXPECT_EQ(last.up.high, std::max(a[2], b[2]));
  EXPECT_NEAR(last.up.mean, 0.5 * (a[2] + b[2]), 1e-12);
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  EXPECT_NEAR(last.closest * last.closest, sum, 1e-9);
  EXPECT_EQ(f.trace.tracks()[0].places.back().east, a[0]);
}

TEST(flight_trace, the_closest_of_many_is_found) {
  const Flown f(test::circling(40), 1);
  const auto ids = f.world->vehicles();
  double least = 1e9;
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec a = f.world->position_of(ids[i]), b = f.world->position_of(ids[j]);
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
      least = std::min(least, sum);
    }
  EXPECT_NEAR(f.trace.samples().back().closest * f.trace.samples().back().closest, least, 1e-9);
}

TEST(flight_trace, of_one_vehicle_there_is_no_distance_and_of_many_some_are_followed) {
  const Flown one(test::circling(1), 1);
  EXPECT_NE(one.trace.samples().back().closest, one.trace.samples().back().closest);
  const Flown many(test::circling(350), 0.2);
  EXPECT_GT(many.trace.tracks().size(), 80u);
  EXPECT_LE(many.trace.tracks().size(), FlightTrace::kMostTracks);
}

TEST(flight_trace, what_follows_a_moment_that_is_flown_again_is_forgotten) {
  WorldDef def = test::circling(2);
  def.duration = 10;
  const auto world = test::make(def);
  FlightTrace trace;
  trace.begin(*world, false);
  std::shared_ptr<const Snapshot> early;
  for (int k = 0; k < 500; ++k) {
    if (k == 200) early = world->snapshot();
    world->step(1);
    trace.after_tick(*world);
  }
  trace.event(*world, {.tick = 400, .vehicle = {}, .name = "a", .what = "landed"});
  ASSERT_TRUE(world->restore(*early));
  trace.restored(*world);
  EXPECT_LE(trace.samples().back().tick, 200u);
  EXPECT_LE(trace.tracks()[0].places.back().tick, 200u);
  EXPECT_TRUE(trace.events().empty());
  EXPECT_EQ(trace.n_events(), 0u);
}

}  // namespace
}  // namespace volary::cli
