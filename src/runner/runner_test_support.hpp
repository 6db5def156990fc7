// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A clock that moves only when told; sleeping moves it.
#pragma once

#include <algorithm>
#include <functional>

#include "runner/clock.hpp"

namespace volary::test {

struct FakeClock final : runner::Clock {
  double time = 100, slept = 0;
  int sleeps = 0;
  std::function<void()> on_sleep = {};  // before every sleep: what others do meanwhile

  double now() const override { return time; }
  void sleep_until(double until) override {
    if (on_sleep) on_sleep();
    ++sleeps;
    slept += std::max(0.0, until - time);
    time = std::max(time, until);
  }
  void wake() override {}
};

}  // namespace volary::test
