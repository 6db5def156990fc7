// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A check of volary validate that needs recordings and checks both, which only the program knows together.
#pragma once

#include "validation/check.hpp"

namespace volary::cli {

// SIGMA's Table III for fixed wings, from flights of our own
extern const validation::Check kInterpolationCheck;

}  // namespace volary::cli
