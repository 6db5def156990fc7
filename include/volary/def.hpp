// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The definition of a world as plain data: the only types that scenario files and the engine share.
// A test writes a WorldDef by hand in a few lines; `volary/scenario.hpp` makes one from YAML.
// SI units, world frame ENU (suffix _W), body frame FLU (suffix _B), angles in radians.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volary/faults.hpp"
#include "volary/ids.hpp"
#include "volary/sensors.hpp"
#include "volary/structures.hpp"
#include "volary/swarm.hpp"
#include "volary/weather.hpp"

namespace volary::terrain {
class Terrain;  // environment/terrain.hpp
}
namespace volary::obstacles {
class Obstacles;  // environment/obstacles.hpp
}
namespace volary::logs {
struct Track;  // logs/track.hpp
}

namespace volary {

struct LearningDef;  // volary/learning.hpp

// Control levels, from the motors upwards: the kind of setpoint that a vehicle takes.
enum class ControlLevel { MotorSpeeds, Rates, Attitude, Acceleration, Velocity, Position, Trajectory };

// The control law of the control levels above body rates.
enum class ControllerKind { Cascade, Geometric, Rpt };

// Flight modes of a vehicle's state machine.
enum class Mode { Disarmed, Armed, TakeOff, Hold, Mission, Land, EmergencyStop };

// Reaction of a platform of several aircraft to an external force. Stiff: it keeps its pose. Yield: it gives way as a mass on springs and dampers would. Press: it
// presses until the external force and torque are the commanded ones.
enum class Reaction { Stiff, Yield, Press };

// Number format of the vehicle state.
enum class Precision { Float, Double };
// Integration method of the equations of motion.
enum class Integrator { Rk4, SemiImplicitEuler };

// A vehicle type as read from assets/vehicles/*.yaml: a model of the list in vehicles/all.hpp and its
// parameters. Cheap to copy; made by load_airframe() or load_airframe_text() (volary/scenario.hpp).
struct Airframe {
  std::string model;                       // name in the list of models, such as "multirotor"
  std::string name;                        // name for reports, such as "Crazyflie 2.1"
  std::shared_ptr<const void> definition;  // the model's own Def struct
};

// A wanted position over time: centre + amplitude * sin(rate t + phase) for each axis of the world frame. The phase rate ramps up over `ramp` seconds.
// Holds, circles, figure-eights and Lissajous curves all have this form.
struct Harmonic {
  Vec amplitude = {0, 0, 0};  // m
  Vec rate = {0, 0, 0};       // rad/s
  Vec phase = {0, 0, 0};      // rad
  double ramp = 3;            // s
  bool face_forward = false;  // true: yaw along the velocity; false: fixed yaw
};

// Roll, pitch and yaw of a platform along its curve. Each is amplitude sin(rate t + phase) + offset, or follows a polynomial path; the yaw counts from that at the
// start.
struct Turning {
  Vec amplitude = {0, 0, 0};  // rad
  Vec rate = {0, 0, 0};       // rad/s
  Vec phase = {0, 0, 0};      // rad
  Vec offset = {0, 0, 0};     // rad
  int path = -1;              // index into WorldDef::paths, whose axes are these angles; -1: the harmonic curve
};

// One piece of a polynomial path: position = sum of c[axis][k] s^k in the world frame, s in seconds since the start of the piece.
struct PathPiece {
  double duration = 0;                                // s
  std::array<std::array<double, 8>, 3> coefficient{};  // m, m/s, ...
};
// A polynomial path: its pieces are flown one after the other.
struct Path {
  std::vector<PathPiece> pieces;
  bool loop = false;  // true: the path begins again at its end
};

// One vehicle of a flock: its name, id and state at the start, and its mission.
struct VehicleDef {
  std::string name = {};         // name for reports; empty: flock name and number
  std::uint64_t id = 0;          // number of the id, within its world in a batch; 0: the next free number
  std::uint64_t place = 0;       // place in its flock and world, from 1; random draws depend on it, not on other vehicles; 0: the next free place
  std::uint32_t world = 0;       // index of its world in the batch
  Vec position_W = {0, 0, 0};    // m; a vehicle that touches the ground starts at rest on it
  Vec velocity_W = {0, 0, 0};    // m/s
  double yaw = 0;                // rad, from east towards north
  Mode mode = Mode::Mission;     // flight mode at the start
  Vec centre_W = {0, 0, 0};      // m: origin of the mission's curve or path
  Harmonic harmonic = {};        // the mission's curve when path < 0
  int path = -1;                 // index into WorldDef::paths; -1: the harmonic curve
  Turning turning = {};  // how a platform turns on the way
  double start_delay = 0;        // s, from the start of the mission to the start of the curve
  std::vector<std::string> without = {};  // sensors of its flock that this vehicle does not carry, by name; the IMU cannot be left out
};

// Controller of a flock, with its gains and limits. A gain or limit of 0 is derived from the airframe (vehicles/multirotor_gains.hpp).
struct ControllerDef {
  ControllerKind kind = ControllerKind::Cascade;
  ControlLevel level = ControlLevel::Trajectory;             // highest control level in use; a flock with Rates takes only body rates and steps fastest
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
  // gains of robust perfect tracking (Gestelt eq. 5)
  std::array<double, 2> rpt_frequency = {0, 0};  // rad/s, horizontal and vertical
  std::array<double, 2> rpt_damping = {0, 0};    // -
  std::array<double, 2> rpt_pole = {0, 0};       // rad/s, the third pole k_i
  std::array<double, 2> rpt_epsilon = {0, 0};    // -
  bool rpt_drag_compensation = true;
  // gains of geometric control on SE(3) (Lee, Leok, McClamroch 2010)
  double geometric_position = 0;  // 1/s2
  double geometric_velocity = 0;  // 1/s
  double geometric_attitude = 0;  // 1/s2
  double geometric_rate = 0;      // 1/s
};

// How far the start of each vehicle may lie from its definition. Each number is drawn uniformly between its negative and itself, anew in each episode.
struct SpreadDef {
  Vec position_W = {0, 0, 0};  // m, on each axis
  Vec velocity_W = {0, 0, 0};  // m/s, on each axis
  double yaw = 0;              // rad
  double tilt = 0;             // rad, the greatest angle between the body's upright axis and the vertical, in any direction
  Vec rate_B = {0, 0, 0};      // rad/s, on each axis

  friend bool operator==(const SpreadDef&, const SpreadDef&) = default;
};

// Vehicles of one airframe that share a controller and a node definition.
struct FlockDef {
  std::string name;
  Airframe airframe;
  std::vector<Airframe> variants;  // airframes of the same model; each vehicle flies one of them, drawn anew in each episode. Empty: all fly `airframe`
  ControllerDef controller;
  bool mirror = false;          // true: the vehicles have no model, and a source writes their state
  bool piloted = false;         // true: an autopilot outside the world flies the vehicles, and World::guidance_of() says what their behaviours ask of it. Mirrors always are
  bool full_physics = true;     // false: the basic feature set (quadratic thrust, linear drag, no air, no ground)
  bool joined = false;          // true: MuJoCo flies the bodies of each vehicle. Platforms with end effectors or other joints than ball joints always fly so
  DockingDef docking;           // vehicles that these can be joined with in flight
  std::optional<LoadDef> load;  // load on cables below each vehicle; this flock is the first of those that carry it. Empty: none
  double take_off_height = 1.5; // m
  NodeDef node;                 // radio, sensing, contact and behaviours of each vehicle
  SpreadDef spread;             // of the vehicles of the definition; vehicles that are spawned later start as they are told
  std::vector<VehicleDef> vehicles;
  std::vector<std::shared_ptr<const logs::Track>> tracks;  // of a mirror: where each of `vehicles` is over time, from a log. Empty: inputs move them
  SensorsDef sensors;           // of each vehicle; none: it has no sensors
  EstimatorDef estimator;       // estimator of the state of each vehicle
  FailsafeDef failsafe;         // reaction of each vehicle to losses
};

// Gravity, wind, ground, weather, terrain and obstacles of a world.
struct EnvironmentDef {
  double gravity = 9.80665;        // m/s2
  Vec wind_W = {0, 0, 0};          // m/s, mean
  Vec wind_spread_W = {0, 0, 0};   // m/s: each world adds a wind to the mean, drawn uniformly between this and its negative, anew in each episode; without weather only
  double gust_sigma = 0;           // m/s, standard deviation of the gust on each axis
  double gust_time_constant = 1;   // s
  bool ground = true;              // true: there is ground on which vehicles can stand
  double ground_height = 0;        // m
  double ground_friction = 0.6;    // Coulomb coefficient
  WeatherDef weather;              // place on the Earth, atmosphere, shear, turbulence and gusts; left at its defaults: a plain world
  std::shared_ptr<const terrain::Terrain> terrain;  // replaces the flat ground; empty: flat ground
  std::shared_ptr<const obstacles::Obstacles> obstacles;  // solid bodies on or above the ground; empty: none
  std::vector<AnchorDef> anchors;  // radio beacons that uwb_anchors measure their distance to, at most kMostAnchors
  std::vector<StructureDef> structures;  // walls and funnels that vehicles of joined bodies touch, at most kMostStructures
};

// The rule of a region. Mark: the region is only shown. KeepIn and KeepOut: the engine reports an event when a vehicle breaks the rule.
enum class RegionRule { Mark, KeepIn, KeepOut };
// A named part of the world: an upright prism or cylinder.
struct RegionDef {
  std::string name;
  RegionRule rule = RegionRule::Mark;
  std::vector<std::array<double, 2>> corners;  // m, east north, in order; empty: a cylinder
  std::array<double, 2> centre = {0, 0};       // m, east north, centre of a cylinder
  double radius = 0;                           // m, radius of a cylinder
  double floor = -std::numeric_limits<double>::infinity();   // m, lower limit
  double ceiling = std::numeric_limits<double>::infinity();  // m, upper limit
};

// A command or a change of the wind at a known time. `volary/input.hpp` has the same as a call.
struct EventDef {
  double time = 0;           // s
  std::string what;  // arm, take_off, mission, hold, land, emergency_stop, wind, remove; of platforms: pose, stiff, yield, press; of vehicles that dock: release
  std::string flock;         // name of the flock; empty: every flock
  std::int64_t vehicle = -1; // index in the flock; -1: the whole flock
  Vec value = {0, 0, 0};     // m/s, world frame: the new mean wind, for `wind` only
  Vec position_W = {0, 0, 0}, angles = {0, 0, 0};  // m; rad, roll pitch yaw: for `pose` only
  Vec force_B = {0, 0, 0}, torque_B = {0, 0, 0};  // N, N m: wanted push from outside, for `press` only
};

// Greatest number of regions of a world.
inline constexpr std::size_t kMostRegions = 64;

// Time between a state of a vehicle and its effect on the decisions of other vehicles. Contact has none.
struct CouplingDef {
  double horizon = 0;  // s, a whole number of ticks: messages, detections and stimuli act no earlier than this after the state they come from; 0: one tick
};
inline constexpr std::uint64_t kMostHorizon = 1000;  // ticks

// The whole definition of a world, or of a batch of equal worlds.
struct WorldDef {
  std::string name = "world";
  std::string description;
  std::uint64_t seed = 1;
  std::int64_t tick_ns = 10'000'000;  // length of a tick in nanoseconds
  int substeps = 4;                   // integration steps in a tick
  double duration = 30;               // s, simulated
  int worlds = 1;                     // number of copies of the scenario that are stepped together
  int first_world = 0;                // index of the first copy: world 5 of a batch alone is {worlds 1, first_world 5}
  std::uint32_t episode = 0;          // episode in which all copies start; every episode has its own random draws (World::reset)
  Precision precision = Precision::Float;
  Integrator integrator = Integrator::Rk4;
  EnvironmentDef environment;
  std::vector<Path> paths;
  std::vector<FlockDef> flocks;
  std::vector<RegionDef> regions;  // at most kMostRegions
  std::vector<EventDef> events;
  FaultsDef faults;
  RadioDef radio;
  CouplingDef coupling;
  std::vector<TaskDef> tasks;
  std::shared_ptr<const LearningDef> learning;  // task of agents that learn; empty: none. It changes no flight
  double metrics_from = 0;            // s: metrics are counted from this time on
  bool compare_controllers = false;   // true: `volary run` runs the scenario once with each controller and tabulates the errors
};

}  // namespace volary
