// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is said where MuJoCo is missing, whether or not its headers were there when this was compiled.
#pragma once

#include "core/result.hpp"

namespace volary::multibody {

inline constexpr const char* kLibraryName = "libmujoco.so.4.0.0";
inline constexpr const char* kHowToGet = "tools/get_mujoco.sh fetches MuJoCo; then build again";

core::Error not_there();

}  // namespace volary::multibody
