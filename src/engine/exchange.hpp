// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What processes that share a world tell each other between the two halves of a step: of every vehicle the rows that others look at, as exact bits; what it says; and what
// its behaviours tell people. Random draws are keyed and inputs go to everybody, so neither is in a frame. A frame names no vehicles: whose they are is known, and they
// come flock by flock in the order of slots.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace volary::engine {

struct Data;

// of the vehicles of this process; the memory of `out` is used again
void write_frame(Data& d, std::vector<std::byte>& out);
// Takes the frames of all members, by member; that of this process is not looked at. What does not fit is refused, and nothing is changed.
core::Status read_frames(Data& d, std::span<const std::span<const std::byte>> frames);

}  // namespace volary::engine
