// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is done to recorded signals before they are compared, to both sides alike: even time steps, low-pass filters, slopes, and the share of
// a signal that a model explains.
#pragma once

#include <cstddef>
#include <vector>

namespace volary::validation {

using Samples = std::vector<double>;

// a part of a recording, s as the file counts them
struct Span {
  double from = 0, to = 0;
  double length() const { return to - from; }
  bool holds(double t) const { return t >= from && t < to; }
};

// Values at 0, step, 2 step, ... after the first time: in between (what a sensor saw) or the last one before (what was commanded).
// `time` must grow.
Samples resample(const Samples& time, const Samples& values, double step);
Samples resample_held(const Samples& time, const Samples& values, double step);

// Butterworth's filter of second order; `cutoff` in Hz. It begins at rest on the first value.
Samples low_pass(const Samples& x, double cutoff, double step);
// forwards and backwards: fourth order and no delay
Samples smooth(const Samples& x, double cutoff, double step);

// first-order lag, exact for inputs that are held over a step
Samples lagged(const Samples& x, double time_constant, double step);

// central differences, one-sided at the ends
Samples slope(const Samples& x, double step);

// 1 - sum (y - model)^2 / sum (y - mean y)^2 over what is counted: gathered bit by bit
class Explained {
 public:
  void add(double measured, double model);
  void add(const Explained& other);
  std::size_t count() const { return n_; }
  double r2() const;         // not a number when nothing varies
  double deviation() const;  // standard deviation of what was measured
  double error() const;      // root mean square of measured minus model

 private:
  std::size_t n_ = 0;
  double mean_ = 0, squares_ = 0;  // of what was measured (Welford)
  double errors_ = 0;
};

}  // namespace volary::validation
