// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/broker_network.hpp"

#include <gtest/gtest.h>

#include "cluster/transport/transport_test_support.hpp"

namespace volary::cluster {
namespace {

ModeRow run(const char* name, const ModeTableOptions& options) {
  for (const Mode& mode : all_modes()) {
    if (std::string_view(mode.name) != name) continue;
    const auto row = run_mode_over_broker(mode, true, options, "");
    EXPECT_TRUE(row) << row.error().text();
    return row ? row.value() : ModeRow{};
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(broker_network, shows_whole_frames_that_are_no_younger_than_the_network_allows) {
  VOLARY_NEEDS_BROKER();
  ModeTableOptions o{.nodes = 4, .seconds = 3.5, .seeds = 1};
  o.leg = {.loss = 0.2, .delay = 0.02, .jitter = 0.005};
  const ModeRow row = run("bides, dup 2, clock", o);
  EXPECT_TRUE(row.has_aligned);
  EXPECT_GE(row.node.mean, row.floor - 0.0003);
  EXPECT_GE(row.aligned.mean, row.node.mean);
  EXPECT_GT(row.frames_per_second, 1);
  EXPECT_GT(row.completeness, 0.9);
}

}  // namespace
}  // namespace volary::cluster
