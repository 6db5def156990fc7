// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The door to the GPU side of the parity program: plain pointers in host memory, copied there and back.
#pragma once

#include "engine/sense_args.hpp"

namespace volary::engine {

struct GpuFlock {
  const char* model;
  const char* program;
  int bytes_per_scalar;
  SweepArgs args;  // its pointers to paths and tables are host pointers too
  void* hot;
  void* plan;
  const void* identity;
  const void* params;  // one value each, not broadcast
  std::size_t hot_bytes, plan_bytes, identity_bytes, params_bytes, path_header_bytes, path_piece_bytes, table_bytes;
  std::size_t n_agents;
  // the air, where there is weather: as many earths as worlds for each tick, one tick after the other
  const void* earths;
  std::size_t earth_bytes;  // of one tick; 0: a plain world
  AirArgs air;              // of the first tick, with host pointers
  std::size_t world_bytes;
  double tick_seconds;
  // sensors and estimator, where there are some
  const SenseArgs* sensing = nullptr;  // with host pointers, its parameters one value each
  std::size_t senses_bytes = 0, sense_params_bytes = 0, site_bytes = 0;
  std::size_t fault_bytes = 0, sense_fault_bytes = 0;  // of args.faults and args.sense_faults
};

const char* gpu_name();                      // none when there is no GPU
bool gpu_run(const GpuFlock& f, int ticks);  // hot, plan and senses come back advanced

}  // namespace volary::engine
