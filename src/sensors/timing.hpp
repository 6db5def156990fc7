// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// When a sensor measures and when its reading arrives, in whole ticks.
#pragma once

#include <cstdint>

#include "math/scalar.hpp"
#include "volary/sensors.hpp"

namespace volary::inline VOLARY_ISA::sensors {

struct Timing {
  std::uint64_t period = 1, phase = 0, latency = 0;  // ticks
};

// Times are whole numbers of ticks: scenario/sensor_file.cpp refuses others.
inline Timing make_timing(const TimingDef& t, double tick) {
  const auto ticks = [tick](double seconds) { return static_cast<std::uint64_t>(math::round(seconds / tick)); };
  return {t.rate > 0 ? ticks(1 / t.rate) : 1, ticks(t.phase), ticks(t.latency)};
}
// seconds between two readings
inline double period_of(const TimingDef& t, double tick) { return static_cast<double>(make_timing(t, tick).period) * tick; }

// whether the state of a tick is measured
VOLARY_HD bool is_due(const Timing& t, std::uint64_t tick) { return tick >= t.phase && (tick - t.phase) % t.period == 0; }
// how many readings were made before that of this tick
VOLARY_HD std::uint64_t reading_number(std::uint64_t tick, std::uint64_t phase, std::uint64_t period) { return tick < phase ? 0 : (tick - phase) / period; }

// Readings wait in a ring until they arrive, and then until nobody needs them: a filter that works `horizon` ticks ago does.
inline std::uint64_t ring_entries(const Timing& t, std::uint64_t horizon) {
  const std::uint64_t oldest = t.latency > horizon ? t.latency : horizon;
  return (oldest + t.period - 1) / t.period + 1;
}
// the entry of a ring in which the reading of a tick lies
VOLARY_HD std::uint64_t ring_entry(const Timing& t, std::uint64_t tick, std::uint64_t entries) { return reading_number(tick, t.phase, t.period) % entries; }
// whether a reading arrives at a tick, and of which tick it is
VOLARY_HD bool arrives(const Timing& t, std::uint64_t tick, std::uint64_t& of_tick) {
  if (tick < t.latency) return false;
  of_tick = tick - t.latency;
  return is_due(t, of_tick);
}

}  // namespace volary::inline VOLARY_ISA::sensors
