// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A look into a frame of a shared world, of whatever tick: for views that show what came, before it is settled.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "volary/sharing.hpp"

namespace volary::engine {

struct Data;

core::Status read_poses(const Data& d, std::span<const std::byte> frame, std::vector<FramePose>& poses);

}  // namespace volary::engine
