// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Keyed random numbers: a draw is a function of (seed, world, episode, agent id, purpose, tick, draw) and of nothing
// else. There is no stream to share, to save, or to shift when somebody else draws more.
// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include "math/wide.hpp"

namespace volary::inline VOLARY_ISA::math {

// one number per use, for ever: reusing or renumbering changes every run
enum class Purpose : std::uint32_t {
  Gust = 1,
  Placement = 2,
  Behaviour = 3,
  Shadowing = 4,
  Fading = 5,
  MediumAccess = 6,
  Loss = 7,
  Estimate = 8,
  Script = 9,
  Variant = 10,
  Start = 11,
  Wind = 12,
  Airframe = 13,
  Goal = 16,
  Turbulence = 20,
  Impairment = 30,
  // sensors; an IMU takes the four numbers from Imu on, 256 integration steps each. 40 was the noise that autopilots were given before there were sensors
  Imu = 41,
  ImuWalk = 45,
  TurnOn = 47,
  Gnss = 48,
  Barometer = 49,
  Magnetometer = 50,
  Airspeed = 51,
  RangeFinder = 52,
  OpticalFlow = 53,
  UwbAnchors = 54,
  UwbPeers = 55,
  MotionCapture = 56,
  Odometry = 57,
  FaultNoise = 58,
  FaultTimes = 59,
  Campaign = 60,
  OwnSensor = 61,
  EstimateStart = 62,
  FaultDrop = 63,
  Test = 255
};

// 32-bit words, one per lane of B (std::uint32_t, std::uint64_t or their wide forms)
template <class B> struct Words4 {
  B w[4];
};
template <class B> struct RandomKey {
  B lo, hi;
};

template <class B> VOLARY_HD B word(std::uint32_t x) { return B(x); }

template <class B> VOLARY_HD Words4<B> philox_round(const Words4<B>& c, const RandomKey<B>& k) {
  B hi0, lo0, hi1, lo1;
  mul32(word<B>(0xD2511F53u), c.w[0], hi0, lo0);
  mul32(word<B>(0xCD9E8D57u), c.w[2], hi1, lo1);
  return {{(hi1 ^ c.w[1]) ^ k.lo, lo1, (hi0 ^ c.w[3]) ^ k.hi, lo0}};
}

template <class B> VOLARY_HD Words4<B> philox(Words4<B> counter, RandomKey<B> key) {
  const B mask = word<B>(0xffffffffu);  // 64-bit lanes hold 32-bit words
  for (int round = 0; round < 10; ++round) {
    counter = philox_round(counter, key);
    key = {(key.lo + word<B>(0x9E3779B9u)) & mask, (key.hi + word<B>(0xBB67AE85u)) & mask};
  }
  return counter;
}

// The key of one world in one of its episodes: its seed and its number, mixed by Philox itself.
VOLARY_HD RandomKey<std::uint32_t> world_key(std::uint64_t seed, std::uint32_t world, std::uint32_t episode = 0) {
  const Words4<std::uint32_t> mixed =
      philox<std::uint32_t>({{world, 0x566f6c61u, 0x72790000u, episode}}, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return {mixed.w[0], mixed.w[1]};
}

// The one packing of a draw: ticks have 48 bits, draws 8, purposes 8, ids 64.
template <class B>
VOLARY_HD Words4<B> random_words(const RandomKey<B>& key, B id_lo, B id_hi, Purpose purpose, std::uint64_t tick, std::uint32_t draw) {
  const std::uint32_t tail = (static_cast<std::uint32_t>(purpose) << 24) | ((draw & 0xffu) << 16) | static_cast<std::uint32_t>((tick >> 32) & 0xffffu);
  return philox<B>({{word<B>(static_cast<std::uint32_t>(tick)), id_lo, id_hi, word<B>(tail)}}, key);
}
// The same where every lane has a tick of its own: its low 32 bits, and the 16 above them.
template <class B>
VOLARY_HD Words4<B> random_words(const RandomKey<B>& key, B id_lo, B id_hi, Purpose purpose, B tick_lo, B tick_hi, std::uint32_t draw) {
  const std::uint32_t tail = (static_cast<std::uint32_t>(purpose) << 24) | ((draw & 0xffu) << 16);
  return philox<B>({{tick_lo, id_lo, id_hi, word<B>(tail) | tick_hi}}, key);
}

}  // namespace volary::inline VOLARY_ISA::math
