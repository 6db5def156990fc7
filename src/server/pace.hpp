// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Real time on top of step(n): after every tick it waits until that much time has passed on the wall.
// It never changes the step; a run that cannot keep up falls behind, and debt over 0.1 s is forgiven, so
// that one stall is not followed by a race.
#pragma once

#include <cstdint>
#include <functional>

namespace volary::server {

class Pace {
 public:
  using Now = std::function<double()>;        // s
  using Sleep = std::function<void(double)>;  // s

  // `factor` simulated seconds per second; 0: as fast as it goes
  Pace(double factor, double tick, Now now, Sleep sleep);

  // to be called after ticks were stepped
  void after(std::uint64_t ticks);

  double real_time_factor() const;                      // since the start
  double elapsed() const { return now_() - began_; }    // s
  std::uint64_t overruns() const { return overruns_; }  // calls that came later than they should
  double forgiven() const { return forgiven_; }         // s

 private:
  double factor_, tick_;
  Now now_;
  Sleep sleep_;
  double began_ = 0, start_ = 0;  // start_ moves when debt is forgiven
  std::uint64_t ticks_ = 0, overruns_ = 0;
  double forgiven_ = 0;
};

// with the machine's steady clock
Pace make_pace(double factor, double tick);

}  // namespace volary::server
