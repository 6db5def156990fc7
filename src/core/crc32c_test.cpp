// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/crc32c.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace volary::core {

TEST(Crc32c, HasTheValuesOfRfc3720) {
  const std::string_view digits = "123456789";
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0})), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xff})), 0x62a8ab43u);
  EXPECT_EQ(crc32c(std::as_bytes(std::span(digits.data(), digits.size()))), 0xe3069283u);
  EXPECT_EQ(crc32c({}), 0u);
}

}  // namespace volary::core
