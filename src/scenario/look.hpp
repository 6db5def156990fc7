// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a page needs to draw an airframe, taken from the describe lists: a new model with rotors is drawn without a line here.
#pragma once

#include <array>
#include <vector>

#include "volary/def.hpp"

namespace volary::scenario {

struct Look {
  std::vector<std::array<double, 4>> rotors;  // hub x y z (m, body), direction of turning
  double size = 0.3;                          // m, across
};
Look look_of(const Airframe& airframe);

}  // namespace volary::scenario
