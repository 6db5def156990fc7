// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/plots.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace volary::replay {
namespace {

TEST(plots, come_back_to_the_bit_by_vehicle_and_tick) {
  PlotBatch batch;
  batch.add(0, "gap", {3, 100, 0.1});
  batch.add(1, "gap", {5, 100, 7});
  batch.add(0, "wish", {3, 100, -0.0});
  batch.add(0, "gap", {2, 110, 1e-310});
  batch.add(0, "gap", {3, 110, 0.2});
  std::vector<PlotSeries> series;
  ASSERT_TRUE(read_plots(batch.payload(99), 99, series));
  sort_plots(series);
  ASSERT_EQ(series.size(), 3u) << "names of two flocks are two";
  EXPECT_EQ(series[0].name, "gap");
  ASSERT_EQ(series[0].samples.size(), 3u);
  EXPECT_EQ(series[0].samples[0].vehicle, 2u);
  EXPECT_EQ(series[0].samples[0].value, 1e-310);
  EXPECT_TRUE(std::signbit(series[2].samples[0].value));
}

TEST(plots, the_world_has_a_number_from_the_tick_after_its_decision_until_the_next) {
  PlotSeries s{0, "gap", {{3, 100, 1}, {3, 110, 2}, {4, 90, 9}}};
  EXPECT_FALSE(s.at(3, 100));
  EXPECT_EQ(s.at(3, 101), 1);
  EXPECT_EQ(s.at(3, 110), 1);
  EXPECT_EQ(s.at(3, 111), 2);
  EXPECT_EQ(s.at(3, 100000), 2);
  EXPECT_FALSE(s.at(2, 1000));
  EXPECT_FALSE(s.at(4, 90));
  EXPECT_EQ(s.at(4, 91), 9);
}

TEST(plots, bytes_that_are_none_are_refused) {
  PlotBatch batch;
  batch.add(0, "gap", {3, 100, 0.1});
  const std::vector<std::byte> sound = batch.payload(100);
  std::vector<PlotSeries> series;
  for (std::size_t n = 0; n < sound.size(); ++n) EXPECT_FALSE(read_plots(std::span(sound).first(n), 100, series)) << n;
  EXPECT_TRUE(series.empty());
  std::vector<std::byte> longer = sound;
  longer.push_back({});
  EXPECT_FALSE(read_plots(longer, 100, series));
  PlotBatch bad;
  bad.add(0, "gap", {3, 100, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_FALSE(read_plots(bad.payload(100), 100, series));
}

}  // namespace
}  // namespace volary::replay
