// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The describe lists of scenario_def.hpp: name, unit, bounds and meaning of every field of a scenario file.
#pragma once

#include "environment/weather_fields.hpp"
#include "scenario/sensor_fields.hpp"
#include "scenario/scenario_def.hpp"
#include "vehicles/effector_def.hpp"

namespace volary {

template <class D, class T> concept Describes = std::is_same_v<std::remove_const_t<D>, T>;

template <class D, class V> requires Describes<D, ControllerDef>
void describe(D& d, V& v) {
  v.field("kind", d.kind, {.doc = "control law above body rates: cascade (as in PX4), geometric (on SE(3)) or rpt (robust perfect tracking)"});
  v.field("level", d.level, {.doc = "highest control level in use; rates: the flock accepts only body rates and thrust, and is fastest to simulate"});
  v.field("use_jerk", d.use_jerk, {.doc = "whether body rates are fed forward from the jerk of the trajectory"});
  v.field("position_p", d.position_p,
          {.unit = "1/s",
           .min = 0,
           .max = 1e3,
           .doc = "proportional gain of the position loop; 0: derived from the airframe. For a car, the reciprocal of its look-ahead time"});
  v.field("velocity_p", d.velocity_p, {.unit = "1/s", .min = 0, .max = 1e3, .doc = "proportional gain of the velocity loop; 0: derived from the airframe"});
  v.field("velocity_i", d.velocity_i, {.unit = "1/s2", .min = 0, .max = 1e4, .doc = "integral gain of the velocity loop; 0: derived from the airframe"});
  v.field("velocity_d", d.velocity_d, {.min = 0, .max = 1e3, .doc = "derivative gain of the velocity loop; 0: no derivative term"});
  v.field("attitude_p", d.attitude_p, {.unit = "1/s", .min = 0, .max = 1e3, .doc = "proportional gain of the attitude loop; 0: derived from the airframe"});
  v.field("rate_p", d.rate_p, {.unit = "1/s", .min = 0, .max = 1e4, .doc = "proportional gain of the body-rate loop; 0: derived from the airframe"});
  v.field("rate_i", d.rate_i, {.unit = "1/s2", .min = 0, .max = 1e5, .doc = "integral gain of the body-rate loop; 0: derived from the airframe"});
  v.field("rate_d", d.rate_d, {.min = 0, .max = 1e3, .doc = "derivative gain of the body-rate loop; 0: derived from the airframe"});
  v.field("max_speed", d.max_speed,
          {.unit = "m/s", .min = 0, .max = 1e3, .doc = "greatest horizontal speed that the controller commands; 0: derived from the airframe"});
  v.field("max_climb", d.max_climb,
          {.unit = "m/s", .min = 0, .max = 1e3, .doc = "greatest vertical speed that the controller commands; 0: derived from the airframe"});
  v.field("max_tilt", d.max_tilt,
          {.unit = "rad", .min = 0, .max = 3.141592653589793, .doc = "greatest tilt that the controller commands; 0: derived from the airframe"});
  v.field("max_rate", d.max_rate,
          {.unit = "rad/s", .min = 0, .max = 1e3, .doc = "greatest body rate that the controller commands; 0: derived from the airframe"});
  v.field(
      "rpt_frequency", d.rpt_frequency,
      {.unit = "rad/s", .min = 0, .max = 1e3, .doc = "natural frequency of robust perfect tracking, horizontal and vertical; 0: derived from the airframe"});
  v.field("rpt_damping", d.rpt_damping,
          {.min = 0, .max = 10, .doc = "damping ratio of robust perfect tracking, horizontal and vertical; 0: critical damping, 1"});
  v.field("rpt_pole", d.rpt_pole,
          {.unit = "rad/s", .min = 0, .max = 1e3, .doc = "third pole of robust perfect tracking, horizontal and vertical; 0: derived from the airframe"});
  v.field("rpt_epsilon", d.rpt_epsilon,
          {.min = 0, .max = 10, .doc = "epsilon of robust perfect tracking, horizontal and vertical; a smaller value tracks tighter; 0: 1"});
  v.field("rpt_drag_compensation", d.rpt_drag_compensation, {.doc = "whether robust perfect tracking feeds the drag along the reference forward"});
  v.field("geometric_position", d.geometric_position,
          {.unit = "1/s2", .min = 0, .max = 1e4, .doc = "position gain of the geometric controller; 0: derived from the airframe"});
  v.field("geometric_velocity", d.geometric_velocity,
          {.unit = "1/s", .min = 0, .max = 1e3, .doc = "velocity gain of the geometric controller; 0: derived from the airframe"});
  v.field("geometric_attitude", d.geometric_attitude,
          {.unit = "1/s2", .min = 0, .max = 1e6, .doc = "attitude gain of the geometric controller; 0: derived from the airframe"});
  v.field("geometric_rate", d.geometric_rate,
          {.unit = "1/s", .min = 0, .max = 1e4, .doc = "body-rate gain of the geometric controller; 0: derived from the airframe"});
}

template <class D, class V> requires Describes<D, SpreadDef>
void describe(D& d, V& v) {
  v.field("position", d.position_W,
          {.unit = "m", .min = 0, .max = 1e5, .doc = "greatest difference of the position from its definition on each axis, east north up"});
  v.field("velocity", d.velocity_W, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "greatest difference of the velocity on each axis, east north up"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = 0, .max = 3.141592653589793, .doc = "greatest difference of the yaw"});
  v.field("tilt", d.tilt,
          {.unit = "rad", .min = 0, .max = 3.141592653589793, .doc = "greatest angle by which the vehicle is turned about a level axis of random direction"});
  v.field("rates", d.rate_B, {.unit = "rad/s", .min = 0, .max = 100, .doc = "greatest body rate on each axis, forward left up"});
}

template <class D, class V> requires Describes<D, WallDef>
void describe(D& d, V& v) {
  v.field("centre", d.centre_W, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "centre of the front face, east north up"});
  v.field("yaw", d.yaw,
          {.unit = "rad",
           .min = -6.283185307179587,
           .max = 6.283185307179587,
           .doc = "direction of the normal of the front face, from east towards north; at 0 the face looks east"});
  v.field("pitch", d.pitch, {.unit = "rad", .min = -1.5707963267948966, .max = 1.5707963267948966, .doc = "angle of this normal above the horizontal plane"});
  v.field("width", d.width, {.unit = "m", .min = 0.01, .max = 1e3, .doc = "width of the front face"});
  v.field("height", d.height, {.unit = "m", .min = 0.01, .max = 1e3, .doc = "height of the front face"});
  v.field("thickness", d.thickness, {.unit = "m", .min = 0.001, .max = 100, .doc = "extent of the wall behind its front face"});
  v.field("stiffness", d.stiffness,
          {.unit = "N/m",
           .min = 0,
           .max = 1e6,
           .doc = "stiffness of the spring along the normal that the wall stands on, for each vehicle by itself; 0: the wall stands fast"});
  v.field("damping", d.damping, {.unit = "N s/m", .min = 0, .max = 1e6, .doc = "damping of this spring"});
  v.field("mass", d.mass, {.unit = "kg", .min = 1e-3, .max = 1e6, .doc = "mass of a wall on a spring"});
  v.field("surface", d.surface, {.doc = "friction and softness of the wall"});
}
template <class D, class V> requires Describes<D, FunnelDef>
void describe(D& d, V& v) {
  v.field("mouth", d.mouth_W, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "centre of the mouth, east north up"});
  v.field("yaw", d.yaw,
          {.unit = "rad",
           .min = -6.283185307179587,
           .max = 6.283185307179587,
           .doc = "direction of the axis out of the mouth, from east towards north; at 0 the mouth opens eastwards"});
  v.field("pitch", d.pitch,
          {.unit = "rad",
           .min = -1.5707963267948966,
           .max = 1.5707963267948966,
           .doc = "angle of this axis above the horizontal plane; above 0 the bore leads downwards"});
  v.field("mouth_radius", d.mouth_radius, {.unit = "m", .min = 0.001, .max = 100, .doc = "inner radius of the mouth"});
  v.field("bore_radius", d.bore_radius, {.unit = "m", .min = 0.001, .max = 100, .doc = "inner radius of the bore, smaller than that of the mouth"});
  v.field("taper", d.taper, {.unit = "m", .min = 0.001, .max = 100, .doc = "length over which the funnel narrows from the mouth to the bore"});
  v.field("bore", d.bore, {.unit = "m", .min = 0.001, .max = 100, .doc = "length of the bore, which is open at its end"});
  v.field("thickness", d.thickness, {.unit = "m", .min = 0.001, .max = 10, .doc = "thickness of the plates that the funnel is built of"});
  v.field("plates", d.plates,
          {.min = airframe::kFewestPlates, .max = airframe::kMostPlates, .doc = "number of plates around the axis, of the taper and of the bore each"});
  v.field("surface", d.surface, {.doc = "friction and softness of the funnel"});
}
template <class D, class V> requires Describes<D, DockingDef>
void describe(D& d, V& v) {
  v.field("with", d.with,
          {.required = true, .doc = "name of the other flock: vehicle k of this flock can dock with vehicle k of that one, and both have as many vehicles"});
}
template <class D, class V> requires Describes<D, CableDef>
void describe(D& d, V& v) {
  v.field("length", d.length,
          {.unit = "m", .min = 0.05, .max = 1000, .required = true, .doc = "length of the cable; it pulls where its ends are this far apart"});
  v.field("attach", d.attach_B, {.unit = "m", .min = -10, .max = 10, .doc = "upper end of the cable, in the frame of the aircraft; default: its origin"});
  v.field("time_constant", d.time_constant,
          {.unit = "s",
           .min = 0.001,
           .max = 1,
           .doc = "time in which a stretched cable shortens to its length, at least two integration steps; smaller: stiffer"});
}
template <class D, class V> requires Describes<D, LoadDef>
void describe(D& d, V& v) {
  v.field("mass", d.mass, {.unit = "kg", .min = 1e-4, .max = 1e5, .required = true, .doc = "mass of the load"});
  v.field("size", d.size, {.unit = "m", .min = 0.001, .max = 100, .required = true, .doc = "edges of the load, a box, along its x, y and z axes"});
  v.field("inertia", d.moments,
          {.unit = "kg m2", .min = 0, .max = 1e7, .doc = "moments of inertia about the centre of the box; 0 0 0: those of a uniform box"});
  v.field("surface", d.surface, {.doc = "friction and softness of the load"});
  v.field("cable", d.cable, {.required = true, .doc = "cable between each aircraft and the load"});
  v.field("hooks", d.hooks,
          {.unit = "m",
           .min = 0,
           .max = kMostCarriers,
           .doc = "lower ends of the cables, from the centre of the load, one for each aircraft: this flock first, then the flocks of `with`. Absent: on the top of "
                  "the load, in its middle for one aircraft, at its edge for several"});
  v.field("with", d.with,
          {.min = 0,
           .max = kMostCarriers - 1,
           .doc = "names of up to three other flocks that carry the load. Vehicle k of this flock carries it together with vehicle k of each of them. Absent: each "
                  "vehicle carries a load alone"});
}

}  // namespace volary

namespace volary::scenario {

// bounds that several fields share
inline constexpr double kFar = 1e7, kTurn = 6.283185307179587, kMaxCount = 1e9, kMaxPoints = 10'000;

template <class D, class V> requires Describes<D, GridFile>
void describe(D& d, V& v) {
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "number of vehicles"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.01, .max = 1e5, .doc = "distance between neighbours in the grid"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "centre of the lowest layer, east north up"});
  v.field("rows", d.rows, {.min = 0, .max = kMaxCount, .doc = "number of rows along y; 0: about as many rows as columns"});
  v.field("layers", d.layers, {.min = 1, .max = 1e6, .doc = "number of layers, one above the other"});
}
template <class D, class V> requires Describes<D, RingFile>
void describe(D& d, V& v) {
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "number of vehicles"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e6, .required = true, .doc = "radius of the ring"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "centre of the ring, east north up"});
}
template <class D, class V> requires Describes<D, RandomFile>
void describe(D& d, V& v) {
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "number of vehicles"});
  v.field("min", d.min, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "lowest corner of the box, east north up"});
  v.field("max", d.max, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "highest corner of the box, east north up"});
  v.field("min_spacing", d.min_spacing, {.unit = "m", .min = 0, .max = 1e5, .doc = "least distance between any two vehicles; 0: no limit"});
}
template <class D, class V> requires Describes<D, FormationFile>
void describe(D& d, V& v) {
  v.field("shape", d.shape, {.required = true, .doc = "shape of the formation; the first vehicle is its leader"});
  v.field("count", d.count, {.min = 1, .max = kMaxCount, .required = true, .doc = "number of vehicles"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.01, .max = 1e5, .doc = "distance between neighbours in the formation"});
  v.field("heading", d.heading, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "direction in which the formation points, from east towards north"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "position of the leader, east north up; for a line, its middle"});
}
template <class D, class V> requires Describes<D, ListedFile>
void describe(D& d, V& v) {
  v.field("position", d.position, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "start position of the vehicle, east north up"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "yaw at the start, from east towards north; absent: the yaw of the flock"});
  v.field("name", d.name, {.doc = "name of the vehicle in reports; absent: flock and number"});
}
template <class D, class V> requires Describes<D, LogFile>
void describe(D& d, V& v) {
  v.field("file", d.file,
          {.required = true, .is_path = true, .doc = "log of a real or simulated flight beside the scenario or in assets/logs: ULog (.ulg) of PX4 or DataFlash (.bin) of ArduPilot"});
  v.field("name", d.name, {.doc = "name of the vehicle in reports; absent: the name of the file"});
  v.field("start", d.start, {.unit = "s", .min = 0, .max = 1e9, .doc = "simulated time at which the flight of the log begins; before it the vehicle stands still"});
  v.field("from", d.from, {.unit = "s", .min = 0, .max = 1e9, .doc = "time after the first position in the log at which the flight begins"});
  v.field("until", d.until, {.unit = "s", .min = 0, .max = 1e9, .doc = "time after the first position in the log at which the flight ends; absent: the end of the log"});
  v.field("at", d.at,
          {.unit = "m",
           .min = -kFar,
           .max = kFar,
           .doc = "position of the vehicle where its flight begins, east north up; absent: its place on the Earth, or without environment.origin the position in the log"});
}
template <class D, class V> requires Describes<D, PlacementFile>
void describe(D& d, V& v) {
  v.field("grid", d.grid, {.doc = "vehicles in rows and columns, in one or more layers"});
  v.field("ring", d.ring, {.doc = "vehicles evenly spaced on a circle"});
  v.field("random", d.random, {.doc = "vehicles at random positions in a box, drawn from the seed of the scenario"});
  v.field("formation", d.formation, {.doc = "vehicles in a v, line, wedge or diamond behind a leader"});
  v.field("list", d.list, {.min = 1, .max = 1e6, .doc = "vehicles listed one by one"});
  v.field("logs", d.logs, {.min = 1, .max = 1e4, .doc = "vehicles of a mirror, each moved by a log of an autopilot"});
}

template <class D, class V> void describe_hold(D& d, V& v) {
  v.field("height", d.height,
          {.unit = "m", .min = -1e5, .max = 1e5, .doc = "height of the curve above its centre; without a centre: above the start of the vehicle"});
  v.field("centre", d.centre,
          {.unit = "m",
           .min = -kFar,
           .max = kFar,
           .doc = "centre of the curve, east north up; absent: each vehicle has its own centre, so that its curve begins above its start"});
}
template <class D, class V> void describe_curve(D& d, V& v) {
  describe_hold(d, v);
  v.field("ramp", d.ramp,
          {.unit = "s",
           .min = 0,
           .max = 1e4,
           .doc = "time from rest to full speed; 0: a vehicle that starts in the mission begins on the curve at its full speed"});
  v.field("face_forward", d.face_forward, {.doc = "whether the yaw follows the velocity; false: the yaw is fixed"});
}
template <class D, class V> requires Describes<D, HoldFile>
void describe(D& d, V& v) {
  describe_hold(d, v);
}
template <class D, class V> requires Describes<D, CircleFile>
void describe(D& d, V& v) {
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "radius of the circle"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 1e-3, .max = 1e3, .doc = "speed along the circle; give exactly one of speed, period and acceleration"});
  v.field("period", d.period, {.unit = "s", .min = 0.01, .max = 1e6, .doc = "time of one lap; give exactly one of speed, period and acceleration"});
  v.field("acceleration", d.acceleration,
          {.unit = "m/s2", .min = 1e-4, .max = 1e3, .doc = "acceleration towards the centre; give exactly one of speed, period and acceleration"});
  v.field("clockwise", d.clockwise, {.doc = "whether the circle is flown clockwise, seen from above"});
  v.field("spread", d.spread, {.doc = "whether the vehicles share one circle, evenly spread; needs a centre"});
  describe_curve(d, v);
}
template <class D, class V> requires Describes<D, FigureEightFile>
void describe(D& d, V& v) {
  v.field("length", d.length, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "length of the figure eight from end to end, along x"});
  v.field("width", d.width, {.unit = "m", .min = 0.01, .max = 1e5, .doc = "width of the figure eight along y; absent: half the length"});
  v.field("speed", d.speed,
          {.unit = "m/s", .min = 1e-3, .max = 1e3, .doc = "highest speed on the figure eight, reached in the middle; give exactly one of speed and period"});
  v.field("period", d.period, {.unit = "s", .min = 0.01, .max = 1e6, .doc = "time of one whole figure eight; give exactly one of speed and period"});
  v.field("spread", d.spread, {.doc = "whether the vehicles share one figure eight, evenly spread in time; needs a centre"});
  describe_curve(d, v);
}
template <class D, class V> requires Describes<D, LissajousFile>
void describe(D& d, V& v) {
  v.field("amplitude", d.amplitude,
          {.unit = "m", .min = -1e5, .max = 1e5, .required = true, .doc = "amplitude on each axis: the position is centre + amplitude sin(rate t + phase)"});
  v.field("rate", d.rate, {.unit = "rad/s", .min = -1e3, .max = 1e3, .required = true, .doc = "angular frequency on each axis"});
  v.field("phase", d.phase, {.unit = "rad", .min = -1e3, .max = 1e3, .doc = "phase on each axis"});
  describe_curve(d, v);
}
template <class D, class V> requires Describes<D, WaypointsFile>
void describe(D& d, V& v) {
  v.field("points", d.points,
          {.unit = "m",
           .min = 2,
           .max = kMaxPoints,
           .required = true,
           .doc = "waypoints, relative to the centre or, without a centre, to the start of the vehicle"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 1e-3, .max = 1e3, .required = true, .doc = "highest speed, reached on a long leg"});
  v.field("acceleration", d.acceleration, {.unit = "m/s2", .min = 1e-3, .max = 1e3, .doc = "highest acceleration along a leg"});
  v.field("pause", d.pause, {.unit = "s", .min = 0, .max = 1e6, .doc = "time at rest at every point except the first"});
  v.field("loop", d.loop, {.doc = "whether the vehicle returns to the first point and begins again"});
  v.field("centre", d.centre,
          {.unit = "m", .min = -kFar, .max = kFar, .doc = "point that the waypoints are relative to, east north up; absent: the start of each vehicle"});
}
template <class D, class V> requires Describes<D, MinimumSnapFile>
void describe(D& d, V& v) {
  v.field("points", d.points,
          {.unit = "m",
           .min = 2,
           .max = kMaxPoints,
           .required = true,
           .doc = "points of the path, relative to the centre or, without a centre, to the start of the vehicle"});
  v.field("speed", d.speed,
          {.unit = "m/s", .min = 1e-3, .max = 1e3, .doc = "mean speed along straight legs between the points; give exactly one of speed and total_time"});
  v.field("total_time", d.total_time,
          {.unit = "s",
           .min = 0.01,
           .max = 1e6,
           .doc = "time from the first point to the last, or back to the first with loop; give exactly one of speed and total_time"});
  v.field("loop", d.loop, {.doc = "whether the vehicle returns to the first point, stops there and begins again"});
  v.field("centre", d.centre,
          {.unit = "m", .min = -kFar, .max = kFar, .doc = "point that the points are relative to, east north up; absent: the start of each vehicle"});
}
template <class D, class V> requires Describes<D, RouteFile>
void describe(D& d, V& v) {
  v.field("points", d.points,
          {.unit = "m",
           .min = 2,
           .max = kMaxPoints,
           .required = true,
           .doc = "points of the route, relative to the centre or, without a centre, to the start of the vehicle"});
  v.field("speed", d.speed,
          {.unit = "m/s", .min = 1e-3, .max = 1e3, .required = true, .doc = "speed along the route, except near a start from rest or a stop"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.01, .max = 1e5, .required = true, .doc = "radius of the arcs that round the corners, seen from above"});
  v.field("loop", d.loop, {.doc = "whether the route is closed: its first point is rounded too, and a lap begins at the end of that arc"});
  v.field("from_rest", d.from_rest, {.doc = "whether the speed rises from zero at the start; false: the vehicle begins at full speed"});
  v.field("to_rest", d.to_rest, {.doc = "whether the speed falls to zero at the end of the route"});
  v.field("acceleration", d.acceleration, {.unit = "m/s2", .min = 1e-3, .max = 1e3, .doc = "highest acceleration where the speed rises or falls"});
  v.field("centre", d.centre,
          {.unit = "m", .min = -kFar, .max = kFar, .doc = "point that the points are relative to, east north up; absent: the start of each vehicle"});
  v.field("spread", d.spread, {.doc = "whether the vehicles share one loop, evenly spread along it; needs a centre"});
}
template <class D, class V> requires Describes<D, TurnFile>
void describe(D& d, V& v) {
  v.field("amplitude", d.amplitude,
          {.unit = "rad", .min = -3.2, .max = 3.2, .doc = "amplitude of roll, pitch and yaw: each is amplitude sin(rate t + phase) + offset; the yaw counts from that at the start"});
  v.field("rate", d.rate, {.unit = "rad/s", .min = -1e2, .max = 1e2, .doc = "angular frequency of roll, pitch and yaw"});
  v.field("phase", d.phase, {.unit = "rad", .min = -1e3, .max = 1e3, .doc = "phase of roll, pitch and yaw"});
  v.field("offset", d.offset, {.unit = "rad", .min = -3.2, .max = 3.2, .doc = "constant part of roll, pitch and yaw"});
  v.field("points", d.points,
          {.min = 2, .max = 1e4, .doc = "points in time, each [s, roll, pitch, yaw] with angles in rad: the angles go along straight lines between them, instead of the sines"});
  v.field("loop", d.loop, {.doc = "whether the points begin again after the last one; false: its angles are kept"});
}
template <class D, class V> requires Describes<D, MissionFile>
void describe(D& d, V& v) {
  v.field("hold", d.hold, {.doc = "flight at one fixed point; the default"});
  v.field("circle", d.circle, {.doc = "flight on a level circle"});
  v.field("figure_eight", d.figure_eight, {.doc = "flight on a level figure eight"});
  v.field("lissajous", d.lissajous, {.doc = "flight on a Lissajous curve: one sine on each axis"});
  v.field("waypoints", d.waypoints, {.doc = "flight along straight legs, with a stop at every waypoint"});
  v.field("minimum_snap", d.minimum_snap, {.doc = "smooth flight through all points without a stop"});
  v.field("route", d.route,
          {.doc = "straight legs with rounded corners at one speed, for fixed wings and cars; vehicles that start in the mission begin at its speed"});
  v.field("turn", d.turn, {.doc = "roll, pitch and yaw of a platform of several aircraft along the curve; absent: none"});
  v.field("start_delay", d.start_delay, {.unit = "s", .min = 0, .max = 1e6, .doc = "time from the start of the mission to the start of its curve"});
  v.field("stagger", d.stagger, {.unit = "s", .min = 0, .max = 1e5, .doc = "additional start delay of each vehicle compared with the vehicle before it"});
}

template <class D, class V> requires Describes<D, VariantsFile>
void describe(D& d, V& v) {
  v.field("count", d.count, {.min = 1, .max = 4096, .doc = "number of variants that are made with `spread`"});
  v.field("spread", d.spread,
          {.min = 0,
           .max = 0.95,
           .doc = "numbers of the airframe by their names in its file, such as motor.thrust2, each with its greatest relative difference. 0.1 draws a factor from 0.9 to 1.1"});
  v.field("airframes", d.airframes,
          {.min = 1, .max = 4096, .is_path = true, .doc = "names or files of airframes of the same model, instead of `count` and `spread`"});
}
template <class D, class V> requires Describes<D, OutputsFile>
void describe(D& d, V& v) {
  v.field("rotors", d.rotors,
          {.min = -16,
           .max = 16,
           .doc = "output that drives each rotor of the airframe. Absent, wing: 5 (PX4), 3 (ArduPilot). Absent, quadplane: 1 to 5 (PX4), 5 to 8 and 3 (ArduPilot)"});
  v.field("aileron", d.aileron, {.min = -16, .max = 16, .doc = "output of the ailerons, negative where it is reversed; 0: none; absent: 7 (PX4), 1 (ArduPilot)"});
  v.field("elevator", d.elevator, {.min = -16, .max = 16, .doc = "output of the elevator, negative where it is reversed; 0: none; absent: 8 (PX4), 2 (ArduPilot)"});
  v.field("rudder", d.rudder,
          {.min = -16,
           .max = 16,
           .doc = "output of the rudder, negative where it is reversed; 0: none. Absent: 3 (PX4, wing), none (PX4, quadplane), 4 (ArduPilot)"});
}
template <class D, class V> requires Describes<D, AutopilotFile>
void describe(D& d, V& v) {
  v.field("kind", d.kind, {.required = true, .doc = "project whose flight code flies the vehicles: px4 or ardupilot. The command line says which program runs"});
  v.field("parameters", d.parameters,
          {.is_path = true, .doc = "file with parameters of the autopilot, one name and value per line, beside the scenario or in assets/autopilots; absent: none"});
  v.field("autostart", d.autostart,
          {.min = 1,
           .max = 1e7,
           .doc = "number of the airframe of PX4 (SYS_AUTOSTART); ArduPilot has none. Absent: 10016 for a multirotor, 1030 for a wing, 1040 for a quadplane"});
  v.field("motors", d.motors,
          {.min = 0,
           .max = 8,
           .doc = "rotor of a multirotor, counted from 0, that each motor output of the autopilot drives. Absent: the first output drives the first rotor, and so on"});
  v.field("outputs", d.outputs,
          {.doc = "outputs of the autopilot, counted from 1, that drive the rotors and surfaces of an aircraft. Absent: those of PX4's airframes 1030 and 1040, and of "
                  "ArduPilot's plane"});
}
template <class D, class V> requires Describes<D, FlockFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the flock, used in events and reports"});
  v.field("airframe", d.airframe,
          {.is_path = true, .doc = "name of an airframe in assets/vehicles, such as crazyflie, or path of a .yaml file relative to the scenario"});
  v.field("variants", d.variants, {.doc = "airframes that the vehicles fly instead of `airframe`; each vehicle draws one of them in each episode"});
  v.field("controller", d.controller, {.doc = "controller of the vehicles; every gain is optional"});
  v.field("vehicles", d.vehicles, {.required = true, .doc = "number and start positions of the vehicles: exactly one of grid, ring, random, formation, list, logs"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "yaw at the start, from east towards north"});
  v.field("spread", d.spread,
          {.doc = "greatest differences between the start of a vehicle and its definition. Each difference is drawn uniformly, in both directions, anew in each episode"});
  v.field("mission", d.mission,
          {.doc = "curve that the vehicles fly: at most one of hold, circle, figure_eight, lissajous, waypoints, minimum_snap, route; absent: hold"});
  v.field("start", d.start,
          {.doc = "flight mode at the start; hold and mission: in the air at the beginning of the curve; all others: where the vehicles are placed"});
  v.field("take_off_height", d.take_off_height, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "height of a take-off above the start"});
  v.field("mirror", d.mirror,
          {.doc = "whether an external source, such as motion capture, gives the poses instead of physics. A mirror needs no airframe; only the size of a "
                  "given airframe is used"});
  v.field(
      "full_physics", d.full_physics,
      {.doc = "whether the full model is used; false: a quadrotor with quadratic thrust and linear drag, without wind and ground, or a car without tyre slip"});
  v.field("joined", d.joined,
          {.doc = "whether MuJoCo moves the bodies of each platform or multirotor, which then touch structures (docs/platforms.md). Airframes with end effectors, or with "
                  "joints other than plain ball joints, always fly so"});
  v.field("docking", d.docking,
          {.doc = "flock whose vehicles can be latched to those of this one, cylinder in cone; only one of the two flocks names the other. Absent: none"});
  v.field("load", d.load,
          {.doc = "load on cables below each multirotor of the flock, or below several multirotors of this and other flocks (docs/platforms.md); one of these flocks "
                  "has it. Absent: none"});
  v.field("autopilot", d.autopilot,
          {.doc = "PX4 or ArduPilot, one process for each vehicle, that commands the rotors in lock-step (docs/px4.md); absent: the controller of the flock"});
  v.field("sensors", d.sensors, {.doc = "sensors that each vehicle carries; see docs/sensors.md"});
  v.field("estimator", d.estimator, {.doc = "estimator of the state of each vehicle"});
  v.field("failsafe", d.failsafe, {.doc = "reaction of each vehicle to losses"});
  v.field("node", d.node, {.doc = "radio, sensors, memory, contact and decisions of each vehicle"});
  v.field("emits", d.emits, {.min = 0, .max = 16, .doc = "stimuli that each vehicle emits, one kind per entry"});
  v.field("behaviours", d.behaviours,
          {.min = 0, .max = 64, .doc = "behaviours of each vehicle, one kind per entry; at each decision the behaviour with the highest score acts"});
}
template <class D, class V> requires Describes<D, EventFile>
void describe(D& d, V& v) {
  v.field("time", d.time, {.unit = "s", .min = 0, .max = 1e9, .required = true, .doc = "simulated time of the event, within the duration"});
  v.field("what", d.what, {.required = true, .doc = "action that the event triggers"});
  v.field("flock", d.flock, {.doc = "name of the flock that the event acts on; absent: every flock"});
  v.field("vehicle", d.vehicle, {.min = -1, .max = 1e9, .doc = "number of the vehicle in the flock, from 0; -1: all vehicles of the flock"});
  v.field("value", d.value, {.unit = "m/s", .min = -100, .max = 100, .doc = "new mean wind, east north up; only for an event of the kind wind"});
  v.field("position", d.position, {.unit = "m", .min = -kFar, .max = kFar, .doc = "place that a platform goes to; only for an event of the kind pose"});
  v.field("angles", d.angles, {.unit = "rad", .min = -6.3, .max = 6.3, .doc = "roll, pitch and yaw of the platform there; only for an event of the kind pose"});
  v.field("force", d.force,
          {.unit = "N", .min = -1e4, .max = 1e4, .doc = "wanted force from outside on a platform, its own axes; only for an event of the kind press"});
  v.field("torque", d.torque,
          {.unit = "N m", .min = -1e4, .max = 1e4, .doc = "wanted torque from outside on a platform, its own axes; only for an event of the kind press"});
}
template <class D, class V> requires Describes<D, StructureFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the structure"});
  v.field("wall", d.wall, {.doc = "plate that stands fast or on a spring"});
  v.field("funnel", d.funnel, {.doc = "funnel with a bore behind it"});
}
template <class D, class V> requires Describes<D, EnvironmentFile>
void describe(D& d, V& v) {
  using Base = std::conditional_t<std::is_const_v<D>, const EnvironmentDef, EnvironmentDef>;
  describe(static_cast<Base&>(d), v);
  v.field("structures", d.standing,
          {.min = 0,
           .max = static_cast<double>(kMostStructures),
           .doc = "walls and funnels that vehicles of joined bodies push and plug into, each exactly one of wall, funnel; other vehicles pass through them"});
}
template <class D, class V> requires Describes<D, ImageTerrainFile>
void describe(D& d, V& v) {
  v.field("file", d.file,
          {.required = true, .is_path = true, .doc = "image file beside the scenario or in assets/terrain: PNG, JPEG, BMP, GIF, TGA, PNM or PSD"});
  v.field("width", d.width, {.unit = "m", .min = 0.01, .max = 1e6, .required = true, .doc = "extent of the image from its left to its right edge, eastwards"});
  v.field("depth", d.depth,
          {.unit = "m", .min = 0.01, .max = 1e6, .required = true, .doc = "extent of the image from its upper to its lower edge, southwards"});
  v.field("max_height", d.max_height, {.unit = "m", .min = -1e4, .max = 1e4, .required = true, .doc = "height of white pixels"});
  v.field("min_height", d.min_height, {.unit = "m", .min = -1e4, .max = 1e4, .doc = "height of black pixels"});
  v.field("origin", d.origin, {.unit = "m", .min = -kFar, .max = kFar, .doc = "position of the upper left corner of the image, east north"});
}
template <class D, class V> requires Describes<D, SrtmTerrainFile>
void describe(D& d, V& v) {
  v.field(
      "file", d.file,
      {.required = true, .is_path = true, .doc = "tile beside the scenario or in assets/terrain, named after its south-western corner, such as S36E149.hgt"});
  v.field("latitude", d.latitude, {.unit = "deg", .min = -90, .max = 90, .required = true, .doc = "latitude of the world's origin"});
  v.field("longitude", d.longitude, {.unit = "deg", .min = -180, .max = 180, .required = true, .doc = "longitude of the world's origin"});
  v.field("width", d.width, {.unit = "m", .min = 30, .max = 1.2e5, .required = true, .doc = "total east-west extent of the terrain, centred on the origin"});
  v.field("depth", d.depth, {.unit = "m", .min = 30, .max = 1.2e5, .required = true, .doc = "total north-south extent of the terrain, centred on the origin"});
  v.field("datum", d.datum, {.unit = "m", .min = -1000, .max = 10000, .doc = "height above sea level that is height 0 in the world"});
  v.field("voids", d.voids,
          {.unit = "m", .min = -1000, .max = 10000, .doc = "height above sea level of points without a measurement; absent: such points are an error"});
}
template <class D, class V> requires Describes<D, GeotiffTerrainFile>
void describe(D& d, V& v) {
  v.field("file", d.file, {.required = true, .is_path = true, .doc = "GeoTIFF file of heights in metres beside the scenario or in assets/terrain"});
  v.field("latitude", d.latitude,
          {.unit = "deg", .min = -90, .max = 90, .doc = "latitude of the world's origin, for a map in degrees (WGS 84, NAD83, ETRS89)"});
  v.field("longitude", d.longitude, {.unit = "deg", .min = -180, .max = 180, .doc = "longitude of the world's origin, for a map in degrees"});
  v.field(
      "east", d.east,
      {.unit = "m", .min = -1e8, .max = 1e8, .doc = "east coordinate of the world's origin in the coordinates of the map, for a map in metres such as UTM"});
  v.field("north", d.north,
          {.unit = "m", .min = -1e8, .max = 1e8, .doc = "north coordinate of the world's origin in the coordinates of the map, for a map in metres"});
  v.field("width", d.width, {.unit = "m", .min = 0.1, .max = 1e6, .required = true, .doc = "total east-west extent of the terrain, centred on the origin"});
  v.field("depth", d.depth, {.unit = "m", .min = 0.1, .max = 1e6, .required = true, .doc = "total north-south extent of the terrain, centred on the origin"});
  v.field("datum", d.datum, {.unit = "m", .min = -1e4, .max = 1e4, .doc = "height on the map that is height 0 in the world"});
  v.field("voids", d.voids,
          {.unit = "m", .min = -1e4, .max = 1e4, .doc = "height on the map of points without a measurement; absent: such points are an error"});
}
template <class D, class V> requires Describes<D, TerrainFile>
void describe(D& d, V& v) {
  v.field("image", d.image, {.doc = "terrain whose heights are the brightness of an image"});
  v.field("srtm", d.srtm, {.doc = "terrain from a tile of the Shuttle Radar Topography Mission"});
  v.field("geotiff", d.geotiff, {.doc = "terrain from a georeferenced map of heights"});
}
template <class D, class V> requires Describes<D, SolidBoxFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "centre of the box, east north up"});
  v.field("size", d.size, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "size of the box along east, north and up, before its rotation"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "yaw of the box, from east towards north"});
}
template <class D, class V> requires Describes<D, SolidCylinderFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "centre of the base of the cylinder, east north up"});
  v.field("radius", d.radius, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "radius of the upright cylinder"});
  v.field("height", d.height, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "height of the cylinder above its base"});
}
template <class D, class V> requires Describes<D, SolidSphereFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "centre of the sphere, east north up"});
  v.field("radius", d.radius, {.unit = "m", .min = 1e-3, .max = 1e5, .required = true, .doc = "radius of the sphere"});
}
template <class D, class V> requires Describes<D, MeshFile>
void describe(D& d, V& v) {
  v.field(
      "file", d.file,
      {.required = true, .is_path = true, .doc = "OBJ, glTF or GLB file beside the scenario or in assets/meshes; the mesh is a shell, which may have holes"});
  v.field("position", d.position, {.unit = "m", .min = -kFar, .max = kFar, .doc = "position of the origin of the mesh file, east north up"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = -kTurn, .max = kTurn, .doc = "yaw of the mesh, from east towards north"});
  v.field("scale", d.scale, {.unit = "m", .min = 1e-6, .max = 1e6, .doc = "length of one unit of the mesh file"});
  v.field("up", d.up, {.doc = "axis of the mesh file that points up; absent: y for glTF, as its standard says, and z for OBJ"});
}
template <class D, class V> requires Describes<D, ObstacleFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the obstacle, used in events and in the viewer"});
  v.field("box", d.box, {.doc = "solid upright box"});
  v.field("cylinder", d.cylinder, {.doc = "solid upright cylinder"});
  v.field("sphere", d.sphere, {.doc = "solid sphere"});
  v.field("mesh", d.mesh, {.doc = "triangles from a mesh file"});
}
template <class D, class V> requires Describes<D, BoxFile>
void describe(D& d, V& v) {
  v.field("min", d.min, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "south-west corner of the box, east north"});
  v.field("max", d.max, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "north-east corner of the box, east north"});
}
template <class D, class V> requires Describes<D, CylinderFile>
void describe(D& d, V& v) {
  v.field("centre", d.centre, {.unit = "m", .min = -kFar, .max = kFar, .required = true, .doc = "centre of the cylinder, east north"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.1, .max = 1e6, .required = true, .doc = "radius of the cylinder"});
}
template <class D, class V> requires Describes<D, PolygonFile>
void describe(D& d, V& v) {
  v.field("corners", d.corners, {.unit = "m", .min = 3, .max = 1000, .required = true, .doc = "corners of the outline in order, east north"});
}
template <class D, class V> requires Describes<D, RegionFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the region, used in events and in the viewer"});
  v.field("rule", d.rule, {.doc = "rule of the region; mark: only shown; keep_in and keep_out: an event reports every vehicle that breaks the rule"});
  v.field("box", d.box, {.doc = "upright box with sides along east and north"});
  v.field("cylinder", d.cylinder, {.doc = "upright cylinder"});
  v.field("polygon", d.polygon, {.doc = "upright prism on any outline that does not cross itself"});
  v.field("floor", d.floor, {.unit = "m", .min = -kFar, .max = kFar, .doc = "height of the lower end of the region; absent: no lower end"});
  v.field("ceiling", d.ceiling, {.unit = "m", .min = -kFar, .max = kFar, .doc = "height of the upper end of the region; absent: no upper end"});
}
template <class D, class V> requires Describes<D, CouplingDef>
void describe(D& d, V& v) {
  v.field(
      "horizon", d.horizon,
      {.unit = "s",
       .min = 0,
       .max = static_cast<double>(kMostHorizon),
       .doc = "least time between a state and its messages, detections and stimuli: a whole number of ticks, at most 1000; 0: one tick"});
}
template <class D, class V> requires Describes<D, FederationNodeFile>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the node in reports and orders: up to 64 letters, digits, '-' and '_', and no digit first"});
  v.field("flocks", d.flocks, {.min = 0, .max = 1000, .doc = "names of the flocks that this node simulates"});
}
template <class D, class V> requires Describes<D, FederationFile>
void describe(D& d, V& v) {
  v.field("nodes", d.nodes,
          {.min = 0, .max = 63, .doc = "processes that simulate vehicles; flocks that no node names are divided among all nodes by estimated cost"});
}
template <class D, class V> requires Describes<D, ScenarioFile>
void describe(D& d, V& v) {
  v.field("include", d.include, {.is_path = true, .doc = "files to start from; this file overrides them, maps are merged and lists replaced"});
  v.field("name", d.name, {.doc = "name of the scenario"});
  v.field("description", d.description, {.doc = "short text about the purpose of the scenario"});
  v.field("seed", d.seed, {.doc = "seed of all random draws"});
  v.field("duration", d.duration, {.unit = "s", .min = 1e-6, .max = 1e9, .doc = "simulated length of the run"});
  v.field(
      "tick", d.tick,
      {.unit = "s", .min = 1e-6, .max = 1, .doc = "simulated time of one tick, the step of inputs, sensors, logs and messages; a whole number of nanoseconds"});
  v.field("substeps", d.substeps, {.min = 1, .max = 1000, .doc = "number of integration steps in one tick"});
  v.field("worlds", d.worlds, {.min = 1, .max = 262143, .doc = "number of copies of the scenario that are stepped together"});
  v.field("first_world", d.first_world, {.min = 0, .max = 262142, .doc = "number of the first copy; with worlds 1: only this world of a batch, bit-identical"});
  v.field("episode", d.episode, {.min = 0, .max = 2147483647, .doc = "episode in which all copies start: everything random is drawn anew in each episode"});
  v.field("precision", d.precision, {.doc = "floating-point precision of the state"});
  v.field("integrator", d.integrator, {.doc = "integration method for the motion"});
  v.field("metrics_from", d.metrics_from,
          {.unit = "s", .min = 0, .max = 1e9, .doc = "simulated time from which the tracking error and other metrics are counted"});
  v.field("compare_controllers", d.compare_controllers,
          {.doc = "whether volary run also flies the scenario once with each controller and tabulates the tracking errors"});
  v.field("environment", d.environment, {.doc = "gravity, air, weather and ground"});
  v.field("terrain", d.terrain,
          {.doc = "ground that is not flat: exactly one of image, srtm, geotiff. A vehicle placed below the terrain is moved up onto it"});
  v.field("obstacles", d.obstacles, {.min = 0, .max = 10'000, .doc = "obstacles in the world, each exactly one of box, cylinder, sphere, mesh"});
  v.field("flocks", d.flocks, {.min = 1, .max = 1000, .required = true, .doc = "groups of vehicles that share an airframe and a controller"});
  v.field("regions", d.regions,
          {.min = 0, .max = static_cast<double>(kMostRegions), .doc = "named parts of the world, each exactly one of box, cylinder, polygon"});
  v.field("events", d.events, {.min = 0, .max = 1e5, .doc = "external events at known times"});
  v.field("faults", d.faults, {.doc = "faults of actuators, sensors, links and estimators, planned and random"});
  v.field("radio", d.radio, {.doc = "radio medium that all vehicles share"});
  v.field("coupling", d.coupling, {.doc = "time between a state of a vehicle and its effect on the decisions of other vehicles"});
  v.field("federation", d.federation, {.doc = "which process of volary federation up simulates which flocks; the results do not depend on it"});
  v.field("tasks", d.tasks,
          {.min = 0, .max = 1000, .doc = "tasks of the mission: conditions that the run has to meet, which determine its report and exit code"});
  v.field("learning", d.learning, {.doc = "task of agents that learn: observations, actions, goal, rewards and ends of episodes. It does not change what volary run simulates"});
}

}  // namespace volary::scenario
