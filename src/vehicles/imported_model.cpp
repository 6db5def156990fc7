// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/imported_model.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/suggest.hpp"

namespace volary::airframe {

namespace {

constexpr double kFoot = 0.3048;                 // m, exact
constexpr double kPound = 0.45359237;            // kg, exact
constexpr double kGravity = 9.80665;             // m/s2, exact
constexpr double kPoundForce = kPound * kGravity;  // N
constexpr double kSlug = kPoundForce / kFoot;    // kg
constexpr double kDegree = 0.017453292519943295;
constexpr double kKnot = 1852.0 / 3600.0;        // m/s

// units of AIAA S-119, as its files write them
constexpr std::pair<std::string_view, double> kUnits[] = {
    {"nd", 1},
    {"", 1},
    {"frac", 1},
    {"pct", 1},  // kept as written: 0..100
    {"rad", 1},
    {"deg", kDegree},
    {"rad_s", 1},
    {"deg_s", kDegree},
    {"s", 1},
    {"m", 1},
    {"ft", kFoot},
    {"m2", 1},
    {"ft2", kFoot* kFoot},
    {"m_s", 1},
    {"ft_s", kFoot},
    {"nmi_h", kKnot},
    {"kg", 1},
    {"slug", kSlug},
    {"kgm2", 1},
    {"slugft2", kSlug* kFoot* kFoot},
    {"N", 1},
    {"lbf", kPoundForce},
    {"Nm", 1},
    {"ftlbf", kPoundForce* kFoot},
    {"Pa", 1},
    {"lbf_ft2", kPoundForce / (kFoot * kFoot)},
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

core::Error error_in(const ImportedModel& model, int line, std::string message, std::string suggestion) {
  core::Error error;
  error.file = model.file;
  error.line = line;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

template <class Wanted> std::vector<std::string> names_of(const ImportedModel& model, Wanted wanted) {
  std::vector<std::string> names;
  for (const ImportedVariable& v : model.variables)
    if (wanted(v)) names.push_back(v.name);
  return names;
}

core::Result<Port> port_of(const ImportedModel& model, const ImportedVariable& v, std::int32_t slot) {
  const double scale = si_per_unit(v.unit);
  if (scale > 0) return Port{slot, scale};
  std::vector<std::string> known;
  for (const auto& [unit, factor] : kUnits) known.emplace_back(unit);
  return error_in(model, v.line, "'" + v.name + "' is in '" + v.unit + "', a unit that is not known", core::did_you_mean(v.unit, known));
}

}  // namespace

double si_per_unit(std::string_view unit) {
  const auto* found = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const auto& known) { return known.first == unit; });
  return found == std::end(kUnits) ? 0 : found->second;
}

const ImportedVariable* ImportedModel::find(std::string_view wanted) const {
  const std::string key = lower(wanted);
  for (const ImportedVariable& v : variables)
    if (lower(v.name) == key) return &v;
  return nullptr;
}

const ImportedVariable* ImportedModel::find_id(std::string_view id) const {
  for (const ImportedVariable& v : variables)
    if (v.id == id) return &v;
  return nullptr;
}

core::Result<Port> input_port(const ImportedModel& model, std::string_view name) {
  const ImportedVariable* v = model.find(name);
  if (v != nullptr && v->is_input) return port_of(model, *v, v->set_slot);
  const std::vector<std::string> known = names_of(model, [](const ImportedVariable& x) { return x.is_input; });
  return error_in(model, v != nullptr ? v->line : 0, "'" + std::string(name) + "' is not an input of this model", core::did_you_mean(name, known));
}

core::Result<Port> output_port(const ImportedModel& model, std::string_view name) {
  const ImportedVariable* v = model.find(name);
  if (v != nullptr && v->is_output) return port_of(model, *v, v->slot);
  const std::vector<std::string> known = names_of(model, [](const ImportedVariable& x) { return x.is_output; });
  return error_in(model, v != nullptr ? v->line : 0, "'" + std::string(name) + "' is not an output of this model", core::did_you_mean(name, known));
}

}  // namespace volary::airframe
