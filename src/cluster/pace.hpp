// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The period between ticks on the wall when nodes are overloaded. The step of the simulation never changes: what changes is how fast it runs against the clock.
// Every half second: a load (95th percentile of compute time over period) above 0.7, or answers more than two ticks later than their target, lengthens the
// period by a quarter; five seconds below 0.5 and within the target shorten it by a tenth, never below what was asked for.
#pragma once

#include <algorithm>
#include <vector>

#include "cluster/message.hpp"

namespace volary::cluster {

class Pace {
 public:
  static constexpr Time kEvery = 500'000'000, kCalm = 5'000'000'000, kLongest = 1'000'000'000;

  void add(std::uint32_t compute_us, Tick lag) {
    computes_.push_back(compute_us);
    lags_.push_back(lag);
  }
  // the period from now on; `wanted` is what the user asked for, `delay` the 95th percentile of the way to a node and back
  Time decide(Time now, Time period, Time wanted, Time delay) {
    if (computes_.empty()) return period;
    is_overloaded_ = false;
    const Time compute = static_cast<Time>(percentile_95(computes_)) * 1000;
    const auto lag = static_cast<Time>(percentile_95(lags_));
    computes_.clear(), lags_.clear();
    const Time target = (delay + compute + period - 1) / period + 1;
    if (compute * 10 > period * 7 || lag > target + 2) {
      calm_since_ = now;
      is_overloaded_ = true;
      return std::min(period + period / 4, std::max(kLongest, wanted));
    }
    if (compute * 2 >= period || lag > target) calm_since_ = now;
    if (now - calm_since_ < kCalm) return period;
    calm_since_ = now;
    return std::max(period - period / 10, wanted);
  }
  bool is_overloaded() const { return is_overloaded_; }  // by the last decision

 private:
  template <class T> static T percentile_95(std::vector<T>& x) {
    const auto at = x.begin() + static_cast<std::ptrdiff_t>(x.size() * 95 / 100 == x.size() ? x.size() - 1 : x.size() * 95 / 100);
    std::nth_element(x.begin(), at, x.end());
    return *at;
  }
  std::vector<std::uint32_t> computes_;
  std::vector<Tick> lags_;
  Time calm_since_ = 0;
  bool is_overloaded_ = false;
};

}  // namespace volary::cluster
