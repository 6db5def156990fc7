// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The door between the engine and the kernels. The engine knows blocks, rows and this table; it never
// includes a kernel header. Each instruction set fills a table of its own (engine/kernels.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace volary::engine {

inline constexpr int kBlock = 16;  // agents in a block
inline constexpr int kGroundRows = 6;  // of vehicles::Ground: height, anchor x and y, normal

// a parameter that differs from agent to agent: its row in the parameter struct, and one value per agent
struct ParamOverride {
  int row;
  const void* column;  // blocks x 16 elements
};

// The air of a world that is not plain, for one tick of one flock.
struct AirArgs {
  const void* earths = nullptr;             // environment::Earth<S>, brought to the present, one for each world of the batch
  const std::uint32_t* worlds = nullptr;    // which of them an agent is in, by slot; none: all are in the first
  std::size_t slots = 0;                    // how many slots that list has
  const void* ground = nullptr;             // m, height of the ground below each agent, blocks x 16; none: it is flat
  double flat_ground = 0;                   // m
  double time = 0;                          // s
  const double* times = nullptr;            // s, by world of the batch; none: the same time for all
};

// What time it is in every world of a batch whose worlds began at different ticks.
struct WorldTicks {
  const std::uint32_t* worlds = nullptr;  // of each agent, by slot
  std::size_t slots = 0;                  // how many slots that list has
  const std::uint64_t* ticks = nullptr;   // by world: since its episode began
};

// Everything a sweep over blocks [first, last) of one flock needs for one tick.
struct SweepArgs {
  void* hot = nullptr;                     // blocks x hot_rows x 16
  void* plan = nullptr;                    // blocks x plan_rows x 16, or none
  const void* identity = nullptr;          // blocks x 4 x 16 words: id low, id high, key low, key high
  const void* senses = nullptr;            // blocks x senses_rows x 16: what sensors and estimator keep, or none; only hashed
  int senses_rows = 0;
  const void* joined = nullptr;            // blocks x joined_rows x 16: what MuJoCo keeps of the bodies, or none; only hashed
  int joined_rows = 0;
  bool by_truth = true;                    // controllers take the true state, and not the estimate
  bool believes = false;                   // there is an estimate
  const void* params = nullptr;            // the parameter struct, broadcast to this width
  const void* tables = nullptr;            // of the airframe, scalars, or none
  const ParamOverride* overrides = nullptr;
  int n_overrides = 0;
  std::size_t first = 0, last = 0;
  std::uint64_t tick = 0;
  int substeps = 4;
  int law = 0;
  bool gusts = false;                      // are drawn now; where worlds are apart: in those where one is due
  const WorldTicks* apart = nullptr;       // none: every world is at `tick`
  std::uint32_t gust_interval = 1;         // ticks between gusts, where worlds are apart
  bool euler = false;
  bool guide = false;                      // modes and curves write the setpoints
  bool hash = false;
  const void* path_headers = nullptr;
  const void* path_pieces = nullptr;
  const AirArgs* air = nullptr;            // none: a plain world, whose wind and density stay as they are
  const void* ground = nullptr;            // blocks x kGroundRows x 16: the plane of the ground at each agent; none: that of the parameters
  double impact_speed = 0;                 // m/s into the ground that is a crash; 0: none is
  void* faults = nullptr;                  // blocks x fault_rows x 16: of the actuators (vehicles/actuator_faults.hpp); none: all work
  int fault_rows = 0;
  const void* sense_faults = nullptr;      // blocks x sensors::kFaultRows x 16: of sensors and estimators; none: all work
  std::uint64_t* cycles = nullptr;         // spent in guide, command and integrate, hash; none: not counted
};
struct SweepResult {
  std::uint64_t hash = 0;   // sum over the agents alive
  bool diverged = false;    // some agent stopped in this sweep: look at the status rows
  bool noted = false;       // some status row has a bit of control::kImpact
};

// What a kernel does for vehicles whose bodies somebody else moves (joined.hpp): a tick of guidance and outer loops, then one substep after the other. He writes
// the motion of the bodies between two substeps. Only lanes that are alive are written.
struct JoinedKernel {
  int bodies;       // of a vehicle: the central one, then its aircraft
  int target_rows;  // what the outer loops ask of the inner ones for a tick, and behind it what an IMU sums up in it
  void (*begin)(const SweepArgs&, std::size_t block, void* targets);  // guidance, gusts, air, outer loops; targets: target_rows x 16
  // Inner loops, rotors (lag), faults, ground. Loads: bodies x 6 rows x 16, force and torque on each body at its origin, its own axes, without gravity.
  void (*drive)(const SweepArgs&, std::size_t block, bool is_last, const void* targets, void* loads);
  // the IMU, after every substep in which the bodies were moved; none: the vehicles carry none
  void (*sample)(const SweepArgs&, std::size_t block, int substep, void* targets);
};

// One compiled variant of one vehicle model at one width.
struct Kernel {
  const char* model;      // "multirotor"
  const char* program;    // "rotors=4/features=basic/control=rate"
  int bytes_per_scalar;   // 4 or 8
  int lanes;              // scalars side by side: how wide the parameters are broadcast
  int hot_rows, state_rows, plan_rows;
  int params;             // scalars in the parameter struct
  SweepResult (*sweep)(const SweepArgs&);
  void (*hash_block)(const SweepArgs&, std::size_t block, std::uint64_t* per_agent);  // 16 hashes, 0 for the dead
  const JoinedKernel* joined;  // none: vehicles of this program are no joined bodies
};

struct SenseArgs;

// What sensors and estimators do at one width (sense_lanes.hpp).
struct SenseKernel {
  int bytes_per_scalar, lanes;
  void (*measure)(const SenseArgs&);
  void (*estimate)(const SenseArgs&);
};

// kernels that are compiled apart from the others, because all of them together would compile for too long
struct MoreKernels {
  const Kernel* kernels;  // of vehicles with an IMU
  int n_kernels;
};
struct SenseTable {
  SenseKernel kernels[2];  // in float, and in double where there is one
  int n;
};

// The kernels of one instruction set.
struct Backend {
  const char* name;        // "scalar", "lanes4", ...
  int lanes;               // floats side by side
  bool optimised;          // false: the -O0 build that verify compares with
  bool (*supported)();     // by this CPU
  const Kernel* kernels;
  int n_kernels;
  const MoreKernels* sensed;
  const SenseTable* senses;
};

}  // namespace volary::engine
