// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/check.hpp"

namespace volary::validation {

std::span<const Check> all_checks() {
  static const Check checks[] = {kNasaCheck,      kEarthCheck,  kCrazyflieCheck, kTrackingCheck,      kAeroplaneCheck, kBenchesCheck,
                                 kFormationCheck, kSensesCheck, kUwbCheck,       kEstimatorLogsCheck, kPlatformsCheck, kInteractionCheck};
  return checks;
}

}  // namespace volary::validation
