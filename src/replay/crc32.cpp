// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/crc32.hpp"

#include <array>

namespace volary::replay {

namespace {

constexpr std::uint32_t kPolynomial = 0xedb88320u;  // reflected: bit 31 is x^0

constexpr auto kTable = [] {
  std::array<std::uint32_t, 256> t{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1) != 0 ? kPolynomial : 0u);
    t[n] = c;
  }
  return t;
}();

// a b modulo the polynomial
std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t p = 0;
  for (std::uint32_t bit = 0x80000000u; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) p ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0u);
  }
  return p;
}

}  // namespace

void Crc32::add(std::span<const std::byte> bytes) {
  std::uint32_t c = state_;
  for (const std::byte b : bytes) c = (c >> 8) ^ kTable[(c ^ static_cast<std::uint32_t>(b)) & 0xff];
  state_ = c;
}

// The checksum of the first part goes on over as many zero bytes as the second has, which multiplies it by x^(8 n).
std::uint32_t joined_crc32(std::uint32_t first, std::uint32_t second, std::uint64_t second_bytes) {
  std::uint32_t power = 0x00800000u, shift = 0x80000000u;  // x^8, x^0
  for (std::uint64_t n = second_bytes; n != 0; n >>= 1) {
    if ((n & 1) != 0) shift = product(shift, power);
    power = product(power, power);
  }
  return product(shift, first) ^ second;
}

}  // namespace volary::replay
