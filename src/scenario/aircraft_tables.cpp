// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/aircraft_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "math/functions.hpp"
#include "scenario/coefficient_table.hpp"
#include "scenario/field_error.hpp"
#include "scenario/propeller_table.hpp"

namespace volary::scenario {

namespace {

using airframe::AircraftDef;
using airframe::AircraftRotorDef;

constexpr const char* kAxisNames[] = {"elevator", "aileron", "rudder", "flap", "mach", "speed"};

// What the derivatives of the surface that is an axis of the table add at a deflection: CL CD CY Cl Cm Cn.
std::array<double, kCoefficients> by_derivatives(const AircraftDef& d, ThirdAxis surface, double x) {
  switch (surface) {
    case ThirdAxis::Elevator: return {d.lift.elevator * x, d.drag.elevator * math::abs(x), 0, 0, d.pitch.elevator * x, 0};
    case ThirdAxis::Aileron: return {d.lift_aileron * x, d.drag.aileron * math::abs(x), d.side.aileron * x, d.roll.aileron * x, 0, d.yaw.aileron * x};
    case ThirdAxis::Rudder: return {0, 0, d.side.rudder * x, d.roll.rudder * x, 0, d.yaw.rudder * x};
    default: return {};
  }
}

// The model adds derivatives per deflection to whatever the table says, because its controllers are set by them. Where the table knows a surface
// itself, that part is taken out of the table: the sum is what was measured.
void take_out_derivatives(CoefficientTable& table, const AircraftDef& def) {
  const std::size_t n = table.third_values.size();
  for (std::size_t k = 0; k < table.values.size(); ++k) {
    const std::size_t node = k / kCoefficients;
    table.values[k] -= by_derivatives(def, *table.third, table.third_values[node % n])[k % kCoefficients];
  }
}

core::Status read_coefficients(AircraftDef& def, const ReadTable& read) {
  const core::Result<TableText> file = read(def.table, "table");
  if (!file) return file.error();
  core::Result<CoefficientTable> result = read_coefficient_table(file.value().text, file.value().path);
  if (!result) return result.error();
  CoefficientTable& table = result.value();
  def.table_axis = table.third ? kAxisNames[static_cast<std::size_t>(*table.third)] : "";
  if (table.third == ThirdAxis::Flap || table.third == ThirdAxis::Mach)
    return error_at("table", fmt::format("{} has the axis {}, which this model does not support", def.table, def.table_axis),
                    fmt::format("keep the rows of one {}, and leave the column out", def.table_axis));
  // whoever measured without sideslip leaves it to the derivatives
  spread_over_sideslip(table, {0, 0, def.side.beta, def.roll.beta, 0, def.yaw.beta});
  def.table_beta = true;
  if (table.third) take_out_derivatives(table, def);
  core::Result<std::vector<double>> blob = make_blob(table);
  if (!blob) return error_at("table", blob.error().message);
  def.table_blob = std::move(blob).value();
  return core::ok();
}

core::Status read_propeller(AircraftRotorDef& rotor, const std::string& path, const ReadTable& read) {
  const core::Result<TableText> file = read(rotor.table, path + ".table");
  if (!file) return file.error();
  core::Result<PropellerTable> table = read_propeller_table(file.value().text, file.value().path, {rotor.propeller, rotor.rpm});
  if (!table) return table.error();
  const double diameter = table.value().diameter;
  if (diameter > 0 && math::abs(diameter - 2 * rotor.radius) > 0.02 * diameter)
    return error_at(path + ".radius", fmt::format("the propeller of {} has a radius of {:.4g} m, but the rotor has {:.4g} m", rotor.table, diameter / 2, rotor.radius),
                    "choose another propeller, or set the radius of this one");
  rotor.table_blob = std::move(table.value().blob);
  return core::ok();
}

}  // namespace

core::Status read_tables(AircraftDef& def, const ReadTable& read) {
  if (!def.table.empty())
    if (const core::Status s = read_coefficients(def, read); !s) return s;
  for (std::size_t i = 0; i < def.rotors.size(); ++i)
    if (!def.rotors[i].table.empty())
      if (const core::Status s = read_propeller(def.rotors[i], fmt::format("rotors[{}]", i), read); !s) return s;
  return core::ok();
}

}  // namespace volary::scenario
