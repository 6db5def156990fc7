// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a radio definition must satisfy beyond the range of each field.
#include <string>

#include "swarm/radio/medium.hpp"

namespace volary::swarm {

namespace {

struct Bound {
  const char* field;
  double value, least, most;
};

core::Error wrong(const char* field, const std::string& message, const char* suggestion = "") {
  core::Error error;
  error.field = field;
  error.message = message;
  error.suggestion = suggestion;
  return error;
}

}  // namespace

core::Status check(const RadioDef& def) {
  const double infinite = math::infinity<double>();
  const Bound bounds[] = {{"range", def.range, 0, 1e9},
                          {"frequency", def.frequency, 1e3, 1e12},
                          {"exponent", def.exponent, 1, 8},
                          {"reference_distance", def.reference_distance, 1e-3, 1e4},
                          {"shadowing", def.shadowing, 0, 30},
                          {"noise", def.noise, -140, 30},
                          {"sinr", def.sinr, -40, 80},
                          {"obstruction", def.obstruction, 0, infinite},
                          {"loss", def.loss, 0, 1},
                          {"bit_rate", def.bit_rate, 1, 1e12},
                          {"preamble", def.preamble, 0, 10},
                          {"delay", def.delay, 0, 1e4},
                          {"queue", static_cast<double>(def.queue), 1, 1e6},
                          {"jitter", def.jitter, 0, 1e3},
                          {"slot", def.slot, 1e-6, 1e3},
                          {"probability", def.probability, 0, 1},
                          {"sense", def.sense, -140, 30},
                          {"backoff", static_cast<double>(def.backoff), 1, 1024}};
  for (const Bound& b : bounds)
    if (!(b.value >= b.least && b.value <= b.most))
      return wrong(b.field, std::to_string(b.value) + " is not between " + std::to_string(b.least) + " and " + std::to_string(b.most));

  if (def.model != RadioModel::Ideal && def.access == MediumAccess::SlottedAloha) {
    const double needed = static_cast<double>(Access(def, 0).longest()) * 1e-9;  // whatever the tick
    if (static_cast<double>(nanoseconds(def.slot)) * 1e-9 < needed)
      return wrong("slot",
                   "the longest message is on the air for " + std::to_string(needed * 1e6) + " us and does not fit into a slot of " +
                       std::to_string(def.slot * 1e6) + " us",
                   "make the slot longer or raise bit_rate");
  }
  return core::ok();
}

}  // namespace volary::swarm
