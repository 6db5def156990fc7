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
  v.field("count", d.count, {.min = 1, .max = 1e9, .doc = "at least so many of the flock"});
  v.field("share", d.share, {.min = 0, .max = 1, .doc = "at least this part of the flock"});
}
inline constexpr const char* kOrAll = "number in the flock, from 0; without this, count and share: all of the flock";
inline constexpr const char* kOrAnyone = "number in the flock, from 0; without this, count and share: one of the flock is enough";

template <class D, class V> requires IsTaskFile<D, ReachedFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("position", d.position, {.unit = "m", .min = -kFarAway, .max = kFarAway, .required = true, .doc = "east north up"});
  v.field("within", d.within, {.unit = "m", .min = 1e-3, .max = kFarAway, .doc = "of the position"});
}
template <class D, class V> requires IsTaskFile<D, InRegionFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("region", d.region, {.required = true, .doc = "name in regions"});
}
template <class D, class V> requires IsTaskFile<D, AltitudeFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("height", d.height, {.unit = "m", .min = -1e5, .max = 1e5, .required = true, .doc = "limit"});
  v.field("over_ground", d.over_ground, {.doc = "the height counts from the ground below instead of from zero"});
}
template <class D, class V> requires IsTaskFile<D, TrackingFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("within", d.within, {.unit = "m", .min = 1e-3, .max = kFarAway, .doc = "of where its mission wants it; what waits for nobody counts its delay too"});
}
template <class D, class V> requires IsTaskFile<D, SpeedFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("speed", d.speed, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "limit"});
}
template <class D, class V> requires IsTaskFile<D, ModeFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
  v.field("mode", d.mode, {.required = true, .doc = "flight mode"});
}
template <class D, class V> requires IsTaskFile<D, AliveFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAll);
}
template <class D, class V> requires IsTaskFile<D, HeardFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAnyone);
  v.field("topic", d.topic, {.required = true, .doc = "of the message, such as state"});
}
template <class D, class V> requires IsTaskFile<D, DetectedFile>
void describe(D& d, V& v) {
  describe_who(d, v, kOrAnyone);
  v.field("kind", d.kind, {.required = true, .doc = "airframe of what is to be seen"});
}
template <class D, class V> requires IsTaskFile<D, ApartFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "absent: the vehicles of all flocks together"});
  v.field("distance", d.distance, {.unit = "m", .min = 0, .max = kFarAway, .required = true, .doc = "between any two at least"});
}
template <class D, class V> requires IsTaskFile<D, CoverageFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "absent: the vehicles of all flocks together"});
  v.field("min", d.min, {.unit = "m", .min = -kFarAway, .max = kFarAway, .required = true, .doc = "south-west corner of the area, east north"});
  v.field("max", d.max, {.unit = "m", .min = -kFarAway, .max = kFarAway, .required = true, .doc = "north-east corner of the area, east north"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "what a vehicle covers, seen from above"});
  v.field("cell", d.cell, {.unit = "m", .min = 0, .max = 1e5, .doc = "of the grid that remembers; 0: half the radius"});
  v.field("share", d.share, {.min = 0, .max = 1, .doc = "of the area at least"});
}
template <class D, class V> requires IsTaskFile<D, OrderFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "absent: the vehicles of all flocks together"});
  v.field("above", d.above, {.min = 0, .max = 1, .doc = "polar order: 1 when all fly one way"});
}
template <class D, class V> requires IsTaskFile<D, ConnectedFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "absent: the vehicles of all flocks together"});
}
template <class D, class V> requires IsTaskFile<D, FormationErrorFile>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.required = true, .doc = "name of the flock"});
  v.field("offsets", d.offsets, {.unit = "m", .min = 0, .max = 1e5, .doc = "places by number in the flock, wherever the whole is; absent: as they started"});
  v.field("within", d.within, {.unit = "m", .min = 1e-3, .max = kFarAway, .doc = "of its place, for every vehicle"});
  v.field("turned", d.turned, {.doc = "the formation may have any heading"});
  v.field(
      "leader", d.leader,
      {.min = 0, .max = 1e9, .doc = "number in the flock of whom the places count from, x along its course, y to its left; absent: from the middle of all"});
}
template <class D, class V> requires IsTaskFile<D, HeldFile>
void describe(D& d, V& v) {
  v.field("for", d.seconds, {.unit = "s", .min = 0, .max = kLong, .required = true, .doc = "without a break"});
  v.field("what", d.what, {.required = true, .doc = "condition"});
}

template <class D, class V> requires IsTaskFile<D, TaskScriptFile>
void describe(D& d, V& v) {
  v.field("file", d.file, {.required = true, .is_path = true, .doc = "in Lua, beside the scenario, or in assets/behaviours"});
  v.field("params", d.params, {.doc = "those that the file declares, with other values"});
}

template <class D, class V> void describe_predicate(D& d, V& v) {
  constexpr double kMost = 1000;
  v.field("all_of", d.all_of, {.min = 1, .max = kMost, .doc = "conditions that hold together"});
  v.field("any_of", d.any_of, {.min = 1, .max = kMost, .doc = "conditions of which one holds"});
  v.field("sequence", d.sequence, {.min = 1, .max = kMost, .doc = "conditions that come true one after the other"});
  v.field("not", d.none_of_it, {.doc = "condition that does not hold"});
  v.field("always", d.always, {.doc = "condition that was never false so far"});
  v.field("eventually", d.eventually, {.doc = "condition that was true at some time"});
  v.field("held", d.held, {.doc = "condition that has held for a time"});
  v.field("task", d.task, {.doc = "name of another task that holds"});
  v.field("reached", d.reached, {.doc = "is at a place"});
  v.field("inside", d.inside, {.doc = "is in a region"});
  v.field("outside", d.outside, {.doc = "is not in a region"});
  v.field("altitude_above", d.altitude_above, {.doc = "is higher than"});
  v.field("altitude_below", d.altitude_below, {.doc = "is lower than"});
  v.field("tracking", d.tracking, {.doc = "is on the path of its mission"});
  v.field("speed_below", d.speed_below, {.doc = "is slower than"});
  v.field("mode_is", d.mode_is, {.doc = "is in a flight mode"});
  v.field("alive", d.alive, {.doc = "has neither crashed nor been removed"});
  v.field("heard", d.heard, {.doc = "has received a message"});
  v.field("detected", d.detected, {.doc = "has seen something"});
  v.field("apart", d.apart, {.doc = "keep a distance from each other"});
  v.field("coverage", d.coverage, {.doc = "have been all over an area"});
  v.field("order", d.order, {.doc = "fly the same way"});
  v.field("connected", d.connected, {.doc = "hear each other over any number of hops"});
  v.field("formation", d.formation, {.doc = "are in formation"});
  v.field("time_after", d.time_after, {.unit = "s", .min = 0, .max = kLong, .doc = "the time has come"});
  v.field("event", d.event, {.doc = "has happened, such as landed"});
  v.field("no_event", d.no_event, {.doc = "has not happened, such as crashed"});
  v.field("script", d.script, {.doc = "whatever holds(world) of a Lua file says"});
  v.field("within", d.within,
          {.unit = "s", .min = 1e-3, .max = kLong, .doc = "the condition comes true no later than this; later is never. In a sequence from its turn"});
}
template <class D, class V> requires IsTaskFile<D, PredicateFile>
void describe(D& d, V& v) {
  describe_predicate(d, v);
}
template <class D, class V> requires IsTaskFile<D, TaskFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "of the task; reports and other tasks use it"});
  v.field("required", d.required, {.doc = "false: reported, but the mission is complete without it"});
  describe_predicate(d, v);
}

}  // namespace volary::swarm
