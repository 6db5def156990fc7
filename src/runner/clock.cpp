// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "runner/clock.hpp"

#include <chrono>

namespace volary::runner {

using std::chrono::steady_clock;

double steady_now() { return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count(); }

void SteadyClock::sleep_until(double time) {
  const auto until = steady_clock::time_point(std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(time)));
  std::unique_lock lock(mutex_);
  woken_.wait_until(lock, until, [&] { return is_woken_; });
  is_woken_ = false;
}

void SteadyClock::wake() {
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
  }
  woken_.notify_all();
}

}  // namespace volary::runner
