// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One tick of a world, in the order of the stage table (stages.hpp). Start reading here.
#include "engine/data.hpp"

namespace volary::engine {

void step(Data& d) {
  take_inputs(d);     // commands due now: modes, setpoints, spawn, remove, wind, parameters
  sweep(d);           // block by block: guide, command, integrate, hash
  stop_diverged(d);   // vehicles whose numbers went bad, by name
  publish(d);         // the frame becomes what readers see
  d.tick += 1;        // advance
}

}  // namespace volary::engine
