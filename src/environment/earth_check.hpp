// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an Earth can be made of: the ranges in which the models mean something, with errors that name the field as a scenario file does.
#pragma once

#include "core/result.hpp"
#include "environment/earth.hpp"

namespace volary::inline VOLARY_ISA::environment {

core::Status check_earth(const EarthDef& def, const magnetic::Model& model);

}  // namespace volary::inline VOLARY_ISA::environment
