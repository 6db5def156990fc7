// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/hardware/spread.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace volary::autopilot {

namespace {

constexpr int kBits = 7;
constexpr std::uint64_t kParts = std::uint64_t{1} << kBits;  // of each power of two
constexpr double kLongest = 1e6;                             // s; longer ones count as this

// Below kParts a part is a nanosecond wide, above that the 128th of a power of two.
std::size_t part_of(std::uint64_t ns) {
  if (ns < kParts) return static_cast<std::size_t>(ns);
  const int shift = std::bit_width(ns) - 1 - kBits;
  return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * kParts + (ns >> shift));
}
double middle_of(std::size_t part) {
  if (part < kParts) return static_cast<double>(part);
  const int shift = static_cast<int>(part / kParts) - 1;
  const std::uint64_t low = (kParts + part % kParts) << shift;
  return static_cast<double>(low) + 0.5 * static_cast<double>((std::uint64_t{1} << shift) - 1);
}

}  // namespace

void Spread::add(double seconds) {
  const double x = seconds > 0 ? std::min(seconds, kLongest) : 0;  // 0 for what is not a number
  ++count_;
  const double before = x - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (x - mean_);
  max_ = std::max(max_, x);
  const std::size_t part = part_of(static_cast<std::uint64_t>(std::llround(x * 1e9)));
  if (part >= counts_.size()) counts_.resize(part + 1);
  ++counts_[part];
}

double Spread::deviation() const { return count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_ - 1)) : 0; }

double Spread::quantile(double share) const {
  if (count_ == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t part = 0; part < counts_.size(); ++part) {
    seen += counts_[part];
    if (seen > 0 && seen >= rank) return std::min(middle_of(part) * 1e-9, max_);
  }
  return max_;
}

}  // namespace volary::autopilot
