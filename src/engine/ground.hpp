// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What vehicles stand on and bump into where the world is not flat: every vehicle is given one plane (vehicles/ground.hpp), that of the terrain
// below it or of the obstacle that it is about to touch. In a corner the planes take turns, tick by tick, so that neither is left for long.
#pragma once

#include <optional>
#include <vector>

#include "engine/data.hpp"

namespace volary::engine {

// whether the ground is one level plane for all
bool is_flat(const EnvironmentDef& e);

// m, of the highest ground or obstacle below a place; minus infinity: there is none
double height_below(const EnvironmentDef& e, const Vec& position_W);

// What a model is told when a vehicle is put into its flock or changes its mode: those of the flock, or with ground and air as they are there.
// m, where a vehicle of the flock is; not a number where it is as the flock's parameters say
double ground_height_at(const Data& d, const Flock& f, const Vec& position_W);

struct Local {
  Local(const Data& d, const Flock& f, const Vec& position_W);
  const FlockSetup& setup() const { return own_setup ? *own_setup : flock.setup; }
  const double* params() const { return own_setup ? own_params.data() : flock.param_values.data(); }

  const Flock& flock;
  std::optional<FlockSetup> own_setup;
  std::vector<double> own_params;
};

}  // namespace volary::engine
