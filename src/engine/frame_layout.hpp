// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which rows of which vehicles lie in a frame of a shared world, for those who write one, take one or only look into one. A frame begins with its tick and its member; flock by
// flock follow the number of vehicles, the rows, each with all vehicles, and the intents; then what the vehicles say.
#pragma once

#include <cstdint>
#include <vector>

namespace volary::engine {

struct Data;
struct Flock;

// what one vehicle means to do, as others are told it
struct Intent {
  float numbers[4];
};

// the vehicles of a member in a flock, in the order of slots
std::vector<std::uint32_t> slots_of(const Data& d, std::size_t flock, std::uint32_t member);

// the rows of a flock that others look at in a tick: floating-point ones with their number, and whether they are
struct SharedRow {
  int row;
  bool is_number;
};
std::vector<SharedRow> rows_of(const Data& d, const Flock& f, std::uint64_t tick);

}  // namespace volary::engine
