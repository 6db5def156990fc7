// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The wall as a runner sees it. Tests give it a clock that moves only when told.
#pragma once

#include <condition_variable>
#include <mutex>

namespace volary::runner {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() const = 0;             // s, never goes back
  virtual void sleep_until(double time) = 0;  // s; returns earlier when woken
  virtual void wake() = 0;                    // from any thread; between two sleeps it ends the next one at once
};

// the machine's steady clock
double steady_now();  // s
class SteadyClock final : public Clock {
 public:
  double now() const override { return steady_now(); }
  void sleep_until(double time) override;
  void wake() override;

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  bool is_woken_ = false;
};

}  // namespace volary::runner
