// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a process tells others about itself.
#pragma once

#include <cstdint>
#include <string>

namespace volary::cluster {

std::uint64_t memory_used();  // bytes; what it shares with other processes is divided among them (PSS)
std::string machine_name();  // without blanks

}  // namespace volary::cluster
