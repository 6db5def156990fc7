// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Distances between vehicles: who measures to whom. A radio takes one partner at a time, the nearest eight in turn.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/neighbours.hpp"

namespace volary::engine {

struct Data;

struct Ranging {
  bool is_on = false;  // some flock has such radios
  double reach = 0;    // m, of the one that reaches farthest
  Neighbours near;
  std::vector<std::uint8_t> asks;  // by place in the frame: whose turn it is
};

void prepare_ranging(Data& d);
// The stage: finds the partner of every vehicle of this process that measures at the end of this tick, and what it says of itself. The reading is made of it in the next tick.
void range_peers(Data& d);

}  // namespace volary::engine
