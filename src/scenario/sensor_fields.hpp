// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The describe lists of include/volary/sensors.hpp: name, unit, bounds and meaning of every field of `sensors`, `estimator` and `failsafe`.
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "core/describe.hpp"
#include "core/numbers.hpp"
#include "environment/weather_fields.hpp"
#include "volary/sensors.hpp"

namespace volary {

std::span<const char* const> names(EstimatorKind);
std::span<const char* const> names(FailsafeAction);

template <class D, class T> concept DescribesSensor = std::is_same_v<std::remove_const_t<D>, T>;

inline constexpr const char* kPresetDoc = "name of a preset in assets/sensors that gives the values of all fields that are absent here; ideal: no errors";

// ---------------------------------------------------------------- what sensors share

template <class D, class V> requires DescribesSensor<D, ErrorDef>
void describe(D& d, V& v) {
  v.field("noise", d.noise,
          {.min = 0, .max = 1e6, .doc = "white noise: standard deviation of a sample in the unit of the sensor; of an IMU the density, per sqrt(Hz)"});
  v.field("turn_on", d.turn_on, {.min = 0, .max = 1e6, .doc = "standard deviation of the constant bias, drawn once per episode"});
  v.field("instability", d.instability,
          {.min = 0, .max = 1e6, .doc = "standard deviation of the slowly varying bias; the Allan deviation of a data sheet divided by 0.618"});
  v.field("correlation", d.correlation, {.unit = "s", .min = 1e-3, .max = 1e6, .doc = "correlation time of the slowly varying bias"});
  v.field("walk", d.walk, {.min = 0, .max = 1e6, .doc = "random walk of the bias: its standard deviation after one second"});
  v.field("scale", d.scale, {.min = 0, .max = 0.5, .doc = "standard deviation of the scale factor error, drawn once per episode"});
  v.field("misalignment", d.misalignment, {.unit = "rad", .min = 0, .max = 0.5, .doc = "standard deviation of the cross-axis terms, drawn once per episode"});
  v.field("quantum", d.quantum, {.min = 0, .max = 1e6, .doc = "resolution: every measured value is a multiple of it; 0: none"});
  v.field("range", d.range, {.min = 0, .max = 1e9, .doc = "greatest magnitude that is measured; 0: no limit"});
}
template <class D, class V> requires DescribesSensor<D, TimingDef>
void describe(D& d, V& v) {
  v.field("rate", d.rate, {.unit = "Hz", .min = 0, .max = 1e6, .doc = "readings per second, each a whole number of ticks after the last one; 0: every tick"});
  v.field("phase", d.phase, {.unit = "s", .min = 0, .max = 1e6, .doc = "time of the first reading, a whole number of ticks"});
  v.field("latency", d.latency,
          {.unit = "s", .min = 0, .max = 2, .doc = "time from the measured state to the arrival of the reading, a whole number of ticks"});
  v.field("drop_out", d.drop_out, {.min = 0, .max = 1, .doc = "probability that a reading is lost"});
}

// ---------------------------------------------------------------- IMU

template <class D, class V> requires DescribesSensor<D, VibrationHarmonicDef>
void describe(D& d, V& v) {
  v.field("order", d.order, {.min = 1, .max = 64, .doc = "multiple of the rotor speed: 1 for imbalance, the number of blades for blade passing"});
  v.field("gyro", d.gyro_B, {.unit = "rad/s", .min = -1e3, .max = 1e3, .doc = "amplitude on each body axis for one rotor at the reference speed"});
  v.field("accelerometer", d.accelerometer_B,
          {.unit = "m/s2", .min = -1e4, .max = 1e4, .doc = "amplitude on each body axis for one rotor at the reference speed"});
}
template <class D, class V> requires DescribesSensor<D, VibrationDef>
void describe(D& d, V& v) {
  v.field("reference_speed", d.reference_speed, {.unit = "rad/s", .min = 0, .max = 1e5, .doc = "rotor speed at which the amplitudes hold; 0: no vibration"});
  v.field("resonance", d.resonance, {.unit = "Hz", .min = 0, .max = 1e5, .doc = "natural frequency of the frame; 0: none"});
  v.field("damping", d.damping, {.min = 1e-3, .max = 1, .doc = "damping ratio of the frame"});
  v.field("broadband_gyro", d.broadband_gyro_B,
          {.unit = "rad/s", .min = 0, .max = 1e3, .doc = "standard deviation of the broadband part on each body axis at the reference speed"});
  v.field("broadband_accelerometer", d.broadband_accelerometer_B,
          {.unit = "m/s2", .min = 0, .max = 1e4, .doc = "standard deviation of the broadband part on each body axis at the reference speed"});
  v.field("harmonics", d.harmonics, {.min = 0, .max = static_cast<double>(kMostHarmonics), .doc = "harmonics of the rotor speed"});
}
template <class D, class V> requires DescribesSensor<D, ImuDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("gyro", d.gyro, {.unit = "rad/s", .doc = "errors of the gyroscope"});
  v.field("accelerometer", d.accelerometer, {.unit = "m/s2", .doc = "errors of the accelerometer"});
  v.field("position", d.position_B,
          {.unit = "m", .min = -100, .max = 100,
           .doc = "position of the sensor in the body, from the centre of mass; on a platform from the origin of the central body"});
  v.field("vibration", d.vibration, {.doc = "vibration that follows the rotor speed"});
  v.field("latency", d.latency, {.unit = "s", .min = 0, .max = 2, .doc = "delay for readers outside of the vehicle; its controller and estimator have none"});
}

// ---------------------------------------------------------------- the others

template <class D, class V> requires DescribesSensor<D, GnssDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("horizontal", d.horizontal,
          {.unit = "m", .min = 0, .max = 1e4, .doc = "standard deviation of the correlated position error on each horizontal axis: CEP / 1.1774"});
  v.field("vertical", d.vertical, {.unit = "m", .min = 0, .max = 1e4, .doc = "standard deviation of the correlated height error"});
  v.field("correlation", d.correlation, {.unit = "s", .min = 1e-3, .max = 1e6, .doc = "correlation time of the position error"});
  v.field("white", d.white, {.unit = "m", .min = 0, .max = 1e4, .doc = "standard deviation of the uncorrelated position error on each axis"});
  v.field("velocity", d.velocity, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "standard deviation of the velocity error on each axis"});
  v.field("multipath", d.multipath,
          {.unit = "m", .min = 0, .max = 1e4, .doc = "standard deviation of the error by reflected signals where the whole sky is hidden"});
  v.field("multipath_correlation", d.multipath_correlation,
          {.unit = "s", .min = 1e-3, .max = 1e6, .doc = "correlation time of the error by reflected signals"});
  v.field("sky_needed", d.sky_needed, {.min = 0, .max = 1, .doc = "share of the sky that must be free for a fix"});
  v.field("satellites", d.satellites, {.min = 0, .max = 200, .doc = "number of satellites in use in an open sky"});
  v.field("loss", d.loss, {.min = 0, .max = 1, .doc = "share of time without a fix; whether there is one is drawn for each window"});
  v.field("loss_window", d.loss_window, {.unit = "s", .min = 1e-3, .max = 1e6, .doc = "length of such a window"});
  v.field("outages", d.outages, {.unit = "s", .min = 0, .max = static_cast<double>(kMostOutages), .doc = "planned times without a fix, each [from, until]"});
}
template <class D, class V> requires DescribesSensor<D, BarometerDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("error", d.error, {.unit = "Pa", .doc = "errors of the pressure"});
  v.field("position_error", d.position_error, {.min = -1, .max = 1, .doc = "share of the dynamic pressure along the nose that reaches the static port"});
}
template <class D, class V> requires DescribesSensor<D, MagnetometerDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("error", d.error, {.unit = "T", .doc = "errors of the field"});
  v.field("hard_iron", d.hard_iron,
          {.unit = "T", .min = 0, .max = 1, .doc = "standard deviation of the constant field of the vehicle on each axis, drawn once per episode"});
  v.field("soft_iron", d.soft_iron,
          {.min = 0, .max = 0.5, .doc = "standard deviation of each term of the symmetric distortion matrix, drawn once per episode"});
  v.field("current", d.current_B, {.unit = "T", .min = -1, .max = 1, .doc = "field of the supply currents on each body axis at full rotor load"});
}
template <class D, class V> requires DescribesSensor<D, AirspeedDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("error", d.error, {.unit = "Pa", .doc = "errors of the differential pressure"});
}
template <class D, class V> requires DescribesSensor<D, RangeFinderDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("error", d.error, {.unit = "m", .doc = "errors of the distance"});
  v.field("relative_noise", d.relative_noise, {.min = 0, .max = 1, .doc = "standard deviation of the distance as a share of it, besides the noise"});
  v.field("direction", d.direction_B, {.min = -1e6, .max = 1e6, .doc = "direction of the beam in the body, of any length"});
  v.field("field_of_view", d.field_of_view, {.unit = "rad", .min = 0, .max = 1.5, .doc = "full angle of the beam; the nearest ground in it is measured"});
  v.field("min", d.min, {.unit = "m", .min = 0, .max = 1e5, .doc = "least distance that is measured"});
  v.field("max", d.max, {.unit = "m", .min = 0, .max = 1e5, .doc = "greatest distance that is measured"});
}
template <class D, class V> requires DescribesSensor<D, OpticalFlowDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("error", d.error, {.unit = "rad/s", .doc = "errors of the rate"});
  v.field("min", d.min, {.unit = "m", .min = 0, .max = 1e5, .doc = "least distance to the ground at which there is a reading"});
  v.field("max", d.max, {.unit = "m", .min = 0, .max = 1e5, .doc = "greatest distance to the ground at which there is a reading"});
  v.field("max_rate", d.max_rate, {.unit = "rad/s", .min = 1e-3, .max = 1e3, .doc = "fastest flow that is measured"});
  v.field("max_tilt", d.max_tilt, {.unit = "rad", .min = 0, .max = 1.5, .doc = "greatest tilt at which there is a reading"});
}
template <class D, class V> requires DescribesSensor<D, UwbDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("error", d.error, {.unit = "m", .doc = "errors of a range in line of sight"});
  v.field("reach", d.reach, {.unit = "m", .min = 0, .max = 1e5, .doc = "greatest distance that is measured"});
  v.field("blocked_bias", d.blocked_bias, {.unit = "m", .min = 0, .max = 1e3, .doc = "mean of the exponential error that an obstruction adds"});
  v.field("blocked_noise", d.blocked_noise,
          {.unit = "m", .min = 0, .max = 1e3, .doc = "standard deviation of an obstructed range instead of the noise; 0: the noise"});
  v.field("per_reading", d.per_reading, {.min = 1, .max = 4, .doc = "number of anchors that are measured in one reading; all anchors come in turn"});
}
template <class D, class V> requires DescribesSensor<D, MotionCaptureDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("position", d.position, {.unit = "m", .min = 0, .max = 1e3, .doc = "standard deviation of the position on each axis"});
  v.field("attitude", d.attitude, {.unit = "rad", .min = 0, .max = 0.5, .doc = "standard deviation of the attitude about each axis"});
  v.field("min", d.min_W, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "lowest corner of the volume that the cameras see, east north up"});
  v.field("max", d.max_W, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "highest corner of the volume that the cameras see, east north up"});
}
template <class D, class V> requires DescribesSensor<D, OdometryDef>
void describe(D& d, V& v) {
  v.field("preset", d.preset, {.doc = kPresetDoc});
  v.field("time", d.time, {.doc = "rate, phase, latency and loss of readings"});
  v.field("drift_distance", d.drift_distance,
          {.min = 0, .max = 1e3, .doc = "standard deviation of the integrated position on each axis after 1 m of flight, in m per sqrt(m)"});
  v.field("drift_time", d.drift_time, {.min = 0, .max = 1e3, .doc = "standard deviation of the integrated position on each axis after 1 s, in m per sqrt(s)"});
  v.field("yaw_drift", d.yaw_drift, {.min = 0, .max = 10, .doc = "standard deviation of the integrated yaw after 1 s, in rad per sqrt(s)"});
  v.field("scale", d.scale, {.min = 0, .max = 0.5, .doc = "standard deviation of the scale error of the velocity, drawn once per episode"});
}

template <class D, class V> requires DescribesSensor<D, SensorPluginRef>
void describe(D& d, V& v) {
  v.field("file", d.file, {.required = true, .is_path = true, .doc = "shared library beside the scenario or in assets/sensors"});
  core::Numbers params{d.params};
  v.field("params", params, {.doc = "new values for parameters that the library declares"});
  if constexpr (!std::is_const_v<D>) d.params = std::move(params.items);
}
template <class D, class V> requires DescribesSensor<D, OwnSensorDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the sensor, of lower-case letters, digits and _; behaviours and columns call it own.NAME"});
  v.field("size", d.size, {.min = 1, .max = static_cast<double>(kMostOwnNumbers), .doc = "number of values of a reading; of a plugin as the plugin says"});
  v.field("plugin", d.plugin, {.doc = "shared library that measures; without it the readings come from a program as inputs"});
}

template <class D, class V> requires DescribesSensor<D, SensorsDef>
void describe(D& d, V& v) {
  v.field("imu", d.imu, {.doc = "gyroscope and accelerometer, sampled at every integration step"});
  v.field("gnss", d.gnss, {.doc = "satellite receiver: position, velocity and their accuracy"});
  v.field("barometer", d.barometer, {.doc = "barometer: static pressure and height"});
  v.field("magnetometer", d.magnetometer, {.doc = "magnetometer: magnetic field on three axes"});
  v.field("airspeed", d.airspeed, {.doc = "pitot tube along the nose: differential pressure and airspeed"});
  v.field("range_finder", d.range_finder, {.doc = "distance to the ground or an obstacle along a direction of the body"});
  v.field("optical_flow", d.optical_flow, {.doc = "rate at which the ground passes below the vehicle"});
  v.field("uwb_anchors", d.uwb_anchors, {.doc = "ultra-wideband distances to the anchors of the environment"});
  v.field("uwb_peers", d.uwb_peers, {.doc = "ultra-wideband distances to other vehicles"});
  v.field("motion_capture", d.motion_capture, {.doc = "position and attitude that cameras see from outside"});
  v.field("odometry", d.odometry, {.doc = "body velocity and yaw rate with a stated drift, a stand-in for visual odometry"});
  v.field("own", d.own,
          {.min = 0, .max = static_cast<double>(kMostOwnSensors), .doc = "sensors without a model here: a plugin measures, or a program gives readings"});
}

// ---------------------------------------------------------------- estimator and failsafe

template <class D, class V> requires DescribesSensor<D, EstimateStartDef>
void describe(D& d, V& v) {
  v.field("tilt", d.tilt, {.unit = "rad", .min = 0, .max = 1, .doc = "standard deviation of roll and pitch"});
  v.field("yaw", d.yaw, {.unit = "rad", .min = 0, .max = 3.2, .doc = "standard deviation of the yaw"});
  v.field("velocity", d.velocity, {.unit = "m/s", .min = 0, .max = 100, .doc = "standard deviation of the velocity on each axis"});
  v.field("position", d.position, {.unit = "m", .min = 0, .max = 1e4, .doc = "standard deviation of the position on each axis"});
}
template <class D, class V> requires DescribesSensor<D, PerSourceDef>
void describe(D& d, V& v) {
  const core::Info info{.min = 0.01, .max = 1e6, .doc = "value for this sensor"};
  v.field("gnss", d.gnss, info);
  v.field("barometer", d.barometer, info);
  v.field("magnetometer", d.magnetometer, info);
  v.field("airspeed", d.airspeed, info);
  v.field("range_finder", d.range_finder, info);
  v.field("optical_flow", d.optical_flow, info);
  v.field("uwb_anchors", d.uwb_anchors, info);
  v.field("uwb_peers", d.uwb_peers, info);
  v.field("motion_capture", d.motion_capture, info);
  v.field("odometry", d.odometry, info);
}
template <class D, class V> requires DescribesSensor<D, EstimatorDef>
void describe(D& d, V& v) {
  v.field("kind", d.kind,
          {.doc = "estimator of the state; none: no estimate; ekf: extended Kalman filter, which needs an IMU; plugin: a shared library; outside: a source of "
                  "inputs"});
  v.field("control_on_truth", d.control_on_truth, {.doc = "whether controllers take the true state instead of the estimate"});
  v.field("decide_on_truth", d.decide_on_truth, {.doc = "whether behaviours and messages take the true state instead of the estimate"});
  v.field("start", d.start, {.doc = "standard deviations of the estimate at the start"});
  v.field("gates", d.gates, {.doc = "number of standard deviations beyond which a measurement is rejected, for each sensor"});
  v.field("trust", d.trust, {.doc = "factor of the standard deviation that the filter assumes, for each sensor"});
  v.field("plugin", d.plugin, {.doc = "shared library that estimates, of the kind plugin"});
  v.field("reset_after", d.reset_after, {.unit = "s", .min = 0, .max = 1e6, .doc = "time of rejection after which the filter starts again from that sensor"});
}
template <class D, class V> requires DescribesSensor<D, FailsafeRuleDef>
void describe(D& d, V& v) {
  v.field("after", d.after, {.unit = "s", .min = 0, .max = 1e6, .doc = "time for which it must last"});
  v.field("action", d.action, {.doc = "reaction of the vehicle"});
}
template <class D, class V> requires DescribesSensor<D, FailsafeDef>
void describe(D& d, V& v) {
  v.field("gnss_lost", d.gnss_lost, {.doc = "the receiver has no fix"});
  v.field("estimator", d.estimator, {.doc = "the estimator reports that its estimate is not sound"});
  v.field("rotor_lost", d.rotor_lost, {.doc = "the controller detects that a rotor gives no thrust"});
  v.field("link_lost", d.link_lost, {.doc = "no message arrives"});
  v.field("sensor_lost", d.sensor_lost, {.doc = "a sensor gives no readings"});
  v.field("tipped", d.tipped, {.doc = "the vehicle lies on its side or back on the ground"});
  v.field("telemetry", d.telemetry, {.doc = "whether the measured rotor speeds are known to the detection of a lost rotor"});
}

}  // namespace volary
