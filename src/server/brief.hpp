// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers with the digits that a reader can use: a float as a double has 17.
#pragma once

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "volary/world.hpp"

namespace volary::server {

inline constexpr int kPlaceDigits = 9, kDigits = 6;  // of positions, a millimetre at a thousand kilometres; of everything else

double brief(double x, int digits = kDigits);
// the first n numbers of a column at a slot
nlohmann::json list_at(const View& view, std::size_t slot, std::size_t n);

}  // namespace volary::server
