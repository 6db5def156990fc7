// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an airframe can do, for `volary vehicle check`: numbers to hold against a data sheet.
#pragma once

#include <string>
#include <vector>

#include "vehicles/multirotor_def.hpp"

namespace volary::airframe {

struct ReportRow {
  std::string name;
  double value = 0;
  std::string unit;
  std::string note;
};

// of an airframe that check_multirotor accepts, at standard gravity and the default substep
std::vector<ReportRow> report_multirotor(const MultirotorDef& def);

}  // namespace volary::airframe
