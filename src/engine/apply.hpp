// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Patches (patches.hpp) written into the rows of a flock.
#pragma once

#include "engine/patches.hpp"
#include "vehicles/model.hpp"

namespace volary::engine {

// some of a list, in order; those of one vehicle touch nothing of another, except for parameters and lists for many
void apply_to_rows(Flock& f, const Patches& from, std::span<const Patch> patches, const PathArrays& paths);

}  // namespace volary::engine
