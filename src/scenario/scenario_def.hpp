// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A scenario FILE as structs: what people write. load.cpp turns it into a flat WorldDef.
// The controller, and most of the environment, are written as they are in the WorldDef, so they need no twin.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "control/names.hpp"
#include "core/describe.hpp"
#include "core/numbers.hpp"
#include "scenario/autopilot_def.hpp"
#include "scenario/fault_file.hpp"
#include "scenario/learning_file.hpp"
#include "scenario/sensor_fields.hpp"
#include "scenario/swarm_file.hpp"
#include "swarm/tasks/task_file.hpp"
#include "volary/def.hpp"

namespace volary {

// the words for enums, in the order of their values; found by the visitors of describe lists
std::span<const char* const> names(ControllerKind);
std::span<const char* const> names(Precision);
std::span<const char* const> names(Integrator);
std::span<const char* const> names(RegionRule);
std::span<const char* const> names(AutopilotKind);

}  // namespace volary

namespace volary::scenario {

using ControllerFile = ControllerDef;

// how the vehicles of a flock begin: the modes of volary::Mode that make sense at time zero
enum class Start { Disarmed, Armed, TakeOff, Hold, Mission };
std::span<const char* const> names(Start);
enum class Shape { V, Line, Wedge, Diamond };
std::span<const char* const> names(Shape);
// the words of EventDef::what
enum class What { Arm, TakeOff, Mission, Hold, Land, EmergencyStop, Wind, Remove, Pose, Stiff, Yield, Press, Release };
std::span<const char* const> names(What);

// ---------------------------------------------------------------- where vehicles start

struct GridFile {
  std::int64_t count = 0;
  double spacing = 1;
  Vec origin = {0, 0, 0};
  std::int64_t rows = 0;
  std::int64_t layers = 1;
};
struct RingFile {
  std::int64_t count = 0;
  double radius = 1;
  Vec origin = {0, 0, 0};
};
struct RandomFile {
  std::int64_t count = 0;
  Vec min = {0, 0, 0};
  Vec max = {0, 0, 0};
  double min_spacing = 0;
};
struct FormationFile {
  Shape shape = Shape::V;
  std::int64_t count = 0;
  double spacing = 1;
  double heading = 0;
  Vec origin = {0, 0, 0};
};
struct ListedFile {
  Vec position = {0, 0, 0};
  std::optional<double> yaw;
  std::string name;
};
// a vehicle that a log of an autopilot moves
struct LogFile {
  std::string file;
  std::string name;
  double start = 0;
  double from = 0;
  std::optional<double> until;
  std::optional<Vec> at;
};
// exactly one of these
struct PlacementFile {
  std::optional<GridFile> grid;
  std::optional<RingFile> ring;
  std::optional<RandomFile> random;
  std::optional<FormationFile> formation;
  std::optional<std::vector<ListedFile>> list;
  std::optional<std::vector<LogFile>> logs;
};

// ---------------------------------------------------------------- what they fly

struct HoldFile {
  double height = 1.5;
  std::optional<Vec> centre;
};
struct CurveFile : HoldFile {
  double ramp = 3;
  bool face_forward = false;
};
struct CircleFile : CurveFile {
  double radius = 0;
  std::optional<double> speed, period, acceleration;  // exactly one
  bool clockwise = false;
  bool spread = false;
};
struct FigureEightFile : CurveFile {
  double length = 0;
  std::optional<double> width;
  std::optional<double> speed, period;  // exactly one
  bool spread = false;
};
struct LissajousFile : CurveFile {
  Vec amplitude = {0, 0, 0};
  Vec rate = {0, 0, 0};
  Vec phase = {0, 0, 0};
};
struct WaypointsFile {
  std::vector<Vec> points;
  double speed = 1;
  double acceleration = 2;
  double pause = 0;
  bool loop = false;
  std::optional<Vec> centre;
};
struct MinimumSnapFile {
  std::vector<Vec> points;
  std::optional<double> speed, total_time;  // exactly one
  bool loop = false;
  std::optional<Vec> centre;
};
struct RouteFile {
  std::vector<Vec> points;
  double speed = 1;
  double radius = 0;
  bool loop = false;
  bool from_rest = false, to_rest = false;
  double acceleration = 2;
  std::optional<Vec> centre;
  bool spread = false;
};
// at most one of the curves; none is a hold
// how a platform of several aircraft turns: one sine for each angle, or straight lines between points in time
struct TurnFile {
  Vec amplitude = {0, 0, 0}, rate = {0, 0, 0}, phase = {0, 0, 0}, offset = {0, 0, 0};
  std::vector<std::array<double, 4>> points;  // s; rad, roll pitch yaw
  bool loop = false;
};
struct MissionFile {
  std::optional<HoldFile> hold;
  std::optional<CircleFile> circle;
  std::optional<FigureEightFile> figure_eight;
  std::optional<LissajousFile> lissajous;
  std::optional<WaypointsFile> waypoints;
  std::optional<MinimumSnapFile> minimum_snap;
  std::optional<RouteFile> route;
  std::optional<TurnFile> turn;  // platforms only
  double start_delay = 0;
  double stagger = 0;
};

// ---------------------------------------------------------------- the scenario

// either airframes, or a count and a spread
struct VariantsFile {
  std::int64_t count = 0;
  core::Numbers spread;
  std::vector<std::string> airframes;
};
// which program runs is not for a scenario to say
struct OutputsFile {
  std::vector<double> rotors;
  std::optional<int> aileron, elevator, rudder;
};
struct AutopilotFile {
  AutopilotKind kind = AutopilotKind::Px4;
  std::string parameters;  // file
  std::optional<int> autostart;
  std::vector<double> motors;
  std::optional<OutputsFile> outputs;
};
struct FlockFile {
  std::string name;
  std::string airframe;
  std::optional<VariantsFile> variants;
  ControllerFile controller;
  PlacementFile vehicles;
  double yaw = 0;
  SpreadDef spread;
  MissionFile mission;
  Start start = Start::Mission;
  double take_off_height = 1.5;
  bool mirror = false;
  bool full_physics = true;
  bool joined = false;
  DockingDef docking;
  std::optional<LoadDef> load;
  std::optional<AutopilotFile> autopilot;
  SensorsDef sensors;
  EstimatorDef estimator;
  FailsafeDef failsafe;
  NodeDef node;
  std::vector<EmissionFile> emits;
  std::vector<BehaviourFile> behaviours;
};
struct EventFile {
  double time = 0;
  What what = What::Hold;
  std::string flock;
  std::int64_t vehicle = -1;
  std::optional<Vec> value;
  std::optional<Vec> position, angles;  // pose
  std::optional<Vec> force, torque;     // press
};
// ---------------------------------------------------------------- terrain

using Flat = std::array<double, 2>;  // east north
struct ImageTerrainFile {
  std::string file;
  double width = 0, depth = 0;
  double max_height = 0, min_height = 0;
  Flat origin = {0, 0};
};
struct SrtmTerrainFile {
  std::string file;
  double latitude = 0, longitude = 0;
  double width = 0, depth = 0;
  double datum = 0;
  std::optional<double> voids;
};
struct GeotiffTerrainFile {
  std::string file;
  std::optional<double> latitude, longitude;  // both, of a map in degrees
  std::optional<double> east, north;          // both, of a map in metres
  double width = 0, depth = 0;
  double datum = 0;
  std::optional<double> voids;
};
// exactly one of these
struct TerrainFile {
  std::optional<ImageTerrainFile> image;
  std::optional<SrtmTerrainFile> srtm;
  std::optional<GeotiffTerrainFile> geotiff;
};

// ---------------------------------------------------------------- obstacles

struct SolidBoxFile {
  Vec centre = {0, 0, 0}, size = {0, 0, 0};
  double yaw = 0;
};
struct SolidCylinderFile {
  Vec centre = {0, 0, 0};
  double radius = 0, height = 0;
};
struct SolidSphereFile {
  Vec centre = {0, 0, 0};
  double radius = 0;
};
enum class MeshUp { Y, Z };
std::span<const char* const> names(MeshUp);
struct MeshFile {
  std::string file;
  Vec position = {0, 0, 0};
  double yaw = 0;
  double scale = 1;
  std::optional<MeshUp> up;
};
// exactly one of the shapes
struct ObstacleFile {
  std::string name;
  std::optional<SolidBoxFile> box;
  std::optional<SolidCylinderFile> cylinder;
  std::optional<SolidSphereFile> sphere;
  std::optional<MeshFile> mesh;
};

// ---------------------------------------------------------------- structures

// exactly one of the shapes
struct StructureFile {
  std::string name;
  std::optional<WallDef> wall;
  std::optional<FunnelDef> funnel;
};
// `standing` becomes EnvironmentDef::structures (structure_file.hpp)
struct EnvironmentFile : EnvironmentDef {
  std::vector<StructureFile> standing;
};

// ---------------------------------------------------------------- regions

struct BoxFile {
  Flat min = {0, 0}, max = {0, 0};
};
struct CylinderFile {
  Flat centre = {0, 0};
  double radius = 0;
};
struct PolygonFile {
  std::vector<Flat> corners;
};
// exactly one of the shapes
struct RegionFile {
  std::string name;
  RegionRule rule = RegionRule::Mark;
  std::optional<BoxFile> box;
  std::optional<CylinderFile> cylinder;
  std::optional<PolygonFile> polygon;
  std::optional<double> floor, ceiling;
};

// Which process of a federation simulates which flocks. It does not change what they do, so a WorldDef does not have it.
struct FederationNodeFile {
  std::string name;
  std::vector<std::string> flocks;
};
struct FederationFile {
  std::vector<FederationNodeFile> nodes;
};

struct ScenarioFile {
  std::vector<std::string> include;
  std::string name = "world";
  std::string description;
  std::uint64_t seed = 1;
  double duration = 30;
  double tick = 0.01;
  int substeps = 4;
  int worlds = 1;
  int first_world = 0;
  int episode = 0;
  Precision precision = Precision::Float;
  Integrator integrator = Integrator::Rk4;
  double metrics_from = 0;
  bool compare_controllers = false;
  EnvironmentFile environment;
  std::optional<TerrainFile> terrain;
  std::vector<ObstacleFile> obstacles;
  std::vector<FlockFile> flocks;
  std::vector<RegionFile> regions;
  std::vector<EventFile> events;
  FaultsDef faults;
  RadioDef radio;
  CouplingDef coupling;
  FederationFile federation;
  std::vector<swarm::TaskFile> tasks;
  std::optional<LearningDef> learning;
};

}  // namespace volary::scenario

#include "scenario/scenario_describe.hpp"
