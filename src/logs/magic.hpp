// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The first bytes by which files are told apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace volary::logs {

// ULog: docs.px4.io, "ULog File Format", header section
inline constexpr std::string_view kUlogMagic{"ULog\x01\x12\x35", 7};
// the body of a sync message, which lets a reader go on after damage
inline constexpr std::string_view kUlogSync{"\x2f\x73\x13\x20\x25\x0c\xbb\x12", 8};
// DataFlash: two bytes before every message, and the type of the message that describes messages, which comes first
inline constexpr std::string_view kDataflashMagic{"\xa3\x95\x80", 3};

inline bool starts_with(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), bytes.begin(), [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

}  // namespace volary::logs
