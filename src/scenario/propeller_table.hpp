// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Propellers from a database (docs/aircraft.md): a CSV with the advance ratio J, CT and CP, as UIUC's, of one propeller or of many, at one speed
// or at several. What comes back is one curve of one propeller near one speed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

struct PropellerChoice {
  std::string name;  // as in the file's PropName; may be empty where the file has only one
  double rpm = 0;    // rows within a twentieth of it are taken; 0 where the file has one speed
};

struct PropellerTable {
  std::vector<double> advance_ratio;  // V / (n D)
  double diameter = 0;                // m; 0 where the file does not say
  std::vector<double> blob;           // CT, CP and the slope of CT over J, for vehicles/propeller.hpp
};

core::Result<PropellerTable> read_propeller_table(std::string_view text, const std::string& file, const PropellerChoice& choice);

}  // namespace volary::scenario
