// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/past_times.hpp"

#include <algorithm>
#include <cmath>

namespace volary::autopilot {

namespace {

constexpr double kSame = 0.1;  // s that a stretch may be off

}  // namespace

void PastTimes::see(double wall, double simulated) {
  last_ = {wall, simulated};
  if (!begins_.empty() && std::abs(begins_.back().simulated + wall - begins_.back().wall - simulated) < kSame) return;
  begins_.push_back(last_);
  if (begins_.size() > kMost) begins_.pop_front();
}

double PastTimes::at(double wall) const {
  if (begins_.empty()) return 0;
  const auto next = std::find_if(begins_.begin(), begins_.end(), [&](const Pair& p) { return p.wall > wall; });
  if (next == begins_.begin()) return next->simulated;
  const Pair& begin = *std::prev(next);
  return std::min(begin.simulated + wall - begin.wall, next == begins_.end() ? last_.simulated : next->simulated);
}

}  // namespace volary::autopilot
