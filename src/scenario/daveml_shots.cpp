// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The static shots that a DAVE-ML file carries: inputs in, and every internal value and output compared.
#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/suggest.hpp"
#include "scenario/daveml.hpp"

namespace volary::scenario {

namespace {

using airframe::ImportedVariable;

core::Error error_in(const DaveModel& dave, int line, std::string message, std::string suggestion = "") {
  core::Error error;
  error.file = dave.model.file;
  error.line = line;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

core::Result<const ImportedVariable*> variable_of(const DaveModel& dave, const DaveSignal& signal) {
  const ImportedVariable* v = signal.by_id ? dave.model.find_id(signal.name) : dave.model.find(signal.name);
  if (v != nullptr) return v;
  std::vector<std::string> known;
  for (const ImportedVariable& x : dave.model.variables) known.push_back(signal.by_id ? x.id : x.name);
  return error_in(dave, signal.line, "the check names '" + signal.name + "', which is no variable", core::did_you_mean(signal.name, known));
}

double tolerance_of(const DaveSignal& signal) { return signal.tolerance > 0 ? signal.tolerance : std::max(1e-9, 1e-6 * math::abs(signal.value)); }

}  // namespace

core::Result<DaveSelfTest> run_self_test(const DaveModel& dave) {
  DaveSelfTest result;
  for (const DaveShot& shot : dave.shots) {
    std::vector<double> slots = dave.model.calculation.initial;
    for (const DaveSignal& signal : shot.inputs) {
      const core::Result<const ImportedVariable*> v = variable_of(dave, signal);
      if (!v) return v.error();
      slots[static_cast<std::size_t>(v.value()->set_slot)] = signal.value;
    }
    math::evaluate<double>(dave.model.calculation, slots);
    for (const std::vector<DaveSignal>* list : {&shot.internals, &shot.outputs}) {
      for (const DaveSignal& signal : *list) {
        const core::Result<const ImportedVariable*> v = variable_of(dave, signal);
        if (!v) return v.error();
        const double got = slots[static_cast<std::size_t>(v.value()->slot)];
        const double part = math::abs(got - signal.value) / tolerance_of(signal);
        if (!(part <= 1)) {
          return error_in(
              dave, signal.line,
              fmt::format("check '{}': {} is {:.9g}, the file says {:.9g} within {:.3g}", shot.name, signal.name, got, signal.value, tolerance_of(signal)));
        }
        if (result.signals == 0 || part > result.worst)
          result.worst = part, result.worst_difference = got - signal.value, result.worst_signal = signal.name, result.worst_shot = shot.name;
        ++result.signals;
      }
    }
    ++result.shots;
  }
  return result;
}

}  // namespace volary::scenario
