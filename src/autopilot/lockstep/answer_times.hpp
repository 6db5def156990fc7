// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How fast a run in lock-step goes and whom it waits for, measured over about a second. Times are those of the caller's clock, in seconds.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace volary::autopilot {

class AnswerTimes {
 public:
  struct Figures {
    double rate = 0;    // exchanges per second
    double factor = 0;  // simulated seconds per second
    double wait = 0;    // mean time until all had answered
    std::optional<std::size_t> slowest;  // whose answers took longest
    double slowest_wait = 0;             // their mean time
  };

  AnswerTimes() = default;
  AnswerTimes(std::size_t n, double period) : period_(period), waits_(n) {}  // period: simulated, between two exchanges

  void asked(double now);
  void answered(std::size_t k, double now);  // counts once for each question
  void done(double now);                     // all have answered, or are waited for no more
  void restart();                            // time has stood still
  const Figures& figures() const { return figures_; }

 private:
  struct Wait {
    double sum = 0;
    bool is_counted = false;
  };
  double period_ = 0;
  std::vector<Wait> waits_;
  std::optional<double> since_;  // of the figures that are being gathered
  double asked_ = 0, sum_ = 0;
  std::size_t n_ = 0;
  Figures figures_;
};

}  // namespace volary::autopilot
