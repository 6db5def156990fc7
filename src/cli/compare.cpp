// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/flight.hpp"
#include "vehicles/multirotor_gains.hpp"

namespace volary::cli {

namespace {

struct Variation {
  std::string name;
  ControllerKind kind;
  bool use_jerk;
  double epsilon;  // factor
};

std::vector<Variation> variations() {
  std::vector<Variation> list = {{"rpt/jerk=1", ControllerKind::Rpt, true, 1},
                                 {"rpt/jerk=0", ControllerKind::Rpt, false, 1},
                                 {"cascade", ControllerKind::Cascade, true, 1},
                                 {"geometric", ControllerKind::Geometric, true, 1}};
  for (const double factor : {0.6, 0.8, 1.0, 1.25, 1.5, 2.0})
    list.push_back({fmt::format("rpt/jerk=1/epsilon=x{:g}", factor), ControllerKind::Rpt, true, factor});
  return list;
}

// epsilon 0 means "derived from the airframe": it must be known before it can be scaled
void scale_epsilon(FlockDef& flock, const WorldDef& def, double factor) {
  if (factor == 1 || flock.airframe.model != "multirotor") return;
  const auto& frame = *static_cast<const airframe::MultirotorDef*>(flock.airframe.definition.get());
  const double substep = static_cast<double>(def.tick_ns) * 1e-9 / def.substeps;
  const ControllerDef resolved = airframe::resolve_gains(flock.controller, frame, def.environment.gravity, substep);
  for (std::size_t k = 0; k < 2; ++k) flock.controller.rpt_epsilon[k] = factor * resolved.rpt_epsilon[k];
}

}  // namespace

bool has_controllers(const WorldDef& def) {
  return std::any_of(def.flocks.begin(), def.flocks.end(), [](const FlockDef& flock) { return flock.airframe.model == "multirotor"; });
}

core::Result<std::vector<Compared>> compare_controllers(const WorldDef& def, const RunOptions& options, const std::function<bool()>& keep_going) {
  std::vector<Compared> rows;
  for (const Variation& v : variations()) {
    WorldDef varied = def;
    for (FlockDef& flock : varied.flocks) {
      flock.controller.kind = v.kind;
      flock.controller.use_jerk = v.use_jerk;
      scale_epsilon(flock, def, v.epsilon);
    }
    std::string error;
    const auto world = World::create(varied, options, &error);
    if (world == nullptr) return core::Error{.message = v.name + ": " + error};
    Flight flight;
    fly(*world, {.is_interrupted = [&] { return !keep_going(); }}, flight);
    if (flight.interrupted) break;
    rows.push_back({v.name, flight.log.error.max, flight.log.error.rms(), !flight.log.diverged.empty()});
  }
  return rows;
}

}  // namespace volary::cli
