// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78, initial and final value all ones), as in iSCSI and RFC 3720.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace volary::core {

std::uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace volary::core
