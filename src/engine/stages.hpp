// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The stage table: what a step is made of. It feeds the profiler and the documentation; step.cpp runs it.
#pragma once

#include <array>
#include <cstddef>

namespace volary::engine {

enum class Reach { Local, Global };  // agent by agent inside the sweep, or over all agents at once

struct Stage {
  const char* name;
  Reach reach;
  const char* reads;
  const char* writes;
  const char* rate;
};

// places in the table
namespace stage {
enum : std::size_t { TakeInputs, SampleGround, Guide, Command, Hash, StopDiverged, WatchRegions, Publish };
}

inline constexpr std::array kStages = {
    Stage{"take inputs", Reach::Global, "inputs due at this tick", "setpoints, modes, wind, parameters, vehicles", "tick"},
    Stage{"sample ground", Reach::Global, "positions, terrain", "the plane below each vehicle", "tick, where there is a terrain"},
    Stage{"guide", Reach::Local, "status, plan, ground force", "status, plan, setpoint", "tick"},
    Stage{"command and integrate", Reach::Local, "setpoint, state, parameters, wind", "state, controller memory", "substep"},
    Stage{"hash", Reach::Local, "all rows", "the sum of hashes", "tick, when asked"},
    Stage{"stop diverged", Reach::Global, "status of flocks that reported it", "events", "tick, when needed"},
    Stage{"watch regions", Reach::Global, "positions", "events", "tick, where there are regions"},
    Stage{"publish", Reach::Global, "events", "the frame that readers see", "tick"},
};

static_assert(kStages.size() == stage::Publish + 1);

}  // namespace volary::engine
