// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a number of runs says about all runs: means and success rates with 95 % confidence intervals, and differences of two
// batches. Own arithmetic throughout, so that a report has the same digits on every machine.
#pragma once

#include <cstdint>
#include <span>

namespace volary::cli {

// the value that Student's t with `degrees` of freedom (any positive number) stays below with probability p
double student_t_quantile(double p, double degrees);

struct Interval {
  double low = 0, high = 0;
};

struct Sample {
  std::uint64_t n = 0;
  double mean = 0, variance = 0;  // unbiased; 0 for a single value
};
Sample sample_of(std::span<const double> values);

// of the mean, by Student's t; needs two values at least
Interval mean_interval(const Sample& s);

// The interval of a probability after `hits` of n trials: Wilson's score interval (Wilson 1927), which stays within 0 to 1 and does not vanish at either end.
// Hits may be a sum of shares, such as the share of vehicles alive in each run. A run then counts as one trial, however many vehicles it has, because the
// vehicles of a run are not independent; the interval is wider than necessary, never narrower.
Interval wilson_interval(double hits, std::uint64_t n);

struct Difference {
  double value = 0;  // first less second
  Interval interval;
  bool significant = false;  // zero is outside the interval
};
// of two means with unequal variances (Welch 1947); needs two values of each at least
Difference mean_difference(const Sample& a, const Sample& b);
// of two probabilities, from their Wilson intervals (Newcombe 1998, method 10)
Difference rate_difference(double hits_a, std::uint64_t n_a, double hits_b, std::uint64_t n_b);

}  // namespace volary::cli
