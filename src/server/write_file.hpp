// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A file that is there in one piece or not at all.
#pragma once

#include <string>

#include "core/result.hpp"

namespace volary::server {

core::Status write_whole(const std::string& path, const std::string& bytes);

}  // namespace volary::server
