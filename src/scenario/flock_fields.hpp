// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of a flock that its airframe's model has no use for. Only a multirotor has the whole ladder of controllers; what a file sets for nobody is an
// error, because a gain that changes nothing would be taken for one that does.
#pragma once

#include "core/result.hpp"
#include "scenario/node.hpp"
#include "volary/def.hpp"

namespace volary::scenario {

// of the flocks as they were made from `tree`; errors name the field, and what to set instead
core::Status check_flock_fields(const Tree& tree, const WorldDef& world);

}  // namespace volary::scenario
