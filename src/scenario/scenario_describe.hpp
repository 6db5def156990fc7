// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The describe lists of scenario_def.hpp: name, unit, bounds and meaning of every field of a scenario file.
#pragma once

#include "environment/weather_fields.hpp"
#include "scenario/scenario_def.hpp"

namespace volary {

template <class D, class T> concept Describes = std::is_same_v<std::remove_const_t<D>, T>;

template <class D, class V> requires Describes<D, ControllerDef>
void describe(D& d, V& v) {
  v.field("kind", d.kind, {.doc = "how the rungs above body rates are flown"});
  v.field("rung", d.rung, {.doc = "highest rung of the ladder in use; rates makes a flock that only takes body rates, the fastest"});
  v.field("use_jerk", d.use_jerk, {.doc = "feed-forward of body rates from the jerk of the trajectory"});
  v.field("position_p", d.position_p, {.unit = "1/s", .min = 0, .max = 1e3, .doc = "0: derived from the airframe, like every gain below"});
  v.field("velocity_p", d.velocity_p, {.unit = "1/s", .min = 0, .max = 1e3, .doc = "velocity loop"});
  v.field("velocity_i", d.velocity_i, {.unit = "1/s2", .min = 0, .max = 1e4, .doc = "velocity loop, integral"});
  v.field("velocity_d", d.velocity_d, {.min = 0, .max = 1e3, .doc = "velocity loop, derivative"});
  v.field("attitude_p", d.attitude_p, {.unit = "1/s", .min = 0, .max = 1e3, .doc = "attitude loop"});
  v.field("rate_p", d.rate_p, {.unit = "1/s", .min = 0, .max = 1e4, .doc = "body-rate loop"});
  v.field("rate_i", d.rate_i, {.unit = "1/s2", .min = 0, .max = 1e5, .doc = "body-rate loop, integral"});
  v.field("rate_d", d.rate_d, {.min = 0, .max = 1e3, .doc = "body-rate loop, derivative"});
  v.field("max_speed", d.max_speed, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "horizontal; 0: derived"});
  v.field("max_climb", d.max_climb, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "vertical; 0: derived"});
  v.field("max_tilt", d.max_tilt, {.unit = "rad", .min = 0, .max = 3.141592653589793, .doc = "0: derived"});
  v.field("max_rate", d.max_rate, {.unit = "rad/s", .min = 0, .max = 1e3, .doc = "0: derived"});
  v.field("rpt_frequency", d.rpt_frequency, {.unit = "rad/s", .min = 0, .max = 1e3, .doc = "robust perfect tracking: horizontal, vertical"});
  v.field("rpt_damping", d.rpt_damping, {.min = 0, .max = 10, .doc = "robust perfect tracking"});
  v.field("rpt_pole", d.rpt_pole, {.unit = "rad/s", .min = 0, .max = 1e3, .doc = "robust perfect tracking: the third pole"});
  v.field("rpt_epsilon", d.rpt_epsilon, {.min = 0, .max = 10, .doc = "robust perfect tracking: smaller tracks tighter"});
  v.field("rpt_drag_compensation", d.rpt_drag_compensation, {.doc = "robust perfect tracking: rotor drag is fed forward"});
  v.field("geometric_position", d.geometric_position, {.unit = "1/s2", .min = 0, .max = 1e4, .doc = "geometric controller"});
  v.field("geometric_velocity", d.geometric_velocity, {.unit = "1/s", .min = 0, .max = 1e3, .doc = "geometric controller"});
  v.field("geometric_attitude", d.geometric_attitude, {.unit = "1/s2", .min = 0, .max = 1e6, .doc = "geometric controller"});
  v.field("geometric_rate", d.geometric_rate, {.unit = "1/s", .min = 0, .max = 1e4, .doc = "geometric controller"});
}

}  // namespace volary

namespace volary::scenario {

// bounds that several fields share
inline constexpr double kFar = 1e7, kTurn = 6.283185307179587, kMaxCount = 1e9, kMaxPoints = 10'000;

template <class D, class V> requires Describes<D, GridFile>
void describe(D& d, V& v) {
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "vehicles"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.01, .max = 1e5, .doc = "between neighbours"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "centre of the lowest layer"});
  v.field("rows", d.rows, {.min = 0, .max = kMaxCount, .doc = "along y; 0: about as many as columns"});
  v.field("layers", d.layers, {.min = 1, .max = 1e6, .doc = "one above the other"});
}
template <class D, class V> requires Describes<D, RingFile>
void describe(D& d, V& v) {
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "vehicles"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e6, .required = true, .doc = "of the ring"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "centre"});
}
template <class D, class V> requires Describes<D, RandomFile>
void describe(D& d, V& v) {
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "vehicles"});
  v.field("min", d.min, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "lowest corner of the box"});
  v.field("max", d.max, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "highest corner of the box"});
  v.field("min_spacing", d.min_spacing, {.unit = "m", .min = 0, .max = 1e5, .doc = "no two vehicles are nearer than this"});
}
template <class D, class V> requires Describes<D, FormationFile>
void describe(D& d, V& v) {
  v.field("shape", d.shape, {.required = true, .doc = "the leader is the first vehicle"});
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "vehicles"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.01, .max = 1e5, .doc = "between neighbours"});
  v.field("heading", d.heading, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "where it points, from east towards north"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "leader; for a line its middle"});
}
template <class D, class V> requires Describes<D, ListedFile>
void describe(D& d, V& v) {
  v.field("position", d.position, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "east north up"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "from east towards north; absent: that of the flock"});
  v.field("name", d.name, {.doc = "for reports; absent: flock and number"});
}
template <class D, class V> requires Describes<D, PlacementFile>
void describe(D& d, V& v) {
  v.field("grid", d.grid, {.doc = "rows and columns, in layers"});
  v.field("ring", d.ring, {.doc = "evenly on a circle"});
  v.field("random", d.random, {.doc = "anywhere in a box; the seed of the scenario decides"});
  v.field("formation", d.formation, {.doc = "v, line, wedge or diamond behind a leader"});
  v.field("list", d.list, {.min = 1, .max = 1e6, .doc = "one by one"});
}

template <class D, class V> void describe_hold(D& d, V& v) {
  v.field("height", d.height, {.unit = "m", .min = -1e5, .max = 1e5, .doc = "of the curve above the start of the vehicle, or above the centre"});
  v.field("centre", d.centre,
          {.unit = "m", .min = -kFar, .max = kFar, .doc = "of the curve; absent: every vehicle has its own, so that the curve begins above its start"});
}
template <class D, class V> void describe_curve(D& d, V& v) {
  describe_hold(d, v);
  v.field("ramp", d.ramp, {.unit = "s", .min = 0, .max = 1e4, .doc = "from rest to full speed; 0: who starts in the mission begins along the curve, at its speed"});
  v.field("face_forward", d.face_forward, {.doc = "yaw along the velocity instead of fixed"});
}
template <class D, class V> requires Describes<D, HoldFile>
void describe(D& d, V& v) {
  describe_hold(d, v);
}
template <class D, class V> requires Describes<D, CircleFile>
void describe(D& d, V& v) {
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "of the circle"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 1e-3, .max = 1e3, .doc = "along the circle; give this, period or acceleration"});
  v.field("period", d.period, {.unit = "s", .min = 0.01, .max = 1e6, .doc = "of one lap"});
  v.field("acceleration", d.acceleration, {.unit = "m/s2", .min = 1e-4, .max = 1e3, .doc = "towards the centre"});
  v.field("clockwise", d.clockwise, {.doc = "seen from above"});
  v.field("spread", d.spread, {.doc = "vehicles share the circle, evenly spread; needs a centre"});
  describe_curve(d, v);
}
template <class D, class V> requires Describes<D, FigureEightFile>
void describe(D& d, V& v) {
  v.field("length", d.length, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "from end to end, along x"});
  v.field("width", d.width, {.unit = "m", .min = 0.01, .max = 1e5, .doc = "along y; absent: half the length"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 1e-3, .max = 1e3, .doc = "in the middle, where it is highest; give this or period"});
  v.field("period", d.period, {.unit = "s", .min = 0.01, .max = 1e6, .doc = "of one whole eight"});
  v.field("spread", d.spread, {.doc = "vehicles share the eight, evenly spread in time; needs a centre"});
  describe_curve(d, v);
}
template <class D, class V> requires Describes<D, LissajousFile>
void describe(D& d, V& v) {
  v.field("amplitude", d.amplitude, {.unit = "m", .min = -1e5, .max = 1e5, .required = true, .doc = "position is centre + amplitude sin(rate t + phase)"});
  v.field("rate", d.rate, {.unit = "rad/s", .min = -1e3, .max = 1e3, .required = true, .doc = "on each axis"});
  v.field("phase", d.phase, {.unit = "rad", .min = -1e3, .max = 1e3, .doc = "on each axis"});
  describe_curve(d, v);
}
template <class D, class V> requires Describes<D, WaypointsFile>
void describe(D& d, V& v) {
  v.field("points", d.points, {.unit = "m", .min = 2, .max = kMaxPoints, .required = true, .doc = "from the start of the vehicle, or from the centre"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 1e-3, .max = 1e3, .required = true, .doc = "highest, on a long leg"});
  v.field("acceleration", d.acceleration, {.unit = "m/s2", .min = 1e-3, .max = 1e3, .doc = "highest"});
  v.field("pause", d.pause, {.unit = "s", .min = 0, .max = 1e6, .doc = "at every point but the first"});
  v.field("loop", d.loop, {.doc = "return to the first point and begin again"});
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .doc = "what the points are relative to; absent: the start of each vehicle"});
}
template <class D, class V> requires Describes<D, MinimumSnapFile>
void describe(D& d, V& v) {
  v.field("points", d.points, {.unit = "m", .min = 2, .max = kMaxPoints, .required = true, .doc = "from the start of the vehicle, or from the centre"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 1e-3, .max = 1e3, .doc = "mean over straight legs; give this or total_time"});
  v.field("total_time", d.total_time, {.unit = "s", .min = 0.01, .max = 1e6, .doc = "from the first point to the last"});
  v.field("loop", d.loop, {.doc = "return to the first point, rest there, and begin again"});
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .doc = "what the points are relative to; absent: the start of each vehicle"});
}
template <class D, class V> requires Describes<D, RouteFile>
void describe(D& d, V& v) {
  v.field("points", d.points, {.unit = "m", .min = 2, .max = kMaxPoints, .required = true, .doc = "from the start of the vehicle, or from the centre"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 1e-3, .max = 1e3, .required = true, .doc = "along the route, everywhere but at a rest"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "of the arcs that round the corners, seen from above"});
  v.field("loop", d.loop, {.doc = "back to the first point and on, rounding that one too; a lap begins where its arc ends"});
  v.field("from_rest", d.from_rest, {.doc = "speed rises from zero; otherwise the vehicle begins at full speed"});
  v.field("to_rest", d.to_rest, {.doc = "speed falls to zero at the end"});
  v.field("acceleration", d.acceleration, {.unit = "m/s2", .min = 1e-3, .max = 1e3, .doc = "highest, where speed rises and falls"});
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .doc = "what the points are relative to; absent: the start of each vehicle"});
  v.field("spread", d.spread, {.doc = "vehicles share the loop, evenly spread along it; needs a centre"});
}
template <class D, class V> requires Describes<D, MissionFile>
void describe(D& d, V& v) {
  v.field("hold", d.hold, {.doc = "stay in one place; the default"});
  v.field("circle", d.circle, {.doc = "level circle"});
  v.field("figure_eight", d.figure_eight, {.doc = "level eight"});
  v.field("lissajous", d.lissajous, {.doc = "a sine on each axis"});
  v.field("waypoints", d.waypoints, {.doc = "straight legs, at rest at every point"});
  v.field("minimum_snap", d.minimum_snap, {.doc = "smooth through every point without stopping"});
  v.field("route", d.route, {.doc = "straight legs with rounded corners at one speed, for wings and wheels; who starts in the mission begins along it, at its speed"});
  v.field("start_delay", d.start_delay, {.unit = "s", .min = 0, .max = 1e6, .doc = "from the start of the mission to the start of the curve"});
  v.field("stagger", d.stagger, {.unit = "s", .min = 0, .max = 1e5, .doc = "more of it for each vehicle than for the one before"});
}

template <class D, class V> requires Describes<D, FlockFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "of the flock; events and reports use it"});
  v.field("airframe", d.airframe, {.is_path = true, .doc = "a name in assets/vehicles, such as crazyflie, or the path of a .yaml file from here"});
  v.field("controller", d.controller, {.doc = "how it is flown; every gain is optional"});
  v.field("vehicles", d.vehicles, {.required = true, .doc = "how many, and where they start: one of grid, ring, random, formation, list"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "at the start, from east towards north"});
  v.field("mission", d.mission, {.doc = "what they fly: one of hold, circle, figure_eight, lissajous, waypoints, minimum_snap, route"});
  v.field("start", d.start, {.doc = "hold and mission start in the air, at the beginning of the curve; the others where the vehicles are placed"});
  v.field("take_off_height", d.take_off_height, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "above the start"});
  v.field("mirror", d.mirror, {.doc = "vehicles without physics whose poses a source gives, such as motion capture; they need no airframe, and of one that is given only the size counts"});
  v.field("full_physics", d.full_physics, {.doc = "false: the basic feature set (quadratic thrust, linear drag, no air, no ground)"});
  v.field("node", d.node, {.doc = "what its vehicles sense, say and remember"});
  v.field("emits", d.emits, {.min = 0, .max = 16, .doc = "stimuli that each of its vehicles gives off, one kind each"});
  v.field("behaviours", d.behaviours, {.min = 0, .max = 64, .doc = "what its vehicles may do by themselves, one kind each; the best one wins"});
}
template <class D, class V> requires Describes<D, EventFile>
void describe(D& d, V& v) {
  v.field("time", d.time, {.unit = "s", .min = 0, .max = 1e9, .required = true, .doc = "when, within the duration"});
  v.field("what", d.what, {.required = true, .doc = "happens"});
  v.field("flock", d.flock, {.doc = "to whom; absent: to every flock"});
  v.field("vehicle", d.vehicle, {.min = -1, .max = 1e9, .doc = "number in the flock, from 0; -1: all of it"});
  v.field("value", d.value, {.unit = "m/s", .min = -100, .max = 100, .doc = "of the wind"});
}
template <class D, class V> requires Describes<D, ImageTerrainFile>
void describe(D& d, V& v) {
  v.field("file", d.file, {.required = true, .is_path = true, .doc = "picture beside the scenario or in assets/terrain: PNG, JPEG, BMP, GIF, TGA, PNM or PSD"});
  v.field("width", d.width, {.unit = "m", .min = 0.01, .max = 1e6, .required = true, .doc = "from its left to its right edge, eastwards"});
  v.field("depth", d.depth, {.unit = "m", .min = 0.01, .max = 1e6, .required = true, .doc = "from its upper to its lower edge, southwards"});
  v.field("max_height", d.max_height, {.unit = "m", .min = -1e4, .max = 1e4, .required = true, .doc = "of white"});
  v.field("min_height", d.min_height, {.unit = "m", .min = -1e4, .max = 1e4, .doc = "of black"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "where its upper left corner lies, east north"});
}
template <class D, class V> requires Describes<D, SrtmTerrainFile>
void describe(D& d, V& v) {
  v.field("file", d.file,
          {.required = true, .is_path = true, .doc = "tile beside the scenario or in assets/terrain, named after its south-western corner, such as S36E149.hgt"});
  v.field("latitude", d.latitude, {.unit = "deg", .min = -90, .max = 90, .required = true, .doc = "of the world's origin"});
  v.field("longitude", d.longitude, {.unit = "deg", .min = -180, .max = 180, .required = true, .doc = "of the world's origin"});
  v.field("width", d.width, {.unit = "m", .min = 30, .max = 1.2e5, .required = true, .doc = "east and west of the origin together"});
  v.field("depth", d.depth, {.unit = "m", .min = 30, .max = 1.2e5, .required = true, .doc = "north and south of the origin together"});
  v.field("datum", d.datum, {.unit = "m", .min = -1000, .max = 10000, .doc = "height above the sea that the world calls zero"});
  v.field("voids", d.voids,
          {.unit = "m", .min = -1000, .max = 10000, .doc = "height above the sea of places that were not measured; absent: they are an error"});
}
template <class D, class V> requires Describes<D, GeotiffTerrainFile>
void describe(D& d, V& v) {
  v.field("file", d.file, {.required = true, .is_path = true, .doc = "GeoTIFF of heights in metres beside the scenario or in assets/terrain"});
  v.field("latitude", d.latitude, {.unit = "deg", .min = -90, .max = 90, .doc = "of the world's origin, where the map is in degrees (WGS 84, NAD83, ETRS89)"});
  v.field("longitude", d.longitude, {.unit = "deg", .min = -180, .max = 180, .doc = "of the world's origin"});
  v.field("east", d.east, {.unit = "m", .min = -1e8, .max = 1e8, .doc = "of the world's origin, where the map is in metres, such as UTM; in its own coordinates"});
  v.field("north", d.north, {.unit = "m", .min = -1e8, .max = 1e8, .doc = "of the world's origin"});
  v.field("width", d.width, {.unit = "m", .min = 0.1, .max = 1e6, .required = true, .doc = "east and west of the origin together"});
  v.field("depth", d.depth, {.unit = "m", .min = 0.1, .max = 1e6, .required = true, .doc = "north and south of the origin together"});
  v.field("datum", d.datum, {.unit = "m", .min = -1e4, .max = 1e4, .doc = "height of the map that the world calls zero"});
  v.field("voids", d.voids, {.unit = "m", .min = -1e4, .max = 1e4, .doc = "height on the map of places that were not measured; absent: they are an error"});
}
template <class D, class V> requires Describes<D, TerrainFile>
void describe(D& d, V& v) {
  v.field("image", d.image, {.doc = "brightness of a picture as height"});
  v.field("srtm", d.srtm, {.doc = "a tile of the Shuttle Radar Topography Mission"});
  v.field("geotiff", d.geotiff, {.doc = "a map of heights that knows where it lies"});
}
template <class D, class V> requires Describes<D, SolidBoxFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "of the box, east north up"});
  v.field("size", d.size, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "along east, north and up, before it is turned"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "from east towards north"});
}
template <class D, class V> requires Describes<D, SolidCylinderFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "of its base, east north up"});
  v.field("radius", d.radius, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "of the upright cylinder"});
  v.field("height", d.height, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "from its base upwards"});
}
template <class D, class V> requires Describes<D, SolidSphereFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "east north up"});
  v.field("radius", d.radius, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "of the sphere"});
}
template <class D, class V> requires Describes<D, MeshFile>
void describe(D& d, V& v) {
  v.field("file", d.file,
          {.required = true, .is_path = true, .doc = "OBJ, glTF or GLB beside the scenario or in assets/meshes; a shell, which may have holes"});
  v.field("position", d.position, {.unit = "m", .min = -kFar, .max = kFar, .doc = "where the origin of the file lies, east north up"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "from east towards north"});
  v.field("scale", d.scale, {.unit = "m", .min = 1e-6, .max = 1e6, .doc = "metres to one unit of the file"});
  v.field("up", d.up, {.doc = "the axis of the file that points up; absent: y in glTF, as its standard says, and z in OBJ"});
}
template <class D, class V> requires Describes<D, ObstacleFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "of the obstacle; events and the page use it"});
  v.field("box", d.box, {.doc = "a solid box, upright"});
  v.field("cylinder", d.cylinder, {.doc = "a solid cylinder, upright"});
  v.field("sphere", d.sphere, {.doc = "a solid sphere"});
  v.field("mesh", d.mesh, {.doc = "triangles of a file"});
}
template <class D, class V> requires Describes<D, BoxFile>
void describe(D& d, V& v) {
  v.field("min", d.min, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "south-west corner, east north"});
  v.field("max", d.max, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "north-east corner, east north"});
}
template <class D, class V> requires Describes<D, CylinderFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "east north"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.1, .max = 1e6, .required = true, .doc = "of the cylinder"});
}
template <class D, class V> requires Describes<D, PolygonFile>
void describe(D& d, V& v) {
  v.field("corners", d.corners, {.unit = "m", .min = 3, .max = 1000, .required = true, .doc = "east north, in order around the outline"});
}
template <class D, class V> requires Describes<D, RegionFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "of the region; events and the page use it"});
  v.field("rule", d.rule, {.doc = "mark is only shown; keep_in and keep_out tell an event when a vehicle breaks them"});
  v.field("box", d.box, {.doc = "an upright box along east and north"});
  v.field("cylinder", d.cylinder, {.doc = "an upright cylinder"});
  v.field("polygon", d.polygon, {.doc = "an upright prism on any outline that does not cross itself"});
  v.field("floor", d.floor, {.unit = "m", .min = -kFar, .max = kFar, .doc = "absent: no lower end"});
  v.field("ceiling", d.ceiling, {.unit = "m", .min = -kFar, .max = kFar, .doc = "absent: no upper end"});
}
template <class D, class V> requires Describes<D, ScenarioFile>
void describe(D& d, V& v) {
  v.field("include", d.include, {.is_path = true, .doc = "files to start from; what is written here wins, maps are merged, lists replaced"});
  v.field("name", d.name, {.doc = "of the scenario"});
  v.field("description", d.description, {.doc = "what it shows"});
  v.field("seed", d.seed, {.doc = "of everything random"});
  v.field("duration", d.duration, {.unit = "s", .min = 1e-6, .max = 1e9, .doc = "of the run"});
  v.field("tick", d.tick, {.unit = "s", .min = 1e-6, .max = 1, .doc = "what sensors, logs and messages count in; a whole number of nanoseconds"});
  v.field("substeps", d.substeps, {.min = 1, .max = 1000, .doc = "integration steps in a tick"});
  v.field("worlds", d.worlds, {.min = 1, .max = 262143, .doc = "copies of the scenario stepped together"});
  v.field("first_world", d.first_world, {.min = 0, .max = 262142, .doc = "number of the first copy: with worlds 1, that world of a batch alone, to the same bits"});
  v.field("precision", d.precision, {.doc = "of the state"});
  v.field("integrator", d.integrator, {.doc = "of the motion"});
  v.field("metrics_from", d.metrics_from, {.unit = "s", .min = 0, .max = 1e9, .doc = "tracking error is counted from here"});
  v.field("compare_controllers", d.compare_controllers, {.doc = "volary run flies it once with each controller and tabulates the tracking errors"});
  v.field("environment", d.environment, {.doc = "air and ground"});
  v.field("terrain", d.terrain, {.doc = "ground that is not flat: one of image, srtm, geotiff; vehicles placed below it stand on it"});
  v.field("obstacles", d.obstacles, {.min = 0, .max = 10'000, .doc = "what stands in the way: one of box, cylinder, sphere, mesh each"});
  v.field("flocks", d.flocks, {.min = 1, .max = 1000, .required = true, .doc = "vehicles that share an airframe and a controller"});
  v.field("regions", d.regions, {.min = 0, .max = static_cast<double>(kMostRegions), .doc = "named parts of the world: one of box, cylinder, polygon each"});
  v.field("events", d.events, {.min = 0, .max = 1e5, .doc = "what happens from outside at a known time"});
  v.field("radio", d.radio, {.doc = "the medium that all radios share"});
  v.field("tasks", d.tasks, {.min = 0, .max = 1000, .doc = "the mission: conditions that the run is to bring about; its report and exit code come from them"});
}

}  // namespace volary::scenario
