// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "runner/pace.hpp"

namespace volary::runner {

namespace {
constexpr double kMostDebt = 0.1;  // s
// below this the scheduler's own delay is the larger part
constexpr double kShortestSleep = 5e-4;  // s
}  // namespace

Pace::Pace(double tick, const Clock& clock) : clock_(&clock), tick_(tick) { began_ = start_ = clock.now(); }

void Pace::start(double factor) {
  factor_ = factor;
  paced_ = 0;
  if (factor > 0) start_ = clock_->now();
}

double Pace::after(std::uint64_t ticks) {
  ticks_ += ticks;
  if (factor_ <= 0) return 0;
  paced_ += ticks;
  const double due = start_ + static_cast<double>(paced_) * tick_ / factor_, ahead = due - clock_->now();
  if (ahead >= kShortestSleep) return due;
  if (ahead >= 0) return 0;
  ++overruns_;
  if (-ahead <= kMostDebt) return 0;
  start_ -= ahead;
  forgiven_ -= ahead;
  return 0;
}

double Pace::real_time_factor() const {
  const double seconds = elapsed();
  return seconds > 0 ? static_cast<double>(ticks_) * tick_ / seconds : 0;
}

}  // namespace volary::runner
