// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of a flock's blocks become columns of the frame, and single columns become numbers.
#pragma once

#include <cstdint>
#include <span>

#include "engine/frame.hpp"
#include "engine/stepper.hpp"
#include "vehicles/model.hpp"

namespace volary::engine {

// some columns (shows::...) of the vehicles of some blocks
void publish_rows(const Flock& f, Stretch blocks, unsigned columns, Frame& frame);
// the same of one vehicle that is in the frame
void publish_slot(const Flock& f, std::size_t slot, unsigned columns, Frame& frame);
// a row of numbers of a vehicle, as Senses::readings lists them
void read_numbers(const Flock& f, std::size_t slot, double* row);
// a column of some vehicles, vehicle by vehicle; a position is three numbers
void read_rows(const Flock& f, const ColumnInfo& column, std::span<const std::uint32_t> slots, double* out);

}  // namespace volary::engine
