// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Age of information: how old what a consumer holds is, at every moment (Kaul, Yates, Gruteser, "Real-time status: how often should one update?", INFOCOM 2012).
// The age grows with time and falls when something newer comes; its mean is the area of that sawtooth, added up exactly, and its percentiles come from the
// time that it spends in every tenth of a millisecond.
#pragma once

#include <array>
#include <vector>

#include "cluster/impairment.hpp"

namespace volary::cluster {

class AgeMeter {
 public:
  // nothing counts before `begin`
  explicit AgeMeter(Time begin = 0) : begin_(begin), parts_(kBins + 1), slopes_(kBins + 2) {}
  // from `now` on, the newest that is held was generated then; anything older than what is held changes nothing
  void hold(Time now, Time generated);
  void finish(Time now) { add_until(now); }

  bool is_empty() const { return duration_ == 0; }
  double mean() const { return duration_ == 0 ? 0 : area_ / static_cast<double>(duration_) * 1e-9; }  // s
  double percentile(double share) const;  // s, the upper end of its bin
  Time held() const { return generated_; }

 private:
  static constexpr Time kBin = 100'000;  // ns
  static constexpr std::size_t kBins = 50'000;
  void add_until(Time now);

  Time begin_, last_ = 0, generated_ = -1, duration_ = 0;
  double area_ = 0;  // ns^2
  std::vector<double> parts_;  // ns in every bin that a stretch began or ended in
  std::vector<std::int64_t> slopes_;  // bins that were passed wholly: +1 where that begins, -1 where it ends
};

// What the mean age of periodic updates would be: period and delay in seconds.
//   equation (A), exact where no update overtakes another:  E[D] + T (1 + p) / (2 (1 - p))
double age_without_overtaking(double period, double delay, double loss);
// The same for delays that are drawn evenly from delay - jitter to delay + jitter, where the newest counts whichever arrives first, and every update is sent
// `copies` times, `apart` seconds one after the other: the floor under any measurement, to 0.05 ms.
double age_floor(double period, const ImpairmentOptions& leg, int copies = 1, double apart = 0);

}  // namespace volary::cluster
