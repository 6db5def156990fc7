// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/pace.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace volary::server {

namespace {
constexpr double kMostDebt = 0.1;        // s
constexpr double kShortestSleep = 5e-4;  // s: below this the scheduler's own delay is the larger part
}  // namespace

Pace::Pace(double factor, double tick, Now now, Sleep sleep) : factor_(factor), tick_(tick), now_(std::move(now)), sleep_(std::move(sleep)) {
  began_ = start_ = now_();
}

void Pace::after(std::uint64_t ticks) {
  ticks_ += ticks;
  if (factor_ <= 0) return;
  const double due = start_ + static_cast<double>(ticks_) * tick_ / factor_, ahead = due - now_();
  if (ahead >= kShortestSleep) return sleep_(ahead);
  if (ahead >= 0) return;
  ++overruns_;
  if (-ahead <= kMostDebt) return;
  start_ -= ahead;
  forgiven_ -= ahead;
}

double Pace::real_time_factor() const {
  const double seconds = elapsed();
  return seconds > 0 ? static_cast<double>(ticks_) * tick_ / seconds : 0;
}

Pace make_pace(double factor, double tick) {
  auto now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  auto sleep = [](double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); };
  return Pace(factor, tick, now, sleep);
}

}  // namespace volary::server
