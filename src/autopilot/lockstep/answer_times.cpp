// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/answer_times.hpp"

namespace volary::autopilot {

namespace {

constexpr double kWindow = 1;  // s

}  // namespace

void AnswerTimes::asked(double now) {
  if (!since_) since_ = now;
  asked_ = now;
  for (Wait& w : waits_) w.is_counted = false;
}

void AnswerTimes::answered(std::size_t k, double now) {
  Wait& w = waits_[k];
  if (w.is_counted) return;
  w.is_counted = true;
  w.sum += now - asked_;
}

void AnswerTimes::done(double now) {
  if (!since_) return;
  sum_ += now - asked_;
  ++n_;
  const double passed = now - *since_, n = static_cast<double>(n_);
  if (passed < kWindow) return;
  figures_ = {n / passed, n * period_ / passed, sum_ / n, {}, 0};
  for (std::size_t k = 0; k < waits_.size(); ++k)
    if (waits_[k].sum / n > figures_.slowest_wait) figures_.slowest = k, figures_.slowest_wait = waits_[k].sum / n;
  restart();
  since_ = now;
}

void AnswerTimes::restart() {
  since_.reset();
  sum_ = 0, n_ = 0;
  for (Wait& w : waits_) w.sum = 0;
}

}  // namespace volary::autopilot
