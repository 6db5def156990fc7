// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One thrust stand: its file, the curve that was fitted to it, and a picture of both.
#pragma once

#include <string>

#include "core/result.hpp"
#include "validation/check.hpp"
#include "vehicles/identify.hpp"

namespace volary::validation {

struct ThrustStand {
  airframe::ThrustFit fit;
  std::string columns;  // that were read
  airframe::LagFit lag;
  std::string torque_column;
  std::size_t torque_rows = 0;
};

core::Result<ThrustStand> fit_stand(const std::string& path, int rotors = 4);
Picture picture_of(const airframe::ThrustFit& fit, const std::string& name);

}  // namespace volary::validation
