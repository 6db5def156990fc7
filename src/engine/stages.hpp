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
enum : std::size_t { TakeInputs, Deliver, Watch, Decide, SampleGround, CarryAir, Guide, Command, Measure, Estimate, Hash, Tell, StopDiverged, Touch, Range, Detect, WatchRegions, Send, Judge, Publish };
}

inline constexpr std::array kStages = {
    Stage{"take inputs", Reach::Global, "inputs due at this tick", "setpoints, modes, wind, parameters, vehicles", "tick"},
    Stage{"deliver", Reach::Global, "messages that arrive now", "messages and neighbour states of each vehicle", "tick, where vehicles have radios"},
    Stage{"watch", Reach::Global, "faults, impacts, ground forces, attitudes", "terms of faults, modes, allocation, events", "tick; conditions four times a second"},
    Stage{"decide", Reach::Local, "own estimate, messages, detections, memory", "setpoint, mode, memory, messages to send", "decision rate of each vehicle"},
    Stage{"sample ground", Reach::Global, "positions, attitudes, velocities, terrain, obstacles", "the plane that each vehicle may touch", "tick, where the world is not flat"},
    Stage{"carry air", Reach::Global, "mean wind, distance by which it has carried the air", "the air of this tick, the new distance", "tick, where there is weather"},
    Stage{"guide", Reach::Local, "status, plan, ground force", "status, plan, setpoint", "tick"},
    Stage{"command and integrate", Reach::Local, "setpoint, state, parameters, the air at each vehicle", "wind, density, state, controller memory", "substep; the air once per tick"},
    Stage{"measure", Reach::Local, "true state, terrain, obstacles, anchors", "readings of sensors", "rate of each sensor, where vehicles have some"},
    Stage{"estimate", Reach::Local, "increments of the IMU, readings", "estimate, covariance", "tick, where there is an estimator"},
    Stage{"hash", Reach::Local, "all rows", "the sum of hashes", "tick, when asked"},
    Stage{"tell", Reach::Global, "notes and faults of decisions", "events, plotted numbers", "tick, where behaviours tell something"},
    Stage{"stop diverged", Reach::Global, "status of flocks with a diverged vehicle", "events", "tick, when needed"},
    Stage{"touch", Reach::Global, "positions, velocities, terrain, obstacles", "events, modes, velocities, vehicles", "tick, where vehicles can touch"},
    Stage{"range", Reach::Global, "positions, estimates, terrain, obstacles", "whom each vehicle measures its distance to", "rate of the radio, where vehicles range with each other"},
    Stage{"detect", Reach::Global, "positions, attitudes, terrain, obstacles", "detections of each vehicle, events", "detection rate of each flock"},
    Stage{"watch regions", Reach::Global, "positions", "events", "tick, where there are regions"},
    Stage{"send", Reach::Global, "messages to send, positions, terrain, obstacles", "packets on the air and their receivers", "tick, where vehicles have radios"},
    Stage{"judge", Reach::Global, "true state, messages, detections, events", "the state of the tasks, events", "10 Hz, where there are tasks"},
    Stage{"publish", Reach::Global, "events, graph of neighbour states", "the frame for readers, the metrics of the swarm", "tick; metrics once a second"},
};

static_assert(kStages.size() == stage::Publish + 1);

}  // namespace volary::engine
