// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/copy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace volary {
namespace {

TEST(copy_bytes, copies_every_byte_of_any_length_and_writes_no_other) {
  std::vector<unsigned char> from(400);
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<unsigned char>(7 * k + 1);
  for (std::size_t n = 0; n < 300; ++n)
    for (const std::size_t begin : {0, 1, 63}) {
      std::vector<unsigned char> to(400, 0);
      core::copy_bytes(to.data() + begin, from.data() + 5, n);
      for (std::size_t k = 0; k < to.size(); ++k) ASSERT_EQ(to[k], k >= begin && k < begin + n ? from[k - begin + 5] : 0) << n << " bytes, byte " << k;
    }
}

}  // namespace
}  // namespace volary
