// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/crc32c.hpp"

#include <array>
#include <cstring>

namespace volary::core {

namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// table k is the effect of a byte that k more bytes follow: eight bytes are taken at a time
constexpr Tables make_tables() {
  Tables t{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? 0x82f63b78u : 0u);
    t[0][n] = c;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t n = 0; n < 256; ++n) t[k][n] = (t[k - 1][n] >> 8) ^ t[0][t[k - 1][n] & 0xff];
  return t;
}
constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  std::uint32_t c = 0xffffffffu;
  const std::byte* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; n -= 8, p += 8) {
    std::uint64_t w;
    std::memcpy(&w, p, 8);
    w ^= c;
    c = 0;
    for (std::size_t k = 0; k < 8; ++k) c ^= kTables[7 - k][(w >> (8 * k)) & 0xff];
  }
  for (; n > 0; --n, ++p) c = (c >> 8) ^ kTables[0][(c ^ static_cast<std::uint32_t>(*p)) & 0xff];
  return ~c;
}

}  // namespace volary::core
