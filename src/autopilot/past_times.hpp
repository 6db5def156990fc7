// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which simulated time it was at a time of the wall, for things that happen outside of the world. A run that goes at the speed of the wall needs one line for all of
// it, and one more after every pause.
#pragma once

#include <cstddef>
#include <deque>

namespace volary::autopilot {

class PastTimes {
 public:
  static constexpr std::size_t kMost = 1000;  // what is older than that many changes of pace counts as the oldest of them

  void see(double wall, double simulated);  // s, after every tick
  double at(double wall) const;             // s; what happened in a pause has the time of the pause
  void clear() { *this = {}; }

 private:
  struct Pair {
    double wall = 0, simulated = 0;  // s
  };
  std::deque<Pair> begins_;  // of stretches at the speed of the wall
  Pair last_;
};

}  // namespace volary::autopilot
