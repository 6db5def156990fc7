// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Columns of small integers: seven bits per byte, lowest first, the sign in the lowest bit.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace volary::replay {

using Column = std::vector<std::uint8_t>;

inline void put_unsigned(Column& out, std::uint64_t x) {
  for (; x >= 0x80; x >>= 7) out.push_back(static_cast<std::uint8_t>(x | 0x80));
  out.push_back(static_cast<std::uint8_t>(x));
}
inline void put_signed(Column& out, std::int64_t x) { put_unsigned(out, (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63)); }
inline void put_double(Column& out, double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
}

// Reads a column; past its end, or at a number of more than 64 bits, it remembers the fault and gives zeros.
class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(std::span<const std::uint8_t> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool failed() const { return failed_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint64_t get_unsigned() {
    if (at_ != end_ && *at_ < 0x80) return *at_++;  // nearly always
    std::uint64_t x = 0;
    for (int shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const std::uint8_t byte = *at_++;
      x |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return x;
    }
    failed_ = true;
    return 0;
  }
  std::int64_t get_signed() {
    const std::uint64_t x = get_unsigned();
    return static_cast<std::int64_t>((x >> 1) ^ (~(x & 1) + 1));
  }
  double get_double() {
    if (left() < 8) return failed_ = true, 0.0;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= static_cast<std::uint64_t>(at_[i]) << (8 * i);
    at_ += 8;
    return std::bit_cast<double>(bits);
  }
  std::span<const std::uint8_t> take(std::size_t n) {
    if (left() < n) return failed_ = true, std::span<const std::uint8_t>{};
    const std::span<const std::uint8_t> bytes(at_, n);
    at_ += n;
    return bytes;
  }

 private:
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  bool failed_ = false;
};

}  // namespace volary::replay
