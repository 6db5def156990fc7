// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tables that an aircraft's file names, read and made ready for its model: coefficients of its wings, curves of its propellers.
#pragma once

#include <functional>
#include <string>

#include "core/result.hpp"
#include "vehicles/aircraft_def.hpp"

namespace volary::scenario {

// The text of a file that lies beside the airframe's, and the path it has; an error about it names the field.
struct TableText {
  std::string path, text;
};
using ReadTable = std::function<core::Result<TableText>(const std::string& name, const std::string& field)>;

// Errors of a table name its file and place; errors of how it fits the aircraft name the field of the airframe's file.
core::Status read_tables(airframe::AircraftDef& def, const ReadTable& read);

}  // namespace volary::scenario
