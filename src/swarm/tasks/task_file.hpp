// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tasks as people write them (docs/missions.md). One struct per condition with its describe list; PredicateFile holds all of
// them, of which exactly one is given, and is a part of itself. make_task.hpp turns these into a Predicate.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "control/names.hpp"
#include "core/describe.hpp"
#include "core/nested.hpp"
#include "core/numbers.hpp"
#include "volary/def.hpp"

namespace volary::swarm {

// whom a condition is asked of: all of a flock unless one of the others is given
struct WhoFile {
  std::string flock;
  std::optional<int> vehicle, count;
  std::optional<double> share;
};
struct ReachedFile : WhoFile {
  std::array<double, 3> position = {0, 0, 0};
  double within = 0.5;
};
struct InRegionFile : WhoFile {
  std::string region;
};
struct AltitudeFile : WhoFile {
  double height = 0;
  bool over_ground = false;
};
struct TrackingFile : WhoFile {
  double within = 1;
};
struct SpeedFile : WhoFile {
  double speed = 0.1;
};
struct ModeFile : WhoFile {
  Mode mode = Mode::Hold;
};
struct AliveFile : WhoFile {};
struct HeardFile : WhoFile {
  std::string topic;
};
struct DetectedFile : WhoFile {
  std::string kind;
};
struct ApartFile {
  std::string flock;
  double distance = 0;
};
struct CoverageFile {
  std::string flock;
  std::array<double, 2> min = {0, 0}, max = {0, 0};
  double radius = 0, cell = 0, share = 1;
};
struct OrderFile {
  std::string flock;
  double above = 0.9;
};
struct ConnectedFile {
  std::string flock;
};
struct FormationErrorFile {
  std::string flock;
  std::vector<std::array<double, 3>> offsets;
  double within = 0.5;
  bool turned = false;
  std::optional<int> leader;
};

struct TaskScriptFile {
  std::string file;
  core::Numbers params;
};

struct PredicateFile;
struct HeldFile {
  double seconds = 0;
  core::Nested<PredicateFile> what;
};

struct PredicateFile {
  static constexpr const char* kSchemaName = "predicate";  // a type that is a part of itself is described once, by name
  // exactly one of these is given
  static constexpr const char* kOneOf[] = {
      "reached",  "all_of",         "any_of",         "sequence",  "not",         "always",  "eventually", "held",  "task",     "inside",
      "outside",  "altitude_above", "altitude_below", "tracking",  "speed_below", "mode_is", "alive",      "heard", "detected", "apart",
      "coverage", "order",          "connected",      "formation", "time_after",  "event",   "no_event",   "script"};

  std::vector<PredicateFile> all_of, any_of, sequence;
  core::Nested<PredicateFile> none_of_it, always, eventually;  // the first is written "not"
  std::optional<HeldFile> held;
  std::string task;
  std::optional<ReachedFile> reached;
  std::optional<InRegionFile> inside, outside;
  std::optional<AltitudeFile> altitude_above, altitude_below;
  std::optional<TrackingFile> tracking;
  std::optional<SpeedFile> speed_below;
  std::optional<ModeFile> mode_is;
  std::optional<AliveFile> alive;
  std::optional<HeardFile> heard;
  std::optional<DetectedFile> detected;
  std::optional<ApartFile> apart;
  std::optional<CoverageFile> coverage;
  std::optional<OrderFile> order;
  std::optional<ConnectedFile> connected;
  std::optional<FormationErrorFile> formation;
  std::optional<double> time_after;
  std::string event, no_event;
  std::optional<TaskScriptFile> script;
  std::optional<double> within;  // in addition to any of the above
};

struct TaskFile : PredicateFile {
  static constexpr const char* kSchemaName = nullptr;
  std::string name;
  bool required = true;
};

template <class D, class T> concept IsTaskFile = std::is_same_v<std::remove_const_t<D>, T>;

inline constexpr double kFarAway = 1e7, kLong = 1e9;  // m, s

template <class D, class V> void describe_who(D& d, V& v, const char* nobody_named) {
  v.field("flock", d.flock, {.required = true, .doc = "name of the flock"});
  v.field("vehicle", d.vehicle, {.min = 0, .max = 1e9, .doc = nobody_named});
  v.field("count", d.count, {.min = 1, .max = 1e9, .doc = "least number of vehicles of the flock that must meet the condition"});
  v.field("share", d.share, {.min = 0, .max = 1, .doc = "least share of the vehicles of the flock that must meet the condition"});
}
inline constexpr const char* kOrAll = "number of the vehicle in the flock, from 0; without vehicle, count and share: all vehicles of the flock";
inline constexpr const char* kOrAnyone = "number of the vehicle in the flock, from 0; without vehicle, count and share: any one vehicle of the flock";

template <class D, class V> requires IsTaskFile<D, ReachedFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("position", d.position, {.unit = "m", .min = -kFarAway, .max = kFarAway, .required = true, .doc = "position to reach, east north up"});
  v.field("within", d.within, {.unit = "m", .min = 1e-3, .max = kFarAway, .doc = "greatest distance from the position"});
}
template <class D, class V> requires IsTaskFile<D, InRegionFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("region", d.region, {.required = true, .doc = "name of a region of the scenario"});
}
template <class D, class V> requires IsTaskFile<D, AltitudeFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("height", d.height, {.unit = "m", .min = -1e5, .max = 1e5, .required = true, .doc = "height limit"});
  v.field("over_ground", d.over_ground, {.doc = "whether the height is measured from the ground below the vehicle; false: from height 0"});
}
template <class D, class V> requires IsTaskFile<D, TrackingFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("within", d.within,
          {.unit = "m",
           .min = 1e-3,
           .max = kFarAway,
           .doc = "greatest distance from the reference of the mission. Where the reference does not wait for the vehicle, its delay counts too"});
}
template <class D, class V> requires IsTaskFile<D, SpeedFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("speed", d.speed, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "speed limit"});
}
template <class D, class V> requires IsTaskFile<D, ModeFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("mode", d.mode, {.required = true, .doc = "flight mode that the vehicles must be in"});
}
template <class D, class V> requires IsTaskFile<D, AliveFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
}
template <class D, class V> requires IsTaskFile<D, HeardFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAnyone);
  v.field("topic", d.topic, {.required = true, .doc = "topic of the message, such as state"});
}
template <class D, class V> requires IsTaskFile<D, DetectedFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAnyone);
  v.field("kind", d.kind, {.required = true, .doc = "airframe of the vehicle that must be detected"});
}
template <class D, class V> requires IsTaskFile<D, ApartFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "name of the flock; absent: the vehicles of all flocks together"});
  v.field("distance", d.distance, {.unit = "m", .min = 0, .max = kFarAway, .required = true, .doc = "least distance between any two vehicles"});
}
template <class D, class V> requires IsTaskFile<D, CoverageFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "name of the flock; absent: the vehicles of all flocks together"});
  v.field("min", d.min, {.unit = "m", .min = -kFarAway, .max = kFarAway, .required = true, .doc = "south-west corner of the area, east north"});
  v.field("max", d.max, {.unit = "m", .min = -kFarAway, .max = kFarAway, .required = true, .doc = "north-east corner of the area, east north"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "radius that a vehicle covers, seen from above"});
  v.field("cell", d.cell, {.unit = "m", .min = 0, .max = 1e5, .doc = "side of a cell of the grid that records the coverage; 0: half the radius"});
  v.field("share", d.share, {.min = 0, .max = 1, .doc = "least share of the area that must be covered"});
}
template <class D, class V> requires IsTaskFile<D, OrderFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "name of the flock; absent: the vehicles of all flocks together"});
  v.field("above", d.above, {.min = 0, .max = 1, .doc = "polar order that must be exceeded; 1: all vehicles fly in the same direction"});
}
template <class D, class V> requires IsTaskFile<D, ConnectedFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "name of the flock; absent: the vehicles of all flocks together"});
}
template <class D, class V> requires IsTaskFile<D, FormationErrorFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.required = true, .doc = "name of the flock"});
  v.field("offsets", d.offsets,
          {.unit = "m", .min = 0, .max = 1e5, .doc = "wanted positions relative to each other, by number in the flock; absent: the positions at the start"});
  v.field("within", d.within, {.unit = "m", .min = 1e-3, .max = kFarAway, .doc = "greatest distance of a vehicle from its position in the formation"});
  v.field("turned", d.turned, {.doc = "whether the formation may have any heading"});
  v.field("leader", d.leader,
          {.min = 0,
           .max = 1e9,
           .doc = "number in the flock of the vehicle that offsets count from, x along its course, y to its left; absent: the middle of all vehicles"});
}
template <class D, class V> requires IsTaskFile<D, HeldFile>
void describe(D& d, V& v) {
  v.field("for", d.seconds, {.unit = "s", .min = 0, .max = kLong, .required = true, .doc = "time for which the condition must hold without a break"});
  v.field("what", d.what, {.required = true, .doc = "condition that must hold"});
}

template <class D, class V> requires IsTaskFile<D, TaskScriptFile>
void describe(D& d, V& v) {
  v.field("file", d.file, {.required = true, .is_path = true, .doc = "Lua file beside the scenario or in assets/behaviours"});
  v.field("params", d.params, {.doc = "new values for parameters that the file declares"});
}

template <class D, class V> void describe_predicate(D& d, V& v) {
  constexpr double kMost = 1000;
  v.field("all_of", d.all_of, {.min = 1, .max = kMost, .doc = "conditions that must all hold at the same time"});
  v.field("any_of", d.any_of, {.min = 1, .max = kMost, .doc = "conditions of which at least one must hold"});
  v.field("sequence", d.sequence, {.min = 1, .max = kMost, .doc = "conditions that must come true one after the other"});
  v.field("not", d.none_of_it, {.doc = "condition that must not hold"});
  v.field("always", d.always, {.doc = "condition that must never have been false so far"});
  v.field("eventually", d.eventually, {.doc = "condition that must have been true at some time"});
  v.field("held", d.held, {.doc = "condition that must have held for a time without a break"});
  v.field("task", d.task, {.doc = "name of another task that must be true"});
  v.field("reached", d.reached, {.doc = "condition that vehicles are at a position"});
  v.field("inside", d.inside, {.doc = "condition that vehicles are in a region"});
  v.field("outside", d.outside, {.doc = "condition that vehicles are not in a region"});
  v.field("altitude_above", d.altitude_above, {.doc = "condition that vehicles are above a height"});
  v.field("altitude_below", d.altitude_below, {.doc = "condition that vehicles are below a height"});
  v.field("tracking", d.tracking, {.doc = "condition that vehicles are near the reference of their mission"});
  v.field("speed_below", d.speed_below, {.doc = "condition that vehicles are slower than a speed"});
  v.field("mode_is", d.mode_is, {.doc = "condition that vehicles are in a flight mode"});
  v.field("alive", d.alive, {.doc = "condition that vehicles have neither crashed nor diverged nor been removed"});
  v.field("heard", d.heard, {.doc = "condition that vehicles have received a message"});
  v.field("detected", d.detected, {.doc = "condition that vehicles have detected another vehicle"});
  v.field("apart", d.apart, {.doc = "condition that vehicles keep a distance from each other"});
  v.field("coverage", d.coverage, {.doc = "condition that vehicles have covered an area"});
  v.field("order", d.order, {.doc = "condition that vehicles fly in the same direction"});
  v.field("connected", d.connected, {.doc = "condition that vehicles hear each other over any number of hops"});
  v.field("formation", d.formation, {.doc = "condition that vehicles are in formation"});
  v.field("time_after", d.time_after, {.unit = "s", .min = 0, .max = kLong, .doc = "simulated time that must have passed"});
  v.field("event", d.event, {.doc = "name of an event that must have happened, such as touched"});
  v.field("no_event", d.no_event, {.doc = "name of an event that must not have happened, such as crashed"});
  v.field("script", d.script, {.doc = "condition computed by the function holds(world) of a Lua file"});
  v.field("within", d.within,
          {.unit = "s",
           .min = 1e-3,
           .max = kLong,
           .doc = "time limit of the condition, after which it can no longer come true; in a sequence counted from its turn"});
}
template <class D, class V> requires IsTaskFile<D, PredicateFile>
void describe(D& d, V& v) {
  describe_predicate(d, v);
}
template <class D, class V> requires IsTaskFile<D, TaskFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the task, used in reports and by other tasks"});
  v.field("required", d.required, {.doc = "whether the mission needs this task; false: the task is only reported"});
  describe_predicate(d, v);
}

}  // namespace volary::swarm
