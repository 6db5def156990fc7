// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How much of a sender's power arrives: free space up to a reference distance, a power of the distance beyond, a normal number of
// decibels per link for what stands about (shadowing), an exponential factor per packet for its echoes (Rayleigh fading).
// docs/radio.md has the equations and their sources.
//
// Received power is counted in units of 2^-60 W (0.87 aW, -150.6 dBm), and sums of it in integers, so that their order does not
// matter. One interferer counts with at most 2^50 units (0 dBm: every receiver is overdriven by then).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/functions.hpp"
#include "math/random.hpp"
#include "math/vec.hpp"
#include "volary/swarm.hpp"

namespace volary::swarm {

using V3 = math::Vec3<double>;
using Key = math::RandomKey<std::uint32_t>;

inline constexpr double kUnitsPerWatt = 0x1p60;
inline constexpr double kMostUnits = 0x1p50;
inline constexpr double kAddsTooLittle = 0.002305238;  // 10^0.001 - 1: an interferer weaker than this part of the noise adds under 0.01 dB to it

// The natural logarithm of a positive normal number, good to 1e-9. math::log is good to the last bit but asks for fused operations, which are
// function calls on the instruction set that everything but the kernels is compiled for: ten times the time.
inline double quick_log(double x) {
  constexpr std::uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd, fraction = 0x000fffffffffffff;
  const std::uint64_t moved = math::to_bits(x) + (one - root_half);
  const double exponent = static_cast<double>(static_cast<std::int64_t>(moved >> 52) - 1023);
  const double m = math::from_bits((moved & fraction) + root_half);  // between sqrt(1/2) and sqrt(2)
  const double s = (m - 1) / (m + 1), z = s * s, z2 = z * z;
  const double series = (1 + z * (1.0 / 3)) + z2 * ((1.0 / 5 + z * (1.0 / 7)) + z2 * (1.0 / 9 + z * (1.0 / 11)));
  return exponent * 0.6931471805599453 + 2 * s * series;
}
// 10 log10(ratio), but never below -200
inline double decibels(double ratio) { return 4.342944819032518 * quick_log(math::max(ratio, 1e-20)); }
inline double from_decibels(double db) { return math::exp(0.23025850929940458 * db); }
inline double units_of_dbm(double dbm) { return from_decibels(dbm - 30) * kUnitsPerWatt; }

// (x^2)^(Q/4) where x is given squared: x^(Q/2), by products and square roots
template <int Q> VOLARY_HD double quarter_power(double x2) {
  double p = 1;
  for (int k = 0; k < Q / 4; ++k) p *= x2;
  if constexpr (Q % 4 >= 2) p *= math::sqrt(x2);
  if constexpr (Q % 2 == 1) p *= math::sqrt(math::sqrt(x2));
  return p;
}

class Propagation {
 public:
  explicit Propagation(const RadioDef& def);

  // units that arrive at the reference distance from a sender of this power (Friis 1946, isotropic antennas)
  double at_reference(double dbm) const { return from_decibels(dbm - 30) * reference_gain_; }
  // units that arrive at a distance on average, given its square
  double mean(double at_reference, double distance2) const;
  // m: where the mean has fallen to so many units
  double distance_of(double at_reference, double units) const;

  // The factor of a link, the same both ways and at all times (normal in dB).
  double shadowing(const Key& world, std::uint64_t a, std::uint64_t b) const;
  // the factor of a packet at a receiver: exponential with mean 1
  static double fading(const Key& packet, std::uint64_t receiver);

  // m: nobody beyond is asked whether it hears. Shadowing and fading may carry further, with a probability under 0.14 %.
  double reach(double at_reference) const;
  // m: an interferer beyond adds, in the mean of its shadowing, under 0.01 dB to the noise
  double cut_off(double at_reference) const;
  // m: carrier sense: beyond it adds under 0.01 dB to the threshold
  double sense_cut_off(double at_reference) const;

  RadioModel model;
  double noise;       // units
  double threshold;   // what signal over noise must be, as a ratio
  double needed;      // units: noise * threshold
  double in_reach;    // units: a receiver that gets so much on average counts as one in reach
  double sense;       // units
  double obstructed;  // factor of a link with something in between; 1: radio goes through
  double range;       // m, of a disc
  bool has_shadowing, has_fading, capture;
  int quarters;               // twice the exponent where that is a whole number from 4 to 12, else 0
  double per_reference2;      // 1/m^2: distance^2 to (distance / reference)^2

 private:
  double reference_gain_, exponent_, reference_;
  double reach_margin_, mean_shadowing_;  // factors
  std::vector<double> shadowing_;         // factor by quantile
};

// the key of what is drawn for one packet
Key packet_key(const Key& world, std::uint64_t sender, std::uint64_t number, math::Purpose purpose);
// a number in [0, 1) from a packet and a receiver
std::uint32_t packet_word(const Key& packet, std::uint64_t receiver, math::Purpose purpose);

inline double distance2(const V3& a, const V3& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

}  // namespace volary::swarm
