// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// All modes on one impaired network in virtual time, as rows of a table: how old what each shows is, and how whole.
#pragma once

#include <vector>

#include "cluster/age_meter.hpp"
#include "cluster/modes.hpp"

namespace volary::cluster {

struct ModeTableOptions {
  std::size_t nodes = 10;
  double rate = 100;    // ticks per second
  double display = 30;  // frames per second that the consumer looks at
  double seconds = 60;  // of virtual time, the first two of which are not counted
  std::uint64_t seeds = 5;
  ImpairmentOptions leg = {.loss = 0.3, .delay = 0.03, .jitter = 0.01};  // the same for both legs; its seed is replaced
};

// ages in seconds
struct Ages {
  double mean = 0, p50 = 0, p95 = 0, p99 = 0;
};
struct ModeRow {
  const char* mode = "";
  bool both_legs = false;  // triggers are impaired too, not only states
  Ages node = {};               // of the newest state that is held of a node
  double node_deviation = 0;  // standard deviation of the mean over nodes
  double floor = 0;           // what the nodes' mean age cannot be below (age_floor)
  double equation_a = 0;      // E[D] + T (1 + p) / (2 (1 - p))
  bool has_aligned = false;
  Ages aligned = {};  // since the trigger of the tick that is shown
  double skew = 0;  // s between the oldest and the newest state shown at one instant
  double frames_per_second = 0;  // distinct complete frames at the display
  double completeness = 0;       // share of nodes that are in a shown frame
};

// a row with what is known before it is measured: its name and the floor
ModeRow row_of(const Mode& mode, bool both_legs, const ModeTableOptions& options);
ModeRow run_mode(const Mode& mode, bool both_legs, const ModeTableOptions& options);
// all modes, first with the states' leg impaired and then with both
std::vector<ModeRow> compare_modes(const ModeTableOptions& options);

}  // namespace volary::cluster
