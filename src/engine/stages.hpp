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
enum : std::size_t { TakeInputs, Deliver, Decide, SampleGround, CarryAir, Guide, Command, Hash, StopDiverged, Touch, Detect, WatchRegions, Send, Judge, Publish };
}

inline constexpr std::array kStages = {
    Stage{"take inputs", Reach::Global, "inputs due at this tick", "setpoints, modes, wind, parameters, vehicles", "tick"},
    Stage{"deliver", Reach::Global, "what arrives now", "what each vehicle heard and remembers of others", "tick, where anybody speaks"},
    Stage{"decide", Reach::Local, "own estimate, what was heard and seen, memory", "setpoint, mode, memory, what is to be said", "each vehicle's own"},
    Stage{"sample ground", Reach::Global, "positions, attitudes, velocities, terrain, obstacles", "the plane each vehicle may touch", "tick, where the world is not flat"},
    Stage{"carry air", Reach::Global, "mean wind, how far it has carried the air", "the air of this tick, how far it is carried", "tick, where there is weather"},
    Stage{"guide", Reach::Local, "status, plan, ground force", "status, plan, setpoint", "tick"},
    Stage{"command and integrate", Reach::Local, "setpoint, state, parameters, the air where it is", "wind, density, state, controller memory", "substep; the air once per tick"},
    Stage{"hash", Reach::Local, "all rows", "the sum of hashes", "tick, when asked"},
    Stage{"stop diverged", Reach::Global, "status of flocks that reported it", "events", "tick, when needed"},
    Stage{"touch", Reach::Global, "positions, velocities, terrain, obstacles", "events, modes, velocities, vehicles", "tick, where vehicles can touch"},
    Stage{"detect", Reach::Global, "positions, attitudes, terrain, obstacles", "what each vehicle sees, events", "each flock's own"},
    Stage{"watch regions", Reach::Global, "positions", "events", "tick, where there are regions"},
    Stage{"send", Reach::Global, "what is said, positions, terrain, obstacles", "what is on the air and who will hear it", "tick, where anybody speaks"},
    Stage{"judge", Reach::Global, "the truth, what was heard and seen, events", "the state of the tasks, events", "10 Hz, where there are tasks"},
    Stage{"publish", Reach::Global, "events, who knows of whom", "the frame that readers see, the figures of the swarm", "tick; figures once a second"},
};

static_assert(kStages.size() == stage::Publish + 1);

}  // namespace volary::engine
