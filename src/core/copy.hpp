// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// memcpy for a few kilobytes and more. The C library's uses `rep movsb` from 2 KB on, which takes two to three times as long on Zen 3 and 4 where source and destination lie at
// nearly the same place of their pages (glibc bug 30994). This copies 64 bytes at a time whatever the addresses.
#pragma once

#include <cstddef>
#include <cstring>

namespace volary::core {

inline void copy_bytes(void* to, const void* from, std::size_t n) {
  constexpr std::size_t kPiece = 64;
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  for (; n >= kPiece; n -= kPiece, out += kPiece, in += kPiece) {
    std::memcpy(out, in, kPiece);
    asm volatile("" ::: "memory");  // or the compiler sees a call of memcpy in the loop
  }
  if (n > 0) std::memcpy(out, in, n);
}

}  // namespace volary::core
