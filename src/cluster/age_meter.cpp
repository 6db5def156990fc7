// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/age_meter.hpp"

#include <algorithm>

namespace volary::cluster {

void AgeMeter::hold(Time now, Time generated) {
  if (generated <= generated_) return;
  add_until(now);
  generated_ = generated;
  last_ = std::max(now, begin_);
}

void AgeMeter::add_until(Time now) {
  if (generated_ < 0 || now <= last_) return;
  const Time from = last_ - generated_, to = now - generated_;
  duration_ += to - from;
  area_ += 0.5 * (static_cast<double>(from) + static_cast<double>(to)) * static_cast<double>(to - from);
  last_ = now;

  // bins that the age began and ended in take what was spent in them, those between are counted at their ends
  const auto bin = [](Time age) { return std::min(static_cast<std::size_t>(std::max<Time>(age, 0) / kBin), kBins); };
  const std::size_t first = bin(from), end = bin(to);
  if (first == end) return void(parts_[first] += static_cast<double>(to - from));
  parts_[first] += static_cast<double>(static_cast<Time>(first + 1) * kBin - from);
  parts_[end] += static_cast<double>(to - static_cast<Time>(end) * kBin);
  ++slopes_[first + 1], --slopes_[end];
}

double AgeMeter::percentile(double share) const {
  double sum = 0;
  std::int64_t whole = 0;
  for (std::size_t k = 0; k <= kBins; ++k) {
    whole += slopes_[k];
    sum += parts_[k] + static_cast<double>(whole * kBin);
    if (sum >= share * static_cast<double>(duration_)) return static_cast<double>((static_cast<Time>(k) + 1) * kBin) * 1e-9;
  }
  return static_cast<double>(static_cast<Time>(kBins) * kBin) * 1e-9;
}

double age_without_overtaking(double period, double delay, double loss) { return delay + period * (1 + loss) / (2 * (1 - loss)); }

// The age exceeds a when none of the updates generated in the last a seconds has arrived; the mean is the integral of that probability.
double age_floor(double period, const ImpairmentOptions& leg, int copies, double apart) {
  const double least = leg.delay - leg.jitter, step = period / 200;
  const auto arrived = [&](double after) {
    if (after < least) return 0.0;
    const double share = leg.jitter > 0 ? std::min((after - least) / (2 * leg.jitter), 1.0) : 1.0;
    return (1 - leg.loss) * share;
  };
  constexpr int kPhases = 40;
  double mean = 0;
  for (int phase = 0; phase < kPhases; ++phase) {
    const double newest = period * (phase + 0.5) / kPhases;  // age of the last update that was generated
    double missing = 1;
    for (double a = step / 2; missing > 1e-7 && a < 100 * (period + leg.delay + leg.jitter); a += step) {
      missing = 1;
      for (double age = newest; age < a; age += period)
        for (int copy = 0; copy < copies; ++copy) missing *= 1 - arrived(age - copy * apart);
      mean += missing * step / kPhases;
    }
  }
  return mean;
}

}  // namespace volary::cluster
