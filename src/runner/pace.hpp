// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Real time on top of step(n): after every tick it says how long to wait until that much time has passed on the wall.
// It never changes the step; a run that cannot keep up falls behind, and debt over 0.1 s is forgiven, so
// that one stall is not followed by a race.
#pragma once

#include <cstdint>

#include "runner/clock.hpp"

namespace volary::runner {

class Pace {
 public:
  // a tick lasts `tick` s of simulated time
  Pace(double tick, const Clock& clock);

  // from now on `factor` simulated seconds per second; 0: as fast as it goes
  void start(double factor);
  // to be called after ticks were stepped; the moment at which the next one is due, 0: at once
  double after(std::uint64_t ticks);

  void stop() { stopped_ = clock_->now(); }  // the run is over: its time is as it is

  double real_time_factor() const;                                                 // since the beginning
  double elapsed() const { return (stopped_ > 0 ? stopped_ : clock_->now()) - began_; }  // s
  std::uint64_t overruns() const { return overruns_; }                             // calls that came later than they should
  double forgiven() const { return forgiven_; }                                    // s

 private:
  const Clock* clock_;
  double tick_, factor_ = 0;
  double began_ = 0, start_ = 0, stopped_ = 0;  // s; start_ moves when debt is forgiven
  std::uint64_t ticks_ = 0, paced_ = 0, overruns_ = 0;  // ticks_ since the beginning, paced_ since start_
  double forgiven_ = 0;
};

}  // namespace volary::runner
