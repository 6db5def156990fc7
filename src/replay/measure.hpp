// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What recording costs, measured: the same world flown without, with layer 1, and with both layers.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"
#include "replay/view_codec.hpp"
#include "scenario/files.hpp"
#include "volary/def.hpp"

namespace volary::replay {

struct RecorderFigures {
  std::uint64_t vehicles = 0, ticks = 0;
  double simulated = 0;                                // s
  double plain_rate = 0, truth_rate = 0, view_rate = 0;  // agent-ticks per second of wall time, flat out
  double hash_cost = 0;   // share that hashing every tick adds to a run, of its processor time
  double truth_cost = 0;  // layer 1, all threads, of the run's processor time; hashing included
  double view_cost = 0;   // both layers
  double real_time_core = 0;  // share of one core that recording takes when the run keeps to the clock
  double simulation_thread = 0;  // of it, on the thread that simulates
  double bytes_rate = 0, view_bytes_rate = 0, checkpoint_bytes_rate = 0, truth_bytes_rate = 0;  // B per agent-second
  double blocked_seconds = 0;  // the simulation waited for the writer, flat out with both layers
};

// Flies `ticks` ticks of the definition `rounds` times each way and takes the least of each. `folder` is where the files go
// for the moment.
core::Result<RecorderFigures> measure_recorder(const WorldDef& def, std::uint64_t ticks, const std::string& folder, const Bounds& bounds = {}, int rounds = 3);

}  // namespace volary::replay
