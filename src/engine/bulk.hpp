// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One input for many vehicles (SetMany): whole columns are written block by block.
#pragma once

#include "volary/input.hpp"

namespace volary::engine {

struct Data;
struct Flock;

// appends it to the flock's patches; its numbers must stay until those are applied
void apply_many(Data& d, const SetMany& p);

// the rows of a state; what a flock lacks is left out
bool write_state(Flock& f, std::size_t slot, const SetState& p);

}  // namespace volary::engine
