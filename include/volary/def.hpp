// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a world is made of, as plain data: the only thing that scenario files and the engine share.
// A test writes a WorldDef by hand in a few lines; `volary/scenario.hpp` makes one from YAML.
// SI units, world frame ENU, body frame FLU, angles in radians.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "volary/ids.hpp"
#include "volary/swarm.hpp"
#include "volary/weather.hpp"

namespace volary::terrain {
class Terrain;  // environment/terrain.hpp
}
namespace volary::obstacles {
class Obstacles;  // environment/obstacles.hpp
}

namespace volary {

// The rungs of the control ladder, from the motors upwards: the same names everywhere.
enum class Rung { MotorSpeeds, Rates, Attitude, Acceleration, Velocity, Position, Trajectory };

// How the rungs above body rates are flown.
enum class ControllerKind { Cascade, Geometric, Rpt };

// Flight modes of the state machine (G-07).
enum class Mode { Disarmed, Armed, TakeOff, Hold, Mission, Land, EmergencyStop };

enum class Precision { Float, Double };
enum class Integrator { Rk4, SemiImplicitEuler };

// A vehicle type as read from assets/vehicles/*.yaml: a model of the list in vehicles/all.hpp and its
// parameters. Cheap to copy; made by load_airframe() (volary/scenario.hpp) or default_airframe().
struct Airframe {
  std::string model;                       // name in the list of models, such as "multirotor"
  std::string name;                        // "Crazyflie 2.1"
  std::shared_ptr<const void> definition;  // the model's own Def struct
};

// Where a vehicle wants to be: centre + amplitude * sin(rate t + phase) for each axis, the phase rate
// ramped up over `ramp` seconds; holds, circles, figure-eights and Lissajous curves are all this.
struct Harmonic {
  Vec amplitude = {0, 0, 0};  // m
  Vec rate = {0, 0, 0};       // rad/s
  Vec phase = {0, 0, 0};      // rad
  double ramp = 3;            // s
  bool face_forward = false;  // yaw along the velocity instead of fixed
};

// One piece of a polynomial path: position = sum of c[axis][k] s^k, s in seconds since its start.
struct PathPiece {
  double duration = 0;                                // s
  std::array<std::array<double, 8>, 3> coefficient{};  // m, m/s, ...
};
struct Path {
  std::vector<PathPiece> pieces;
  bool loop = false;
};

struct VehicleDef {
  std::string name = {};         // for reports; empty: flock name and number
  std::uint64_t id = 0;          // number of the id, within its world in a batch; 0: the next free one
  std::uint64_t place = 0;       // in its flock and world, from 1: keys what is random for it, whoever else there is; 0: the next free one
  std::uint32_t world = 0;       // which world of the batch
  Vec position_W = {0, 0, 0};    // m; at rest on the ground when it touches it
  Vec velocity_W = {0, 0, 0};    // m/s
  double yaw = 0;                // rad, from east towards north
  Mode mode = Mode::Mission;     // at the start
  Vec centre_W = {0, 0, 0};      // m: origin of the mission's curve or path
  Harmonic harmonic = {};        // when path < 0
  int path = -1;                 // index into WorldDef::paths
  double start_delay = 0;        // s, from the start of the mission to the start of the curve
};

// Gains of the control ladder; zeros mean "derived from the airframe" (vehicles/multirotor_gains.hpp).
struct ControllerDef {
  ControllerKind kind = ControllerKind::Cascade;
  Rung rung = Rung::Trajectory;             // Rates makes a flock that only accepts body rates: the fastest
  bool use_jerk = true;                     // feed-forward of body rates from the jerk of the trajectory
  Vec position_p = {0, 0, 0};               // 1/s
  Vec velocity_p = {0, 0, 0};               // 1/s
  Vec velocity_i = {0, 0, 0};               // 1/s2
  Vec velocity_d = {0, 0, 0};               // -
  Vec attitude_p = {0, 0, 0};               // 1/s
  Vec rate_p = {0, 0, 0};                   // 1/s
  Vec rate_i = {0, 0, 0};                   // 1/s2
  Vec rate_d = {0, 0, 0};                   // -
  double max_speed = 0;                     // m/s, horizontal
  double max_climb = 0;                     // m/s
  double max_tilt = 0;                      // rad
  double max_rate = 0;                      // rad/s
  // robust perfect tracking (Gestelt eq. 5)
  std::array<double, 2> rpt_frequency = {0, 0};  // rad/s, horizontal and vertical
  std::array<double, 2> rpt_damping = {0, 0};    // -
  std::array<double, 2> rpt_pole = {0, 0};       // rad/s, the third pole k_i
  std::array<double, 2> rpt_epsilon = {0, 0};    // -
  bool rpt_drag_compensation = true;
  // geometric SE(3) (Lee, Leok, McClamroch 2010)
  double geometric_position = 0;  // 1/s2
  double geometric_velocity = 0;  // 1/s
  double geometric_attitude = 0;  // 1/s2
  double geometric_rate = 0;      // 1/s
};

struct FlockDef {
  std::string name;
  Airframe airframe;
  ControllerDef controller;
  bool mirror = false;          // no model: a source writes its state
  bool full_physics = true;     // false: the basic feature set (quadratic thrust, linear drag, no air, no ground)
  double take_off_height = 1.5; // m
  NodeDef node;                 // what it senses, says and decides
  std::vector<VehicleDef> vehicles;
};

struct EnvironmentDef {
  double gravity = 9.80665;        // m/s2
  Vec wind_W = {0, 0, 0};          // m/s, mean
  double gust_sigma = 0;           // m/s, standard deviation of the gust on each axis
  double gust_time_constant = 1;   // s
  bool ground = true;
  double ground_height = 0;        // m
  double ground_friction = 0.6;    // Coulomb coefficient
  WeatherDef weather;              // where on the Earth, what the air is like and what moves it; nothing: a plain world
  std::shared_ptr<const terrain::Terrain> terrain;  // instead of the flat ground, when there is one
  std::shared_ptr<const obstacles::Obstacles> obstacles;  // what stands on it or hangs above it, when there is anything
};

// A part of the world with a name: an upright prism or cylinder. The engine tells events when a vehicle breaks its rule.
enum class RegionRule { Mark, KeepIn, KeepOut };  // Mark: only shown
struct RegionDef {
  std::string name;
  RegionRule rule = RegionRule::Mark;
  std::vector<std::array<double, 2>> corners;  // m, east north, in order; empty: a cylinder
  std::array<double, 2> centre = {0, 0};       // m
  double radius = 0;                           // m, of a cylinder
  double floor = -std::numeric_limits<double>::infinity();   // m
  double ceiling = std::numeric_limits<double>::infinity();  // m
};

// Everything that happens from outside at a known time: see volary/input.hpp for the same as a call.
struct EventDef {
  double time = 0;           // s
  std::string what;          // arm, take_off, mission, hold, land, emergency_stop, wind, remove
  std::string flock;         // empty: every flock
  std::int64_t vehicle = -1; // index in the flock, -1: all of it
  Vec value = {0, 0, 0};     // wind: m/s
};

inline constexpr std::size_t kMostRegions = 64;

struct WorldDef {
  std::string name = "world";
  std::string description;
  std::uint64_t seed = 1;
  std::int64_t tick_ns = 10'000'000;  // one tick in nanoseconds
  int substeps = 4;                   // integration steps in a tick
  double duration = 30;               // s
  int worlds = 1;                     // copies of the scenario stepped together
  int first_world = 0;                // which copy the first one is: world 5 of a batch alone is {worlds 1, first_world 5}
  Precision precision = Precision::Float;
  Integrator integrator = Integrator::Rk4;
  EnvironmentDef environment;
  std::vector<Path> paths;
  std::vector<FlockDef> flocks;
  std::vector<RegionDef> regions;  // at most kMostRegions
  std::vector<EventDef> events;
  RadioDef radio;
  std::vector<TaskDef> tasks;
  double metrics_from = 0;            // s: tracking error is counted from here
  bool compare_controllers = false;   // `volary run` flies it once with each controller and tabulates the errors
};

}  // namespace volary
