// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of zlib, which zip and MCAP use; the container of recordings has CRC-32C (crc32c.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace volary::replay {

class Crc32 {
 public:
  void add(std::span<const std::byte> bytes);
  std::uint32_t value() const { return ~state_; }

 private:
  std::uint32_t state_ = 0xffffffffu;
};

// of two texts after each other, from the checksum of each and the length of the second
std::uint32_t joined_crc32(std::uint32_t first, std::uint32_t second, std::uint64_t second_bytes);

}  // namespace volary::replay
