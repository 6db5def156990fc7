// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/propagation.hpp"

namespace volary::swarm {

namespace {

constexpr double kLightSpeed = 299792458.0, kPi = 3.141592653589793;
constexpr double kReachSigmas = 3, kReachFading = 10;  // dB of luck in fading
constexpr double kEdge = 0.1;                          // dB: a range that was worked out by hand is good to that

// the normal distribution function by its Taylor series, good where |x| is below 6
double normal_distribution(double x, double& density) {
  density = 0.3989422804014327 * math::exp(-0.5 * x * x);
  double term = x, sum = x;
  for (int k = 3; k < 200; k += 2) {
    term *= x * x / k;
    sum += term;
    if (math::abs(term) < 1e-17 * math::abs(sum)) break;
  }
  return 0.5 + density * sum;
}

// 10^(sigma z / 10) at the quantiles (i + 1/2) / 4096 of z: the tails end at 3.7 sigma
std::vector<double> shadowing_table(double sigma_db) {
  constexpr int kSize = 4096;
  std::vector<double> table(kSize);
  double z = 0;
  for (int i = kSize / 2; i < kSize; ++i) {
    // Newton's method from the quantile before
    for (int round = 0; round < 6; ++round) {
      double density = 0;
      const double p = normal_distribution(z, density);
      z += ((i + 0.5) / kSize - p) / density;
    }
    table[static_cast<std::size_t>(i)] = from_decibels(sigma_db * z);
    table[static_cast<std::size_t>(kSize - 1 - i)] = from_decibels(-sigma_db * z);
  }
  return table;
}

}  // namespace

Propagation::Propagation(const RadioDef& def)
    : model(def.model), range(def.range), capture(def.capture), exponent_(def.exponent), reference_(def.reference_distance) {
  noise = units_of_dbm(def.noise);
  threshold = from_decibels(def.sinr);
  needed = noise * threshold;
  sense = units_of_dbm(def.sense);
  has_shadowing = model == RadioModel::LogDistance && def.shadowing > 0;
  has_fading = model == RadioModel::LogDistance && def.fading == Fading::Rayleigh;
  obstructed = from_decibels(-math::min(def.obstruction, 400.0));
  if (def.obstruction > 400 || (model == RadioModel::Disc && def.obstruction > 0)) obstructed = 0;

  const double twice = 2 * exponent_;
  quarters = twice == math::floor(twice) && twice >= 4 && twice <= 12 ? static_cast<int>(twice) : 0;
  per_reference2 = 1 / (reference_ * reference_);
  const double wave = kLightSpeed / def.frequency / (4 * kPi * reference_);
  reference_gain_ = wave * wave * kUnitsPerWatt;

  reach_margin_ = from_decibels((has_shadowing ? kReachSigmas * def.shadowing : 0) + (has_fading ? kReachFading : 0));
  // without luck nobody hears beyond the very edge, so that nobody there is in reach
  in_reach = has_shadowing || has_fading ? needed * from_decibels(-kEdge) : needed;
  // the mean of a log-normal factor: sigma^2 ln(10) / 20 dB above its median
  mean_shadowing_ = has_shadowing ? from_decibels(def.shadowing * def.shadowing * 0.11512925464970229) : 1;
  if (has_shadowing) shadowing_ = shadowing_table(def.shadowing);
}

double Propagation::mean(double at_reference, double distance2) const {
  const double x2 = distance2 * per_reference2;
  if (x2 < 1) return at_reference / math::max(x2, 1e-12);
  switch (quarters) {
    case 4: return at_reference / quarter_power<4>(x2);
    case 5: return at_reference / quarter_power<5>(x2);
    case 6: return at_reference / quarter_power<6>(x2);
    case 7: return at_reference / quarter_power<7>(x2);
    case 8: return at_reference / quarter_power<8>(x2);
    case 9: return at_reference / quarter_power<9>(x2);
    case 10: return at_reference / quarter_power<10>(x2);
    case 11: return at_reference / quarter_power<11>(x2);
    case 12: return at_reference / quarter_power<12>(x2);
    default: return at_reference / math::pow(x2, 0.5 * exponent_);
  }
}

double Propagation::distance_of(double at_reference, double units) const {
  const double ratio = at_reference / units;
  return reference_ * (ratio < 1 ? math::sqrt(ratio) : math::pow(ratio, 1 / exponent_));
}

double Propagation::shadowing(const Key& world, std::uint64_t a, std::uint64_t b) const {
  // the lower of the two ids makes a key, the higher one draws from it
  const std::uint64_t low = a < b ? a : b, high = a < b ? b : a;
  const auto node =
      math::random_words<std::uint32_t>(world, static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), math::Purpose::Shadowing, 0, 0);
  const std::uint32_t word = packet_word({node.w[0], node.w[1]}, high, math::Purpose::Shadowing);

  const double last = static_cast<double>(shadowing_.size()) - 1;
  const double place = math::clamp(static_cast<double>(word) * 0x1p-20 - 0.5, 0.0, last);
  const std::size_t i = static_cast<std::size_t>(math::min(math::floor(place), last - 1));
  return shadowing_[i] + (place - static_cast<double>(i)) * (shadowing_[i + 1] - shadowing_[i]);
}

double Propagation::fading(const Key& packet, std::uint64_t receiver) {
  return -quick_log((static_cast<double>(packet_word(packet, receiver, math::Purpose::Fading)) + 0.5) * 0x1p-32);
}

// a little further than the boundary itself, where the power decides
double Propagation::reach(double at_reference) const {
  return model == RadioModel::Disc ? range : 1.000001 * distance_of(at_reference * reach_margin_, needed);
}
double Propagation::cut_off(double at_reference) const {
  if (model == RadioModel::Disc) return capture ? 0 : range;
  return distance_of(at_reference * mean_shadowing_, kAddsTooLittle * noise);
}
double Propagation::sense_cut_off(double at_reference) const {
  return model == RadioModel::Disc ? range : distance_of(at_reference * mean_shadowing_, kAddsTooLittle * sense);
}

Key packet_key(const Key& world, std::uint64_t sender, std::uint64_t number, math::Purpose purpose) {
  const auto w = math::random_words<std::uint32_t>(world, static_cast<std::uint32_t>(sender), static_cast<std::uint32_t>(sender >> 32), purpose, number >> 8,
                                                   static_cast<std::uint32_t>(number & 0xff));
  return {w.w[0], w.w[1]};
}
std::uint32_t packet_word(const Key& packet, std::uint64_t receiver, math::Purpose purpose) {
  return math::random_words<std::uint32_t>(packet, static_cast<std::uint32_t>(receiver), static_cast<std::uint32_t>(receiver >> 32), purpose, 0, 1).w[0];
}

}  // namespace volary::swarm
