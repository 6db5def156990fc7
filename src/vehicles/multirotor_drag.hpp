// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the air slows a multirotor down at all: an airframe without drag has no greatest speed.
#pragma once

#include "vehicles/multirotor_def.hpp"

namespace volary::airframe {

inline bool has_drag(const MultirotorDef& def) {
  const auto is_zero = [](const Triple& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; };
  return def.motor.drag != 0 || !is_zero(def.linear_drag) || !is_zero(def.quadratic_drag);
}

}  // namespace volary::airframe
