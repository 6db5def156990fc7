// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A model that came from a file as named inputs and outputs around a calculation: aerodynamics, thrust, mass or control in
// AIAA S-119 (DAVE-ML) form. Names and units are those of the file; set() and get() convert from and to SI.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "math/calculation.hpp"

namespace volary::airframe {

struct ImportedVariable {
  std::string id;            // short, unique in the file
  std::string name;          // the standard's long name, such as angleOfAttack
  std::string unit;          // as written, such as deg or ft_s
  std::int32_t set_slot;     // where an input is put
  std::int32_t slot;         // where the value is found: the same, but for limits
  int line = 0;              // in the file
  bool is_input = false;     // nothing in the file computes it
  bool has_initial = false;  // an input that may be left alone
  bool is_output = false;
};

struct ImportedModel {
  std::string file, name;
  std::vector<ImportedVariable> variables;
  math::Calculation calculation;

  // by the standard's name, letters of either case (the standard's own examples differ), or null
  const ImportedVariable* find(std::string_view name) const;
  const ImportedVariable* find_id(std::string_view id) const;
};

// what one of `unit` is in SI: 1 ft_s is 0.3048 m/s; 0 when the unit is not known
double si_per_unit(std::string_view unit);

// the inputs and outputs of a model that somebody uses, looked up once; every one is an error when it is missing
struct Port {
  std::int32_t slot = -1;  // -1: the model does not have it
  double si_per_unit = 1;
};
core::Result<Port> input_port(const ImportedModel& model, std::string_view name);
core::Result<Port> output_port(const ImportedModel& model, std::string_view name);

inline void set(std::span<double> slots, const Port& port, double si) {
  if (port.slot >= 0) slots[static_cast<std::size_t>(port.slot)] = si / port.si_per_unit;
}
inline double get(std::span<const double> slots, const Port& port) { return slots[static_cast<std::size_t>(port.slot)] * port.si_per_unit; }

}  // namespace volary::airframe
