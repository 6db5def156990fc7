// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/structure_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/faults.hpp"
#include "scenario/field_error.hpp"
#include "vehicles/effector_def.hpp"

namespace volary::scenario {

namespace {

constexpr double kShortestContact = 2;  // integration steps: MuJoCo pushes surfaces apart in no less
constexpr double kFastestSwing = 0.5;   // rad per integration step of a wall on its spring

core::Status check_wall(const WallDef& wall, double step, const std::string& field) {
  if (wall.stiffness == 0 && wall.damping > 0)
    return error_at(field + ".damping", "a wall without a stiffness stands fast, and nothing damps it", "such as stiffness: 300");
  const double most = kFastestSwing * kFastestSwing * wall.mass / (step * step);
  if (wall.stiffness <= most) return core::ok();
  return error_at(field + ".stiffness",
                  fmt::format("{:.6g} N/m are too stiff for a wall of {:.6g} kg and integration steps of {:.6g} s", wall.stiffness, wall.mass, step),
                  fmt::format("at most {:.3g} N/m, a heavier wall, more substeps, or 0 for a wall that stands fast", most));
}

core::Result<StructureDef> make_structure(const std::vector<StructureFile>& list, std::size_t index, double step, const std::string& field) {
  const StructureFile& file = list[index];
  for (std::size_t k = 0; k < index; ++k)
    if (list[k].name == file.name)
      return error_at(fmt::format("{}[{}].name", field, index), fmt::format("'{}' is also the name of {}[{}]", file.name.substr(0, 60), field, k),
                      "give every structure its own name");
  const std::string here = fmt::format("{}[{}]", field, index);
  if (file.wall.has_value() == file.funnel.has_value()) return error_at(here, file.wall ? "has more than one shape" : "has no shape", "one of wall, funnel");
  StructureDef made{.name = file.name, .shape = {}};
  if (file.wall)
    made.shape = *file.wall;
  else
    made.shape = *file.funnel;
  if (core::Status sound = airframe::check_structure(made); !sound) {
    core::Error error = sound.error();
    error.field = here + "." + error.field;
    return error;
  }
  const ContactSurfaceDef& surface = file.wall ? file.wall->surface : file.funnel->surface;
  if (const core::Status soft = check_softness(surface, step, here + (file.wall ? ".wall" : ".funnel") + ".surface.time_constant"); !soft) return soft.error();
  if (file.wall)
    if (const core::Status wall = check_wall(*file.wall, step, here + ".wall"); !wall) return wall.error();
  return made;
}

}  // namespace

core::Status check_softness(const ContactSurfaceDef& surface, double step, const std::string& field) {
  const double least = kShortestContact * step;
  if (surface.time_constant >= least * (1 - 1e-9)) return core::ok();
  return error_at(field, fmt::format("{:.6g} s is less than two integration steps of {:.6g} s", surface.time_constant, step),
                  fmt::format("at least {:.6g} s, or more substeps", least));
}

core::Result<std::vector<StructureDef>> make_structures(const std::vector<StructureFile>& list, double step, const std::string& field) {
  core::Faults faults;
  std::vector<StructureDef> made;
  for (std::size_t i = 0; i < list.size(); ++i) {
    core::Result<StructureDef> one = make_structure(list, i, step, field);
    faults.add(one);
    if (one) made.push_back(std::move(one).value());
  }
  if (!faults.empty()) return faults.error();
  return made;
}

}  // namespace volary::scenario
