// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/uwb_study.hpp"

#include <gtest/gtest.h>

namespace volary::validation {
namespace {

// two seeds; `volary validate uwb` flies twenty
TEST(UwbStudy, EveryAnchorHelps) {
  double before = 10;
  for (int anchors = 0; anchors <= kStudyAnchors; ++anchors) {
    StudyErrors all;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) all.add(fly_study(anchors, seed));
    EXPECT_LT(all.rmse(), 1.1 * before) << anchors;
    EXPECT_LE(all.quantile(0.25), all.quantile(0.75));
    before = all.rmse();
  }
  EXPECT_LT(before, 0.3);
}

}  // namespace
}  // namespace volary::validation
