// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/faults.hpp"

#include <gtest/gtest.h>

namespace volary::core {
namespace {

TEST(faults, come_in_the_order_of_each_file) {
  Faults faults;
  EXPECT_TRUE(faults.status());
  faults.add(Error{.message = "late", .file = "a", .line = 9});
  faults.add(Error{.message = "other file", .file = "b", .line = 1});
  faults.add(Error{.message = "early", .file = "a", .line = 2, .suggestion = "x", .others = {Error{.message = "with it", .file = "a", .line = 5}}});
  EXPECT_EQ(faults.error().text(), "a:2: early (x)\na:5: with it\na:9: late\nb:1: other file");
  EXPECT_EQ(faults.error().line, 2);
  EXPECT_FALSE(faults.status());
}

TEST(faults, of_many_twenty_are_listed_and_the_last_line_says_so) {
  Faults faults;
  for (int k = 0; k < 20; ++k) faults.add(Error{.message = "m", .file = "a", .line = k + 1});
  EXPECT_FALSE(faults.is_full());
  EXPECT_EQ(faults.error().others.size(), 19u);
  for (int k = 20; k < 500; ++k) faults.add(Error{.message = "m", .file = "a", .line = k + 1});
  EXPECT_TRUE(faults.is_full());
  ASSERT_EQ(faults.error().others.size(), 20u);
  EXPECT_EQ(faults.error().others.back().text(), "there are more faults; the first 20 are listed");
}

TEST(faults, a_change_reaches_each_of_them) {
  const Error e = each_fault(Error{.message = "a", .others = {Error{.message = "b"}}}, [](Error x) { return x.file = "f", x; });
  EXPECT_EQ(e.text(), "f: a\nf: b");
}

}  // namespace
}  // namespace volary::core
